#include "taut/forces/vertex_fan.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace taut::forces {
namespace {

struct Wedge {
    int a = -1, b = -1;  // the two neighbours of the vertex within one quad
};

// Finds the two neighbours of `vertex` in a quad; false for a triangle.
bool wedge_of(const mesh::Face& face, int vertex, Wedge& wedge) {
    if (face.size() != 4) return false;
    for (int k = 0; k < 4; ++k) {
        if (face.corner[k] != vertex) continue;
        wedge = {face.corner[(k + 1) % 4], face.corner[(k + 3) % 4]};
        return true;
    }
    return false;
}

double angle_between(const Vec3& p, const Vec3& q) { return std::atan2(p.cross(q).norm(), p.dot(q)); }

// Orders up to four wedges into one chain of neighbours; 0 if they form anything else.
int chain_wedges(std::span<Wedge> wedges, std::array<int, 5>& chain) {
    const auto uses = [&](int neighbor) {
        int count = 0;
        for (const Wedge& w : wedges) count += (w.a == neighbor) + (w.b == neighbor);
        return count;
    };
    // Begin at a free end where there is one, then walk from wedge to wedge.
    int first = wedges[0].a;
    for (const Wedge& w : wedges) {
        if (uses(w.a) == 1) first = w.a;
        if (uses(w.b) == 1) first = w.b;
    }
    chain[0] = first;
    int size = 1;
    for (std::size_t k = 0; k < wedges.size(); ++k) {
        std::size_t next = k;
        while (next < wedges.size() && wedges[next].a != chain[k] && wedges[next].b != chain[k]) ++next;
        if (next == wedges.size() || uses(chain[k]) > 2) return 0;
        std::swap(wedges[k], wedges[next]);
        chain[size++] = wedges[k].a == chain[k] ? wedges[k].b : wedges[k].a;
    }
    return size;
}

}  // namespace

VertexFan vertex_fan(const Model& model, std::span<const int> faces, int vertex) {
    VertexFan fan;
    if (faces.size() < 2 || faces.size() > 4) return fan;

    // Collect the wedges and put them in order.
    std::array<Wedge, 4> wedges;
    for (std::size_t k = 0; k < faces.size(); ++k) {
        if (!wedge_of(model.faces[faces[k]], vertex, wedges[k])) return fan;
    }
    std::array<int, 5> chain;
    const int links = chain_wedges(std::span(wedges).first(faces.size()), chain);
    if (links == 0) return fan;
    fan.closed = chain[0] == chain[links - 1];
    if (fan.closed != (links == 5)) return fan;

    // Develop: keep lengths and angles, but close a full ring to 2 pi.
    std::array<double, 5> angle{};
    const Vec3& center = model.rest[vertex];
    for (int k = 1; k < links; ++k) {
        angle[k] =
            angle[k - 1] + angle_between(model.rest[chain[k - 1]] - center, model.rest[chain[k]] - center);
    }
    const double total = angle[links - 1];
    if (!(total > 0)) return fan;
    const double scale = fan.closed ? 2 * std::numbers::pi / total : 1.0;
    fan.size = fan.closed ? links - 1 : links;
    for (int k = 0; k < fan.size; ++k) {
        const double length = (model.rest[chain[k]] - center).norm();
        fan.neighbor[k] = chain[k];
        fan.position[k] = length * Vec2(std::cos(scale * angle[k]), std::sin(scale * angle[k]));
    }
    return fan;
}

}  // namespace taut::forces

#include "taut/mesh/triangle_net.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "taut/base/error.hpp"

namespace taut::mesh {
namespace {

// The edge a to b as one number.
std::uint64_t edge_key(int a, int b) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32) | static_cast<std::uint32_t>(b);
}

[[noreturn]] void refuse(const char* what, int vertex) {
    throw InputError({}, what, std::to_string(vertex), "allowed: a closed manifold surface");
}

}  // namespace

TriangleNet::TriangleNet(TriangleSurface surface) : points(std::move(surface.points)) {
    origin_.reserve(3 * surface.triangles.size());
    for (const auto& corners : surface.triangles) {
        for (int v : corners) {
            if (v < 0 || v >= static_cast<int>(points.size())) refuse("a triangle has no such vertex", v);
            origin_.push_back(v);
        }
    }

    // Find the twin of every half edge.
    std::unordered_map<std::uint64_t, int> edge;
    edge.reserve(origin_.size());
    for (int h = 0; h < half_edges(); ++h) {
        if (!edge.emplace(edge_key(start(h), end(h)), h).second)
            refuse("two triangles share an edge", start(h));
    }
    twin_.resize(origin_.size());
    out_.assign(points.size(), -1);
    for (int h = 0; h < half_edges(); ++h) {
        const auto found = edge.find(edge_key(end(h), start(h)));
        if (found == edge.end()) refuse("the surface is open at a vertex", start(h));
        twin_[static_cast<std::size_t>(h)] = found->second;
        out_[static_cast<std::size_t>(start(h))] = h;
    }

    // Refuse vertices where several fans meet.
    std::vector<int> corners(points.size(), 0);
    for (int v : origin_) ++corners[static_cast<std::size_t>(v)];
    for (int v = 0; v < vertices(); ++v) {
        if (has_vertex(v) && valence(v) != corners[static_cast<std::size_t>(v)])
            refuse("parts of the surface touch in a vertex", v);
    }
}

void TriangleNet::link(int h, int g) {
    twin_[static_cast<std::size_t>(h)] = g;
    twin_[static_cast<std::size_t>(g)] = h;
}

void TriangleNet::set(int h, int v) {
    origin_[static_cast<std::size_t>(h)] = v;
    out_[static_cast<std::size_t>(v)] = h;
}

int TriangleNet::valence(int v) const {
    int count = 0;
    around(v, [&](int) { ++count; });
    return count;
}

bool TriangleNet::adjacent(int v, int w) const {
    bool found = false;
    around(v, [&](int h) { found = found || end(h) == w; });
    return found;
}

bool TriangleNet::can_flip(int h) const {
    const int c = apex(h), d = apex(twin(h));
    return c != d && !adjacent(c, d) && valence(start(h)) > 3 && valence(end(h)) > 3;
}

// Triangles (a, b, c) and (b, a, d) become (d, c, a) and (c, d, b).
void TriangleNet::flip(int h) {
    const int hn = next(h), hp = previous(h), g = twin(h), gn = next(g), gp = previous(g);
    const int a = start(h), b = start(g), c = start(hp), d = start(gp);
    const int bc = twin(hn), ca = twin(hp), ad = twin(gn), db = twin(gp);
    set(h, d);
    set(hn, c);
    set(hp, a);
    set(g, c);
    set(gn, d);
    set(gp, b);
    link(hn, ca);
    link(hp, ad);
    link(gn, db);
    link(gp, bc);
}

// Triangles (a, b, c) and (b, a, d) become (a, m, c) and (b, m, d); new are (m, b, c) and (m, a, d).
int TriangleNet::split(int h) {
    const int hn = next(h), hp = previous(h), g = twin(h), gn = next(g), gp = previous(g);
    const int a = start(h), b = start(g), c = start(hp), d = start(gp);
    const int bc = twin(hn), ad = twin(gn), m = vertices(), fresh = half_edges();
    points.push_back(0.5 * (at(a) + at(b)));
    out_.push_back(hn);
    origin_.resize(origin_.size() + 6);
    twin_.resize(twin_.size() + 6);
    set(hn, m);
    set(gn, m);
    const std::array<int, 6> corners{m, b, c, m, a, d};
    for (std::size_t k = 0; k < corners.size(); ++k) set(fresh + static_cast<int>(k), corners[k]);
    link(fresh, g);
    link(fresh + 1, bc);
    link(fresh + 2, hn);
    link(fresh + 3, h);
    link(fresh + 4, ad);
    link(fresh + 5, gn);
    return m;
}

// The two ends may share no neighbour but the two apexes, which must keep three triangles or more.
bool TriangleNet::can_collapse(int h) const {
    const int a = start(h), b = end(h), c = apex(h), d = apex(twin(h));
    if (c == d || valence(c) <= 3 || valence(d) <= 3) return false;
    int shared = 0;
    around(a, [&](int g) { shared += end(g) != b && adjacent(end(g), b) ? 1 : 0; });
    return shared == 2;
}

void TriangleNet::collapse(int h) {
    const int hn = next(h), hp = previous(h), g = twin(h), gn = next(g), gp = previous(g);
    const int a = start(h), b = start(g), c = start(hp), d = start(gp);
    const int bc = twin(hn), ca = twin(hp), ad = twin(gn), db = twin(gp);
    int spoke = h;
    do {
        origin_[static_cast<std::size_t>(spoke)] = b;
        spoke = twin(previous(spoke));
    } while (spoke != h);
    for (int gone : {h, hn, hp, g, gn, gp}) origin_[static_cast<std::size_t>(gone)] = -1;
    link(bc, ca);
    link(ad, db);
    set(ca, b);
    set(bc, c);
    set(ad, d);
    out_[static_cast<std::size_t>(a)] = -1;
}

TriangleSurface TriangleNet::packed() const {
    TriangleSurface surface;
    std::vector<int> place(out_.size(), -1);
    for (int v = 0; v < vertices(); ++v) {
        if (!has_vertex(v)) continue;
        place[static_cast<std::size_t>(v)] = static_cast<int>(surface.points.size());
        surface.points.push_back(at(v));
    }
    for (int h = 0; h < half_edges(); h += 3) {
        if (!has(h)) continue;
        const auto corner = [&](int k) { return place[static_cast<std::size_t>(start(h + k))]; };
        surface.triangles.push_back({corner(0), corner(1), corner(2)});
    }
    return surface;
}

}  // namespace taut::mesh

#include "taut/model/model.hpp"

#include <algorithm>
#include <cstdint>

#include "taut/base/error.hpp"

namespace taut {
namespace {

void require_sizes(const Model& model, const ClothPart& part) {
    // Refuse parts whose arrays disagree.
    const auto n = static_cast<std::size_t>(part.mesh.vertices);
    if (part.rest.size() != n)
        throw InputError({}, "cloth '" + part.name + "' has not one rest position per vertex",
                         std::to_string(part.rest.size()), "expected " + std::to_string(n));
    if (part.mass.size() != n)
        throw InputError({}, "cloth '" + part.name + "' has not one mass per vertex",
                         std::to_string(part.mass.size()), "expected " + std::to_string(n));

    // Refuse what an int cannot count, with room for three coordinates per vertex.
    constexpr std::int64_t limit = std::numeric_limits<int>::max();
    const std::int64_t vertices = 3 * static_cast<std::int64_t>(model.rest.size() + n);
    const std::int64_t edges = static_cast<std::int64_t>(model.edges.size() + part.net.edges.size());
    const std::int64_t faces = static_cast<std::int64_t>(model.faces.size() + part.mesh.faces.size());
    if (vertices > limit || edges > limit || faces > limit)
        throw InputError({}, "cloth '" + part.name + "' makes the model too large",
                         std::to_string(vertices / 3) + " vertices",
                         "allowed: at most " + std::to_string(limit / 3) + " vertices in all");
}

// Of every edge: in the pattern, as a mean of its faces, or in space.
std::vector<double> rest_lengths(const ClothPart& part) {
    std::vector<double> lengths;
    lengths.reserve(part.net.edges.size());
    for (const mesh::Edge& edge : part.net.edges) {
        double sum = 0;
        int count = 0;
        for (const int f : edge.face) {
            if (!part.cut || f < 0) continue;
            const auto& corner = part.mesh.faces[static_cast<std::size_t>(f)].corner;
            const auto& uv = part.mesh.corner_uv[static_cast<std::size_t>(f)];
            const auto a = std::find(corner.begin(), corner.end(), edge.a) - corner.begin();
            const auto b = std::find(corner.begin(), corner.end(), edge.b) - corner.begin();
            sum += (uv[static_cast<std::size_t>(b)] - uv[static_cast<std::size_t>(a)]).norm();
            ++count;
        }
        lengths.push_back(count > 0 ? sum / count : (part.rest[edge.b] - part.rest[edge.a]).norm());
    }
    return lengths;
}

// Texture coordinates behind those of earlier cloths, whose faces get none where they have none; `faces` with
// those of the part.
void append_pattern(const ClothPart& part, std::size_t faces, std::vector<std::array<Vec2, 4>>& pattern) {
    if (part.mesh.corner_uv.empty() && pattern.empty()) return;
    const std::array<Vec2, 4> none{Vec2::Zero(), Vec2::Zero(), Vec2::Zero(), Vec2::Zero()};
    pattern.resize(faces - part.mesh.faces.size(), none);
    pattern.insert(pattern.end(), part.mesh.corner_uv.begin(), part.mesh.corner_uv.end());
    pattern.resize(faces, none);
}

// None for a vertex that belongs to no cloth.
const Cloth* cloth_of(const Model& model, int vertex) {
    for (const Cloth& cloth : model.cloths) {
        if (vertex >= cloth.first_vertex && vertex < cloth.first_vertex + cloth.vertex_count) return &cloth;
    }
    return nullptr;
}

// Share of the way a seam has closed: a polynomial at rest at both ends, in velocity and acceleration.
double closed(const Seam& seam, double time) {
    if (!(time > seam.close_start)) return seam.close_end > seam.close_start ? 0 : 1;
    if (!(time < seam.close_end)) return 1;
    const double s = (time - seam.close_start) / (seam.close_end - seam.close_start);
    return s * s * s * (10 + s * (6 * s - 15));
}

}  // namespace

void PinGroup::targets(double time, PointsView x) const {
    if (carrier) {
        carrier->at(time, x);
        return;
    }
    const RigidTransform place = motion.at(time);
    std::transform(anchor.begin(), anchor.end(), x.begin(), place);
}

Points PinGroup::targets(double time) const {
    Points x(vertices.size());
    targets(time, x);
    return x;
}

double Seam::distance(std::size_t k, double time) const {
    return gap[k] + closed(*this, time) * (length - gap[k]);
}

double Seam::rate(std::size_t k, double time) const {
    if (!(time > close_start && time < close_end)) return 0;
    const double span = close_end - close_start, s = (time - close_start) / span;
    return 30 * s * s * (1 - s) * (1 - s) / span * (length - gap[k]);
}

std::string vertex_name(const Model& model, int vertex) {
    const Cloth* cloth = cloth_of(model, vertex);
    if (!cloth) return "vertex " + std::to_string(vertex);
    return "vertex " + std::to_string(vertex - cloth->first_vertex) + " of cloth '" + cloth->name + "'";
}

std::string vertex_names(const Model& model, int a, int b) {
    const Cloth* cloth = cloth_of(model, a);
    if (!cloth || cloth != cloth_of(model, b)) return vertex_name(model, a) + " and " + vertex_name(model, b);
    return "vertices " + std::to_string(a - cloth->first_vertex) + " and " +
           std::to_string(b - cloth->first_vertex) + " of cloth '" + cloth->name + "'";
}

int append(Model& model, const ClothPart& part) {
    require_sizes(model, part);
    const std::vector<double> lengths = rest_lengths(part);

    Cloth cloth;
    cloth.name = part.name;
    cloth.first_vertex = model.vertex_count();
    cloth.vertex_count = part.mesh.vertices;
    cloth.first_face = static_cast<int>(model.faces.size());
    cloth.face_count = static_cast<int>(part.mesh.faces.size());
    cloth.first_edge = model.edge_count();
    cloth.edge_count = static_cast<int>(part.net.edges.size());
    cloth.first_yarn = static_cast<int>(model.yarns.size());
    cloth.yarn_count = static_cast<int>(part.net.yarns.size());
    cloth.cut = part.cut;
    cloth.grain = part.grain;

    // Copy what is per vertex.
    model.rest.insert(model.rest.end(), part.rest.begin(), part.rest.end());
    model.mass.insert(model.mass.end(), part.mass.begin(), part.mass.end());

    // Shift faces, edges and yarns to global indices; -1 keeps meaning "none".
    model.faces.reserve(model.faces.size() + part.mesh.faces.size());
    for (mesh::Face face : part.mesh.faces) {
        for (int& corner : face.corner)
            if (corner >= 0) corner += cloth.first_vertex;
        model.faces.push_back(face);
    }
    append_pattern(part, model.faces.size(), model.pattern);
    model.edges.reserve(model.edges.size() + part.net.edges.size());
    model.rest_length.insert(model.rest_length.end(), lengths.begin(), lengths.end());
    for (mesh::Edge edge : part.net.edges) {
        edge.a += cloth.first_vertex;
        edge.b += cloth.first_vertex;
        for (int& face : edge.face)
            if (face >= 0) face += cloth.first_face;
        model.edges.push_back(edge);
    }
    for (mesh::Yarn yarn : part.net.yarns) {
        for (int& edge : yarn.edge) edge += cloth.first_edge;
        for (int& vertex : yarn.vertex) vertex += cloth.first_vertex;
        model.yarns.push_back(std::move(yarn));
    }

    model.cloths.push_back(std::move(cloth));
    return static_cast<int>(model.cloths.size()) - 1;
}

}  // namespace taut

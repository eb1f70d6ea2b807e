// What is wrong with a mesh. Checks run in rungs: later ones read indices that earlier ones proved
// to be in range, so that any content whatever is answered by a list and not by a crash.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "taut/base/error.hpp"
#include "taut/mesh/topology.hpp"

namespace taut::mesh {
namespace {

// Below this fraction of the longest edge a distance counts as zero: coordinates of size one metre
// carry 1e-16 m, so that such an edge has lost its direction.
constexpr double zero_length = 1e-12;
// Area over the squared longest edge of a face: a sliver whose height is below 1e-8 of its length has
// no usable normal, and its cotangents swamp every other bending weight.
constexpr double zero_area = 1e-8;

using Problems = std::vector<MeshProblem>;

constexpr std::size_t shown = 5;  // offenders named in a text; the problem lists them all

// "faces 3, 5, 8 and 12 more, counted from 0"
std::string list(const char* one, const char* many, const std::vector<int>& indices) {
    const std::size_t named = std::min(shown, indices.size());
    std::string text = fmt::format("{} {}", indices.size() == 1 ? one : many,
                                   fmt::join(indices.begin(), indices.begin() + named, ", "));
    if (indices.size() > named) text += fmt::format(" and {} more", indices.size() - named);
    return text + ", counted from 0";
}

// "edges 3-7, 7-9": edges are named by their vertices, since files do not number them.
std::string list_edges(const std::vector<Edge>& edges, const std::vector<int>& indices) {
    const std::size_t named = std::min(shown, indices.size());
    std::string text = indices.size() == 1 ? "edge" : "edges";
    for (std::size_t k = 0; k < named; ++k)
        text += fmt::format("{} {}-{}", k == 0 ? "" : ",", edges[indices[k]].a, edges[indices[k]].b);
    if (indices.size() > named) text += fmt::format(" and {} more", indices.size() - named);
    return text + ", vertices counted from 0";
}

void add_faces(Problems& problems, Severity severity, std::vector<int> faces, const char* what,
               const char* remedy) {
    if (faces.empty()) return;
    std::string text = fmt::format("{}: {}", what, list("face", "faces", faces));
    problems.push_back({severity, std::move(text), remedy, std::move(faces), {}, {}});
}

void add_edges(Problems& problems, Severity severity, const std::vector<Edge>& all, std::vector<int> edges,
               const char* what, const char* remedy) {
    if (edges.empty()) return;
    std::string text = fmt::format("{}: {}", what, list_edges(all, edges));
    problems.push_back({severity, std::move(text), remedy, {}, std::move(edges), {}});
}

void add_vertices(Problems& problems, Severity severity, std::vector<int> vertices, const char* what,
                  const char* remedy) {
    if (vertices.empty()) return;
    std::string text = fmt::format("{}: {}", what, list("vertex", "vertices", vertices));
    problems.push_back({severity, std::move(text), remedy, {}, {}, std::move(vertices)});
}

// First rung: counts and values, readable whatever the content.
void check_counts(const PolygonMesh& mesh, ConstPoints rest, Problems& problems) {
    const auto add = [&](std::string text, const char* remedy) {
        problems.push_back({Severity::error, std::move(text), remedy, {}, {}, {}});
    };
    if (mesh.vertices <= 0)
        add(fmt::format("the mesh has {} vertices", mesh.vertices), "give at least one face or line");
    if (mesh.vertices > 0 && mesh.faces.empty() && mesh.lines.empty())
        add("the mesh has neither faces nor lines", "give at least one face or line");
    if (static_cast<std::int64_t>(rest.size()) != mesh.vertices)
        add(fmt::format("the mesh has {} vertices but {} rest positions", mesh.vertices, rest.size()),
            "give one rest position per vertex");
    if (!mesh.corner_uv.empty() && mesh.corner_uv.size() != mesh.faces.size())
        add(fmt::format("the mesh has {} faces but texture coordinates for {}", mesh.faces.size(),
                        mesh.corner_uv.size()),
            "give texture coordinates for all faces or for none");
    if (!problems.empty()) return;

    std::vector<int> bad_vertices, bad_faces;
    for (int v = 0; v < mesh.vertices; ++v)
        if (!rest[v].allFinite()) bad_vertices.push_back(v);
    add_vertices(problems, Severity::error, std::move(bad_vertices),
                 "coordinates that are not finite numbers", "correct the coordinates");
    for (std::size_t f = 0; f < mesh.corner_uv.size(); ++f)
        for (int k = 0; k < mesh.faces[f].size(); ++k)
            if (!mesh.corner_uv[f][k].allFinite()) {
                bad_faces.push_back(static_cast<int>(f));
                break;
            }
    add_faces(problems, Severity::error, std::move(bad_faces),
              "texture coordinates that are not finite numbers", "correct the texture coordinates");
}

// Second rung: indices in range, corners distinct.
void check_corners(const PolygonMesh& mesh, Problems& problems) {
    std::vector<int> outside, repeated;
    const auto in_range = [&](int v) { return v >= 0 && v < mesh.vertices; };
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const Face& face = mesh.faces[f];
        bool valid = true, distinct = true;
        for (int k = 0; k < face.size(); ++k) {
            valid = valid && in_range(face.corner[k]);
            for (int m = 0; m < k; ++m) distinct = distinct && face.corner[k] != face.corner[m];
        }
        if (!valid) outside.push_back(static_cast<int>(f));
        if (valid && !distinct) repeated.push_back(static_cast<int>(f));
    }
    add_faces(problems, Severity::error, std::move(outside), "corners outside the list of vertices",
              "refer to existing vertices only");
    add_faces(problems, Severity::error, std::move(repeated), "a vertex used twice in one face",
              "remove degenerate faces or merge them into triangles");

    std::vector<int> bad_lines;
    for (std::size_t l = 0; l < mesh.lines.size(); ++l) {
        const auto& [a, b] = mesh.lines[l];
        if (!in_range(a) || !in_range(b) || a == b) bad_lines.push_back(static_cast<int>(l));
    }
    if (!bad_lines.empty())
        problems.push_back(
            {Severity::error,
             "lines that do not join two vertices of the mesh: " + list("line", "lines", bad_lines),
             "refer to two existing vertices",
             {},
             {},
             {}});
}

// Faces over the same set of vertices as an earlier face.
std::vector<int> duplicate_faces(const PolygonMesh& mesh) {
    using Key = std::array<int, 4>;
    std::vector<Key> key(mesh.faces.size());
    for (std::size_t f = 0; f < key.size(); ++f) {
        key[f] = mesh.faces[f].corner;
        if (mesh.faces[f].size() == 3) key[f][3] = -1;
        std::sort(key[f].begin(), key[f].end());
    }
    std::vector<int> order(key.size()), found;
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int f, int g) { return key[f] != key[g] ? key[f] < key[g] : f < g; });
    for (std::size_t k = 1; k < order.size(); ++k)
        if (key[order[k]] == key[order[k - 1]]) found.push_back(order[k]);
    std::sort(found.begin(), found.end());
    return found;
}

bool walks(const Face& face, int from, int to) {
    for (int k = 0; k < face.size(); ++k)
        if (face.corner[k] == from) return face.corner[k + 1 == face.size() ? 0 : k + 1] == to;
    return false;
}

// Third rung: how faces meet.
void check_joints(const PolygonMesh& mesh, const Topology& topology, Problems& problems) {
    add_faces(problems, Severity::error, duplicate_faces(mesh), "the same vertices as an earlier face",
              "remove duplicate faces");

    std::vector<int> crowded, twisted;
    std::vector<int> uses(mesh.vertices, 0), borders(mesh.vertices, 0);
    for (std::size_t k = 0; k < topology.edges.size(); ++k) {
        const Edge& e = topology.edges[k];
        const int count = topology.edge_faces[k];
        ++uses[e.a], ++uses[e.b];
        if (count == 1) ++borders[e.a], ++borders[e.b];
        if (count > 2) crowded.push_back(static_cast<int>(k));
        if (count == 2 && walks(mesh.faces[e.face[0]], e.a, e.b) == walks(mesh.faces[e.face[1]], e.a, e.b))
            twisted.push_back(static_cast<int>(k));
    }
    std::vector<int> isolated, points;
    for (int v = 0; v < mesh.vertices; ++v) {
        if (uses[v] == 0) isolated.push_back(v);
        if (borders[v] > 2) points.push_back(v);
    }
    add_edges(problems, Severity::error, topology.edges, std::move(crowded),
              "more than two faces at one edge",
              "split the mesh there: cloth has at most two faces at an edge");
    add_vertices(problems, Severity::error, std::move(isolated), "unused vertices",
                 "remove them: they would have no mass");
    add_edges(problems, Severity::warning, topology.edges, std::move(twisted),
              "neighbouring faces of opposite orientation",
              "make the face normals consistent; strain and yarns do not depend on them");
    add_vertices(problems, Severity::warning, std::move(points),
                 "parts of the mesh that touch in a point only",
                 "weld the parts along an edge or split the vertex, unless a joint is meant");
}

// Fourth rung: rest lengths and areas.
void check_sizes(const PolygonMesh& mesh, ConstPoints rest, const Topology& topology, Problems& problems) {
    double longest = 0;
    for (const Edge& e : topology.edges) longest = std::max(longest, (rest[e.b] - rest[e.a]).norm());
    std::vector<int> short_edges, flat, dented;
    for (std::size_t k = 0; k < topology.edges.size(); ++k) {
        const Edge& e = topology.edges[k];
        if (!((rest[e.b] - rest[e.a]).norm() > zero_length * longest))
            short_edges.push_back(static_cast<int>(k));
    }

    // Compare each corner's area vector with that of the whole face.
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const Face& face = mesh.faces[f];
        const int n = face.size();
        double side = 0;
        std::array<Vec3, 4> corner;
        for (int k = 0; k < n; ++k) {
            const Vec3& p = rest[face.corner[k]];
            const Vec3 next = rest[face.corner[(k + 1) % n]] - p,
                       last = rest[face.corner[(k + n - 1) % n]] - p;
            corner[k] = next.cross(last) / 2;
            side = std::max(side, next.norm());
        }
        const Vec3 total = n == 3 ? corner[0] : Vec3((corner[0] + corner[1] + corner[2] + corner[3]) / 2);
        if (!(total.norm() > zero_area * side * side))
            flat.push_back(static_cast<int>(f));
        else if (n == 4 &&
                 std::any_of(corner.begin(), corner.end(), [&](const Vec3& c) { return c.dot(total) <= 0; }))
            dented.push_back(static_cast<int>(f));
    }
    add_edges(problems, Severity::error, topology.edges, std::move(short_edges), "no length at rest",
              "merge vertices that coincide");
    add_faces(problems, Severity::error, std::move(flat), "no area at rest",
              "remove or reshape faces that are folded onto a line");
    add_faces(problems, Severity::warning, std::move(dented), "quads that are not convex",
              "move their corners or split them into triangles");
}

}  // namespace

std::vector<MeshProblem> find_problems(const PolygonMesh& mesh, ConstPoints rest) {
    Problems problems;
    check_counts(mesh, rest, problems);
    if (!problems.empty()) return problems;
    check_corners(mesh, problems);
    if (!problems.empty()) return problems;
    const Topology topology = build_topology(mesh);
    check_joints(mesh, topology, problems);
    check_sizes(mesh, rest, topology, problems);
    std::stable_partition(problems.begin(), problems.end(),
                          [](const MeshProblem& p) { return p.severity == Severity::error; });
    return problems;
}

void require_sound(const std::vector<MeshProblem>& problems) {
    for (const MeshProblem& p : problems)
        if (p.severity == Severity::error) throw InputError({}, p.text, {}, p.remedy);
}

}  // namespace taut::mesh

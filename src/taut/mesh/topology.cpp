#include "taut/mesh/topology.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace taut::mesh {
namespace {

// One side of a face or one line, filed under its smaller vertex.
struct Side {
    int larger;
    std::int64_t owner;  // 4 * face + k, or beyond all faces for a line
};

// Calls visit(a, b, owner) for every side of every face, then for every line.
template <class Visit>
void for_each_side(const PolygonMesh& mesh, Visit&& visit) {
    const auto faces = static_cast<std::int64_t>(mesh.faces.size());
    for (std::int64_t f = 0; f < faces; ++f) {
        const Face& face = mesh.faces[f];
        const int n = face.size();
        for (int k = 0; k < n; ++k) visit(face.corner[k], face.corner[k + 1 == n ? 0 : k + 1], 4 * f + k);
    }
    for (std::size_t l = 0; l < mesh.lines.size(); ++l)
        visit(mesh.lines[l][0], mesh.lines[l][1], 4 * faces + static_cast<std::int64_t>(l));
}

// Whether face f walks along edge e from its end a to its end b.
bool walks_forward(const Face& face, const Edge& e) {
    for (int k = 0; k < face.size(); ++k)
        if (face.corner[k] == e.a && face.corner[k + 1 == face.size() ? 0 : k + 1] == e.b) return true;
    return false;
}

void flip_face(PolygonMesh& mesh, int f) {
    Face& face = mesh.faces[f];
    const int last = face.size() - 1;
    std::swap(face.corner[1], face.corner[last]);
    if (!mesh.corner_uv.empty()) std::swap(mesh.corner_uv[f][1], mesh.corner_uv[f][last]);
}

}  // namespace

Topology build_topology(const PolygonMesh& mesh) {
    // File every side under its smaller vertex by counting.
    std::vector<std::size_t> start(static_cast<std::size_t>(mesh.vertices) + 1, 0);
    for_each_side(mesh, [&](int a, int b, std::int64_t) { ++start[std::min(a, b) + 1]; });
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<Side> sides(start.back());
    std::vector<std::size_t> fill(start.begin(), start.end() - 1);
    for_each_side(mesh, [&](int a, int b, std::int64_t owner) {
        sides[fill[std::min(a, b)]++] = {std::max(a, b), owner};
    });

    // Sort each vertex's few sides; equal larger vertices make one edge.
    Topology result;
    const std::int64_t face_owners = 4 * static_cast<std::int64_t>(mesh.faces.size());
    result.face_edge.assign(mesh.faces.size(), {-1, -1, -1, -1});
    result.edges.reserve(sides.size() / 2 + sides.size() / 16);
    for (int v = 0; v < mesh.vertices; ++v) {
        const auto begin = sides.begin() + start[v], end = sides.begin() + start[v + 1];
        std::sort(begin, end, [](const Side& p, const Side& q) {
            return p.larger != q.larger ? p.larger < q.larger : p.owner < q.owner;
        });
        for (auto side = begin; side != end; ++side) {
            if (side == begin || side->larger != (side - 1)->larger) {
                result.edges.push_back({v, side->larger, Direction::none, {-1, -1}});
                result.edge_faces.push_back(0);
            }
            if (side->owner >= face_owners) continue;
            const int face = static_cast<int>(side->owner / 4);
            int& count = result.edge_faces.back();
            if (count < 2) result.edges.back().face[count] = face;
            ++count;
            result.face_edge[face][side->owner % 4] = static_cast<int>(result.edges.size()) - 1;
        }
    }
    return result;
}

std::vector<std::array<int, 3>> split_faces(std::span<const Face> faces) {
    std::vector<std::array<int, 3>> triangles;
    triangles.reserve(2 * faces.size());
    for (const Face& face : faces) {
        const auto& c = face.corner;
        triangles.push_back({c[0], c[1], c[2]});
        if (face.size() == 4) triangles.push_back({c[0], c[2], c[3]});
    }
    return triangles;
}

VertexEdges edges_around_vertices(int vertices, const std::vector<Edge>& edges) {
    VertexEdges result;
    result.start.assign(static_cast<std::size_t>(vertices) + 1, 0);
    for (const Edge& e : edges) ++result.start[e.a + 1], ++result.start[e.b + 1];
    std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
    result.edge.resize(2 * edges.size());
    std::vector<int> fill(result.start.begin(), result.start.end() - 1);
    for (std::size_t k = 0; k < edges.size(); ++k) {
        result.edge[fill[edges[k].a]++] = static_cast<int>(k);
        result.edge[fill[edges[k].b]++] = static_cast<int>(k);
    }
    return result;
}

Components connected_components(int vertices, const std::vector<Edge>& edges) {
    // Join ends under the smaller root, halving paths on the way.
    std::vector<int> parent(vertices);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const Edge& e : edges) {
        const int a = root(e.a), b = root(e.b);
        parent[std::max(a, b)] = std::min(a, b);
    }

    // Number roots in order; a root is the lowest vertex of its part.
    Components result;
    result.of_vertex.resize(vertices);
    for (int v = 0; v < vertices; ++v) {
        const int r = root(v);
        result.of_vertex[v] = r == v ? result.count++ : result.of_vertex[r];
    }
    return result;
}

int orient_faces(PolygonMesh& mesh) {
    const Topology topology = build_topology(mesh);
    std::vector<std::int8_t> flip(mesh.faces.size(), -1);  // -1: not seen yet
    std::vector<int> queue;
    int flipped = 0;
    for (std::size_t seed = 0; seed < mesh.faces.size(); ++seed) {
        if (flip[seed] >= 0) continue;

        // Spread from the lowest face; two faces agree where they walk an edge in opposite directions.
        flip[seed] = 0;
        queue.assign(1, static_cast<int>(seed));
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const int f = queue[head];
            for (const int e : topology.face_edge[f]) {
                if (e < 0 || topology.edge_faces[e] != 2) continue;
                const Edge& edge = topology.edges[e];
                const int g = edge.face[0] == f ? edge.face[1] : edge.face[0];
                if (g == f || flip[g] >= 0) continue;
                const bool agree = walks_forward(mesh.faces[f], edge) != walks_forward(mesh.faces[g], edge);
                flip[g] = static_cast<std::int8_t>(agree ? flip[f] : 1 - flip[f]);
                flipped += flip[g];
                queue.push_back(g);
            }
        }
    }

    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
        if (flip[f] == 1) flip_face(mesh, static_cast<int>(f));
    return flipped;
}

std::vector<int> drop_isolated(PolygonMesh& mesh, Points& rest) {
    std::vector<int> index(mesh.vertices, -1);
    for_each_side(mesh, [&](int a, int b, std::int64_t) { index[a] = index[b] = 0; });

    // Number what stays in the old order and move it down.
    int kept = 0;
    for (int v = 0; v < mesh.vertices; ++v) {
        if (index[v] < 0) continue;
        rest[kept] = rest[v];
        index[v] = kept++;
    }
    rest.resize(kept);
    mesh.vertices = kept;
    for (Face& face : mesh.faces)
        for (int& corner : face.corner)
            if (corner >= 0) corner = index[corner];
    for (auto& line : mesh.lines) line = {index[line[0]], index[line[1]]};
    return index;
}

}  // namespace taut::mesh

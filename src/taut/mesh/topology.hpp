// Who touches whom in a polygon mesh: edges from faces, connected parts, orientation; and what is
// wrong with a mesh before it becomes cloth. Everything is sort-based, O(n) for bounded valence, and
// the same for any order of threads. Faces, edges and vertices are counted from 0.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "taut/base/vec.hpp"
#include "taut/mesh/mesh.hpp"

namespace taut::mesh {

struct Topology {
    std::vector<Edge> edges;                    // a < b, ascending by (a, b); direction none; first two faces
    std::vector<std::array<int, 4>> face_edge;  // edge k of a face joins corners k and k+1; -1 where none
    std::vector<int> edge_faces;                // number of faces at each edge: more than 2 is non-manifold
};

// Edges of all faces and lines. Indices must be in range and corners distinct (see find_problems).
Topology build_topology(const PolygonMesh& mesh);

// Faces as triangles, in order: a quad gives two, cut from its first corner.
std::vector<std::array<int, 3>> split_faces(std::span<const Face> faces);

// Edges around each vertex, ascending: edge[start[v]] .. edge[start[v + 1] - 1].
struct VertexEdges {
    std::vector<int> start, edge;
};
VertexEdges edges_around_vertices(int vertices, const std::vector<Edge>& edges);

struct Components {
    int count = 0;
    std::vector<int> of_vertex;  // numbered by their lowest vertex
};
// Parts connected by edges; an isolated vertex is a part of its own.
Components connected_components(int vertices, const std::vector<Edge>& edges);

// Flips faces so that neighbours agree, part by part, each as its lowest face; texture coordinates move
// along. Returns the number of flipped faces. A one-sided mesh (Moebius strip) keeps disagreeing edges.
int orient_faces(PolygonMesh& mesh);

// Removes vertices that no face or line uses. Returns the new index of every old vertex, -1 if removed.
std::vector<int> drop_isolated(PolygonMesh& mesh, Points& rest);

enum class Severity { warning, error };

// One kind of trouble with everything it was found at; indices into faces, Topology::edges, vertices.
struct MeshProblem {
    Severity severity = Severity::error;
    std::string text;    // one sentence, names the first few offenders
    std::string remedy;  // what to do about it
    std::vector<int> faces, edges, vertices;
};

// Everything that keeps a mesh from being cloth (errors) or deserves a look (warnings), errors first.
// Never throws; safe on any content. Errors: counts that disagree, values that are not finite, indices
// out of range, repeated corners, duplicate faces, non-manifold edges, isolated vertices, edges without
// length, faces without area. Warnings: mixed orientation, parts that meet in a point, dented quads.
std::vector<MeshProblem> find_problems(const PolygonMesh& mesh, ConstPoints rest);

// Throws InputError with the first error among the problems; warnings pass.
void require_sound(const std::vector<MeshProblem>& problems);

}  // namespace taut::mesh

// Polygon meshes of woven cloth: faces, edges classed as warp, weft or neither, and yarns,
// the open or closed paths of edges along which the cloth does not stretch (Goldenthal 2007,
// section 3). Topology only: positions live elsewhere. Indices are local to the mesh.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::mesh {

enum class Direction : std::uint8_t { none, warp, weft };

// A triangle or quad, corners in order; corner[3] is -1 for a triangle.
struct Face {
    std::array<int, 4> corner{-1, -1, -1, -1};
    int size() const { return corner[3] < 0 ? 3 : 4; }
};

// Faces as made or read. A polyline has no faces, only lines.
struct PolygonMesh {
    int vertices = 0;
    std::vector<Face> faces;
    std::vector<std::array<int, 2>> lines;       // edges that belong to no face (chains)
    std::vector<std::array<Vec2, 4>> corner_uv;  // texture coordinates, one per face, or empty
};

struct Edge {
    int a = -1, b = -1;
    Direction direction = Direction::none;
    std::array<int, 2> face{-1, -1};  // adjacent faces; -1 where there is none
};

// A path of edges: edge[k] joins vertex[k] and vertex[k+1]; closed yarns repeat no vertex,
// their last edge joins vertex.back() and vertex.front(). Every edge of direction warp or
// weft lies on exactly one yarn; two yarns of one direction never share an inner vertex.
struct Yarn {
    Direction direction = Direction::none;
    bool closed = false;
    std::vector<int> edge;
    std::vector<int> vertex;
};

struct Net {
    std::vector<Edge> edges;  // all edges of the mesh
    std::vector<Yarn> yarns;
};

}  // namespace taut::mesh

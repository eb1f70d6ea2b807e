// Where each triangle of a cloth lies in the flat cloth it was cut from: u along weft, v along warp [m]. A
// cloth with a pattern of its own (texture coordinates in lengths) has it from there. Else each triangle is
// laid into the plane as it is at rest, and turned so that u runs along weft: as texture coordinates say,
// else as warp and weft edges do, else as its neighbours, unfolded over the common edge. Frames of neighbours
// may differ by half a turn, which means the same to cloth.
#pragma once

#include <array>
#include <vector>

#include "taut/model/model.hpp"

namespace taut {

struct PatternTriangle {
    std::array<int, 3> vertex{};  // global indices
    std::array<Vec2, 3> uv{Vec2::Zero(), Vec2::Zero(), Vec2::Zero()};
};

// All faces as triangles, in the order of mesh::split_faces.
std::vector<PatternTriangle> pattern_triangles(const Model& model);

// Two triangles over an edge.
struct PatternHinge {
    std::array<int, 4> vertex{};  // ends of the edge, the third corner of one triangle, of the other
    Vec2 along = Vec2::Zero();    // the edge in the pattern [m]
    double area = 0;              // of both triangles in the pattern [m^2]
    double rest_angle = 0;        // of the rest shape [rad]
};

// Every edge between two triangles, diagonals of quads included.
std::vector<PatternHinge> pattern_hinges(const Model& model, const std::vector<PatternTriangle>& triangles);

}  // namespace taut

// The quads around one vertex in order, developed into the plane: which edges lie opposite each
// other, so that a yarn passes from one to the other, and where the neighbours lie.
#pragma once

#include <array>
#include <span>

#include "taut/model/model.hpp"

namespace taut::forces {

// Neighbours 0 .. size-1 in order around the vertex; quad k lies between neighbours k and k+1
// (modulo size where closed). size is 0 unless the faces are two to four quads in one fan, or a
// full ring of four.
struct VertexFan {
    std::array<int, 4> neighbor{-1, -1, -1, -1};
    std::array<Vec2, 4> position;  // developed, vertex at the origin [m]
    int size = 0;
    bool closed = false;
};

VertexFan vertex_fan(const Model& model, std::span<const int> faces, int vertex);

}  // namespace taut::forces

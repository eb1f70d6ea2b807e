// Level cuts through a closed surface of triangles: the loops in which it crosses a height. What they
// are for: outlines of bodies that garments are cut around.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::mesh {

using Loop = std::vector<Vec2>;  // corners of a closed polygon in order [m]

// All loops at z = height, each with the inside of the surface on its left (normals outward:
// counter-clockwise around solid parts), in the order of their lowest triangle. Vertices at that height count
// as above it. Asserts that every edge has a triangle on either side.
std::vector<Loop> level_section(ConstPoints points, std::span<const std::array<int, 3>> triangles,
                                double height);

}  // namespace taut::mesh

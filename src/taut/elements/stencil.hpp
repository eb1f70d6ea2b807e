// A bending stencil: a few vertices and coefficients c whose combination s = sum c_k x_k is one
// component of curvature. Every stencil annihilates constants and linear functions of the
// developed rest shape, so a cloth that stays flat has no bending energy however it turns.
#pragma once

#include <array>

#include "taut/base/vec.hpp"

namespace taut::elements {

// Coefficients in the order of the points given to the maker; size 0: the geometry is degenerate.
struct Stencil {
    std::array<double, 5> coefficient{};
    int size = 0;
};

}  // namespace taut::elements

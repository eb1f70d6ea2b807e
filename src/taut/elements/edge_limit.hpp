// One edge brought back into a range of lengths by moving its ends along it (Provot 1995): the smallest
// mass-weighted motion that does, hence equal and opposite impulses.
#pragma once

#include <cmath>

#include "taut/base/vec.hpp"

namespace taut::elements {

// Corrections to a limit aim at so much of it that rounding does not put an edge outside again.
constexpr double limit_inside = 1 - 1e-6;

// The vector p that moves the ends to x_a + p w_a and x_b - p w_b, with inverse masses w_a + w_b > 0 [1/kg],
// so that the edge d = x_b - x_a gets the length `wanted` [m]. Zero where d vanishes: no direction is better.
inline Vec3 edge_pull(const Vec3& d, double wanted, double w_a, double w_b) {
    const double length = d.norm();
    if (!(length > 0)) return Vec3::Zero();
    return ((length - wanted) / (length * (w_a + w_b))) * d;
}

}  // namespace taut::elements

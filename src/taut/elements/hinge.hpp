// The isometric bending hinge of Bergou et al. 2006: two triangles (a, b, c) and (b, a, d) that
// share the edge ab. The cotangents of their rest angles give coefficients with
//     s = c_a x_a + c_b x_b + c_c x_c + c_d x_d,
// which for flat isometric rest shapes is the Laplacian of x integrated about the edge; folding
// by an angle theta makes |s| = |ab| theta to first order. See docs/theory/isometric_bending.md.
#pragma once

#include <cmath>

#include "taut/elements/stencil.hpp"

namespace taut::elements {

// Cotangent of the angle at `at` between the directions to `p` and `q`.
inline double cotangent(const Vec3& at, const Vec3& p, const Vec3& q) {
    const Vec3 e = p - at, f = q - at;
    return e.dot(f) / e.cross(f).norm();
}

// Coefficients [1] for (a, b, c, d) from rest positions.
inline Stencil hinge_stencil(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const double a0 = cotangent(a, b, c), b0 = cotangent(b, a, c);
    const double a1 = cotangent(a, b, d), b1 = cotangent(b, a, d);
    const double sum = std::abs(a0) + std::abs(b0) + std::abs(a1) + std::abs(b1);
    // Refuse needles: angles below about 1e-6 rad would swamp the rest of the matrix.
    if (!(sum < 1e6)) return {};
    return {{b0 + b1, a0 + a1, -(a0 + b0), -(a1 + b1), 0}, 4};
}

}  // namespace taut::elements

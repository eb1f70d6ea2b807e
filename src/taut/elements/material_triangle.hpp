// A triangle cut from flat cloth: its corners lie at (u, v) in the pattern, u along weft and v along warp
// [m], and at x in space. The map between them is linear,
//     w_u = dx/du = sum_i du_i x_i,   w_v = dx/dv = sum_i dv_i x_i,
// with coefficients that depend on the pattern alone (Baraff and Witkin 1998, Eq. 9). |w_u| is the stretch
// along weft, |w_v| along warp, w_u . w_v the cosine of shear. See docs/theory/stretch_condition.md.
#pragma once

#include <array>
#include <cmath>

#include "taut/base/vec.hpp"

namespace taut::elements {

struct MaterialTriangle {
    std::array<double, 3> du{}, dv{};  // coefficients of w_u and w_v [1/m]
    double area = 0;                   // in the pattern [m^2]; 0: the pattern has no area there
};

inline MaterialTriangle material_triangle(const std::array<Vec2, 3>& uv) {
    const Vec2 p = uv[1] - uv[0], q = uv[2] - uv[0];
    const double det = p.x() * q.y() - q.x() * p.y();
    MaterialTriangle triangle;
    if (!(std::abs(det) > 0)) return triangle;
    triangle.du = {(p.y() - q.y()) / det, q.y() / det, -p.y() / det};
    triangle.dv = {(q.x() - p.x()) / det, -q.x() / det, p.x() / det};
    triangle.area = 0.5 * std::abs(det);
    return triangle;
}

// sum_i c_i x_i of three corners: w_u, w_v, or their rates from velocities.
inline Vec3 combine(const std::array<double, 3>& c, const Vec3& x0, const Vec3& x1, const Vec3& x2) {
    return c[0] * x0 + c[1] * x1 + c[2] * x2;
}

}  // namespace taut::elements

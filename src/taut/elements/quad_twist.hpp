// The twist of one quad: the combination of its four corners that vanishes for every linear
// function of its rest plane (it is unique up to scale), scaled to the mixed second derivative
// t1^T (grad^2 x) t2 [1/m] along the two mid-lines of the quad. For a parallelogram with sides
// a and b it is (x0 - x1 + x2 - x3) / (|a| |b|). See docs/theory/isometric_bending.md.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "taut/elements/stencil.hpp"

namespace taut::elements {

// Rest quad in its own plane: corners and mid-line directions in a plane basis.
struct FlatQuad {
    std::array<Vec2, 4> corner;
    Vec2 t1 = Vec2::Zero();  // unit, along sides 01 and 32
    Vec2 t2 = Vec2::Zero();  // unit, along sides 12 and 03
    double area = 0;         // [m^2], of the flattened quad; 0: degenerate
};

// Projects a rest quad along its area vector; the basis has its first axis along t1.
inline FlatQuad flatten(const std::array<Vec3, 4>& p) {
    FlatQuad quad;
    const Vec3 area = 0.5 * (p[2] - p[0]).cross(p[3] - p[1]);
    const Vec3 along = p[1] + p[2] - p[0] - p[3];
    const double size = area.norm();
    if (!(size > 1e-12 * along.squaredNorm()) || !(size > 0)) return quad;
    const Vec3 n = area / size;
    const Vec3 e1 = (along - along.dot(n) * n).normalized();
    const Vec3 e2 = n.cross(e1);
    const Vec3 center = 0.25 * (p[0] + p[1] + p[2] + p[3]);
    for (int k = 0; k < 4; ++k) quad.corner[k] = Vec2((p[k] - center).dot(e1), (p[k] - center).dot(e2));
    quad.t1 = (quad.corner[1] + quad.corner[2] - quad.corner[0] - quad.corner[3]).normalized();
    quad.t2 = (quad.corner[2] + quad.corner[3] - quad.corner[0] - quad.corner[1]).normalized();
    quad.area = size;
    return quad;
}

// Coefficients [1/m^2] for corners 0..3.
inline Stencil twist_stencil(const FlatQuad& quad) {
    const auto& p = quad.corner;
    const auto triangle = [&](int i, int j, int k) {
        const Vec2 e = p[j] - p[i], f = p[k] - p[i];
        return e.x() * f.y() - e.y() * f.x();
    };
    // Take the affine dependency of four points in the plane: areas of the triangles without each.
    const std::array<double, 4> s{triangle(1, 2, 3), -triangle(0, 2, 3), triangle(0, 1, 3),
                                  -triangle(0, 1, 2)};

    // Scale it by its value on xi * eta, the coordinates along the mid-lines.
    const double skew = quad.t1.x() * quad.t2.y() - quad.t1.y() * quad.t2.x();
    double scale = 0;
    for (int k = 0; k < 4; ++k) {
        const double xi = (p[k].x() * quad.t2.y() - p[k].y() * quad.t2.x()) / skew;
        const double eta = (quad.t1.x() * p[k].y() - quad.t1.y() * p[k].x()) / skew;
        scale += s[k] * xi * eta;
    }
    // Refuse quads with nearly no twist, such as darts: the scale of a square is 2 area^2.
    if (!(std::abs(scale) > 1e-3 * quad.area * quad.area)) return {};
    return {{s[0] / scale, s[1] / scale, s[2] / scale, s[3] / scale, 0}, 4};
}

}  // namespace taut::elements

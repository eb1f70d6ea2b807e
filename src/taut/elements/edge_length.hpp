// One edge that keeps its length: value, gradient and Hessian of the constraint C(d, l) on the
// edge vector d = x_b - x_a with rest length l, in three forms: |d|^2/l - l (Goldenthal et al.
// 2007), |d|^2 - l^2, and |d|/l - 1. All vanish at |d| = l; the first two are polynomials with
// a constant Hessian, the third is the strain itself. See docs/theory/edge_length.md.
#pragma once

#include <cmath>

#include "taut/base/vec.hpp"

namespace taut::elements {

enum class EdgeForm { goldenthal, squared, relative };

// Below this fraction of the rest length the relative form treats the edge as this long: its Hessian
// grows like 1/|d| and would overflow on a collapsed edge. Far from any admissible state.
inline constexpr double collapsed_edge_fraction = 1e-6;  // [1]

namespace detail {
inline double guarded_length(const Vec3& d, double l) {
    const double length = d.norm();
    const double floor = collapsed_edge_fraction * l;
    return length > floor ? length : floor;
}
}  // namespace detail

// C: [m], [m^2] or [1] by form; positive when stretched.
inline double value(EdgeForm form, const Vec3& d, double l) {
    switch (form) {
        case EdgeForm::goldenthal:
            return d.squaredNorm() / l - l;
        case EdgeForm::squared:
            return d.squaredNorm() - l * l;
        case EdgeForm::relative:
            break;
    }
    return d.norm() / l - 1;
}

// dC/dx_b; dC/dx_a is its negative. Zero on an edge of zero length.
inline Vec3 gradient(EdgeForm form, const Vec3& d, double l) {
    switch (form) {
        case EdgeForm::goldenthal:
            return (2 / l) * d;
        case EdgeForm::squared:
            return 2 * d;
        case EdgeForm::relative:
            break;
    }
    return d / (l * detail::guarded_length(d, l));
}

// dC/dl at a fixed edge vector, for lengths that change over time.
inline double length_derivative(EdgeForm form, const Vec3& d, double l) {
    switch (form) {
        case EdgeForm::goldenthal:
            return -d.squaredNorm() / (l * l) - 1;
        case EdgeForm::squared:
            return -2 * l;
        case EdgeForm::relative:
            break;
    }
    return -d.norm() / (l * l);
}

// w with  lambda grad^2 C <= w [[1,-1],[-1,1]] (x) I3: an equality for the first two forms, of either
// sign; for the third the transverse curvature where lambda pulls, and zero where it pushes.
inline double stiffness_weight(EdgeForm form, const Vec3& d, double l, double lambda) {
    switch (form) {
        case EdgeForm::goldenthal:
            return 2 * lambda / l;
        case EdgeForm::squared:
            return 2 * lambda;
        case EdgeForm::relative:
            break;
    }
    return lambda > 0 ? lambda / (l * detail::guarded_length(d, l)) : 0.0;
}

// The exact block B of grad^2 C = [[B,-B],[-B,B]].
inline Mat3 hessian_block(EdgeForm form, const Vec3& d, double l) {
    switch (form) {
        case EdgeForm::goldenthal:
            return (2 / l) * Mat3::Identity();
        case EdgeForm::squared:
            return 2 * Mat3::Identity();
        case EdgeForm::relative:
            break;
    }
    const double length = detail::guarded_length(d, l);
    const Vec3 n = d / length;
    return (Mat3::Identity() - n * n.transpose()) / (l * length);
}

}  // namespace taut::elements

// One spring of stiffness k [N/m] and rest length l [m] on the edge vector d = x_b - x_a:
// energy k/2 (|d| - l)^2, its gradient, Hessian, and the scalar that bounds the Hessian from
// above at every d: grad^2 E <= k [[1,-1],[-1,1]] (x) I3, because the transverse part
// k (1 - l/|d|) never exceeds the axial part k. See docs/theory/shear_springs.md.
#pragma once

#include "taut/base/vec.hpp"

namespace taut::elements {

inline double spring_energy(double k, double l, const Vec3& d) {  // [J]
    const double stretch = d.norm() - l;
    return 0.5 * k * stretch * stretch;
}

// dE/dx_b [N]; dE/dx_a is its negative. Zero where d vanishes: the direction is undefined there.
inline Vec3 spring_gradient(double k, double l, const Vec3& d) {
    const double length = d.norm();
    if (!(length > 0)) return Vec3::Zero();
    return (k * (length - l) / length) * d;
}

// The block B of grad^2 E = [[B,-B],[-B,B]] [N/m]; d must not vanish.
inline Mat3 spring_hessian_block(double k, double l, const Vec3& d) {
    const double length = d.norm();
    const Vec3 n = d / length;
    const double transverse = k * (1 - l / length);
    return transverse * Mat3::Identity() + (k - transverse) * n * n.transpose();
}

// The same without the negative transverse part of a compressed spring: positive semi-definite.
inline Mat3 spring_hessian_positive(double k, double l, const Vec3& d) {
    const double length = d.norm();
    if (!(length > 0)) return k * Mat3::Identity();
    const Vec3 n = d / length;
    const double transverse = length > l ? k * (1 - l / length) : 0;
    return transverse * Mat3::Identity() + (k - transverse) * n * n.transpose();
}

inline double spring_majorant(double k) { return k; }  // [N/m]

}  // namespace taut::elements

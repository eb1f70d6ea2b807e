// The angle over an edge: two triangles (a, b, c) and (b, a, d) that share the edge ab. Zero where they are
// flat, positive where the edge is a ridge seen from the side that the normals point to.
// With e = b - a, the normals m = e x (c - a), n = (d - a) x e, and r = m / |m|^2, s = n / |n|^2, the
// gradient at every corner is a combination of r and s alone, at c it is -|e| r; differentiating once more
// gives the exact second derivative. See docs/theory/bend_condition.md.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "taut/base/vec.hpp"

namespace taut::elements {

using HingePoints = std::array<Vec3, 4>;  // a, b, c, d
using HingeGradient = std::array<Vec3, 4>;
using HingeHessian = std::array<std::array<Mat3, 4>, 4>;

// [rad], between -pi and pi.
inline double dihedral_angle(const HingePoints& x) {
    const Vec3 e = x[1] - x[0];
    const Vec3 m = e.cross(x[2] - x[0]), n = (x[3] - x[0]).cross(e);
    return std::atan2(e.normalized().dot(m.cross(n)), m.dot(n));
}

namespace detail {

inline Mat3 cross_matrix(const Vec3& a) {
    Mat3 m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
}

// What gradients are made of: corner i has  alpha_i r + beta_i s.
struct HingeParts {
    Vec3 e, unit, r, s;
    double length = 0;
    std::array<double, 4> alpha{}, beta{};
    bool sound = false;  // no triangle without area
};

inline HingeParts hinge_parts(const HingePoints& x) {
    HingeParts p;
    p.e = x[1] - x[0];
    p.length = p.e.norm();
    const Vec3 m = p.e.cross(x[2] - x[0]), n = (x[3] - x[0]).cross(p.e);
    const double mm = m.squaredNorm(), nn = n.squaredNorm();
    if (!(mm > 0 && nn > 0)) return p;
    p.sound = true;
    p.unit = p.e / p.length;
    p.r = m / mm;
    p.s = n / nn;
    const double fc = p.unit.dot(x[2] - x[0]),
                 fd = p.unit.dot(x[3] - x[0]);  // feet of c and d along the edge
    p.alpha = {p.length - fc, fc, -p.length, 0};
    p.beta = {p.length - fd, fd, 0, -p.length};
    return p;
}

}  // namespace detail

// d theta / dx; zero where a triangle has no area.
inline HingeGradient dihedral_gradient(const HingePoints& x) {
    const detail::HingeParts p = detail::hinge_parts(x);
    HingeGradient g{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    if (!p.sound) return g;
    for (int i = 0; i < 4; ++i) g[i] = p.alpha[i] * p.r + p.beta[i] * p.s;
    return g;
}

// d2 theta / dx_i dx_j, symmetric as a whole; zero where a triangle has no area.
inline HingeHessian dihedral_hessian(const HingePoints& x) {
    using detail::cross_matrix;
    HingeHessian h;
    for (auto& row : h) row.fill(Mat3::Zero());
    const detail::HingeParts p = detail::hinge_parts(x);
    if (!p.sound) return h;
    const Vec3 c = x[2] - x[0], d = x[3] - x[0];

    // Differentiate the normals by the corners, then r and s.
    const Mat3 ex = cross_matrix(p.e), cx = cross_matrix(c), dx = cross_matrix(d);
    const std::array<Mat3, 4> dm{cx - ex, -cx, ex, Mat3::Zero()};
    const std::array<Mat3, 4> dn{ex - dx, dx, Mat3::Zero(), -ex};
    const double rr = p.r.squaredNorm(), ss = p.s.squaredNorm();
    const Mat3 fold_r = rr * Mat3::Identity() - 2 * p.r * p.r.transpose();
    const Mat3 fold_s = ss * Mat3::Identity() - 2 * p.s * p.s.transpose();

    // Differentiate the length of the edge and the feet of c and d on it.
    const Mat3 across = (Mat3::Identity() - p.unit * p.unit.transpose()) / p.length;
    const std::array<Vec3, 4> dl{-p.unit, p.unit, Vec3::Zero(), Vec3::Zero()};
    const Vec3 tc = across * c, td = across * d;
    const std::array<Vec3, 4> dfc{-tc - p.unit, tc, p.unit, Vec3::Zero()};
    const std::array<Vec3, 4> dfd{-td - p.unit, td, Vec3::Zero(), p.unit};

    for (int j = 0; j < 4; ++j) {
        const Mat3 dr = fold_r * dm[j], ds = fold_s * dn[j];
        const std::array<Vec3, 4> da{dl[j] - dfc[j], dfc[j], -dl[j], Vec3::Zero()};
        const std::array<Vec3, 4> db{dl[j] - dfd[j], dfd[j], Vec3::Zero(), -dl[j]};
        for (int i = 0; i < 4; ++i) {
            h[i][j] = p.r * da[i].transpose() + p.s * db[i].transpose() + p.alpha[i] * dr + p.beta[i] * ds;
        }
    }
    return h;
}

}  // namespace taut::elements

// The conditions of Baraff and Witkin 1998 on one direction w of a triangle and on both: for a condition C
// with stiffness k and damping d, the energy k/2 C^2, the force -dC (k C + d C'), with C' = dC . w' its rate,
// and
//     -df/dx = k dC dC^T + (k C + d C') d2C,     -df/dv = d dC dC^T.
// The derivative of the damping force has one more term, dC (d2C w')^T, which is not symmetric; it is left
// out, as in the paper. The term with d2C may be indefinite; `Curvature` says what becomes of it. All in the
// space of w; those of corners follow by the coefficients of the material triangle.
#pragma once

#include <algorithm>
#include <cmath>

#include "taut/base/vec.hpp"

namespace taut::elements {

// exact: kept as it is. positive: the nearest positive semi-definite matrix. none: left out (Gauss-Newton).
enum class Curvature { exact, positive, none };

// Stretch: C = |w| - rest.
struct StretchCondition {
    double stiffness = 0;  // k, times the area [N m]
    double damping = 0;    // d, times the area [N m s]
    double rest = 1;       // length of w without stretch
};

// Below this length a direction is undefined; such a triangle pulls nowhere.
inline constexpr double least_stretch = 1e-9;

inline double stretch_energy(const StretchCondition& c, const Vec3& w) {  // [J]
    const double stretch = w.norm() - c.rest;
    return 0.5 * c.stiffness * stretch * stretch;
}

// dE/dw, damping included for the rate w'.
inline Vec3 stretch_gradient(const StretchCondition& c, const Vec3& w, const Vec3& rate) {
    const double length = w.norm();
    if (!(length > least_stretch)) return Vec3::Zero();
    const Vec3 n = w / length;
    return (c.stiffness * (length - c.rest) + c.damping * n.dot(rate)) * n;
}

inline Mat3 stretch_hessian(const StretchCondition& c, const Vec3& w, const Vec3& rate, Curvature curvature) {
    const double length = w.norm();
    if (!(length > least_stretch)) return c.stiffness * Mat3::Identity();
    const Vec3 n = w / length;
    double across = (c.stiffness * (length - c.rest) + c.damping * n.dot(rate)) / length;
    if (curvature == Curvature::positive) across = std::max(across, 0.0);
    if (curvature == Curvature::none) across = 0;
    return across * Mat3::Identity() + (c.stiffness - across) * n * n.transpose();
}

inline Mat3 stretch_damping(const StretchCondition& c, const Vec3& w) {
    const double length = w.norm();
    if (!(length > least_stretch)) return Mat3::Zero();
    return c.damping / (length * length) * w * w.transpose();
}

// Shear: C = w_u . w_v - rest.
struct ShearCondition {
    double stiffness = 0;  // k, times the area [N m]
    double damping = 0;    // d, times the area [N m s]
    double rest = 0;       // w_u . w_v without shear
};

// Derivatives by w_u and w_v: two vectors, or the blocks uu, uv and vv of a symmetric matrix.
struct PairGradient {
    Vec3 u, v;
};
struct PairHessian {
    Mat3 uu, uv, vv;
};

inline double shear_energy(const ShearCondition& c, const Vec3& wu, const Vec3& wv) {  // [J]
    const double shear = wu.dot(wv) - c.rest;
    return 0.5 * c.stiffness * shear * shear;
}

inline PairGradient shear_gradient(const ShearCondition& c, const Vec3& wu, const Vec3& wv,
                                   const Vec3& rate_u, const Vec3& rate_v) {
    const double pull = c.stiffness * (wu.dot(wv) - c.rest) + c.damping * (rate_u.dot(wv) + wu.dot(rate_v));
    return {pull * wv, pull * wu};
}

// k g g^T for g = (w_v, w_u), the part without d2C.
inline PairHessian shear_outer(double k, const Vec3& wu, const Vec3& wv) {
    return {k * wv * wv.transpose(), k * wv * wu.transpose(), k * wu * wu.transpose()};
}

// k g g^T + pull [[0, I], [I, 0]], made positive semi-definite. In sums and differences of the two halves the
// second matrix is diag(pull, -pull) and g has the parts p and q: it stays pull across p and -pull across q,
// and a matrix of 2 x 2 is left on p and q themselves.
inline PairHessian shear_positive(double k, double pull, const Vec3& wu, const Vec3& wv) {
    const Vec3 p = (wv + wu) / std::sqrt(2.0), q = (wv - wu) / std::sqrt(2.0);
    const double np = p.norm(), nq = q.norm();
    const Vec3 ep = np > 0 ? Vec3(p / np) : Vec3(Vec3::Zero()),
               eq = nq > 0 ? Vec3(q / nq) : Vec3(Vec3::Zero());

    // Clamp the 2 x 2 matrix [[a, b], [b, c]] by its eigenvalues.
    const double a = k * np * np + (np > 0 ? pull : 0), b = k * np * nq,
                 c = k * nq * nq - (nq > 0 ? pull : 0);
    const double middle = 0.5 * (a + c), radius = std::hypot(0.5 * (a - c), b);
    const double high = std::max(middle + radius, 0.0), low = std::max(middle - radius, 0.0);
    const double cosine = radius > 0 ? 0.5 * (a - c) / radius : 0, sine = radius > 0 ? b / radius : 0;
    const double mean = 0.5 * (high + low), half = 0.5 * (high - low);
    const double pp = mean + half * cosine, pq = half * sine, qq = mean - half * cosine;

    const double sum = std::max(pull, 0.0), difference = std::max(-pull, 0.0);
    const Mat3 plus = sum * Mat3::Identity() + (pp - sum) * ep * ep.transpose();
    const Mat3 minus = difference * Mat3::Identity() + (qq - difference) * eq * eq.transpose();
    const Mat3 cross = pq * ep * eq.transpose();
    // Halves: g_u = (p + q) / sqrt 2 where g = (w_v, w_u).
    return {0.5 * (plus + cross + cross.transpose() + minus),
            0.5 * (plus - cross + cross.transpose() - minus),
            0.5 * (plus - cross - cross.transpose() + minus)};
}

inline PairHessian shear_hessian(const ShearCondition& c, const Vec3& wu, const Vec3& wv, const Vec3& rate_u,
                                 const Vec3& rate_v, Curvature curvature) {
    const double pull = c.stiffness * (wu.dot(wv) - c.rest) + c.damping * (rate_u.dot(wv) + wu.dot(rate_v));
    if (curvature == Curvature::positive) return shear_positive(c.stiffness, pull, wu, wv);
    PairHessian h = shear_outer(c.stiffness, wu, wv);
    if (curvature == Curvature::exact) h.uv.diagonal().array() += pull;
    return h;
}

inline PairHessian shear_damping(const ShearCondition& c, const Vec3& wu, const Vec3& wv) {
    return shear_outer(c.damping, wu, wv);
}

}  // namespace taut::elements

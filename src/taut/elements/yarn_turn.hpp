// How sharply a yarn turns where it passes a vertex, between the edges d1 towards it and d2 away from it:
// the change of its unit tangent, c = d2/|d2| - d1/|d1|. Its length is 2 sin(turn/2), and over the mean
// length l of the two edges it is the curvature of Breen, House and Wozny 1994, 2 cos(theta/2)/l for an angle
// theta between the edges; smooth where the yarn is straight. Any energy W(|c|) follows from c and its
// derivatives. The part of c along a normal of the cloth tells bends to either side apart. See
// docs/theory/yarn_bend.md.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "taut/base/vec.hpp"

namespace taut::elements {

struct YarnTurn {
    Vec3 u1 = Vec3::Zero(), u2 = Vec3::Zero();  // unit tangents
    Vec3 c = Vec3::Zero();                      // u2 - u1
    double l1 = 0, l2 = 0;                      // lengths of the edges [m]
    bool sound = false;                         // both edges have a length
};

inline YarnTurn yarn_turn(const Vec3& d1, const Vec3& d2) {
    YarnTurn t;
    t.l1 = d1.norm(), t.l2 = d2.norm();
    t.sound = t.l1 > 0 && t.l2 > 0;
    if (!t.sound) return t;
    t.u1 = d1 / t.l1, t.u2 = d2 / t.l2;
    t.c = t.u2 - t.u1;
    return t;
}

namespace detail {

inline Mat3 across(const Vec3& unit) { return Mat3::Identity() - unit * unit.transpose(); }

// Second derivative by d of g . d/|d|, for a fixed g.
inline Mat3 bend_of_unit(const Vec3& g, const Vec3& unit, double length) {
    const Vec3 side = g - g.dot(unit) * unit;
    return -(g.dot(unit) * across(unit) + side * unit.transpose() + unit * side.transpose()) /
           (length * length);
}

}  // namespace detail

// Derivatives by d1 and d2.
struct TurnGradient {
    Vec3 d1 = Vec3::Zero(), d2 = Vec3::Zero();
};
struct TurnHessian {
    Mat3 d11, d12, d22;
};

// Of an energy whose derivative by c is g.
inline TurnGradient turn_gradient(const YarnTurn& t, const Vec3& g) {
    return {-(g - g.dot(t.u1) * t.u1) / t.l1, (g - g.dot(t.u2) * t.u2) / t.l2};
}

// Of an energy W(|c|) with W'(|c|)/|c| = secant and W''(|c|) = tangent. Without `whole`: only the part that
// comes from W'', positive semi-definite where the two are not negative.
inline TurnHessian turn_hessian(const YarnTurn& t, double secant, double tangent, bool whole) {
    const double s = t.c.norm();
    Mat3 by_c = secant * Mat3::Identity();
    if (s > 0) by_c += ((tangent - secant) / (s * s)) * t.c * t.c.transpose();
    const Mat3 p1 = detail::across(t.u1) / t.l1, p2 = detail::across(t.u2) / t.l2;
    TurnHessian h{p1 * by_c * p1, -p1 * by_c * p2, p2 * by_c * p2};
    if (whole) {
        h.d11 -= detail::bend_of_unit(secant * t.c, t.u1, t.l1);
        h.d22 += detail::bend_of_unit(secant * t.c, t.u2, t.l2);
    }
    return h;
}

// The part of c along the normal of the cloth, n ~ (d1 + d2) x q, with q across the yarn.
struct SignedTurn {
    double value = 0;
    Vec3 normal = Vec3::Zero();
    Vec3 d1 = Vec3::Zero(), d2 = Vec3::Zero(), q = Vec3::Zero();  // its gradient
    bool sound = false;                                           // there is a normal
};

inline SignedTurn signed_turn(const YarnTurn& t, const Vec3& d1, const Vec3& d2, const Vec3& q) {
    SignedTurn r;
    if (!t.sound) return r;
    const Vec3 p = d1 + d2, m = p.cross(q);
    const double size = m.norm();
    if (!(size > 1e-9 * (t.l1 + t.l2) * q.norm())) return r;
    r.sound = true;
    r.normal = m / size;
    r.value = t.c.dot(r.normal);
    const TurnGradient direct = turn_gradient(t, r.normal);
    const Vec3 z = (t.c - r.value * r.normal) / size, turned = q.cross(z);
    r.d1 = direct.d1 + turned;
    r.d2 = direct.d2 + turned;
    r.q = z.cross(p);
    return r;
}

}  // namespace taut::elements

// The trellis angle of House, DeVaul and Breen 1996 where two yarns cross: with p along one and q along the
// other, the angle by which they leave the right angle, phi = pi/2 - angle(p, q), between -pi/2 and pi/2.
// With the unit normal m of both,  dphi = (m x p)/|p|^2 . dp - (m x q)/|q|^2 . dq.  See
// docs/theory/trellis.md.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "taut/base/vec.hpp"
#include "taut/elements/dihedral.hpp"

namespace taut::elements {

// [rad]; p and q must not vanish.
inline double trellis_angle(const Vec3& p, const Vec3& q) { return std::atan2(p.dot(q), p.cross(q).norm()); }

struct TrellisGradient {
    Vec3 p = Vec3::Zero(), q = Vec3::Zero();
    bool sound = false;  // p and q span a plane
};
struct TrellisHessian {
    Mat3 pp, pq, qq;
};

// Yarns that lie on each other within this sine have no plane, and no torque.
inline constexpr double least_trellis_sine = 1e-6;

inline TrellisGradient trellis_gradient(const Vec3& p, const Vec3& q) {
    TrellisGradient g;
    const Vec3 normal = p.cross(q);
    const double pp = p.squaredNorm(), qq = q.squaredNorm(), size = normal.norm();
    if (!(size > least_trellis_sine * std::sqrt(pp * qq))) return g;
    g.sound = true;
    g.p = normal.cross(p) / (size * pp);
    g.q = -normal.cross(q) / (size * qq);
    return g;
}

// Second derivatives of the angle; p and q must span a plane.
inline TrellisHessian trellis_hessian(const Vec3& p, const Vec3& q) {
    const Vec3 normal = p.cross(q);
    const double size = normal.norm(), pp = p.squaredNorm(), qq = q.squaredNorm();
    const Vec3 m = normal / size;

    // Turn the normal with either vector: dm = (I - m m^T) (dp x q + p x dq) / |p x q|.
    const Mat3 plane = (Mat3::Identity() - m * m.transpose()) / size;
    const Mat3 m_by_p = -plane * detail::cross_matrix(q), m_by_q = plane * detail::cross_matrix(p);
    const Mat3 turn = detail::cross_matrix(m);
    const auto own = [&](const Vec3& a, double aa, const Mat3& m_by_a) {
        return Mat3((-detail::cross_matrix(a) * m_by_a + turn) / aa -
                    2 / (aa * aa) * m.cross(a) * a.transpose());
    };
    return {own(p, pp, m_by_p), -detail::cross_matrix(p) * m_by_q / pp, -own(q, qq, m_by_q)};
}

}  // namespace taut::elements

// Air drag on one flat face with area vector a (length = area, direction = normal) that moves
// with u relative to the air: pressure drag on the normal part of u and skin friction on the
// tangential part, both quadratic in speed,
//     F = -|a| (c_n |u_n| u_n + c_t |u_t| u_t),   c = half the air density times a coefficient.
// The law is odd in u and does not depend on the sign of a. See docs/theory/air_drag.md.
#pragma once

#include <algorithm>
#include <span>

#include <Eigen/Geometry>

#include "taut/base/vec.hpp"

namespace taut::elements {

struct DragLaw {
    double normal = 0;      // c_n [kg/m^3]
    double tangential = 0;  // c_t [kg/m^3]
};

// Area vectors [m^2]; for a quad half the cross product of its diagonals, flat or not.
inline Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * (b - a).cross(c - a); }
inline Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return 0.5 * (c - a).cross(d - b);
}

struct DragSplit {
    double area = 0;                 // [m^2]
    Vec3 normal = Vec3::Zero();      // u_n [m/s]
    Vec3 tangential = Vec3::Zero();  // u_t [m/s]
};

inline DragSplit split_velocity(const Vec3& area, const Vec3& u) {
    DragSplit split;
    split.area = area.norm();
    if (!(split.area > 0)) return split;
    const Vec3 n = area / split.area;
    split.normal = n.dot(u) * n;
    split.tangential = u - split.normal;
    return split;
}

inline Vec3 drag_force(const DragLaw& law, const Vec3& area, const Vec3& u) {  // [N]
    const DragSplit s = split_velocity(area, u);
    return -s.area *
           (law.normal * s.normal.norm() * s.normal + law.tangential * s.tangential.norm() * s.tangential);
}

// A scalar d with  -dF/du <= d I3 at this u [N s/m]. It also bounds the slope on the way from u to
// rest, so that one linearly implicit step of any length slows a face without reversing it.
inline double drag_majorant(const DragLaw& law, const Vec3& area, const Vec3& u) {
    const DragSplit s = split_velocity(area, u);
    return 2 * s.area * std::max(law.normal * s.normal.norm(), law.tangential * s.tangential.norm());
}

// The exact -dF/du [N s/m]; u_t must not vanish.
inline Mat3 drag_jacobian(const DragLaw& law, const Vec3& area, const Vec3& u) {
    const DragSplit s = split_velocity(area, u);
    const Vec3 n = area / s.area;
    const double speed = s.tangential.norm();
    const Mat3 across = n * n.transpose();
    const Mat3 along = speed * (Mat3::Identity() - across) + s.tangential * s.tangential.transpose() / speed;
    return s.area * (2 * law.normal * s.normal.norm() * across + law.tangential * along);
}

}  // namespace taut::elements

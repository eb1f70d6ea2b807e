// The point nearest to p that lies in all of a few half-spaces n . x >= offset: what remains of a
// contact once each obstacle is replaced by its tangent plane. At most three planes bind in 3-space,
// so trying all sets of one, two and three finds the exact answer with its multipliers:
//     x = p + sum push_k n_k,   push_k >= 0.   See docs/theory/contact.md.
#pragma once

#include <Eigen/LU>
#include <array>
#include <span>

#include "taut/base/vec.hpp"

namespace taut::elements {

struct HalfSpace {
    Vec3 normal = Vec3::UnitZ();  // unit length
    double offset = 0;            // [m]
};

inline constexpr int max_half_spaces = 8;

struct HalfSpaceProjection {
    Vec3 point = Vec3::Zero();                   // [m]
    std::array<double, max_half_spaces> push{};  // [m], one per half-space
    bool feasible = false;                       // false: the half-spaces have no common point near p
};

// Slack within which a half-space counts as satisfied: far above rounding at kilometres from the
// origin, far below any thickness.
inline constexpr double half_space_slack = 1e-10;  // [m]

// Tries one set of binding planes; true if it gives the nearest point.
inline bool try_binding_set(std::span<const HalfSpace> planes, const Vec3& p, std::span<const int> set,
                            HalfSpaceProjection& result) {
    const int k = static_cast<int>(set.size());
    Mat3 gram = Mat3::Identity();
    Vec3 gap = Vec3::Zero();
    for (int i = 0; i < k; ++i) {
        gap[i] = planes[set[i]].offset - planes[set[i]].normal.dot(p);
        for (int j = 0; j < k; ++j) gram(i, j) = planes[set[i]].normal.dot(planes[set[j]].normal);
    }
    if (k > 1 && !(gram.determinant() > 1e-10)) return false;
    const Vec3 push = k > 1 ? Vec3(gram.inverse() * gap) : gap;
    Vec3 x = p;
    for (int i = 0; i < k; ++i) {
        if (!(push[i] >= 0)) return false;
        x += push[i] * planes[set[i]].normal;
    }
    for (const HalfSpace& plane : planes) {
        if (!(plane.normal.dot(x) >= plane.offset - half_space_slack)) return false;
    }
    result.point = x;
    for (int i = 0; i < k; ++i) result.push[set[i]] = push[i];
    result.feasible = true;
    return true;
}

// planes: at most max_half_spaces.
inline HalfSpaceProjection project_to_half_spaces(std::span<const HalfSpace> planes, const Vec3& p) {
    HalfSpaceProjection result;
    result.point = p;
    const int n = static_cast<int>(planes.size());
    if (try_binding_set(planes, p, {}, result)) return result;
    for (int i = 0; i < n; ++i) {
        if (try_binding_set(planes, p, std::array{i}, result)) return result;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            if (try_binding_set(planes, p, std::array{i, j}, result)) return result;
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            for (int k = j + 1; k < n; ++k) {
                if (try_binding_set(planes, p, std::array{i, j, k}, result)) return result;
            }
        }
    }
    return result;
}

// Takes from the tangential part of a relative velocity u what Coulomb friction allows: at most
// `limit` [m/s], all of it if there is less. Returns the change of velocity [m/s].
inline Vec3 friction_change(const Vec3& normal, const Vec3& u, double limit) {
    const Vec3 tangential = u - normal.dot(u) * normal;
    const double speed = tangential.norm();
    if (speed <= limit) return -tangential;
    return -(limit / speed) * tangential;
}

}  // namespace taut::elements

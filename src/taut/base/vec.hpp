// Points and views: every array of positions, velocities or forces in taut is a
// contiguous n x 3 row-major block of doubles, owned by Points and passed as a view.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace taut {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

using Points = std::vector<Vec3>;           // n x 3, owned
using PointsView = std::span<Vec3>;         // n x 3, writable view
using ConstPoints = std::span<const Vec3>;  // n x 3, read-only view

// A coordinate beyond 1e8 m is a wrong unit or a damaged file; beyond it, squares of edge lengths of a
// millimetre are lost in rounding.
inline constexpr double largest_coordinate = 1e8;

static_assert(sizeof(Vec3) == 3 * sizeof(double), "points must be packed n x 3 doubles");

}  // namespace taut

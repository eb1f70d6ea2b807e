#include "taut/collision/attached_points.hpp"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <cassert>
#include <limits>

#include "taut/base/parallel.hpp"
#include "taut/elements/closest_points.hpp"

namespace taut::collision {
namespace {

// Points per task: each looks at all triangles.
constexpr std::size_t point_block = 16;

// How far above the skin points stand that tell its turn [m]: of the size of a waist, so that normals count
// as much as places do.
constexpr double normal_reach = 0.1;

// Axes along the first edge, across it in the plane, and normal; orthonormal for any corners.
Mat3 frame(const Vec3& a, const Vec3& b, const Vec3& c) {
    Mat3 axes = Mat3::Identity();
    const Vec3 along = (b - a).stableNormalized();
    if (!(along.squaredNorm() > 0)) return axes;
    Vec3 normal = along.cross(c - a).stableNormalized();
    if (!(normal.squaredNorm() > 0.5)) normal = along.unitOrthogonal();
    axes << along, normal.cross(along), normal;
    return axes;
}

// The rigid motion that brings `from` nearest to `to`, in the sum of squares.
RigidTransform best_fit(ConstPoints from, ConstPoints to) {
    Vec3 from_middle = Vec3::Zero(), to_middle = Vec3::Zero();
    for (std::size_t k = 0; k < from.size(); ++k) from_middle += from[k], to_middle += to[k];
    from_middle /= static_cast<double>(from.size()), to_middle /= static_cast<double>(from.size());
    Mat3 product = Mat3::Zero();
    for (std::size_t k = 0; k < from.size(); ++k)
        product += (to[k] - to_middle) * (from[k] - from_middle).transpose();

    // Take the rotation nearest to the product, without a mirror.
    const Eigen::JacobiSVD<Mat3> svd(product, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Vec3 sign = Vec3::Ones();
    if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) sign.z() = -1;
    RigidTransform move;
    move.rotation = svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
    move.translation = to_middle - move.rotation * from_middle;
    return move;
}

}  // namespace

AttachedPoints::AttachedPoints(Obstacle obstacle, ConstPoints x, double time, bool rigid)
    : obstacle_(std::move(obstacle)), places_(x.size()) {
    assert(obstacle_.mesh && !obstacle_.mesh->triangles.empty());
    const Points skin = points_at(obstacle_, time);
    const auto at = [&](int v) -> const Vec3& { return skin[static_cast<std::size_t>(v)]; };
    parallel_for(
        x.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                // Find the nearest triangle, the first of equals.
                Place& place = places_[k];
                double least = std::numeric_limits<double>::infinity();
                for (const Triangle& t : obstacle_.mesh->triangles) {
                    const auto foot = elements::nearest_on_triangle(x[k], at(t[0]), at(t[1]), at(t[2]));
                    if (!(foot.squared < least)) continue;
                    least = foot.squared;
                    place = {t, foot.weight, foot.offset};
                }
                const auto& [a, b, c] = place.corner;
                place.offset = frame(at(a), at(b), at(c)).transpose() * place.offset;
            }
        },
        point_block);
    if (rigid) carry(time, start_);
}

void AttachedPoints::carry(double time, Points& x) const {
    const Points skin = points_at(obstacle_, time);
    const std::size_t n = places_.size();
    x.resize(2 * n);
    for (std::size_t k = 0; k < n; ++k) {
        const Place& place = places_[k];
        const Vec3 &a = skin[static_cast<std::size_t>(place.corner[0])],
                   &b = skin[static_cast<std::size_t>(place.corner[1])],
                   &c = skin[static_cast<std::size_t>(place.corner[2])];
        const Mat3 axes = frame(a, b, c);
        x[k] = place.weight[0] * a + place.weight[1] * b + place.weight[2] * c + axes * place.offset;
        x[n + k] = x[k] + normal_reach * axes.col(2);
    }
}

void AttachedPoints::at(double time, PointsView x) const {
    assert(x.size() == places_.size());
    Points carried;
    carry(time, carried);
    if (start_.empty()) {
        std::copy_n(carried.begin(), x.size(), x.begin());
        return;
    }
    const RigidTransform move = best_fit(start_, carried);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = move(start_[k]);
}

std::uint64_t AttachedPoints::content() const {
    return obstacle_.mesh->deformation ? obstacle_.mesh->deformation->content() : 0;
}

}  // namespace taut::collision

#include "taut/filters/impact_zones.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>

namespace taut::filters {
namespace {

// Turns of a zone beyond this in one step [rad] are left out: the affine path then stretches it by more than
// half a percent.
constexpr double largest_turn = 0.1;

// The motion u + w x (x - center) that fits the ways of some points best, by weight.
struct ZoneMotion {
    Vec3 center = Vec3::Zero(), shift = Vec3::Zero(), turn = Vec3::Zero();
    Vec3 way(const Vec3& x_start) const { return shift + turn.cross(x_start - center); }
};

ZoneMotion fit(std::span<const int> points, std::span<const double> weight, ConstPoints x_start,
               ConstPoints x) {
    ZoneMotion motion;
    double total = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const auto p = static_cast<std::size_t>(points[k]);
        motion.center += weight[k] * x_start[p];
        motion.shift += weight[k] * (x[p] - x_start[p]);
        total += weight[k];
    }
    motion.center /= total;
    motion.shift /= total;
    Mat3 inertia = Mat3::Zero();
    Vec3 momentum = Vec3::Zero();
    for (std::size_t k = 0; k < points.size(); ++k) {
        const auto p = static_cast<std::size_t>(points[k]);
        const Vec3 r = x_start[p] - motion.center;
        inertia += weight[k] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
        momentum += weight[k] * r.cross(x[p] - x_start[p]);
    }
    // Points on one line do not fix the turn about it: take none.
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
    const Vec3& values = eigen.eigenvalues();
    for (int k = 0; k < 3; ++k) {
        if (values[k] <= 1e-9 * values[2]) continue;
        const Vec3 axis = eigen.eigenvectors().col(k);
        motion.turn += axis.dot(momentum) / values[k] * axis;
    }
    if (!(motion.turn.norm() <= largest_turn)) motion.turn.setZero();
    return motion;
}

}  // namespace

void ImpactZones::prepare(int points) {
    parent_.resize(static_cast<std::size_t>(points));
    std::iota(parent_.begin(), parent_.end(), 0);
    members_.clear();
}

void ImpactZones::clear() {
    for (const int p : members_) parent_[static_cast<std::size_t>(p)] = p;
    members_.clear();
}

int ImpactZones::root(int p) {
    while (parent_[static_cast<std::size_t>(p)] != p) {
        int& up = parent_[static_cast<std::size_t>(p)];
        up = parent_[static_cast<std::size_t>(up)];
        p = up;
    }
    return p;
}

void ImpactZones::join(const collision::PairPoints& q) {
    int least = root(q[0]);
    for (const int p : q) least = std::min(least, root(p));
    for (const int p : q) {
        parent_[static_cast<std::size_t>(root(p))] = least;
        members_.push_back(p);
    }
}

void ImpactZones::move(ConstPoints x_start, std::span<const double> inverse_mass, PointsView x) {
    std::sort(members_.begin(), members_.end());
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());

    // Gather the members zone by zone.
    std::vector<std::pair<int, int>> by_zone;
    by_zone.reserve(members_.size());
    for (const int p : members_) by_zone.emplace_back(root(p), p);
    std::sort(by_zone.begin(), by_zone.end());
    std::vector<int> points;
    std::vector<double> weight;
    for (std::size_t begin = 0; begin < by_zone.size();) {
        std::size_t end = begin;
        bool held = false;
        for (; end < by_zone.size() && by_zone[end].first == by_zone[begin].first; ++end) {
            held = held || inverse_mass[static_cast<std::size_t>(by_zone[end].second)] == 0;
        }

        // Fit to the points that decide, and take the others along.
        points.clear();
        weight.clear();
        for (std::size_t k = begin; k < end; ++k) {
            const double inverse = inverse_mass[static_cast<std::size_t>(by_zone[k].second)];
            if (held != (inverse == 0)) continue;
            points.push_back(by_zone[k].second);
            weight.push_back(held ? 1 : 1 / inverse);
        }
        const ZoneMotion motion = fit(points, weight, x_start, x);
        for (std::size_t k = begin; k < end; ++k) {
            const auto p = static_cast<std::size_t>(by_zone[k].second);
            if (inverse_mass[p] > 0) x[p] = x_start[p] + motion.way(x_start[p]);
        }
        begin = end;
    }
}

}  // namespace taut::filters

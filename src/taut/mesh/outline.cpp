#include "taut/mesh/outline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace taut::mesh {
namespace {

double across(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

Vec2 direction_of(int k, int directions) {
    const double angle = 2 * std::numbers::pi * k / directions;
    return {std::cos(angle), std::sin(angle)};
}

Support support_of(std::span<const Vec2> points, int directions) {
    Support support(static_cast<std::size_t>(directions), -std::numeric_limits<double>::infinity());
    for (int k = 0; k < directions; ++k) {
        const Vec2 direction = direction_of(k, directions);
        double& value = support[static_cast<std::size_t>(k)];
        for (const Vec2& p : points) value = std::max(value, p.dot(direction));
    }
    return support;
}

Loop curve_of(const Support& support) {
    // Meet the lines of neighbouring directions: p = h n + t n_perp with p . n_next = h_next.
    const int n = static_cast<int>(support.size());
    const double turn = 2 * std::numbers::pi / n, c = std::cos(turn), s = std::sin(turn);
    Loop loop;
    for (int k = 0; k < n; ++k) {
        const double h = support[static_cast<std::size_t>(k)],
                     next = support[static_cast<std::size_t>((k + 1) % n)];
        const Vec2 normal = direction_of(k, n);
        loop.emplace_back(h * normal + (next - h * c) / s * Vec2(-normal.y(), normal.x()));
    }
    return loop;
}

double loop_length(const Loop& loop) {
    double length = 0;
    for (std::size_t k = 0; k < loop.size(); ++k) length += (loop[(k + 1) % loop.size()] - loop[k]).norm();
    return length;
}

double length_to_ray(const Loop& loop, const Vec2& origin, const Vec2& direction) {
    double length = 0;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vec2 a = loop[k] - origin, b = loop[(k + 1) % loop.size()] - origin;
        const double side_a = across(direction, a), side_b = across(direction, b), step = (b - a).norm();
        if ((side_a < 0) != (side_b < 0)) {
            const double t = side_a / (side_a - side_b);
            if (((1 - t) * a + t * b).dot(direction) > 0) return length + t * step;
        }
        length += step;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

LoopWalk::LoopWalk(Loop loop) : loop_(std::move(loop)), at_{0} {
    for (std::size_t k = 0; k < loop_.size(); ++k)
        at_.push_back(at_.back() + (loop_[(k + 1) % loop_.size()] - loop_[k]).norm());
}

Vec2 LoopWalk::point(double along) const {
    along -= length() * std::floor(along / length());
    const auto above = std::upper_bound(at_.begin() + 1, at_.end() - 1, along);
    const auto k = static_cast<std::size_t>(above - at_.begin()) - 1;
    const double step = at_[k + 1] - at_[k], t = step > 0 ? (along - at_[k]) / step : 0;
    return (1 - t) * loop_[k] + t * loop_[(k + 1) % loop_.size()];
}

}  // namespace taut::mesh

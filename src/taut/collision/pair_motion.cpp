#include "taut/collision/pair_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/elements/closest_points.hpp"

namespace taut::collision {
namespace {

using Corners = std::array<Vec3, 4>;

// Times the sizes of differences: above all rounding in their products with a direction.
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();

Corners corners(const PairPoints& q, ConstPoints x) {
    return {x[static_cast<std::size_t>(q[0])], x[static_cast<std::size_t>(q[1])],
            x[static_cast<std::size_t>(q[2])], x[static_cast<std::size_t>(q[3])]};
}

Closeness closeness_of(PairKind kind, const Corners& x) {
    Closeness result;
    Vec3 offset;
    if (kind == PairKind::vertex_face) {
        const elements::TriangleFoot foot = elements::nearest_on_triangle(x[0], x[1], x[2], x[3]);
        result.weight = {1, -foot.weight[0], -foot.weight[1], -foot.weight[2]};
        offset = foot.offset;
    } else {
        const elements::SegmentFeet feet = elements::nearest_on_segments(x[0], x[1], x[2], x[3]);
        result.weight = {1 - feet.s, feet.s, feet.t - 1, -feet.t};
        offset = feet.offset;
    }
    result.distance = offset.norm();
    if (result.distance > 0) result.normal = offset / result.distance;
    return result;
}

// The direction from the middle of the second primitive to that of the first, a little shorter than 1.
Vec3 line_of_middles(PairKind kind, const Corners& x) {
    const Vec3 way = kind == PairKind::vertex_face ? Vec3(x[0] - (x[1] + x[2] + x[3]) / 3)
                                                   : Vec3(0.5 * (x[0] + x[1] - x[2] - x[3]));
    return (1 - 1e-12) / way.norm() * way;
}

}  // namespace

Closeness closeness(PairKind kind, const PairPoints& q, ConstPoints x) {
    return closeness_of(kind, corners(q, x));
}

double ahead_along(PairKind kind, const PairPoints& q, ConstPoints x, const Vec3& direction) {
    const auto at = [&](int k) -> const Vec3& {
        return x[static_cast<std::size_t>(q[static_cast<std::size_t>(k)])];
    };
    const bool face = kind == PairKind::vertex_face;
    // Differences to the first point of the second primitive; the own one's second point is one of them
    // for two edges.
    const Vec3& from = at(face ? 1 : 2);
    const Vec3 own = at(0) - from, second = at(face ? 2 : 1) - from, third = at(3) - from;
    const double a = direction.dot(own), b = direction.dot(second), c = direction.dot(third);
    const double least = face ? a - std::max({0.0, b, c}) : std::min(a, b) - std::max(0.0, c);
    return least - rounding * (own.lpNorm<1>() + second.lpNorm<1>() + third.lpNorm<1>());
}

bool stays_apart(PairKind kind, const PairPoints& q, ConstPoints x_start, ConstPoints x_end, double reach) {
    // The line between their middles is enough for most pairs, and quickly had.
    const Vec3 middle = line_of_middles(kind, corners(q, x_start));
    if (ahead_along(kind, q, x_start, middle) > reach && ahead_along(kind, q, x_end, middle) > reach)
        return true;
    const Closeness at = closeness(kind, q, x_start);
    if (!(at.distance > reach)) return false;
    const Vec3 axis = axis_of(at);
    return ahead_along(kind, q, x_end, axis) > reach && ahead_along(kind, q, x_start, axis) > reach;
}

Closeness closeness_at(PairKind kind, const PairPoints& q, ConstPoints x_start, ConstPoints x_end,
                       double time) {
    Corners x = corners(q, x_start);
    const Corners end = corners(q, x_end);
    for (std::size_t k = 0; k < 4; ++k) x[k] += time * (end[k] - x[k]);
    return closeness_of(kind, x);
}

elements::Impact impact(PairKind kind, const PairPoints& q, ConstPoints x_start, ConstPoints x_end,
                        double gap) {
    const Corners a = corners(q, x_start), b = corners(q, x_end);
    if (kind == PairKind::vertex_face) {
        return elements::point_triangle_impact(a[0], b[0], {a[1], a[2], a[3]}, {b[1], b[2], b[3]}, gap);
    }
    return elements::segment_segment_impact({a[0], a[1]}, {b[0], b[1]}, {a[2], a[3]}, {b[2], b[3]}, gap);
}

}  // namespace taut::collision

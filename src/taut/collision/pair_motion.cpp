#include "taut/collision/pair_motion.hpp"

#include <cmath>

#include "taut/elements/closest_points.hpp"

namespace taut::collision {
namespace {

using Corners = std::array<Vec3, 4>;

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

}  // namespace

Closeness closeness(PairKind kind, const PairPoints& q, ConstPoints x) {
    return closeness_of(kind, corners(q, x));
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

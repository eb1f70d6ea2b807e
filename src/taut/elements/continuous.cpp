// Additive conservative advancement of the patch of differences (difference_patch.hpp): the pair's
// distance is that of a flat patch from the origin, whose corners move on straight lines.
#include "taut/elements/continuous.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "taut/elements/difference_patch.hpp"

namespace taut::elements {
namespace {

constexpr Impact unsafe{true, 0};
constexpr Impact clear{false, 1};

// All rounding of a distance, a bound and a time together, in units of eps times the root of the sum
// of all squared differences at both ends. Proved: 52 is enough. Smaller may miss.
constexpr double rounding_margin = 64 * std::numeric_limits<double>::epsilon();

// Shapes that turn closely around each other advance in small steps; a hit is reported if they are not
// through after so many. Clear pairs rarely need ten; fewer means more false alarms, more means longer.
constexpr int max_iterations = 1000;

// Normals are polished for shapes nearer than this fraction of their size: an error of eps size in the
// offset then costs the separating plane no more than 1e-6 of the distance.
constexpr double polish_below = 1e-5;

template <PatchShape shape>
constexpr int corner_count = shape == PatchShape::triangle ? 3 : 4;

// The corners of the patch along a direction n. Every point of the patch lies between them.
template <PatchShape shape>
std::array<double, corner_count<shape>> corners_along(const DifferencePatch& patch, const Vec3& n) {
    const double r = n.dot(patch.r), e = n.dot(patch.e), f = n.dot(patch.f);
    if constexpr (shape == PatchShape::triangle) {
        return {r, r - e, r - f};
    } else {
        return {r, r - e, r - f, (r - e) - f};
    }
}

// The longest way of a corner: no point of the patch goes further.
template <PatchShape shape>
double longest_way(const DifferencePatch& way) {
    const Vec3 b = way.r - way.e, c = way.r - way.f;
    double square = std::max({way.r.squaredNorm(), b.squaredNorm(), c.squaredNorm()});
    if constexpr (shape == PatchShape::parallelogram) square = std::max(square, (b - way.f).squaredNorm());
    return std::sqrt(square);
}

DifferencePatch at_time(const DifferencePatch& start, const DifferencePatch& way, double time) {
    return {start.r + time * way.r, start.e + time * way.e, start.f + time * way.f};
}

// The part of the time left during which all corners, going from `now` to `end` along the normal,
// stay above `level`; 0 if one is below now.
template <std::size_t n>
double part_above(const std::array<double, n>& now, const std::array<double, n>& end, double level) {
    double part = 1;
    for (std::size_t i = 0; i < n; ++i) {
        if (!(now[i] >= level)) return 0;
        if (end[i] < level) part = std::min(part, (now[i] - level) / (now[i] - end[i]));
    }
    return part;
}

// Takes from a normal what rounding has left along the sides the foot is free to move on, which
// matters for shapes that nearly touch; the normal of a corner is good as it is. Unit length.
template <PatchShape shape>
Vec3 polished(const DifferencePatch& patch, const PatchFoot& foot, const Vec3& normal) {
    const auto& [r, e, f] = patch;
    const auto across = [](const Vec3& x, const Vec3& side) {
        const double square = side.squaredNorm();
        return square > point_square ? Vec3(x - x.dot(side) / square * side) : x;
    };
    const bool free_e = foot.w1 > 0 && foot.w1<1, free_f = foot.w2> 0 && foot.w2 < 1;
    Vec3 n = normal;
    if (shape == PatchShape::triangle && free_e && free_f && foot.w1 + foot.w2 >= 1) {
        n = across(n, f - e);
    } else if (free_e && free_f) {
        n = across(across(n, e), across(f, e));
    } else if (free_e) {
        n = across(n, e);
    } else if (free_f) {
        n = across(n, f);
    }
    const double length = n.norm();
    return length > 0.1 ? Vec3(n / length) : normal;
}

// Distances [m] at which to stop, and to head for, so that between a half and the whole of `rest`, part
// of the clearance, is left.
struct Levels {
    double near, aim;
    Levels(double gap, double rest, double margin)
        : near(gap + std::max(2 * margin, rest)), aim(0.5 * (gap + near)) {}
};

template <PatchShape shape>
Impact advance(const DifferencePatch& start, const DifferencePatch& end, double gap, double slack,
               double alarm) {
    // Refuse what is so large or small that squares lose digits, and what starts within the gap.
    const double square = patch_square(start) + patch_square(end);
    if (!(square > min_patch_square && square < max_patch_square)) return unsafe;
    const double size = std::sqrt(square), margin = rounding_margin * size;
    PatchFoot foot = nearest_to_origin<shape>(start);
    double distance = std::sqrt(foot.squared);
    const double clearance = distance - gap;
    if (!(clearance > margin)) return unsafe;

    const DifferencePatch way{end.r - start.r, end.e - start.e, end.f - start.f};
    double longest = -1;  // made when first needed
    Levels levels(gap, slack * clearance, margin);
    DifferencePatch patch = start;
    double time = 0, reported = -1;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        // See whether the plane across the present normal separates the pair to the end.
        Vec3 normal = foot.offset / distance;
        if (distance < polish_below * size) normal = polished<shape>(patch, foot, normal);
        const auto now = corners_along<shape>(patch, normal);
        const auto last = corners_along<shape>(end, normal);
        if (part_above(now, last, gap + margin) >= 1) return clear;

        // Note the time when little is left, and give up when next to nothing is.
        if (distance <= levels.near && reported < 0) {
            reported = time;
            levels = Levels(gap, alarm * clearance, margin);
        }
        if (distance <= levels.near) return {true, reported};

        // Advance until that plane, or the longest way gone, may bring the pair to the aim.
        if (longest < 0) longest = longest_way<shape>(way);
        const double by_plane = part_above(now, last, levels.aim) * (1 - time);
        const double by_length = (distance - levels.aim) / longest;
        time += std::max(by_plane, by_length);
        if (!(time < 1)) return clear;
        patch = at_time(start, way, time);
        foot = nearest_to_origin<shape>(patch);
        distance = std::sqrt(foot.squared);
    }
    return {true, reported < 0 ? time : reported};
}

// True if the boxes of two sets of points are further apart than gap along an axis. Exact: smallest
// and largest are, and rounding of a difference does not pass a number it has not passed.
bool boxes_apart(const Vec3& low_a, const Vec3& high_a, const Vec3& low_b, const Vec3& high_b, double gap) {
    const Vec3 space = (low_a - high_b).cwiseMax(low_b - high_a);
    return space.x() > gap || space.y() > gap || space.z() > gap;
}

}  // namespace

Impact point_triangle_impact(const Vec3& p_start, const Vec3& p_end, const Triangle& triangle_start,
                             const Triangle& triangle_end, double gap, double slack, double alarm) {
    const auto& [a0, b0, c0] = triangle_start;
    const auto& [a1, b1, c1] = triangle_end;
    if (!(gap >= 0) || !Vec3(((p_start + a0) + (b0 + c0)) + ((p_end + a1) + (b1 + c1))).allFinite())
        return unsafe;

    // Leave at once if the boxes around both motions are apart.
    const Vec3 low = a0.cwiseMin(b0).cwiseMin(c0).cwiseMin(a1.cwiseMin(b1).cwiseMin(c1));
    const Vec3 high = a0.cwiseMax(b0).cwiseMax(c0).cwiseMax(a1.cwiseMax(b1).cwiseMax(c1));
    if (boxes_apart(p_start.cwiseMin(p_end), p_start.cwiseMax(p_end), low, high, gap)) return clear;

    return advance<PatchShape::triangle>({p_start - a0, b0 - a0, c0 - a0}, {p_end - a1, b1 - a1, c1 - a1},
                                         gap, slack, alarm);
}

Impact segment_segment_impact(const Segment& first_start, const Segment& first_end,
                              const Segment& second_start, const Segment& second_end, double gap,
                              double slack, double alarm) {
    const auto& [a0, b0] = first_start;
    const auto& [a1, b1] = first_end;
    const auto& [c0, d0] = second_start;
    const auto& [c1, d1] = second_end;
    if (!(gap >= 0) || !Vec3(((a0 + b0) + (c0 + d0)) + ((a1 + b1) + (c1 + d1))).allFinite()) return unsafe;

    // Leave at once if the boxes around both motions are apart.
    const Vec3 low_first = a0.cwiseMin(b0).cwiseMin(a1.cwiseMin(b1));
    const Vec3 high_first = a0.cwiseMax(b0).cwiseMax(a1.cwiseMax(b1));
    const Vec3 low_second = c0.cwiseMin(d0).cwiseMin(c1.cwiseMin(d1));
    const Vec3 high_second = c0.cwiseMax(d0).cwiseMax(c1.cwiseMax(d1));
    if (boxes_apart(low_first, high_first, low_second, high_second, gap)) return clear;

    return advance<PatchShape::parallelogram>({a0 - c0, a0 - b0, d0 - c0}, {a1 - c1, a1 - b1, d1 - c1}, gap,
                                              slack, alarm);
}

}  // namespace taut::elements

// Continuous detection of one pair over one step: corners move on straight lines, at constant speed,
// from their places at the start to those at the end, and the question is whether a point and a
// triangle, or two segments, come within `gap` of each other. Additive conservative advancement after
// Li, Kaufman and Jiang 2021; in place of their bound on the motion we use the largest relative motion
// of two corners, and beside it the motion along the present normal. No miss, rounding included; the
// proof is in docs/theory/continuous_detection.md.
#pragma once

#include "taut/base/vec.hpp"

namespace taut::elements {

struct Triangle {
    Vec3 a, b, c;  // [m]
};

struct Segment {
    Vec3 a, b;  // [m]
};

// hit: the pair comes within the gap, or next to it. time, in [0, 1] of the step: up to it, and there,
// the pair is certainly further apart than the gap if it was so at the start; 1 if there is no hit.
struct Impact {
    bool hit = false;
    double time = 1;
};

// Fractions of the clearance, distance - gap at the start. `time` is when half of the slack to all of it
// is left: smaller is later, but at gap 0 gives a less certain normal. A pair that never comes nearer
// than the alarm is no hit: smaller is fewer false alarms for more iterations.
inline constexpr double default_slack = 0.1;
inline constexpr double default_alarm = 1e-3;

// Point against triangle. gap [m]: the sum of both radii, 0 for touch.
Impact point_triangle_impact(const Vec3& p_start, const Vec3& p_end, const Triangle& triangle_start,
                             const Triangle& triangle_end, double gap, double slack = default_slack,
                             double alarm = default_alarm);

// Segment against segment. gap [m]: the sum of both radii, 0 for touch.
Impact segment_segment_impact(const Segment& first_start, const Segment& first_end,
                              const Segment& second_start, const Segment& second_end, double gap,
                              double slack = default_slack, double alarm = default_alarm);

}  // namespace taut::elements

// Closest points of a point and a triangle, and of two segments, also of degenerate ones: points in
// place of segments, parallel segments, triangles that are segments or points. Finite input never
// gives NaN, at any scale. The distance is right within
//     20 eps (|p - a| + |b - a| + |c - a|)   or   20 eps (|a0 - b0| + |a1 - a0| + |b1 - b0|),
// eps = 2^-52, proved in docs/theory/continuous_detection.md; 1.5 in place of 20 is the most measured.
// Where closest points are not unique, one of them is returned.
#pragma once

#include "taut/base/vec.hpp"

namespace taut::elements {

struct TriangleFoot {
    Vec3 weight = Vec3::UnitX();  // of the corners: each >= 0, sum 1
    Vec3 offset = Vec3::Zero();   // p - foot [m]
    double squared = 0;           // |offset|^2 [m^2]
};

// The point of triangle abc nearest to p [m].
TriangleFoot nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

struct SegmentFeet {
    double s = 0, t = 0;         // feet a0 + s (a1 - a0) and b0 + t (b1 - b0), each in [0, 1]
    Vec3 offset = Vec3::Zero();  // first foot - second foot [m]
    double squared = 0;          // |offset|^2 [m^2]
};

// The nearest points of segments a0a1 and b0b1 [m].
SegmentFeet nearest_on_segments(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

}  // namespace taut::elements

// Do two triangles share a point that they should not? Triangles are closed sets, possibly degenerate: a
// segment is {a, b, b}, a point {a, a, a}, and three points on a line are as good as any. All answers
// come from exact signs (orientation.hpp); floating point decides only where its error bound proves it.
// Coordinates must be finite. Theory: docs/theory/intersections.md.
#pragma once

#include <array>

#include "taut/base/vec.hpp"

namespace taut::elements {

// The closed segments p q and a b have a common point.
bool segments_meet(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b);

// The closed segment p q and the closed triangle a b c have a common point; p = q asks for a point.
bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

// The closed triangles have a common point.
bool triangles_meet(const std::array<Vec3, 3>& s, const std::array<Vec3, 3>& t);

// The triangles with these corners (indices into x) have a common point besides those of the corner or
// edge they share by index. Triangles with a common edge overlap where they are folded flat onto
// each other; a triangle does not overlap itself, nor a segment the triangle whose edge it is.
bool triangles_overlap(ConstPoints x, const std::array<int, 3>& s, const std::array<int, 3>& t);

}  // namespace taut::elements

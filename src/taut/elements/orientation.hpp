// Exact signs of small determinants: on which side of a line or plane does a point lie? A floating-point
// filter with a proven bound answers nearly always; where it cannot, the determinant is added up without
// rounding, as a floating-point expansion (Shewchuk 1997). Theory: docs/theory/intersections.md.
//
// The sign is that of the real determinant of the coordinates as given, for finite coordinates, as
// long as none but zero is below 1e-60 times the largest. Beyond that span small coordinates
// count as rounded; a coordinate that is not finite gives 0.
#pragma once

#include "taut/base/vec.hpp"

namespace taut::elements {

// +1 where a, b, c turn counterclockwise, -1 clockwise, 0 on one line: the sign of det(b - a, c - a).
int orient2d(const Vec2& a, const Vec2& b, const Vec2& c);

// +1 where d lies on the side from which a, b, c turn counterclockwise, -1 on the other, 0 in one plane:
// the sign of det(b - a, c - a, d - a).
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Whether these functions were compiled as they must be: false where the compiler fuses products and sums.
bool orientation_is_exact();

}  // namespace taut::elements

// The exact sign of the in-circle determinant, by which Delaunay triangulations are built: a floating-point
// filter with a proven bound answers nearly always, whole numbers of 512 bits where it cannot.
#pragma once

#include "taut/base/vec.hpp"

namespace taut::elements {

// +1 where d lies within the circle through a, b, c, which turn counterclockwise, -1 outside, 0 on it: the
// sign of the real determinant of the coordinates as given, as long as none but zero is below 1e-20 times
// the largest; smaller ones count as rounded. A coordinate that is not finite gives 0.
int in_circle(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d);

}  // namespace taut::elements

// Distance of a segment and a triangle, both possibly degenerate.
#pragma once

#include <algorithm>
#include <cmath>

#include "taut/elements/closest_points.hpp"
#include "taut/elements/triangle_overlap.hpp"

namespace taut::elements {

// Of the triangle abc from the segment pq, p = q for a point [m]. 0 exactly where they meet, otherwise as
// good as the closest points are.
inline double segment_triangle_distance(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b,
                                        const Vec3& c) {
    double squared = nearest_on_triangle(p, a, b, c).squared;
    if (p != q) {
        if (segment_meets_triangle(p, q, a, b, c)) return 0;
        squared = std::min({squared, nearest_on_triangle(q, a, b, c).squared,
                            nearest_on_segments(p, q, a, b).squared, nearest_on_segments(p, q, b, c).squared,
                            nearest_on_segments(p, q, c, a).squared});
    }
    return std::sqrt(squared);
}

}  // namespace taut::elements

// The lines along which surfaces intersect, and how they get shorter (after Volino and Magnenat-Thalmann
// 2006). A contour is given by the places where an edge passes through a triangle; each knows the direction
// in which the edge must move against the triangle for the contour to become shorter, by itself and for the
// contour as a whole. Theory and derivation: docs/theory/untangling.md.
#pragma once

#include <array>
#include <vector>

#include "taut/collision/tangles.hpp"

namespace taut::collision {

// An edge through a triangle. Relative quantities are those of the edge less those of the triangle.
struct EdgeCrossing {
    std::array<int, 2> edge{};    // points of the surface, ascending
    int triangle = -1;            // index into the surface
    double along = 0;             // share of the edge from its first point
    Vec3 weight = Vec3::Zero();   // of the corners of the triangle, sum 1
    Vec3 shorter = Vec3::Zero();  // -d length / d (relative displacement), of what is close by [1]
    Vec3 whole = Vec3::Zero();    // the same of its whole contour, moved as one [1]
};

// All of the pairs that intersect, sorted by edge and triangle. Edges within the plane of a triangle are left
// out, as are links and points: they have no contour.
std::vector<EdgeCrossing> find_crossings(const Surface& surface, const Tangles& tangles, ConstPoints x);

// Sum of the lengths of all contours [m].
double contour_length(const Surface& surface, const Tangles& tangles, ConstPoints x);

}  // namespace taut::collision

// Delaunay triangulations of points in the plane: of all points, of the inside of a polygon, and of a strip
// that closes on itself. Divide and conquer (Guibas and Stolfi 1985), O(n log n), with exact signs: the
// result is Delaunay whatever the input, and the same on every machine up to the choice among points on
// one circle, which only depends on the points. Triangles turn counterclockwise, start with their lowest
// vertex and are sorted. All throw InputError on coordinates that are not finite or beyond
// largest_coordinate, and where two points coincide.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::mesh {

using Triangle = std::array<int, 3>;

// All triangles of the convex hull; none where all points lie on one line.
std::vector<Triangle> delaunay(std::span<const Vec2> points);

// The triangles inside a simple polygon, whose corners are the first `outline` points, counterclockwise; the
// others must lie inside. Throws InputError where a side of the polygon is no edge of the triangulation
// of all points: where points come nearer to a side than its own ends are to its middle, for instance.
std::vector<Triangle> triangulate_outline(std::span<const Vec2> points, int outline);

// A triangle of the endless strip that repeats along x: corner k is a point moved by shift[k] periods.
struct StripTriangle {
    Triangle corner;
    std::array<int, 3> shift;
};

// One period of the triangulation of points and all their copies at multiples of the period along x. The
// period must span several points, and upper and lower rim must be straight. x counts as rounded to
// 2^-40 of the period, so that copies are exact. Throws InputError where four points on one circle, or
// large empty places, make the two ends disagree.
std::vector<StripTriangle> triangulate_strip(std::span<const Vec2> points, double period);

}  // namespace taut::mesh

// Closed curves around things in the plane. A convex curve is kept as its support values: for each of n even
// directions, counter-clockwise from +x, how far it reaches [m]. In that form the offset by a distance adds
// a number, the hull of two curves is the larger value, a blend of two is the blend of values, and every
// result is convex again (Schneider 2014, Convex Bodies, section 1.7).
#pragma once

#include <span>
#include <vector>

#include "taut/base/vec.hpp"
#include "taut/mesh/section.hpp"

namespace taut::mesh {

using Support = std::vector<double>;  // [m]

Vec2 direction_of(int k, int directions);

// How far the points reach; minus infinity without points.
Support support_of(std::span<const Vec2> points, int directions);

// The curve itself as a polygon around it, counter-clockwise; corner k lies between directions k and k + 1.
// Values that are no support of a convex curve (beyond their neighbours' lines) give loops in it.
Loop curve_of(const Support& support);

double loop_length(const Loop& loop);  // [m]

// Length along the loop from its first corner to where it first meets the ray from a point inside [m].
double length_to_ray(const Loop& loop, const Vec2& origin, const Vec2& direction);

// The point at a length along the loop from its first corner; any number, it goes round.
class LoopWalk {
public:
    explicit LoopWalk(Loop loop);
    double length() const { return at_.back(); }
    Vec2 point(double along) const;

private:
    Loop loop_;
    std::vector<double> at_;  // length at each corner, and all round
};

}  // namespace taut::mesh

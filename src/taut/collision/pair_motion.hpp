// One pair of primitives, a vertex with a triangle or two edges, at a moment and on its way through a step:
// the closest points as weights of its four points, and whether the pair comes closer than a gap. What the
// elements know about four points, for pairs of indices.
#pragma once

#include <array>

#include "taut/base/vec.hpp"
#include "taut/collision/broad_phase.hpp"
#include "taut/elements/continuous.hpp"

namespace taut::collision {

enum class PairKind { vertex_face, edge_edge };

// normal . sum weight_k x_k = distance: weights are positive on the first primitive, negative on the second.
struct Closeness {
    std::array<double, 4> weight{};
    Vec3 normal = Vec3::Zero();  // from the second to the first; zero where they touch
    double distance = 0;         // [m]
};

Closeness closeness(PairKind kind, const PairPoints& q, ConstPoints x);

// The same on the way from x_start to x_end, at a time from 0 to 1.
Closeness closeness_at(PairKind kind, const PairPoints& q, ConstPoints x_start, ConstPoints x_end,
                       double time);

// By how much the first primitive lies ahead of the second along a direction no longer than 1, less what
// rounding may have added [m]. What two primitives are ahead by at both ends of a step they stay apart by all
// through it: every difference of their points moves on a line.
double ahead_along(PairKind kind, const PairPoints& q, ConstPoints x, const Vec3& direction);

// A direction, a little shorter than 1, along which a pair with this closeness is ahead by almost all of its
// distance.
inline Vec3 axis_of(const Closeness& at) { return (1 - 1e-12) * at.normal; }

// True where a pair stays further apart than `reach` [m] all through a step, and the line between the middles
// or the closest points at the start shows that.
bool stays_apart(PairKind kind, const PairPoints& q, ConstPoints x_start, ConstPoints x_end, double reach);

// Whether and when the pair comes closer than `gap` [m].
elements::Impact impact(PairKind kind, const PairPoints& q, ConstPoints x_start, ConstPoints x_end,
                        double gap);

}  // namespace taut::collision

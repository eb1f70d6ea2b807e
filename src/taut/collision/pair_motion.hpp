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

// Whether and when the pair comes closer than `gap` [m].
elements::Impact impact(PairKind kind, const PairPoints& q, ConstPoints x_start, ConstPoints x_end,
                        double gap);

}  // namespace taut::collision

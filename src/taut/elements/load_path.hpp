// The load of a fabric along a path of deformation, with what friction remembers: from rest the curve itself,
// and a loop where the path turns back (Dahl's law, see load_curve.hpp). Between two places the path runs
// straight, and the law is integrated exactly, so that the load does not depend on how finely a way is cut.
#pragma once

#include <array>
#include <cassert>
#include <span>

#include "taut/elements/load_curve.hpp"

namespace taut::elements {

// Where a path stands, and the load that each yielding part of friction holds there. At first: at rest.
struct LoadMemory {
    double s = 0;
    std::array<double, max_yielding> held{};
};

// Moves on to the deformation s, and gives the load there with its derivative in the direction of the way.
inline Load follow(const LoadCurve& c, LoadMemory& memory, double s) {
    Load r = elastic_load(c, s);
    for (std::size_t j = 0; j < c.yielding.size(); ++j) {
        const Load f = friction_load(c.yielding[j], memory.held[j], s - memory.s);
        memory.held[j] = f.load;
        r.load += f.load, r.tangent += f.tangent, r.energy += f.energy;
    }
    memory.s = s;
    return r;
}

// Loads at the places of a path that begins at rest, as many of each.
inline void loads_along(const LoadCurve& c, std::span<const double> path, std::span<double> loads) {
    assert(path.size() == loads.size());
    LoadMemory memory;
    for (std::size_t k = 0; k < path.size(); ++k) loads[k] = follow(c, memory, path[k]).load;
}

}  // namespace taut::elements

// The fail-safe of collisions (after Bridson et al. 2002): points whose contacts no impulse settles are
// joined into zones, and each zone moves as one body. On the way  x + t (u + w x r)  it is carried along an
// affine map whose singular values are at least one, so nothing within a zone comes closer than it was.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "taut/collision/broad_phase.hpp"

namespace taut::filters {

class ImpactZones {
public:
    void prepare(int points);
    void clear();
    std::span<const int> members() const { return members_; }
    // Joins the points of a pair and the zones they belong to.
    void join(const collision::PairPoints& q);
    // Moves every zone as one body: by the momentum of its points, or, where some have mass without end
    // (inverse_mass 0), along with those.
    void move(ConstPoints x_start, std::span<const double> inverse_mass, PointsView x);

private:
    int root(int p);

    std::vector<int> parent_;   // of each point
    std::vector<int> members_;  // points in any zone
};

}  // namespace taut::filters

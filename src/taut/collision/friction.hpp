// Coulomb coefficients of pairs of surfaces: an obstacle's own on any cloth, the geometric mean of two of a
// kind, unless a pair is given by name.
#pragma once

#include <string>
#include <vector>

#include "taut/collision/surface.hpp"

namespace taut::collision {

struct FrictionPair {
    std::string first, second;  // names of cloths or obstacles
    double coefficient = 0;
};
using FrictionTable = std::vector<FrictionPair>;

// One coefficient per pair of bodies, row by row; symmetric.
std::vector<double> friction_matrix(const Surface& surface, const FrictionTable& table);

// Of a cloth on an obstacle that is no body of a surface.
double friction_on(const Body& cloth, const Obstacle& obstacle, const FrictionTable& table);

}  // namespace taut::collision

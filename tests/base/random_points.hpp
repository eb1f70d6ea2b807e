// Points at random places, and points moved by random ways: the same for the same seed.
#pragma once

#include <random>

#include "taut/base/vec.hpp"

namespace taut::testing {

inline Points random_points(std::size_t n, double amount, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(-amount, amount);
    Points points(n);
    for (Vec3& p : points) {
        for (int c = 0; c < 3; ++c) p[c] = value(random);
    }
    return points;
}

// Every point moved by up to `amount` [m] along each axis.
inline Points shaken(Points x, double amount, unsigned seed) {
    const Points shift = random_points(x.size(), amount, seed);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += shift[i];
    return x;
}

}  // namespace taut::testing

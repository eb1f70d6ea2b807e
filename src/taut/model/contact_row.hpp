// One contact as an inequality on the end of the step:  normal . sum_k weight_k x_k >= target.  What finds
// contacts hands such rows to what moves the cloth.
#pragma once

#include <array>

#include "taut/base/vec.hpp"

namespace taut {

struct ContactRow {
    std::array<int, 4> point{-1, -1, -1, -1};  // of the surface; below 0: none
    std::array<double, 4> weight{};
    Vec3 normal = Vec3::UnitZ();
    double target = 0;            // [m]
    double friction = 0;          // Coulomb coefficient
    Vec3 carried = Vec3::Zero();  // sliding that is none: the way of an obstacle without points [m]
    double push = 0;              // multiplier >= 0 [kg m]
    Vec3 slide = Vec3::Zero();    // friction so far, across the normal [kg m]
};

// In place of a second point: an obstacle without points, so that rows of one vertex differ.
constexpr int other_point(int obstacle) { return -2 - obstacle; }

// A vertex of the cloth that an obstacle touches.
struct Touch {
    int vertex = 0, obstacle = 0;
};

}  // namespace taut

// Keeps linear momentum exact under inexact linear solves: a connected piece of cloth that no pin
// holds may be shifted as a whole without changing any length, so the defect of its total momentum
// is taken out by a translation.
#pragma once

#include <cstdint>
#include <vector>

#include "taut/model/model.hpp"

namespace taut {

class RigidShift {
public:
    void prepare(const Model& model);

    // Shifts each unpinned piece of x so that sum diagonal_i (x_i - origin_i) = sum impulse_i over it.
    // impulse may be empty (zero). [kg], [m], [kg m]
    void restore(std::span<const std::uint8_t> pinned, std::span<const double> diagonal, ConstPoints origin,
                 ConstPoints impulse, PointsView x) const;

private:
    int pieces_ = 0;
    std::vector<int> piece_;  // of each vertex
};

}  // namespace taut

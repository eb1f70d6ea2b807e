// Shared by filters that think in positions: from step velocity to end positions and back.
#pragma once

#include <string>

#include "taut/model/interfaces.hpp"

namespace taut::filters {

// x = x_start + dt v, exactly on target where pinned.
void end_positions(const StepContext& context, const Candidate& c, Points& x);

// v = (x - x_start) / dt; pinned vertices keep theirs.
void store_velocity(const StepContext& context, ConstPoints x, Candidate& c);

bool all_finite(ConstPoints x);

// "max strain 3.2 % at the edge between vertices 4 and 5 of cloth 'sheet' exceeds 1 % after 50 iterations"
std::string describe_miss(const Model& model, const Constraint& constraint, ConstPoints x, double tolerance,
                          int iterations);

}  // namespace taut::filters

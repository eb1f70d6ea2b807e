// What a committed state is measured by: strain of warp and weft, shear, energies, and the totals of
// a run. All sums run in a fixed order.
#pragma once

#include <memory>
#include <span>

#include "taut/sim/simulation.hpp"

namespace taut {

void measure_strain(const Model& model, ConstPoints x, StepReport& report);

double kinetic_energy(const Model& model, ConstPoints v);                                // [J]
double potential_energy(ConstPoints x, std::span<const std::unique_ptr<Force>> forces);  // [J]
double total_energy(const Model& model, const State& state, std::span<const std::unique_ptr<Force>> forces);

Vec3 center_of_mass(const Model& model, ConstPoints x);  // [m]

// Adds the work of attempts at the same step that were thrown away, and their number.
void add_rejected(const StepReport& rejected, StepReport& report);

// Adds one committed step; totals.steps counts it already.
void add_to_totals(const StepReport& report, RunTotals& totals);

}  // namespace taut

// Checks of steps and of corrections one by one.
#pragma once

#include <vector>

#include "taut/scene/check.hpp"

namespace taut::scene {

// The largest frequency of the forces about the rest shape [1/s], by the power method, to a per cent from
// below; 0: none has any. Prepares the forces of the pipeline for the model.
double largest_frequency(const Assembly& assembly, Pipeline& pipeline);

// Explicit steps longer than the stiffest force allows.
void check_explicit_step(const Scene& scene, const Assembly& assembly, Pipeline& pipeline,
                         std::vector<Finding>& findings);

// Correction maps that nothing uses, and corrections that start from nowhere.
void check_maps(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

}  // namespace taut::scene

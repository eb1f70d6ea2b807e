// Checks of steps and of corrections one by one; private to the scene room.
#pragma once

#include <vector>

#include "taut/scene/check.hpp"

namespace taut::scene {

// Explicit steps longer than the stiffest force allows. The forces of the pipeline are prepared for the
// model.
void check_explicit_step(const Scene& scene, const Assembly& assembly, Pipeline& pipeline,
                         std::vector<Finding>& findings);

// Correction maps that nothing uses, and corrections that start from nowhere.
void check_maps(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

}  // namespace taut::scene

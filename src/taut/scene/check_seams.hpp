// The checks of a scene with seams; private to the scene room.
#pragma once

#include <vector>

#include "taut/scene/check.hpp"

namespace taut::scene {

// Seams that are not where they are held from the start, that close too fast, between pins, shorter than
// collisions allow, or held by no filter.
void check_seams(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

}  // namespace taut::scene

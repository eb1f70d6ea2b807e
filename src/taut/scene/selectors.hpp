// From the selectors of a group to vertices, on the initial positions of the assembled cloths.
#pragma once

#include <vector>

#include "taut/scene/build.hpp"

namespace taut::scene {

// Global indices in the order of the selectors, each once. Throws InputError where the selection
// is empty or a selector does not fit its cloth.
std::vector<int> select_vertices(const Scene& scene, const Assembly& assembly, const GroupSpec& group);

}  // namespace taut::scene

// What deserves a look about obstacles that are meshes: holes, triangles that face different ways or the
// wrong one, triangles without area. Cloth collides with them all the same, but there it may catch or slip.
#pragma once

#include <vector>

#include "taut/scene/check.hpp"

namespace taut::scene {

void check_obstacles(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

}  // namespace taut::scene

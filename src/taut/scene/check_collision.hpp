// The checks of a scene whose chain has the filter `collision`; private to the scene room.
#pragma once

#include <vector>

#include "taut/scene/check.hpp"

namespace taut::scene {

// Whether the integrator itself holds cloth off obstacles, which may be switched off.
bool integrator_sees_obstacles(const Scene& scene);
// True where check_collision() tells about cloth that starts inside this obstacle.
bool judges_start_overlaps(const Scene& scene, const collision::Obstacle& obstacle);

// Cloth too thick for its edges, surfaces that start closer than they are kept, and surfaces that start
// through each other or inside solids; nothing where the filter is not in use. Friction of pairs that no
// filter asks for.
void check_collision(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

}  // namespace taut::scene

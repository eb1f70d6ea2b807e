// The checks of a scene that follow its pins through time; private to the scene room.
#pragma once

#include <vector>

#include "taut/scene/check.hpp"

namespace taut::scene {

// Flags of the vertices that pins hold at a time [s].
std::vector<char> pinned_at(const Model& model, double time);

// The smallest strain tolerance among the filters; infinity where none promises one.
double promised_strain(const Scene& scene);

// Pins that cloth cannot reach within the promised strain, and rows that pins hold rigid, at the start and at
// times between the keyframes of moving pins.
void check_pin_reach(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

// Pins that hold vertices inside obstacles, at the same times.
void check_pins_inside(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

// Pins attached to an obstacle that start far from its surface.
void check_pins_attached(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

}  // namespace taut::scene

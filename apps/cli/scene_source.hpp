// Where scenes come from on the command line: a file, or the name of a scene inside the program.
#pragma once

#include <string>
#include <vector>

#include "taut/scene/scene.hpp"

namespace taut::cli {

// Reads SCENE with its --set overrides. A word without folder or suffix that is no file is the name
// of a built-in scene. Throws InputError.
scene::Scene open_scene(const std::string& argument, const std::vector<std::string>& overrides);

// Overrides with fractions worked out: run/dt=1/120 becomes run/dt=0.008333333333333333.
std::vector<std::string> with_fractions(std::vector<std::string> overrides);

}  // namespace taut::cli

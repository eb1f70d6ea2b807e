// A picture of one state of a simulation with places in it that matter: all of it, and beside it the places
// close up.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "taut/collision/obstacle.hpp"
#include "taut/scene/scene.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::cli {

// Draws the current state; `faces` of the model are marked. Throws InputError if the file cannot be written.
void write_state_picture(const std::filesystem::path& file, const Simulation& simulation,
                         const std::vector<collision::Obstacle>& obstacles, const scene::Scene& scene,
                         std::span<const int> faces);

}  // namespace taut::cli

// What a cloth measures unstretched: its rest shape, or the flat pattern that texture coordinates give.
#pragma once

#include "taut/scene/scene.hpp"

namespace taut::scene {

// Whether the cloth is cut from its texture coordinates, which are then in metres afterwards. Throws
// InputError where they are asked for and there are none, and where a face has no area in them.
bool cut_pattern(const Scene& scene, const ClothSpec& spec, MadeCloth& cloth);

// Lumped masses, by the areas of the pattern where the cloth is cut from one [kg].
std::vector<double> cloth_masses(const Scene& scene, const ClothSpec& spec, const MadeCloth& cloth, bool cut);

}  // namespace taut::scene

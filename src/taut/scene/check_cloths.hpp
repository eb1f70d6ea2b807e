// Checks of what keeps cloths apart and from stretching; private to the scene room.
#pragma once

#include <vector>

#include "taut/scene/check.hpp"

namespace taut::scene {

// Cloths that no filter keeps apart: a warning where their ways may cross, else a note. A note too where
// `collision` came by itself for cloths that hardly meet, since it takes its time.
void check_cloths_apart(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

// Cloths without warp and weft that nothing keeps from stretching.
void check_without_yarns(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

// Fabrics that no force takes, and chains of a fabric.
void check_fabrics(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings);

}  // namespace taut::scene

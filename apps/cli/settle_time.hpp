// How long a scene is followed before its clock stands and it is brought to rest.
#pragma once

#include "taut/scene/scene.hpp"

namespace taut::cli {

// Its duration, where pins, seams, obstacles or forces change with time; else 0 [s].
double settle_time(const scene::Scene& scene);

}  // namespace taut::cli

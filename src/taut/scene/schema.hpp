// The JSON Schema (draft 2020-12) of scenes, generated from the registry and parameter lists.
#pragma once

#include "taut/scene/json_text.hpp"

namespace taut::scene {

Json scene_schema();

}  // namespace taut::scene

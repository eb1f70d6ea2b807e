// taut: cloth that does not stretch. One header for programs that load a scene and run it:
//     auto simulation = taut::build(taut::load_scene("hang.json"));
//     simulation->run({});
//     bool good = simulation->certified();
#pragma once

#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/scene/build.hpp"
#include "taut/scene/check.hpp"
#include "taut/scene/library.hpp"
#include "taut/scene/scene.hpp"
#include "taut/sim/settle.hpp"
#include "taut/sim/simulation.hpp"

namespace taut {

using scene::build;
using scene::effective_json;
using scene::load_scene;
using scene::parse_scene;
using scene::run_check;
using scene::Scene;

}  // namespace taut

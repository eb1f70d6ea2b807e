// Built-in scenes by name, with settings as `--set` takes them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "taut/scene/build.hpp"
#include "taut/scene/library.hpp"

namespace taut {

using Settings = std::vector<std::string>;

inline scene::Scene named_scene(const std::string& name, const Settings& settings = {}) {
    const auto scenes = scene::built_in_scenes();
    return scene::parse_scene(scene::find_scene(scenes, name).text, name, "/", settings);
}

inline std::unique_ptr<Simulation> named(const std::string& name, const Settings& settings = {}) {
    return scene::build(named_scene(name, settings));
}

}  // namespace taut

// The objects of a scene that are no registered thing: the scene itself, run, pins, seams and the like, each
// with its keys and parameters, as `taut info` and the reference show them.
#pragma once

#include <string>
#include <vector>

#include "taut/scene/format.hpp"
#include "taut/scene/settings.hpp"

namespace taut::scene {

struct Section {
    std::string name;             // "pins"
    std::string text;             // one sentence
    std::vector<FormatKey> keys;  // objects, arrays and names
    Settings settings;            // plain parameters, with defaults
    std::vector<std::string> required{};
};

// In the order of the reference.
std::vector<Section> scene_sections();

}  // namespace taut::scene

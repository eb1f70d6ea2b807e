// The scene reference as Markdown, generated from the registry and parameter lists: every key and
// every component with units, defaults, ranges and a sentence each. docs/scene_reference.md is
// its output, and a test keeps it current.
#pragma once

#include <string>

#include "taut/scene/registry.hpp"

namespace taut::scene {

std::string scene_reference();

// The table of one list of parameters; `required` names those without a default.
std::string parameter_table(const ParamList& list, const std::vector<std::string>& required = {});

}  // namespace taut::scene

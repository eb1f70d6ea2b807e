// Everything about a scene that can be known to be wrong, or likely to be, before its first step:
// meshes, pins no unstretched cloth can reach, rows pins hold rigid, cloths that start stretched
// or inside obstacles, obstacles nothing collides with.
#pragma once

#include <string>
#include <vector>

#include "taut/scene/build.hpp"

namespace taut::scene {

// error: the run cannot hold its promises; warning: likely not what was meant; note: worth knowing.
enum class Severity { error, warning, note };

struct Finding {
    Severity severity = Severity::warning;
    std::string pointer;  // JSON pointer into the scene
    std::string text;     // what is the matter, one sentence
    std::string remedy;   // how to mend it, may be empty
};

const char* severity_name(Severity severity);

// Findings in the order of the scene. Throws InputError where the scene cannot be assembled.
std::vector<Finding> run_check(const Scene& scene);
std::vector<Finding> run_check(const Scene& scene, const Assembly& assembly);

bool has_errors(const std::vector<Finding>& findings);

}  // namespace taut::scene

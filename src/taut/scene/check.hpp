// Everything about a scene that can be known to be wrong, or likely to be, before its first step:
// meshes, triangles that lock, pins no unstretched cloth can reach, rows pins hold rigid, pins far from what
// carries them, cloths that start stretched, inside obstacles or through each other, obstacles nothing
// collides with, cloths nothing keeps apart.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "taut/scene/build.hpp"

namespace taut::scene {

// error: the run cannot hold its promises; warning: likely not what was meant; note: worth knowing.
enum class Severity { error, warning, note };

struct Finding {
    Severity severity = Severity::warning;
    std::string pointer;          // JSON pointer into the scene
    std::string text;             // what is the matter, one sentence
    std::string remedy;           // how to mend it, may be empty
    std::vector<int> faces = {};  // of the model, where it shows; may be empty
    bool refused = false;         // an error that `run` does not even try
};

// How far a cloth is free to move while it keeps its lengths, by counting: every pinned coordinate and every
// kept length takes one degree of freedom at most.
struct Freedom {
    long coordinates = 0;  // three a vertex
    long pinned = 0;       // of them, at the start
    long lengths = 0;      // edges that filters keep, without those between two pins
    long left() const { return std::max(0L, coordinates - pinned - lengths); }
};
Freedom count_freedom(const Scene& scene, const Assembly& assembly, const Cloth& cloth);

const char* severity_name(Severity severity);

// Findings in the order of the scene. Throws InputError where the scene cannot be assembled.
std::vector<Finding> run_check(const Scene& scene);
std::vector<Finding> run_check(const Scene& scene, const Assembly& assembly);

bool has_errors(const std::vector<Finding>& findings);

}  // namespace taut::scene

// What may be chosen for a run of a scene: methods, step, tolerance, size, and any value by its path. Shared
// by `taut bench`, `taut compare` and `taut calibrate`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taut/scene/scene.hpp"

namespace taut::cli {

// Not a filter, but compared with filters: stretch springs and backward Euler in place of one.
inline constexpr const char* springs_method = "stiff_springs";

// Choices not made are the scene's own.
struct Choices {
    std::optional<int> size;        // vertices along a side; links of a chain
    std::optional<double> seconds;  // simulated [s]
    std::optional<double> strain;   // tolerance [1]
    std::optional<double> dt;       // [s]
    double stiffness = 100;         // of stiff_springs, where these are the method [N]
    std::string filter, solver, integrator;
    std::vector<std::string> overrides;  // path=value, as for --set
};

// One item of --compare, "fast_projection+dt=1/500", laid over the choices common to all.
Choices read_choices(const Choices& common, const std::string& item);

// The scene with the choices made. Throws InputError on choices that it does not know.
scene::Scene with_choices(const scene::Scene& scene, const Choices& choices);

// The filter of a scene that holds strain; without one its springs, or "none".
struct StrainFilter {
    std::string name = "none", solver = "none";
    double tolerance = 0;  // [1]; 0: nothing is promised
};
StrainFilter strain_filter(const scene::Scene& scene);

// The strain asked for by --strain, or where that is empty promised by the scene. Throws InputError where
// there is none, or one that no filter takes.
double wanted_strain(const scene::Scene& scene, const std::string& option);

}  // namespace taut::cli

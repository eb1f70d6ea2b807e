// The search for the stiffness of springs that holds a wanted strain on a scene.
#pragma once

#include <string>
#include <vector>

#include "taut/scene/scene.hpp"

namespace taut::cli {

struct CalibrationTry {
    double stiffness = 0;  // [N]
    double strain = 0;     // largest over all steps [1]; not finite: the run failed
    double wall_s = 0;     // of the run
    long steps = 0, retries = 0;
};

struct Calibration {
    std::vector<CalibrationTry> tries;
    bool found = false;
    double stiffness = 0;  // the last one tried that held the strain, else the stiffest [N]
};

// Runs the scene with springs, again and again. Strain falls about as 1/stiffness: each try aims a little
// below the wanted strain by that rule, within the bounds of what is known to be too soft and stiff enough.
Calibration calibrate_springs(const scene::Scene& scene, double strain, int most_tries, bool progress);

// Runs at most, where the caller has no reason for others.
inline constexpr int calibration_tries = 12;

}  // namespace taut::cli

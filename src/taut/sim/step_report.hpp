// What one attempt at a step leaves: the state at its end, and what was measured on the way.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "taut/model/step_context.hpp"

namespace taut {

// Lengths against rest after the whole step. Strain is |l/l0 - 1|.
struct StrainStats {
    double max = 0, p999 = 0, mean = 0, max_stretch = 0, max_compression = 0;
};

struct StepReport {
    long step = 0;                      // committed steps so far, this one included
    double t = 0, dt = 0;               // end time, step length [s]
    int retries = 0;                    // rejected attempts before this one
    int refused = 0;                    // of these, those the integrator itself was not content with
    bool held = true;                   // every promise kept
    IntegratorReport integrator;        // solves and iterations: of all attempts, as in `seconds`
    std::vector<FilterReport> filters;  // iterations: the same
    StrainStats warp, weft;
    double shear_max = 0, shear_mean = 0;  // |cos| of the angle between warp and weft of a quad against rest
    double kinetic = 0, potential = 0;     // [J]; potential sums all forces with an energy
    double strain_before = 0;              // as the projection left it, before later filters [1]
    double penetration = 0;                // [m]
    double distance = std::numeric_limits<double>::infinity();  // least between surfaces [m], where measured
    long intersections = 0, contacts = 0;                       // of triangles; pairs that pushed
    std::array<double, 3> center_of_mass{};
    double seconds = 0;  // wall time of the step, retries included
    std::string note;    // what was missed and where, in words
    double max_strain() const { return warp.max > weft.max ? warp.max : weft.max; }
    double energy() const { return kinetic + potential; }
};

struct StepResult {
    State state;
    StepReport report;
    bool finite = true;
    bool refused = false;  // the integrator was not content
    bool stopped = false;  // a stop was asked for on the way: state and report are unfinished
};

}  // namespace taut

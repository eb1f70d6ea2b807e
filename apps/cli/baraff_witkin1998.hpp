// The review's questions about Baraff and Witkin 1998 as a study: `taut bench baraff_witkin1998` runs it and
// writes a page with statements beside what was measured.
#pragma once

#include <string>
#include <vector>

#include "motion.hpp"
#include "paper_page.hpp"
#include "taut/scene/scene.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::cli {

// One run of a scene, with what the study asks of it.
struct LargeRun {
    RunOutcome outcome = RunOutcome::finished;
    int vertices = 0;
    double seconds = 0;       // stepping
    double computing = 0;     // of that without measuring and output [s]
    double simulated = 0;     // [s]
    double longest_step = 0;  // [s]
    double strain = 0;        // largest of warp and weft [1]
    double growth = 0;        // of energy above the start [J]
    RunTotals totals;
    MotionTrace motion;
    State end;
};

LargeRun run_large(const scene::Scene& scene, const std::string& name);

// Seconds of computing per simulated second, the median of runs of the scenes in turn; `runs` holds the first
// run of each.
std::vector<double> medians_in_turn(const std::vector<scene::Scene>& scenes, std::vector<LargeRun>& runs,
                                    int repeats);

// A built-in scene with this system in place of its own, triangles for quads, and further overrides.
scene::Scene large_steps_scene(const std::string& name, std::vector<std::string> overrides);

PaperSection paper_stability(const PaperStudy& study);    // stiffness, against explicit steps
PaperSection paper_growth(const PaperStudy& study);       // conjugate gradients over the number of vertices
PaperSection paper_interactive(const PaperStudy& study);  // what runs in real time
PaperSection paper_fabric(const PaperStudy& study);       // conditions against measured fabrics
PaperSection paper_shell(const PaperStudy& study);        // bending against the elastica
PaperSection paper_projection(const PaperStudy& study);   // the same integrator under a projection

Paper baraff_witkin1998();

}  // namespace taut::cli

// The experiments of Ozgen and Kallmann 2011 as a study: `taut bench ozgen_kallmann2011` runs them and writes
// a page with the published statements beside what was measured.
#pragma once

#include <string>
#include <vector>

#include "paper_page.hpp"
#include "taut/scene/scene.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::cli {

// One run of a scene, with what the study asks of it.
struct MapRun {
    std::string name;
    RunOutcome outcome = RunOutcome::finished;
    double strain = 0, mean = 0;  // of warp and weft: the largest, and the mean over steps [1]
    double high = 0;              // that 99.9 % of the edges are below, in the worst step [1]
    double filter_s = 0;          // of the filter that corrects, its say in velocities included, per step [s]
    double step_s = 0;            // of a whole step, median [s]
    double longest_s = 0;         // longest step [s]
    double corrections = 0;       // per step
    long maps = 0;                // correction maps built
    double growth = 0;            // of energy above the start [J]
    double shake = 0;             // fast part of the speed of the free edge, root mean square [m/s]
    CorrectionMap map;            // in use at the end
    State end;
    CorrectionMap shown_map;  // in use at the frame of the preview, or at the end
    State shown;              // that frame
};

// Runs a scene; `edge` holds the vertices of the free edge whose shaking is measured, or none.
MapRun run_map_scene(const scene::Scene& scene, const std::string& name, const std::vector<int>& edge = {});

// The map that the last step went by; null where there is none.
const CorrectionMap* map_in_use(const Simulation& simulation);

// A built-in scene with overrides, fractions worked out.
scene::Scene study_scene(const std::string& name, const std::vector<std::string>& overrides);

PaperSection paper_orders(const PaperStudy& study);     // Figures 2 and 3
PaperSection paper_maps(const PaperStudy& study);       // Figures 5 to 7
PaperSection paper_passes(const PaperStudy& study);     // one pass against many
PaperSection paper_speed(const PaperStudy& study);      // precomputation, steps a second, growth
PaperSection paper_switching(const PaperStudy& study);  // limitation 5.1
PaperSection paper_wind(const PaperStudy& study);       // the second limitation
PaperSection paper_printed(const PaperStudy& study);    // the method to the letter

Paper ozgen_kallmann2011();

}  // namespace taut::cli

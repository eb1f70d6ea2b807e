// The questions that House, DeVaul and Breen 1996 leave to further work, as a study: `taut bench house1996`
// runs it and writes a page with statements beside what was measured.
#pragma once

#include <string>
#include <vector>

#include "motion.hpp"
#include "paper_page.hpp"
#include "taut/scene/scene.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::cli {

// One run of a scene, with what the study asks of its first filter.
struct HouseRun {
    RunOutcome outcome = RunOutcome::finished;
    int vertices = 0;
    long steps = 0;
    double step_s = 0;                       // a step of that filter, the mean over the run [s]
    double iterations = 0;                   // of its systems, per step
    double left = 0;                         // residual of Eq. 19 that it left, relative, the mean over steps
    double strain = 0, mean = 0, depth = 0;  // largest and mean strain [1], inside obstacles [m]
    MotionTrace motion;
    State end;
    std::vector<State> frames;      // asked for
    std::vector<double> history{};  // residual over the cycles of the last solve, where it has cycles
    bool finished() const { return outcome == RunOutcome::finished; }
};

// A scene as `house_fall`, `nails` or `pulled_chain` with overrides; fractions are worked out.
scene::Scene house_scene(const std::string& name, const std::vector<std::string>& overrides);

// Keeps the states at these frames.
HouseRun run_house(const scene::Scene& scene, const std::string& name, const std::vector<int>& frames = {});

// Overrides that make the patch so many yarns wide, with steps of dt, over so much time.
std::vector<std::string> patch(int size, const std::string& dt, const std::string& duration);
// `first` with `more` behind it.
std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& more);
// An override that makes this the only filter; `params` as in JSON, without braces.
std::string only_filter(const std::string& type, const std::string& params = "");

PaperSection paper_accuracy(const PaperStudy& study);  // constrained dynamics against a converged run
PaperSection paper_groups(const PaperStudy& study);    // group sizes, cost and what is left
PaperSection paper_scaling(const PaperStudy& study);   // cost over the number of particles
PaperSection paper_failures(const PaperStudy& study);  // Figures 5 and 8 to 11
PaperSection paper_fall(const PaperStudy& study);      // Figure 13
PaperSection paper_drape(const PaperStudy& study);     // the same drape by several systems
PaperSection paper_fabrics(const PaperStudy& study);   // the fabrics of the program on the test bench

Paper house1996();

}  // namespace taut::cli

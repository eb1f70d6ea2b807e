// The parts of `taut compare`: what one method did on the scene, and what is made of all of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run_folder.hpp"
#include "taut/scene/scene.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::cli {

// What happened over time: one entry per frame.
struct FrameTrace {
    std::vector<double> t;           // end of the frame [s]
    std::vector<double> strain;      // largest of its steps [1]
    std::vector<double> energy;      // at its end [J]
    std::vector<double> seconds;     // spent so far
    std::vector<double> iterations;  // of all its steps
};

class FrameTracer final : public Observer {
public:
    explicit FrameTracer(FrameTrace& trace) : trace_(trace) {}
    void step(const Simulation& simulation, const StepReport& report) override;
    void frame(const Simulation& simulation, int frame) override;

private:
    FrameTrace& trace_;
    double strain_ = 0, iterations_ = 0, seconds_ = 0;  // of the frame so far; all so far
};

struct ComparedRun {
    std::string name;  // the item of --filters
    RunFolder folder;
    RunOutcome outcome = RunOutcome::failed;
    bool reached = false;    // every step held the strain asked for
    bool timed_out = false;  // ended by --limit
    double strain = 0;       // largest of all steps [1]
    double mean_strain = 0;  // over edges and steps [1]
    double step = 0;         // longest, as it divides the frame [s]
    double stiffness = 0;    // of springs, calibrated [N]; 0: none
    double simulated_s = 0;
    RunTotals totals;
    std::string failure;
    FrameTrace trace;

    std::string verdict(double tolerance) const;  // "holds 0.1 %", "reached 3.2 %", "failed at ..."
};

struct Comparison {
    std::string scene;
    double tolerance = 0;  // [1]
    int vertices = 0;
    std::vector<ComparedRun> runs;
};

// Rows of the table, the header first.
std::vector<std::vector<std::string>> compare_table(const Comparison& comparison);

// Writes compare.html, compare.csv, compare.json and the plots as SVG and PNG into the folder.
void write_comparison(const std::filesystem::path& folder, const Comparison& comparison);

}  // namespace taut::cli

// One scene simulated into its folder, with everything a run leaves there. Shared by `taut run` and
// `taut compare`.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "run_folder.hpp"
#include "stop.hpp"
#include "taut/collision/obstacle.hpp"
#include "taut/io/report.hpp"
#include "taut/scene/check.hpp"
#include "taut/scene/scene.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::cli {

// A scene ready to run, and where it goes.
struct SceneRun {
    scene::Scene scene;
    std::vector<collision::Obstacle> obstacles;
    std::vector<scene::Finding> findings;
    std::unique_ptr<Simulation> simulation;
    std::string effective;          // JSON text
    std::uint64_t fingerprint = 0;  // of all that its motion depends on
    RunFolder folder;
    long keep_frames = -1;  // of the cache when resuming
    long keep_steps = -1;
    double setup_s = 0;
};

// out/NAME, with everything in the name that could lead elsewhere made harmless.
std::filesystem::path default_folder(const std::string& name);

// Builds the scene; throws InputError on what can be refused before the first byte is written.
SceneRun prepare_run(scene::Scene scene, const RunFolder& folder);

// Refuses to overwrite the scene that is being read.
void keep_source(const std::string& source, const RunFolder& folder);

// Prints what the check of the scene warns of.
void print_findings(const SceneRun& run, bool quiet);

// Brings the scene to rest in place of running it.
struct Settling {
    const SettleSettings* settings;
    SettleReport* report;  // of it
};

struct RunTold {
    std::string label;                   // of the progress line; empty: none
    std::vector<Observer*> others;       // told besides those who write
    const Settling* settling = nullptr;  // or none
};

// Runs, and leaves report, page and picture however the run ends.
io::ReportContext run_into_folder(SceneRun& run, StopSwitch& stop, const RunTold& told);

}  // namespace taut::cli

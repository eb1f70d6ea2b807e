// report.json: what a run did, in numbers that other programs read. Numbers that are not finite
// become null; times are in seconds, lengths in metres, energies in joules, strain is |l/l0 - 1|.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "taut/sim/simulation.hpp"

namespace taut::io {

// What a report says about the run that the simulation itself does not know.
struct ReportContext {
    std::string taut_version;
    std::string scene;   // name of the scene
    double setup_s = 0;  // from the start of the program to the first step [s]
    int threads = 1;
    RunOutcome outcome = RunOutcome::finished;
};

// projection_iterations.mean is per step; linear_iterations.mean is per linear solve; both count the work of
// rejected attempts too, as wall_s does. constraints counts warp and weft edges; frames counts completed
// frames, the start not among them.
nlohmann::ordered_json make_report(const Simulation& simulation, const ReportContext& context);

// What came of bringing a system to rest; residuals are parts of 9.81 m/s^2.
nlohmann::ordered_json settle_json(const SettleReport& report);

// Writes JSON, indented, as one complete file. Throws InputError when that is impossible.
void write_json(const std::filesystem::path& file, const nlohmann::ordered_json& json);

const char* outcome_name(RunOutcome outcome);  // "finished", "interrupted", "failed"

std::uint64_t peak_memory_bytes();  // largest resident size of this process so far

}  // namespace taut::io

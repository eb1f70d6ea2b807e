// The parts of `taut bench`: cases (what is compared), measurements (one run of one case), the motion
// audit, tables and JSON. A case is a workload with choices; choices not made are the scene's own.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "choices.hpp"
#include "motion.hpp"
#include "taut/scene/scene.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::cli {

struct BenchCase {
    std::string label;  // what sets it apart from the other cases
    std::string workload;
    Choices choices;
    scene::Scene scene;  // as it runs
    int size = 0;
    double dt = 0, step = 0;     // asked; as it divides the frame [s]
    std::string filter, solver;  // the projection and its solver, or "none"
};

const std::vector<std::string>& workload_names();

// Throws InputError on an unknown workload, or choices it does not know.
BenchCase make_case(const std::string& workload, const Choices& choices, const std::string& label);

struct Measurement {
    std::size_t which = 0;  // number of the case
    int repeat = 0;
    RunOutcome outcome = RunOutcome::failed;
    bool certified = false;
    bool interrupted = false;  // by a signal
    double wall_s = 0, setup_s = 0;
    double cost_ns = 0;  // stepping time per vertex and projection iteration
    RunTotals totals;
    int vertices = 0;
    std::string failure;
    MotionTrace trace;            // only where it was asked for
    nlohmann::ordered_json json;  // the object of the output file
};

struct MeasureOptions {
    long steps = 0;  // end after so many; 0: the whole run
    bool trace = false;
    bool progress = true;
    std::string label;
};

Measurement measure(const BenchCase& bench_case, const MeasureOptions& options);

// The motion gates: does it move as a converged run does, and as a chain should?
struct Audit {
    bool checked_path = false, checked_mode = false;
    double path_error = 0;     // part of the drop
    double energy_error = 0;   // part of the reference's loss; not a number: the run is too short to say
    double energy_growth = 0;  // part of the energy of the drop
    double mode_omega = 0, mode_exact = 0;  // [rad/s]
    bool passed = false;
    std::string note;
    nlohmann::ordered_json json() const;
};

inline constexpr double energy_time = 2;             // [s]
inline constexpr double energy_limit = 0.1;          // of the reference's loss
inline constexpr double growth_limit = 1e-3;         // of the energy of the drop
inline constexpr double mode_limit = 0.01;           // of the exact frequency
inline constexpr double reference_divisor = 16;      // its dt is so much shorter
inline constexpr double reference_tolerance = 1e-5;  // strain

// The case the others are held against.
BenchCase make_reference(const BenchCase& bench_case);
Audit audit_path(const MotionTrace& trace, const MotionTrace& reference);
Audit audit_mode(const BenchCase& chain, const MotionTrace& trace);

struct AuditedCase {
    std::size_t which = 0;
    Audit audit;
};

std::string result_table(const std::vector<BenchCase>& cases, const std::vector<Measurement>& runs);
std::string audit_table(const std::vector<BenchCase>& cases, const std::vector<AuditedCase>& audits);
double median(std::vector<double> values);
std::string step_text(double dt);  // "1/120 s" where it is such a fraction

}  // namespace taut::cli

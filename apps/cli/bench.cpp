// taut bench: runs workloads and compares methods in one invocation, alternating what is compared, so
// that ratios mean something on a busy machine. Medians over repeats, set-up apart from stepping.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "baraff_witkin1998.hpp"
#include "bench.hpp"
#include "build_info.hpp"
#include "command.hpp"
#include "errors.hpp"
#include "goldenthal2007.hpp"
#include "house1996.hpp"
#include "ozgen_kallmann2011.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/report.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// At least three, so that the median is not the one disturbed run.
constexpr int repeats_when_comparing = 3;

struct BenchOptions {
    std::string workload, sizes, seconds, strain, dt, compare, json, figures, folder = "out/papers";
    Choices common;  // names and overrides go straight in
    int repeats = 0;
    int threads = 0;
    long steps = 0;
    bool audit = false;
    bool quick = false;
};

std::vector<BenchCase> make_cases(const BenchOptions& options) {
    // Read what all cases share.
    Choices common = options.common;
    if (!options.seconds.empty()) common.seconds = read_number("--seconds", options.seconds);
    if (!options.strain.empty()) common.strain = read_fraction("--strain", options.strain);
    if (!options.dt.empty()) common.dt = read_number("--dt", options.dt);

    // Every compared item at every size, side by side.
    std::vector<BenchCase> cases;
    const std::vector<std::string> sizes = split(options.sizes, ',');
    const std::vector<std::string> items = split(options.compare, ',');
    for (const std::string& size : sizes) {
        if (!size.empty()) common.size = read_count("--size", size);
        for (const std::string& item : items) {
            const Choices choices = options.compare.empty() ? common : read_choices(common, item);
            cases.push_back(make_case(options.workload, choices, item));
            BenchCase& last = cases.back();
            if (options.compare.empty()) last.label = last.filter + "+" + last.solver;
        }
    }
    return cases;
}

// Tries the file before hours of work depend on it.
void require_writable(const std::string& file) {
    if (file.empty()) return;
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(file).has_parent_path() ? fs::path(file).parent_path() : fs::path(".");
    std::error_code error;
    if (!fs::is_directory(folder, error) || fs::is_directory(file, error)) {
        throw InputError({file, "--json"}, "cannot be written", "",
                         "its folder must exist, and it must not be a folder");
    }
}

// Runs every case once per repeat, in turn. Ends early on a signal.
std::vector<Measurement> measure_all(const std::vector<BenchCase>& cases, const BenchOptions& options,
                                     int repeats) {
    std::vector<Measurement> runs;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        for (std::size_t k = 0; k < cases.size(); ++k) {
            MeasureOptions how;
            how.steps = options.steps;
            how.trace = options.audit && repeat == 0;
            how.label =
                fmt::format("{}/{} {} {}", repeat * static_cast<int>(cases.size()) + static_cast<int>(k) + 1,
                            repeats * static_cast<int>(cases.size()), cases[k].label, cases[k].size);
            Measurement run = measure(cases[k], how);
            run.which = k;
            run.repeat = repeat;
            run.json["repeat"] = repeat;
            fmt::print(stderr, "{}: {} in {}{}\n", how.label, io::outcome_name(run.outcome),
                       seconds_text(run.wall_s), run.failure.empty() ? "" : ": " + run.failure);
            runs.push_back(std::move(run));
            if (runs.back().interrupted) return runs;
        }
    }
    return runs;
}

// The motion of the converged run that a case is held against.
MotionTrace reference_motion(const BenchCase& bench_case) {
    const BenchCase reference = make_reference(bench_case);
    MeasureOptions how;
    how.trace = true;
    how.label = fmt::format("reference {} dt {}", reference.size, step_text(reference.step));
    Measurement result = measure(reference, how);
    if (result.outcome != RunOutcome::finished) {
        throw std::runtime_error("the reference of the audit did not finish: " + result.failure);
    }
    if (!result.certified) {
        throw std::runtime_error("the reference of the audit did not hold its strain");
    }
    return std::move(result.trace);
}

// Audits the first run of every case. Cases of one size, length and step share their reference.
std::vector<AuditedCase> audit_all(const std::vector<BenchCase>& cases, std::vector<Measurement>& runs) {
    std::map<std::tuple<int, double, double>, MotionTrace> references;
    std::vector<AuditedCase> audits;
    for (Measurement& run : runs) {
        if (run.repeat != 0) continue;
        const BenchCase& bench_case = cases[run.which];
        Audit audit;
        if (bench_case.workload == "chain") {
            audit = audit_mode(bench_case, run.trace);
        } else {
            const auto key = std::make_tuple(bench_case.size, bench_case.scene.run.duration, bench_case.step);
            if (!references.contains(key)) references[key] = reference_motion(bench_case);
            audit = audit_path(run.trace, references[key]);
        }
        run.json["audit"] = audit.json();
        audits.push_back({run.which, std::move(audit)});
    }
    return audits;
}

void write_results(const std::string& file, const std::vector<Measurement>& runs) {
    if (file.empty()) return;
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Measurement& run : runs) all.push_back(run.json);
    io::write_json(file, all);
}

int bench(const BenchOptions& options) {
    for (const Paper& paper : {goldenthal2007(), ozgen_kallmann2011(), baraff_witkin1998(), house1996()}) {
        if (paper.head.command == options.workload)
            return run_paper(paper, options.folder, options.figures, options.quick, options.threads);
    }
    if (!options.figures.empty()) {
        throw InputError(
            {"", "--figures"}, "is for papers alone", options.workload,
            "leave it out, or bench goldenthal2007, ozgen_kallmann2011, baraff_witkin1998 or house1996");
    }
    const ThreadLimit limit(options.threads);
    require_writable(options.json);
    const std::vector<BenchCase> cases = make_cases(options);
    const int repeats = options.repeats > 0 ? options.repeats : cases.size() > 1 ? repeats_when_comparing : 1;

    std::vector<Measurement> runs = measure_all(cases, options, repeats);
    const bool interrupted = runs.back().interrupted;
    std::vector<AuditedCase> audits;
    if (options.audit && !interrupted) audits = audit_all(cases, runs);
    write_results(options.json, runs);

    // Tell, with everything a figure must name.
    const std::string commit = commit_text();
    fmt::print("{}: {:g} s simulated{}, {} threads, medians of {}, taut {}{}\n\n", options.workload,
               cases.front().scene.run.duration,
               options.steps > 0 ? fmt::format(" or {} steps", options.steps) : "", thread_count(), repeats,
               library_version(), commit.empty() ? "" : ", commit " + commit);
    fmt::print("{}", result_table(cases, runs));
    if (!audits.empty()) fmt::print("\n{}", audit_table(cases, audits));
    std::fflush(stdout);

    // Say what does not count.
    bool good = !interrupted;
    for (const Measurement& run : runs) good = good && run.outcome == RunOutcome::finished && run.certified;
    for (const AuditedCase& entry : audits) good = good && entry.audit.passed;
    if (!good)
        print_error(interrupted ? "interrupted"
                                : "not every run finished, was certified and passed its gates");
    return good ? exit_good : exit_failed;
}

void add_options(CLI::App& command, BenchOptions& options) {
    command
        .add_option("WORKLOAD", options.workload,
                    "hang, hang_taut, hang_edge, hang_corner, drape, drape_polygon\nor chain; or a paper "
                    "whose experiments "
                    "are run: goldenthal2007, ozgen_kallmann2011, baraff_witkin1998 or house1996")
        ->type_name("")
        ->required();
    command
        .add_option("--size", options.sizes,
                    "Vertices along a side, links of a chain; or a list: 41,101 [the scene's]")
        ->type_name("N[,N...]");
    command.add_option("--seconds", options.seconds, "Simulated time [s] [the scene's]")->type_name("T");
    command.add_option("--steps", options.steps, "End each run after so many steps")
        ->type_name("N")
        ->check(count_between(1L, 1000000000L));
    command.add_option("--strain", options.strain, "Strain tolerance: 0.001 or 0.1% [the scene's]")
        ->type_name("TOL");
    command.add_option("--dt", options.dt, "Longest step [s]: 0.004 or 1/120 [the scene's]")->type_name("DT");
    command.add_option("--filter", options.common.filter, "Projection: stable_projection or fast_projection")
        ->type_name("NAME");
    command.add_option("--solver", options.common.solver, "Its linear solver: yarn_cg, ldlt or cholesky")
        ->type_name("NAME");
    command
        .add_option("--integrator", options.common.integrator,
                    "bdf2, midpoint, implicit_euler or symplectic_euler")
        ->type_name("NAME");
    command
        .add_option(
            "--compare", options.compare,
            "Items apart by commas; an item joins by + names of filters, solvers and integrators and\n"
            "settings strain=, dt=, size=, seconds= or path/in/scene=")
        ->type_name("A,B,...");
    command.add_option("--repeats", options.repeats, "Runs of each case [3 when comparing, else 1]")
        ->type_name("R")
        ->check(count_between(1, 1000));
    add_threads(command, options.threads);
    add_overrides(command, options.common.overrides);
    command.add_option("--json", options.json, "Write an array with one object per run")->type_name("FILE");
    command.add_flag("--quick", options.quick, "A paper: small cloths and short runs, a few minutes in all");
    command
        .add_option("--figures", options.figures,
                    "A paper: only these figures or parts: 3, 1,3 or passes [all]")
        ->type_name("N[,N...]");
    command
        .add_option("-o,--output", options.folder, "A paper: folder for its page and figures [out/papers]")
        ->type_name("DIR");
    command.add_flag("--audit", options.audit,
                     "Hold the motion against a converged run (dt/16), a chain against theory");
}

}  // namespace

void add_bench(CLI::App& app, Task& task) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App* command = app.add_subcommand("bench", "Measure workloads and compare methods at equal strain");
    add_options(*command, *options);
    command->footer(
        "What is compared runs in turn, one run of each case per repeat; times are medians, ratios are to "
        "the\n"
        "first case, set-up is timed apart. Exit code 1 if a run fails, is not certified or misses a gate.\n"
        "\n"
        "Examples:\n"
        "  taut bench hang --size 101 --dt 1/120 --strain 0.1%\n"
        "  taut bench hang --size 101 --compare stable_projection+yarn_cg,stable_projection+ldlt\n"
        "  taut bench hang --size 41,101 --compare strain=1%,strain=0.1% --json hang.json\n"
        "  taut bench hang --compare stable_projection+dt=1/120,fast_projection+symplectic_euler+dt=0.001\n"
        "  taut bench chain --size 80 --seconds 10 --audit\n"
        "  taut bench goldenthal2007 --quick");
    command->callback([&task, options] { task = [options] { return bench(*options); }; });
}

}  // namespace taut::cli

// taut calibrate: finds the stiffness of stretch springs that holds a wanted strain on a scene.
#include "calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "choices.hpp"
#include "command.hpp"
#include "errors.hpp"
#include "progress.hpp"
#include "scene_source.hpp"
#include "stop.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/base/parameter.hpp"
#include "taut/scene/build.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// A stiffness is found when the strain is within the wanted one and not below this part of it.
constexpr double close_enough = 0.8;

// Tries aim at this part of the wanted strain, so that the last one does not miss it by a hair.
constexpr double aim = 0.9;

// No try is stiffer or softer than the last one by more than this.
constexpr double largest_jump = 30;

struct CalibrateOptions {
    std::string scene, strain;
    std::vector<std::string> overrides;
    int threads = 0;
    int tries = 16;
};

CalibrationTry run_with(const scene::Scene& base, double stiffness, bool progress) {
    Choices choices;
    choices.filter = springs_method;
    choices.stiffness = stiffness;
    scene::Scene scene = with_choices(base, choices);
    // A step that fails ends the try: softer or stiffer will tell.
    scene.run.stop_on_failure = true;
    const std::unique_ptr<Simulation> simulation = scene::build(scene);
    StopSwitch stop({&stop_on_signals(), 0, false, 0});
    ProgressLine line(stderr, fmt::format("{:.4g} N", stiffness));
    std::vector<Observer*> observers{&stop};
    if (progress) observers.push_back(&line);
    const RunOutcome outcome = simulation->run(observers, [&stop] { return stop.requested(); });
    if (stop.by_signal()) throw std::runtime_error("interrupted");
    const RunTotals& totals = simulation->totals();
    const double strain = std::max(totals.warp.max, totals.weft.max);
    return {stiffness, outcome == RunOutcome::finished ? strain : NAN, totals.wall_s, totals.steps,
            totals.retries};
}

// The weight of the whole cloth over the strain: stiff enough for one yarn that carries it all.
double first_guess(const scene::Scene& scene, double strain) {
    const scene::Assembly assembly = scene::assemble(scene);
    double mass = 0;
    for (const double m : assembly.model.mass) mass += m;
    return 9.81 * mass / strain;
}

}  // namespace

Calibration calibrate_springs(const scene::Scene& scene, double strain, int most_tries, bool progress) {
    Calibration result;
    double soft = 0, stiff = INFINITY;  // too soft, stiff enough
    double stiffness = first_guess(scene, strain);
    for (int k = 0; k < most_tries; ++k) {
        const CalibrationTry tried = run_with(scene, stiffness, progress);
        result.tries.push_back(tried);
        const bool holds = tried.strain <= strain;
        if (holds) {
            stiff = std::min(stiff, stiffness);
            result.stiffness = stiff;
        } else {
            soft = std::max(soft, stiffness);
        }
        if (holds && tried.strain >= close_enough * strain) {
            result.found = true;
            return result;
        }

        // Aim by the rule of thumb, and stay between what is known.
        const double ratio = std::isfinite(tried.strain) ? tried.strain / (aim * strain) : largest_jump;
        stiffness *= std::clamp(ratio, 1 / largest_jump, largest_jump);
        if (stiffness <= soft || stiffness >= stiff) {
            stiffness = std::isfinite(stiff) ? std::sqrt(soft * stiff) : 2 * soft;
        }
    }
    // Strain may jump over the range: what holds is good enough.
    result.found = std::isfinite(stiff);
    if (!result.found) result.stiffness = soft;
    return result;
}

namespace {

int calibrate(const CalibrateOptions& options) {
    const ThreadLimit limit(options.threads);
    const scene::Scene scene = open_scene(options.scene, options.overrides);
    const double strain = wanted_strain(scene, options.strain);
    const Calibration found = calibrate_springs(scene, strain, options.tries, true);
    Table table;
    table.row({"stiffness [N]", "max strain", "steps", "retries", "stepping"});
    table.rule();
    for (const CalibrationTry& tried : found.tries) {
        table.row({fmt::format("{:.6g}", tried.stiffness),
                   std::isfinite(tried.strain) ? percent_text(tried.strain) : "failed",
                   std::to_string(tried.steps), std::to_string(tried.retries), seconds_text(tried.wall_s)});
    }
    fmt::print("{}: springs that strain {} at most\n\n{}\n", scene.name, percent_text(strain), table.text());
    if (!found.found) {
        print_error(fmt::format("no stiffness held {} in {}; the stiffest was {:.4g} N", percent_text(strain),
                                counted(options.tries, "try", "tries"), found.stiffness));
        return exit_failed;
    }
    fmt::print(
        "in a scene:  \"preset\": \"implicit_springs\", \"forces\": {{\"stiff_springs\": {{\"stiffness\": "
        "{}}}}}\n",
        number_text(found.stiffness));
    return exit_good;
}

}  // namespace

void add_calibrate(CLI::App& app, Task& task) {
    auto options = std::make_shared<CalibrateOptions>();
    CLI::App* command =
        app.add_subcommand("calibrate", "Find the stiffness of springs that holds a strain on a scene");
    command->add_option("SCENE", options->scene, "Scene file, or the name of a built-in scene")
        ->type_name("")
        ->required();
    command->add_option("--strain", options->strain, "Wanted strain: 0.01 or 1% [the scene's tolerance]")
        ->type_name("TOL");
    command->add_option("--tries", options->tries, "Most runs of the scene [16]")
        ->type_name("N")
        ->check(count_between(1, 1000));
    add_overrides(*command, options->overrides);
    add_threads(*command, options->threads);
    command->footer(
        "Replaces the filter that holds strain by stretch springs and backward Euler, and runs the scene "
        "with\n"
        "springs of different stiffness until the largest strain of all steps is within the wanted one and "
        "not\n"
        "below 0.8 of it. Nothing is written. Exit code 1 if no stiffness holds it.\n"
        "\n"
        "Examples:\n"
        "  taut calibrate chain --strain 1%\n"
        "  taut calibrate hang --strain 1% --set run/duration=0.5");
    command->callback([&task, options] { task = [options] { return calibrate(*options); }; });
}

}  // namespace taut::cli

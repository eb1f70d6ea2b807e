// taut settle: brings a scene to rest in a folder: what a run leaves, and the cloth at rest as OBJ.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "errors.hpp"
#include "run_folder.hpp"
#include "scene_run.hpp"
#include "scene_source.hpp"
#include "settle_time.hpp"
#include "stop.hpp"
#include "taut/base/parallel.hpp"
#include "taut/sim/settle.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;

struct SettleOptions {
    std::string scene, folder;
    std::vector<std::string> overrides;
    std::string damping = "kinetic";
    SettleSettings settings;
    double at = -1;  // [s]; negative: as the scene has it
    int threads = 0;
    bool strict = false, quiet = false;
};

// Tells on a terminal how far the way down is.
class SettleLine final : public Observer {
public:
    explicit SettleLine(bool shown) : shown_(shown && is_terminal(stderr)) {}
    ~SettleLine() override { clear(); }
    void step(const Simulation& simulation, const StepReport& report) override {
        const auto now = Clock::now();
        if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        fmt::print(stderr, "\r\x1b[K{} steps  t {:.2f} s  energy {:.6g} J, of motion {:.3g} J",
                   simulation.totals().steps, simulation.clock(), report.energy(), report.kinetic);
        std::fflush(stderr);
        drawn_ = true;
    }
    void end(const Simulation&) override { clear(); }

private:
    using Clock = std::chrono::steady_clock;
    void clear() {
        if (drawn_) fmt::print(stderr, "\r\x1b[K");
        drawn_ = false;
    }
    bool shown_, drawn_ = false;
    Clock::time_point last_{};
};

// Everything that can be refused is refused here, before the first byte is written.
SceneRun prepare(SettleOptions& options) {
    scene::Scene scene = open_scene(options.scene, options.overrides);
    const fs::path path =
        options.folder.empty() ? default_folder(scene.name + "_settled") : fs::path(options.folder);
    const RunFolder folder = usable_folder(path);
    keep_source(options.scene, folder);
    scene.output.checkpoint_frames = 0;
    scene.preview.frame = -1;
    if (options.strict) scene.run.stop_on_failure = true;
    options.settings.at = options.at >= 0 ? options.at : settle_time(scene);
    // The effective scene ends where its clock stands.
    scene.run.duration = std::max(options.settings.at, 1 / scene.run.fps);
    options.settings.damping = options.damping == "kinetic" ? SettleDamping::kinetic : SettleDamping::viscous;
    return prepare_run(std::move(scene), folder);
}

std::string settled_text(const SettleReport& report, const SceneRun& run) {
    std::string text = fmt::format("{}: {} after {}, {:.4g} s of motion, {}\n\n", run.scene.name,
                                   report.at_rest() ? "AT REST" : "NOT AT REST",
                                   counted(report.steps, "step"), report.time, seconds_text(report.seconds));
    const auto line = [&text](const char* name, const std::string& value) {
        text += fmt::format("{:<12}{}\n", name, value);
    };
    line("residual",
         fmt::format("{:.3g} g, root mean square; {:.3g} g at {}", report.residual, report.residual_most,
                     report.residual_vertex < 0
                         ? std::string("no vertex")
                         : vertex_name(run.simulation->model(), report.residual_vertex)));
    line("motion", fmt::format("{:.3g} mm in a step from rest", 1e3 * report.moved));
    line("steps",
         fmt::format("{}, {} retries, {} stops of cloths", report.steps, report.retries, report.stops));
    line("energy", fmt::format("{:.8g} J", report.energy));
    line("strain", percent_text(report.strain));
    line("state", run.simulation->state_hash());
    return text;
}

void print_end(const SceneRun& run, const SettleReport& report, bool quiet) {
    if (!quiet) {
        const RunFolder& folder = run.folder;
        fmt::print("{}\n", settled_text(report, run));
        fmt::print("viewer   {}   (open it in a browser)\n", folder.view().string());
        fmt::print("picture  {}\n", folder.preview().string());
        fmt::print("cloth    {}\n", folder.settled().string());
        fmt::print("numbers  {}, steps.csv, scene.json, cache.taut\n", folder.report().string());
        std::fflush(stdout);
    }
    if (report.at_rest()) return;
    if (report.outcome == SettleOutcome::interrupted) {
        fmt::print(stderr, "taut: interrupted\n");
    } else {
        print_error(report.note);
    }
}

int settle_scene(SettleOptions options) {
    const ThreadLimit limit(options.threads);
    SceneRun run = prepare(options);
    print_findings(run, options.quiet);
    StopSwitch stop({&stop_on_signals(), 0, options.strict, 0});
    SettleLine line(!options.quiet);
    SettleReport report;
    const Settling settling{&options.settings, &report};
    run_into_folder(run, stop, {{}, {&line}, &settling});
    print_end(run, report, options.quiet);
    return report.at_rest() && !stop.by_strict() ? exit_good : exit_failed;
}

void add_limits(CLI::App& command, SettleOptions& options) {
    SettleSettings& settings = options.settings;
    command
        .add_option("--tolerance", settings.tolerance,
                    "Residual at which it is at rest, part of 9.81 m/s^2 [0.001]")
        ->type_name("R")
        ->check(CLI::Range(1e-12, 1.0).description(""));
    command
        .add_option("--still", settings.still,
                    "Most that a vertex moves in a step from rest, part of the mean edge [0.01]")
        ->type_name("S")
        ->check(CLI::Range(1e-12, 1.0).description(""));
    command.add_option("--max-steps", settings.max_steps, "Give up after so many steps [20000]")
        ->type_name("N")
        ->check(count_between(1, 1000000000));
    command.add_option("--max-seconds", settings.max_seconds, "Give up after so long a time of computing")
        ->type_name("T")
        ->check(CLI::Range(1e-3, 1e9).description(""));
}

}  // namespace

void add_settle(CLI::App& app, Task& task) {
    auto options = std::make_shared<SettleOptions>();
    CLI::App* command = app.add_subcommand("settle", "Bring a scene to rest");
    command->add_option("SCENE", options->scene, "Scene file, or the name of a built-in scene")
        ->type_name("")
        ->required();
    command->add_option("-o,--output", options->folder, "Folder to write [out/NAME_settled]")
        ->type_name("DIR");
    add_overrides(*command, options->overrides);
    add_threads(*command, options->threads);
    command
        ->add_option("--at", options->at,
                     "Follow the scene so long, then pins and obstacles stand [0; the duration where "
                     "anything moves]")
        ->type_name("T")
        ->check(CLI::Range(0.0, 1e6).description(""));
    add_limits(*command, *options);
    command
        ->add_option("--damping", options->damping,
                     "kinetic: stop cloths where they are fastest; viscous: a rate [kinetic]")
        ->type_name("HOW")
        ->check(CLI::IsMember({"kinetic", "viscous"}).description(""));
    command->add_option("--rate", options->settings.rate, "Rate of viscous damping, 1/s [4]")
        ->type_name("R")
        ->check(CLI::Range(1e-6, 1e6).description(""));
    command->add_option("--probe", options->settings.probe, "Time for which the cloth is let go, s [0.1]")
        ->type_name("T")
        ->check(CLI::Range(1e-4, 10.0).description(""));
    command->add_flag("--strict", options->strict, "A missed promise ends it at once; exit code 1");
    command->add_flag("--quiet", options->quiet, "Print nothing but errors");
    command->footer(
        "Leaves what a run leaves, with frames of the way down, and settled.obj, the cloth at rest; one file "
        "for each\n"
        "cloth besides where there are several. Start a scene from it with\n"
        "  \"initial\": {\"type\": \"obj\", \"file\": \"out/hang_settled/settled.obj\"}\n"
        "Exit codes: 0 at rest, 1 not at rest, failed or interrupted, 2 bad input.\n"
        "\n"
        "Examples:\n"
        "  taut settle hang\n"
        "  taut settle my.json -o out/rest --tolerance 1e-4\n"
        "  taut settle curtain_rail --at 2 --max-seconds 60");
    command->callback([&task, options] { task = [options] { return settle_scene(*options); }; });
}

}  // namespace taut::cli

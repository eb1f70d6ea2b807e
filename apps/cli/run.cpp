// taut run: simulates a scene into a folder: cache, report, rows of steps, effective scene, viewer
// page, picture, checkpoints. Ctrl-C ends it cleanly; --resume goes on bitwise.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "build_info.hpp"
#include "command.hpp"
#include "errors.hpp"
#include "progress.hpp"
#include "run_folder.hpp"
#include "scene_source.hpp"
#include "stop.hpp"
#include "summary.hpp"
#include "taut/base/hash.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/cache_recorder.hpp"
#include "taut/io/checkpoint.hpp"
#include "taut/io/report.hpp"
#include "taut/io/steps_csv.hpp"
#include "taut/scene/build.hpp"
#include "taut/scene/check.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct RunOptions {
    std::string scene, folder;
    std::vector<std::string> overrides;
    int threads = 0;
    int frames = 0;
    bool strict = false, resume = false, quiet = false, pc2 = false, obj = false;
};

// A scene ready to run, and where it goes.
struct Prepared {
    scene::Scene scene;
    std::vector<collision::Obstacle> obstacles;
    std::vector<scene::Finding> findings;
    std::unique_ptr<Simulation> simulation;
    std::string effective;  // JSON text
    std::uint64_t fingerprint = 0;
    RunFolder folder;
    long keep_frames = -1;  // of the cache when resuming
    long keep_steps = -1;
    double setup_s = 0;
};

std::string json_text(const scene::Json& json) {
    return json.dump(2, ' ', false, scene::Json::error_handler_t::replace) + "\n";
}

template <class T>
std::uint64_t hash_array(const std::vector<T>& values, std::uint64_t seed) {
    return hash_bytes(values.data(), values.size() * sizeof(T), seed);
}

// What the motion depends on: the effective scene without its length, its outputs, its words and where
// its files lie, and the cloth as it starts. Runs with the same fingerprint pass through the same states.
std::uint64_t motion_fingerprint(scene::Json effective, const Model& model, const State& start) {
    for (const char* key : {"name", "description", "output"}) effective.erase(key);
    effective["run"].erase("duration");
    for (scene::Json& cloth : effective["cloths"]) {
        cloth.erase("file");
        cloth.erase("density_per_vertex");
        if (cloth["initial"].is_object()) cloth["initial"].erase("file");
    }
    std::uint64_t hash = io::scene_fingerprint(effective.dump());
    hash = hash_array(model.rest, hash);
    hash = hash_array(model.mass, hash);
    hash = hash_array(model.rest_length, hash);
    hash = hash_array(start.x, hash);
    return hash_array(start.v, hash);
}

scene::Scene read_scene(const RunOptions& options) {
    scene::Scene scene = open_scene(options.scene, options.overrides);
    if (options.frames > 0) scene.run.duration = options.frames / scene.run.fps;
    if (options.strict) scene.run.stop_on_failure = true;
    scene.output.pc2 = scene.output.pc2 || options.pc2;
    scene.output.obj = scene.output.obj || options.obj;
    return scene;
}

// out/NAME, with everything in the name that could lead elsewhere made harmless.
fs::path default_folder(std::string name) {
    for (char& c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '-' || c == '_';
        if (!plain) c = '_';
    }
    return fs::path("out") / (name.empty() ? "scene" : name);
}

// Refuses to overwrite the scene that is being read.
void keep_source(const std::string& source, const RunFolder& folder) {
    std::error_code error;
    if (fs::equivalent(source, folder.scene(), error)) {
        throw InputError({source, "-o"}, "the run would overwrite the scene it is made from", "",
                         "choose another folder with -o, or continue that run with --resume");
    }
}

void restore(Prepared& run, bool quiet) {
    const io::LoadedCheckpoint loaded = io::load_checkpoint(run.folder.path, run.fingerprint);
    io::restore_checkpoint(*run.simulation, loaded.checkpoint);
    run.keep_frames = io::recorded_frames(run.simulation->progress());
    run.keep_steps = run.simulation->totals().steps;
    if (!loaded.note.empty()) print_warning(loaded.note);
    if (!quiet) {
        fmt::print(stderr, "resuming after {} steps, at {:.4g} s, from {}\n", run.keep_steps,
                   run.simulation->state().t, loaded.file.string());
    }
}

// Everything that can be refused is refused here, before the first byte is written.
Prepared prepare(const RunOptions& options) {
    const auto start = Clock::now();
    Prepared run;
    run.scene = read_scene(options);
    const fs::path path = options.folder.empty() ? default_folder(run.scene.name) : fs::path(options.folder);
    run.folder = options.resume ? existing_run(path) : usable_folder(path);
    if (!options.resume) keep_source(options.scene, run.folder);

    scene::Assembly assembly = scene::assemble(run.scene);
    run.findings = scene::run_check(run.scene, assembly);
    run.obstacles = assembly.obstacles;
    run.simulation = scene::build(run.scene, std::move(assembly));
    const scene::Json effective = scene::effective_json(run.scene);
    run.effective = json_text(effective);
    run.fingerprint = motion_fingerprint(effective, run.simulation->model(), run.simulation->state());
    if (options.strict && !std::isfinite(run.simulation->tolerance())) {
        throw InputError({run.scene.file, "/filters"},
                         "--strict asks for a certificate, but no filter promises a strain", "",
                         "add stable_projection to the filters, or leave --strict out");
    }
    if (options.resume) restore(run, options.quiet);
    run.setup_s = std::chrono::duration<double>(Clock::now() - start).count();
    return run;
}

void print_findings(const Prepared& run, bool quiet) {
    for (const scene::Finding& finding : run.findings) {
        if (finding.severity == scene::Severity::note || quiet) continue;
        print_warning(finding.text + (finding.pointer.empty() ? "" : " (at " + finding.pointer + ")") +
                      (finding.remedy.empty() ? "" : "; " + finding.remedy));
    }
}

// Everyone who writes during the run; checkpoints come last, when the others have written.
std::vector<std::unique_ptr<Observer>> make_recorders(Prepared& run) {
    std::vector<std::unique_ptr<Observer>> recorders;
    const RunFolder& folder = run.folder;
    const io::CacheHeader header = io::make_cache_header(*run.simulation, run.obstacles,
                                                         {library_version(), run.scene.name, run.effective});
    std::vector<fs::path> files{folder.cache(), folder.steps()};
    recorders.push_back(std::make_unique<io::CacheRecorder>(folder.cache(), header, run.keep_frames));
    recorders.push_back(std::make_unique<io::StepsCsv>(folder.steps(), run.keep_steps));
    if (run.scene.output.pc2) {
        recorders.push_back(
            std::make_unique<io::Pc2Recorder>(folder.pc2(), run.simulation->model(), run.keep_frames));
        files.push_back(folder.pc2());
    }
    if (run.scene.output.obj) {
        recorders.push_back(std::make_unique<io::ObjRecorder>(folder.obj_frames(), run.simulation->model()));
    }
    if (run.scene.output.checkpoint_frames > 0) {
        recorders.push_back(std::make_unique<io::Checkpointer>(*run.simulation, folder.path, run.fingerprint,
                                                               run.scene.output.checkpoint_frames, files));
    }
    return recorders;
}

// Runs with all observers. What cannot be written on the way ends the run as failed, not as bad input.
RunOutcome simulate(Prepared& run, std::vector<Observer*> observers, StopSwitch& stop, bool quiet) {
    observers.push_back(&stop);
    ProgressLine progress(stderr, run.scene.name);
    if (!quiet) observers.push_back(&progress);
    try {
        return run.simulation->run(observers, stop.flag());
    } catch (const InputError& error) {
        throw std::runtime_error(std::string("the run ended where it could not write: ") + error.what());
    }
}

void print_end(const Prepared& run, const io::ReportContext& context, const RunOptions& options,
               const StopSwitch& stop) {
    if (!options.quiet) {
        const RunFolder& folder = run.folder;
        fmt::print("{}\n", summary_text(*run.simulation, context));
        fmt::print("viewer   {}   (open it in a browser)\n", folder.view().string());
        fmt::print("picture  {}\n", folder.preview().string());
        fmt::print("numbers  {}, steps.csv, scene.json, cache.taut{}{}\n", folder.report().string(),
                   run.scene.output.pc2 ? ", cloth.pc2" : "", run.scene.output.obj ? ", frames/*.obj" : "");
        std::fflush(stdout);
    }
    if (context.outcome == RunOutcome::failed || stop.by_strict()) {
        const std::string& reason = run.simulation->failure();
        print_error("the run failed" +
                    (reason.empty() ? std::string(": a step missed its promise") : ": " + reason));
    } else if (context.outcome == RunOutcome::interrupted) {
        fmt::print(stderr, "taut: interrupted; continue with the same command and --resume\n");
    } else if (!certified(*run.simulation) && std::isfinite(run.simulation->tolerance())) {
        print_warning(certificate_text(*run.simulation));
    }
}

int run_scene(const RunOptions& options) {
    const ThreadLimit limit(options.threads);
    Prepared run = prepare(options);
    print_findings(run, options.quiet);
    if (!options.resume) clear_folder(run.folder);
    const auto recorders = make_recorders(run);
    io::write_file(run.folder.scene(), run.effective);

    // Run.
    std::vector<Observer*> observers;
    for (const auto& recorder : recorders) observers.push_back(recorder.get());
    StopSwitch stop({&stop_on_signals(), 0, options.strict});
    io::ReportContext context{library_version(), run.scene.name, run.setup_s, thread_count(),
                              RunOutcome::failed};
    context.outcome = simulate(run, std::move(observers), stop, options.quiet);
    if (stop.by_strict()) context.outcome = RunOutcome::failed;

    // Leave report, page and picture, however the run ended.
    io::write_json(run.folder.report(), io::make_report(*run.simulation, context));
    write_view(run.folder, run.folder.view());
    write_preview(run.folder, run.scene.preview);
    print_end(run, context, options, stop);
    const bool good =
        context.outcome == RunOutcome::finished && (!options.strict || certified(*run.simulation));
    return good ? exit_good : exit_failed;
}

}  // namespace

void add_run(CLI::App& app, Task& task) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Simulate a scene into a folder");
    command->add_option("SCENE", options->scene, "Scene file, or the name of a built-in scene")
        ->type_name("")
        ->required();
    command->add_option("-o,--output", options->folder, "Folder to write [out/NAME]")->type_name("DIR");
    command
        ->add_option("--set", options->overrides, "Change a value of the scene: path=value; may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command->add_option("--threads", options->threads, "Threads; results do not depend on it [one per core]")
        ->type_name("N")
        ->check(count_between(1, 4096));
    command->add_option("--frames", options->frames, "Run so many frames instead of the scene's duration")
        ->type_name("N")
        ->check(count_between(1, 100000000));
    command->add_flag("--strict", options->strict, "A missed promise ends the run at once, with exit code 1");
    command->add_flag("--resume", options->resume, "Go on from the newest checkpoint in the folder");
    command->add_flag("--pc2", options->pc2, "Write cloth.pc2 as well, a point cache for modelling programs");
    command->add_flag("--obj", options->obj, "Write frames/frame_*.obj as well");
    command->add_flag("--quiet", options->quiet, "Print nothing but errors");
    command->footer(
        "Leaves view.html, preview.png, report.json, steps.csv, scene.json (every default resolved), "
        "cache.taut\n"
        "and checkpoints in the folder. Ctrl-C ends the run after the current step; the same command with\n"
        "--resume continues it bitwise. Values are SI: lengths [m], times [s], masses [kg], strain [1].\n"
        "Exit codes: 0 good, 1 failed or interrupted, 2 bad input.\n"
        "\n"
        "Examples:\n"
        "  taut run hang\n"
        "  taut run my.json -o out/try --set run/dt=0.004 --set filters/stable_projection/tolerance=0.0001\n"
        "  taut run my.json --frames 30 --strict\n"
        "  taut run my.json --resume");
    command->callback([&task, options] { task = [options] { return run_scene(*options); }; });
}

}  // namespace taut::cli

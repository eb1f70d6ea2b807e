// taut run: simulates a scene into a folder: cache, report, rows of steps, effective scene, viewer
// page, picture, checkpoints. Ctrl-C ends it cleanly; --resume goes on bitwise.
#include <fmt/format.h>

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
#include "scene_run.hpp"
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

struct RunOptions {
    std::string scene, folder;
    std::vector<std::string> overrides;
    int threads = 0;
    int frames = 0;
    bool strict = false, resume = false, quiet = false, pc2 = false, obj = false, cache_steps = false;
};

scene::Scene read_scene(const RunOptions& options) {
    scene::Scene scene = open_scene(options.scene, options.overrides);
    if (options.frames > 0) scene.run.duration = options.frames / scene.run.fps;
    if (options.strict) scene.run.stop_on_failure = true;
    scene.output.pc2 = scene.output.pc2 || options.pc2;
    scene.output.obj = scene.output.obj || options.obj;
    scene.output.cache_steps = scene.output.cache_steps || options.cache_steps;
    return scene;
}

// Goes on from the checkpoint; a run that was stopped in its first step begins anew.
void restore(SceneRun& run, bool quiet) {
    const io::LoadedCheckpoint loaded = io::load_checkpoint(run.folder.path, run.fingerprint);
    const long steps = loaded.checkpoint.totals.steps;
    if (steps > 0) {
        io::restore_checkpoint(*run.simulation, loaded.checkpoint);
        run.keep_frames = io::recorded_frames(run.simulation->progress());
        run.keep_steps = steps;
    }
    if (!loaded.note.empty()) print_warning(loaded.note);
    if (!quiet) {
        fmt::print(stderr, "resuming after {} steps, at {:.4g} s, from {}\n", steps,
                   run.simulation->state().t, loaded.file.string());
    }
}

// Goes on recording steps where the run has so far; refuses to begin with it in the middle.
void choose_step_cache(const RunFolder& folder, const std::string& file, scene::OutputParams& output) {
    std::error_code error;
    const bool recorded = fs::is_regular_file(folder.step_cache(), error);
    if (output.cache_steps && !recorded) {
        throw InputError({file, "/output/cache_steps"},
                         "the run to be resumed has not recorded its steps: steps.taut is missing", "",
                         "resume without recording steps, or run the scene again from its start");
    }
    output.cache_steps = recorded;
}

// Everything that can be refused is refused here, before the first byte is written.
SceneRun prepare(const RunOptions& options) {
    scene::Scene scene = read_scene(options);
    const fs::path path = options.folder.empty() ? default_folder(scene.name) : fs::path(options.folder);
    const RunFolder folder = options.resume ? existing_run(path) : usable_folder(path);
    if (!options.resume) keep_source(options.scene, folder);
    if (options.resume) choose_step_cache(folder, scene.file, scene.output);
    SceneRun run = prepare_run(std::move(scene), folder);
    if (options.strict && !std::isfinite(run.simulation->tolerance())) {
        throw InputError({run.scene.file, "/filters"},
                         "--strict asks for a certificate, but no filter promises a strain", "",
                         "add stable_projection to the filters, or leave --strict out");
    }
    if (options.resume) restore(run, options.quiet);
    return run;
}

void print_end(const SceneRun& run, const io::ReportContext& context, const RunOptions& options,
               const StopSwitch& stop) {
    if (!options.quiet) {
        const RunFolder& folder = run.folder;
        fmt::print("{}\n", summary_text(*run.simulation, context));
        if (!run.simulation->start_note().empty()) fmt::print("start    {}\n", run.simulation->start_note());
        fmt::print("viewer   {}   (open it in a browser)\n", folder.view().string());
        fmt::print("picture  {}\n", folder.preview().string());
        std::error_code error;
        fmt::print("numbers  {}, steps.csv, scene.json, cache.taut{}{}{}{}\n", folder.report().string(),
                   fs::exists(folder.correction_maps(), error) ? ", correction_maps.json" : "",
                   run.scene.output.cache_steps ? ", steps.taut" : "",
                   run.scene.output.pc2 ? ", cloth.pc2" : "", run.scene.output.obj ? ", frames/*.obj" : "");
        if (context.outcome == RunOutcome::failed && !run.simulation->failure_faces().empty())
            fmt::print("failure  {}   (where it failed)\n", folder.failure().string());
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
    } else if (run.simulation->totals().intersections_end > 0) {
        print_warning(fmt::format("the run ends with {}; `taut verify {}` tells where",
                                  counted(run.simulation->totals().intersections_end, "intersection"),
                                  run.folder.path.string()));
    }
}

int run_scene(const RunOptions& options) {
    const ThreadLimit limit(options.threads);
    SceneRun run = prepare(options);
    print_findings(run, options.quiet);
    StopSwitch stop({&stop_on_signals(), 0, options.strict, 0});
    const io::ReportContext context =
        run_into_folder(run, stop, {options.quiet ? std::string() : run.scene.name, {}});
    print_end(run, context, options, stop);
    const bool kept = certified(*run.simulation) && run.simulation->totals().intersections_end == 0;
    const bool good = context.outcome == RunOutcome::finished && (!options.strict || kept);
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
    add_overrides(*command, options->overrides);
    add_threads(*command, options->threads);
    command->add_option("--frames", options->frames, "Run so many frames instead of the scene's duration")
        ->type_name("N")
        ->check(count_between(1, 100000000));
    command->add_flag(
        "--strict", options->strict,
        "A missed promise ends the run at once; exit code 1, also where the last state intersects");
    command->add_flag("--resume", options->resume, "Go on from the newest checkpoint in the folder");
    command->add_flag("--pc2", options->pc2, "Write cloth.pc2 as well, a point cache for modelling programs");
    command->add_flag("--obj", options->obj, "Write frames/frame_*.obj as well");
    command->add_flag("--cache-steps", options->cache_steps,
                      "Write steps.taut as well, every step for `taut verify`");
    command->add_flag("--quiet", options->quiet, "Print nothing but errors");
    command->footer(
        "Leaves view.html, preview.png, report.json, steps.csv, scene.json (every default resolved), "
        "cache.taut\n"
        "and checkpoints in the folder. Ctrl-C ends the run at its last whole step; the same command with\n"
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

// taut compare: runs one scene once per method, each at the same permissible strain, and leaves one page with
// the animations side by side, a table and plots.
#include "compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "calibrate.hpp"
#include "choices.hpp"
#include "command.hpp"
#include "errors.hpp"
#include "scene_run.hpp"
#include "scene_source.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/atomic_file.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;

// A step that misses the strain is halved so often; methods that cannot reach it would else spend a thousand
// times as long before they go on.
constexpr int most_halvings = 4;

struct CompareOptions {
    std::string scene, filters, strain, folder, limit;
    std::vector<std::string> overrides;
    int threads = 0, frames = 0;
};

// What is compared, with the folder of each.
struct Item {
    std::string name;
    scene::Scene scene;
    RunFolder folder;
    double stiffness = 0;
};

fs::path item_folder(const fs::path& folder, const std::string& name) {
    return folder / default_folder(name).filename();
}

// The folder must be absent, empty, or hold an earlier comparison.
void require_usable(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) return;
    if (!fs::is_directory(folder, error)) {
        throw InputError({folder.string(), "-o"}, "this is a file, not a folder", "",
                         "choose another folder with -o");
    }
    if (!fs::is_empty(folder, error) && !fs::exists(folder / "compare.html", error)) {
        throw InputError({folder.string(), "-o"}, "this folder holds something that is not a comparison", "",
                         "choose another folder with -o; nothing was touched");
    }
}

std::vector<Item> make_items(const CompareOptions& options, const scene::Scene& base, double strain,
                             const fs::path& folder) {
    std::vector<Item> items;
    std::set<std::string> seen;
    for (const std::string& name : split(options.filters, ',')) {
        if (!seen.insert(item_folder(folder, name).string()).second) {
            throw InputError({"", "--filters"}, "this item is there twice", name, "say each one once");
        }
        Choices common;
        common.strain = strain;
        const Choices choices = read_choices(common, name);
        Item item{name, with_choices(base, choices), usable_folder(item_folder(folder, name)), 0};
        item.scene.run.max_halvings = std::min(item.scene.run.max_halvings, most_halvings);
        item.scene.run.stop_on_failure = false;
        items.push_back(std::move(item));
    }
    return items;
}

// Springs get the stiffness that holds the strain, as far as one does.
void calibrate_item(Item& item, double strain) {
    if (strain_filter(item.scene).name != springs_method) return;
    fmt::print(stderr, "{}: looking for the stiffness that holds {}\n", item.name, percent_text(strain));
    const Calibration found = calibrate_springs(item.scene, strain, calibration_tries, true);
    if (!found.found)
        print_warning(fmt::format("no stiffness of {} holds {}", item.name, percent_text(strain)));
    item.stiffness = found.stiffness;
    Choices choices;
    choices.filter = springs_method;
    choices.stiffness = found.stiffness;
    item.scene = with_choices(item.scene, choices);
}

ComparedRun run_item(Item& item, double strain, double limit_s) {
    calibrate_item(item, strain);
    ComparedRun result;
    result.name = item.name;
    result.folder = item.folder;
    result.stiffness = item.stiffness;
    SceneRun run = prepare_run(item.scene, item.folder);
    StopSwitch stop({&stop_on_signals(), 0, false, limit_s});
    FrameTracer tracer(result.trace);
    const io::ReportContext context = run_into_folder(run, stop, {item.name, {&tracer}});

    // Take what the table needs; the simulation goes.
    const Simulation& simulation = *run.simulation;
    result.outcome = context.outcome;
    result.timed_out = stop.by_time();
    result.totals = simulation.totals();
    result.failure = simulation.failure();
    result.simulated_s = simulation.state().t;
    result.strain = std::max(result.totals.warp.max, result.totals.weft.max);
    long warp = 0, all = 0;
    for (const mesh::Edge& edge : simulation.model().edges) {
        warp += edge.direction == mesh::Direction::warp ? 1 : 0;
        all += edge.direction == mesh::Direction::none ? 0 : 1;
    }
    const double share = all > 0 ? static_cast<double>(warp) / static_cast<double>(all) : 0;
    result.mean_strain = share * result.totals.warp.mean + (1 - share) * result.totals.weft.mean;
    result.reached =
        context.outcome == RunOutcome::finished && result.totals.failed_steps == 0 && result.strain <= strain;
    const double frame = 1 / item.scene.run.fps;
    result.step = frame / std::max(1.0, std::ceil(frame / item.scene.run.dt * (1 - 1e-12)));
    return result;
}

int compare(const CompareOptions& options) {
    const ThreadLimit limit(options.threads);

    // Refuse what can be refused before hours of work.
    scene::Scene base = open_scene(options.scene, options.overrides);
    if (options.frames > 0) base.run.duration = options.frames / base.run.fps;
    const double strain = wanted_strain(base, options.strain);
    const double limit_s = options.limit.empty() ? 0 : read_number("--limit", options.limit);
    const fs::path folder =
        options.folder.empty() ? default_folder(base.name + "_compare") : fs::path(options.folder);
    require_usable(folder);
    std::vector<Item> items = make_items(options, base, strain, folder);
    io::make_folder(folder);

    // Run one after the other; a signal ends them all, and what there is is shown.
    Comparison all{base.name, strain, 0, {}};
    bool interrupted = false;
    for (Item& item : items) {
        all.runs.push_back(run_item(item, strain, limit_s));
        const ComparedRun& last = all.runs.back();
        fmt::print(stderr, "{}: {} in {}\n", item.name, last.verdict(strain),
                   seconds_text(last.totals.wall_s));
        interrupted = last.outcome == RunOutcome::interrupted && !last.timed_out;
        if (interrupted) break;
    }
    all.vertices = static_cast<int>(scene::assemble(base).model.vertex_count());
    write_comparison(folder, all);

    Table table;
    for (const auto& row : compare_table(all)) {
        table.row(row);
        if (row[0] == "method") table.rule();
    }
    fmt::print("{}\npage     {}   (open it in a browser)\nnumbers  {}, compare.csv; plots beside them\n",
               table.text(), (folder / "compare.html").string(), (folder / "compare.json").string());
    std::fflush(stdout);
    if (interrupted) print_error("interrupted");
    return interrupted ? exit_failed : exit_good;
}

}  // namespace

void add_compare(CLI::App& app, Task& task) {
    auto options = std::make_shared<CompareOptions>();
    options->filters = "stable_projection,fast_projection,strain_limit_gauss_seidel,xpbd";
    CLI::App* command =
        app.add_subcommand("compare", "Run a scene once per method and show them side by side");
    command->add_option("SCENE", options->scene, "Scene file, or the name of a built-in scene")
        ->type_name("")
        ->required();
    command
        ->add_option(
            "--filters", options->filters,
            "Methods apart by commas; one may join by + solvers, integrators and settings such as\n"
            "dt=1/500 or a path/in/scene=value; stiff_springs stands for springs and backward Euler\n"
            "[stable_projection,fast_projection,strain_limit_gauss_seidel,xpbd]")
        ->type_name("A,B,...");
    command->add_option("--strain", options->strain, "Permissible strain of all: 0.001 or 0.1% [the scene's]")
        ->type_name("TOL");
    command->add_option("-o,--output", options->folder, "Folder to write [out/NAME_compare]")
        ->type_name("DIR");
    command->add_option("--limit", options->limit, "Most seconds of computing per method [none]")
        ->type_name("S");
    command->add_option("--frames", options->frames, "Run so many frames instead of the scene's duration")
        ->type_name("N")
        ->check(count_between(1, 100000000));
    add_overrides(*command, options->overrides);
    add_threads(*command, options->threads);
    command->footer(
        "Leaves compare.html (animations in step, table, plots), compare.csv, compare.json, the plots as SVG "
        "and\n"
        "PNG, and a run folder for every method. A method that cannot hold the strain is shown as such with "
        "what\n"
        "it reached. Exit codes: 0 all ran, whatever they reached; 1 interrupted; 2 bad input.\n"
        "\n"
        "Examples:\n"
        "  taut compare hang --filters stable_projection,xpbd --strain 1%\n"
        "  taut compare drape --filters stable_projection,fast_projection+symplectic_euler+dt=0.001,icd\n"
        "  taut compare chain --filters stable_projection,stiff_springs --strain 1% --limit 60");
    command->callback([&task, options] { task = [options] { return compare(*options); }; });
}

}  // namespace taut::cli

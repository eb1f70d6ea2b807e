// One measured run of a case: nothing is written, set-up and stepping are timed apart.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "bench.hpp"
#include "build_info.hpp"
#include "progress.hpp"
#include "stop.hpp"
#include "summary.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/report.hpp"
#include "taut/scene/build.hpp"

namespace taut::cli {

namespace {

using Clock = std::chrono::steady_clock;

// Gives memory of earlier runs back and starts the count of the largest resident size afresh, so that
// runs of one invocation can be told apart. Where the system does not allow it the count just goes on.
void forget_peak_memory() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";
}

void fill_json(const BenchCase& bench_case, const io::ReportContext& context, const Simulation& simulation,
               Measurement& result) {
    auto& json = result.json;
    json = io::make_report(simulation, context);
    json["workload"] = bench_case.workload;
    json["label"] = bench_case.label;
    json["size"] = bench_case.size;
    json["dt"] = bench_case.dt;
    json["step_s"] = bench_case.step;
    json["filter"] = bench_case.filter;
    json["solver"] = bench_case.solver;
    json["integrator"] = bench_case.scene.integrator.entry->name;
    json["seconds"] = bench_case.scene.run.duration;
    json["simulated_s"] = simulation.state().t;
    json["repeat"] = result.repeat;
    const RunTotals& totals = result.totals;
    json["steps_per_second"] = totals.wall_s > 0 ? static_cast<double>(totals.steps) / totals.wall_s : 0;
    json["cost_per_vertex_newton_ns"] = result.cost_ns;
    const std::string commit = commit_text();
    if (!commit.empty()) json["commit"] = commit;
}

}  // namespace

Measurement measure(const BenchCase& bench_case, const MeasureOptions& options) {
    forget_peak_memory();
    Measurement result;

    // Set up.
    const auto start = Clock::now();
    const std::unique_ptr<Simulation> simulation = scene::build(bench_case.scene);
    result.setup_s = std::chrono::duration<double>(Clock::now() - start).count();

    // Step.
    StopSwitch stop({&stop_on_signals(), options.steps, false, 0});
    TraceRecorder recorder(result.trace);
    ProgressLine progress(stderr, options.label, options.steps);
    std::vector<Observer*> observers{&stop};
    if (options.trace) observers.push_back(&recorder);
    if (options.progress) observers.push_back(&progress);
    result.outcome = simulation->run(observers, [&stop] { return stop.requested(); });
    result.interrupted = stop.by_signal();
    if (stop.by_steps() && !stop.by_signal()) result.outcome = RunOutcome::finished;

    // Count.
    result.totals = simulation->totals();
    result.wall_s = result.totals.wall_s;
    result.vertices = simulation->model().vertex_count();
    result.certified = certified(*simulation);
    result.failure = simulation->failure();
    const double work =
        static_cast<double>(result.vertices) * static_cast<double>(result.totals.projection_iterations);
    result.cost_ns = work > 0 ? 1e9 * result.wall_s / work : 0;
    fill_json(bench_case,
              {library_version(), bench_case.scene.name, result.setup_s, thread_count(), result.outcome},
              *simulation, result);
    return result;
}

}  // namespace taut::cli

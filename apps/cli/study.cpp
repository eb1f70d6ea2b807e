// The tools of a study.
#include "study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "build_info.hpp"
#include "calibrate.hpp"
#include "stop.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/cache_recorder.hpp"
#include "taut/scene/build.hpp"

namespace taut::cli {

namespace {

// A rung is cut off when it has taken so much longer than the best one.
constexpr double slack = 1.15;

// Smaller is better: what holds the strain by its time, then what came furthest, then what strained least.
bool better(const TimedRun& a, const TimedRun& b) {
    if (a.reached != b.reached) return a.reached;
    if (a.reached) return a.seconds < b.seconds;
    if (a.capped != b.capped) return a.capped;
    if (a.capped) return a.simulated > b.simulated;
    return a.strain < b.strain;
}

// Runs the scene as it is and fills in what came out.
void measure_run(scene::Scene scene, double strain, const RunLimits& limits, TimedRun& result) {
    scene.run.stop_on_failure = true;
    const std::unique_ptr<Simulation> simulation = scene::build(scene);
    StopSwitch stop({&stop_on_signals(), 0, false, limits.cap_s});
    TraceRecorder recorder(result.motion);
    std::vector<Observer*> observers{&stop, &recorder};
    observers.insert(observers.end(), limits.observers.begin(), limits.observers.end());
    const RunOutcome outcome = simulation->run(observers, [&stop] { return stop.requested(); });
    if (stop.by_signal()) throw std::runtime_error("interrupted");

    const RunTotals& totals = simulation->totals();
    result.strain = std::max(totals.warp.max, totals.weft.max);
    result.before = totals.strain_before;
    result.reached = outcome == RunOutcome::finished && totals.failed_steps == 0 &&
                     (simulation->pipeline().judge_before ? result.before : result.strain) <= strain;
    result.capped = stop.by_time() && outcome == RunOutcome::interrupted;
    result.seconds = totals.wall_s;
    result.simulated = simulation->state().t;
    result.steps = totals.steps;
    result.retries = totals.retries;
    result.iterations = totals.steps > 0 ? double(totals.projection_iterations) / double(totals.steps) : 0;
    result.vertices = simulation->model().vertex_count();
    result.stages = totals.stages;
    result.end = simulation->state();
}

}  // namespace

TimedRun run_timed(const scene::Scene& base, const std::string& item, double strain,
                   const RunLimits& limits) {
    TimedRun result;
    result.item = item;
    Choices common;
    common.strain = strain;
    result.choices = read_choices(common, item);
    scene::Scene scene = with_choices(base, result.choices);
    if (strain_filter(scene).name == springs_method) {
        const Calibration found = calibrate_springs(scene, strain, calibration_tries, false);
        result.choices.stiffness = result.stiffness = found.stiffness;
        scene = with_choices(base, result.choices);
    }
    measure_run(std::move(scene), strain, limits, result);
    return result;
}

TimedRun run_again(const scene::Scene& scene, const TimedRun& run) {
    TimedRun result;
    result.item = run.item;
    result.choices = run.choices;
    result.stiffness = run.stiffness;
    measure_run(with_choices(scene, run.choices), *run.choices.strain, {}, result);
    return result;
}

TimedRun find_fastest(const Method& method, const scene::Scene& scene, const SearchRules& rules,
                      const std::function<void(const TimedRun&)>& told) {
    TimedRun best;
    bool any = false;
    const auto try_rung = [&](std::size_t k) {
        double cap = rules.cap_s;
        if (any && best.reached) cap = cap > 0 ? std::min(cap, slack * best.seconds) : slack * best.seconds;
        TimedRun run = run_timed(scene, method.items[k], rules.strain, {cap, {}});
        if (rules.reference) {
            run.path_error = path_error(run.motion, rules.reference->motion);
            run.strayed = run.path_error > path_limit + rules.strain;
            run.reached = run.reached && !run.strayed;
        }
        told(run);
        const bool improved = !any || better(run, best);
        if (improved) best = std::move(run);
        any = true;
        return improved;
    };

    // Walk from the longest step to the shortest; end where two in a row are no better than the best.
    int worse = 0;
    for (std::size_t k = 0; k < method.items.size() && worse < 2; ++k) {
        const bool improved = try_rung(k);
        worse = improved || !(best.reached || best.capped) ? 0 : worse + 1;
    }
    return best;
}

void take_medians(const scene::Scene& scene, int repeats, std::vector<TimedRun>& runs) {
    std::vector<std::vector<double>> seconds(runs.size());
    for (int repeat = 0; repeat < repeats; ++repeat) {
        for (std::size_t k = 0; k < runs.size(); ++k) {
            if (runs[k].reached) seconds[k].push_back(run_again(scene, runs[k]).seconds);
        }
    }
    for (std::size_t k = 0; k < runs.size(); ++k) {
        if (!seconds[k].empty()) runs[k].seconds = median(seconds[k]);
    }
}

io::Chart time_chart(const std::vector<Method>& methods, const std::vector<std::vector<TimedRun>>& rows,
                     const std::vector<double>& x, bool over_strain) {
    io::Chart chart;
    chart.x.label = over_strain ? "permissible strain" : "vertices";
    chart.x.percent = chart.x.reversed = over_strain;
    chart.y.label = "time of one simulated second [s]";
    chart.x.log = chart.y.log = true;
    for (std::size_t m = 0; m < methods.size(); ++m) {
        // Under the line through what held, a dashed one that goes on to runs that were cut off.
        io::ChartSeries held, bound;
        held.name = methods[m].name;
        held.style = bound.style = int(m);
        bound.dashed = true;
        bool cut = false;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const TimedRun& run = rows[k][m];
            held.x.push_back(x[k]);
            held.y.push_back(run.reached ? run.seconds : NAN);
            bound.y.push_back(run.reached || run.capped ? run.seconds : NAN);
            cut = cut || (run.capped && !run.reached);
        }
        bound.x = held.x;
        if (cut) {
            chart.series.push_back(std::move(bound));
            chart.note = "dashed: cut off, slower still";
        }
        chart.series.push_back(std::move(held));
    }
    return chart;
}

void write_csv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows) {
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t k = 0; k < row.size(); ++k) {
            std::string cell = row[k];
            if (cell.find_first_of(",\"\n") != std::string::npos) {
                for (std::size_t at = 0; (at = cell.find('"', at)) != std::string::npos; at += 2) {
                    cell.insert(at, "\"");
                }
                cell = "\"" + cell + "\"";
            }
            text += (k > 0 ? "," : "") + cell;
        }
        text += "\n";
    }
    io::write_file(file, text);
}

std::vector<io::Image> pictures_of(const scene::Scene& scene, const std::vector<State>& states,
                                   const io::PictureSettings& settings) {
    const std::unique_ptr<Simulation> simulation = scene::build(scene);
    const std::vector<collision::Obstacle> obstacles = scene::make_obstacles(scene);
    const io::CacheHeader header =
        io::make_cache_header(*simulation, obstacles, {library_version(), scene.name, "{}"});
    std::vector<io::CacheFrame> frames;
    for (const State& state : states) {
        frames.push_back({state.t, state.x, {}, {}});
        io::place_obstacles(obstacles, frames.back());
    }
    const io::Camera camera = io::fit_camera(header, frames, settings);
    std::vector<io::Image> images;
    for (const io::CacheFrame& frame : frames)
        images.push_back(io::render_frame(header, frame, camera, settings));
    return images;
}

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        if (!(x[k] > 0) || !(y[k] > 0)) continue;
        const double u = std::log(x[k]), v = std::log(y[k]);
        n += 1, sx += u, sy += v, sxx += u * u, sxy += u * v;
    }
    return n < 2 ? NAN : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace taut::cli

// What `taut compare` leaves: a table, plots over time, and the page with all runs side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "build_info.hpp"
#include "compare.hpp"
#include "study.hpp"
#include "taut/base/parallel.hpp"
#include "taut/base/parameter.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/chart.hpp"
#include "taut/io/compare_page.hpp"
#include "taut/io/report.hpp"
#include "text.hpp"
#include "viewer/page_template.hpp"

namespace taut::cli {

namespace {

double per_step(long total, long steps) {
    return steps > 0 ? static_cast<double>(total) / static_cast<double>(steps) : 0;
}

double energy_growth(const ComparedRun& run) {
    return std::max(0.0, run.totals.energy_max - run.totals.energy_start);
}

// One chart over time with a line for every run.
template <class Get>
io::Chart chart_over_time(const Comparison& all, const std::string& title, const std::string& label,
                          Get get) {
    io::Chart chart;
    chart.title = title;
    chart.x.label = "simulated time [s]";
    chart.y.label = label;
    for (const ComparedRun& run : all.runs) {
        io::ChartSeries series;
        series.name = run.name;
        series.x = run.trace.t;
        series.y = get(run.trace);
        series.markers = false;
        chart.series.push_back(std::move(series));
    }
    return chart;
}

std::vector<std::pair<std::string, io::Chart>> charts(const Comparison& all) {
    std::vector<std::pair<std::string, io::Chart>> list;
    io::Chart strain = chart_over_time(all, "Largest strain of warp and weft", "strain",
                                       [](const FrameTrace& trace) { return trace.strain; });
    strain.note = "of all steps of a frame, collisions included";
    strain.y.log = strain.y.percent = true;
    // Show what is near the tolerance, not the rounding of a cloth that hangs still.
    strain.y.low = all.tolerance / 100;
    io::ChartSeries limit;
    limit.name = "permissible";
    const double end = [&] {
        double latest = 0;
        for (const ComparedRun& run : all.runs) {
            if (!run.trace.t.empty()) latest = std::max(latest, run.trace.t.back());
        }
        return latest;
    }();
    limit.x = {0, end};
    limit.y = {all.tolerance, all.tolerance};
    limit.markers = false;
    limit.dashed = true;
    strain.series.push_back(limit);
    list.emplace_back("strain", std::move(strain));
    io::Chart seconds = chart_over_time(all, "Time spent", "computed [s]",
                                        [](const FrameTrace& trace) { return trace.seconds; });
    seconds.y.log = true;
    list.emplace_back("time", std::move(seconds));
    list.emplace_back("energy", chart_over_time(all, "Energy", "energy [J]",
                                                [](const FrameTrace& trace) { return trace.energy; }));
    io::Chart iterations = chart_over_time(all, "Iterations", "iterations per frame",
                                           [](const FrameTrace& trace) { return trace.iterations; });
    iterations.note = "rejected attempts included; an iteration of one method is not one of another";
    iterations.y.log = true;
    list.emplace_back("iterations", std::move(iterations));
    return list;
}

nlohmann::ordered_json run_json(const ComparedRun& run, double tolerance) {
    nlohmann::ordered_json j;
    j["name"] = run.name;
    j["folder"] = run.folder.path.filename().string();
    j["verdict"] = run.verdict(tolerance);
    j["reached"] = run.reached;
    j["outcome"] = io::outcome_name(run.outcome);
    j["wall_s"] = run.totals.wall_s;
    j["simulated_s"] = run.simulated_s;
    j["step_s"] = run.step;
    j["steps"] = run.totals.steps;
    j["retries"] = run.totals.retries;
    j["iterations_per_step"] = per_step(run.totals.projection_iterations, run.totals.steps);
    j["max_strain"] = run.strain;
    j["mean_strain"] = run.mean_strain;
    j["max_strain_before_contact"] = run.totals.strain_before;
    j["energy_end"] = run.totals.energy_end;
    j["energy_growth"] = energy_growth(run);
    if (run.stiffness > 0) j["stiffness"] = run.stiffness;
    return j;
}

std::vector<std::string> notes(const Comparison& all) {
    std::vector<std::string> list{
        fmt::format("{} on {} vertices, {} asked of every method, {} threads, taut {}{}.", all.scene,
                    count_text(all.vertices), percent_text(all.tolerance), thread_count(), library_version(),
                    commit_text().empty() ? "" : ", commit " + commit_text()),
        "A step that misses the strain is tried again with half the length, a few times; then the run goes "
        "on "
        "with what was reached. Time is for stepping alone, runs one after the other."};
    for (const ComparedRun& run : all.runs) {
        if (run.stiffness > 0) {
            list.push_back(
                fmt::format("{}: stiffness {:.4g} N, found by calibration, whose time is not counted.",
                            run.name, run.stiffness));
        }
        if (!run.failure.empty()) list.push_back(run.name + ": " + run.failure);
    }
    return list;
}

}  // namespace

void FrameTracer::step(const Simulation&, const StepReport& report) {
    strain_ = std::max(strain_, report.max_strain());
    for (const FilterReport& filter : report.filters) iterations_ += filter.iterations;
    seconds_ += report.seconds;
}

void FrameTracer::frame(const Simulation& simulation, int frame) {
    if (frame == 0) return;
    trace_.t.push_back(simulation.state().t);
    trace_.strain.push_back(strain_);
    trace_.energy.push_back(simulation.last_report().energy());
    trace_.seconds.push_back(seconds_);
    trace_.iterations.push_back(iterations_);
    strain_ = iterations_ = 0;
}

std::string ComparedRun::verdict(double tolerance) const {
    if (outcome == RunOutcome::failed) return fmt::format("failed at t = {:.4g} s", simulated_s);
    if (timed_out) return fmt::format("ended by the limit at t = {:.4g} s", simulated_s);
    if (outcome == RunOutcome::interrupted) return fmt::format("interrupted at t = {:.4g} s", simulated_s);
    if (reached) return "holds " + percent_text(tolerance);
    return fmt::format("reached {}, not {}", percent_text(strain), percent_text(tolerance));
}

std::vector<std::vector<std::string>> compare_table(const Comparison& all) {
    std::vector<std::vector<std::string>> table{
        {"method", "verdict", "time", "ratio", "longest step [s]", "steps", "retries", "iterations/step",
         "max strain", "mean strain", "before contact", "energy at end [J]", "energy growth [J]"}};
    const double first = all.runs.empty() ? 0 : all.runs.front().totals.wall_s;
    for (const ComparedRun& run : all.runs) {
        const RunTotals& totals = run.totals;
        const bool whole = run.outcome == RunOutcome::finished;
        table.push_back(
            {run.name, run.verdict(all.tolerance), seconds_text(totals.wall_s),
             whole && first > 0 ? fmt::format("{:.2f}", totals.wall_s / first) : "-",
             fmt::format("{:.4g}", run.step), std::to_string(totals.steps), std::to_string(totals.retries),
             fmt::format("{:.1f}", per_step(totals.projection_iterations, totals.steps)),
             percent_text(run.strain), percent_text(run.mean_strain),
             totals.strain_before > 0 ? percent_text(totals.strain_before) : "-",
             fmt::format("{:.4f}", totals.energy_end), fmt::format("{:.2g}", energy_growth(run))});
    }
    return table;
}

void write_comparison(const std::filesystem::path& folder, const Comparison& all) {
    io::ComparePage page;
    page.title = all.scene;
    page.subtitle = fmt::format("{} asked for", percent_text(all.tolerance));
    page.table = compare_table(all);
    page.notes = notes(all);
    for (const auto& [name, chart] : charts(all)) {
        io::write_chart(folder / name, chart);
        page.plots.push_back(io::chart_svg(chart));
    }

    // Put every run in that left a cache.
    std::vector<std::unique_ptr<io::CacheReader>> caches;
    nlohmann::ordered_json json;
    json["scene"] = all.scene;
    json["tolerance"] = all.tolerance;
    json["vertices"] = all.vertices;
    json["threads"] = thread_count();
    json["taut_version"] = library_version();
    for (const ComparedRun& run : all.runs) {
        io::CompareRun entry;
        entry.name = run.name;
        entry.verdict = run.verdict(all.tolerance);
        entry.reached = run.reached;
        std::error_code error;
        if (std::filesystem::exists(run.folder.cache(), error)) {
            caches.push_back(std::make_unique<io::CacheReader>(run.folder.cache()));
            entry.cache = caches.back().get();
        }
        if (std::filesystem::exists(run.folder.report(), error)) {
            entry.report_json = io::read_file(run.folder.report(), largest_report);
        }
        page.runs.push_back(std::move(entry));
        json["runs"].push_back(run_json(run, all.tolerance));
    }
    io::write_compare_page(folder / "compare.html", viewer::compare_template(), page);
    write_csv(folder / "compare.csv", page.table);
    io::write_json(folder / "compare.json", json);
}

}  // namespace taut::cli

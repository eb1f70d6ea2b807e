#include "taut/io/report.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "taut/io/atomic_file.hpp"
#include "taut/sim/settle.hpp"

namespace taut::io {
namespace {

using nlohmann::ordered_json;

ordered_json number(double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json ratio(long total, long count) {
    return number(count > 0 ? static_cast<double>(total) / static_cast<double>(count) : 0.0);
}

ordered_json strain_json(const StrainStats& stats) {
    ordered_json j;
    j["max"] = number(stats.max);
    j["p999"] = number(stats.p999);
    j["mean"] = number(stats.mean);
    j["max_stretch"] = number(stats.max_stretch);
    j["max_compression"] = number(stats.max_compression);
    return j;
}

// The larger of two, and not a number where one of them is none.
double larger(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b); }

void add_strain(const RunTotals& totals, ordered_json& j) {
    j["max_strain"] = number(larger(totals.warp.max, totals.weft.max));
    j["max_strain_before_contact"] = number(totals.strain_before);
    j["strain"]["warp"] = strain_json(totals.warp);
    j["strain"]["weft"] = strain_json(totals.weft);
    j["strain"]["shear"]["max"] = number(totals.shear_max);
    j["strain"]["shear"]["mean"] = number(totals.shear_mean);
}

void add_iterations(const RunTotals& totals, ordered_json& j) {
    ordered_json& projection = j["projection_iterations"];
    projection["total"] = totals.projection_iterations;
    projection["max"] = totals.projection_max;
    projection["mean"] = ratio(totals.projection_iterations, totals.steps);
    ordered_json& linear = j["linear_iterations"];
    linear["total"] = totals.linear_iterations;
    linear["mean"] = ratio(totals.linear_iterations, totals.linear_solves);
    j["inner_iterations"] = totals.inner_iterations;
    j["corrections"]["total"] = totals.corrections;
    j["corrections"]["mean"] = ratio(totals.corrections, totals.steps);
    j["correction_maps_built"] = totals.maps;
}

// Of integrators that solve systems; the others have nothing to tell.
void add_integrator(const IntegratorTotals& totals, ordered_json& j) {
    if (totals.solves == 0) return;
    ordered_json& own = j["integrator"];
    own["solves"] = totals.solves;
    own["iterations"]["total"] = totals.iterations;
    own["iterations"]["mean"] = ratio(totals.iterations, totals.solves);
    own["seconds"] = number(totals.seconds);
    own["stretch_max"] = number(totals.stretch);
    own["stretch_change_max"] = number(totals.stretch_change);
    own["contacts"]["held_max"] = totals.held;
    own["contacts"]["made"] = totals.made;
    own["contacts"]["released"] = totals.released;
}

void add_energy(const RunTotals& totals, ordered_json& j) {
    j["energy"]["start"] = number(totals.energy_start);
    j["energy"]["end"] = number(totals.energy_end);
    j["energy"]["max_growth"] = number(larger(0, totals.energy_max - totals.energy_start));
}

}  // namespace

ordered_json make_report(const Simulation& simulation, const ReportContext& context) {
    const RunTotals& totals = simulation.totals();
    const Model& model = simulation.model();
    ordered_json j;

    // Say what was run and how it ended.
    j["taut_version"] = context.taut_version;
    j["scene"] = context.scene;
    j["outcome"] = outcome_name(context.outcome);
    j["failure"] = simulation.failure();
    if (!simulation.start_note().empty()) j["start"] = simulation.start_note();
    j["vertices"] = model.vertex_count();
    j["constraints"] = std::count_if(model.edges.begin(), model.edges.end(), [](const mesh::Edge& edge) {
        return edge.direction != mesh::Direction::none;
    });
    j["steps"] = totals.steps;
    j["frames"] = simulation.progress().frame;
    j["dt"] = number(simulation.settings().dt);
    j["dt_least"] = number(totals.least_dt);
    j["retries"] = totals.retries;
    j["refused"] = totals.integrator.refused;
    j["failed_steps"] = totals.failed_steps;
    j["wall_s"] = number(totals.wall_s);
    j["setup_s"] = number(context.setup_s);
    j["threads"] = context.threads;

    // Say what was promised and what was kept.
    add_strain(totals, j);
    j["tolerance"] = number(simulation.tolerance());
    j["strain_judged"] = simulation.pipeline().judge_before ? "before_contact" : "end";
    j["certified"] = simulation.certified() && std::isfinite(simulation.tolerance());
    add_iterations(totals, j);
    add_integrator(totals.integrator, j);
    add_energy(totals, j);
    j["penetration_m"] = number(totals.penetration);
    j["distance_m"] = number(totals.distance);
    j["intersections"] = totals.intersections;
    j["intersections_end"] = totals.intersections_end;
    j["contacts_max"] = totals.contacts;

    // Say what it cost, and where it ended to the last bit.
    j["stages"] = ordered_json::object();
    for (const auto& [stage, seconds] : totals.stages) j["stages"][stage] = number(seconds);
    j["peak_memory_bytes"] = peak_memory_bytes();
    j["state_hash"] = simulation.state_hash();
    return j;
}

ordered_json settle_json(const SettleReport& report) {
    ordered_json j;
    j["at_rest"] = report.at_rest();
    j["note"] = report.note;
    j["residual"] = number(report.residual);
    j["residual_most"] = number(report.residual_most);
    j["residual_vertex"] = report.residual_vertex;
    j["moved_m"] = number(report.moved);
    j["speed"] = number(report.speed);
    j["kinetic"] = number(report.kinetic);
    j["energy"] = number(report.energy);
    j["strain"] = number(report.strain);
    j["steps"] = report.steps;
    j["retries"] = report.retries;
    j["stops"] = report.stops;
    j["time_s"] = number(report.time);
    j["wall_s"] = number(report.seconds);
    return j;
}

void write_json(const std::filesystem::path& file, const ordered_json& json) {
    write_file(file, json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

const char* outcome_name(RunOutcome outcome) {
    switch (outcome) {
        case RunOutcome::finished:
            return "finished";
        case RunOutcome::interrupted:
            return "interrupted";
        case RunOutcome::failed:
            return "failed";
    }
    return "failed";
}

std::uint64_t peak_memory_bytes() {
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace taut::io

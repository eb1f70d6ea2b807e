// What a run tells at its end.
#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/base/parameter.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

double mean(long total, long count) {
    return count > 0 ? static_cast<double>(total) / static_cast<double>(count) : 0;
}

std::string strain_table(const Model& model, const RunTotals& totals) {
    Table table;
    table.row({"strain |l/l0 - 1|", "max", "99.9th pct", "mean", "stretch", "compression"});
    const auto add = [&](const char* name, mesh::Direction direction, const StrainStats& s) {
        const auto& edges = model.edges;
        const bool any = std::any_of(edges.begin(), edges.end(),
                                     [&](const mesh::Edge& edge) { return edge.direction == direction; });
        if (!any) return table.row({name, "no such edges", "", "", "", ""});
        table.row({name, percent_text(s.max), percent_text(s.p999), percent_text(s.mean),
                   percent_text(s.max_stretch), percent_text(s.max_compression)});
    };
    add("  warp", mesh::Direction::warp, totals.warp);
    add("  weft", mesh::Direction::weft, totals.weft);
    const bool quads = std::any_of(model.faces.begin(), model.faces.end(),
                                   [](const mesh::Face& face) { return face.size() == 4; });
    if (quads)
        table.row({"  shear (free)", percent_text(totals.shear_max), "", percent_text(totals.shear_mean)});
    return table.text();
}

std::string stage_list(const RunTotals& totals) {
    std::string text;
    for (const auto& [stage, seconds] : totals.stages) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stage, seconds_text(seconds));
    }
    return text;
}

std::string collision_text(const RunTotals& totals) {
    const std::string end =
        totals.intersections > 0 ? fmt::format(" ({} at the end)", count_text(totals.intersections_end)) : "";
    const std::string apart = std::isfinite(totals.distance)
                                  ? fmt::format("surfaces {:.3g} mm apart at least", 1e3 * totals.distance)
                                  : "no other surfaces near each other";
    return fmt::format("{} at most{}, {}, {} at most", counted(totals.intersections, "intersection"), end,
                       apart, counted(totals.contacts, "contact"));
}

std::string steps_text(const RunTotals& totals) {
    std::string text = fmt::format("{} committed, {} retries", totals.steps, totals.retries);
    if (totals.integrator.refused > 0)
        text += fmt::format(" ({} by the integrator)", totals.integrator.refused);
    text += fmt::format(", {} failed", totals.failed_steps);
    if (totals.retries > 0 && std::isfinite(totals.least_dt))
        text += fmt::format(", shortest {:.3g} ms", 1e3 * totals.least_dt);
    return text;
}

std::string integrator_text(const RunTotals& totals) {
    const IntegratorTotals& own = totals.integrator;
    std::string text =
        fmt::format("{:.3g} solves a step, {:.3g} iterations a solve, stretch {:.4g} at most",
                    mean(own.solves, totals.steps), mean(own.iterations, own.solves), own.stretch);
    if (own.made > 0)
        text += fmt::format("; {} made, {} released, {} held at most", counted(own.made, "contact"),
                            own.released, own.held);
    return text;
}

}  // namespace

bool certified(const Simulation& simulation) {
    return std::isfinite(simulation.tolerance()) && simulation.certified();
}

std::string certificate_text(const Simulation& simulation) {
    if (!std::isfinite(simulation.tolerance())) return "none: no filter of this scene promises a strain";
    const std::string tolerance = percent_text(simulation.tolerance());
    const RunTotals& totals = simulation.totals();
    if (totals.steps == 0 && totals.failed_steps == 0) {
        return fmt::format("nothing to certify yet ({} promised)", tolerance);
    }
    if (certified(simulation)) {
        return fmt::format(
            "CERTIFIED: every step held {} {}{}", tolerance,
            simulation.pipeline().judge_before ? "before the collision pass" : "after all filters",
            totals.intersections > 0 ? "; but cloth passed through something, see collisions" : "");
    }
    if (totals.steps == 0)
        return fmt::format("NOT CERTIFIED: {} promised, and the first step failed", tolerance);
    const double most = simulation.pipeline().judge_before ? totals.strain_before
                                                           : std::max(totals.warp.max, totals.weft.max);
    const std::string failed = counted(totals.failed_steps, "step");
    if (most <= simulation.tolerance()) {
        return fmt::format("NOT CERTIFIED: {} failed; all others held {}, {} reached", failed, tolerance,
                           percent_text(most));
    }
    const auto [promised, reached] = distinct_texts(100 * simulation.tolerance(), 100 * most, 4);
    return fmt::format("NOT CERTIFIED: {} % promised, {} % reached, {} failed", promised, reached, failed);
}

std::string summary_text(const Simulation& simulation, const io::ReportContext& context) {
    const RunTotals& totals = simulation.totals();
    const double speed = totals.wall_s > 0 ? static_cast<double>(totals.steps) / totals.wall_s : 0;
    std::string text = fmt::format(
        "{}: {} at {:.4g} s, {}, {}\n\n", context.scene, io::outcome_name(context.outcome),
        simulation.state().t, counted(simulation.progress().frame, "frame"), counted(totals.steps, "step"));
    text += strain_table(simulation.model(), totals);
    const auto line = [&text](const char* name, const std::string& value) {
        text += fmt::format("{:<19}{}\n", name, value);
    };
    line("certificate", certificate_text(simulation));
    line("steps", steps_text(totals));
    line("iterations", fmt::format("filters {:.3g} a step (most {}), linear {:.3g} a solve",
                                   mean(totals.projection_iterations, totals.steps), totals.projection_max,
                                   mean(totals.linear_iterations, totals.linear_solves)));
    if (totals.integrator.solves > 0) line("integrator", integrator_text(totals));
    if (totals.corrections > 0 || totals.maps > 0)
        line("corrections", fmt::format("{:.4g} springs a step, {}", mean(totals.corrections, totals.steps),
                                        counted(totals.maps, "correction map") + " built"));
    line("energy", fmt::format("start {:.6g} J, end {:.6g} J, largest rise above the start {:.2g} J",
                               totals.energy_start, totals.energy_end,
                               std::max(0.0, totals.energy_max - totals.energy_start)));
    line("penetration", fmt::format("{:.3g} mm at most, of vertices", 1e3 * totals.penetration));
    if (std::isfinite(totals.distance) || totals.intersections > 0)
        line("collisions", collision_text(totals));
    line("time",
         fmt::format("{} stepping ({:.4g} steps/s, {} threads), {} set-up", seconds_text(totals.wall_s),
                     speed, context.threads, seconds_text(context.setup_s)));
    if (!totals.stages.empty()) line("stages", stage_list(totals));
    line("state", simulation.state_hash());
    return text;
}

}  // namespace taut::cli

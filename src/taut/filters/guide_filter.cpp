#include "taut/filters/guide_filter.hpp"

#include <fmt/format.h>

namespace taut::filters {
namespace {

// Calls visit(guide, vertex) for every vertex that a guide holds in this step and no pin does.
template <class Visit>
void for_each_guided(const StepContext& context, Visit visit) {
    for (const Guide& guide : context.model->guides) {
        if (!guide.holds(context.start->t)) continue;
        for (const int vertex : guide.vertices) {
            if (!context.pinned[static_cast<std::size_t>(vertex)]) visit(guide, vertex);
        }
    }
}

// What of a velocity leads off the guide of a vertex that ends the step at x [m/s].
Vec3 velocity_off(const Guide& guide, const StepContext& context, const Vec3& x, const Vec3& v) {
    const GuideFoot foot = guide.foot(x, context.start->t, context.time_end());
    const Vec3 relative = v - foot.velocity;
    return relative - foot.freedom * relative;
}

}  // namespace

void GuideFilter::prepare(const Model&) {}

void GuideFilter::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.name = type_name;
    const State& start = *context.start;
    c.impacted.resize(c.v.size(), 0);
    bool moved = false;
    for_each_guided(context, [&](const Guide& guide, int vertex) {
        const auto i = static_cast<std::size_t>(vertex);
        const Vec3 wanted = start.x[i] + context.dt * c.v[i];
        const Vec3 x = guide.nearest(wanted, context.time_end());
        // Leave those alone that are there up to rounding.
        if ((x - wanted).norm() <= 0.01 * tolerance) return;
        c.v[i] = (x - start.x[i]) / context.dt;
        c.impacted[i] = 1;
        moved = true;
    });
    if (moved) ++report.iterations;
}

void GuideFilter::measure(const StepContext& context, const Candidate& c, FilterReport& report) const {
    report.name = type_name;
    report.tolerance = tolerance;
    report.residual = 0;
    report.note.clear();
    const State& start = *context.start;
    for_each_guided(context, [&](const Guide& guide, int vertex) {
        const auto i = static_cast<std::size_t>(vertex);
        const double off = guide.distance(start.x[i] + context.dt * c.v[i], context.time_end());
        if (off <= report.residual) return;
        report.residual = off;
        report.note = fmt::format("{} is {:.3g} m off its guide '{}'", vertex_name(*context.model, vertex),
                                  off, guide.name);
    });
    report.held = report.residual <= tolerance;
    if (report.held) report.note.clear();
}

// Where velocities are settled apart from positions, those of guided vertices are like any other: without
// this their weight would make them faster from step to step.
bool GuideFilter::settle_velocity(const StepContext& context, ConstPoints, const Candidate& c, PointsView v,
                                  FilterReport&) {
    bool changed = false;
    for_each_guided(context, [&](const Guide& guide, int vertex) {
        const auto i = static_cast<std::size_t>(vertex);
        const Vec3 off = velocity_off(guide, context, context.start->x[i] + context.dt * c.v[i], v[i]);
        if (context.dt * off.norm() <= tolerance) return;
        v[i] -= off;
        changed = true;
    });
    return changed;
}

void GuideFilter::apply_end_velocity(const StepContext& context, const Candidate&, State& end) {
    for_each_guided(context, [&](const Guide& guide, int vertex) {
        const auto i = static_cast<std::size_t>(vertex);
        end.v[i] -= velocity_off(guide, context, end.x[i], end.v[i]);
    });
}

}  // namespace taut::filters

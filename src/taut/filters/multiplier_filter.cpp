#include "taut/filters/multiplier_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/filters/length_filter.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

// A strain that no cloth has on purpose: the run is losing itself [1].
constexpr double runaway_strain = 1;

}  // namespace

void describe_multipliers(ParamList& list, MultiplierParams& params) {
    describe_edges(list, params.edges);
    list.choice("feedback", params.feedback, {"time", "rates"},
                "How errors are taken back: within `correction_time`, whatever the step, or at the paper's "
                "rates `ks` and `kd`.");
    list.number(
        "correction_time", params.correction_time, "s", positive(),
        "Time: that in which a violated constraint comes back to 1/e; kd is 1/dt and ks 1/(dt time).");
    list.number(
        "ks", params.ks, "1/s^2", non_negative(),
        "Rates: feedback of constraints; calm up to 1/dt^2, without bound beyond (4 - 2 kd dt)/dt^2.");
    list.number("kd", params.kd, "1/s", non_negative(),
                "Rates: feedback of their velocities; calm up to 1/dt, without bound beyond 2/dt.");
    list.number("turning", params.turning, "1", between(0, 1),
                "Part of the term Jdot v that is taken: 1 as printed, for rates; 1/2 is what a step x + dt v "
                "asks for; "
                "0 stands cloth that whips.");
    list.flag("contacts", params.contacts, "Whether obstacles are constraints too.");
    list.number("thickness", params.thickness, "m", between(0, 1), "Distance kept from every obstacle.");
    list.integer("contact_rounds", params.contact_rounds, "1", between(1, 100),
                 "Solves of a step in which rows of contacts are taken in and released, and friction finds "
                 "its bound.");
}

MultiplierFilter::MultiplierFilter(const char* name, MultiplierParams params,
                                   std::vector<collision::Obstacle> obstacles)
    : name_(name),
      params_(std::move(params)),
      lengths_({"goldenthal", params_.edges}),
      contacts_(name, params_.thickness,
                params_.contacts ? std::move(obstacles) : std::vector<collision::Obstacle>{}) {}

ContractBreaks MultiplierFilter::breaks() const {
    ContractBreaks breaks;
    breaks.passing = true;
    return breaks;
}

void MultiplierFilter::look(const StepContext&) {}

MultiplierFilter::Feedback MultiplierFilter::feedback(double dt) const {
    if (params_.feedback == "rates") return {params_.ks * dt * dt, params_.kd * dt};
    return {std::min(1.0, dt / params_.correction_time), 1};
}

void MultiplierFilter::prepare(const Model& model) {
    lengths_.prepare(model);
    rows_.ends.clear();
    for (int r = 0; r < lengths_.rows(); ++r) rows_.ends.push_back(lengths_.ends(r));
    rows_.resize(model.rest.size());
    const auto m = static_cast<std::size_t>(rows_.size());
    jacobian_ = {};
    wanted_.assign(m, 0.0);
    now_.assign(m, 0.0);
    lambda_.assign(m, 0.0);
}

// Values, gradients, and the velocity J v that Eq. 19 asks for at the end of the step.
void MultiplierFilter::build_rows(const StepContext& context) {
    const State& start = *context.start;
    const double dt = context.dt;
    for (std::size_t i = 0; i < rows_.inverse_mass.size(); ++i)
        rows_.inverse_mass[i] = context.pinned[i] ? 0 : 1 / context.model->mass[i];
    if (rows_.size() == 0) return;

    // Let lengths that change over time ask for their rate at the end of the step.
    std::fill(now_.begin(), now_.end(), 0.0);
    lengths_.advance(context.time_end());
    lengths_.add_rate(start.x, now_);
    for (std::size_t r = 0; r < wanted_.size(); ++r) wanted_[r] = -now_[r];
    lengths_.advance(start.t);
    lengths_.residual(start.x, rows_.value);
    lengths_.jacobian(start.x, jacobian_);
    std::fill(now_.begin(), now_.end(), 0.0);
    lengths_.add_rate(start.x, now_);

    const auto [correction, damping] = feedback(dt);
    for (std::size_t r = 0; r < wanted_.size(); ++r) {
        const auto [a, b] = rows_.ends[r];
        rows_.gradient[r] = jacobian_.gradient[2 * r + 1];
        const Vec3 apart = start.v[b] - start.v[a];
        const double speed = rows_.gradient[r].dot(apart) + now_[r];
        const double turning = 2 / lengths_.rest_length(static_cast<int>(r)) * apart.squaredNorm();
        wanted_[r] +=
            (1 - damping) * speed - params_.turning * dt * turning - correction * rows_.value[r] / dt;
    }
}

// Solves, and again while contacts come and go.
void MultiplierFilter::take_contacts(const StepContext& context, Candidate& c, FilterReport& report) {
    const double dt = context.dt;
    contacts_.begin(context, rows_.inverse_mass, std::min(1.0, feedback(dt).correction));
    if (contacts_.any_obstacle()) contacts_.find(context, c.v);
    std::fill(lambda_.begin(), lambda_.end(), 0.0);
    for (int round = 0; round < params_.contact_rounds; ++round) {
        // Take the rows that are held now, and what Eq. 19 lacks with them.
        rows_.hold(contacts_.held());
        held_ = c.v;
        contacts_.prescribe(held_);
        rows_.multiply(held_, rows_.right);
        for (std::size_t r = 0; r < wanted_.size(); ++r) rows_.right[r] = (wanted_[r] - rows_.right[r]) / dt;
        if (rows_.size() > 0) solve(context, rows_, lambda_, report);
        ++report.iterations;

        // Move by the forces of the constraints, and see which contacts that leaves.
        free_.assign(c.v.size(), Vec3::Zero());
        rows_.add_forces(lambda_, free_);
        moved_ = free_;
        rows_.weight(moved_);
        for (std::size_t i = 0; i < moved_.size(); ++i) moved_[i] = held_[i] + dt * moved_[i];
        if (!contacts_.any_obstacle() || context.stopping()) break;
        for (std::size_t i = 0; i < free_.size(); ++i)
            free_[i] = c.v[i] + dt * rows_.inverse_mass[i] * free_[i];
        contacts_.add_friction(free_);
        const bool changed = contacts_.update(moved_, free_);
        if (!contacts_.find(context, moved_) && !changed) break;
    }
    if (contacts_.any_obstacle()) contacts_.stop_rest(context, moved_);
}

void MultiplierFilter::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    if (context.round > 0) return;  // once a step
    report.name = name_;
    c.impacted.resize(c.v.size(), 0);
    if (c.v.empty()) return;
    look(context);
    build_rows(context);
    take_contacts(context, c, report);
    if (!all_finite(moved_)) return;
    c.v = moved_;
    report.contacts = contacts_.count();
    contacts_.list(c);
    const double size = norm(rows_.right);
    report.reached = size > 0 ? rows_.residual(lambda_) / size : 0;
}

void MultiplierFilter::measure(const StepContext& context, const Candidate& c, FilterReport& report) const {
    Points x;
    end_positions(context, c, x);
    report.name = name_;
    report.tolerance = std::numeric_limits<double>::infinity();
    report.residual = lengths_.violation(x);
    report.depth = contacts_.any_obstacle() ? contacts_.deepest(context, c.v) : 0;
    report.held = report.residual <= runaway_strain;
    report.note.clear();
    if (report.held) return;
    const double dt = context.dt;
    report.note = fmt::format("an edge is strained by {:.3g} %", 100 * report.residual);
    if (params_.feedback == "rates" && !(params_.ks * dt * dt <= 1 && params_.kd * dt <= 1))
        report.note += fmt::format(": ks dt^2 = {:.3g} and kd dt = {:.3g} should not exceed 1",
                                   params_.ks * dt * dt, params_.kd * dt);
}

}  // namespace taut::filters

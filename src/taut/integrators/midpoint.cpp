#include "taut/integrators/midpoint.hpp"

#include <cmath>

namespace taut::integrators {

void describe(ParamList&, MidpointParams&) {}

Midpoint::Midpoint(Params) {}

void Midpoint::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    forces_.prepare(model, forces, ForceSum::Stiffness::all);
}

void Midpoint::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    context.h = context.dt / std::sqrt(2.0);
    context.force_at = 0.5;
    context.inertial.resize(n);
    middle_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        context.inertial[i] =
            context.pinned[i] ? context.pin_target[i] : Vec3(start.x[i] + context.dt * start.v[i]);
        middle_[i] = 0.5 * (start.x[i] + context.inertial[i]);
    }
    const ForceInput in{middle_, start.v, context.time_at(0.5)};
    forces_.evaluate(in, f_);
    forces_.fill_metric(in, 0.5 * context.dt, context.metric);
    forces_.solve(context, f_, displacement_);
    c.v.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        c.v[i] = (context.inertial[i] + displacement_[i] - start.x[i]) / context.dt;
    }
}

void Midpoint::end_velocity(const StepContext& context, ConstPoints x, PointsView v) const {
    const State& start = *context.start;
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = 2 / context.dt * (x[i] - start.x[i]) - start.v[i];
}

State Midpoint::accept(const StepContext& context, const Candidate& c) {
    State end{context.start->x, c.v, context.time_end()};
    for (std::size_t i = 0; i < end.x.size(); ++i) {
        end.x[i] = context.pinned[i] ? context.pin_target[i] : Vec3(end.x[i] + context.dt * c.v[i]);
        // Reflect the old velocity in the step velocity, but not across a jump.
        if (context.pinned[i]) continue;
        end.v[i] = 2 * c.v[i] - context.start->v[i];
        if (!c.jump.empty()) end.v[i] += c.jump[i] - 2 / context.dt * c.way[i];
    }
    return end;
}

}  // namespace taut::integrators

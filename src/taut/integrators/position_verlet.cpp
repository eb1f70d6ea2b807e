#include "taut/integrators/position_verlet.hpp"

#include <cmath>

namespace taut::integrators {

void describe(ParamList& list, PositionVerletParams& params) {
    list.number(
        "multiplier", params.multiplier, "1", between(0, 1),
        "Part of the velocity that is kept, c in x' = (1 + c) x - c x_before + dt^2 a; 1: no damping.");
    list.number("per", params.per, "s", non_negative(),
                "Time in which the multiplier acts once; 0: in every step, however long.");
}

void PositionVerlet::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    forces_.prepare(model, forces, ForceSum::Stiffness::none);
}

void PositionVerlet::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    context.h = context.dt;
    context.inertia = kept(context.dt);
    forces_.fill_mass_metric(context.metric);
    forces_.evaluate({start.x, start.v, start.t}, f_);
    forces_.explicit_candidate(f_, context.dt, context, c);
}

double PositionVerlet::kept(double dt) const {
    return params_.per > 0 ? std::pow(params_.multiplier, dt / params_.per) : params_.multiplier;
}

// The step at which omega dt = sqrt(2 (1 + c)). With `per` less is kept in longer steps: close in on it, from
// no damping at all and from all of it.
double PositionVerlet::longest_step(double omega) const {
    const auto bound = [&](double dt) { return std::sqrt(2 * (1 + kept(dt))) / omega; };
    double shorter = std::sqrt(2.0) / omega, longer = 2 / omega;
    if (params_.per == 0) return bound(longer);
    for (int k = 0; k < 50; ++k) {
        const double dt = 0.5 * (shorter + longer);
        (dt < bound(dt) ? shorter : longer) = dt;
    }
    return shorter;
}

State PositionVerlet::accept(const StepContext& context, const Candidate& c) { return step_end(context, c); }

}  // namespace taut::integrators

#include "taut/integrators/viscous_fall.hpp"

#include <cmath>

namespace taut::integrators {

void describe(ParamList& list, ViscousFallParams& params) {
    list.number("viscosity", params.viscosity, "1/s", between(0, 1e6),
                "Rate at which the medium takes velocity away; falling ends at gravity over it.");
}

void ViscousFall::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    forces_.prepare(model, forces, ForceSum::Stiffness::none);
}

void ViscousFall::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    const double decay = params_.viscosity * context.dt;

    // Let the medium keep its part of the velocity, and of what the force adds.
    context.inertia = std::exp(-decay);
    const double share = decay > 0 ? -std::expm1(-decay) / decay : 1;
    context.h = context.dt * std::sqrt(share);
    forces_.fill_mass_metric(context.metric);
    forces_.evaluate({start.x, start.v, start.t}, f_);
    forces_.explicit_candidate(f_, context.dt * share, context, c);
}

State ViscousFall::accept(const StepContext& context, const Candidate& c) { return step_end(context, c); }

}  // namespace taut::integrators

#include "taut/integrators/velocity_verlet.hpp"

#include <cmath>

namespace taut::integrators {

void describe(ParamList&, VelocityVerletParams&) {}

VelocityVerlet::VelocityVerlet(Params) {}

void VelocityVerlet::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    forces_.prepare(model, forces, ForceSum::Stiffness::none);
}

void VelocityVerlet::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    context.h = context.dt / std::sqrt(2.0);  // x = inertial + dt^2/2 M^-1 f
    forces_.fill_mass_metric(context.metric);
    forces_.evaluate({start.x, start.v, start.t}, f_);
    forces_.explicit_candidate(f_, 0.5 * context.dt, context, c);
}

State VelocityVerlet::accept(const StepContext& context, const Candidate& c) {
    State end = step_end(context, c);

    // Add the second half of the forces, where the step has ended.
    forces_.evaluate({end.x, c.v, end.t}, f_);
    for (std::size_t i = 0; i < end.v.size(); ++i) {
        if (!context.pinned[i]) end.v[i] += 0.5 * context.dt / context.model->mass[i] * f_[i];
    }
    return end;
}

}  // namespace taut::integrators

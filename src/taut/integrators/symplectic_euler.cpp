#include "taut/integrators/symplectic_euler.hpp"

namespace taut::integrators {

void describe(ParamList&, SymplecticEulerParams&) {}

SymplecticEuler::SymplecticEuler(Params) {}

void SymplecticEuler::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    forces_.prepare(model, forces, ForceSum::Stiffness::none);
}

void SymplecticEuler::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    context.h = context.dt;
    forces_.fill_mass_metric(context.metric);
    forces_.evaluate({start.x, start.v, start.t}, f_);
    forces_.explicit_candidate(f_, context.dt, context, c);
}

State SymplecticEuler::accept(const StepContext& context, const Candidate& c) { return step_end(context, c); }

}  // namespace taut::integrators

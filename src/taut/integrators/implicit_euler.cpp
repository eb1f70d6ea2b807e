#include "taut/integrators/implicit_euler.hpp"

namespace taut::integrators {

void describe(ParamList&, ImplicitEulerParams&) {}

ImplicitEuler::ImplicitEuler(Params) {}

void ImplicitEuler::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    forces_.prepare(model, forces, ForceSum::Stiffness::all);
}

void ImplicitEuler::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    context.h = context.dt;
    context.inertial.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        context.inertial[i] =
            context.pinned[i] ? context.pin_target[i] : Vec3(start.x[i] + context.h * start.v[i]);
    }
    const ForceInput in{context.inertial, start.v, context.time_end()};
    forces_.evaluate(in, f_);
    forces_.fill_metric(in, context.h, context.metric);
    forces_.solve(context, f_, displacement_);
    c.v.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        c.v[i] = (context.inertial[i] + displacement_[i] - start.x[i]) / context.dt;
    }
}

State ImplicitEuler::accept(const StepContext& context, const Candidate& c) { return step_end(context, c); }

}  // namespace taut::integrators

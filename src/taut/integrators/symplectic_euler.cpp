#include "taut/integrators/symplectic_euler.hpp"

namespace taut::integrators {

void describe(ParamList&, SymplecticEulerParams&) {}

SymplecticEuler::SymplecticEuler(Params) {}

void SymplecticEuler::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    forces_.prepare(model, forces, false);
}

void SymplecticEuler::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    context.h = context.dt;
    context.metric.diagonal = context.model->mass;
    context.metric.stiffness = nullptr;
    context.metric.scale = 0;
    context.metric.solver = nullptr;
    context.metric.total_diagonal = context.model->mass;
    forces_.evaluate({start.x, start.v, start.t}, f_);
    const std::size_t n = start.x.size();
    c.v.resize(n);
    context.inertial.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (context.pinned[i]) {
            context.inertial[i] = context.pin_target[i];
            c.v[i] = (context.pin_target[i] - start.x[i]) / context.dt;
        } else {
            context.inertial[i] = start.x[i] + context.dt * start.v[i];
            c.v[i] = start.v[i] + context.dt / context.model->mass[i] * f_[i];
        }
    }
}

State SymplecticEuler::accept(const StepContext& context, const Candidate& c) {
    State end{context.start->x, c.v, context.time_end()};
    for (std::size_t i = 0; i < end.x.size(); ++i) {
        end.x[i] = context.pinned[i] ? context.pin_target[i] : Vec3(end.x[i] + context.dt * c.v[i]);
    }
    return end;
}

}  // namespace taut::integrators

#include "taut/integrators/bdf2.hpp"

#include <cmath>

namespace taut::integrators {
namespace {

// h/dt of the first step: x = x_0 + dt v_0 + dt^2 a/2 asks for h^2 = dt^2/2.
const double first_step_factor = std::sqrt(0.5);

}  // namespace

void describe(ParamList&, Bdf2Params&) {}

Bdf2::Bdf2(Params) {}

std::vector<MemoryBlock> Bdf2::memory() { return {{"bdf2.history", &history_}}; }

void Bdf2::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    forces_.prepare(model, forces, true);
    history_.clear();
}

void Bdf2::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();

    // Extrapolate from the last two states.
    double a0 = 1, a1 = 0;
    context.h = context.dt * first_step_factor;
    if (!history_.empty()) {
        const double ratio = context.dt / history_[0];
        a0 = (1 + ratio) * (1 + ratio) / (1 + 2 * ratio);
        a1 = ratio * ratio / (1 + 2 * ratio);
        context.h = context.dt * (1 + ratio) / (1 + 2 * ratio);
    }
    x_bar_.resize(n);
    v_bar_.resize(n);
    context.inertial.resize(n);
    const Vec3* x_previous = history_.empty() ? start.x.data() : reinterpret_cast<const Vec3*>(&history_[1]);
    const Vec3* v_previous = history_.empty() ? start.v.data() : x_previous + n;
    for (std::size_t i = 0; i < n; ++i) {
        x_bar_[i] = a0 * start.x[i] - a1 * x_previous[i];
        v_bar_[i] = a0 * start.v[i] - a1 * v_previous[i];
        const double reach = history_.empty() ? context.dt : context.h;
        context.inertial[i] = context.pinned[i] ? context.pin_target[i] : Vec3(x_bar_[i] + reach * v_bar_[i]);
    }

    // Let the forces act at the inertial position, linearised implicitly.
    const ForceInput in{context.inertial, v_bar_, context.time_end()};
    forces_.evaluate(in, f_);
    forces_.fill_metric(in, context.h, context.metric);
    forces_.solve(context, f_, displacement_);
    c.v.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        c.v[i] = (context.inertial[i] + displacement_[i] - start.x[i]) / context.dt;
    }
}

State Bdf2::accept(const StepContext& context, const Candidate& c) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    State end;
    end.t = context.time_end();
    end.x.resize(n);
    end.v.resize(n);
    const bool first = history_.empty();
    history_.resize(1 + 6 * n);
    history_[0] = context.dt;
    Vec3* const x_previous = reinterpret_cast<Vec3*>(&history_[1]);
    Vec3* const v_previous = x_previous + n;
    for (std::size_t i = 0; i < n; ++i) {
        const bool jumped = !c.impacted.empty() && c.impacted[i];
        end.x[i] = context.pinned[i] ? context.pin_target[i] : Vec3(start.x[i] + context.dt * c.v[i]);
        if (jumped || (first && context.pinned[i])) {
            end.v[i] = c.v[i];
        } else if (first) {
            end.v[i] = start.v[i] + 2 / context.dt * (end.x[i] - context.inertial[i]);
        } else {
            end.v[i] = (end.x[i] - x_bar_[i]) / context.h;
        }
        // Behind a jump pretend that the new velocity always was.
        x_previous[i] = jumped ? Vec3(end.x[i] - context.dt * end.v[i]) : start.x[i];
        v_previous[i] = jumped ? end.v[i] : start.v[i];
    }
    return end;
}

}  // namespace taut::integrators

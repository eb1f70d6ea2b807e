#include "taut/integrators/bdf2.hpp"

#include <array>
#include <cmath>

namespace taut::integrators {
namespace {

// h/dt of the first step: x = x_0 + dt v_0 + dt^2 a/2 asks for h^2 = dt^2/2.
const double first_step_factor = std::sqrt(0.5);

}  // namespace

void describe(ParamList& list, Bdf2Params& params) {
    list.number("third_order", params.third_order, "1", between(0, 0.5),
                "Share of the third-order difference: lessens error and damping, costs iterations.");
}

Bdf2::Bdf2(Params params) : params_(params) {}

std::vector<MemoryBlock> Bdf2::memory() { return {{"bdf2.history", &history_}}; }

Vec3* Bdf2::past(std::size_t k) {
    return reinterpret_cast<Vec3*>(&history_[2]) + k * ((history_.size() - 2) / 12);
}

void Bdf2::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    forces_.prepare(model, forces, ForceSum::Stiffness::all);
    history_.clear();
}

void Bdf2::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();

    // Extrapolate from the states known: weights of x_n, x_(n-1), x_(n-2), and the effective step.
    std::array<double, 3> a{1, 0, 0};
    context.h = context.dt * first_step_factor;
    double reach = context.dt;
    if (!history_.empty()) {
        const double ratio = context.dt / history_[0];
        a = {(1 + ratio) * (1 + ratio) / (1 + 2 * ratio), -ratio * ratio / (1 + 2 * ratio), 0};
        context.h = context.dt * (1 + ratio) / (1 + 2 * ratio);
        const auto same = [&](double other) { return std::abs(other - context.dt) < 1e-9 * context.dt; };
        if (same(history_[0]) && same(history_[1])) {
            // Mix the differences of second and third order.
            const double s = params_.third_order;
            const double a0 = 1.5 + s / 3;
            a = {(2 + s) / a0, -(0.5 + s) / a0, s / 3 / a0};
            context.h = context.dt / a0;
        }
        reach = context.h;
    }
    x_bar_.resize(n);
    v_bar_.resize(n);
    context.inertial.resize(n);
    const bool first = first_ = history_.empty();
    const Vec3* const x1 = first ? start.x.data() : past(0);
    const Vec3* const v1 = first ? start.v.data() : past(1);
    const Vec3* const x2 = first ? start.x.data() : past(2);
    const Vec3* const v2 = first ? start.v.data() : past(3);
    for (std::size_t i = 0; i < n; ++i) {
        x_bar_[i] = a[0] * start.x[i] + a[1] * x1[i] + a[2] * x2[i];
        v_bar_[i] = a[0] * start.v[i] + a[1] * v1[i] + a[2] * v2[i];
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

// The velocity at the end of the step where vertex i ends at x without a jump.
Vec3 Bdf2::smooth_velocity(const StepContext& context, std::size_t i, const Vec3& x) const {
    if (!first_) return (x - x_bar_[i]) / context.h;
    return context.start->v[i] + 2 / context.dt * (x - context.inertial[i]);
}

void Bdf2::end_velocity(const StepContext& context, ConstPoints x, PointsView v) const {
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = smooth_velocity(context, i, x[i]);
}

State Bdf2::accept(const StepContext& context, const Candidate& c) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    State end;
    end.t = context.time_end();
    end.x.resize(n);
    end.v.resize(n);
    const bool first = history_.empty();
    history_.resize(2 + 12 * n);
    history_[1] = first ? 0 : history_[0];
    history_[0] = context.dt;
    Vec3* const x1 = past(0);
    Vec3* const v1 = past(1);
    Vec3* const x2 = past(2);
    Vec3* const v2 = past(3);
    const bool parted = !c.jump.empty();
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 jump = parted ? c.jump[i] : Vec3(Vec3::Zero());
        const Vec3 way = parted ? c.way[i] : Vec3(Vec3::Zero());
        end.x[i] = context.pinned[i] ? context.pin_target[i] : Vec3(start.x[i] + context.dt * c.v[i]);
        if (first && context.pinned[i]) {
            end.v[i] = c.v[i];
        } else {
            end.v[i] = smooth_velocity(context, i, end.x[i] - way) + jump;
        }
        // Behind a jump pretend that the new velocity, and the way without one, always were.
        x2[i] = x1[i] + way - 2 * context.dt * jump;
        v2[i] = v1[i] + jump;
        x1[i] = start.x[i] + way - context.dt * jump;
        v1[i] = start.v[i] + jump;
    }
    return end;
}

}  // namespace taut::integrators

#include "taut/integrators/backward_euler.hpp"

#include <algorithm>
#include <cmath>

namespace taut::integrators {
namespace {

// A line search gives up below this step: the direction is rounding noise.
constexpr double least_step = 1e-6;

// The residual is judged against the soft forces, and where there are none against this part of the momentum
// and a displacement by this part of the shortest edge.
constexpr double momentum_part = 1e-3, still_part = 1e-6;

}  // namespace

void describe(ParamList& list, BackwardEulerParams& params) {
    list.integer("max_iterations", params.max_iterations, "1", between(1, 1000),
                 "Most Newton iterations in one step; 1 is the linearised step.");
    list.number(
        "tolerance", params.tolerance, "1", between(1e-12, 1),
        "Force residual that ends the iteration, relative to the forces other than stiff and bend springs.");
}

BackwardEuler::BackwardEuler(Params params) : params_(params) {}

void BackwardEuler::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    forces_.prepare(model, forces, ForceSum::Stiffness::without_hessian);
    std::vector<std::array<int, 2>> pairs;
    for (const auto& force : forces) force->add_pattern(pairs);
    if (!forces_.stiffness().empty()) linalg::append_pairs(forces_.stiffness(), pairs);
    matrix_.set_pattern(model.vertex_count(), pairs);
    damping_.set_pattern(matrix_);
    still_.assign(model.rest.size(), Vec3::Zero());
    analysed_for_.clear();
    shortest_ = 1e300;
    for (double length : model.rest_length) shortest_ = std::min(shortest_, length);
    if (model.rest_length.empty()) shortest_ = 0;
}

// What residuals are compared with: soft forces, some momentum, some displacement, in the norm of M^-1.
double BackwardEuler::scale(const StepContext& context) {
    const double h = context.h;
    const ForceInput in{context.inertial, context.start->v, context.time_end()};
    f_.assign(context.inertial.size(), Vec3::Zero());
    for (const Force* force : forces_.forces()) {
        if (!force->has_hessian()) force->add_force(in, f_);
    }
    double soft = 0, momentum = 0, still = 0;
    for (std::size_t i = 0; i < f_.size(); ++i) {
        if (context.pinned[i]) continue;
        const double mass = context.model->mass[i];
        soft += h * h * h * h * f_[i].squaredNorm() / mass;
        momentum += mass * h * h * context.start->v[i].squaredNorm();
        still += mass * shortest_ * shortest_;
    }
    return std::sqrt(soft) + momentum_part * std::sqrt(momentum) + still_part * std::sqrt(still);
}

void BackwardEuler::load_damping(const StepContext& context) {
    const ForceInput start{context.start->x, context.start->v, context.start->t};
    matrix_.clear();
    for (const Force* force : forces_.forces()) {
        if (force->has_hessian()) force->add_damping_hessian(start, 1, matrix_);
    }
    const auto blocks = matrix_.blocks();
    damped_ = std::any_of(blocks.begin(), blocks.end(), [](const Mat3& block) { return !block.isZero(0); });
    if (damped_) damping_.load(matrix_);
}

// g = M (x - x_inertial) - h^2 f(x, (x - x_n) / h) + h D (x - x_n), zero where pinned; f of forces with a
// Hessian without its damping, which is in D.
double BackwardEuler::gradient(const StepContext& context) {
    const std::size_t n = x_.size();
    const double h2 = context.h * context.h;
    for (std::size_t i = 0; i < n; ++i) v_[i] = (x_[i] - context.start->x[i]) / context.h;
    const ForceInput in{x_, v_, context.time_end()}, elastic{x_, still_, context.time_end()};
    f_.assign(n, Vec3::Zero());
    others_.assign(n, Vec3::Zero());
    for (const Force* force : forces_.forces()) {
        const ForceInput& own = force->has_hessian() ? elastic : in;
        force->add_force(own, f_);
        if (!force->has_energy()) force->add_force(own, others_);
    }
    if (damped_) {
        damping_.multiply(v_, resisted_);
        for (std::size_t i = 0; i < n; ++i) f_[i] -= resisted_[i];
    }
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double mass = context.model->mass[i];
        g_[i] =
            context.pinned[i] ? Vec3(Vec3::Zero()) : Vec3(mass * (x_[i] - context.inertial[i]) - h2 * f_[i]);
        sum += g_[i].squaredNorm() / mass;
    }
    return std::sqrt(sum);
}

// What the step minimises; forces without energy enter with the value they had last.
double BackwardEuler::objective(const StepContext& context, ConstPoints x) {
    const double h2 = context.h * context.h;
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (context.pinned[i]) continue;
        sum += 0.5 * context.model->mass[i] * (x[i] - context.inertial[i]).squaredNorm();
        sum -= h2 * others_[i].dot(x[i] - x_[i]);
        sum += 0.5 * (context.metric.diagonal[i] - context.model->mass[i]) * (x[i] - x_[i]).squaredNorm();
    }
    for (const Force* force : forces_.forces()) {
        if (force->has_energy()) sum += h2 * force->energy(x);
    }
    if (!damped_) return sum;
    for (std::size_t i = 0; i < x.size(); ++i) way_[i] = x[i] - context.start->x[i];
    damping_.multiply(way_, resisted_);
    for (std::size_t i = 0; i < x.size(); ++i) sum += 0.5 * context.h * way_[i].dot(resisted_[i]);
    return sum;
}

void BackwardEuler::assemble(const StepContext& context) {
    matrix_.clear();
    for (std::size_t i = 0; i < x_.size(); ++i) {
        matrix_.add(int(i), int(i), context.metric.diagonal[i] * Mat3::Identity());
    }
    if (context.metric.stiffness) matrix_.add_scalar(*context.metric.stiffness, context.metric.scale);
    const State& start = *context.start;
    for (const Force* force : forces_.forces()) {
        if (!force->has_hessian()) continue;
        force->add_hessian({x_, still_, context.time_end()}, context.h * context.h, matrix_);
        if (damped_) force->add_damping_hessian({start.x, start.v, start.t}, context.h, matrix_);
    }
}

bool BackwardEuler::search(const StepContext& context) {
    double slope = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) slope += g_[i].dot(dx_[i]);
    const double before = objective(context, x_);
    for (double step = 1; step >= least_step; step *= 0.5) {
        trial_ = x_;
        for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] += step * dx_[i];
        const double noise = 1e-12 * std::abs(before);
        if (objective(context, trial_) <= before + 1e-4 * step * slope + noise) {
            x_ = trial_;
            return true;
        }
    }
    return false;
}

bool BackwardEuler::newton(StepContext& context) {
    if (analysed_for_ != context.pinned) {
        cholesky_.analyse(matrix_, context.pinned);
        analysed_for_ = context.pinned;
    }
    const double enough = params_.tolerance * scale(context);
    for (int iteration = 0; iteration < params_.max_iterations && !context.stopping(); ++iteration) {
        const double norm = gradient(context);
        if (!(norm > enough)) return true;
        assemble(context);
        if (!cholesky_.factor(matrix_)) return false;
        cholesky_.solve(g_, dx_);
        for (Vec3& d : dx_) d = -d;
        if (!search(context)) return false;
    }

    // One iteration is a method of its own and owes nothing.
    return params_.max_iterations == 1 || !(gradient(context) > enough);
}

void BackwardEuler::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    context.h = context.dt;
    context.inertial.resize(n);
    for (auto* points : {&v_, &g_, &dx_, &way_, &resisted_}) points->resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        context.inertial[i] =
            context.pinned[i] ? context.pin_target[i] : Vec3(start.x[i] + context.h * start.v[i]);
    }
    forces_.fill_metric({context.inertial, start.v, context.time_end()}, context.h, context.metric);
    context.metric.solver = nullptr;

    load_damping(context);

    // Start from inertia.
    x_ = context.inertial;
    if (!newton(context)) c.note = "backward_euler: Newton did not converge";
    c.v.resize(n);
    for (std::size_t i = 0; i < n; ++i) c.v[i] = (x_[i] - start.x[i]) / context.dt;
}

State BackwardEuler::accept(const StepContext& context, const Candidate& c) { return step_end(context, c); }

}  // namespace taut::integrators

#include "taut/integrators/force_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::integrators {
namespace {

// Relative residual of the implicit displacement: an error of the external force of this relative size, the
// same for any step.
constexpr double solve_tolerance = 1e-3;

// Solves in single precision, with at most so many iterations each, are repeated on the residual in double
// precision. No pass goes further than single precision carries, nor much further than needed; its own
// norm is another one, hence the margin.
constexpr double finest_pass = 1e-3, pass_margin = 0.3;
constexpr int pass_iterations = 200, most_passes = 8;

}  // namespace

State step_end(const StepContext& context, const Candidate& c) {
    State end{context.start->x, c.v, context.time_end()};
    for (std::size_t i = 0; i < end.x.size(); ++i) {
        end.x[i] = context.pinned[i] ? context.pin_target[i] : Vec3(end.x[i] + context.dt * c.v[i]);
        if (c.settled) end.v[i] += c.jump[i] - c.way[i] / context.dt;
    }
    return end;
}

void ForceSum::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces, Stiffness which) {
    model_ = &model;
    forces_.clear();
    for (const auto& force : forces) forces_.push_back(force.get());
    shift_.prepare(model);
    analysed_for_.clear();
    if (which == Stiffness::none) return;
    std::vector<linalg::Triplet> triplets;
    for (const Force* force : forces_) {
        if (which == Stiffness::all || !force->has_hessian()) force->add_stiffness(triplets);
    }
    if (triplets.empty()) return;
    stiffness_ = linalg::SymmetricCsr(model.vertex_count(), triplets);
    stiffness_diagonal_ = stiffness_.diagonal();
}

void ForceSum::evaluate(const ForceInput& in, Points& f) const {
    f.assign(in.x.size(), Vec3::Zero());
    for (const Force* force : forces_) force->add_force(in, f);
}

void ForceSum::fill_metric(const ForceInput& in, double h, Metric& metric) const {
    metric.diagonal.assign(model_->mass.size(), 0.0);
    for (const Force* force : forces_) force->add_damping(in, metric.diagonal);
    for (std::size_t i = 0; i < metric.diagonal.size(); ++i) {
        metric.diagonal[i] = model_->mass[i] + h * metric.diagonal[i];
    }
    metric.stiffness = stiffness_.empty() ? nullptr : &stiffness_;
    metric.scale = h * h;
    metric.total_diagonal = metric.diagonal;
    for (std::size_t i = 0; i < stiffness_diagonal_.size(); ++i) {
        metric.total_diagonal[i] += metric.scale * stiffness_diagonal_[i];
    }
}

void ForceSum::fill_mass_metric(Metric& metric) const {
    metric.diagonal = metric.total_diagonal = model_->mass;
    metric.stiffness = nullptr;
    metric.scale = 0;
    metric.solver = nullptr;
}

void ForceSum::explicit_candidate(const Points& f, double duration, StepContext& context,
                                  Candidate& c) const {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    c.v.resize(n);
    context.inertial.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (context.pinned[i]) {
            context.inertial[i] = context.pin_target[i];
            c.v[i] = (context.pin_target[i] - start.x[i]) / context.dt;
        } else {
            const Vec3 kept = context.inertia * start.v[i];
            context.inertial[i] = start.x[i] + context.dt * kept;
            c.v[i] = kept + duration / model_->mass[i] * f[i];
        }
    }
}

void ForceSum::analyse(const StepContext& context) {
    if (analysed_for_ == context.pinned) return;
    std::vector<linalg::LineFamily> families(2);
    std::vector<std::array<int, 2>> edges;
    for (const mesh::Yarn& yarn : model_->yarns) {
        families[yarn.direction == mesh::Direction::warp ? 0 : 1].push_back(yarn.vertex);
        for (int e : yarn.edge) edges.push_back({model_->edges[e].a, model_->edges[e].b});
    }
    std::erase_if(families, [](const auto& lines) { return lines.empty(); });
    solver_.analyse(model_->vertex_count(), context.metric.stiffness, edges, families, context.pinned);
    for (auto* vector : {&rhs_, &correction_})
        vector->assign(model_->mass.size() + 1, linalg::Lanes<float>{});
    analysed_for_ = context.pinned;
}

// residual_ = h^2 f - metric d, zero where pinned; returns its norm in the inverse of the metric's diagonal.
double ForceSum::residual(const StepContext& context, double h2, const Points& f,
                          const Points& displacement) {
    context.metric.apply(displacement, residual_);
    return std::sqrt(parallel_sum(f.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            residual_[i] = context.pinned[i] ? Vec3(Vec3::Zero()) : Vec3(h2 * f[i] - residual_[i]);
            sum += residual_[i].squaredNorm() / context.metric.total_diagonal[i];
        }
        return sum;
    }));
}

void ForceSum::solve(StepContext& context, const Points& f, Points& displacement) {
    const std::size_t n = f.size();
    const double h2 = context.h * context.h;
    const Metric& metric = context.metric;
    displacement.assign(n, Vec3::Zero());
    context.metric.solver = nullptr;
    if (!metric.stiffness) {
        for (std::size_t i = 0; i < n; ++i) {
            if (!context.pinned[i]) displacement[i] = h2 / metric.diagonal[i] * f[i];
        }
        return;
    }

    // Solve in passes, each with line solves along the yarns in single precision.
    analyse(context);
    context.metric.solver = &solver_;
    double unit = 0;
    for (double d : metric.diagonal) unit += d / double(n);
    solver_.assemble(metric.diagonal, metric.scale, {}, unit);
    residual_.resize(n);
    const double first = residual(context, h2, f, displacement);
    double left = first;
    for (int pass = 0; pass < most_passes && left > solve_tolerance * first; ++pass) {
        // Scale the right-hand side to order one.
        const double size = left / std::sqrt(unit * double(n));
        parallel_for(n, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3 b = residual_[i] / (unit * size);
                rhs_[i] = linalg::Lanes<float>{float(b.x()), float(b.y()), float(b.z()), 0};
            }
        });
        const double needed = pass_margin * solve_tolerance * first / left;
        solver_.solve(rhs_, correction_, std::max(finest_pass, needed), pass_iterations);
        parallel_for(n, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const auto& c = correction_[i];
                displacement[i] += size * Vec3(c[0], c[1], c[2]);
            }
        });
        left = residual(context, h2, f, displacement);
    }
    Points impulse(n), origin(n, Vec3::Zero());
    for (std::size_t i = 0; i < n; ++i) impulse[i] = h2 * f[i];
    shift_.restore(context.pinned, metric.diagonal, origin, impulse, displacement);
}

}  // namespace taut::integrators

#include "taut/filters/fast_projection.hpp"

#include <cmath>

#include "taut/constraints/edge_length.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {

void describe(ParamList& list, FastProjectionParams& params) {
    list.number("tolerance", params.tolerance, "1", between(1e-9, 0.5),
                "Permissible strain |l/l0 - 1| of warp and weft edges.");
    list.integer("max_iterations", params.max_iterations, "1", between(1, 100000),
                 "Most projection iterations in one step.");
    list.choice("form", params.form, {"goldenthal", "squared", "relative"},
                "Form of the length constraint: |d|^2/l - l, |d|^2 - l^2, or |d|/l - 1.");
    list.number("regularization", params.regularization, "1", between(0, 1),
                "Added to the diagonal of the linear system, relative to it.");
    list.number("linear_tolerance", params.linear_tolerance, "1", between(1e-12, 0.5),
                "Relative residual asked of an iterative solver.");
}

FastProjection::FastProjection(Params params, std::unique_ptr<linalg::LinearSolver> solver)
    : FastProjection(params, std::move(solver),
                     std::make_unique<constraints::EdgeLength>(constraints::EdgeLengthParams{params.form})) {}

FastProjection::FastProjection(Params params, std::unique_ptr<linalg::LinearSolver> solver,
                               std::unique_ptr<Constraint> constraint)
    : params_(std::move(params)), solver_(std::move(solver)), constraint_(std::move(constraint)) {}

void FastProjection::prepare(const Model& model) {
    constraint_->prepare(model);
    shift_.prepare(model);
    analysed_for_.clear();
    c_.resize(std::size_t(constraint_->rows()));
    dmu_.resize(c_.size());
    dx_.resize(model.rest.size());
    zero_.assign(model.rest.size(), Vec3::Zero());
}

void FastProjection::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = params_.tolerance;
    end_positions(context, c, x0_);
    x_ = x0_;
    if (constraint_->rows() == 0) return;

    // While the strain exceeds the threshold, take the smallest step to the linearised constraints.
    for (int iteration = 0; iteration < params_.max_iterations; ++iteration) {
        if (constraint_->violation(x_) <= params_.tolerance) break;
        constraint_->residual(x_, c_);
        constraint_->jacobian(x_, rows_);
        if (analysed_for_ != context.pinned) {
            solver_->analyse(
                {context.model->vertex_count(), &rows_, &constraint_->chains(), nullptr, context.pinned});
            analysed_for_ = context.pinned;
        }
        linalg::SaddleSystem system;
        system.diagonal = context.model->mass;
        system.rows = &rows_;
        system.regularization = params_.regularization;
        system.f = zero_;
        system.c = c_;
        system.tolerance = params_.linear_tolerance;
        const linalg::SolveReport solved = solver_->solve(system, dmu_, dx_);
        ++report.iterations;
        report.linear_iterations += solved.iterations;
        report.inner_iterations += solved.inner_iterations;
        if (!all_finite(dx_)) break;
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += dx_[i];
    }
    shift_.restore(context.pinned, context.model->mass, x0_, {}, x_);
    store_velocity(context, x_, c);
}

void FastProjection::measure(const StepContext& context, const Candidate& c, FilterReport& report) const {
    Points x;
    end_positions(context, c, x);
    report.tolerance = params_.tolerance;
    report.residual = constraint_->violation(x);
    report.held = report.residual <= params_.tolerance;
    if (!report.held) report.note = describe_miss(*constraint_, x, params_.tolerance, report.iterations);
}

}  // namespace taut::filters

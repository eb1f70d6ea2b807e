#include "taut/filters/fast_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/filters/step_points.hpp"

namespace taut::filters {

void describe(ParamList& list, FastProjectionParams& params) {
    describe_tolerance(list, params.tolerance);
    describe_iterations(list, params.max_iterations, "projection iterations");
    describe_form(list, params.form);
    list.number("regularization", params.regularization, "1", between(0, 1),
                "Added to the diagonal of the linear system, relative to it.");
    list.number("linear_tolerance", params.linear_tolerance, "1", between(1e-12, 0.5),
                "Relative residual asked of an iterative solver.");
    describe_edges(list, params.edges);
}

FastProjection::FastProjection(Params params, std::unique_ptr<linalg::LinearSolver> solver)
    : FastProjection(params, std::move(solver),
                     std::make_unique<constraints::EdgeLength>(
                         constraints::EdgeLengthParams{params.form, params.edges})) {}

FastProjection::FastProjection(Params params, std::unique_ptr<linalg::LinearSolver> solver,
                               std::unique_ptr<Constraint> constraint)
    : LengthFilter(params.tolerance, std::move(constraint)),
      params_(std::move(params)),
      solver_(std::move(solver)) {}

void FastProjection::prepare(const Model& model) {
    LengthFilter::prepare(model);
    shift_.prepare(model);
    solver_.prepare();
    c_.resize(std::size_t(constraint().rows()));
    mu_.resize(c_.size());
    dmu_.resize(c_.size());
    dx_.resize(model.rest.size());
    zero_.assign(model.rest.size(), Vec3::Zero());
}

double FastProjection::force_residual(const StepContext& context) {
    constraint().jacobian(x_, rows_);
    pull_.assign(x_.size(), Vec3::Zero());
    rows_.add_transposed(mu_, pull_);
    double sum = 0, mass = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
        if (context.pinned[i]) continue;
        const double m = context.model->mass[i];
        sum += m * (x_[i] - x0_[i] + pull_[i] / m).squaredNorm();
        mass += m;
    }
    return mass > 0 ? std::sqrt(sum / mass) : 0;
}

void FastProjection::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = tolerance();
    advance_to(context.time_end());
    end_positions(context, c, x0_);
    x_ = best_ = x0_;
    if (constraint().rows() == 0) return;

    std::fill(mu_.begin(), mu_.end(), 0.0);
    int projections = 0;
    double least = std::numeric_limits<double>::infinity();

    // While the strain exceeds the threshold, take the smallest step to the linearised constraints.
    for (; projections < params_.max_iterations && !context.stopping(); ++projections) {
        const double strain = constraint().violation(x_);
        if (strain < least) {
            least = strain;
            best_ = x_;
        }
        if (strain <= tolerance()) break;
        constraint().residual(x_, c_);
        constraint().jacobian(x_, rows_);
        linalg::SaddleSystem system;
        system.diagonal = context.model->mass;
        system.rows = &rows_;
        system.regularization = params_.regularization;
        system.f = zero_;
        system.c = c_;
        system.tolerance = params_.linear_tolerance;
        solver_.solve(context, constraint(), system, dmu_, dx_, report);
        if (!all_finite(dx_)) break;
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += dx_[i];
        for (std::size_t r = 0; r < mu_.size(); ++r) mu_[r] += dmu_[r];
        if (context.round == 0 && projections == 0) report.force_first = force_residual(context);
    }
    // Where the iteration has not ended, leave the least strained positions met.
    if (!(constraint().violation(x_) <= least)) x_ = best_;
    if (context.round == 0)
        report.force_last = projections > 1 ? force_residual(context) : report.force_first;
    shift_.restore(context.pinned, context.model->mass, x0_, {}, x_);
    finish(context, x_, c, report);
}

}  // namespace taut::filters

#include "taut/filters/icd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/base/error.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {

void describe(ParamList& list, IcdParams& params) {
    describe_tolerance(list, params.tolerance);
    list.number("force_tolerance", params.force_tolerance, "1", between(1e-12, 1),
                "Permissible residual of the force balance, relative to the constraint impulse.");
    describe_iterations(list, params.max_iterations, "Newton iterations");
    list.choice("forces", params.forces, {"candidate", "end"},
                "Potential forces as the integrator has them in its candidate, or at the end of the step.");
    describe_form(list, params.form);
    list.number("regularization", params.regularization, "1", between(0, 1),
                "Added to the dual diagonal, relative to it, so that taut rows between pins stay solvable.");
    describe_edges(list, params.edges);
}

Icd::Icd(Params params, std::unique_ptr<linalg::LinearSolver> solver)
    : LengthFilter(params.tolerance, constraints::EdgeLengthParams{params.form, params.edges}),
      params_(std::move(params)),
      solver_(std::move(solver)) {
    if (!solver_.solver().signed_weights()) {
        throw InputError({}, "icd needs a solver for indefinite systems",
                         std::string(solver_.solver().name()), "choose ldlt or lu, or use stable_projection");
    }
}

void Icd::prepare(const Model& model) {
    LengthFilter::prepare(model);
    shift_.prepare(model);
    solver_.prepare();
    const std::size_t m = std::size_t(constraint().rows()), n = model.rest.size();
    for (auto* vector : {&mu_, &dmu_, &w_}) vector->assign(m, 0.0);
    dx_.assign(n, Vec3::Zero());
    balance_.prepare(model, constraint(), still_distance(model), params_.forces == "end");
}

bool Icd::newton(const StepContext& context, FilterReport& report) {
    double least = std::numeric_limits<double>::infinity();
    for (int iteration = 0;; ++iteration) {
        const double imbalance = balance_.evaluate(context, constraint(), x_, x0_, mu_);
        const double strain = constraint().violation(x_);
        if (strain <= tolerance() && imbalance <= params_.force_tolerance) return true;
        if (strain < least) {
            least = strain;
            best_ = x_;
        }
        if (iteration >= params_.max_iterations || !std::isfinite(imbalance) || context.stopping())
            return false;

        // Take the full Newton step; tension and compression both count in the matrix.
        constraint().geometric_stiffness(x_, mu_, w_);
        for (double& w : w_) w *= context.force_at;
        linalg::SaddleSystem system;
        system.diagonal = context.metric.diagonal;
        system.stiffness_scale = context.metric.scale;
        system.weight = w_;
        system.rows = &balance_.rows;
        system.regularization = params_.regularization;
        system.f = balance_.f;
        system.c = balance_.c;
        if (!solver_.solve(context, constraint(), system, dmu_, dx_, report)) return false;
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += dx_[i];
        for (std::size_t r = 0; r < mu_.size(); ++r) mu_[r] += dmu_[r];
    }
}

void Icd::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = tolerance();
    converged_ = true;
    if (constraint().rows() == 0) return;
    advance_to(context.time_end());
    end_positions(context, c, x0_);
    x_ = best_ = x0_;
    std::fill(mu_.begin(), mu_.end(), 0.0);
    converged_ = newton(context, report);
    // Leave the least strained positions where Newton did not converge.
    if (!converged_) x_ = best_;
    if (params_.forces == "candidate") shift_.restore(context.pinned, context.metric.diagonal, x0_, {}, x_);
    finish(context, x_, c, report);
}

}  // namespace taut::filters

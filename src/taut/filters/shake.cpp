#include "taut/filters/shake.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

// An iteration that does not bring the strain down to this part of what it was asks for a new matrix.
constexpr double wanted_shrink = 0.5;

// A correction by more than so many edge lengths comes from a matrix that is singular in all but name.
constexpr double largest_move = 10;

}  // namespace

void describe(ParamList& list, ShakeParams& params) {
    describe_tolerance(list, params.tolerance);
    describe_iterations(list, params.max_iterations, "iterations");
    list.choice("matrix", params.matrix, {"newton", "symmetric"},
                "Newton's J(x) M^-1 J(x_n)^T, which needs the solver lu, or J(x_n) M^-1 J(x_n)^T.");
    describe_form(list, params.form);
    list.number("regularization", params.regularization, "1", between(0, 1),
                "Added to the diagonal of the linear system, relative to it.");
    list.number("linear_tolerance", params.linear_tolerance, "1", between(1e-12, 0.5),
                "Relative residual asked of an iterative solver.");
    describe_edges(list, params.edges);
}

Shake::Shake(Params params, std::unique_ptr<linalg::LinearSolver> solver)
    : LengthFilter(params.tolerance, constraints::EdgeLengthParams{params.form, params.edges}),
      params_(std::move(params)),
      solver_(std::move(solver)) {
    if (params_.matrix == "newton" && !solver_.solver().unsymmetric()) {
        throw InputError({}, "the matrix 'newton' needs a solver for unsymmetric systems",
                         std::string(solver_.solver().name()), "choose lu, or the matrix 'symmetric'");
    }
}

void Shake::prepare(const Model& model) {
    LengthFilter::prepare(model);
    shift_.prepare(model);
    solver_.prepare();
    c_.resize(std::size_t(constraint().rows()));
    dmu_.resize(c_.size());
    dx_.resize(model.rest.size());
    longest_ = 0;
    for (double length : model.rest_length) longest_ = std::max(longest_, length);
    zero_.assign(model.rest.size(), Vec3::Zero());
}

bool Shake::moderate(ConstPoints move) const {
    const double limit = largest_move * longest_;
    return std::all_of(move.begin(), move.end(), [&](const Vec3& d) { return d.norm() <= limit; });
}

void Shake::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = tolerance();
    advance_to(context.time_end());
    end_positions(context, c, x0_);
    x_ = x0_;
    if (constraint().rows() == 0) return;
    const bool newton = params_.matrix == "newton";
    constraint().jacobian(context.start->x, start_rows_);

    bool rebuild = true;
    double last = constraint().violation(x_), least = last;
    best_ = x_;
    for (int iteration = 0; iteration < params_.max_iterations && last > tolerance() && !context.stopping();
         ++iteration) {
        // Make the matrix of this step, or a new one where the old one does not lead on.
        constraint().residual(x_, c_);
        if (rebuild) constraint().jacobian(x_, rows_);
        linalg::SaddleSystem system;
        system.diagonal = context.model->mass;
        system.rows = newton ? &rows_ : &start_rows_;
        system.force_rows = newton ? &start_rows_ : nullptr;
        system.same_matrix = !rebuild;
        system.regularization = params_.regularization;
        system.f = zero_;
        system.c = c_;
        system.tolerance = params_.linear_tolerance;
        if (!solver_.solve(context, constraint(), system, dmu_, dx_, report) || !moderate(dx_)) break;

        // Push along the gradients at the start of the step.
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += dx_[i];
        const double strain = constraint().violation(x_);
        if (!std::isfinite(strain)) break;
        if (strain < least) {
            least = strain;
            best_ = x_;
        }
        rebuild = newton && strain > wanted_shrink * last;
        last = strain;
    }
    // Where there is no solution, leave the least strained positions met.
    if (!(last <= tolerance())) x_ = best_;
    shift_.restore(context.pinned, context.model->mass, x0_, {}, x_);
    finish(context, x_, c, report);
}

}  // namespace taut::filters

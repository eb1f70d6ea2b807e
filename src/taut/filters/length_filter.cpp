#include "taut/filters/length_filter.hpp"

#include <algorithm>
#include <limits>

#include "taut/filters/step_points.hpp"

namespace taut::filters {

void describe_tolerance(ParamList& list, double& tolerance) {
    list.number("tolerance", tolerance, "1", between(1e-9, 0.5),
                "Permissible strain |l/l0 - 1| of warp and weft edges.");
}

void describe_iterations(ParamList& list, int& max_iterations, const std::string& what) {
    list.integer("max_iterations", max_iterations, "1", between(1, 1000000),
                 "Most " + what + " in one step.");
}

void describe_edges(ParamList& list, std::string& edges) {
    list.choice("edges", edges, {"yarns", "all"},
                "Which edges keep their length: warp and weft, or all, which locks triangles.");
}

void describe_form(ParamList& list, std::string& form) {
    list.choice("form", form, {"goldenthal", "squared", "relative"},
                "Form of the length constraint: |d|^2/l - l, |d|^2 - l^2, or |d|/l - 1.");
}

LengthFilter::LengthFilter(double tolerance, std::unique_ptr<Constraint> constraint)
    : tolerance_(tolerance), constraint_(std::move(constraint)) {}

LengthFilter::LengthFilter(double tolerance, const constraints::EdgeLengthParams& params)
    : LengthFilter(tolerance, std::make_unique<constraints::EdgeLength>(params)) {}

void LengthFilter::prepare(const Model& model) { constraint_->prepare(model); }

double LengthFilter::still_distance(const Model& model) const {
    double shortest = 1e300;
    for (double length : model.rest_length) shortest = std::min(shortest, length);
    return 0.01 * tolerance_ * shortest;
}

void LengthFilter::finish(const StepContext& context, ConstPoints x, Candidate& c,
                          FilterReport& report) const {
    if (!all_finite(x)) {
        report.reached = std::numeric_limits<double>::infinity();
        return;
    }
    store_velocity(context, x, c);
    report.reached = constraint_->violation(x);
}

void LengthFilter::measure(const StepContext& context, const Candidate& c, FilterReport& report) const {
    Points x;
    advance_to(context.time_end());
    end_positions(context, c, x);
    report.tolerance = tolerance_;
    report.residual = constraint_->violation(x);
    report.held = report.residual <= tolerance_;
    if (!report.held) {
        report.note = describe_miss(*context.model, *constraint_, x, tolerance_, report.iterations);
    } else if (!converged_) {
        report.note = "force balance not reached in " + std::to_string(report.iterations) + " iterations";
        report.held = false;
    }
}

void LengthFilter::judge_before(FilterReport& report) const {
    const bool reached = report.reached <= tolerance_;
    report.residual = report.reached;
    report.held = reached && converged_;
    if (reached && converged_) report.note.clear();
}

bool RowSolver::solve(const StepContext& context, const Constraint& constraint,
                      const linalg::SaddleSystem& system, std::span<double> dmu, PointsView dx,
                      FilterReport& report) {
    if (analysed_for_ != context.pinned) {
        const bool stiff = system.stiffness_scale != 0;
        // The integrator's solver knows the edges of yarns and no others.
        const bool lent = stiff && constraint.chains().size() == context.model->yarns.size();
        solver_->analyse({context.model->vertex_count(), system.rows, &constraint.chains(),
                          stiff ? context.metric.stiffness : nullptr, context.pinned,
                          lent ? context.metric.solver : nullptr});
        analysed_for_ = context.pinned;
    }
    const linalg::SolveReport solved = solver_->solve(system, dmu, dx);
    ++report.iterations;
    report.linear_iterations += solved.iterations;
    report.inner_iterations += solved.inner_iterations;
    return solved.converged;
}

}  // namespace taut::filters

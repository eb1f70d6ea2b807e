#include "taut/filters/sap.hpp"

#include <algorithm>
#include <cmath>

#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

// Penalties grow so much where a round of multipliers has not brought the constraints down to this part.
constexpr double penalty_growth = 10, constraint_shrink = 0.25;
// Beyond this the Hessian is too ill-conditioned for its factor [relative].
constexpr double largest_penalty = 1e9;

// Rounds of multipliers in one step; a tolerance of 1e-9 takes about ten.
constexpr int most_rounds = 100;

// A line search gives up below this step: the direction is rounding noise.
constexpr double least_step = 1e-6;

}  // namespace

void describe(ParamList& list, SapParams& params) {
    describe_tolerance(list, params.tolerance);
    list.number("force_tolerance", params.force_tolerance, "1", between(1e-12, 1),
                "Permissible gradient of the Lagrangian, relative to the displacement.");
    describe_iterations(list, params.max_iterations, "Newton steps of the minimisation");
    list.number("penalty", params.penalty, "1", between(1, 1e9),
                "First weight of the penalty, relative to the mass that each constraint moves.");
    describe_form(list, params.form);
    describe_edges(list, params.edges);
}

Sap::Sap(Params params)
    : LengthFilter(params.tolerance, constraints::EdgeLengthParams{params.form, params.edges}),
      params_(std::move(params)) {}

void Sap::prepare(const Model& model) {
    LengthFilter::prepare(model);
    shift_.prepare(model);
    analysed_for_.clear();
    const std::size_t m = std::size_t(constraint().rows()), n = model.rest.size();
    for (auto* vector : {&c_, &mu_, &penalty_, &pull_, &w_}) vector->assign(m, 0.0);
    for (auto* points : {&dx_, &g_, &offset_}) points->assign(n, Vec3::Zero());
    constraint().jacobian(model.rest, rows_);
    rest_square_.resize(m);
    const auto& lengths = static_cast<const constraints::EdgeLength&>(constraint());
    for (std::size_t r = 0; r < m; ++r) {
        // Sewn vertices lie anywhere at rest.
        const bool edge = int(r) < lengths.edge_rows();
        rest_square_[r] = edge ? rows_.gradient[2 * r].squaredNorm() : lengths.squared_gradient(int(r));
    }
    const double still = still_distance(model);
    still_ = 0;
    for (double mass : model.mass) still_ += mass * still * still;
}

void Sap::analyse(const StepContext& context) {
    if (analysed_for_ == context.pinned && analysed_stiffness_ == context.metric.stiffness) return;
    std::vector<std::array<int, 2>> pairs;
    pairs.reserve(std::size_t(rows_.rows()));
    for (int r = 0; r < rows_.rows(); ++r) {
        pairs.push_back({rows_.vertex[rows_.start[r]], rows_.vertex[rows_.start[r] + 1]});
    }
    if (context.metric.stiffness) linalg::append_pairs(*context.metric.stiffness, pairs);
    hessian_.set_pattern(context.model->vertex_count(), pairs);
    cholesky_.analyse(hessian_, context.pinned);
    analysed_for_ = context.pinned;
    analysed_stiffness_ = context.metric.stiffness;
}

double Sap::objective(const StepContext& context, ConstPoints x) {
    for (std::size_t i = 0; i < x.size(); ++i) offset_[i] = x[i] - x0_[i];
    context.metric.apply(offset_, g_);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += 0.5 * offset_[i].dot(g_[i]);
    constraint().residual(x, c_);
    for (std::size_t r = 0; r < c_.size(); ++r) sum += (mu_[r] + 0.5 * penalty_[r] * c_[r]) * c_[r];
    return sum;
}

double Sap::gradient(const StepContext& context) {
    for (std::size_t i = 0; i < x_.size(); ++i) offset_[i] = x_[i] - x0_[i];
    context.metric.apply(offset_, g_);
    constraint().residual(x_, c_);
    constraint().jacobian(x_, rows_);
    for (std::size_t r = 0; r < c_.size(); ++r) pull_[r] = mu_[r] + penalty_[r] * c_[r];
    rows_.add_transposed(pull_, g_);
    double force = 0, scale = still_;
    for (std::size_t i = 0; i < x_.size(); ++i) {
        if (context.pinned[i]) {
            g_[i].setZero();
            continue;
        }
        force += g_[i].squaredNorm() / context.metric.total_diagonal[i];
        scale += offset_[i].squaredNorm() * context.metric.diagonal[i];
    }
    return std::sqrt(force / scale);
}

// H0 + L(w) + J^T R J; the weights of pushing constraints are left out unless signed.
void Sap::assemble(const StepContext& context, bool signed_weights) {
    hessian_.clear();
    const Metric& metric = context.metric;
    for (std::size_t i = 0; i < metric.diagonal.size(); ++i) {
        hessian_.add(int(i), int(i), metric.diagonal[i] * Mat3::Identity());
    }
    if (metric.stiffness) hessian_.add_scalar(*metric.stiffness, metric.scale);
    constraint().geometric_stiffness(x_, pull_, w_);
    for (int r = 0; r < rows_.rows(); ++r) {
        const int k = rows_.start[r];
        const Vec3& gradient = rows_.gradient[k];
        const double w = signed_weights ? w_[r] : std::max(w_[r], 0.0);
        hessian_.add_pair(rows_.vertex[k], rows_.vertex[k + 1],
                          penalty_[r] * gradient * gradient.transpose() + w * Mat3::Identity());
    }
}

bool Sap::descend(const StepContext& context) {
    // Prefer the exact Hessian; where it is not positive definite, a part of it that is.
    assemble(context, true);
    if (!cholesky_.factor(hessian_)) {
        assemble(context, false);
        if (!cholesky_.factor(hessian_)) return false;
    }
    for (Vec3& g : g_) g = -g;
    cholesky_.solve(g_, dx_);
    if (!all_finite(dx_)) return false;
    double slope = 0;
    for (std::size_t i = 0; i < dx_.size(); ++i) slope -= g_[i].dot(dx_[i]);

    // Halve the step until the objective falls as its slope says.
    const double before = objective(context, x_);
    for (double step = 1; step >= least_step; step *= 0.5) {
        trial_ = x_;
        for (std::size_t i = 0; i < trial_.size(); ++i) trial_[i] += step * dx_[i];
        const double after = objective(context, trial_);
        // Close to the minimum the difference is rounding: trust the step.
        const double noise = 1e-13 * std::abs(before);
        if (after <= before + 1e-4 * step * slope + noise) {
            x_ = trial_;
            return true;
        }
    }
    return false;
}

bool Sap::minimise(const StepContext& context, FilterReport& report) {
    // Weigh each constraint against the mass it moves.
    constraint().jacobian(x0_, rows_);
    analyse(context);
    for (int r = 0; r < rows_.rows(); ++r) {
        double inverse = 0;
        for (int k = rows_.start[r]; k < rows_.start[r + 1]; ++k) {
            const int v = rows_.vertex[k];
            if (!context.pinned[v]) inverse += rest_square_[r] / context.metric.diagonal[v];
        }
        penalty_[r] = inverse > 0 ? params_.penalty / inverse : 0;
    }

    // Minimise, move what the penalty carries into the multipliers, and so on.
    double last = constraint().violation(x_);
    double growth = 1;
    for (int round = 0; round < most_rounds; ++round) {
        while (gradient(context) > params_.force_tolerance) {
            if (report.iterations >= params_.max_iterations || context.stopping()) return false;
            ++report.iterations;
            ++report.linear_iterations;
            if (!descend(context)) break;
        }
        const double strain = constraint().violation(x_);
        if (!std::isfinite(strain)) return false;
        mu_ = pull_;
        if (strain <= tolerance()) return true;
        if (strain > constraint_shrink * last && growth * params_.penalty < largest_penalty) {
            growth *= penalty_growth;
            for (double& p : penalty_) p *= penalty_growth;
        }
        last = strain;
    }
    return false;
}

void Sap::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = tolerance();
    converged_ = true;
    if (constraint().rows() == 0) return;
    advance_to(context.time_end());
    end_positions(context, c, x0_);
    x_ = x0_;
    std::fill(mu_.begin(), mu_.end(), 0.0);
    if (constraint().violation(x_) > tolerance()) converged_ = minimise(context, report);
    shift_.restore(context.pinned, context.metric.diagonal, x0_, {}, x_);
    finish(context, x_, c, report);
}

}  // namespace taut::filters

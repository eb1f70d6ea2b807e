#include "taut/filters/stable_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/constraints/edge_length.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

// A displacement by this fraction of the permissible change of the shortest edge counts as none when
// force residuals are judged; without it cloth in free fall would iterate on rounding errors.
constexpr double still_fraction = 0.01;

// In later rounds vertices in contact count as this much heavier. At 1 the correction pulls them back
// into the obstacle and the rounds hardly converge; far above, rows that lie wholly on it turn stiff.
constexpr double contact_weight = 30;

// Later rounds aim below the tolerance, so that the contact filter after them does not break it again.
constexpr double round_margin = 0.7;

// Newton gives up where the strain is so many times the tolerance and has not halved for so many
// iterations: half the step takes less than the rest of them. Chosen by looking at the
// steps of hang at 317 x 317 that failed.
constexpr double far_off = 4;
constexpr int patience = 8;

// From this iteration on lengths are mended alone once forces balance. Earlier it costs linear iterations:
// what is left of C then sits in the slow modes of the solver.
constexpr int dragging = 5;

}  // namespace

void describe(ParamList& list, StableProjectionParams& params) {
    list.number("tolerance", params.tolerance, "1", between(1e-9, 0.5),
                "Permissible strain |l/l0 - 1| of warp and weft edges.");
    list.number("force_tolerance", params.force_tolerance, "1", between(1e-9, 1),
                "Permissible residual of the force balance, relative to the constraint impulse.");
    list.integer("max_iterations", params.max_iterations, "1", between(1, 100000),
                 "Most Newton iterations in one step.");
    list.choice("form", params.form, {"goldenthal", "squared", "relative"},
                "Form of the length constraint: |d|^2/l - l, |d|^2 - l^2, or |d|/l - 1.");
    list.number("regularization", params.regularization, "1", between(0, 1),
                "Added to the dual diagonal, relative to it, so that taut rows between pins stay solvable.");
    list.number("linear_tolerance", params.linear_tolerance, "1", between(1e-12, 0.9),
                "Relative residual asked of an iterative solver in each Newton iteration.");
    list.number("step_limit", params.step_limit, "1", positive(),
                "Most a vertex may move in one Newton iteration, in shortest edge lengths.");
}

StableProjection::StableProjection(Params params, std::unique_ptr<linalg::LinearSolver> solver)
    : params_(std::move(params)),
      solver_(std::move(solver)),
      constraint_(std::make_unique<constraints::EdgeLength>(constraints::EdgeLengthParams{params_.form})) {
    if (!solver_->general_metric()) {
        throw InputError({}, "stable_projection needs a solver for stiff metrics",
                         std::string(solver_->name()), "choose yarn_cg or ldlt, or use fast_projection");
    }
}

std::vector<MemoryBlock> StableProjection::memory() { return {{"stable_projection.lambda", &lambda_}}; }

void StableProjection::prepare(const Model& model) {
    constraint_->prepare(model);
    shift_.prepare(model);
    analysed_for_.clear();
    const std::size_t m = std::size_t(constraint_->rows()), n = model.rest.size();
    for (auto* vector : {&lambda_, &c_, &mu_, &dmu_, &w_}) vector->assign(m, 0.0);
    for (auto* points : {&x_, &x0_, &f_, &dx_, &offset_}) points->assign(n, Vec3::Zero());
    shortest_ = 1e300;
    for (double length : model.rest_length) shortest_ = std::min(shortest_, length);
    const double still = still_fraction * params_.tolerance * shortest_;
    rest_scale_ = 0;
    for (double mass : model.mass) rest_scale_ += mass * still * still;

    // List the entries of J at each vertex, for deterministic parallel products with J^T.
    constraint_->jacobian(model.rest, rows_);
    incident_start_.assign(n + 1, 0);
    for (int v : rows_.vertex) ++incident_start_[v + 1];
    for (std::size_t i = 0; i < n; ++i) incident_start_[i + 1] += incident_start_[i];
    incident_.resize(rows_.vertex.size());
    std::vector<int> next(incident_start_.begin(), incident_start_.end() - 1);
    for (int r = 0; r < rows_.rows(); ++r) {
        for (int k = rows_.start[r]; k < rows_.start[r + 1]; ++k) incident_[next[rows_.vertex[k]]++] = k;
    }
}

double StableProjection::residuals(const StepContext& context) {
    constraint_->residual(x_, c_);
    const std::size_t n = x_.size();
    const bool at_end = context.force_at == 1;
    if (!at_end) force_points_.resize(n);
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            offset_[i] = x_[i] - x0_[i];
            const Vec3& start = context.start->x[i];
            if (!at_end) force_points_[i] = start + context.force_at * (x_[i] - start);
        }
    });
    constraint_->jacobian(at_end ? x_ : force_points_, rows_);
    context.metric.apply(offset_, f_);

    // Compare |F| with the size of what the constraints do, in the norms of diag(H0)^-1 and M.
    std::vector<double> norm(2 * ((n + loop_block - 1) / loop_block), 0.0);
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        double force = 0, scale = 0;
        for (std::size_t i = begin; i < end; ++i) {
            if (context.pinned[i]) {
                f_[i].setZero();
                continue;
            }
            Vec3 pull = Vec3::Zero();
            for (int k = incident_start_[i]; k < incident_start_[i + 1]; ++k) {
                pull += mu_[std::size_t(incident_[k]) / 2] * rows_.gradient[incident_[k]];
            }
            f_[i] += pull;
            force += f_[i].squaredNorm() / context.metric.total_diagonal[i];
            scale += offset_[i].squaredNorm() * context.metric.diagonal[i];
        }
        norm[2 * (begin / loop_block)] = force;
        norm[2 * (begin / loop_block) + 1] = scale;
    });
    double force = 0, scale = 0;
    for (std::size_t b = 0; b < norm.size(); b += 2) force += norm[b], scale += norm[b + 1];
    if (!at_end) constraint_->jacobian(x_, rows_);
    return std::sqrt(force / (scale + rest_scale_));
}

void StableProjection::limit_step() {
    const double limit = params_.step_limit * shortest_;
    const double longest = std::sqrt(parallel_max(dx_.size(), [&](std::size_t begin, std::size_t end) {
        double largest = 0;
        for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, dx_[i].squaredNorm());
        return largest;
    }));
    if (!(longest > limit)) return;
    const double factor = limit / longest;
    for (Vec3& d : dx_) d *= factor;
    for (double& d : dmu_) d *= factor;
}

void StableProjection::solve(const StepContext& context, std::span<const double> diagonal,
                             FilterReport& report) {
    if (analysed_for_ != context.pinned) {
        solver_->analyse({context.model->vertex_count(), &rows_, &constraint_->chains(),
                          context.metric.stiffness, context.pinned, context.metric.solver});
        analysed_for_ = context.pinned;
    }
    linalg::SaddleSystem system;
    system.diagonal = diagonal;
    system.stiffness_scale = context.metric.scale;
    system.weight = w_;
    system.rows = &rows_;
    system.regularization = params_.regularization;
    system.f = f_;
    system.c = c_;
    system.tolerance = params_.linear_tolerance;
    const linalg::SolveReport solved = solver_->solve(system, dmu_, dx_);
    ++report.iterations;
    report.linear_iterations += solved.iterations;
    report.inner_iterations += solved.inner_iterations;
    limit_step();
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += dx_[i];
}

bool StableProjection::newton(const StepContext& context, FilterReport& report) {
    double least = std::numeric_limits<double>::infinity(), mark = least;
    int marked = 0;
    for (int iteration = 0;; ++iteration) {
        const double imbalance = residuals(context);
        const double strain = constraint_->violation(x_);
        // Once at least: warm multipliers balance the weight so well that small motion would be taken for
        // none.
        const bool good = strain <= params_.tolerance && imbalance <= params_.force_tolerance;
        if (good && iteration > 0) return true;
        if (strain < least && iteration > 0) {
            least = strain;
            best_ = x_;
        }
        if (iteration >= params_.max_iterations || !std::isfinite(imbalance)) break;

        // Give up early where the strain is far off and has not halved for long.
        if (strain < 0.5 * mark && iteration > 0) {
            mark = strain;
            marked = iteration;
        }
        if (strain > far_off * params_.tolerance && iteration - marked >= patience) break;

        // Weigh the edges by the tension they carry; compression is left out, so H stays definite.
        constraint_->geometric_stiffness(x_, mu_, w_);
        for (double& w : w_) w = context.force_at * std::max(w, 0.0);
        // Where Newton drags on though forces balance, mend the lengths alone, with the least motion that
        // does.
        if (iteration >= dragging && imbalance <= params_.force_tolerance) {
            std::fill(f_.begin(), f_.end(), Vec3::Zero());
        }
        solve(context, context.metric.diagonal, report);
        for (std::size_t r = 0; r < mu_.size(); ++r) mu_[r] += dmu_[r];
    }

    // Leave the least strained positions: where pins pull too far, multipliers and positions run away.
    if (std::isfinite(least)) x_ = best_;
    std::fill(mu_.begin(), mu_.end(), 0.0);
    return false;
}

void StableProjection::correct(const StepContext& context, const Candidate& c, FilterReport& report) {
    // Make vertices in contact heavy, so that the others give way.
    heavy_ = context.metric.diagonal;
    for (std::size_t i = 0; i < heavy_.size(); ++i) {
        if (c.impacted[i]) heavy_[i] *= contact_weight;
    }
    std::fill(f_.begin(), f_.end(), Vec3::Zero());
    const double goal = round_margin * params_.tolerance;
    for (int iteration = 0; iteration < params_.max_iterations; ++iteration) {
        const double strain = constraint_->violation(x_);
        if (strain <= goal || !std::isfinite(strain)) break;
        constraint_->residual(x_, c_);
        constraint_->jacobian(x_, rows_);
        solve(context, heavy_, report);
    }
}

void StableProjection::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = params_.tolerance;
    if (constraint_->rows() == 0) return;
    end_positions(context, c, x0_);
    if (context.round == 0) {
        // Start from inertia with the last step's tensions.
        const double h2 = context.h * context.h;
        x_ = context.inertial;
        for (std::size_t r = 0; r < mu_.size(); ++r) mu_[r] = h2 * lambda_[r];
        converged_ = newton(context, report);
        if (!all_finite(x_)) return;
        for (std::size_t r = 0; r < mu_.size(); ++r) lambda_[r] = mu_[r] / h2;
    } else {
        // Nothing later rounds do can save a step whose force balance was not found.
        if (!converged_) return;
        x_ = x0_;
        correct(context, c, report);
        if (!all_finite(x_)) return;
    }
    shift_.restore(context.pinned, context.metric.diagonal, x0_, {}, x_);
    store_velocity(context, x_, c);
}

void StableProjection::measure(const StepContext& context, const Candidate& c, FilterReport& report) const {
    Points x;
    end_positions(context, c, x);
    report.tolerance = params_.tolerance;
    report.residual = constraint_->violation(x);
    report.held = converged_ && report.residual <= params_.tolerance;
    if (!converged_)
        report.note = "force balance not reached in " + std::to_string(report.iterations) + " iterations";
    if (!(report.residual <= params_.tolerance)) {
        report.note = describe_miss(*constraint_, x, params_.tolerance, report.iterations);
    }
}

}  // namespace taut::filters

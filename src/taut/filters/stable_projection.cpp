#include "taut/filters/stable_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

// In later rounds vertices in contact count as this much heavier. At 1 the correction pulls them back
// into the obstacle and the rounds hardly converge; far above, rows that lie wholly on it turn stiff.
constexpr double contact_weight = 30;

// The same where contacts are rows of their own.
constexpr double combined_weight = 4;

// Later rounds aim below the tolerance, so that the contact filter after them does not break it again; the
// longer they go on, the closer to it, so that cloth drawn tight around a body finds a state both can bear.
constexpr double goal_inside = 0.95;
double round_goal(int round) { return 1 - 0.3 * std::pow(0.7, round - 1); }

// Newton gives up where the strain is so many times the tolerance and has not halved for so many
// iterations: half the step takes less than the rest of them. Chosen by looking at the
// steps of hang at 317 x 317 that failed.
constexpr double far_off = 4;
constexpr int patience = 8;

// A change of velocity that strains edges by less than this share of the tolerance in a step is left alone.
constexpr double rate_share = 0.5;

// From this iteration on lengths are mended alone once forces balance. Earlier it costs linear iterations:
// what is left of C then sits in the slow modes of the solver.
constexpr int dragging = 5;

}  // namespace

void describe(ParamList& list, StableProjectionParams& params) {
    describe_tolerance(list, params.tolerance);
    list.number("force_tolerance", params.force_tolerance, "1", between(1e-9, 1),
                "Permissible residual of the force balance, relative to the constraint impulse.");
    describe_iterations(list, params.max_iterations, "Newton iterations");
    describe_form(list, params.form);
    list.number("regularization", params.regularization, "1", between(0, 1),
                "Added to the dual diagonal, relative to it, so that taut rows between pins stay solvable.");
    list.number("linear_tolerance", params.linear_tolerance, "1", between(1e-12, 0.9),
                "Relative residual asked of an iterative solver in each Newton iteration.");
    list.number("step_limit", params.step_limit, "1", positive(),
                "Most a vertex may move in one Newton iteration, in shortest edge lengths.");
    describe_edges(list, params.edges);
    list.flag("combined", params.combined,
              "Whether contacts found so far in a step are rows beside the lengths in its later rounds; else "
              "their vertices count as heavier.");
}

StableProjection::StableProjection(Params params, std::unique_ptr<linalg::LinearSolver> solver)
    : LengthFilter(params.tolerance, constraints::EdgeLengthParams{params.form, params.edges}),
      params_(std::move(params)),
      solver_(std::move(solver)) {
    if (!solver_.solver().general_metric()) {
        throw InputError({}, "stable_projection needs a solver for stiff metrics",
                         std::string(solver_.solver().name()),
                         "choose yarn_cg or ldlt, or use fast_projection");
    }
    if (params_.combined && !solver_.solver().extra_rows()) {
        throw InputError({}, "a combined pass needs a solver that takes contacts",
                         std::string(solver_.solver().name()), "choose yarn_cg, or leave `combined` out");
    }
}

std::vector<MemoryBlock> StableProjection::memory() { return {{"stable_projection.lambda", &lambda_}}; }

void StableProjection::prepare(const Model& model) {
    LengthFilter::prepare(model);
    shift_.prepare(model);
    solver_.prepare();
    const std::size_t m = std::size_t(constraint().rows()), n = model.rest.size();
    for (auto* vector : {&lambda_, &mu_, &dmu_, &w_}) vector->assign(m, 0.0);
    for (auto* points : {&x_, &x0_, &dx_}) points->assign(n, Vec3::Zero());
    shortest_ = 1e300;
    for (double length : model.rest_length) shortest_ = std::min(shortest_, length);
    balance_.prepare(model, constraint(), still_distance(model), false);
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
    linalg::SaddleSystem system;
    system.diagonal = diagonal;
    system.stiffness_scale = context.metric.scale;
    system.weight = w_;
    system.rows = &balance_.rows;
    system.regularization = params_.regularization;
    system.f = balance_.f;
    system.c = balance_.c;
    system.tolerance = params_.linear_tolerance;
    guides_.enter(system);
    contacts_.enter(system);
    solver_.solve(context, constraint(), system, dmu_, dx_, report);
    contacts_.add_change();
}

// Solves and moves there, along guides.
void StableProjection::go(const StepContext& context, std::span<const double> diagonal,
                          FilterReport& report) {
    solve(context, diagonal, report);
    limit_step();
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += dx_[i];
    guides_.place(x_);
}

bool StableProjection::newton(const StepContext& context, FilterReport& report) {
    double least = std::numeric_limits<double>::infinity(), mark = least;
    int marked = 0;
    for (int iteration = 0;; ++iteration) {
        guides_.aim(x_);
        const double imbalance = balance_.evaluate(context, constraint(), x_, x0_, mu_, &guides_);
        const double strain = constraint().violation(x_);
        // Once at least: warm multipliers balance the weight so well that small motion would be taken for
        // none.
        const bool good = strain <= tolerance() && imbalance <= params_.force_tolerance;
        if (good && iteration > 0) return true;
        if (strain < least && iteration > 0) {
            least = strain;
            best_ = x_;
        }
        if (iteration >= params_.max_iterations || !std::isfinite(imbalance) || context.stopping()) break;

        // Give up early where the strain is far off and has not halved for long.
        if (strain < 0.5 * mark && iteration > 0) {
            mark = strain;
            marked = iteration;
        }
        if (strain > far_off * tolerance() && iteration - marked >= patience) break;

        // Weigh the edges by the tension they carry; compression is left out, so H stays definite.
        constraint().geometric_stiffness(x_, mu_, w_);
        for (double& w : w_) w = context.force_at * std::max(w, 0.0);
        // Where Newton drags on though forces balance, mend the lengths alone, with the least motion that
        // does.
        if (iteration >= dragging && imbalance <= params_.force_tolerance) {
            std::fill(balance_.f.begin(), balance_.f.end(), Vec3::Zero());
        }
        go(context, context.metric.diagonal, report);
        for (std::size_t r = 0; r < mu_.size(); ++r) mu_[r] += dmu_[r];
    }

    // Leave the least strained positions: where pins pull too far, multipliers and positions run away.
    if (std::isfinite(least)) x_ = best_;
    std::fill(mu_.begin(), mu_.end(), 0.0);
    return false;
}

// Leaves of the residual what is beyond a band of permissible strain: mending more would only push the cloth
// back to where another filter has just taken it from.
void StableProjection::leave_band(double strain) {
    const auto& edges = static_cast<const constraints::EdgeLength&>(constraint());
    parallel_for(balance_.c.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            const auto [a, b] = edges.ends(static_cast<int>(r));
            const double length = (x_[static_cast<std::size_t>(b)] - x_[static_cast<std::size_t>(a)]).norm();
            const double own = std::abs(length / edges.rest_length(static_cast<int>(r)) - 1);
            balance_.c[r] *= own > strain ? 1 - strain / own : 0;
        }
    });
}

// Others move vertices by mass alone, and H0 is what counts: leaves in f the forces that a way dx_ made so
// calls up within the step, and returns how far they would move a vertex by itself [m].
double StableProjection::answer_way(const StepContext& context) {
    context.metric.apply(dx_, balance_.f);
    double farthest = 0;
    for (std::size_t i = 0; i < dx_.size(); ++i) {
        Vec3& f = balance_.f[i];
        f = context.pinned[i] ? Vec3::Zero() : Vec3(f - context.model->mass[i] * dx_[i]);
        farthest = std::max(farthest, f.norm() / context.metric.total_diagonal[i]);
    }
    return farthest;
}

void StableProjection::correct(const StepContext& context, const Candidate& c, FilterReport& report) {
    // Make vertices in contact heavy, so that the others give way; in the combined pass contacts stay where
    // they are by themselves, and a little weight helps the solver.
    if (params_.combined) contacts_.start(c.contacts, context.model->vertex_count(), c.obstacle_points);
    const double weight = params_.combined ? combined_weight : contact_weight;
    heavy_ = context.metric.diagonal;
    for (std::size_t i = 0; i < heavy_.size(); ++i) {
        if (c.impacted[i]) heavy_[i] *= weight;
    }
    const double goal = round_goal(context.round) * tolerance();
    for (int iteration = 0; iteration < params_.max_iterations && !context.stopping(); ++iteration) {
        const double strain = constraint().violation(x_);
        const double depth = contacts_.choose(x_, context.metric.total_diagonal);
        if ((strain <= goal && depth <= c.contact_tolerance) || !std::isfinite(strain)) break;
        guides_.aim(x_);
        constraint().residual(x_, balance_.c);
        leave_band(goal_inside * goal);
        constraint().jacobian(x_, balance_.rows);
        go(context, heavy_, report);
        std::fill(balance_.f.begin(), balance_.f.end(), Vec3::Zero());
    }
}

void StableProjection::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = tolerance();
    if (constraint().rows() == 0) return;
    advance_to(context.time_end());
    end_positions(context, c, x0_);
    contacts_.clear();
    settled_.clear();
    guides_.start(context, solver_.solver().extra_rows());
    if (context.round == 0) {
        // Start from inertia with the last step's tensions.
        const double h2 = context.h * context.h;
        x_ = context.inertial;
        guides_.place(x_);
        for (std::size_t r = 0; r < mu_.size(); ++r) mu_[r] = h2 * lambda_[r];
        converged_ = newton(context, report);
        for (std::size_t r = 0; r < mu_.size(); ++r) lambda_[r] = mu_[r] / h2;
    } else {
        // Nothing later rounds do can save a step whose force balance was not found.
        if (!converged_) return;
        for (std::size_t i = 0; i < x_.size(); ++i) dx_[i] = x0_[i] - x_[i];
        answer_way(context);
        x_ = x0_;
        correct(context, c, report);
    }
    shift_.restore(guides_.held(), context.metric.diagonal, x0_, {}, x_);
    finish(context, x_, c, report);
}

// Takes out of a change of velocity what would stretch warp and weft, and lets forces answer to it.
bool StableProjection::settle_velocity(const StepContext& context, ConstPoints before, const Candidate&,
                                       PointsView v, FilterReport& report) {
    if (constraint().rows() == 0 || !converged_) return false;
    if (settled_.empty()) settled_.assign(before.begin(), before.end());
    for (std::size_t i = 0; i < v.size(); ++i) dx_[i] = context.dt * (v[i] - settled_[i]);
    const double answer = answer_way(context);
    guides_.aim(x_);
    guides_.leave(balance_.f);
    for (std::size_t i = 0; i < v.size(); ++i) dx_[i] = context.dt * (v[i] - before[i]);
    constraint().jacobian(x_, balance_.rows);
    balance_.rows.multiply(dx_, balance_.c);
    const double most = std::abs(*std::max_element(
        balance_.c.begin(), balance_.c.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    if (!(std::max(most, answer) > rate_share * tolerance() * shortest_)) return false;
    std::fill(w_.begin(), w_.end(), 0.0);
    contacts_.clear();
    for (std::size_t i = 0; i < v.size(); ++i) dx_[i] = context.dt * v[i];
    guides_.aim_way(dx_, context.dt);
    solve(context, context.metric.diagonal, report);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += dx_[i] / context.dt;
    settled_.assign(v.begin(), v.end());
    return true;
}

}  // namespace taut::filters

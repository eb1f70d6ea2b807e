#include "taut/filters/rattle.hpp"

#include "taut/filters/step_points.hpp"

namespace taut::filters {

void describe(ParamList& list, RattleParams& params) { describe(list, static_cast<ShakeParams&>(params)); }

Rattle::Rattle(const Params& params, std::unique_ptr<linalg::LinearSolver> solver)
    : Shake(params, std::move(solver)) {}

void Rattle::prepare(const Model& model) {
    Shake::prepare(model);
    rate_.resize(std::size_t(constraint().rows()));
    kappa_.resize(rate_.size());
    dv_.resize(model.rest.size());
    zero_.assign(model.rest.size(), Vec3::Zero());
}

void Rattle::apply_end_velocity(const StepContext& context, const Candidate&, State& end) {
    if (constraint().rows() == 0) return;

    // Solve (J M^-1 J^T) kappa = J v + dC/dt at the end of the step, and take M^-1 J^T kappa off.
    advance_to(context.time_end());
    constraint().jacobian(end.x, rows_);
    rows_.multiply(end.v, rate_);
    constraint().add_rate(end.x, rate_);
    linalg::SaddleSystem system;
    system.diagonal = context.model->mass;
    system.rows = &rows_;
    system.regularization = params().regularization;
    system.f = zero_;
    system.c = rate_;
    system.tolerance = params().linear_tolerance;
    FilterReport uncounted;
    if (!solver().solve(context, constraint(), system, kappa_, dv_, uncounted) || !all_finite(dv_)) return;
    for (std::size_t i = 0; i < end.v.size(); ++i) end.v[i] += dv_[i];
}

}  // namespace taut::filters

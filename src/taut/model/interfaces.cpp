#include "taut/model/interfaces.hpp"

#include <limits>

namespace taut {

double Force::energy(ConstPoints) const { return 0; }

void Force::remember(const State&) {}

void Force::add_stiffness(std::vector<linalg::Triplet>&) const {}

void Force::add_damping(const ForceInput&, std::span<double>) const {}

void Force::add_pattern(std::vector<std::array<int, 2>>&) const {}

void Force::add_damping_hessian(const ForceInput&, double, linalg::BlockMatrix&) const {}

void Force::add_hessian(const ForceInput&, double, linalg::BlockMatrix&) const {}

void VelocityFilter::judge_before(FilterReport&) const {}

void Integrator::end_velocity(const StepContext& context, ConstPoints x, PointsView v) const {
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = (x[i] - context.start->x[i]) / context.dt;
}

double Integrator::longest_step(double) const { return std::numeric_limits<double>::infinity(); }

std::string VelocityFilter::mend_start(const StepContext&, State&) { return {}; }

bool VelocityFilter::settle_velocity(const StepContext&, ConstPoints, const Candidate&, PointsView,
                                     FilterReport&) {
    return false;
}

void VelocityFilter::apply_end_velocity(const StepContext&, const Candidate&, State&) {}

void Constraint::advance(double) {}

void Constraint::add_rate(ConstPoints, std::span<double>) const {}

}  // namespace taut

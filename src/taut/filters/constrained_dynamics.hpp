// Constrained dynamics of House et al. 1996, section 3.1 (Eq. 18 and 19): the multipliers of all constraints
// at once, by biconjugate gradients as in the paper or by conjugate gradients, and the velocity they give.
// Where we differ: obstacles are eliminated from the system, Jdot v is left out unless asked for, and
// feedback may be given as a time. See docs/theory/constrained_dynamics.md.
#pragma once

#include "taut/filters/multiplier_filter.hpp"
#include "taut/filters/multiplier_krylov.hpp"

namespace taut::filters {

struct ConstrainedDynamicsParams : MultiplierParams {
    std::string solver = "conjugate_gradient";
    std::string preconditioner = "diagonal";
    double linear_tolerance = 1e-6;
    int max_iterations = 2000;
};
void describe(ParamList& list, ConstrainedDynamicsParams& params);

class ConstrainedDynamics final : public MultiplierFilter {
public:
    using Params = ConstrainedDynamicsParams;
    static constexpr const char* type_name = "constrained_dynamics";

    explicit ConstrainedDynamics(Params params, std::vector<collision::Obstacle> obstacles = {});
    std::string_view name() const override { return type_name; }

private:
    void solve(const StepContext& context, MultiplierRows& rows, std::span<double> lambda,
               FilterReport& report) override;

    Params params_;
    MultiplierKrylov krylov_;
    std::vector<double> diagonal_;
};

}  // namespace taut::filters

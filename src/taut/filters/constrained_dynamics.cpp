#include "taut/filters/constrained_dynamics.hpp"

namespace taut::filters {

void describe(ParamList& list, ConstrainedDynamicsParams& params) {
    describe_multipliers(list, params);
    list.choice("solver", params.solver, {"conjugate_gradient", "biconjugate_gradient"},
                "Conjugate gradients, or biconjugate ones as in the paper: the same at twice the products.");
    list.choice("preconditioner", params.preconditioner, {"diagonal", "none"},
                "Divide residuals by the diagonal of the system, or not.");
    list.number("linear_tolerance", params.linear_tolerance, "1", up_to(1),
                "Residual of the system that is left, as a part of its right side.");
    list.integer("max_iterations", params.max_iterations, "1", between(1, 1000000),
                 "Iterations of one solve at most.");
}

ConstrainedDynamics::ConstrainedDynamics(Params params, std::vector<collision::Obstacle> obstacles)
    : MultiplierFilter(type_name, params, std::move(obstacles)), params_(std::move(params)) {}

void ConstrainedDynamics::solve(const StepContext& context, MultiplierRows& rows, std::span<double> lambda,
                                FilterReport& report) {
    krylov_.product = [&](std::span<const double> x, std::span<double> y) { rows.product(x, y); };
    krylov_.stopping = [&] { return context.stopping(); };
    krylov_.precondition = nullptr;
    if (params_.preconditioner == "diagonal") {
        diagonal_.resize(lambda.size());
        rows.diagonal(diagonal_);
        krylov_.precondition = [&](std::span<const double> r, std::span<double> z) {
            for (std::size_t i = 0; i < r.size(); ++i) z[i] = diagonal_[i] > 0 ? r[i] / diagonal_[i] : 0;
        };
    }
    const KrylovSettings settings{params_.linear_tolerance, params_.max_iterations};
    const KrylovReport own = params_.solver == "biconjugate_gradient"
                                 ? krylov_.biconjugate_gradient(rows.right, lambda, settings)
                                 : krylov_.conjugate_gradient(rows.right, lambda, settings);
    report.linear_iterations += own.iterations;
    report.inner_iterations += own.products;
}

}  // namespace taut::filters

#include "taut/filters/hierarchical_corrected.hpp"

#include "taut/filters/yarn_turns.hpp"

namespace taut::filters {

void describe(ParamList& list, HierarchicalCorrectedParams& params) {
    describe_multipliers(list, params);
    list.number("tolerance", params.tolerance, "1", up_to(1),
                "Residual of the system that ends the cycles, as a part of its right side.");
    list.integer("cycles", params.cycles, "1", between(1, 10000), "Cycles of one solve at most.");
    list.choice("correction_by", params.correction_by, {"conjugate_gradient", "repetition"}, "");
    list.flag("above", params.above, "");
}

HierarchicalCorrected::HierarchicalCorrected(Params params, std::vector<collision::Obstacle> obstacles)
    : MultiplierFilter(type_name, params, std::move(obstacles)), params_(std::move(params)) {}

void HierarchicalCorrected::prepare(const Model& model) {
    MultiplierFilter::prepare(model);
    tree_.build(rows(), paths_of(lengths().chains()), {0, 2, params_.above});
}

void HierarchicalCorrected::solve(const StepContext& context, MultiplierRows& rows, std::span<double> lambda,
                                  FilterReport& report) {
    tree_.factor(rows);
    krylov_.product = [&](std::span<const double> x, std::span<double> y) { rows.product(x, y); };
    krylov_.precondition = [&](std::span<const double> r, std::span<double> z) { tree_.pass(rows, r, z); };
    krylov_.stopping = [&] { return context.stopping(); };
    if (params_.correction_by == "repetition") {
        report.linear_iterations +=
            krylov_.repetition(rows.right, lambda, {params_.tolerance, params_.cycles}).iterations;
        return;
    }
    const KrylovReport own =
        krylov_.conjugate_gradient(rows.right, lambda, {params_.tolerance, params_.cycles}, true);
    report.linear_iterations += own.iterations;
    report.inner_iterations += own.products;
}

}  // namespace taut::filters

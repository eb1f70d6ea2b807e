#include "taut/filters/hierarchical_corrected.hpp"

#include "taut/filters/yarn_turns.hpp"

namespace taut::filters {

void describe(ParamList& list, HierarchicalCorrectedParams& params) {
    describe_multipliers(list, params);
    list.number("tolerance", params.tolerance, "1", up_to(1),
                "Residual of the system that ends the cycles, as a part of its right side.");
    list.integer("cycles", params.cycles, "1", between(1, 10000), "Cycles of one solve at most.");
    list.choice("repeat", params.repeat, {"conjugate_gradient", "correction"},
                "Cycles inside conjugate gradients, or passes over what is left, again and again.");
    list.flag("above", params.above,
              "Whether yarns stand under groups that are solved too; measured, it does not pay.");
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
    const KrylovSettings settings{params_.tolerance, params_.cycles};
    const KrylovReport own = params_.repeat == "correction"
                                 ? krylov_.repetition(rows.right, lambda, settings)
                                 : krylov_.conjugate_gradient(rows.right, lambda, settings, params_.above);
    report.linear_iterations += own.iterations;
    report.inner_iterations += own.products;
}

}  // namespace taut::filters

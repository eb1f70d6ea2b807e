#include "taut/filters/hierarchical.hpp"

namespace taut::filters {
namespace {

// Quadrants are there to show what cutting does, so they themselves are solved well.
constexpr KrylovSettings quadrant_solve{1e-10, 10000};

}  // namespace

void describe(ParamList& list, HierarchicalParams& params) {
    describe_multipliers(list, params);
    list.integer("group_size", params.group_size, "1", between(1, 64),
                 "Constraints of a lowest group at most; they are solved directly.");
    list.integer("branches", params.branches, "1", between(2, 16), "Children of a group at most.");
    list.choice("group_function", params.group_function, {"scaled", "absolute", "squared"},
                "What a lowest group stands for: its constraints scaled by their multipliers (Eq. 21), the "
                "sum of absolute values (Eq. 20), or of squares, which exert no force once they are met.");
    list.choice("grouping", params.grouping, {"yarns", "quadrants", "warped"},
                "Groups along yarns; four sub-meshes with nothing above them; or along yarns but for "
                "crossings where one turns by more than 60 degrees.");
}

Hierarchical::Hierarchical(Params params, std::vector<collision::Obstacle> obstacles)
    : MultiplierFilter(type_name, params, std::move(obstacles)), params_(std::move(params)) {}

ContractBreaks Hierarchical::breaks() const {
    ContractBreaks breaks = MultiplierFilter::breaks();
    breaks.twice = true;
    return breaks;
}

void Hierarchical::prepare(const Model& model) {
    MultiplierFilter::prepare(model);
    rho_.assign(multipliers().size(), 0.0);
    if (params_.grouping == "quadrants") {
        quadrants_.prepare(model, rows());
        return;
    }
    if (params_.grouping == "warped") turns_.prepare(rows().ends, lengths().chains());
    tree_.build(rows(), paths_of(lengths().chains()), shape());
}

void Hierarchical::look(const StepContext& context) {
    if (params_.grouping == "warped" && turns_.look(context.start->x))
        tree_.build(rows(), turns_.paths(), shape());
}

void Hierarchical::solve(const StepContext&, MultiplierRows& rows, std::span<double> lambda,
                         FilterReport& report) {
    if (params_.grouping == "quadrants") {
        report.linear_iterations += quadrants_.solve(rows, lambda, quadrant_solve);
        return;
    }
    ++report.linear_iterations;
    if (params_.group_function == "scaled") {
        tree_.factor(rows);
        tree_.pass(rows, rows.right, lambda);
        return;
    }
    const bool squared = params_.group_function == "squared";
    for (std::size_t r = 0; r < rho_.size(); ++r)
        rho_[r] = squared ? 2 * rows.value[r] : (rows.value[r] < 0 ? -1.0 : 1.0);
    tree_.pass_with(rows, rows.right, rho_, lambda);
}

}  // namespace taut::filters

// The hierarchical algorithm for constrained dynamics of House et al. 1996, section 3.3, as printed: groups
// of constraints along yarns, the lowest solved directly, each above it one constraint with the multipliers
// of the level below as scaling constants, up to a single multiplier; O(N log N) per step. Also what the
// paper says does not do: Eq. 20, squared norms, and quadrants. Where we differ: the group function has no
// absolute values, so that it keeps its gradient at C = 0. See docs/theory/hierarchical.md.
#pragma once

#include "taut/filters/constraint_tree.hpp"
#include "taut/filters/multiplier_filter.hpp"
#include "taut/filters/quadrants.hpp"
#include "taut/filters/yarn_turns.hpp"

namespace taut::filters {

struct HierarchicalParams : MultiplierParams {
    int group_size = 8;
    int branches = 2;
    std::string group_function = "scaled";
    std::string grouping = "yarns";
};
void describe(ParamList& list, HierarchicalParams& params);

class Hierarchical final : public MultiplierFilter {
public:
    using Params = HierarchicalParams;
    static constexpr const char* type_name = "hierarchical";

    explicit Hierarchical(Params params, std::vector<collision::Obstacle> obstacles = {});
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    ContractBreaks breaks() const override;

    const ConstraintTree& tree() const { return tree_; }
    int regrouped() const { return turns_.regrouped(); }

private:
    void look(const StepContext& context) override;
    void solve(const StepContext& context, MultiplierRows& rows, std::span<double> lambda,
               FilterReport& report) override;
    TreeShape shape() const { return {params_.group_size, params_.branches, true}; }

    Params params_;
    ConstraintTree tree_;
    YarnTurns turns_;
    Quadrants quadrants_;
    std::vector<double> rho_;
};

}  // namespace taut::filters

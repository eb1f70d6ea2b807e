// The hierarchy of House et al. 1996 with its loss of dimensionality made good: conjugate gradients on all of
// Eq. 19, where what precedes every step is one pass over what is left, with whole yarns as its lowest
// groups. A cycle costs a few visits per vertex, and few are needed. Groups above the yarns, and repeated
// passes in place of conjugate gradients, are there to be compared with. Not in the paper. See
// docs/theory/hierarchical_corrected.md.
#pragma once

#include "taut/filters/constraint_tree.hpp"
#include "taut/filters/multiplier_filter.hpp"
#include "taut/filters/multiplier_krylov.hpp"

namespace taut::filters {

struct HierarchicalCorrectedParams : MultiplierParams {
    double tolerance = 1e-3;
    int cycles = 30;
    std::string repeat = "conjugate_gradient";
    bool above = false;
};
void describe(ParamList& list, HierarchicalCorrectedParams& params);

class HierarchicalCorrected final : public MultiplierFilter {
public:
    using Params = HierarchicalCorrectedParams;
    static constexpr const char* type_name = "hierarchical_corrected";

    explicit HierarchicalCorrected(Params params, std::vector<collision::Obstacle> obstacles = {});
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;

    // What was left of the system after each cycle of the last solve, relative.
    const std::vector<double>& history() const { return krylov_.history; }

private:
    void solve(const StepContext& context, MultiplierRows& rows, std::span<double> lambda,
               FilterReport& report) override;

    Params params_;
    ConstraintTree tree_;
    MultiplierKrylov krylov_;
};

}  // namespace taut::filters

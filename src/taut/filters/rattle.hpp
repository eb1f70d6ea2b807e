// RATTLE (Andersen 1983): the positions of SHAKE, and at the end of the step the velocity that keeps the
// lengths unchanged, J(x) v = 0, nearest in the mass metric. With the integrator velocity_verlet this is the
// method as published; with others the second stage stands behind their own end velocity.
#pragma once

#include "taut/filters/shake.hpp"

namespace taut::filters {

struct RattleParams : ShakeParams {};
void describe(ParamList& list, RattleParams& params);

class Rattle final : public Shake {
public:
    using Params = RattleParams;
    static constexpr const char* type_name = "rattle";

    // The solver is used for both stages.
    Rattle(const Params& params, std::unique_ptr<linalg::LinearSolver> solver);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply_end_velocity(const StepContext& context, const Candidate& c, State& end) override;

private:
    linalg::RowBlocks rows_;
    std::vector<double> rate_, kappa_;
    Points dv_, zero_;
};

}  // namespace taut::filters

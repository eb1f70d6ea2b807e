// The implicit midpoint rule, linearised implicit in all forces but the constraints, whose forces act in
// the middle of the step, where they do no work (Gonzalez 1999). With h = dt / 2:
//     (M + h D + h^2 K) (x - x_n - dt v_n) = 2 h^2 f(x_n + h v_n, v_n),   v = 2 (x - x_n) / dt - v_n.
// Second order; keeps the energy of unstretched cloth, resolved by the step or not. Unlike the paper forces
// other than constraints are linearised once a step.
#pragma once

#include "taut/integrators/force_sum.hpp"

namespace taut::integrators {

struct MidpointParams {};
void describe(ParamList& list, MidpointParams& params);

class Midpoint final : public Integrator {
public:
    using Params = MidpointParams;
    static constexpr const char* type_name = "midpoint";

    explicit Midpoint(Params params = {});
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) override;
    void candidate(StepContext& context, Candidate& c) override;
    void end_velocity(const StepContext& context, ConstPoints x, PointsView v) const override;
    State accept(const StepContext& context, const Candidate& c) override;

private:
    ForceSum forces_;
    Points middle_, f_, displacement_;
};

}  // namespace taut::integrators

// Explicit step of Goldenthal 2007: v = v_n + dt M^-1 f(x_n, v_n), x = x_n + dt v. Cheap and first
// order; dt is limited by the stiffest of the forces. Metric M.
#pragma once

#include "taut/integrators/force_sum.hpp"

namespace taut::integrators {

struct SymplecticEulerParams {};
void describe(ParamList& list, SymplecticEulerParams& params);

class SymplecticEuler final : public Integrator {
public:
    using Params = SymplecticEulerParams;
    static constexpr const char* type_name = "symplectic_euler";

    explicit SymplecticEuler(Params params = {});
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) override;
    void candidate(StepContext& context, Candidate& c) override;
    State accept(const StepContext& context, const Candidate& c) override;
    double longest_step(double omega) const override { return 2 / omega; }

private:
    ForceSum forces_;
    Points f_;
};

}  // namespace taut::integrators

// Velocity Verlet: v_half = v_n + dt/2 M^-1 f(x_n), x = x_n + dt v_half, v = v_half + dt/2 M^-1 f(x).
// Second order and explicit; dt is limited by the stiffest of the forces. Metric M. What SHAKE and RATTLE
// are made for.
#pragma once

#include "taut/integrators/force_sum.hpp"

namespace taut::integrators {

struct VelocityVerletParams {};
void describe(ParamList& list, VelocityVerletParams& params);

class VelocityVerlet final : public Integrator {
public:
    using Params = VelocityVerletParams;
    static constexpr const char* type_name = "velocity_verlet";

    explicit VelocityVerlet(Params params = {});
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

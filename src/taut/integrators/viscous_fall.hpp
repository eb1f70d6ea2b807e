// The first phase of the three-phase step of Breen and House as House, DeVaul and Breen 1996, section 2,
// recall it: every particle falls by itself through a viscous medium,
//     m v' = f - m k v,   v = e^(-k dt) v_n + (1 - e^(-k dt)) / k  f / m,   x = x_n + dt v,
// exact in the velocity for the force f at the start of the step. What holds the cloth together comes after
// it, in a filter such as `relaxation`. See docs/theory/viscous_fall.md.
#pragma once

#include "taut/integrators/force_sum.hpp"

namespace taut::integrators {

struct ViscousFallParams {
    double viscosity = 1;  // k [1/s]
};
void describe(ParamList& list, ViscousFallParams& params);

class ViscousFall final : public Integrator {
public:
    using Params = ViscousFallParams;
    static constexpr const char* type_name = "viscous_fall";

    explicit ViscousFall(Params params = {}) : params_(params) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) override;
    void candidate(StepContext& context, Candidate& c) override;
    State accept(const StepContext& context, const Candidate& c) override;
    double longest_step(double omega) const override { return 2 / omega; }

private:
    Params params_;
    ForceSum forces_;
    Points f_;
};

}  // namespace taut::integrators

// Verlet's step with damping, Ozgen and Kallmann 2011, Eq. 2: x_(n+1) = (1 + c) x_n - c x_(n-1) + dt^2 M^-1
// f. The state's velocity is (x_n - x_(n-1)) / dt, so that x_(n+1) = x_n + dt (c v_n + dt M^-1 f), for steps
// of any length. The paper lowers the multiplier 2 of x_n alone, which would pull the cloth to the origin;
// here that of x_(n-1) goes along with it. Metric M. See docs/theory/position_verlet.md.
#pragma once

#include "taut/integrators/force_sum.hpp"

namespace taut::integrators {

struct PositionVerletParams {
    double multiplier = 1;  // c, what is kept of the velocity; 1 is the paper's 2 x_n - x_(n-1)
    double per = 0;         // the time in which c acts once [s]; 0: a step, however long
};
void describe(ParamList& list, PositionVerletParams& params);

class PositionVerlet final : public Integrator {
public:
    using Params = PositionVerletParams;
    static constexpr const char* type_name = "position_verlet";

    explicit PositionVerlet(Params params = {}) : params_(params) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) override;
    void candidate(StepContext& context, Candidate& c) override;
    State accept(const StepContext& context, const Candidate& c) override;
    double longest_step(double omega) const override;

private:
    double kept(double dt) const;  // of the velocity, in a step [s]

    Params params_;
    ForceSum forces_;
    Points f_;
};

}  // namespace taut::integrators

// Second-order backward differences with variable steps, linearised implicit in all forces but the
// constraints. With r = dt / dt_previous, a0 = (1+r)^2/(1+2r), a1 = r^2/(1+2r), h = dt (1+r)/(1+2r):
//     x_bar = a0 x_n - a1 x_(n-1),  v_bar likewise,
//     (M + h D + h^2 K) (x - x_bar - h v_bar) = h^2 f(x_bar + h v_bar, v_bar),  v = (x - x_bar) / h.
// After two equal steps a share s (third_order) of the third difference is added: see docs/theory/bdf2.md.
// The first step is x = x_0 + dt v_0 + dt^2 a/2, v = v_0 + dt a with a at its end: a start of backward
// Euler would leave every later position dt^2 g/2 off. What filters after the first add is a jump, which is
// not differenced. The default: at frame-length steps first-order schemes damp visibly.
#pragma once

#include "taut/integrators/force_sum.hpp"

namespace taut::integrators {

struct Bdf2Params {
    double third_order = 0.25;
};
void describe(ParamList& list, Bdf2Params& params);

class Bdf2 final : public Integrator {
public:
    using Params = Bdf2Params;
    static constexpr const char* type_name = "bdf2";

    explicit Bdf2(Params params = {});
    std::string_view name() const override { return type_name; }
    std::vector<MemoryBlock> memory() override;
    void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) override;
    void candidate(StepContext& context, Candidate& c) override;
    void end_velocity(const StepContext& context, ConstPoints x, PointsView v) const override;
    void forget_motion() override { history_.clear(); }
    State accept(const StepContext& context, const Candidate& c) override;

private:
    Vec3* past(std::size_t k);  // x_(n-1), v_(n-1), x_(n-2), v_(n-2)
    Vec3 smooth_velocity(const StepContext& context, std::size_t i, const Vec3& x) const;

    Params params_;
    ForceSum forces_;
    std::vector<double> history_;  // the last two dt, then what past() gives; empty before the first step
    bool first_ = true;            // whether the step at hand has no history
    Points x_bar_, v_bar_, f_, displacement_;
};

}  // namespace taut::integrators

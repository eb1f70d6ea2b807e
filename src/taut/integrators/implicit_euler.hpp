// Backward Euler, linearised implicit in all forces but the constraints:
//     (M + h D + h^2 K) (x - x_n - h v_n) = h^2 f(x_n + h v_n, v_n),  v = (x - x_n) / h,  h = dt.
// First order and dissipative at long steps; robust.
#pragma once

#include "taut/integrators/force_sum.hpp"

namespace taut::integrators {

struct ImplicitEulerParams {};
void describe(ParamList& list, ImplicitEulerParams& params);

class ImplicitEuler final : public Integrator {
public:
    using Params = ImplicitEulerParams;
    static constexpr const char* type_name = "implicit_euler";

    explicit ImplicitEuler(Params params = {});
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) override;
    void candidate(StepContext& context, Candidate& c) override;
    State accept(const StepContext& context, const Candidate& c) override;

private:
    ForceSum forces_;
    Points f_, displacement_;
};

}  // namespace taut::integrators

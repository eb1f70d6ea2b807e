// Damping of every velocity at one rate: f = -rate m v. Not a model of anything: a plain way to
// let motion die out, exp(-rate t) for a free particle. See docs/theory/velocity_damping.md.
#pragma once

#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct VelocityDampingParams {
    double rate = 0.1;  // [1/s]
};

void describe(ParamList& list, VelocityDampingParams& params);

class VelocityDamping final : public Force {
public:
    using Params = VelocityDampingParams;
    static constexpr const char* type_name = "velocity_damping";

    explicit VelocityDamping(Params params) : params_(params) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    void add_damping(const ForceInput& in, std::span<double> damping) const override;

private:
    Params params_;
    std::vector<double> mass_;  // [kg]
};

}  // namespace taut::forces

// Uniform gravity: f = m g from some time on, energy -m g . x, zero at the origin. See
// docs/theory/gravity.md.
#pragma once

#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct GravityParams {
    Vec3 acceleration{0, 0, -9.81};  // [m/s^2]
    double start = 0;                // [s]
};

void describe(ParamList& list, GravityParams& params);

class Gravity final : public Force {
public:
    using Params = GravityParams;
    static constexpr const char* type_name = "gravity";

    explicit Gravity(Params params) : params_(params) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    ForceSource source() const override { return ForceSource::gravity; }
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;

private:
    Params params_;
    std::vector<double> mass_;  // [kg]
};

}  // namespace taut::forces

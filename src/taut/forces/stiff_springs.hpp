// Stretch springs along warp and weft: what most simulators have in place of constraints. The stiffness is
// the tension of an edge per strain, whatever its length, so that it means the same at every resolution. Made
// for backward_euler, which gets the Hessian; linearised integrators get a constant bound of it, which is
// stable and, for stiff springs, stiff against rotation as well. See docs/theory/stiff_springs.md.
#pragma once

#include "taut/base/incidence.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct StiffSpringsParams {
    double stiffness = 100;  // [N], tension per strain
};
void describe(ParamList& list, StiffSpringsParams& params);

class StiffSprings final : public Force {
public:
    using Params = StiffSpringsParams;
    static constexpr const char* type_name = "stiff_springs";

    explicit StiffSprings(Params params) : params_(params) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;
    void add_stiffness(std::vector<linalg::Triplet>& triplets) const override;
    bool has_hessian() const override { return true; }
    void add_pattern(std::vector<std::array<int, 2>>& pairs) const override;
    void add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;

private:
    Params params_;
    std::vector<std::array<int, 2>> ends_;
    std::vector<double> rest_length_;  // [m]
    Incidence incident_;               // ends of springs at each vertex: 2 s for the first, 2 s + 1
};

}  // namespace taut::forces

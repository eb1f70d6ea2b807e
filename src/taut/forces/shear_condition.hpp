// Shear of triangles: the condition w_u . w_v of Baraff and Witkin 1998, section 4.3, the cosine of the angle
// between weft and warp where neither stretches, with damping. Energies count by area, as in
// stretch_condition. Cloths of a fabric have its stiffness, G, in place of the parameter. See
// docs/theory/shear_condition.md.
#pragma once

#include "taut/forces/conditions.hpp"

namespace taut::forces {

struct ShearConditionParams {
    double stiffness = 10;   // [N/m]
    double damping = 0.002;  // [s]
    std::string curvature = "positive";
};
void describe(ParamList& list, ShearConditionParams& params);

class ShearCondition final : public Force {
public:
    using Params = ShearConditionParams;
    static constexpr const char* type_name = "shear_condition";
    static constexpr bool takes_fabric = true;

    explicit ShearCondition(Params params) : params_(std::move(params)) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;
    // A bound where weft and warp are not stretched, however they shear.
    void add_stiffness(std::vector<linalg::Triplet>& triplets) const override;
    bool has_hessian() const override { return true; }
    void add_pattern(std::vector<std::array<int, 2>>& pairs) const override;
    void add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;
    void add_damping_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;

private:
    elements::ShearCondition condition(std::size_t t) const;

    Params params_;
    ConditionTriangles triangles_;
    std::vector<double> stiffness_;  // of each triangle, times its area [N m]
};

}  // namespace taut::forces

// Springs on both diagonals of every quad: the resistance of a woven cloth to trellising. Rest
// lengths come from the rest shape. Implicit integrators get the constant scalar Laplacian
// k sum [[1,-1],[-1,1]], which bounds the Hessian everywhere. In cloths of a fabric the diagonals of a
// quad have the stiffness that gives it the G of the fabric. See docs/theory/shear_springs.md.
#pragma once

#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct ShearSpringsParams {
    double stiffness = 0.05;  // [N/m], of one diagonal
};

void describe(ParamList& list, ShearSpringsParams& params);

class ShearSprings final : public Force {
public:
    using Params = ShearSpringsParams;
    static constexpr const char* type_name = "shear_springs";
    static constexpr bool takes_fabric = true;

    explicit ShearSprings(Params params) : params_(params) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;
    void add_stiffness(std::vector<linalg::Triplet>& triplets) const override;

private:
    Params params_;
    // Springs at each vertex in compressed rows, each spring listed at both of its ends.
    std::vector<int> start_{0};
    std::vector<int> other_;           // vertex at the far end
    std::vector<double> rest_length_;  // [m]
    std::vector<double> stiffness_;    // [N/m]
};

}  // namespace taut::forces

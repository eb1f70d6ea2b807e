// Bend springs of Ozgen and Kallmann 2011, section 3, after Choi and Ko 2002: linear springs (Eq. 1) from a
// vertex (i, j) to (i +- 2, j), (i, j +- 2) and (i +- 2, j +- 2). Here for any mesh: two vertices apart along
// every yarn, between far corners of opposite quads around a vertex, and across edges between triangles.
// See docs/theory/bend_springs.md.
#pragma once

#include "taut/base/incidence.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct BendSpringsParams {
    // [N/m], of one spring. They shear along with the cloth, four times as stiff as diagonals of quads: the
    // default adds 0.04 to the 0.05 of shear_springs; a tenfold one would set the shear.
    double stiffness = 0.01;
};
void describe(ParamList& list, BendSpringsParams& params);

class BendSprings final : public Force {
public:
    using Params = BendSpringsParams;
    static constexpr const char* type_name = "bend_springs";

    explicit BendSprings(Params params) : params_(params) {}
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
    std::vector<std::array<int, 2>> ends_;  // lower vertex first, ascending, each pair once
    std::vector<double> rest_length_;       // [m]
    Incidence incident_;                    // ends of springs at each vertex: 2 s for the first, 2 s + 1
};

}  // namespace taut::forces

// Quadratic isometric bending: for a cloth that keeps its lengths, bending energy is a quadratic
// form of positions with a constant scalar matrix, E = 1/2 x^T (K (x) I3) x (Bergou et al. 2006).
// K is cut from yarn curvatures and quad twists, 13 nonzeros a row on grids, with Bergou hinges
// at triangles. The cloth is taken to be cut from flat fabric: the rest curvature is zero even
// where the rest shape is curved. Cloths of a fabric have its stiffness, B, in place of these parameters. See
// docs/theory/isometric_bending.md.
#pragma once

#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct IsometricBendingParams {
    double warp = 1e-5;  // bending stiffness when the warp yarns bend [N m]
    double weft = 1e-5;  // bending stiffness when the weft yarns bend [N m]
};

void describe(ParamList& list, IsometricBendingParams& params);

class IsometricBending final : public Force {
public:
    using Params = IsometricBendingParams;
    static constexpr const char* type_name = "isometric_bending";
    static constexpr bool takes_fabric = true;

    explicit IsometricBending(Params params) : params_(params) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;
    void add_stiffness(std::vector<linalg::Triplet>& triplets) const override;

    const linalg::SymmetricCsr& matrix() const { return matrix_; }  // K [N/m]

private:
    Params params_;
    linalg::SymmetricCsr matrix_;
};

}  // namespace taut::forces

// Bending over edges: the condition theta of Baraff and Witkin 1998, section 4.4, the angle between two
// triangles, with damping. Where we differ: the stiffness of an edge is B |e|^2 / A, with A the area of its
// two triangles, so that a bending stiffness in N m means about the same for any mesh. Curvature runs across
// the edge: B is that of weft where the edge runs along warp, and in between B_warp cos^2 + B_weft sin^2 of
// its angle to weft. Cloths of a fabric have its stiffness in place of these parameters. See
// docs/theory/bend_condition.md.
#pragma once

#include "taut/elements/dihedral.hpp"
#include "taut/forces/conditions.hpp"

namespace taut::forces {

struct BendConditionParams {
    double weft = 1e-5, warp = 1e-5;  // [N m]
    double damping = 0.002;           // [s]
    std::string rest = "flat";        // or "shape"
    std::string curvature = "none";
};
void describe(ParamList& list, BendConditionParams& params);

class BendCondition final : public Force {
public:
    using Params = BendConditionParams;
    static constexpr const char* type_name = "bend_condition";
    static constexpr bool takes_fabric = true;

    explicit BendCondition(Params params) : params_(std::move(params)) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;
    // A bound about the flat state, the matrix of isometric bending; sharp folds exceed it.
    void add_stiffness(std::vector<linalg::Triplet>& triplets) const override;
    bool has_hessian() const override { return true; }
    void add_pattern(std::vector<std::array<int, 2>>& pairs) const override;
    void add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;
    void add_damping_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;

private:
    elements::HingePoints points(std::size_t h, ConstPoints x) const;
    double pull(std::size_t h, const elements::HingePoints& x, const elements::HingeGradient& gradient,
                ConstPoints v) const;
    double angle(std::size_t h, const elements::HingePoints& x) const;  // beyond rest [rad]
    void add_outer(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const;
    void add_full(const ForceInput& in, double scale, bool positive, linalg::BlockMatrix& hessian) const;

    Params params_;
    std::vector<double> stiffness_;            // of each hinge [N m]
    std::vector<double> rest_angle_;           // [rad]
    std::vector<std::array<double, 4>> flat_;  // normal displacement of corners per angle, at rest [1/m]
    linalg::ElementBlocks<4> blocks_;
};

}  // namespace taut::forces

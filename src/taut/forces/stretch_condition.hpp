// Stretch and compression of triangles along weft, warp and, where asked for, the two directions between
// them: conditions |w| - b of Baraff and Witkin 1998, Eq. 10, with damping. Where we differ: the energy is
// that of the condition squared times the area, not its square, so that a stiffness in N/m means the same for
// triangles of any size. See docs/theory/stretch_condition.md.
#pragma once

#include "taut/forces/conditions.hpp"

namespace taut::forces {

struct StretchConditionParams {
    double weft = 1000, warp = 1000, bias = 0;  // [N/m]
    double weft_rest = 1, warp_rest = 1;        // b_u, b_v
    double damping = 0.002;                     // [s]
    std::string curvature = "positive";
};
void describe(ParamList& list, StretchConditionParams& params);

class StretchCondition final : public Force {
public:
    using Params = StretchConditionParams;
    static constexpr const char* type_name = "stretch_condition";

    explicit StretchCondition(Params params);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;
    void add_stiffness(std::vector<linalg::Triplet>& triplets) const override;
    bool has_hessian() const override { return true; }
    void add_pattern(std::vector<std::array<int, 2>>& pairs) const override;
    void add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;
    void add_damping_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;

private:
    // A condition on w = along . (w_u, w_v).
    struct Line {
        Vec2 along;
        elements::StretchCondition condition;  // per area
    };
    template <class Block>
    elements::PairHessian hessian_of(Block&& block) const;
    elements::StretchCondition scaled(const Line& line, std::size_t t) const;

    Params params_;
    std::vector<Line> lines_;
    ConditionTriangles triangles_;
};

}  // namespace taut::forces

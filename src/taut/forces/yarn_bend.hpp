// Bending of yarns of House, DeVaul and Breen 1996 (Eq. 7), as Breen, House and Wozny 1994 tie it to
// measurements: each vertex that a yarn passes has the energy  A U(kappa),  with the patch A it stands for,
// the curvature kappa of elements/yarn_turn.hpp, and U the work of the moment per width over curvature of the
// cloth's fabric, or of a straight line. Counts bends out of the cloth and within it. With hysteresis the
// friction of the fabric acts on the part along the normal of the cloth and is remembered. See
// docs/theory/yarn_bend.md.
#pragma once

#include <array>
#include <vector>

#include "taut/base/incidence.hpp"
#include "taut/elements/yarn_turn.hpp"
#include "taut/forces/fabric_loads.hpp"
#include "taut/linalg/element_blocks.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct YarnBendParams {
    double weft = 1e-5, warp = 1e-5;  // of cloths without a fabric [N m]
    bool hysteresis = false;
};
void describe(ParamList& list, YarnBendParams& params);

class YarnBend final : public Force {
public:
    using Params = YarnBendParams;
    static constexpr const char* type_name = "yarn_bend";
    static constexpr bool takes_fabric = true;

    explicit YarnBend(Params params) : params_(params) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;
    void remember(const State& end) override;
    std::vector<MemoryBlock> memory() override;
    // A bound about the flat state, for the steepest part of the curve; sharp folds exceed it.
    void add_stiffness(std::vector<linalg::Triplet>& triplets) const override;
    bool has_hessian() const override { return true; }
    void add_pattern(std::vector<std::array<int, 2>>& pairs) const override;
    void add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;

    std::size_t size() const { return blocks_.size(); }
    // Before, at and after the bend.
    const std::array<int, 3>& vertices(std::size_t b) const { return blocks_.vertices(b); }
    double energy_of(std::size_t b, ConstPoints x) const;  // [J]

private:
    // Of one bend: derivatives at the vertices before it, at it, after it, and at both sides of it.
    using Gradient = std::array<Vec3, 5>;

    elements::YarnTurn turn(std::size_t b, ConstPoints x) const;
    elements::SignedTurn side_turn(std::size_t b, const elements::YarnTurn& turn, ConstPoints x) const;
    elements::Load load(std::size_t b, double kappa) const;  // without remembered friction
    Gradient gradient(std::size_t b, ConstPoints x) const;

    Params params_;
    linalg::ElementBlocks<3> blocks_;
    std::vector<std::array<int, 2>>
        sides_;                          // neighbours across the yarn; the vertex itself where there is none
    std::vector<double> length_, area_;  // mean of the two edges [m], patch [m^2]
    FabricLoads loads_;
    Incidence places_;  // 5 b + k: corner k of bend b
};

}  // namespace taut::forces

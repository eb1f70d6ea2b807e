// Trellising of House, DeVaul and Breen 1996 (Eq. 8): where a weft and a warp yarn cross, one segment joins
// the neighbours along either, and the energy of the crossing is  A U(phi - phi_0),  with its patch A, the
// angle phi by which the segments leave the right angle, and U the work of the shear force over angle of the
// cloth's fabric, or of a straight line. At edges of the cloth a segment joins the vertex and its one
// neighbour. The rest angle may slip where the load exceeds a bound. See docs/theory/trellis.md.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "taut/elements/trellis_angle.hpp"
#include "taut/forces/fabric_loads.hpp"
#include "taut/linalg/element_blocks.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct TrellisParams {
    double stiffness = 0.05;     // of cloths without a fabric [N/m]
    std::string rest = "shape";  // or "square"
    bool hysteresis = false;
    double slip = 0;                   // [N/m]; 0: never
    std::string angles = "crossings";  // or "corners"
};
void describe(ParamList& list, TrellisParams& params);

class Trellis final : public Force {
public:
    using Params = TrellisParams;
    static constexpr const char* type_name = "trellis";
    static constexpr bool takes_fabric = true;

    explicit Trellis(Params params) : params_(std::move(params)) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;
    void remember(const State& end) override;
    std::vector<MemoryBlock> memory() override;
    // A bound about the flat state, for the steepest part of the curve.
    void add_stiffness(std::vector<linalg::Triplet>& triplets) const override;
    bool has_hessian() const override { return true; }
    void add_pattern(std::vector<std::array<int, 2>>& pairs) const override;
    void add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;

    std::size_t size() const { return blocks_.size(); }
    // Ends of the segment along weft, then of that along warp.
    const std::array<int, 4>& vertices(std::size_t c) const { return blocks_.vertices(c); }
    double energy_of(std::size_t c, ConstPoints x) const;        // [J]
    double rest_angle(std::size_t c) const { return rest_[c]; }  // as far as it has slipped [rad]

private:
    struct Segments {
        Vec3 p, q;
    };
    Segments segments(std::size_t c, ConstPoints x) const;
    double angle(std::size_t c, ConstPoints x) const;  // beyond rest [rad]
    elements::Load load(std::size_t c, double angle) const;

    Params params_;
    linalg::ElementBlocks<4> blocks_;
    std::vector<double> area_;                           // [m^2]
    std::vector<std::array<double, 2>> length_squared_;  // of both segments at rest [m^2]
    std::vector<double> rest_;                           // [rad]
    FabricLoads loads_;
};

}  // namespace taut::forces

#include "taut/model/fabric.hpp"

#include <numbers>

namespace taut {
namespace {

double slope_between(const elements::LoadCurve& curve, double from, double to) {
    return (elements::load_at(curve, to).load - elements::load_at(curve, from).load) / (to - from);
}

}  // namespace

double Fabric::bending_warp() const { return slope_between(bend_warp, 50, 150); }

double Fabric::bending_weft() const { return slope_between(bend_weft, 50, 150); }

double Fabric::shear_stiffness() const {
    constexpr double degree = std::numbers::pi / 180;
    return slope_between(shear, 0.5 * degree, 2.5 * degree);
}

}  // namespace taut

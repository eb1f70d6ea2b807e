// The numbers that the Kawabata system (KES-F) takes from a cycle of bending or shear, read off a curve that
// is followed with memory; and curves that have given numbers. All in SI.
#pragma once

#include <span>

#include "taut/elements/load_curve.hpp"
#include "taut/scene/fabric_fit.hpp"

namespace taut::scene {

struct KesBending {
    double stiffness = 0;   // B: slope between 0.5 and 1.5 1/cm on the way out from rest [N m]
    double hysteresis = 0;  // 2HB: out minus back at 1 1/cm, mean of both sides [N]
};
struct KesShear {
    double stiffness = 0;     // G: slope between 0.5 and 2.5 deg on the way out from rest [N/m]
    double hysteresis = 0;    // 2HG: out minus back at 0.5 deg, mean of both sides [N/m]
    double hysteresis_5 = 0;  // 2HG5: the same at 5 deg [N/m]
};

KesBending kes_bending_of(const elements::LoadCurve& curve);
KesShear kes_shear_of(const elements::LoadCurve& curve);

// The same read off measured points, straight between them; mean of several measurements. What they do not
// reach is not a number.
KesBending kes_bending_of(std::span<const LoadPath> paths);
KesShear kes_shear_of(std::span<const LoadPath> paths);

// Curves with these numbers. Friction alone cannot widen a loop much from 0.5 to 5 degrees: where 2HG5 asks
// for more, the curve comes as near as it can to both. Throws InputError, without a place, where friction
// leaves no stiffness for a spring.
elements::LoadCurve curve_of(const KesBending& wanted);
elements::LoadCurve curve_of(const KesShear& wanted);

// Largest deformation of the standard cycles, from 0 there, to the other side and back to 0.
inline constexpr double kes_bending_reach = 250;                // [1/m]
inline constexpr double kes_shear_reach = 0.13962634015954636;  // 8 deg [rad]

// The curve followed along such a cycle; steps: places per quarter.
LoadPath cycle_of(const elements::LoadCurve& curve, double reach, int steps);

}  // namespace taut::scene

// Units of fabric tests, as laboratories write them, in SI. The Kawabata system gives moments per width in
// gf.cm/cm over curvatures in 1/cm, and shear forces per width in gf/cm over angles in degrees.
#pragma once

#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut::scene {

inline constexpr double gram_force = 9.80665e-3;                   // [N]
inline constexpr double degree = std::numbers::pi / 180;           // [rad]
inline constexpr double kes_moment = gram_force;                   // gf.cm/cm [N]
inline constexpr double kes_curvature = 100;                       // 1/cm [1/m]
inline constexpr double kes_force = 100 * gram_force;              // gf/cm [N/m]
inline constexpr double kes_angle = degree;                        // deg [rad]
inline constexpr double kes_bending = kes_moment / kes_curvature;  // gf.cm^2/cm [N m]
inline constexpr double kes_shear = kes_force / kes_angle;         // gf/(cm.deg) [N/m per rad]

enum class FabricQuantity { curvature, moment, angle, shear_force };

// Factors from a pair of units to SI.
struct UnitPair {
    double deformation = 1, load = 1;
};

// Factor to SI of a unit as written, "gf.cm/cm"; none where the quantity has no such unit.
std::optional<double> unit_factor(FabricQuantity quantity, std::string_view unit);
std::vector<std::string> unit_names(FabricQuantity quantity);

// "gf.cm/cm over 1/cm": load over deformation, of a bending or a shear test; "KES" and "SI" for short.
std::optional<UnitPair> unit_pair(bool shear, std::string_view text);
std::string unit_pair_remedy(bool shear);  // "allowed: ..."

}  // namespace taut::scene

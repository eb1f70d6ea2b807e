#include "taut/scene/fabric_units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

namespace taut::scene {
namespace {

using Units = std::vector<std::pair<const char*, double>>;

// The first of each list is that of the Kawabata system.
const Units& units_of(FabricQuantity quantity) {
    static const std::map<FabricQuantity, Units> units{
        {FabricQuantity::curvature, {{"1/cm", 100}, {"1/m", 1}, {"1/mm", 1000}}},
        {FabricQuantity::moment, {{"gf.cm/cm", gram_force}, {"N", 1}, {"N.m/m", 1}, {"mN", 1e-3}}},
        {FabricQuantity::angle, {{"deg", degree}, {"rad", 1}}},
        {FabricQuantity::shear_force, {{"gf/cm", kes_force}, {"N/m", 1}, {"N/cm", 100}}},
    };
    return units.at(quantity);
}

FabricQuantity deformation_of(bool shear) {
    return shear ? FabricQuantity::angle : FabricQuantity::curvature;
}
FabricQuantity load_of(bool shear) { return shear ? FabricQuantity::shear_force : FabricQuantity::moment; }

}  // namespace

std::optional<double> unit_factor(FabricQuantity quantity, std::string_view unit) {
    for (const auto& [name, factor] : units_of(quantity)) {
        if (unit == name) return factor;
    }
    return std::nullopt;
}

std::vector<std::string> unit_names(FabricQuantity quantity) {
    std::vector<std::string> names;
    for (const auto& [name, factor] : units_of(quantity)) names.emplace_back(name);
    return names;
}

std::optional<UnitPair> unit_pair(bool shear, std::string_view text) {
    if (text == "KES") return shear ? UnitPair{kes_angle, kes_force} : UnitPair{kes_curvature, kes_moment};
    if (text == "SI") return UnitPair{};
    constexpr std::string_view over = " over ";
    const std::size_t at = text.find(over);
    if (at == std::string_view::npos) return std::nullopt;
    const auto load = unit_factor(load_of(shear), text.substr(0, at));
    const auto deformation = unit_factor(deformation_of(shear), text.substr(at + over.size()));
    if (!load || !deformation) return std::nullopt;
    return UnitPair{*deformation, *load};
}

std::string unit_pair_remedy(bool shear) {
    return fmt::format("allowed: LOAD over DEFORMATION, of {} and {}; or KES, SI",
                       fmt::join(unit_names(load_of(shear)), ", "),
                       fmt::join(unit_names(deformation_of(shear)), ", "));
}

}  // namespace taut::scene

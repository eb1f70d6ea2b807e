// Algorithm 1 of Ozgen and Kallmann 2011: the order in which springs are corrected. From all fixed vertices
// at once the order spreads over the cloth, at every vertex by kind: horizontal stretch springs, vertical
// ones, shear springs, none of them upwards; a vertex is visited a limited number of times. Down is the pull
// of gravity or of another force, and the slope of a spring is that of a given shape, so that any mesh will
// do. See docs/theory/directional.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/filters/cloth_springs.hpp"
#include "taut/model/correction_map.hpp"

namespace taut::filters {

struct CorrectionRules {
    std::array<SpringKind, 3> kinds{SpringKind::horizontal, SpringKind::vertical, SpringKind::shear};
    int visits = 3;            // of a vertex at most
    bool every_visit = false;  // a vertex goes on whenever it is visited; false: only when visited first
    bool synchronous = true;   // false: the spreading from one fixed vertex ends before the next begins
    double level = 0.5;        // sine of the slope up to which a spring counts as horizontal
};

// What an order is made for.
struct CorrectionInput {
    ConstPoints x;                        // shape whose slopes count [m], n x 3
    std::span<const Vec3> down;           // unit vector of each cloth; zero: nothing is up or down
    std::span<const std::uint8_t> fixed;  // n flags; they are never moved
    std::span<const int> cloth_of{};      // of each vertex; empty: there is one
};

// Also gives the spring of every correction.
std::vector<Correction> correction_order(const ClothSprings& springs, const CorrectionInput& input,
                                         const CorrectionRules& rules, std::vector<int>& spring_of);

}  // namespace taut::filters

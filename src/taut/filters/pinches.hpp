// Cloth that obstacles press on from opposite sides: with room for it they only hold it, without they leave
// it no way to go, whoever gives up first. Found among the contacts of a step.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "taut/collision/obstacle.hpp"
#include "taut/collision/surface.hpp"
#include "taut/model/contact_row.hpp"

namespace taut::filters {

struct Pinches {
    std::vector<std::uint8_t> points;  // of the cloth: one flag each; empty where nothing is pinched
    std::vector<int> triangles;        // of the surface, pinched
    std::string text;  // "cloth 'sheet' is pinched between obstacles 'low' and 'high'"; of the first
    int first = -1;    // a pinched point
};

// Rows that push, on points of the surface.
Pinches find_pinches(const collision::Surface& surface, std::span<const collision::Obstacle> obstacles,
                     std::span<const ContactRow> rows);

}  // namespace taut::filters

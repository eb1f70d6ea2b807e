// A triangle that crosses the height has one side that rises through it and one that falls. A loop leaves
// each triangle by its rising side, seen from outside, and the neighbour there has the same side falling.
#include "taut/mesh/section.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace taut::mesh {
namespace {

// A triangle's way through the level, from the side where it enters to the side where it leaves; each side is
// named by its lower and upper vertex.
struct Crossing {
    std::array<int, 2> enters, leaves;
};

std::vector<Crossing> find_crossings(ConstPoints points, std::span<const std::array<int, 3>> triangles,
                                     double height) {
    std::vector<Crossing> crossings;
    for (const auto& corner : triangles) {
        Crossing c{{-1, -1}, {-1, -1}};
        for (std::size_t k = 0; k < 3; ++k) {
            const int v = corner[k], w = corner[(k + 1) % 3];
            const bool v_below = points[static_cast<std::size_t>(v)].z() < height,
                       w_below = points[static_cast<std::size_t>(w)].z() < height;
            if (v_below && !w_below) c.leaves = {v, w};
            if (!v_below && w_below) c.enters = {w, v};
        }
        if (c.leaves[0] >= 0) crossings.push_back(c);
    }
    return crossings;
}

}  // namespace

std::vector<Loop> level_section(ConstPoints points, std::span<const std::array<int, 3>> triangles,
                                double height) {
    // Sort the crossings by where they enter, to find the one that follows each.
    const std::vector<Crossing> crossings = find_crossings(points, triangles, height);
    std::vector<std::size_t> by_entry(crossings.size());
    for (std::size_t k = 0; k < by_entry.size(); ++k) by_entry[k] = k;
    const auto entry = [&](std::size_t k) { return crossings[k].enters; };
    std::ranges::sort(by_entry, {}, entry);

    // Follow every loop from its first crossing until it comes round.
    std::vector<Loop> loops;
    std::vector<std::uint8_t> seen(crossings.size(), 0);
    for (std::size_t first = 0; first < crossings.size(); ++first) {
        if (seen[first]) continue;
        Loop& loop = loops.emplace_back();
        for (std::size_t k = first; !seen[k];) {
            seen[k] = 1;
            const auto [low, high] = crossings[k].leaves;
            const Vec3 &a = points[static_cast<std::size_t>(low)],
                       &b = points[static_cast<std::size_t>(high)];
            const double t = (height - a.z()) / (b.z() - a.z());
            loop.emplace_back(((1 - t) * a + t * b).head<2>());
            const auto next = std::ranges::lower_bound(by_entry, crossings[k].leaves, {}, entry);
            assert(next != by_entry.end() && entry(*next) == crossings[k].leaves);
            k = *next;
        }
    }
    return loops;
}

}  // namespace taut::mesh

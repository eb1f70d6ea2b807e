// Exact check of a triangle surface for intersections: all pairs of triangles that share a point they
// should not, by elements::triangles_overlap on every pair whose boxes meet. It knows of no distance and
// no motion, so it judges what other code has done without its rounding or its mistakes.
// A link of a chain is a triangle {a, b, b}. Theory: docs/theory/intersections.md.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::collision {

struct TrianglePair {
    int a, b;  // indices into the triangles, a < b

    auto operator<=>(const TrianglePair&) const = default;
};

// Which pairs are left out. All views may be empty.
struct IntersectionSkips {
    std::span<const int> group;  // per triangle; negative: prescribed. Empty: all are in group 0
    std::span<const std::uint8_t> not_within;  // per group from 0: it is not checked against itself
    std::span<const TrianglePair> exempt;      // sorted; these pairs may meet
};

inline constexpr std::size_t all_intersections = std::numeric_limits<std::size_t>::max();

// The pairs that intersect, sorted, at most `limit` of them: with fewer than the limit these are all, else
// the search ended early, with the same pairs on any number of threads. Pairs of two prescribed
// triangles are never looked at. Triangles with a corner that is not finite are left out.
std::vector<TrianglePair> find_intersections(ConstPoints x, std::span<const std::array<int, 3>> triangles,
                                             const IntersectionSkips& skips = {},
                                             std::size_t limit = all_intersections);

// How many there are, without a list of them.
std::size_t count_intersections(ConstPoints x, std::span<const std::array<int, 3>> triangles,
                                const IntersectionSkips& skips = {});

// The triangles with a corner that is not finite, in order: what the search leaves out.
std::vector<int> triangles_not_finite(ConstPoints x, std::span<const std::array<int, 3>> triangles);

}  // namespace taut::collision

// Triangles that intersect at the start of a step. No way through the step can keep such a pair apart, so it
// and its neighbours are exempt from all that keeps pairs apart until they have parted. Empty in a run that
// goes well, and then costs nothing. Theory: docs/theory/untangling.md.
#pragma once

#include <span>
#include <vector>

#include "taut/base/incidence.hpp"
#include "taut/collision/intersections.hpp"
#include "taut/collision/pair_motion.hpp"
#include "taut/collision/surface.hpp"

namespace taut::collision {

class Tangles {
public:
    // The surface must outlive this object.
    void prepare(const Surface& surface);

    // The pairs that intersect now, sorted; empty: none.
    void set(std::vector<TrianglePair> pairs);
    bool empty() const { return pairs_.empty(); }
    std::span<const TrianglePair> pairs() const { return pairs_; }

    // Those, and all pairs of a triangle that shares a corner with the one and a triangle that shares a
    // corner with the other; sorted.
    std::span<const TrianglePair> exempt() const { return exempt_; }

    // True where the two primitives belong to triangles that are exempt.
    bool exempts(PairKind kind, const PairPoints& q) const;

    // True where nobody keeps the two triangles apart altogether: some of their corners and edges are exempt.
    bool spares(const TrianglePair& pair) const;

    // Triangles that have a point as a corner, and those around both points of an edge.
    std::span<const int> around(int point) const { return around_.of(static_cast<std::size_t>(point)); }
    std::vector<int> beside(int a, int b) const;

private:
    std::vector<int> neighbours(int triangle) const;
    bool has_exempt_pair(std::span<const int> first, std::span<const int> second) const;

    const Surface* surface_ = nullptr;
    Incidence around_;                   // triangles around each point
    std::vector<TrianglePair> pairs_;    // that intersect
    std::vector<TrianglePair> exempt_;   // with their neighbours
    std::vector<std::uint8_t> touched_;  // of each point: belongs to an exempt triangle
};

}  // namespace taut::collision

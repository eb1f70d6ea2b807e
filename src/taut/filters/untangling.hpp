// Pulls surfaces apart that pass through each other. Where an edge passes through a triangle, the two move
// against each other so that the line of intersection gets shorter until it is gone, and by nothing else.
// Closed obstacles know better: cloth inside moves to the nearest point of their surface. Momentum is kept;
// what is not ours to move stays. Theory: docs/theory/untangling.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "taut/collision/contours.hpp"

namespace taut::filters {

class Untangling {
public:
    void clear() { rows_.clear(); }
    bool empty() const { return rows_.empty(); }
    // Takes the crossings at the start of a step; each is to move by `pace` [m] in it.
    void set(const collision::Surface& surface, const collision::Tangles& tangles, ConstPoints x_start,
             double pace);

    // Changes the ends of the step [m]: the two sides of a crossing move against each other as they should,
    // whatever they were about to do.
    void move(ConstPoints x_start, std::span<const double> inverse_mass, PointsView x) const;

    // Takes the relative velocity [m/s] of crossings away: being pulled apart is no motion.
    void settle(std::span<const double> inverse_mass, PointsView v) const;

private:
    // What an edge or a vertex does against a triangle.
    struct Row {
        std::array<int, 5> point;      // two of the edge, or twice the vertex; the corners of the triangle
        std::array<double, 5> weight;  // sum 1 on the edge, -1 on the triangle
        Vec3 way;                      // [m]
        bool outwards = false;         // at least that way, in its direction; all else is free
    };
    void add_exits(const collision::Surface& surface, const collision::Tangles& tangles, ConstPoints x_start,
                   double pace);
    void add_crossings(const collision::Surface& surface, const collision::Tangles& tangles,
                       ConstPoints x_start, double pace);
    // Lets each row move by row.way times `share` beyond `from`.
    void relax(std::span<const double> inverse_mass, double share, ConstPoints from, PointsView x) const;

    std::vector<Row> rows_;
    std::vector<std::uint8_t> inside_;  // of each point: cloth inside an obstacle
};

}  // namespace taut::filters

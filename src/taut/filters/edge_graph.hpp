// The constrained edges as plain arrays, for methods that correct one edge at a time: strain limiting,
// strain rate limiting, position-based dynamics.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "taut/constraints/edge_length.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::filters {

struct GraphEdge {
    int a = 0, b = 0;   // vertices
    double length = 0;  // at rest, or of a seam at this time [m]
    int row = 0;        // of the constraint; -1: none
};

// All edges of the constraint and all pairs of seams, in the order of its rows.
std::vector<GraphEdge> edges_of(const constraints::EdgeLength& constraint);

// Both diagonals of every quad, which no constraint has.
std::vector<GraphEdge> diagonals_of(const Model& model);

// Takes lengths that change over time from the constraint.
void update_lengths(const constraints::EdgeLength& constraint, std::vector<GraphEdge>& edges);

// Shuffles with a generator of our own, so that a seed means the same order everywhere.
void shuffle(std::vector<GraphEdge>& edges, std::uint64_t seed);

// Sorts edges into groups without common vertices, first come first served; returns where groups start,
// with the end of the last.
std::vector<std::size_t> sort_by_color(int vertices, std::vector<GraphEdge>& edges);

// 1/m for this step, zero where pinned [1/kg].
void inverse_masses(const StepContext& context, std::vector<double>& inverse);

}  // namespace taut::filters

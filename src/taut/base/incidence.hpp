// Which groups (faces, edges, springs) touch which vertex, in compressed rows: sums gather per vertex in a
// fixed order, so that they have the same bits for any number of threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace taut {

struct Incidence {
    std::vector<int> start{0};
    std::vector<int> item;  // ascending within a row

    std::span<const int> of(std::size_t row) const {
        return std::span<const int>(item).subspan(start[row], start[row + 1] - start[row]);
    }
};

// Rows that list, for every vertex below n, the groups it belongs to; group g holds the vertices
// members[group_start[g] .. group_start[g+1]).
Incidence groups_of_vertices(int n, std::span<const int> group_start, std::span<const int> members);

// Rows that list, for every vertex below n, the places k with members[k] = vertex.
Incidence places_of_vertices(int n, std::span<const int> members);

}  // namespace taut

// Which faces touch which vertex, in compressed rows: forces gather per vertex in a fixed order,
// so that their sums have the same bits for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "taut/model/model.hpp"

namespace taut::forces {

struct Incidence {
    std::vector<int> start{0};
    std::vector<int> item;  // ascending within a row

    std::span<const int> of(std::size_t row) const {
        return std::span<const int>(item).subspan(start[row], start[row + 1] - start[row]);
    }
};

// Faces around every vertex of the model.
Incidence faces_of_vertices(const Model& model);

// Rows that list, for every vertex below n, the groups it belongs to; group g holds the vertices
// members[group_start[g] .. group_start[g+1]).
Incidence groups_of_vertices(int n, std::span<const int> group_start, std::span<const int> members);

}  // namespace taut::forces

// Paths of rows for the hierarchy: along yarns, or regrouped where a yarn turns sharply at a crossing, as in
// Figure 11b of House et al. 1996. At a crossing of two yarns where one of them turns by more than 60
// degrees, the four edges are joined in that one of the three ways in two pairs whose turns have the least
// sum; elsewhere yarns go on.
#pragma once

#include <vector>

#include "taut/filters/constraint_tree.hpp"
#include "taut/linalg/linear_solver.hpp"

namespace taut::filters {

// One path per chain, those of a family together.
std::vector<ConstraintPath> paths_of(const std::vector<linalg::RowChain>& chains);

class YarnTurns {
public:
    void prepare(const std::vector<std::array<int, 2>>& ends, const std::vector<linalg::RowChain>& chains);
    // Looks at the shape; true if rows are joined in another way than before.
    bool look(ConstPoints x);
    std::vector<ConstraintPath> paths() const;
    int regrouped() const { return regrouped_; }  // crossings that are joined otherwise than along yarns

private:
    struct Crossing {
        int vertex;
        std::array<int, 4> row;  // 0 and 1 of one yarn, 2 and 3 of the other
        int pairing = 0;         // 0: along yarns
    };
    int next(int row, int vertex) const;  // the row that goes on, or -1

    std::vector<std::array<int, 2>> ends_;
    std::vector<int> family_;
    std::vector<std::array<int, 2>> along_;     // of every row the next at both ends along its yarn; -1: none
    std::vector<std::array<int, 2>> crossing_;  // of every row at both ends; -1: none
    std::vector<Crossing> crossings_;
    int regrouped_ = 0;
};

}  // namespace taut::filters

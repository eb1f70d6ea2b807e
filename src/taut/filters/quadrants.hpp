// Sub-meshes solved by themselves, with nothing above them: the first idea of House et al. 1996, section 3.2.
// Rows belong to the quadrant of the rest shape that their middle lies in; sub-meshes share the vertices on
// their borders, and none hears of the forces of another.
#pragma once

#include <span>
#include <vector>

#include "taut/filters/multiplier_krylov.hpp"
#include "taut/filters/multiplier_rows.hpp"
#include "taut/model/model.hpp"

namespace taut::filters {

class Quadrants {
public:
    void prepare(const Model& model, const MultiplierRows& rows);
    // Returns the iterations of all.
    int solve(const MultiplierRows& rows, std::span<double> lambda, const KrylovSettings& settings);
    int count() const { return static_cast<int>(groups_.size()); }
    std::span<const int> group_rows(int group) const { return groups_[group].row; }

private:
    struct Group {
        std::vector<int> row;
        MultiplierRows rows;
        std::vector<double> lambda;
    };
    std::vector<Group> groups_;
    MultiplierKrylov krylov_;
};

}  // namespace taut::filters

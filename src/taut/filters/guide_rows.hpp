// Guides inside a projection: rows  n . (x - foot) = 0  beside the lengths, one
// or two for each guided vertex. Their multipliers are not kept: a guide takes
// what of the forces on its vertex is across it, whatever that is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "taut/linalg/linear_solver.hpp"
#include "taut/model/step_context.hpp"

namespace taut::filters {

class GuideRows {
public:
    // Takes the vertices that guides hold in a step and pins do not; none where
    // the solver takes no rows.
    void start(const StepContext& context, bool rows_taken);
    bool empty() const { return guided_.empty(); }
    // One flag per vertex, whether it is pinned or guided; valid after start().
    std::span<const std::uint8_t> held() const { return held_; }

    // Makes the rows at the feet below x. Their residuals are distances from the
    // feet [m], or, for a way dx in the step, what of it the guide does not go
    // itself.
    void aim(ConstPoints x);
    void aim_way(ConstPoints dx, double dt);
    // Hands the rows to a system; in front of contacts, which take their place
    // where there are any.
    void enter(linalg::SaddleSystem& system);

    // Puts vertices onto their guides, by the shortest way.
    void place(PointsView x) const;
    // What of a force on vertex i the guide does not take.
    Vec3 left(std::size_t i, const Vec3& f) const;
    void leave(PointsView f) const;

private:
    struct Guided {
        std::size_t vertex = 0;
        const Guide* guide = nullptr;
        GuideFoot foot;
    };

    double time_start_ = 0, time_end_ = 0;  // [s]
    std::vector<Guided> guided_;
    std::vector<int> index_;  // of each vertex in guided_, below 0: none; empty
                              // where all have none
    std::vector<std::uint8_t> held_;
    linalg::RowBlocks rows_;
    std::vector<double> residual_, change_;
};

}  // namespace taut::filters

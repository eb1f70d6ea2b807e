// Contacts inside a projection: rows  C_k = target - n . sum w x <= 0  with multipliers of at least zero.
// Each linear system takes those that bind as further rows (a primal-dual active set).
#pragma once

#include <span>
#include <vector>

#include "taut/linalg/linear_solver.hpp"
#include "taut/model/contact_row.hpp"

namespace taut::filters {

class ContactSet {
public:
    // Takes the contacts; points from `vertices` on belong to obstacles and do not move.
    void start(std::span<const ContactRow> contacts, int vertices, ConstPoints obstacles);
    void clear() { start({}, 0, {}); }

    // Chooses the rows that bind at x; returns the worst violation [m]. diagonal: of H, for the scale of
    // multipliers against gaps [kg].
    double choose(ConstPoints x, std::span<const double> diagonal);

    // Hands the rows that bind to a system, and takes the change of their multipliers from its solution.
    void enter(linalg::SaddleSystem& system);
    void add_change();

private:
    struct Row {
        ContactRow contact;  // without points of obstacles, their share taken off the target
        double multiplier = 0;
    };
    std::vector<Row> rows_;
    std::vector<int> index_;  // of each row that binds
    linalg::RowBlocks binding_;
    std::vector<double> residual_, change_;
};

}  // namespace taut::filters

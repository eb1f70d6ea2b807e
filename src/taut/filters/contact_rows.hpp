// Contacts as inequalities on the end of the step, and the smallest change, weighed by mass, that satisfies
// them:  min 1/2 |x - x_wanted|_M^2  with  n_k . sum_i w_ki x_i >= target_k, and Coulomb friction that takes
// sliding away as far as friction times the push allows. Solved by sweeps over the rows (projected
// Gauss-Seidel), which need not be independent; in one order, so always to the same bits. Lengths that may
// not leave a band take part in the sweeps: what contacts disturb close by is mended close by.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "taut/filters/length_bands.hpp"
#include "taut/model/contact_row.hpp"

namespace taut::filters {

class ContactRows {
public:
    void clear() { rows_.clear(), moving_.clear(); }
    // Share of the friction that counts, of rows that no sweep has seen.
    void set_grip(double share) { grip_ = share; }
    // Where all contacts have held for so many sweeps only lengths are left to mend, from neighbour to
    // neighbour, and solve() ends.
    void set_patience(int sweeps) { patience_ = sweeps; }
    // Masses, starts and points that cannot move are the same from the first sweep until the next clear().
    void add(const ContactRow& row) { rows_.push_back(row); }
    std::span<const ContactRow> rows() const { return rows_; }

    // Sweeps until no row misses its target by more than `tolerance` [m] and no length leaves its band, until
    // no row has missed for long, or until `sweeps` are done; returns how many were. inverse_mass [1/kg]: 0
    // where a point is not ours to move.
    int solve(ConstPoints x_start, std::span<const double> inverse_mass, std::span<const LengthBand> bands,
              double tolerance, int sweeps, PointsView x);
    // One sweep over the rows alone; returns by how much the worst missed its target [m].
    double sweep(ConstPoints x_start, std::span<const double> inverse_mass, PointsView x);

private:
    // What the sweeps need of a row besides its pushes: points that move, with their weights.
    struct MovingRow {
        struct Part {
            std::size_t point = 0;
            double weight = 0, share = 0;  // share: weight over mass [1/kg]
        };
        std::array<Part, 4> part;
        std::size_t count = 0;
        Vec3 normal;
        Vec3 start;                                      // where nothing has slid yet, weighted [m]
        double target = 0, stiffness = 0, friction = 0;  // [m, kg, 1]
    };
    void weigh(ConstPoints x_start, std::span<const double> inverse_mass, ConstPoints x);
    double settle(std::size_t r, PointsView x);
    double sweep_active(bool all, double margin, PointsView x);

    std::vector<ContactRow> rows_;
    double grip_ = 1;
    int patience_ = std::numeric_limits<int>::max();
    std::vector<MovingRow> moving_;    // of rows, as far as seen
    std::vector<std::size_t> active_;  // rows that push or nearly do
    std::vector<LengthBand> near_;     // to the ends of their bands
};

}  // namespace taut::filters

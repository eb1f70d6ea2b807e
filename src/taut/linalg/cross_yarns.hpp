// Bending across a yarn, for the dual preconditioner: how the yarns that cross it resist when a stretch
// of it moves out of line with its neighbours. Adds, for each family f by itself,
//     Y_f^-1 G_f^T X_f G_f Y_f^-1,   G_f y = (what the rows y push on each stretch) / (its mass),
// to the inverse of the dual operator; X_f is the bending of the other family between stretches side by
// side. docs/theory/yarn_cg.md tells where it comes from and why only a share of it counts.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "taut/linalg/lanes.hpp"
#include "taut/linalg/linear_solver.hpp"

namespace taut::linalg {

template <class Real>
class CrossYarns {
public:
    // place: where in yarn order each row is, -1 where it is left out.
    void analyse(const SaddlePattern& pattern, std::span<const int> place);
    void assemble(const SaddleSystem& system, double unit);  // all masses are divided by unit
    bool empty() const { return hinges_.empty(); }

    // t = G^T X G y: multipliers y push the stretches of yarn, X is the bending between them.
    void apply(const LaneVector<Real>& gradient, const std::vector<Real>& y, std::vector<Real>& t);

private:
    // A run of free vertices that moves as one: only the rows at its two ends push it.
    struct Stretch {
        std::array<int, 2> place{-1, -1};  // -1: the yarn ends here
        std::array<Real, 2> sign{};
        int begin = 0, end = 0;  // in vertex_
    };
    struct Hinge {
        int middle, left, right;  // stretches side by side; their count stands for what is held
        double stiffness;         // [N/m]
    };
    void cut(const SaddlePattern& pattern, const RowChain& chain, std::span<const int> place);
    std::vector<int> stretch_at(int vertices, int family) const;
    void add_hinges(const SaddlePattern& pattern, const RowChain& chain, std::span<const int> stretch_at);
    void merge_hinges();

    std::vector<Stretch> stretches_;
    std::vector<int> family_;  // of each stretch
    std::vector<int> vertex_;
    std::vector<Hinge> hinges_;
    double mean_stiffness_ = 0;  // on the diagonal [N/m]
    std::vector<Real> inverse_mass_, bend_;
    LaneVector<Real> move_, force_;  // one more than stretches, for what is held
};

extern template class CrossYarns<float>;
extern template class CrossYarns<double>;

}  // namespace taut::linalg

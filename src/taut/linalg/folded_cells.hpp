// Cells that are sheared flat, for the dual preconditioner. The four rows round such a cell are nearly
// parallel, and tensions of changing sign round it pull on next to nothing: J^T v is small, the yarns see
// none of it, and conjugate gradients would search long for it. Adds
//     v v^T (1 / (v^T J a J^T v + v^T E v) - 4 v^T diag(P^-1) v),
// where positive, to the inverse of the dual operator; a is how far a vertex gives way to a local pull.
// docs/theory/yarn_cg.md tells where it comes from.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/linalg/linear_solver.hpp"

namespace taut::linalg {

template <class Real>
class FoldedCells {
public:
    // place: where in yarn order each row is, -1 where it is left out.
    void analyse(const SaddlePattern& pattern, std::span<const int> place);
    // known: an estimate of the diagonal of P^-1 without cells; it and E in yarn order, for masses divided
    // by unit.
    void assemble(const SaddleSystem& system, double unit, std::span<const Real> known,
                  std::span<const Real> regularization);
    std::size_t cells() const { return cells_.size(); }
    std::size_t folded() const { return folds_.size(); }

    void add(const std::vector<Real>& r, std::vector<Real>& z) const;  // z += sum of v v^T r

private:
    // Corners a, b, c, d; rows ab and cd of one family, ac and bd of the other.
    struct Cell {
        std::array<int, 4> row, corner;
    };
    struct Fold {
        std::array<int, 4> place;
        std::array<Real, 4> tension;  // v, times the square root of what it counts
    };
    using Tension = std::array<double, 4>;  // of the rows of a cell
    static const Vec3& pull(const RowBlocks& rows, const Cell& cell, int k, int corner);
    static bool flat(const RowBlocks& rows, const Cell& cell);
    static Tension slack(const RowBlocks& rows, const Cell& cell);
    double response(const SaddleSystem& system, const Cell& cell, const Tension& v) const;

    std::vector<Cell> cells_;
    std::vector<int> place_;         // of each row
    std::vector<double> stiffness_;  // diagonal of K [N/m], n, or empty
    std::vector<std::uint8_t> pinned_;
    std::vector<std::uint8_t> is_flat_;
    std::vector<int> flat_;           // cells
    std::vector<double> weight_sum_;  // of the rows at each vertex [kg]
    std::vector<Fold> folds_;
};

extern template class FoldedCells<float>;
extern template class FoldedCells<double>;

}  // namespace taut::linalg

// The Schur complement S = J diag^-1 Jf^T + E as a sparse matrix with a fixed pattern: two rows couple
// where they share a free vertex. Jf is J itself, or where a system names other force rows, those. Shared by
// the direct solvers for H = diag.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "taut/linalg/linear_solver.hpp"

namespace taut::linalg {

class Schur {
public:
    void analyse(const SaddlePattern& pattern);
    void assemble(const SaddleSystem& system, bool whole = false);  // else the lower triangle
    const Eigen::SparseMatrix<double>& matrix() const { return matrix_; }
    Eigen::VectorXd right_hand_side(const SaddleSystem& system) const;  // C - J diag^-1 F
    void recover(const SaddleSystem& system, std::span<const double> dmu, PointsView dx) const;

private:
    int n_ = 0;
    std::vector<std::uint8_t> pinned_;
    std::vector<int> incident_start_, incident_;  // entries of J at each free vertex
    std::vector<int> row_of_;                     // row of each entry of J
    Eigen::SparseMatrix<double> matrix_;
};

}  // namespace taut::linalg

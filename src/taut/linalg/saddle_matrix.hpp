// The whole saddle matrix [[H, J^T], [J, -E]] in 3n + m unknowns as a sparse matrix, with its right-hand
// side: what the direct solvers of the saddle system factor.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <vector>

#include "taut/linalg/linear_solver.hpp"

namespace taut::linalg {

class SaddleMatrix {
public:
    void analyse(const SaddlePattern& pattern);
    // The lower triangle, or the whole matrix. E is never below least_regularization times the diagonal of
    // J diag^-1 J^T. Pinned vertices keep a unit diagonal and no coupling.
    void assemble(const SaddleSystem& system, bool whole, double least_regularization);
    const Eigen::SparseMatrix<double>& matrix() const { return matrix_; }
    Eigen::VectorXd right_hand_side(const SaddleSystem& system) const;
    void split(const Eigen::VectorXd& solution, std::span<double> dmu, PointsView dx) const;

private:
    using Triplets = std::vector<Eigen::Triplet<double>>;
    void add_metric(const SaddleSystem& system, bool whole, Triplets& triplets) const;
    void add_rows(const SaddleSystem& system, bool whole, double least_regularization,
                  Triplets& triplets) const;

    int n_ = 0;
    std::vector<std::uint8_t> pinned_;
    std::vector<std::array<int, 2>> edges_;  // the two vertices of each row, for the Laplacian
    const SymmetricCsr* stiffness_ = nullptr;
    Eigen::SparseMatrix<double> matrix_;
};

}  // namespace taut::linalg

#include "taut/linalg/cholesky.hpp"

#include <Eigen/SparseCholesky>

#include "taut/linalg/schur_factor.hpp"

namespace taut::linalg {

struct Cholesky::Data
    : SchurFactor<Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>>> {
};

void describe(ParamList&, CholeskyParams&) {}

Cholesky::Cholesky(Params) : data_(std::make_unique<Data>()) {}
Cholesky::~Cholesky() = default;

void Cholesky::analyse(const SaddlePattern& pattern) { data_->analyse(pattern); }

SolveReport Cholesky::solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) {
    return data_->solve(system, dmu, dx);
}

}  // namespace taut::linalg

#include "taut/linalg/cholmod.hpp"

#include <Eigen/CholmodSupport>

#include "taut/linalg/schur_factor.hpp"

namespace taut::linalg {

struct Cholmod::Data : SchurFactor<Eigen::CholmodDecomposition<Eigen::SparseMatrix<double>, Eigen::Lower>> {};

void describe(ParamList&, CholmodParams&) {}

Cholmod::Cholmod(Params) : data_(std::make_unique<Data>()) { data_->factor().cholmod().print = 0; }
Cholmod::~Cholmod() = default;

void Cholmod::analyse(const SaddlePattern& pattern) { data_->analyse(pattern); }

SolveReport Cholmod::solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) {
    return data_->solve(system, dmu, dx);
}

}  // namespace taut::linalg

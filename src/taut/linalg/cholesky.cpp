#include "taut/linalg/cholesky.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>

#include "taut/linalg/schur.hpp"

namespace taut::linalg {

struct Cholesky::Data {
    Schur schur;
    bool analysed = false;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>> factor;
};

void describe(ParamList&, CholeskyParams&) {}

Cholesky::Cholesky(Params) : data_(std::make_unique<Data>()) {}
Cholesky::~Cholesky() = default;

void Cholesky::analyse(const SaddlePattern& pattern) {
    data_->schur.analyse(pattern);
    data_->analysed = false;
}

SolveReport Cholesky::solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) {
    Data& d = *data_;
    d.schur.assemble(system);
    if (!d.analysed) {
        d.factor.analyzePattern(d.schur.matrix());
        d.analysed = true;
    }
    d.factor.factorize(d.schur.matrix());
    SolveReport report;
    report.iterations = 1;
    if (d.factor.info() != Eigen::Success) {
        // A pivot vanished: take no step at all.
        std::fill(dmu.begin(), dmu.end(), 0.0);
        std::fill(dx.begin(), dx.end(), Vec3::Zero());
        report.converged = false;
        return report;
    }
    const Eigen::VectorXd solution = d.factor.solve(d.schur.right_hand_side(system));
    report.converged = solution.allFinite();
    for (std::size_t r = 0; r < dmu.size(); ++r) dmu[r] = solution[Eigen::Index(r)];
    d.schur.recover(system, dmu, dx);
    return report;
}

}  // namespace taut::linalg

#include "taut/linalg/ldlt.hpp"

#include <Eigen/SparseCholesky>

#include "taut/linalg/saddle_matrix.hpp"

namespace taut::linalg {

// E is never below this, so that the factor exists for rank-deficient rows.
constexpr double smallest_regularization = 1e-12;

struct Ldlt::Data {
    SaddleMatrix saddle;
    Eigen::Index analysed = 0;  // nonzeros of the pattern last analysed: weights may come and go
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>> factor;
};

void describe(ParamList&, LdltParams&) {}

Ldlt::Ldlt(Params) : data_(std::make_unique<Data>()) {}
Ldlt::~Ldlt() = default;

void Ldlt::analyse(const SaddlePattern& pattern) {
    data_->saddle.analyse(pattern);
    data_->analysed = 0;
}

SolveReport Ldlt::solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) {
    Data& d = *data_;
    if (!system.same_matrix || d.analysed == 0) {
        d.saddle.assemble(system, false, smallest_regularization);
        if (d.analysed != d.saddle.matrix().nonZeros()) {
            d.factor.analyzePattern(d.saddle.matrix());
            d.analysed = d.saddle.matrix().nonZeros();
        }
        d.factor.factorize(d.saddle.matrix());
    }
    const Eigen::VectorXd solution = d.factor.solve(d.saddle.right_hand_side(system));
    d.saddle.split(solution, dmu, dx);
    SolveReport report;
    report.iterations = 1;
    report.converged = d.factor.info() == Eigen::Success && solution.allFinite();
    return report;
}

}  // namespace taut::linalg

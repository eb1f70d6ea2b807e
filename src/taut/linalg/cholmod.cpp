#include "taut/linalg/cholmod.hpp"

#include <Eigen/CholmodSupport>
#include <algorithm>

#include "taut/linalg/schur.hpp"

namespace taut::linalg {

struct Cholmod::Data {
    Schur schur;
    bool analysed = false;
    Eigen::CholmodDecomposition<Eigen::SparseMatrix<double>, Eigen::Lower> factor;
};

void describe(ParamList&, CholmodParams&) {}

Cholmod::Cholmod(Params) : data_(std::make_unique<Data>()) { data_->factor.cholmod().print = 0; }
Cholmod::~Cholmod() = default;

void Cholmod::analyse(const SaddlePattern& pattern) {
    data_->schur.analyse(pattern);
    data_->analysed = false;
}

SolveReport Cholmod::solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) {
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

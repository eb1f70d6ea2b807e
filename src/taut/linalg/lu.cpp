#include "taut/linalg/lu.hpp"

#include <Eigen/SparseLU>
#include <algorithm>

#include "taut/linalg/saddle_matrix.hpp"
#include "taut/linalg/schur.hpp"

namespace taut::linalg {

struct Lu::Data {
    SaddleMatrix saddle;
    Schur schur;
    bool has_stiffness = false;
    bool through_schur = true;  // how the last matrix was made
    bool factored = false;
    Eigen::Index analysed = 0;  // nonzeros of the pattern last analysed
    Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> factor;

    const Eigen::SparseMatrix<double>& matrix() const {
        return through_schur ? schur.matrix() : saddle.matrix();
    }
    void refactor(const SaddleSystem& system);
};

void describe(ParamList&, LuParams&) {}

Lu::Lu(Params) : data_(std::make_unique<Data>()) {}
Lu::~Lu() = default;

void Lu::analyse(const SaddlePattern& pattern) {
    data_->saddle.analyse(pattern);
    data_->schur.analyse(pattern);
    data_->has_stiffness = pattern.stiffness && !pattern.stiffness->empty();
    data_->analysed = 0;
    data_->factored = false;
}

void Lu::Data::refactor(const SaddleSystem& system) {
    const bool diagonal = system.weight.empty() && (!has_stiffness || system.stiffness_scale == 0);
    if (diagonal != through_schur) analysed = 0;
    through_schur = diagonal;
    if (through_schur) {
        schur.assemble(system, true);
    } else {
        saddle.assemble(system, true, 0);
    }
    if (analysed != matrix().nonZeros()) {
        factor.analyzePattern(matrix());
        analysed = matrix().nonZeros();
    }
    factor.factorize(matrix());
    factored = factor.info() == Eigen::Success;
}

SolveReport Lu::solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) {
    Data& d = *data_;
    if (!system.same_matrix || !d.factored) d.refactor(system);
    SolveReport report;
    report.iterations = 1;
    Eigen::VectorXd solution;
    if (d.factored) {
        solution = d.factor.solve(d.through_schur ? d.schur.right_hand_side(system)
                                                  : d.saddle.right_hand_side(system));
    }
    report.converged = d.factored && solution.allFinite();
    if (!report.converged) {
        // The matrix is singular: take no step at all.
        std::fill(dmu.begin(), dmu.end(), 0.0);
        std::fill(dx.begin(), dx.end(), Vec3::Zero());
    } else if (d.through_schur) {
        for (std::size_t r = 0; r < dmu.size(); ++r) dmu[r] = solution[Eigen::Index(r)];
        d.schur.recover(system, dmu, dx);
    } else {
        d.saddle.split(solution, dmu, dx);
    }
    return report;
}

}  // namespace taut::linalg

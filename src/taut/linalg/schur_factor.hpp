// Solves the saddle system with H = diag through a sparse factorisation of its Schur complement. Factor is
// a sparse Cholesky of Eigen's interface; the solvers cholesky and cholmod differ in nothing else.
#pragma once

#include <algorithm>

#include "taut/linalg/schur.hpp"

namespace taut::linalg {

template <class Factor>
class SchurFactor {
public:
    Factor& factor() { return factor_; }

    void analyse(const SaddlePattern& pattern) {
        schur_.analyse(pattern);
        analysed_ = false;
    }

    SolveReport solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) {
        if (!system.same_matrix || !analysed_) {
            schur_.assemble(system);
            if (!analysed_) factor_.analyzePattern(schur_.matrix());
            analysed_ = true;
            factor_.factorize(schur_.matrix());
        }
        SolveReport report;
        report.iterations = 1;
        if (factor_.info() != Eigen::Success) {
            // A pivot vanished: take no step at all.
            std::fill(dmu.begin(), dmu.end(), 0.0);
            std::fill(dx.begin(), dx.end(), Vec3::Zero());
            report.converged = false;
            return report;
        }
        const Eigen::VectorXd solution = factor_.solve(schur_.right_hand_side(system));
        report.converged = solution.allFinite();
        for (std::size_t r = 0; r < dmu.size(); ++r) dmu[r] = solution[Eigen::Index(r)];
        schur_.recover(system, dmu, dx);
        return report;
    }

private:
    Schur schur_;
    bool analysed_ = false;
    Factor factor_;
};

}  // namespace taut::linalg

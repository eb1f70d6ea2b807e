// Solves with the metric H = (diag + scale K + L(w)) / unit, x, y and z as three right-hand sides at
// once: conjugate gradients preconditioned by line solves along the yarns, or, where bending is stiff
// against the mass, by a multigrid cycle with line solves on every level. Vectors hold four lanes per
// vertex (x, y, z, unused) and one spare entry at the end.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/linalg/lanes.hpp"
#include "taut/linalg/line_solves.hpp"
#include "taut/linalg/metric_matrix.hpp"
#include "taut/linalg/multilevel.hpp"
#include "taut/linalg/sparse.hpp"

namespace taut::linalg {

template <class Real>
class LineCg {
public:
    using V = Lanes<Real>;

    // edges: the two vertices of every weighted edge; pinned vertices drop out of the matrix.
    void analyse(int vertices, const SymmetricCsr* stiffness, std::span<const std::array<int, 2>> edges,
                 const std::vector<LineFamily>& families, std::span<const std::uint8_t> pinned);

    // Sets the values and factors the lines. weight: one per edge, or empty. unit [kg] scales H to order one.
    void assemble(std::span<const double> diagonal, double stiffness_scale, std::span<const double> weight,
                  double unit);

    // True where bending is stiff against the mass and coarse levels are at work.
    bool stiff() const { return stiff_; }

    // x = V b, V a fixed symmetric positive operator close to H^-1: line solves, or a cycle where stiff.
    void precondition(const LaneVector<Real>& b, LaneVector<Real>& x);

    // x = H^-1 b to the relative residual asked, from x = 0; returns iterations, at most max_iterations.
    int solve(const LaneVector<Real>& b, LaneVector<Real>& x, double tolerance, int max_iterations);

    const MetricMatrix<Real>& matrix() const { return matrix_; }

private:
    int n_ = 0;
    MetricMatrix<Real> matrix_;
    LineSolves<Real> lines_;
    Multilevel<Real> levels_;
    bool stiff_ = false;
    double top_ = 1;  // bound on the spectrum of the line-preconditioned matrix
    LaneVector<Real> r_, z_, p_, q_;
};

extern template class LineCg<float>;
extern template class LineCg<double>;

}  // namespace taut::linalg

#include "taut/linalg/ldlt.hpp"

#include <Eigen/SparseCholesky>
#include <cmath>

namespace taut::linalg {

using Sparse = Eigen::SparseMatrix<double>;

// E is never below this, so that the factor exists for rank-deficient rows.
constexpr double least_regularization = 1e-12;

struct Ldlt::Data {
    int n = 0;
    std::vector<std::uint8_t> pinned;
    std::vector<std::array<int, 2>> edges;  // the two vertices of each row, for the Laplacian
    const SymmetricCsr* stiffness = nullptr;
    Eigen::Index analysed = 0;  // nonzeros of the pattern last analysed: weights may come and go
    Sparse matrix;
    Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>> factor;

    void assemble(const SaddleSystem& system);
};

void describe(ParamList&, LdltParams&) {}

Ldlt::Ldlt(Params) : data_(std::make_unique<Data>()) {}
Ldlt::~Ldlt() = default;

void Ldlt::analyse(const SaddlePattern& pattern) {
    data_->n = pattern.vertices;
    data_->pinned.assign(pattern.pinned.begin(), pattern.pinned.end());
    data_->stiffness = pattern.stiffness;
    data_->edges.clear();
    for (int r = 0; r < pattern.rows->rows(); ++r) {
        const int at = pattern.rows->start[r];
        const bool pair = pattern.rows->start[r + 1] - at == 2;
        data_->edges.push_back(pair ? std::array{pattern.rows->vertex[at], pattern.rows->vertex[at + 1]}
                                    : std::array{-1, -1});
    }
    data_->analysed = 0;
}

// Lower triangle; pinned vertices keep a unit diagonal and no coupling.
void Ldlt::Data::assemble(const SaddleSystem& system) {
    std::vector<Eigen::Triplet<double>> triplets;
    const auto add_scalar = [&](int i, int j, double value) {
        if (pinned[i] || pinned[j] || j > i) return;
        for (int c = 0; c < 3; ++c) triplets.emplace_back(3 * i + c, 3 * j + c, value);
    };
    for (int i = 0; i < n; ++i) {
        if (pinned[i]) {
            for (int c = 0; c < 3; ++c) triplets.emplace_back(3 * i + c, 3 * i + c, 1.0);
        }
        add_scalar(i, i, system.diagonal[i]);
        if (!stiffness || stiffness->empty() || system.stiffness_scale == 0) continue;
        for (int k = stiffness->row_start()[i]; k < stiffness->row_start()[i + 1]; ++k) {
            add_scalar(i, stiffness->columns()[k], system.stiffness_scale * stiffness->values()[k]);
        }
    }
    for (std::size_t r = 0; r < system.weight.size(); ++r) {
        const auto [a, b] = edges[r];
        if (a < 0) continue;
        add_scalar(a, a, system.weight[r]);
        add_scalar(b, b, system.weight[r]);
        add_scalar(std::max(a, b), std::min(a, b), -system.weight[r]);
    }
    const double regularization = std::max(system.regularization, least_regularization);
    for (int r = 0; r < system.rows->rows(); ++r) {
        double diagonal = 0;
        for (int k = system.rows->start[r]; k < system.rows->start[r + 1]; ++k) {
            const int v = system.rows->vertex[k];
            const Vec3& g = system.rows->gradient[k];
            if (!pinned[v]) diagonal += g.squaredNorm() / system.diagonal[v];
            for (int c = 0; c < 3; ++c) {
                triplets.emplace_back(3 * n + r, 3 * v + c, pinned[v] ? 0.0 : g[c]);
            }
        }
        triplets.emplace_back(3 * n + r, 3 * n + r, diagonal > 0 ? -regularization * diagonal : -1.0);
    }
    const int size = 3 * n + system.rows->rows();
    matrix.resize(size, size);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
}

SolveReport Ldlt::solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) {
    Data& d = *data_;
    d.assemble(system);
    if (d.analysed != d.matrix.nonZeros()) {
        d.factor.analyzePattern(d.matrix);
        d.analysed = d.matrix.nonZeros();
    }
    d.factor.factorize(d.matrix);
    SolveReport report;
    report.iterations = 1;
    report.converged = d.factor.info() == Eigen::Success;

    Eigen::VectorXd rhs(d.matrix.rows());
    for (int i = 0; i < d.n; ++i) {
        rhs.segment<3>(3 * i) = d.pinned[i] ? Vec3(Vec3::Zero()) : Vec3(-system.f[i]);
    }
    for (int r = 0; r < system.rows->rows(); ++r) {
        const auto [a, b] = d.edges[r];
        const bool idle = a >= 0 && d.pinned[a] && d.pinned[b];
        rhs[3 * d.n + r] = idle ? 0.0 : -system.c[r];
    }
    const Eigen::VectorXd solution = d.factor.solve(rhs);
    for (int i = 0; i < d.n; ++i) dx[i] = solution.segment<3>(3 * i);
    for (int r = 0; r < system.rows->rows(); ++r) dmu[r] = solution[3 * d.n + r];
    report.converged = report.converged && solution.allFinite();
    return report;
}

}  // namespace taut::linalg

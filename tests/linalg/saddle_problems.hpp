// Saddle systems for the tests of solvers: cloths of several kinds with random masses, weights,
// bending and pins, and their solution by a dense factorisation.
#pragma once

#include <cmath>
#include <string>

#include "sim/cloths.hpp"
#include "taut/constraints/edge_length.hpp"
#include "taut/forces/isometric_bending.hpp"
#include "taut/linalg/linear_solver.hpp"

namespace taut::testing {

// x with a x = b for several right-hand sides, by Gaussian elimination with row pivots.
inline Eigen::MatrixXd dense_solve(Eigen::MatrixXd a, Eigen::MatrixXd b) {
    const Eigen::Index n = a.rows();
    for (Eigen::Index k = 0; k < n; ++k) {
        Eigen::Index best = k;
        for (Eigen::Index i = k + 1; i < n; ++i) {
            if (std::abs(a(i, k)) > std::abs(a(best, k))) best = i;
        }
        a.row(k).swap(a.row(best));
        b.row(k).swap(b.row(best));
        for (Eigen::Index i = k + 1; i < n; ++i) {
            const double factor = a(i, k) / a(k, k);
            if (factor == 0) continue;
            for (Eigen::Index j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
            for (Eigen::Index j = 0; j < b.cols(); ++j) b(i, j) -= factor * b(k, j);
        }
    }
    for (Eigen::Index k = n; k-- > 0;) {
        for (Eigen::Index j = 0; j < b.cols(); ++j) {
            for (Eigen::Index i = k + 1; i < n; ++i) b(k, j) -= a(k, i) * b(i, j);
            b(k, j) /= a(k, k);
        }
    }
    return b;
}

struct Solution {
    std::vector<double> dmu;
    Points dx;
};

// H = diag + scale K + L(w), J and right-hand sides, all owned.
struct SaddleProblem {
    SaddleProblem(std::string name_, Model model_, const std::vector<int>& pins, double shake)
        : name(std::move(name_)), model(std::move(model_)) {
        pinned.assign(model.rest.size(), 0);
        for (int v : pins) pinned[std::size_t(v)] = 1;
        constraint.prepare(model);
        const std::size_t n = model.rest.size();
        diagonal = random_numbers(n, 0.5, 2, 5);
        for (std::size_t i = 0; i < n; ++i) diagonal[i] *= model.mass[i];
        f = random_points(n, 1e-4, 7);
        at(shaken(model.rest, shake, 3));
    }

    // Takes J at x, and a consistent C, so that rank-deficient rows have a solution; nothing asked of rows
    // between pins.
    SaddleProblem& at(const Points& x) {
        constraint.jacobian(x, rows);
        c.assign(std::size_t(rows.rows()), 0);
        Points y = random_points(x.size(), 1e-3, 9);
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (pinned[i]) y[i].setZero();
        }
        rows.multiply(y, c);
        return *this;
    }

    // A sheet nearly plane again, its second family turned by an angle: at pi/2 every cell is flat.
    SaddleProblem& shear(double angle) {
        Points x = shaken(model.rest, 1e-4, 3);
        for (Vec3& point : x) {
            point = Vec3(point.x() + std::sin(angle) * point.y(), std::cos(angle) * point.y(), point.z());
        }
        name += " sheared";
        return at(x);
    }

    // [N m] against masses of some grams: scale h^2 = 1/14400 s^2.
    SaddleProblem& bend(double stiffness) {
        forces::IsometricBending bending({stiffness, 0.5 * stiffness});
        bending.prepare(model);
        std::vector<linalg::Triplet> triplets;
        bending.add_stiffness(triplets);
        if (!triplets.empty()) stiffness_matrix = linalg::SymmetricCsr(model.vertex_count(), triplets);
        scale = 1.0 / 14400;
        name += " bending " + std::to_string(stiffness);
        return *this;
    }

    // Tension in units of the mean mass.
    SaddleProblem& weigh(double most) {
        double mean = 0;
        for (double d : diagonal) mean += d / double(diagonal.size());
        weight = random_numbers(std::size_t(rows.rows()), 0, most * mean, 11);
        name += " weights";
        return *this;
    }

    linalg::SaddlePattern pattern() const {
        return {model.vertex_count(), &rows, &constraint.chains(),
                stiffness_matrix.empty() ? nullptr : &stiffness_matrix, pinned};
    }
    linalg::SaddleSystem system(double tolerance) const {
        linalg::SaddleSystem made;
        made.diagonal = diagonal;
        made.stiffness_scale = scale;
        made.weight = weight;
        made.rows = &rows;
        made.regularization = regularization;
        made.f = f;
        made.c = c;
        made.tolerance = tolerance;
        return made;
    }

    Solution solve(linalg::LinearSolver& solver, double tolerance,
                   linalg::SolveReport* report = nullptr) const {
        Solution s{std::vector<double>(c.size(), 7.0), Points(f.size(), Vec3(7, 7, 7))};
        const linalg::SolveReport r = solver.solve(system(tolerance), s.dmu, s.dx);
        if (report) *report = r;
        return s;
    }

    Eigen::MatrixXd dense_metric() const {
        const auto n = Eigen::Index(diagonal.size());
        Eigen::MatrixXd h = Eigen::MatrixXd::Zero(n, n);
        for (Eigen::Index i = 0; i < n; ++i) h(i, i) = diagonal[std::size_t(i)];
        for (int i = 0; i < stiffness_matrix.size(); ++i) {
            for (int k = stiffness_matrix.row_start()[i]; k < stiffness_matrix.row_start()[i + 1]; ++k) {
                h(i, stiffness_matrix.columns()[k]) += scale * stiffness_matrix.values()[k];
            }
        }
        for (std::size_t r = 0; r < weight.size(); ++r) {
            const auto [a, b] = constraint.ends(int(r));
            h(a, a) += weight[r];
            h(b, b) += weight[r];
            h(a, b) -= weight[r];
            h(b, a) -= weight[r];
        }
        return h;
    }

    // [[H, J^T], [J, -E]] (dx, dmu) = (-F, -C), pinned vertices and rows between pins left out.
    Solution dense() const {
        const auto n = Eigen::Index(diagonal.size()), m = Eigen::Index(c.size());
        const Eigen::MatrixXd h = dense_metric();
        Eigen::MatrixXd a = Eigen::MatrixXd::Zero(3 * n + m, 3 * n + m);
        Eigen::VectorXd b = Eigen::VectorXd::Zero(3 * n + m);
        for (Eigen::Index i = 0; i < n; ++i) {
            for (int k = 0; k < 3; ++k) {
                for (Eigen::Index j = 0; j < n; ++j) {
                    const bool held = pinned[std::size_t(i)] || pinned[std::size_t(j)];
                    a(3 * i + k, 3 * j + k) = held ? double(i == j) : h(i, j);
                }
                b[3 * i + k] = pinned[std::size_t(i)] ? 0.0 : -f[std::size_t(i)][k];
            }
        }
        for (Eigen::Index r = 0; r < m; ++r) {
            double diag = 0;
            for (int k = rows.start[std::size_t(r)]; k < rows.start[std::size_t(r) + 1]; ++k) {
                const int v = rows.vertex[std::size_t(k)];
                if (pinned[std::size_t(v)]) continue;
                const Vec3& g = rows.gradient[std::size_t(k)];
                diag += g.squaredNorm() / diagonal[std::size_t(v)];
                a.block<1, 3>(3 * n + r, 3 * v) = g.transpose();
                a.block<3, 1>(3 * v, 3 * n + r) = g;
            }
            a(3 * n + r, 3 * n + r) = diag > 0 ? -regularization * diag : -1.0;
            b[3 * n + r] = diag > 0 ? -c[std::size_t(r)] : 0.0;
        }
        const Eigen::VectorXd x = dense_solve(a, b);
        Solution s{std::vector<double>(c.size()), Points(f.size())};
        for (Eigen::Index i = 0; i < n; ++i) s.dx[std::size_t(i)] = x.segment<3>(3 * i);
        for (Eigen::Index r = 0; r < m; ++r) s.dmu[std::size_t(r)] = x[3 * n + r];
        return s;
    }

    std::string name;
    Model model;
    constraints::EdgeLength constraint;
    linalg::RowBlocks rows;
    linalg::SymmetricCsr stiffness_matrix;
    std::vector<std::uint8_t> pinned;
    std::vector<double> diagonal, weight, c;
    Points f;
    double scale = 0, regularization = 1e-6;
};

// |a - b| / |b|, of all entries together.
inline double relative_gap(const Points& a, const Points& b) {
    double gap = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) gap += (a[i] - b[i]).squaredNorm(), size += b[i].squaredNorm();
    return std::sqrt(gap / size);
}

inline double relative_gap(const std::vector<double>& a, const std::vector<double>& b) {
    double gap = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) gap += (a[i] - b[i]) * (a[i] - b[i]), size += b[i] * b[i];
    return std::sqrt(gap / size);
}

}  // namespace taut::testing

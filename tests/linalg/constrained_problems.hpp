// Systems of cloth with constraints at vertices for the modified conjugate gradients: random positive
// definite matrices, and what dense algebra says about them, reduced by explicit bases or as a saddle.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "base/random_points.hpp"
#include "taut/linalg/modified_pcg.hpp"

namespace taut::testing {

using Eigen::MatrixXd;
using Eigen::VectorXd;

inline VectorXd flat(ConstPoints x) {
    VectorXd q(3 * Eigen::Index(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) q.segment<3>(3 * Eigen::Index(i)) = x[i];
    return q;
}

// M + h^2 K of an nu x nv sheet of random masses, with springs of random stiffness along sides and diagonals,
// across them a share of it, at random angles. kind: 0 all free, 1 mixed, 2 all fixed. stiffness: of
// the springs, at 1 about ten times the masses.
struct ConstrainedProblem {
    ConstrainedProblem(int nu, int nv, unsigned seed, int kind = 1, double stiffness = 1) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> one(-1, 1);
        const auto unit = [&] { return Vec3(one(random), one(random), one(random) + 1e-3).normalized(); };
        const int n = nu * nv;
        std::vector<std::array<int, 2>> pairs;
        for (int j = 0; j < nv; ++j) {
            for (int i = 0; i < nu; ++i) {
                const int a = j * nu + i;
                if (i + 1 < nu) pairs.push_back({a, a + 1});
                if (j + 1 < nv) pairs.push_back({a, a + nu});
                if (i + 1 < nu && j + 1 < nv) pairs.push_back({a, a + nu + 1});
            }
        }
        matrix.set_pattern(n, pairs);
        matrix.clear();
        for (int i = 0; i < n; ++i) matrix.add(i, i, (1 + 0.5 * one(random)) * Mat3::Identity());
        for (const auto& [a, b] : pairs) {
            const Vec3 d = unit();
            const double k = stiffness * std::pow(10, 1 + one(random));
            matrix.add_pair(a, b, k * (d * d.transpose() + 0.05 * Mat3::Identity()));
        }
        rows.set_pattern(matrix);
        rows.load(matrix);
        for (int i = 0; i < n; ++i) {
            const int what = kind == 0 ? 0 : (kind == 2 ? 3 : int(random() % 5));
            const Vec3 d = unit();
            freedom.push_back(what == 1   ? linalg::on_plane(d)
                              : what == 2 ? linalg::on_line(d)
                              : what == 3 ? linalg::fixed_vertex()
                                          : linalg::free_vertex());
            basis.push_back(what == 1   ? plane_basis(d)
                            : what == 2 ? MatrixXd(d)
                            : what == 3 ? MatrixXd(3, 0)
                                        : MatrixXd(MatrixXd::Identity(3, 3)));
            across.push_back(what == 1   ? MatrixXd(d)
                             : what == 2 ? plane_basis(d)
                             : what == 3 ? MatrixXd(MatrixXd::Identity(3, 3))
                                         : MatrixXd(3, 0));
        }
        b = random_points(std::size_t(n), 1, seed + 100);
        z = random_points(std::size_t(n), 0.5, seed + 200);
    }

    static MatrixXd plane_basis(const Vec3& normal) {
        const Vec3 p = normal.unitOrthogonal();
        MatrixXd m(3, 2);
        m << p, normal.cross(p);
        return m;
    }

    MatrixXd dense() const {
        const Eigen::Index n = matrix.size();
        MatrixXd m = MatrixXd::Zero(3 * n, 3 * n);
        for (int j = 0; j < n; ++j) {
            for (int k = matrix.column_start()[j]; k < matrix.column_start()[j + 1]; ++k) {
                const int i = matrix.rows()[k];
                m.block<3, 3>(3 * i, 3 * j) = matrix.blocks()[k];
                m.block<3, 3>(3 * j, 3 * i) = matrix.blocks()[k].transpose();
            }
        }
        return m;
    }

    // The bases of all vertices as one matrix of independent columns.
    MatrixXd joined(const std::vector<MatrixXd>& parts) const {
        Eigen::Index columns = 0;
        for (const MatrixXd& p : parts) columns += p.cols();
        MatrixXd m = MatrixXd::Zero(3 * Eigen::Index(parts.size()), columns);
        columns = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            m.block(3 * Eigen::Index(i), columns, 3, parts[i].cols()) = parts[i];
            columns += parts[i].cols();
        }
        return m;
    }
    MatrixXd free_basis() const { return joined(basis); }
    MatrixXd fixed_basis() const { return joined(across); }

    // What z prescribes.
    VectorXd prescribed() const {
        const MatrixXd c = fixed_basis();
        return c * (c.transpose() * flat(z));
    }

    // The preconditioner on the reduced unknowns: the inverse of every diagonal block within what is free,
    // and G A_c^-1 G^T of groups of vertices if there is a second level.
    MatrixXd preconditioner(bool second_level) const {
        const MatrixXd f = free_basis();
        MatrixXd inverse = MatrixXd::Zero(f.cols(), f.cols());
        Eigen::Index at = 0;
        for (std::size_t i = 0; i < basis.size(); ++i) {
            const Eigen::Index k = basis[i].cols();
            if (k > 0)
                inverse.block(at, at, k, k) = (basis[i].transpose() * rows.diagonal(i) * basis[i]).inverse();
            at += k;
        }
        if (!second_level) return inverse;
        linalg::CoarseSpace coarse;
        coarse.analyse(rows);
        if (!coarse.factor(rows, freedom)) throw std::runtime_error("a coarse matrix that is not definite");
        for (Eigen::Index c = 0; c < f.cols(); ++c) {
            Points r(basis.size()), s(basis.size(), Vec3::Zero());
            for (std::size_t i = 0; i < r.size(); ++i) r[i] = f.col(c).segment<3>(3 * Eigen::Index(i));
            coarse.add_correction(r, freedom, s);
            inverse.col(c) += f.transpose() * flat(s);
        }
        return inverse;
    }

    // q^T P q
    double weighed(const VectorXd& q, bool second_level = false) const {
        const VectorXd own = free_basis().transpose() * q;
        return own.dot(preconditioner(second_level) * own);
    }

    linalg::BlockMatrix matrix;
    linalg::BlockRows rows;
    std::vector<Mat3> freedom;
    std::vector<MatrixXd> basis, across;  // of each vertex, orthonormal columns
    Points b, z;
};

// Plain conjugate gradients on a dense system from zero, with the same criterion: the residual in the norm of
// the preconditioner against `given`.
inline int plain_iterations(const MatrixXd& a, const VectorXd& b, const MatrixXd& preconditioner,
                            double given, double tolerance) {
    VectorXd x = VectorXd::Zero(b.size()), r = b, s = preconditioner * r, c = s;
    double left = r.dot(s);
    const double enough = tolerance * tolerance * std::max(given, left);
    int iterations = 0;
    while (left > enough && iterations < 10000) {
        const VectorXd q = a * c;
        const double step = left / c.dot(q);
        x += step * c;
        r -= step * q;
        s = preconditioner * r;
        const double before = left;
        left = r.dot(s);
        c = s + left / before * c;
        ++iterations;
    }
    return iterations;
}

}  // namespace taut::testing

// Looks at a force from outside: its values as one vector, its constant matrix as a dense one, and
// the checks every force with an energy must pass.
#pragma once

#include <gtest/gtest.h>

#include "dense_spectrum.hpp"
#include "derivative_check.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::testing {

inline Points points_of(const VectorXd& q) {
    Points x(q.size() / 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = q.segment<3>(3 * static_cast<Eigen::Index>(i));
    return x;
}

inline VectorXd vector_of(const Points& x) {
    VectorXd q(3 * x.size());
    for (std::size_t i = 0; i < x.size(); ++i) q.segment<3>(3 * static_cast<Eigen::Index>(i)) = x[i];
    return q;
}

inline Points force_at(const Force& force, const Points& x, const Points& v) {
    Points f(x.size(), Vec3::Zero());
    force.add_force({x, v, 0}, f);
    return f;
}

inline Points force_at(const Force& force, const Points& x) {
    return force_at(force, x, Points(x.size(), Vec3::Zero()));
}

inline MatrixXd dense_stiffness(const Force& force, int n) {
    std::vector<linalg::Triplet> triplets;
    force.add_stiffness(triplets);
    MatrixXd k = MatrixXd::Zero(n, n);
    for (const linalg::Triplet& t : triplets) k(t.row, t.col) += t.value;
    return k;
}

inline MatrixXd dense_of(const linalg::BlockMatrix& blocks) {
    const Eigen::Index n = blocks.size();
    MatrixXd dense = MatrixXd::Zero(3 * n, 3 * n);
    for (int j = 0; j < blocks.size(); ++j) {
        for (int k = blocks.column_start()[j]; k < blocks.column_start()[j + 1]; ++k) {
            const int i = blocks.rows()[k];
            dense.block<3, 3>(3 * i, 3 * j) = blocks.blocks()[k];
            dense.block<3, 3>(3 * j, 3 * i) = blocks.blocks()[k].transpose();
        }
    }
    return dense;
}

inline linalg::BlockMatrix blocks_for(const Force& force, std::size_t n) {
    std::vector<std::array<int, 2>> pairs;
    force.add_pattern(pairs);
    linalg::BlockMatrix blocks;
    blocks.set_pattern(int(n), pairs);
    return blocks;
}

// The Hessian that a force gives in blocks, 3n x 3n.
inline MatrixXd dense_hessian(const Force& force, const Points& x, const Points& v) {
    linalg::BlockMatrix blocks = blocks_for(force, x.size());
    force.add_hessian({x, v, 0}, 1, blocks);
    return dense_of(blocks);
}

inline MatrixXd dense_hessian(const Force& force, const Points& x) {
    return dense_hessian(force, x, Points(x.size(), Vec3::Zero()));
}

// The same of -df/dv.
inline MatrixXd dense_damping(const Force& force, const Points& x, const Points& v) {
    linalg::BlockMatrix blocks = blocks_for(force, x.size());
    force.add_damping_hessian({x, v, 0}, 1, blocks);
    return dense_of(blocks);
}

// -df/dx by differences, 3n x 3n, and its symmetric part against K (x) I3.
inline double majorant_gap(const Force& force, const Points& x, double step) {
    const auto n = static_cast<Eigen::Index>(x.size());
    const VectorXd q = vector_of(x);
    MatrixXd gap = MatrixXd::Zero(3 * n, 3 * n);
    for (Eigen::Index k = 0; k < 3 * n; ++k) {
        VectorXd plus = q, minus = q;
        plus[k] += step;
        minus[k] -= step;
        gap.col(k) =
            (vector_of(force_at(force, points_of(plus))) - vector_of(force_at(force, points_of(minus)))) /
            (2 * step);
    }
    const MatrixXd scalar = dense_stiffness(force, static_cast<int>(n));
    for (Eigen::Index i = 0; i < n; ++i) {
        for (Eigen::Index j = 0; j < n; ++j) {
            for (int c = 0; c < 3; ++c) gap(3 * i + c, 3 * j + c) += scalar(i, j);
        }
    }
    const MatrixXd symmetric = 0.5 * (gap + gap.transpose());
    return symmetric_eigenvalues(symmetric).front();
}

inline void expect_force_is_minus_gradient(const Force& force, const Points& x, double step,
                                           double tolerance) {
    ASSERT_TRUE(force.has_energy());
    const auto energy = [&](const VectorXd& q) { return force.energy(points_of(q)); };
    const DerivativeError e = gradient_error(energy, vector_of(x), -vector_of(force_at(force, x)), step);
    EXPECT_LE(e.error, tolerance);
    EXPECT_LE(e.estimate, std::sqrt(tolerance));
}

// Sum of forces and of their moments about the origin, over the sum of magnitudes.
inline void expect_internal(const Force& force, const Points& x, double tolerance, bool moments = true) {
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    double scale = 0;
    const Points f = force_at(force, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += f[i];
        moment += x[i].cross(f[i]);
        scale += f[i].norm();
    }
    ASSERT_GT(scale, 0);
    EXPECT_LE(sum.norm() / scale, tolerance);
    if (moments) {
        EXPECT_LE(moment.norm() / scale, tolerance);
    }
}

}  // namespace taut::testing

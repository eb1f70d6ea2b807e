// Eigenvalues of a small dense symmetric matrix by cyclic Jacobi rotations: slow, simple, and
// accurate to rounding, which is what a test of semidefiniteness needs.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

namespace taut::testing {

// Ascending. Meant for a few hundred rows at most.
inline std::vector<double> symmetric_eigenvalues(Eigen::MatrixXd a) {
    const Eigen::Index n = a.rows();
    for (int sweep = 0; sweep < 30; ++sweep) {
        double off = 0, all = 0;
        for (Eigen::Index q = 0; q < n; ++q) {
            for (Eigen::Index p = 0; p < n; ++p) (p == q ? all : off) += a(p, q) * a(p, q);
        }
        if (off <= 1e-30 * all) break;
        for (Eigen::Index p = 0; p < n; ++p) {
            for (Eigen::Index q = p + 1; q < n; ++q) {
                if (a(p, q) == 0) continue;
                // Choose the smaller angle that makes a(p, q) vanish.
                const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(1 + theta * theta));
                const double c = 1 / std::sqrt(1 + t * t), s = t * c;
                for (Eigen::Index k = 0; k < n; ++k) {
                    const double x = a(k, p), y = a(k, q);
                    a(k, p) = c * x - s * y;
                    a(k, q) = s * x + c * y;
                }
                for (Eigen::Index k = 0; k < n; ++k) {
                    const double x = a(p, k), y = a(q, k);
                    a(p, k) = c * x - s * y;
                    a(q, k) = s * x + c * y;
                }
            }
        }
    }
    std::vector<double> values;
    for (Eigen::Index k = 0; k < n; ++k) values.push_back(a(k, k));
    std::sort(values.begin(), values.end());
    return values;
}

}  // namespace taut::testing

#include "taut/linalg/yarn_rows.hpp"

#include <gtest/gtest.h>

#include "linalg/saddle_problems.hpp"

namespace taut::linalg {

// One crooked yarn with bending and tension: P^-1 less (J D^-1 J^T)^-1 is what the theory page writes.
TEST(YarnRows, BendingFollowsTheTurnsOfAYarn) {
    const int n = 9;
    const auto m = std::size_t(n - 1);
    testing::SaddleProblem p("yarn", testing::chain(n), {}, 0);
    p.at(testing::shaken(p.model.rest, 0.05, 6)).weigh(3);
    p.regularization = 0;
    std::vector<Triplet> triplets;
    std::vector<double> bend(m, 0.0);  // between row k - 1 and row k
    for (int k = 1; k + 1 < n; ++k) {
        bend[std::size_t(k)] = 0.1 * k;
        const double stencil[] = {1, -2, 1};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                triplets.push_back({k - 1 + i, k - 1 + j, bend[std::size_t(k)] * stencil[i] * stencil[j]});
            }
        }
    }
    p.stiffness_matrix = SymmetricCsr(n, triplets);
    p.scale = 0.5;
    std::swap(p.rows.vertex[6], p.rows.vertex[7]);  // row 3 the other way round
    std::swap(p.rows.gradient[6], p.rows.gradient[7]);

    YarnRows<double> rows;
    rows.analyse(p.pattern());
    rows.assemble(p.system(0.1), 1);
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(Eigen::Index(m), 3 * n);
    for (std::size_t k = 0; k < 2 * m; ++k) {
        const Vec3 g = p.rows.gradient[k] / std::sqrt(p.diagonal[std::size_t(p.rows.vertex[k])]);
        jacobian.block<1, 3>(Eigen::Index(k / 2), 3 * p.rows.vertex[k]) = g.transpose();
    }
    const Eigen::MatrixXd inverse = testing::dense_solve(jacobian.lazyProduct(jacobian.transpose()),
                                                         Eigen::MatrixXd::Identity(n - 1, n - 1));

    const auto along = [&](std::size_t k) -> Vec3 {  // gradient that follows the yarn
        return p.rows.gradient[p.rows.vertex[2 * k] < p.rows.vertex[2 * k + 1] ? 2 * k + 1 : 2 * k];
    };
    for (std::size_t k = 0; k < m; ++k) {
        std::vector<double> unit(m, 0.0), column(m), packed(rows.size()), answer(rows.size());
        unit[k] = 1;
        rows.gather(unit, 1, packed);
        rows.precondition(packed, answer);
        rows.scatter(answer, 1, column);
        const double g2 = along(k).squaredNorm();
        for (std::size_t l = 0; l < m; ++l) {
            double expected = inverse(Eigen::Index(l), Eigen::Index(k));
            if (l == k) {
                expected += p.weight[k] / g2;
                expected += p.scale * (bend[k] + (k + 1 < m ? bend[k + 1] : 0.0)) / g2;
            } else if (l + 1 == k || k + 1 == l) {
                expected -=
                    p.scale * bend[std::max(k, l)] * along(k).dot(along(l)) / (g2 * along(l).squaredNorm());
            }
            EXPECT_NEAR(column[l], expected, 1e-9 * std::abs(inverse(0, 0))) << k << " " << l;
        }
    }
}

}  // namespace taut::linalg

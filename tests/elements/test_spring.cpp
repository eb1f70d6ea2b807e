// Spring: gradient and Hessian against differences, and the scalar majorant in both regimes.
#include "taut/elements/spring.hpp"

#include <gtest/gtest.h>

#include <random>

#include "dense_spectrum.hpp"
#include "derivative_check.hpp"

namespace taut::elements {
namespace {

using taut::testing::agrees;

TEST(Spring, DerivativesMatchDifferences) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> u(-1, 1);
    for (int trial = 0; trial < 20; ++trial) {
        const Vec3 d = 0.1 * Vec3(u(random), u(random), u(random)) + Vec3(0.05, 0, 0);
        const double k = 7, l = 0.08;
        const auto f = [&](const Eigen::VectorXd& x) { return spring_energy(k, l, Vec3(x)); };
        const auto g = [&](const Eigen::VectorXd& x) {
            return Eigen::VectorXd(spring_gradient(k, l, Vec3(x)));
        };
        EXPECT_TRUE(agrees(taut::testing::gradient_error(f, d, spring_gradient(k, l, d), 1e-4), 1e-6));
        EXPECT_TRUE(agrees(taut::testing::jacobian_error(g, d, spring_hessian_block(k, l, d), 1e-5), 1e-6));
    }
}

TEST(Spring, MajorantBoundsStretchedAndCompressedSprings) {
    for (double stretch : {0.01, 0.5, 0.999, 1.0, 1.5, 100.0}) {
        const Vec3 d = stretch * 0.2 * Vec3(1, 2, -2) / 3;
        const Mat3 gap = spring_majorant(5) * Mat3::Identity() - spring_hessian_block(5, 0.2, d);
        EXPECT_GE(taut::testing::symmetric_eigenvalues(gap).front(), -1e-12) << stretch;
    }
}

// The exact Hessian where the spring pulls, its part along the spring where it pushes.
TEST(Spring, PositiveHessianIsTheExactOneWhereItPulls) {
    for (double stretch : {0.0, 0.01, 0.5, 0.999, 1.0, 1.5, 100.0}) {
        const Vec3 d = stretch * 0.2 * Vec3(1, 2, -2) / 3;
        const Mat3 h = spring_hessian_positive(5, 0.2, d);
        EXPECT_GE(taut::testing::symmetric_eigenvalues(h).front(), -1e-12) << stretch;
        if (stretch >= 1) {
            EXPECT_LT((h - spring_hessian_block(5, 0.2, d)).norm(), 1e-12);
        }
        if (stretch > 0) {
            EXPECT_LT((h * d - 5 * d).norm(), 1e-12);
        }
    }
}

TEST(Spring, CollapsedSpringPushesNowhere) {
    EXPECT_EQ(spring_gradient(5, 0.2, Vec3::Zero()).norm(), 0);
    EXPECT_DOUBLE_EQ(spring_energy(5, 0.2, Vec3::Zero()), 0.1);
}

}  // namespace
}  // namespace taut::elements

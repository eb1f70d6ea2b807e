// Edge length constraint: the three forms against differences, their agreement near rest, and the
// scalar weight against the exact Hessian.
#include "taut/elements/edge_length.hpp"

#include <gtest/gtest.h>

#include <random>

#include "dense_spectrum.hpp"
#include "derivative_check.hpp"

namespace taut::elements {
namespace {

using taut::testing::agrees;
using taut::testing::gradient_error;
using taut::testing::jacobian_error;

class EdgeLength : public ::testing::TestWithParam<EdgeForm> {
protected:
    Vec3 random_edge() {
        std::uniform_real_distribution<double> u(-1, 1);
        Vec3 d;
        do d = Vec3(u(random_), u(random_), u(random_));
        while (d.norm() < 0.1);
        return 0.05 * d;
    }
    std::mt19937 random_{11};
    const double rest_ = 0.04;
};

TEST_P(EdgeLength, VanishesAtRestAndTellsStretchFromCompression) {
    const Vec3 unit = Vec3(1, -2, 3).normalized();
    EXPECT_NEAR(value(GetParam(), rest_ * unit, rest_), 0, 1e-15);
    EXPECT_GT(value(GetParam(), 1.01 * rest_ * unit, rest_), 0);
    EXPECT_LT(value(GetParam(), 0.99 * rest_ * unit, rest_), 0);
}

TEST_P(EdgeLength, GradientAndHessianMatchDifferences) {
    for (int trial = 0; trial < 20; ++trial) {
        const Vec3 d = random_edge();
        const auto f = [&](const Eigen::VectorXd& x) { return value(GetParam(), Vec3(x), rest_); };
        EXPECT_TRUE(agrees(gradient_error(f, d, gradient(GetParam(), d, rest_), 1e-4), 1e-8));
        const auto g = [&](const Eigen::VectorXd& x) {
            return Eigen::VectorXd(gradient(GetParam(), Vec3(x), rest_));
        };
        EXPECT_TRUE(agrees(jacobian_error(g, d, hessian_block(GetParam(), d, rest_), 1e-4), 1e-6));
    }
}

TEST_P(EdgeLength, WeightMajorisesTheHessianForEitherSign) {
    for (double lambda : {-2.0, 0.0, 0.7}) {
        const Vec3 d = random_edge();
        const double w = stiffness_weight(GetParam(), d, rest_, lambda);
        const Mat3 gap = w * Mat3::Identity() - lambda * hessian_block(GetParam(), d, rest_);
        const auto eigenvalues = taut::testing::symmetric_eigenvalues(gap);
        EXPECT_GE(eigenvalues.front(), -1e-12 * (1 + std::abs(w)));
        if (GetParam() != EdgeForm::relative) {
            EXPECT_LE(eigenvalues.back(), 1e-12 * (1 + std::abs(w)));
        }
        // The bound is tight: nothing smaller would do.
        EXPECT_LE(eigenvalues.front(), 1e-12 * (1 + std::abs(w)));
    }
}

TEST_P(EdgeLength, CollapsedEdgeStaysFinite) {
    const Vec3 zero = Vec3::Zero();
    EXPECT_TRUE(std::isfinite(value(GetParam(), zero, rest_)));
    EXPECT_EQ(gradient(GetParam(), zero, rest_).norm(), 0);
    EXPECT_TRUE(std::isfinite(stiffness_weight(GetParam(), zero, rest_, 3.0)));
    EXPECT_TRUE(hessian_block(GetParam(), zero, rest_).allFinite());
}

INSTANTIATE_TEST_SUITE_P(Forms, EdgeLength,
                         ::testing::Values(EdgeForm::goldenthal, EdgeForm::squared, EdgeForm::relative));

TEST(EdgeLengthForms, AgreeToFirstOrderInStrain) {
    const double rest = 0.03, strain = 1e-5;
    const Vec3 d(0, rest * (1 + strain), 0);
    EXPECT_NEAR(value(EdgeForm::goldenthal, d, rest), 2 * rest * strain, 1e-9 * rest);
    EXPECT_NEAR(value(EdgeForm::squared, d, rest), 2 * rest * rest * strain, 1e-9 * rest * rest);
    EXPECT_NEAR(value(EdgeForm::relative, d, rest), strain, 1e-12);
}

}  // namespace
}  // namespace taut::elements

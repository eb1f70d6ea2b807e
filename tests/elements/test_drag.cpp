// Drag on one face: closed forms across and along, dissipation, and the scalar bound on its slope.
#include "taut/elements/drag.hpp"

#include <gtest/gtest.h>

#include <random>

#include "dense_spectrum.hpp"
#include "derivative_check.hpp"

namespace taut::elements {
namespace {

const DragLaw law{0.6, 0.012};

TEST(Drag, PlateAcrossAndAlongTheFlow) {
    const Vec3 area(0, 0, 0.5);
    EXPECT_TRUE(drag_force(law, area, {0, 0, 3}).isApprox(Vec3(0, 0, -0.5 * 0.6 * 9)));
    EXPECT_TRUE(drag_force(law, area, {-2, 0, 0}).isApprox(Vec3(0.5 * 0.012 * 4, 0, 0)));
    EXPECT_TRUE(drag_force(law, area, {1, 2, 3}).isApprox(drag_force(law, -area, {1, 2, 3})));
    EXPECT_EQ(drag_force(law, Vec3::Zero(), {1, 2, 3}).norm(), 0);
    EXPECT_EQ(drag_force(law, area, Vec3::Zero()).norm(), 0);
}

TEST(Drag, QuadAreaVectorIsTheSumOfEitherSplit) {
    const Vec3 a(0, 0, 0), b(1, 0, 0.2), c(1.1, 0.9, 0), d(0, 1, 0.3);
    const Vec3 whole = area_vector(a, b, c, d);
    EXPECT_TRUE(whole.isApprox(area_vector(a, b, c) + area_vector(a, c, d)));
    EXPECT_TRUE(whole.isApprox(area_vector(a, b, d) + area_vector(b, c, d)));
}

TEST(Drag, DissipatesAndItsSlopeIsBounded) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int trial = 0; trial < 200; ++trial) {
        const Vec3 area(uniform(random), uniform(random), uniform(random));
        const Vec3 u = 10 * Vec3(uniform(random), uniform(random), uniform(random));
        EXPECT_LE(drag_force(law, area, u).dot(u), 0);
        const Mat3 slope = drag_jacobian(law, area, u);
        const auto f = [&](const Eigen::VectorXd& x) {
            return Eigen::VectorXd(-drag_force(law, area, Vec3(x)));
        };
        EXPECT_TRUE(taut::testing::agrees(taut::testing::jacobian_error(f, u, slope, 1e-3), 1e-5));
        const Mat3 gap = drag_majorant(law, area, u) * Mat3::Identity() - slope;
        EXPECT_GE(taut::testing::symmetric_eigenvalues(gap).front(), -1e-12);
    }
}

}  // namespace
}  // namespace taut::elements

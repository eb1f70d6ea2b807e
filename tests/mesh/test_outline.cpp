// Convex outlines by support values, and walks along loops, against circles and boxes.
#include "taut/mesh/outline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace taut::mesh::outline_tests {
namespace {

const Loop box{{2, 1}, {-2, 1}, {-2, -1}, {2, -1}, {0.3, 0.2}};

TEST(Outline, SupportOfABox) {
    const Support support = support_of(box, 8);
    const double diagonal = 3 / std::numbers::sqrt2;
    const Support expected{2, diagonal, 1, diagonal, 2, diagonal, 1, diagonal};
    for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(support[k], expected[k], 1e-12);
}

TEST(Outline, CurveContainsThePointsAndIsNoLongerThanItMustBe) {
    const Support support = support_of(box, 120);
    const Loop curve = curve_of(support);
    for (int k = 0; k < 120; ++k) {
        const Vec2 normal = direction_of(k, 120);
        for (const Vec2& p : curve) EXPECT_LE(p.dot(normal), support[static_cast<std::size_t>(k)] + 1e-12);
    }
    EXPECT_NEAR(loop_length(curve), 12, 1e-9);
}

TEST(Outline, OffsetAddsACircle) {
    Support support = support_of(box, 360);
    for (double& value : support) value += 0.5;
    EXPECT_NEAR(loop_length(curve_of(support)), 12 + std::numbers::pi, 1e-3);
}

TEST(Outline, WalkGoesRound) {
    const Loop square{{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    const LoopWalk walk(square);
    EXPECT_DOUBLE_EQ(walk.length(), 8);
    EXPECT_NEAR((walk.point(3) - Vec2(0, 1)).norm(), 0, 1e-12);
    EXPECT_NEAR((walk.point(11) - Vec2(0, 1)).norm(), 0, 1e-12);
    EXPECT_NEAR((walk.point(-1) - Vec2(0, -1)).norm(), 0, 1e-12);
}

TEST(Outline, LengthToARay) {
    const Loop square{{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    EXPECT_NEAR(length_to_ray(square, Vec2::Zero(), {1, 0}), 1, 1e-12);
    EXPECT_NEAR(length_to_ray(square, Vec2::Zero(), {0, -1}), 7, 1e-12);
    EXPECT_NEAR(length_to_ray(square, {0.5, 0}, {0, 1}), 2.5, 1e-12);
}

}  // namespace
}  // namespace taut::mesh::outline_tests

// Nearest point in a few half-spaces: closed forms, optimality on random sets, and infeasible ones.
#include "taut/elements/half_space.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace taut::elements {
namespace {

TEST(HalfSpace, KeepsWhatIsInsideAndDropsOntoOnePlane) {
    const std::vector<HalfSpace> floor{{Vec3::UnitZ(), 0.1}};
    EXPECT_EQ(project_to_half_spaces(floor, {1, 2, 3}).point, Vec3(1, 2, 3));
    const auto result = project_to_half_spaces(floor, {1, 2, -3});
    EXPECT_TRUE(result.point.isApprox(Vec3(1, 2, 0.1)));
    EXPECT_NEAR(result.push[0], 3.1, 1e-14);
}

TEST(HalfSpace, AcuteWedgeIsSolvedAtOnce) {
    // Two planes ten degrees apart: alternating projections would need hundreds of rounds.
    const double half = 5 * M_PI / 180;
    const std::vector<HalfSpace> wedge{{Vec3(std::sin(half), 0, std::cos(half)), 0},
                                       {Vec3(std::sin(half), 0, -std::cos(half)), 0}};
    const auto result = project_to_half_spaces(wedge, {-1, 0.5, 0.01});
    ASSERT_TRUE(result.feasible);
    EXPECT_LT((result.point - Vec3(0, 0.5, 0)).norm(), 1e-12);
}

TEST(HalfSpace, CornerBindsThreePlanes) {
    const std::vector<HalfSpace> corner{{Vec3::UnitX(), 1}, {Vec3::UnitY(), 2}, {Vec3::UnitZ(), 3}};
    const auto result = project_to_half_spaces(corner, Vec3::Zero());
    EXPECT_TRUE(result.point.isApprox(Vec3(1, 2, 3)));
    EXPECT_NEAR(result.push[2], 3, 1e-14);
}

TEST(HalfSpace, RandomSetsSatisfyTheConditionsOfANearestPoint) {
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 500; ++trial) {
        // Make all planes leave room around one common point.
        std::vector<HalfSpace> planes;
        const Vec3 room(normal(random), normal(random), normal(random));
        for (int k = 0; k < 1 + trial % max_half_spaces; ++k) {
            const Vec3 n = Vec3(normal(random), normal(random), normal(random)).normalized();
            planes.push_back({n, n.dot(room) - 0.1 * std::abs(normal(random))});
        }
        const Vec3 p(3 * normal(random), 3 * normal(random), 3 * normal(random));
        const auto result = project_to_half_spaces(planes, p);
        ASSERT_TRUE(result.feasible);
        Vec3 sum = p;
        for (std::size_t k = 0; k < planes.size(); ++k) {
            const double slack = planes[k].normal.dot(result.point) - planes[k].offset;
            EXPECT_GE(slack, -1e-9);
            EXPECT_GE(result.push[k], 0);
            if (result.push[k] > 1e-9) {
                EXPECT_NEAR(slack, 0, 1e-9);
            }
            sum += result.push[k] * planes[k].normal;
        }
        EXPECT_LT((sum - result.point).norm(), 1e-9);
    }
}

TEST(HalfSpace, SaysWhenThereIsNoRoom) {
    const std::vector<HalfSpace> press{{Vec3::UnitZ(), 1}, {-Vec3::UnitZ(), 0}};
    EXPECT_FALSE(project_to_half_spaces(press, Vec3::Zero()).feasible);
}

TEST(Friction, SticksBelowTheLimitAndIsCappedAboveIt) {
    EXPECT_TRUE(friction_change(Vec3::UnitZ(), {0.1, 0, -2}, 0.2).isApprox(Vec3(-0.1, 0, 0)));
    EXPECT_TRUE(friction_change(Vec3::UnitZ(), {3, 4, -2}, 0.5).isApprox(Vec3(-0.3, -0.4, 0)));
    EXPECT_EQ(friction_change(Vec3::UnitZ(), {0, 0, -2}, 0).norm(), 0);
}

}  // namespace
}  // namespace taut::elements

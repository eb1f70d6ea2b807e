// Friction: which coefficient a pair of bodies has.
#include "taut/collision/friction.hpp"

#include <gtest/gtest.h>

#include "collision/touching.hpp"

namespace taut::collision {
namespace {

struct Bodies {
    Bodies() {
        testing::add_cloth(model, "silk", mesh::make_grid(3, 3, 1, 1), Vec3::Zero());
        testing::add_cloth(model, "wool", mesh::make_grid(3, 3, 1, 1), Vec3::UnitZ());
        model.cloths[0].friction = 0.1;
        model.cloths[1].friction = 0.9;
        obstacles = {testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.7), testing::ball(Vec3::Zero(), 1, 0.2),
                     testing::box(Vec3::Zero(), Vec3::Ones(), 0.5)};
        surface = make_surface(model, obstacles, 1e-3);
    }
    Model model;
    std::vector<Obstacle> obstacles;
    Surface surface;
};

TEST(Friction, ObstaclesGiveTheirOwnAndClothsTheirMean) {
    const Bodies b;
    const auto m = friction_matrix(b.surface, {});
    ASSERT_EQ(m.size(), 16u);
    const double expected[4][4] = {
        {0.1, 0.3, 0.2, 0.5}, {0.3, 0.9, 0.2, 0.5}, {0.2, 0.2, 0, 0}, {0.5, 0.5, 0, 0}};
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
            EXPECT_EQ(m[4 * i + j], m[4 * j + i]) << i << ' ' << j;
            if (i >= 2 && j >= 2) continue;
            EXPECT_NEAR(m[4 * i + j], expected[i][j], 1e-15) << i << ' ' << j;
        }
    }
}

TEST(Friction, PairsGivenByNameWinWhicheverComesFirst) {
    const Bodies b;
    const FrictionTable table{{"ball", "silk", 0.01}, {"silk", "wool", 0.02}, {"wool", "wool", 0}};
    const auto m = friction_matrix(b.surface, table);
    EXPECT_EQ(m[0 * 4 + 2], 0.01);
    EXPECT_EQ(m[2 * 4 + 0], 0.01);
    EXPECT_EQ(m[0 * 4 + 1], 0.02);
    EXPECT_EQ(m[1 * 4 + 0], 0.02);
    EXPECT_EQ(m[1 * 4 + 1], 0);
    EXPECT_EQ(m[1 * 4 + 2], 0.2);
    EXPECT_NEAR(m[0], 0.1, 1e-15);
}

TEST(Friction, HalfSpacesFollowTheSameRule) {
    const Bodies b;
    EXPECT_EQ(friction_on(b.surface.bodies[0], b.obstacles[0], {}), 0.7);
    EXPECT_EQ(friction_on(b.surface.bodies[0], b.obstacles[0], {{"plane", "silk", 0.4}}), 0.4);
    EXPECT_EQ(friction_on(b.surface.bodies[1], b.obstacles[0], {{"plane", "silk", 0.4}}), 0.7);
}

}  // namespace
}  // namespace taut::collision

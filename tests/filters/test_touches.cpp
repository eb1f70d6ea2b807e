// Which vertices touch which obstacle, as `contact` and `collision` tell filters that ask for it.
#include <gtest/gtest.h>

#include <set>

#include "filters/collision_probe.hpp"
#include "filters/contact_particles.hpp"

namespace taut::filters::touches_tests {
namespace {

using contact_tests::Particles;
using testing::CollisionProbe;
using Pairs = std::set<std::pair<int, int>>;  // vertex and obstacle

Pairs pairs(const Candidate& c) {
    Pairs result;
    for (const Touch& touch : c.touches) result.emplace(touch.vertex, touch.obstacle);
    return result;
}

// Above a floor, beside a ball, in the corner of floor and wall, and far from all of them.
TEST(Touches, ContactListsEveryObstacleOfEveryVertex) {
    Particles p({testing::plane(Vec3::Zero(), Vec3::UnitZ()), testing::ball(Vec3(5, 0, 1), 0.5),
                 testing::plane(Vec3(-1, 0, 0), Vec3::UnitX())},
                {Vec3(0, 0, 0.01), Vec3(5, 0, 1.6), Vec3(-0.99, 0, 0.01), Vec3(0, 0, 2), Vec3(2, 0, 0.5)});
    p.filter_velocity(0.1, Points(5, Vec3(-1, 0, -2)));
    EXPECT_EQ(pairs(p.candidate), (Pairs{{0, 0}, {1, 1}, {2, 0}, {2, 2}}));

    // On its way up nothing touches any more; the list is of this step.
    p.filter_velocity(0.1, Points(5, Vec3(0, 0, 2)));
    EXPECT_TRUE(p.candidate.touches.empty());
}

TEST(Touches, ContactLeavesPinsOut) {
    Particles p({testing::plane(Vec3::Zero(), Vec3::UnitZ())}, {Vec3(0, 0, 0.01), Vec3(1, 0, 0.01)});
    p.context.pinned[0] = 1;
    p.context.pin_target = p.state.x;
    p.filter_velocity(0.1, Points(2, Vec3(0, 0, -2)));
    EXPECT_EQ(pairs(p.candidate), (Pairs{{1, 0}}));
}

// What rests on a floor touches it in every step.
TEST(Touches, ContactLastsWhileClothRests) {
    Particles p({testing::plane(Vec3::Zero(), Vec3::UnitZ())}, {Vec3(0, 0, 0.3)});
    int touching = 0, last = 0;
    for (int n = 0; n < 120; ++n) {
        p.step(1.0 / 120);
        touching += !p.candidate.touches.empty();
        if (p.candidate.touches.empty()) last = n;
    }
    EXPECT_LT(last, 40);
    EXPECT_EQ(touching, 119 - last);
}

// A sheet of 5 x 5 comes down on a floor and on a block below its first two columns.
TEST(Touches, CollisionKnowsObstaclesWithAndWithoutPoints) {
    const std::vector<collision::Obstacle> obstacles{
        testing::plane(Vec3(0, 0, -5), Vec3::UnitZ()),
        testing::box(Vec3(0, 0.5, -0.5), Vec3(0.3, 2, 0.49)),
        testing::ball(Vec3(1, 0.5, -0.51), 0.5),
    };
    CollisionProbe p(testing::sheet(5, 5), obstacles);
    p.move_by(Vec3(0, 0, -0.05));
    const Pairs found = pairs(p.candidate);
    for (int j = 0; j < 5; ++j) {
        EXPECT_TRUE(found.contains({5 * j, 1})) << j;
        EXPECT_TRUE(found.contains({5 * j + 1, 1})) << j;
    }
    EXPECT_TRUE(found.contains({14, 2}));
    for (const auto& [vertex, obstacle] : found) {
        EXPECT_TRUE(vertex >= 0 && vertex < 25) << vertex;
        EXPECT_NE(obstacle, 0);
        if (obstacle == 1) {
            EXPECT_LE(vertex % 5, 2);
        }
        if (obstacle == 2) {
            EXPECT_GE(vertex % 5, 3);
        }
    }

    // A floor without points, and a step that comes near nothing.
    CollisionProbe floor(testing::sheet(3, 3), {testing::plane(Vec3(0, 0, -0.01), Vec3::UnitZ())});
    floor.move_by(Vec3(0, 0, -0.05));
    Pairs all;
    for (int v = 0; v < 9; ++v) all.emplace(v, 0);
    EXPECT_EQ(pairs(floor.candidate), all);
    CollisionProbe away(testing::sheet(3, 3), {testing::plane(Vec3(0, 0, -0.01), Vec3::UnitZ())});
    away.move_by(Vec3(0, 0, 0.05));
    EXPECT_TRUE(away.candidate.touches.empty());
}

// Cloth on cloth is contact, but no obstacle.
TEST(Touches, OtherClothIsNoObstacle) {
    Model model = testing::sheet(4, 4);
    testing::add_cloth(model, "upper", mesh::make_grid(4, 4, 1, 1), Vec3(0.05, 0.05, 0.02));
    CollisionProbe p(model, {testing::plane(Vec3(0, 0, -3), Vec3::UnitZ())});
    Points end = p.start.x;
    for (std::size_t i = 16; i < 32; ++i) end[i].z() -= 0.05;
    const FilterReport report = p.apply(end);
    EXPECT_GT(report.contacts, 0);
    EXPECT_TRUE(p.candidate.touches.empty());
}

}  // namespace
}  // namespace taut::filters::touches_tests

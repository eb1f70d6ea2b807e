// Cloth that obstacles press on from opposite sides, found among contacts.
#include "taut/filters/pinches.hpp"

#include <gtest/gtest.h>

#include "collision/touching.hpp"

namespace taut::filters {
namespace {

using collision::Obstacle;

struct Pinching : ::testing::Test {
    Pinching() {
        Obstacle low = testing::ball(Vec3(0, 0, -0.1), 0.1), high = testing::ball(Vec3(0, 0, 0.1), 0.1);
        low.name = "low", high.name = "high";
        Obstacle floor = testing::plane(Vec3::Zero(), Vec3::UnitZ());
        floor.name = "floor";
        obstacles = {low, high, floor};
        surface = collision::make_surface(model, obstacles, 1e-3);
    }
    // A ball presses on the face 0-1-5 at its corner 0 with all its weight; order: as the filter makes them.
    ContactRow pressed(int ball, int vertex, const Vec3& direction) const {
        ContactRow row;
        row.point = {surface.cloth_points + ball, vertex, vertex + 1, vertex + 5};
        row.weight = {1, -1, 0, 0};
        row.normal = -direction;
        row.push = 1;
        return row;
    }

    Model model = testing::cloth_at(mesh::make_grid(5, 5, 0.4, 0.4), Vec3(-0.2, -0.2, 0));
    std::vector<Obstacle> obstacles;
    collision::Surface surface;
};

TEST_F(Pinching, OpposedPushesAreOne) {
    const std::vector rows{pressed(0, 6, Vec3::UnitZ()), pressed(1, 6, -Vec3::UnitZ())};
    const Pinches pinches = find_pinches(surface, obstacles, rows);
    EXPECT_EQ(pinches.text, "cloth 'cloth' is pinched between obstacles 'low' and 'high'");
    EXPECT_EQ(pinches.first, 6);
    EXPECT_EQ(pinches.triangles.size(), 6u) << "all around the vertex";
    ASSERT_EQ(pinches.points.size(), 25u);
    EXPECT_TRUE(pinches.points[6] && pinches.points[5] && pinches.points[12]);
    EXPECT_FALSE(pinches.points[24]);
}

TEST_F(Pinching, CornersOfOneFaceAreEnough) {
    const std::vector rows{pressed(0, 6, Vec3::UnitZ()), pressed(1, 7, -Vec3::UnitZ())};
    EXPECT_FALSE(find_pinches(surface, obstacles, rows).triangles.empty());
    const std::vector apart{pressed(0, 0, Vec3::UnitZ()), pressed(1, 18, -Vec3::UnitZ())};
    EXPECT_TRUE(find_pinches(surface, obstacles, apart).triangles.empty());
}

TEST_F(Pinching, PushesThatAgreeOrRestAreNone) {
    EXPECT_TRUE(find_pinches(surface, obstacles, {}).triangles.empty());
    std::vector rows{pressed(0, 6, Vec3::UnitZ()), pressed(1, 6, Vec3::UnitX())};
    EXPECT_TRUE(find_pinches(surface, obstacles, rows).triangles.empty());
    rows[1] = pressed(0, 6, -Vec3::UnitZ());
    EXPECT_TRUE(find_pinches(surface, obstacles, rows).triangles.empty()) << "one obstacle only";
    rows[1] = pressed(1, 6, -Vec3::UnitZ());
    rows[1].push = 0;
    EXPECT_TRUE(find_pinches(surface, obstacles, rows).triangles.empty()) << "no push";
}

TEST_F(Pinching, HalfSpacesPress) {
    ContactRow on_floor;
    on_floor.point = {6, other_point(2), -1, -1};
    on_floor.weight[0] = 1;
    on_floor.push = 1;
    const std::vector rows{on_floor, pressed(1, 6, -Vec3::UnitZ())};
    EXPECT_EQ(find_pinches(surface, obstacles, rows).text,
              "cloth 'cloth' is pinched between obstacles 'high' and 'floor'");
}

}  // namespace
}  // namespace taut::filters

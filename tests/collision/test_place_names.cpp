// Words for places: numbers are those of the cloth or obstacle itself.
#include "taut/collision/place_names.hpp"

#include <gtest/gtest.h>

#include "filters/collision_probe.hpp"
#include "sim/cloths.hpp"

namespace taut::collision {
namespace {

struct NamedSurface {
    Model model;
    Surface surface;

    NamedSurface() {
        model = testing::cloth_at(mesh::make_grid(3, 3, 1, 1), Vec3(0, 0, 1));
        testing::add_cloth(model, "rope", mesh::make_polyline(4, 1), Vec3(0, 0, 2));
        Obstacle ball = testing::ball(Vec3::Zero(), 0.1), box = testing::box(Vec3(3, 0, 0), Vec3(1, 1, 1));
        ball.name = "ball";
        box.name = "box";
        surface = make_surface(model, std::vector{ball, box}, 1e-3);
    }
    int first_of(int body) const {
        for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
            if (surface.body[static_cast<std::size_t>(surface.triangles[t][0])] == body)
                return static_cast<int>(t);
        }
        return -1;
    }
};

TEST(PlaceNames, HalvesOfAQuadHaveItsName) {
    const NamedSurface made;
    for (int t = 0; t < 8; ++t) {
        const std::string name = triangle_name(made.surface, made.model, t);
        EXPECT_EQ(name.substr(0, name.find(" of")), "face " + std::to_string(t / 2));
    }
    EXPECT_EQ(triangle_name(made.surface, made.model, made.first_of(1) + 2), "link 2 of cloth 'rope'");
    EXPECT_EQ(triangle_name(made.surface, made.model, made.first_of(3) + 5), "triangle 5 of obstacle 'box'");
}

TEST(PlaceNames, PairsAreNamedBySide) {
    const NamedSurface made;
    const int box = made.surface.bodies[3].first_point, ball = made.surface.bodies[2].first_point;
    EXPECT_EQ(pair_name(made.surface, PairKind::vertex_face, {10, box, box + 1, box + 2}),
              "vertex 1 of cloth 'rope' and triangle 0-1-2 of obstacle 'box'");
    EXPECT_EQ(pair_name(made.surface, PairKind::edge_edge, {9, 10, box + 1, box + 2}),
              "edge 0-1 of cloth 'rope' and edge 1-2 of obstacle 'box'");
    EXPECT_EQ(pair_name(made.surface, PairKind::vertex_face, {11, ball, ball, ball}),
              "vertex 2 of cloth 'rope' and obstacle 'ball'");
    EXPECT_EQ(place_name(Vec3(0.1, -0.25, 1.00249)), "(0.1, -0.25, 1.002)");
}

}  // namespace
}  // namespace taut::collision

// Building: masses, pins, their start, obstacles, and a simulation that runs.
#include "taut/scene/build.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "scene/scene_text.hpp"
#include "taut/taut.hpp"

namespace taut::scene {
namespace {

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(Build, MassesComeFromDensities) {
    EXPECT_NEAR(
        total(assemble(parse(one_cloth(R"("type": "grid", "width": 2, "material": {"density": 0.3})")))
                  .model.mass),
        0.6, 1e-12);
    EXPECT_NEAR(
        total(assemble(
                  parse(one_cloth(R"("type": "polyline", "length": 3, "material": {"linear_density": 0.5})")))
                  .model.mass),
        1.5, 1e-12);
    const Assembly a = assemble(parse(
        one_cloth(R"("type": "polyline", "vertices": 3, "length": 2, "density_per_vertex": [1, 2, 3])")));
    EXPECT_EQ(a.model.mass, (std::vector<double>{0.5, 2, 1.5}));
}

TEST(Build, PinnedVerticesStartOnTheirPins) {
    const Assembly a = assemble(parse(small_scene().replace(
        small_scene().find("\"pins\""), std::string::npos,
        R"("pins": [{"group": {"indices": [4, 0]}, "at": [[1, 2, 3], [4, 5, 6]], "offset": [0, 0, 1]},
                    {"group": {"indices": 19}, "motion": {"interpolation": "linear",
                     "keyframes": [{"time": 0, "translate": [0, 0, 1]}, {"time": 2, "translate": [0, 0, 5]}]}}]})")));
    EXPECT_EQ(a.start.x[4], Vec3(1, 2, 4));
    EXPECT_EQ(a.start.x[0], Vec3(4, 5, 7));
    EXPECT_NEAR((a.start.x[19] - Vec3(1, 1, 1)).norm(), 0, 1e-12);
    EXPECT_NEAR((a.start.v[19] - Vec3(0, 0, 2)).norm(), 0, 1e-6);
    EXPECT_NEAR((a.model.pins[1].target(0, 1) - Vec3(1, 1, 3)).norm(), 0, 1e-12);
}

TEST(Build, RotationsAreInDegrees) {
    const Assembly a = assemble(parse(R"({"taut": 1, "cloths": [{"type": "grid", "nu": 2, "nv": 2}],
        "pins": [{"group": {"indices": 1}, "motion": {"keyframes": [{"time": 0}, {"time": 1, "rotate": [0, 0, 90]}]}}]})"));
    EXPECT_NEAR((a.model.pins[0].target(0, 1) - Vec3(0, 1, 0)).norm(), 0, 1e-12);
}

TEST(Build, Obstacles) {
    const std::vector<collision::Obstacle> list = make_obstacles(parse(small_scene(
        R"("obstacles": [{"name": "floor", "type": "plane", "normal": [0, 0, 4], "friction": 0.5},
                         {"type": "box", "size": [1, 2, 3], "center": [1, 1, 1]},
                         {"type": "capsule", "start": [0, 0, 1], "end": [0, 1, 1], "radius": 0.2},
                         {"type": "polygon_sphere", "center": [1, 2, 3], "radius": 0.4, "frequency": 6}])")));
    EXPECT_EQ(list[0].name, "floor");
    EXPECT_EQ(list[0].normal, Vec3(0, 0, 1));
    EXPECT_EQ(list[0].friction, 0.5);
    EXPECT_EQ(list[1].name, "obstacle1");
    EXPECT_EQ(list[1].half_size, Vec3(0.5, 1, 1.5));
    EXPECT_EQ(list[2].end, Vec3(0, 1, 1));
    EXPECT_EQ(list[2].friction, 0.3);
    EXPECT_EQ(list[3].shape, collision::Shape::polygon_sphere);
    EXPECT_EQ(list[3].center, Vec3(1, 2, 3));
    EXPECT_EQ(list[3].radius, 0.4);
    EXPECT_EQ(list[3].frequency, 6);
}

TEST(Build, SettingsReachTheSimulation) {
    const auto simulation = build(parse(small_scene(
        R"("run": {"duration": 0.5, "fps": 24, "dt": 0.01, "max_halvings": 3, "rounds": 4, "stop_on_failure": false})")));
    EXPECT_EQ(simulation->settings().duration, 0.5);
    EXPECT_EQ(simulation->settings().fps, 24);
    EXPECT_EQ(simulation->settings().max_halvings, 3);
    EXPECT_FALSE(simulation->settings().stop_on_failure);
    EXPECT_EQ(simulation->pipeline().rounds, 4);
    EXPECT_EQ(simulation->tolerance(), 0.001);
}

TEST(Build, HelloInAFewLines) {
    const auto simulation =
        taut::build(taut::parse_scene(small_scene(R"("run": {"duration": 0.2})"), "hello"));
    EXPECT_EQ(simulation->run({}), RunOutcome::finished);
    EXPECT_TRUE(simulation->certified());
}

}  // namespace
}  // namespace taut::scene

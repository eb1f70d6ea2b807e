// Initial shapes: every one starts unstretched, where it should be.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/scene_text.hpp"
#include "taut/scene/build.hpp"

namespace taut::scene {
namespace {

// Largest |l / l0 - 1| over warp and weft.
double start_strain(const Assembly& a) {
    double worst = 0;
    for (std::size_t e = 0; e < a.model.edges.size(); ++e) {
        const mesh::Edge& edge = a.model.edges[e];
        if (edge.direction == mesh::Direction::none) continue;
        const double length =
            (a.start.x[static_cast<std::size_t>(edge.b)] - a.start.x[static_cast<std::size_t>(edge.a)])
                .norm();
        worst = std::max(worst, std::abs(length / a.model.rest_length[e] - 1));
    }
    return worst;
}

Assembly start(const std::string& cloth) { return assemble(parse(one_cloth(cloth))); }

TEST(InitialShapes, SagAlongU) {
    const Assembly a =
        start(R"("type": "grid", "nu": 21, "nv": 5, "initial": {"type": "sag", "chord": 0.9})");
    EXPECT_LT(start_strain(a), 1e-12);
    EXPECT_NEAR((a.start.x[20] - Vec3(0.9, 0, 0)).norm(), 0, 1e-12);
    EXPECT_NEAR((a.start.x[21 * 4] - Vec3(0, 1, 0)).norm(), 0, 1e-12);
    EXPECT_LT(a.start.x[10].z(), -0.1);
    EXPECT_EQ(a.start.x[10].z(), a.start.x[10 + 21].z());
}

TEST(InitialShapes, SagAlongV) {
    const Assembly a =
        start(R"("type": "grid", "nu": 3, "nv": 11, "initial": {"type": "sag", "chord": 0.95, "axis": "v"})");
    EXPECT_LT(start_strain(a), 1e-12);
    EXPECT_NEAR((a.start.x[3 * 10] - Vec3(0, 0.95, 0)).norm(), 0, 1e-12);
}

TEST(InitialShapes, SagOverTheWholeLengthIsStraight) {
    const Assembly a = start(R"("type": "grid", "nu": 41, "nv": 2, "initial": {"type": "sag", "chord": 1})");
    EXPECT_LT(start_strain(a), 1e-9);
    EXPECT_NEAR(a.start.x[20].z(), 0, 1e-9);
}

TEST(InitialShapes, SagOfAChain) {
    const Assembly a =
        start(R"("type": "polyline", "vertices": 11, "initial": {"type": "sag", "chord": 0.5})");
    EXPECT_LT(start_strain(a), 1e-12);
    EXPECT_NEAR((a.start.x[10] - Vec3(0.5, 0, 0)).norm(), 0, 1e-12);
}

TEST(InitialShapes, LineTurnsAboutY) {
    const Assembly a = start(
        R"("type": "polyline", "vertices": 5, "length": 2, "initial": {"type": "line", "direction": [0, 0, -7], "angle": 30})");
    EXPECT_LT(start_strain(a), 1e-12);
    EXPECT_NEAR((a.start.x[4] - Vec3(-1, 0, -std::sqrt(3))).norm(), 0, 1e-12);
}

TEST(InitialShapes, ModeHasTheRightShape) {
    // The first mode crosses zero only at the top; the second once in between.
    const Assembly first =
        start(R"("type": "polyline", "vertices": 41, "initial": {"type": "mode", "amplitude": 0.01})");
    EXPECT_LT(start_strain(first), 1e-12);
    EXPECT_NEAR(first.start.x[40].x(), 0.01, 1e-12);
    for (std::size_t i = 1; i <= 40; ++i) EXPECT_GT(first.start.x[i].x(), first.start.x[i - 1].x());
    const Assembly second = start(
        R"("type": "polyline", "vertices": 41, "initial": {"type": "mode", "number": 2, "amplitude": 0.01})");
    int changes = 0;
    for (std::size_t i = 2; i <= 40; ++i) {
        if (second.start.x[i].x() * second.start.x[i - 1].x() < 0) ++changes;
    }
    EXPECT_EQ(changes, 1);
}

TEST(InitialShapes, PlaceTurnsThenShifts) {
    const Assembly a =
        start(R"("type": "grid", "nu": 2, "nv": 2, "place": {"rotate": [0, 0, 90], "translate": [0, 0, 3]})");
    EXPECT_NEAR((a.start.x[1] - Vec3(0, 1, 3)).norm(), 0, 1e-12);
    EXPECT_EQ(a.model.rest[1], Vec3(1, 0, 0));
}

TEST(InitialShapes, VelocityAndSpin) {
    const Assembly a =
        start(R"("type": "grid", "nu": 3, "nv": 3, "velocity": [1, 0, 0], "spin": [0, 0, 180])");
    EXPECT_NEAR((a.start.v[4] - Vec3(1, 0, 0)).norm(), 0, 1e-12);
    EXPECT_NEAR((a.start.v[5] - Vec3(1, 0.5 * M_PI, 0)).norm(), 0, 1e-12);
}

}  // namespace
}  // namespace taut::scene

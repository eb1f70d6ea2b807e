// Starts that intersect and obstacles that pinch: what stops, what goes on exempt, what is pulled apart.
#include "taut/filters/untangling.hpp"

#include <gtest/gtest.h>

#include "filters/collision_probe.hpp"

namespace taut::filters {
namespace {

using testing::CollisionRun;

CollisionParams with(const std::string& tangles) {
    CollisionParams params;
    params.tangles = tangles;
    return params;
}

State at_rest(const Model& model) {
    State state;
    state.x = model.rest;
    state.v.assign(model.rest.size(), Vec3::Zero());
    return state;
}

// A sheet with a corner below the lid of a box at height 0.
Model sunk_sheet(double depth) {
    Model model = testing::cloth_at(mesh::make_grid(15, 15, 0.28, 0.28), Vec3(-0.05, -0.04, 0));
    for (Vec3& p : model.rest) p.z() = 0.2 * (p.x() + p.y()) - depth;
    return model;
}

TEST(Untangling, AStartThatIntersectsStops) {
    const Model model = sunk_sheet(0.02);
    CollisionRun run(model, at_rest(model), {testing::box(Vec3(0, 0, -0.1), Vec3(0.3, 0.3, 0.1))});
    ASSERT_GT(run.intersections_now(), 0u);
    EXPECT_FALSE(run.until(0.1));
    EXPECT_NE(run.simulation.failure().find("intersect"), std::string::npos) << run.simulation.failure();
    EXPECT_FALSE(run.simulation.failure_faces().empty());
}

TEST(Untangling, ASheetComesOutOfABoxBeforeTheFirstStep) {
    const Model model = sunk_sheet(0.02);
    CollisionRun run(model, at_rest(model), {testing::box(Vec3(0, 0, -0.1), Vec3(0.3, 0.3, 0.1))}, {},
                     with("untangle"));
    ASSERT_TRUE(run.until(0.5)) << run.simulation.failure();
    EXPECT_NE(run.simulation.start_note().find("untangled"), std::string::npos)
        << run.simulation.start_note();
    EXPECT_EQ(run.simulation.totals().intersections, 0) << "from the first step on";
    EXPECT_EQ(run.intersections_now(), 0u);
    for (const Vec3& p : run.simulation.state().x) EXPECT_GT(p.z(), 0);
}

TEST(Untangling, CrossingSheetsPart) {
    // A corner of the one hangs through the other.
    Model model = testing::cloth_at(mesh::make_grid(13, 13, 0.24, 0.24), Vec3(-0.12, -0.12, 0));
    testing::add_cloth(model, "other", mesh::make_grid(12, 12, 0.2, 0.2), Vec3::Zero());
    for (std::size_t i = 169; i < model.rest.size(); ++i) {
        const Vec3 p = model.rest[i];
        model.rest[i] = Vec3(p.x() - 0.03, p.y() - 0.04, 0.3 * (p.x() + 1.1 * p.y()) - 0.03);
    }
    CollisionRun run(model, at_rest(model), {testing::box(Vec3(0, 0, -0.2), Vec3(0.3, 0.3, 0.1))}, {},
                     with("untangle"));
    ASSERT_GT(run.intersections_now(), 0u);
    ASSERT_TRUE(run.until(0.5)) << run.simulation.failure();
    EXPECT_EQ(run.intersections_now(), 0u) << run.simulation.start_note();
    EXPECT_TRUE(run.simulation.certified());
    // Lower sheet below, upper above.
    double lower = 0, upper = 0;
    for (std::size_t i = 0; i < 169; ++i) lower += run.simulation.state().x[i].z() / 169;
    for (std::size_t i = 169; i < model.rest.size(); ++i)
        upper += run.simulation.state().x[i].z() / double(model.rest.size() - 169);
    EXPECT_GT(upper, lower);
}

TEST(Untangling, ExemptPairsGoOnUntilTheyPart) {
    // Gravity upwards draws the sheet out of the box.
    const Model model = sunk_sheet(0.02);
    CollisionRun run(model, at_rest(model), {testing::box(Vec3(0, 0, -0.1), Vec3(0.3, 0.3, 0.1))}, {},
                     with("exempt"), Vec3(0, 0, 9.81));
    ASSERT_TRUE(run.until(0.4)) << run.simulation.failure();
    EXPECT_GT(run.simulation.totals().intersections, 0);
    EXPECT_EQ(run.simulation.last_report().intersections, 0);
    EXPECT_EQ(run.intersections_now(), 0u);
}

Motion there_and_back(const Vec3& way) {
    return Motion(
        {{0, Vec3::Zero(), Vec3::Zero()}, {0.2, way, Vec3::Zero()}, {0.4, Vec3::Zero(), Vec3::Zero()}},
        Vec3::Zero(), Interpolation::linear);
}

TEST(Untangling, PinchedClothStopsOrGoesOn) {
    // Two boxes close on a sheet until they overlap, and open again.
    for (const std::string tangles : {"stop", "exempt", "untangle"}) {
        const Model model = testing::cloth_at(mesh::make_grid(7, 7, 0.16, 0.16), Vec3(-0.08, -0.08, 0));
        testing::Obstacle upper = testing::box(Vec3(0, 0, 0.04), Vec3(0.04, 0.04, 0.03));
        testing::Obstacle lower = testing::box(Vec3(0, 0, -0.04), Vec3(0.04, 0.04, 0.03));
        lower.name = "lower";
        upper.motion = there_and_back(Vec3(0, 0, -0.012));
        lower.motion = there_and_back(Vec3(0, 0, 0.009));
        CollisionRun run(model, at_rest(model), {upper, lower}, {}, with(tangles), Vec3::Zero());
        const bool went_on = run.until(0.5);
        EXPECT_EQ(went_on, tangles != "stop") << tangles << ' ' << run.simulation.failure();
        if (!went_on) {
            EXPECT_FALSE(run.simulation.failure_faces().empty());
            continue;
        }
        EXPECT_GT(run.simulation.totals().intersections, 0) << tangles;
        if (tangles == "untangle") {
            EXPECT_EQ(run.intersections_now(), 0u);
        }
        EXPECT_TRUE(run.simulation.certified());
    }
}

// Balls or half spaces close on a sheet until they overlap, and open again.
void check_solid_pinch(const std::vector<testing::Obstacle>& solids, const std::string& tangles) {
    const Model model = testing::cloth_at(mesh::make_grid(9, 9, 0.16, 0.16), Vec3(-0.08, -0.08, 0));
    CollisionRun run(model, at_rest(model), solids, {}, with(tangles), Vec3::Zero());
    const bool went_on = run.until(0.5);
    EXPECT_EQ(went_on, tangles != "stop") << tangles << ' ' << run.simulation.failure();
    if (!went_on) {
        const std::string& failure = run.simulation.failure();
        EXPECT_NE(failure.find("pinched between obstacles 'lower' and 'upper'"), std::string::npos)
            << failure;
        EXPECT_FALSE(run.simulation.failure_faces().empty());
        return;
    }
    EXPECT_GT(run.simulation.totals().intersections, 0) << tangles;
    EXPECT_TRUE(run.simulation.certified());
    if (tangles == "untangle") {
        EXPECT_EQ(run.simulation.totals().intersections_end, 0);
    }
}

TEST(Untangling, PinchingBallsAndHalfSpacesStopOrGoOn) {
    testing::Obstacle lower = testing::ball(Vec3(0, 0, -0.06), 0.05), upper = lower;
    upper.center = Vec3(0, 0, 0.06);
    testing::Obstacle floor = testing::plane(Vec3(0, 0, -0.01), Vec3::UnitZ()), lid = floor;
    lid.center = Vec3(0, 0, 0.01), lid.normal = -Vec3::UnitZ();
    for (testing::Obstacle* solid : {&lower, &floor}) {
        solid->name = "lower";
        solid->motion = there_and_back(Vec3(0, 0, 0.012));
    }
    for (testing::Obstacle* solid : {&upper, &lid}) {
        solid->name = "upper";
        solid->motion = there_and_back(Vec3(0, 0, -0.012));
    }
    for (const std::string tangles : {"stop", "exempt", "untangle"}) {
        check_solid_pinch({lower, upper}, tangles);
        check_solid_pinch({floor, lid}, tangles);
    }
}

TEST(Untangling, ClothIsLedOutOfSolids) {
    const Model model = testing::cloth_at(mesh::make_grid(11, 11, 0.2, 0.2), Vec3(-0.1, -0.1, 0.09));
    const std::vector<testing::Obstacle> solids{testing::ball(Vec3::Zero(), 0.1),
                                                testing::plane(Vec3(0, 0, 0.1), Vec3::UnitZ())};
    for (const testing::Obstacle& solid : solids) {
        CollisionRun run(model, at_rest(model), {solid}, {}, with("untangle"));
        ASSERT_TRUE(run.until(0.5)) << run.simulation.failure();
        EXPECT_GT(run.simulation.totals().intersections, 0);
        EXPECT_EQ(run.simulation.totals().intersections_end, 0) << shape_name(solid.shape);
        for (const double d : collision::distances(solid, 0.5, run.simulation.state().x)) EXPECT_GT(d, 0);
    }
}

TEST(Untangling, ExemptClothIsLeftAloneInSolidsUntilItParts) {
    const Model model = testing::cloth_at(mesh::make_grid(11, 11, 0.2, 0.2), Vec3(-0.1, -0.1, 0.09));
    const std::vector<testing::Obstacle> solids{testing::ball(Vec3::Zero(), 0.1),
                                                testing::plane(Vec3(0, 0, 0.1), Vec3::UnitZ())};
    for (const testing::Obstacle& solid : solids) {
        // It falls upwards out of the solid as if there were none.
        CollisionRun run(model, at_rest(model), {solid}, {}, with("exempt"), Vec3(0, 0, 9.81));
        ASSERT_TRUE(run.until(0.2)) << run.simulation.failure();
        EXPECT_GT(run.simulation.totals().intersections, 0);
        EXPECT_EQ(run.simulation.totals().intersections_end, 0) << shape_name(solid.shape);
        EXPECT_NEAR(run.simulation.state().x[60].z(), 0.09 + 0.5 * 9.81 * 0.04, 0.01);
    }
}

TEST(Untangling, AStartInASolidStops) {
    const Model model = testing::cloth_at(mesh::make_grid(11, 11, 0.2, 0.2), Vec3(-0.1, -0.1, 0.09));
    for (const testing::Obstacle& solid :
         {testing::ball(Vec3::Zero(), 0.1), testing::capsule(Vec3(-1, 0, 0), Vec3(1, 0, 0), 0.1)}) {
        CollisionRun run(model, at_rest(model), {solid});
        EXPECT_FALSE(run.until(0.1));
        EXPECT_NE(run.simulation.failure().find("into obstacle"), std::string::npos)
            << run.simulation.failure();
    }
}

TEST(Untangling, MomentumIsKept) {
    Model model = testing::cloth_at(mesh::make_grid(9, 9, 0.2, 0.2), Vec3(-0.1, -0.1, 0));
    testing::add_cloth(model, "other", mesh::make_grid(8, 8, 0.15, 0.15), Vec3::Zero());
    for (std::size_t i = 81; i < model.rest.size(); ++i) {
        const Vec3 p = model.rest[i];
        model.rest[i] = Vec3(p.x() - 0.05, 0.01 + 0.2 * p.y(), p.y() - 0.03);
    }
    const auto surface = collision::make_surface(model, {}, 1e-3);
    collision::Tangles tangles;
    tangles.prepare(surface);
    collision::IntersectionSkips skips;
    tangles.set(collision::find_intersections(model.rest, surface.triangles, skips));
    std::vector<double> inverse_mass;
    for (const double m : model.mass) inverse_mass.push_back(1 / m);
    Untangling untangling;
    untangling.set(surface, tangles, model.rest, 1e-3);
    ASSERT_FALSE(untangling.empty());
    Points x = model.rest;
    untangling.move(model.rest, inverse_mass, x);
    Vec3 moved = Vec3::Zero();
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        moved += model.mass[i] * (x[i] - model.rest[i]);
        most = std::max(most, (x[i] - model.rest[i]).norm());
    }
    EXPECT_GT(most, 1e-4);
    EXPECT_LT(most, 1e-2);
    EXPECT_LT(moved.norm(), 1e-12);
}

}  // namespace
}  // namespace taut::filters

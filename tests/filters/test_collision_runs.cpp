// The filter `collision` in whole simulations of inextensible cloth: layers, folds, needles, fast obstacles,
// presses. After every run nothing intersects, and cloth lies where it should.
#include <gtest/gtest.h>

#include "filters/collision_probe.hpp"
#include "taut/base/parallel.hpp"

namespace taut::filters {
namespace {

using collision::Obstacle;
using testing::CollisionRun;

State thrown(const Model& model, const Vec3& velocity) {
    State state = testing::at_rest(model);
    for (Vec3& v : state.v) v = velocity;
    return state;
}

// Runs, and looks for intersections on the way.
void expect_free(CollisionRun& run, double seconds, const char* name) {
    for (int k = 1; k <= 4; ++k) {
        ASSERT_TRUE(run.until(seconds * k / 4)) << name << ": " << run.simulation.failure();
        EXPECT_EQ(run.intersections_now(), 0u) << name;
        const StepReport& report = run.simulation.last_report();
        EXPECT_TRUE(report.held) << name << ": " << report.note;
        EXPECT_LE(report.max_strain(), 1.001e-3) << name;
    }
}

TEST(CollisionRuns, ThrownSheetsStopAtEverything) {
    const std::vector<Obstacle> obstacles{
        testing::box(Vec3(0, 0, -0.01), Vec3(0.3, 0.3, 1e-3)),
        testing::box(Vec3(0.003, 0.007, -0.2), Vec3(1e-3, 1e-3, 0.2)),
        testing::ball(Vec3(0.01, 0.02, -0.1), 0.05),
        testing::capsule(Vec3(-0.2, 0, -0.02), Vec3(0.2, 0.05, -0.02), 0.01),
        testing::polygon_sphere(Vec3(0, 0, -0.1), 0.08, 2)};
    for (const Obstacle& o : obstacles) {
        for (double speed : {1.0, 10.0, 100.0}) {
            const Model model = testing::cloth_at(mesh::make_grid(8, 8, 0.1, 0.1), Vec3(-0.05, -0.05, 0.05));
            CollisionRun run(model, thrown(model, Vec3(0, 0, -speed)), {o}, {}, {}, Vec3::Zero());
            // Until it would be far behind.
            expect_free(run, std::max(1.0 / 60, 0.2 / speed), o.name.c_str());
        }
    }
}

// Impacts, folds and friction take energy away; neither the rounds nor pairs that open may add any.
TEST(CollisionRuns, EnergyNeverGrows) {
    for (const Obstacle& o : {testing::ball(Vec3(0.01, 0.02, -0.1), 0.08),
                              testing::box(Vec3(0.003, 0.007, -0.1), Vec3(0.08, 0.08, 0.1))}) {
        const Model model = testing::cloth_at(mesh::make_grid(21, 21, 0.4, 0.4), Vec3(-0.2, -0.2, 0.03));
        CollisionRun run(model, testing::at_rest(model), {o});
        expect_free(run, 0.5, o.name.c_str());
        const RunTotals& totals = run.simulation.totals();
        EXPECT_LE(totals.energy_max, totals.energy_start * (1 + 1e-9)) << o.name;
        EXPECT_GT(totals.contacts, 10);
        EXPECT_EQ(totals.intersections, 0);
        EXPECT_LT(totals.distance, 2e-3);
    }
}

// A band that is narrower than the ball slides down until it is tight, and stays: the projection draws it in,
// contacts push it out, and only upwards is there room.
TEST(CollisionRuns, ATightBandHangsOnABall) {
    constexpr double radius = 0.12, band = 0.1;
    const Model model = testing::cloth_at(mesh::make_cone(36, 4, band, band, 0.05), Vec3(0, 0, 0.09));
    const Vec3 center(0.002, 0.001, 0);
    CollisionRun run(model, testing::at_rest(model), {testing::ball(center, radius)});
    expect_free(run, 1, "band");
    // Its lowest ring, however tilted, lies on a circle of the ball as large as itself.
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : ConstPoints(run.simulation.state().x).last(36)) middle += p / 36;
    EXPECT_NEAR((middle - center).norm(), std::sqrt(radius * radius - band * band), 0.005);
    EXPECT_LE(run.simulation.totals().retries, 2);
    // It is at rest; what is loose above it may still swing.
    double speed = 0;
    for (const Vec3& v : ConstPoints(run.simulation.state().v).last(36)) speed = std::max(speed, v.norm());
    EXPECT_LT(speed, 0.1);
}

TEST(CollisionRuns, TheCombinedPassHoldsTheSame) {
    const Obstacle ball = testing::ball(Vec3(0.01, 0.02, -0.1), 0.08);
    const Model model = testing::cloth_at(mesh::make_grid(21, 21, 0.4, 0.4), Vec3(-0.2, -0.2, 0.01));
    StableProjectionParams params;
    params.combined = true;
    CollisionRun run(model, testing::at_rest(model), {ball}, {}, {}, Vec3(0, 0, -9.81), params);
    expect_free(run, 0.3, "combined");
    EXPECT_LE(run.simulation.totals().energy_max, run.simulation.totals().energy_start * (1 + 1e-9));
}

TEST(CollisionRuns, FastObstaclesCarryASheetAlong) {
    for (double speed : {1.0, 10.0, 100.0}) {
        Obstacle plate = testing::box(Vec3(0, 0, -0.05), Vec3(0.3, 0.3, 1e-3));
        plate.motion = testing::steady(Vec3(0, 0, speed));
        const Model model = testing::cloth_at(mesh::make_grid(8, 8, 0.1, 0.1), Vec3(-0.05, -0.05, 0));
        CollisionRun run(model, testing::at_rest(model), {plate}, {}, {}, Vec3::Zero());
        const double seconds = std::max(2.0 / 60, 0.2 / speed);
        expect_free(run, seconds, "plate");
        const double plate_at = speed * run.simulation.state().t - 0.05;
        for (const Vec3& x : run.simulation.state().x) EXPECT_GT(x.z(), plate_at);
        EXPECT_GT(run.mean_velocity().z(), 0.9 * speed);
    }
}

TEST(CollisionRuns, AnImpactOfTwoFreeSheetsKeepsMomentum) {
    Model model = testing::cloth_at(mesh::make_grid(8, 8, 0.1, 0.1), Vec3(-0.05, -0.05, 0.02));
    testing::add_cloth(model, "other", mesh::make_grid(7, 9, 0.12, 0.08), Vec3(-0.06, -0.03, -0.02));
    for (double speed : {1.0, 20.0}) {
        State start = testing::at_rest(model);
        for (std::size_t i = 0; i < start.v.size(); ++i) start.v[i] = Vec3(0.1, 0, i < 64 ? -speed : speed);
        const Vec3 before = testing::momentum(model, start.v);
        CollisionRun run(model, start, {}, {}, {}, Vec3::Zero());
        expect_free(run, std::max(2.0 / 60, 0.1 / speed), "sheets");
        const Vec3 after = testing::momentum(model, run.simulation.state().v);
        EXPECT_LT((after - before).norm(), 1e-9 * speed) << speed;
    }
}

TEST(CollisionRuns, ThreeSheetsStackedOnABox) {
    Model model;
    for (int k = 0; k < 3; ++k) {
        testing::add_cloth(model, "layer " + std::to_string(k), mesh::make_grid(11, 11, 0.2, 0.2),
                           Vec3(-0.1 + 0.003 * k, -0.1 - 0.002 * k, 0.01 + 0.01 * k));
    }
    CollisionRun run(model, testing::at_rest(model), {testing::box(Vec3(0, 0, -0.1), Vec3(0.15, 0.15, 0.1))});
    expect_free(run, 0.4, "layers");
    double level[3] = {};
    const Points& x = run.simulation.state().x;
    for (std::size_t i = 0; i < x.size(); ++i) level[i / 121] += x[i].z() / 121;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(level[k], 1e-3 * (k + 1), 0.6e-3 * (k + 1)) << k;
    EXPECT_LT(level[0], level[1]);
    EXPECT_LT(level[1], level[2]);
    for (const Vec3& v : run.simulation.state().v) EXPECT_LT(v.norm(), 0.2);
}

TEST(CollisionRuns, AFoldedSheetFallsShut) {
    // A sheet half of which lies on the floor and half leans over it.
    mesh::MadeMesh made = mesh::make_grid(8, 21, 0.1, 0.3);
    Model model = testing::model_of(made);
    State start = testing::at_rest(model);
    for (Vec3& x : start.x) {
        x.z() = 1.5e-3;
        if (x.y() > 0.151) {
            const double along = x.y() - 0.15;
            x = Vec3(x.x(), 0.15 + along * std::cos(2.4), 1.5e-3 + along * std::sin(2.4));
        }
    }
    CollisionRun run(model, start, {testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.6)});
    expect_free(run, 0.5, "fold");
    double highest = 0, lowest = 1;
    for (const Vec3& x : run.simulation.state().x) {
        highest = std::max(highest, x.z());
        lowest = std::min(lowest, x.z());
    }
    EXPECT_LT(highest, 0.05) << "it is shut";
    EXPECT_GT(lowest, 0);
    EXPECT_LT(run.simulation.state().x.back().y(), 0.1) << "on itself";
}

TEST(CollisionRuns, ASheetHangsOverANeedle) {
    for (double speed : {0.0, 20.0}) {
        const Model model =
            testing::cloth_at(mesh::make_grid(9, 9, 0.4, 0.4), Vec3(-0.2 + 0.017, -0.2 + 0.021, 0.02));
        CollisionRun run(model, thrown(model, Vec3(0, 0, -speed)),
                         {testing::box(Vec3(0, 0, -0.5), Vec3(5e-4, 5e-4, 0.5), 2)});
        expect_free(run, 0.2, "needle");
        double highest = -1;
        for (const Vec3& x : run.simulation.state().x) highest = std::max(highest, x.z());
        EXPECT_GT(highest, -0.03) << "the tip holds it up";
    }
}

TEST(CollisionRuns, ABoxCornerBetweenVerticesIsRespected) {
    // Coarse cloth over a cube that stands on a corner.
    const Model model = testing::cloth_at(mesh::make_grid(4, 4, 0.6, 0.6), Vec3(-0.3, -0.3, 0.2));
    Obstacle cube = testing::box(Vec3::Zero(), Vec3::Constant(0.1), 0.8);
    const Vec3 axis = Vec3::Ones().normalized().cross(Vec3::UnitZ());
    const double angle = std::acos(1 / std::sqrt(3.0));
    cube.motion = Motion({{0, Vec3::Zero(), angle * axis.normalized()}}, Vec3::Zero(), Interpolation::linear);
    CollisionRun run(model, testing::at_rest(model), {cube});
    expect_free(run, 0.3, "corner");
    double highest = -1;
    for (const Vec3& x : run.simulation.state().x) highest = std::max(highest, x.z());
    EXPECT_GT(highest, 0.1);
}

TEST(CollisionRuns, APressWithoutRoomEndsTheRunWithItsReason) {
    Obstacle above = testing::box(Vec3(0, 0, 0.05), Vec3(0.3, 0.3, 0.01)),
             below = testing::box(Vec3(0, 0, -0.05), Vec3(0.3, 0.3, 0.01));
    above.motion = testing::steady(Vec3(0, 0, -1));
    below.motion = testing::steady(Vec3(0, 0, 1));
    const Model model = testing::cloth_at(mesh::make_grid(6, 6, 0.1, 0.1), Vec3(-0.05, -0.05, 0));
    CollisionRun run(model, testing::at_rest(model), {above, below});
    EXPECT_TRUE(run.until(0.03));
    EXPECT_EQ(run.intersections_now(), 0u);
    EXPECT_FALSE(run.until(0.1));
    EXPECT_NE(run.simulation.failure().find("collision"), std::string::npos) << run.simulation.failure();
    for (const Vec3& x : run.simulation.state().x) EXPECT_TRUE(x.allFinite());
}

TEST(CollisionRuns, PinsInsideAnObstacleAreReported) {
    Model model = testing::cloth_at(mesh::make_grid(6, 6, 0.1, 0.1), Vec3(-0.05, -0.05, 0));
    model.pins.push_back(testing::pin({0, 5}, model.rest));
    CollisionRun run(model, testing::at_rest(model),
                     {testing::box(Vec3(-0.05, 0, 0), Vec3(0.02, 0.3, 0.02))});
    const bool finished = run.until(0.02);
    EXPECT_TRUE(!finished || !run.simulation.last_report().held);
    EXPECT_NE((finished ? run.simulation.last_report().note : run.simulation.failure()).find("collision"),
              std::string::npos);
    for (const Vec3& x : run.simulation.state().x) EXPECT_TRUE(x.allFinite());
}

TEST(CollisionRuns, SameBitsForAnyThreadCount) {
    std::string hash[2];
    for (int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        Model model = testing::cloth_at(mesh::make_grid(30, 30, 0.4, 0.4), Vec3(-0.2, -0.2, 0.105));
        testing::add_cloth(model, "other", mesh::make_grid(20, 20, 0.3, 0.3), Vec3(-0.14, -0.15, 0.115));
        CollisionRun run(model, thrown(model, Vec3(0, 0.2, -1)),
                         {testing::polygon_sphere(Vec3::Zero(), 0.1, 6),
                          testing::plane(Vec3(0, 0, -0.05), Vec3::UnitZ())});
        EXPECT_TRUE(run.until(0.1)) << run.simulation.failure();
        EXPECT_EQ(run.intersections_now(), 0u);
        hash[threads - 1] = run.simulation.state_hash();
    }
    EXPECT_EQ(hash[0], hash[1]);
}

TEST(CollisionRuns, SizeAndPlaceDoNotMatter) {
    for (const auto& [size, place] :
         {std::pair{1e-3, Vec3(0, 0, 0)}, {1.0, Vec3(1000, -1000, 500)}, {100.0, Vec3(0, 0, 0)}}) {
        Model model;
        testing::add_cloth(model, "cloth", mesh::make_grid(9, 9, 0.2, 0.2),
                           place + size * Vec3(-0.1, -0.1, 0.01), size);
        CollisionParams params;
        params.thickness = 1e-3 * size;
        CollisionRun run(model, testing::at_rest(model),
                         {testing::box(place + size * Vec3(0, 0, -0.1), size * Vec3(0.05, 0.04, 0.1))}, {},
                         params, Vec3(0, 0, -9.81 * size));
        expect_free(run, 0.2, "scaled");
    }
}

}  // namespace
}  // namespace taut::filters

// The filter `collision` on single steps: nothing passes through anything at any speed, admissible velocities
// pass to the bit, momentum and pins are kept, trouble is reported, and reports agree with brute force.
#include "taut/filters/collision.hpp"

#include <gtest/gtest.h>

#include "filters/collision_probe.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/elements/triangle_overlap.hpp"

namespace taut::filters {
namespace {

using collision::Obstacle;
using testing::CollisionProbe;

// A small sheet about the z axis at a height.
Model patch(double height, int n = 6) {
    return testing::cloth_at(mesh::make_grid(n, n, 0.1, 0.1), Vec3(-0.05, -0.05, height));
}

std::vector<Obstacle> every_kind() {
    return {testing::box(Vec3::Zero(), Vec3(0.3, 0.3, 5e-4)),
            testing::box(Vec3(0.003, 0.007, -0.2), Vec3(2e-4, 2e-4, 0.2)),
            testing::box(Vec3(0.004, 0, 0), Vec3(2e-4, 0.5, 2e-4)),
            testing::ball(Vec3(0.005, 0.003, 0), 0.01),
            testing::ball(Vec3(0.005, 0.003, 0), 0.2),
            testing::capsule(Vec3(-0.5, 0.01, 0), Vec3(0.5, -0.02, 0), 0.004),
            testing::polygon_sphere(Vec3::Zero(), 0.03, 3),
            testing::mesh_obstacle({Vec3(-1, -1, 0), Vec3(1, -1, 0.1), Vec3(0, 1, 0)}, {{0, 1, 2}}),
            testing::plane(Vec3::Zero(), Vec3(0.1, 0, 1))};
}

// Where the patch is relative to the obstacles: still in front.
double behind(const CollisionProbe& p) {
    double lowest = 1;
    for (const Vec3& x : p.end()) lowest = std::min(lowest, x.z());
    return lowest;
}

TEST(Collision, NoSheetPassesThroughAnything) {
    for (const Obstacle& o : every_kind()) {
        for (double speed : {1.0, 10.0, 100.0}) {
            for (double tilt : {0.0, 0.4}) {
                Model model = patch(0.25);
                for (Vec3& x : model.rest) x.z() += tilt * x.x();
                CollisionProbe p(model, {o});
                p.context.dt = 0.6 / speed;
                const FilterReport report = p.move_by(Vec3(0, 0, -0.6));
                EXPECT_TRUE(report.held) << o.name << ' ' << speed << ' ' << report.note;
                EXPECT_EQ(p.intersections_at_end(), 0u) << o.name << ' ' << speed;
                EXPECT_EQ(p.crossings_on_the_way(), 0) << o.name << ' ' << speed;
                EXPECT_GT(behind(p), -0.4) << o.name << ": somebody was stopped";
            }
        }
    }
}

TEST(Collision, NoObstacleSweepsThroughASheet) {
    for (Obstacle o : every_kind()) {
        if (o.shape == collision::Shape::plane) continue;
        for (double speed : {1.0, 100.0}) {
            // From below, to far above where the sheet was.
            o.motion = testing::steady(Vec3(0, 0, speed));
            CollisionProbe p(patch(0.25), {o});
            p.context.dt = 0.6 / speed;
            const FilterReport report = p.move_by(Vec3::Zero());
            EXPECT_TRUE(report.held) << o.name << ' ' << speed << ' ' << report.note;
            EXPECT_EQ(p.intersections_at_end(), 0u) << o.name;
            EXPECT_EQ(p.crossings_on_the_way(), 0) << o.name;
        }
    }
}

TEST(Collision, ChainsAndSingleLinksAreCaughtToo) {
    for (const Obstacle& o : every_kind()) {
        Model model = testing::chain(3, 0.05);
        for (Vec3& x : model.rest) x = Vec3(x.x() - 0.02, x.x() * 0.1, 0.25);
        CollisionProbe p(model, {o});
        const FilterReport report = p.move_by(Vec3(0, 0, -0.6));
        EXPECT_TRUE(report.held) << o.name << ' ' << report.note;
        EXPECT_EQ(p.crossings_on_the_way(), 0) << o.name;
    }
}

TEST(Collision, TwoSheetsDoNotPassThroughEachOther) {
    for (double speed : {1.0, 10.0, 100.0}) {
        for (double turn : {0.0, 0.3}) {
            Model model = patch(0.1, 7);
            testing::add_cloth(model, "other", mesh::make_grid(6, 8, 0.1, 0.1), Vec3(-0.04, -0.06, -0.1));
            for (std::size_t i = 0; i < 49; ++i) model.rest[i].z() += turn * model.rest[i].y();
            CollisionProbe p(model, {});
            p.context.dt = 0.4 / speed;
            Points end = model.rest;
            for (std::size_t i = 0; i < end.size(); ++i) end[i].z() += i < 49 ? -0.3 : 0.2;
            Vec3 before = Vec3::Zero(), after = Vec3::Zero();
            for (std::size_t i = 0; i < end.size(); ++i) before += model.mass[i] * end[i];
            const FilterReport report = p.apply(end);
            EXPECT_TRUE(report.held) << speed << ' ' << report.note;
            EXPECT_EQ(p.intersections_at_end(), 0u);
            EXPECT_EQ(p.crossings_on_the_way(), 0);
            const Points x = p.end();
            for (std::size_t i = 0; i < end.size(); ++i) after += model.mass[i] * x[i];
            EXPECT_LT((after - before).norm(), 1e-12) << "momentum";
        }
    }
}

TEST(Collision, ASheetIsCaughtByATipBetweenItsVertices) {
    // A needle below the middle of a cell: no vertex of the cloth comes near it.
    for (double speed : {1.0, 30.0}) {
        CollisionProbe p(testing::cloth_at(mesh::make_grid(2, 2, 1, 1), Vec3(-0.4, -0.45, 0.1)),
                         {testing::box(Vec3(0, 0, -1), Vec3(1e-4, 1e-4, 1))});
        p.context.dt = 0.3 / speed;
        const FilterReport report = p.move_by(Vec3(0, 0, -0.3));
        EXPECT_TRUE(report.held) << report.note;
        EXPECT_EQ(p.intersections_at_end(), 0u);
        EXPECT_EQ(p.crossings_on_the_way(), 0);
        double height = 0;
        for (const Vec3& x : p.end()) height += x.z() / 4;
        EXPECT_GT(height, -0.2) << "the tip carried a part of it";
    }
}

// Whatever is asked for: if the filter says that it holds, nothing has crossed.
TEST(Collision, HeldStepsAreFreeOfCrossingsForAnyVelocity) {
    int held = 0, changed = 0;
    for (unsigned seed = 0; seed < 24; ++seed) {
        Model model = patch(0.02);
        testing::add_cloth(model, "other", mesh::make_grid(5, 5, 0.1, 0.1), Vec3(-0.04, -0.05, 0.03));
        testing::add_cloth(model, "chain", mesh::make_polyline(6, 0.1), Vec3(-0.05, 0, 0.025));
        std::vector<Obstacle> solids{testing::box(Vec3(0, 0, -0.02), Vec3(0.03, 0.03, 0.01)),
                                     testing::capsule(Vec3(-0.1, 0, 0.05), Vec3(0.1, 0.02, 0.06), 0.01),
                                     testing::ball(Vec3(0.02, 0.02, 0.0), 0.01)};
        for (Obstacle& o : solids) o.motion = testing::steady(Vec3(0, 0, 1), Vec3(0, 0, 3));
        CollisionProbe p(model, solids, seed % 2 ? std::vector<int>{0, 5} : std::vector<int>{});
        const double amount[] = {0.005, 0.02, 0.1, 1};
        const Points end = testing::shaken(p.start.x, amount[seed % 4], seed);
        const FilterReport report = p.apply(end);
        for (const Vec3& v : p.candidate.v) ASSERT_TRUE(v.allFinite());
        changed += testing::farthest(p.end(), end) > 1e-6;
        if (!report.held) continue;
        ++held;
        EXPECT_EQ(p.crossings_on_the_way(), 0) << seed;
        EXPECT_EQ(p.intersections_at_end(), 0u) << seed;
        EXPECT_GT(p.least_distance(p.end(), p.context.time_end()), 0) << seed;
    }
    EXPECT_EQ(changed, 24);
    EXPECT_GE(held, 12);
}

TEST(Collision, AdmissibleVelocitiesPassToTheBit) {
    for (const Obstacle& o : every_kind()) {
        CollisionProbe p(patch(0.25), {o});
        Points end = testing::shaken(p.start.x, 2e-3, 5);
        for (Vec3& x : end) x.z() += 0.1;
        const FilterReport report = p.apply(end);
        EXPECT_TRUE(report.held);
        EXPECT_EQ(report.iterations, 0);
        for (std::size_t i = 0; i < end.size(); ++i) {
            EXPECT_EQ(p.candidate.v[i], (end[i] - p.start.x[i]) / p.context.dt);
            EXPECT_EQ(p.candidate.impacted[i], 0);
        }
    }
}

TEST(Collision, ClothThatAlmostTouchesIsKeptOutAndPartsAgain) {
    for (double height : {1e-12, 1e-9, 1e-5}) {
        CollisionProbe p(patch(height), {testing::box(Vec3(0.003, 0, -0.1), Vec3(0.15, 0.13, 0.1))});
        EXPECT_TRUE(p.move_by(Vec3(0, 0, -0.01)).held);
        for (const Vec3& x : p.end()) EXPECT_NEAR(x.z(), 0.05e-3 + height, 0.01e-3);
        EXPECT_TRUE(p.move_by(Vec3(0, 0, 0.01)).held);
        for (const Vec3& x : p.end()) EXPECT_NEAR(x.z(), 0.01 + height, 1e-12);
    }
}

TEST(Collision, TwiceIsAlmostOnce) {
    for (const Obstacle& o : every_kind()) {
        CollisionProbe p(patch(0.25), {o});
        p.move_by(Vec3(0.02, 0.01, -0.6));
        const Points once = p.end();
        EXPECT_TRUE(p.again().held) << o.name;
        EXPECT_LT(testing::farthest(p.end(), once), 2e-3) << o.name;
    }
}

TEST(Collision, PinsAreUntouchedAndTheRestIsSaved) {
    CollisionProbe p(patch(0.25), {testing::box(Vec3::Zero(), Vec3(0.3, 0.3, 5e-4))}, {0, 5});
    p.context.pin_target[0] += Vec3(0, 0, 0.01);
    const FilterReport report = p.move_by(Vec3(0, 0, -0.6));
    EXPECT_TRUE(report.held) << report.note;
    EXPECT_LT((p.end()[0] - p.context.pin_target[0]).norm(), 1e-15);
    EXPECT_LT((p.end()[5] - p.context.pin_target[5]).norm(), 1e-15);
    EXPECT_EQ(p.candidate.impacted[0], 0);
    EXPECT_EQ(p.crossings_on_the_way(), 0);
}

TEST(Collision, PinsDrawnThroughAnObstacleAreReported) {
    CollisionProbe p(patch(0.25), {testing::box(Vec3::Zero(), Vec3(0.3, 0.3, 0.1))}, {0, 5, 14});
    for (int pin : {0, 5, 14}) p.context.pin_target[std::size_t(pin)].z() = 0;
    FilterReport report = p.move_by(Vec3::Zero());
    EXPECT_FALSE(report.held);
    EXPECT_FALSE(report.note.empty());
    EXPECT_GT(report.residual, 0);
    for (const Vec3& v : p.candidate.v) EXPECT_TRUE(v.allFinite());
    for (int pin : {0, 5, 14}) EXPECT_LT(std::abs(p.end()[std::size_t(pin)].z()), 1e-15);

    // All of it held and inside: nothing to decide, still finite.
    Model model = patch(0);
    std::vector<int> all;
    for (int i = 0; i < 36; ++i) all.push_back(i);
    CollisionProbe inside(model, {testing::box(Vec3::Zero(), Vec3(0.3, 0.3, 0.1))}, all);
    report = inside.move_by(Vec3::Zero());
    for (const Vec3& v : inside.candidate.v) EXPECT_TRUE(v.allFinite());
}

TEST(Collision, ClosingPlatesWithoutRoomAreReported) {
    Obstacle above = testing::box(Vec3(0, 0, 0.05), Vec3(0.3, 0.3, 0.01)),
             below = testing::box(Vec3(0, 0, -0.05), Vec3(0.3, 0.3, 0.01));
    above.motion = testing::steady(Vec3(0, 0, -10));
    below.motion = testing::steady(Vec3(0, 0, 10));
    CollisionProbe p(patch(0), {above, below});
    // Half of the way there is room.
    p.context.dt = 2e-3;
    FilterReport report = p.move_by(Vec3(0, 0, 0.01));
    EXPECT_TRUE(report.held) << report.note;
    EXPECT_EQ(p.crossings_on_the_way(), 0);
    p.context.dt = 1e-2;
    report = p.move_by(Vec3(0, 0, 0.01));
    EXPECT_FALSE(report.held);
    EXPECT_FALSE(report.note.empty());
    for (const Vec3& v : p.candidate.v) EXPECT_TRUE(v.allFinite());
}

TEST(Collision, NumbersThatAreNoneAreReported) {
    for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        CollisionProbe p(patch(0.25), {testing::ball(Vec3::Zero(), 0.1)});
        Points end = p.start.x;
        end[7].y() = bad;
        FilterReport report;
        EXPECT_NO_THROW(report = p.apply(end));
        EXPECT_FALSE(report.held);
        // And the next step is as good as ever.
        EXPECT_TRUE(p.move_by(Vec3(0, 0, -0.6)).held);
        EXPECT_EQ(p.crossings_on_the_way(), 0);
    }
}

TEST(Collision, SameBitsForAnyThreadCount) {
    Points ends[3];
    int k = 0;
    for (int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        Model model = testing::cloth_at(mesh::make_grid(40, 40, 0.4, 0.4), Vec3(-0.2, -0.2, 0.22));
        testing::add_cloth(model, "other", mesh::make_grid(40, 40, 0.4, 0.4), Vec3(-0.19, -0.2, 0.24));
        CollisionProbe p(model, {testing::polygon_sphere(Vec3::Zero(), 0.2, 16)});
        p.apply(testing::blown(model, 0.05, 3));
        ends[k++] = p.end();
    }
    EXPECT_EQ(ends[0], ends[1]);
    EXPECT_EQ(ends[0], ends[2]);
}

TEST(Collision, ReportsTheLeastDistance) {
    int close = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        Model model = patch(0.003);
        testing::add_cloth(model, "other", mesh::make_grid(4, 4, 0.1, 0.1), Vec3(-0.04, -0.05, 0.006));
        model.rest = testing::shaken(model.rest, 5e-4, seed);
        CollisionProbe p(model, {testing::box(Vec3(0, 0, -0.01), Vec3(0.03, 0.03, 0.01)),
                                 testing::ball(Vec3(0, 0, 0.02), 0.01)});
        const FilterReport report = p.move_by(Vec3(0, 0, -2.5e-3));
        ASSERT_TRUE(report.held) << report.note;
        const double least = p.least_distance(p.end(), p.context.time_end());
        if (least < 2e-3) {
            ++close;
            EXPECT_NEAR(report.distance, least, 1e-12);
        }
        EXPECT_GE(report.distance, least - 1e-12);
        EXPECT_EQ(report.intersections, 0);
    }
    EXPECT_GT(close, 6);
    // Far from everything there is nothing to measure.
    CollisionProbe alone(patch(3), {testing::ball(Vec3::Zero(), 0.1)});
    EXPECT_GT(alone.move_by(Vec3::Zero()).distance, 1e-3);
}

TEST(Collision, ReportsIntersectionsThatWereThereBefore) {
    CollisionProbe p(patch(0), {testing::box(Vec3(0.003, 0.007, 0), Vec3(2e-4, 2e-4, 0.2)),
                                testing::box(Vec3(0.02, 0.0, 0), Vec3(1e-3, 0.015, 0.2))});
    const FilterReport report = p.move_by(Vec3::Zero());
    EXPECT_FALSE(report.held);
    EXPECT_FALSE(report.note.empty());
    // Count them one by one.
    const Points x = p.all(p.end(), 0);
    long expected = 0;
    for (std::size_t a = 0; a < p.surface.triangles.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const auto &s = p.surface.triangles[a], &t = p.surface.triangles[b];
            if (!p.surface.is_cloth(s[0]) && !p.surface.is_cloth(t[0])) continue;
            expected += elements::triangles_overlap(x, s, t);
        }
    }
    EXPECT_GT(expected, 0);
    EXPECT_EQ(report.intersections, expected);
}

TEST(Collision, RefusesObstaclesWithoutSize) {
    EXPECT_THROW(Collision({}, {testing::ball(Vec3::Zero(), 0)}), InputError);
}

TEST(Collision, MeasureAloneLooksAtItsOwnStep) {
    CollisionProbe p(testing::cloth_at(mesh::make_grid(6, 6, 0.1, 0.1), Vec3(-0.05, -0.05, 0.1)),
                     {testing::box(Vec3::Zero(), Vec3(0.2, 0.2, 0.01))});
    EXPECT_TRUE(p.move_by(Vec3::Zero()).held);
    // Another step, from below the plate to where the sheet was before.
    const Points above = p.start.x;
    for (std::size_t i = 0; i < above.size(); ++i) {
        p.start.x[i].z() = -0.1;
        p.candidate.v[i] = (above[i] - p.start.x[i]) / p.context.dt;
    }
    FilterReport report;
    p.filter->measure(p.context, p.candidate, report);
    EXPECT_FALSE(report.held) << "it crossed the plate";
}

}  // namespace
}  // namespace taut::filters

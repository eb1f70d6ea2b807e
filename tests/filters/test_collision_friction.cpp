// Friction of the filter `collision` against closed forms: slopes, cloth on cloth, belts, and coefficients
// given by pairs of names.
#include <gtest/gtest.h>

#include "filters/collision_probe.hpp"

namespace taut::filters {
namespace {

using collision::Obstacle;
using testing::CollisionRun;

constexpr double g = 9.81;
constexpr double height = 1.0001e-3;  // just above what is kept

// Turns about the y axis, downhill along x.
RigidTransform slope(double angle) {
    RigidTransform place;
    place.rotation = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    return place;
}

// A patch that lies on the slope through the origin, at a height above it.
Model lying(double angle, double above, int n = 4) {
    Model model = testing::cloth_at(mesh::make_grid(n, n, 0.1, 0.1), Vec3(-0.05, -0.05, above));
    for (Vec3& x : model.rest) x = slope(angle)(x);
    return model;
}

Obstacle inclined_plane(double angle, double friction) {
    return testing::plane(Vec3::Zero(), slope(angle).rotation * Vec3::UnitZ(), friction);
}

Obstacle inclined_box(double angle, double friction) {
    Obstacle o = testing::box(Vec3(0, 0, -0.1), Vec3(5, 1, 0.1), friction);
    o.motion = Motion({{0, Vec3::Zero(), Vec3(0, angle, 0)}}, Vec3::Zero(), Interpolation::linear);
    return o;
}

void expect_slide(CollisionRun& run, double angle, double friction, const char* name) {
    const Vec3 start = run.center(), down = slope(angle).rotation * Vec3::UnitX();
    const double time = 0.4, pull = g * (std::sin(angle) - friction * std::cos(angle));
    ASSERT_TRUE(run.until(time)) << name << ' ' << run.simulation.failure();
    const double t = run.simulation.state().t, speed = run.mean_velocity().dot(down);
    if (std::tan(angle) < friction) {
        EXPECT_LT((run.center() - start).norm(), 2e-4) << name << ": sticks";
        EXPECT_NEAR(speed, 0, 1e-3) << name;
    } else {
        EXPECT_NEAR(speed, pull * t, 0.03 * g * std::sin(angle) * t) << name << " at " << angle;
        EXPECT_NEAR((run.center() - start).dot(down), 0.5 * pull * t * t, 0.05 * g * std::sin(angle) * t * t)
            << name;
    }
    EXPECT_EQ(run.intersections_now(), 0u) << name;
}

TEST(CollisionFriction, OnAnInclinedPlane) {
    for (double angle : {0.1, 0.35, 0.42, 0.8}) {
        const Model model = lying(angle, height);
        CollisionRun run(model, testing::at_rest(model), {inclined_plane(angle, 0.4)});
        expect_slide(run, angle, 0.4, "plane");
    }
}

TEST(CollisionFriction, OnAnInclinedBox) {
    for (double angle : {0.1, 0.35, 0.42, 0.8}) {
        const Model model = lying(angle, height);
        CollisionRun run(model, testing::at_rest(model), {inclined_box(angle, 0.4)});
        expect_slide(run, angle, 0.4, "box");
    }
}

TEST(CollisionFriction, WithoutFrictionItFallsFreelyAlongTheSlope) {
    const Model model = lying(0.5, height);
    CollisionRun run(model, testing::at_rest(model), {inclined_box(0.5, 0)});
    expect_slide(run, 0.5, 0, "smooth box");
}

// A free patch on a large sheet that is held in all its vertices.
struct Layers {
    Layers(double angle, double upper, double lower) {
        model = lying(angle, height);
        mesh::MadeMesh made = mesh::make_grid(30, 5, 3, 0.5);
        for (Vec3& x : made.rest) x = slope(angle)(x - Vec3(0.5, 0.25, 0));
        testing::add_cloth(model, "below", made, Vec3::Zero());
        model.cloths[0].friction = upper;
        model.cloths[1].friction = lower;
        std::vector<int> held;
        for (int v = 16; v < model.vertex_count(); ++v) held.push_back(v);
        model.pins.push_back(testing::pin(held, model.rest));
    }
    Model model;
};

// Only the upper patch counts.
struct UpperRun : CollisionRun {
    using CollisionRun::CollisionRun;
    Vec3 mean(const Points& of) const {
        Vec3 sum = Vec3::Zero();
        for (std::size_t i = 0; i < 16; ++i) sum += of[i] / 16;
        return sum;
    }
};

TEST(CollisionFriction, BetweenTwoCloths) {
    for (const auto& [angle, upper, lower] :
         {std::tuple{0.2, 0.4, 0.4}, {0.35, 0.2, 0.8}, {0.6, 0.4, 0.4}, {0.6, 0.2, 0.8}, {0.8, 0.1, 0.4}}) {
        const Layers layers(angle, upper, lower);
        UpperRun run(layers.model, testing::at_rest(layers.model), {});
        const Vec3 start = run.mean(run.simulation.state().x);
        ASSERT_TRUE(run.until(0.3)) << run.simulation.failure();
        const double mu = std::sqrt(upper * lower), t = run.simulation.state().t;
        const Vec3 down = slope(angle).rotation * Vec3::UnitX();
        const double speed = run.mean(run.simulation.state().v).dot(down);
        const double pull = std::max(0.0, g * (std::sin(angle) - mu * std::cos(angle)));
        EXPECT_NEAR(speed, pull * t, 0.05 * g * std::sin(angle) * t) << angle << ' ' << mu;
        const double way = (run.mean(run.simulation.state().x) - start).norm();
        EXPECT_TRUE(pull > 0 || way < 5e-4) << angle << " slid by " << way;
        EXPECT_EQ(run.intersections_now(), 0u);
    }
}

TEST(CollisionFriction, PairsGivenByNameWin) {
    const double angle = 0.5;
    const Model model = lying(angle, height);
    const collision::FrictionTable table{{"plane", "cloth", 0.1}, {"cloth", "box", 0.1}};
    for (const Obstacle& o : {inclined_plane(angle, 2), inclined_box(angle, 2)}) {
        CollisionRun run(model, testing::at_rest(model), {o}, table);
        expect_slide(run, angle, 0.1, o.name.c_str());
        CollisionRun own(model, testing::at_rest(model), {o});
        expect_slide(own, angle, 2, o.name.c_str());
    }
    const Layers layers(angle, 2, 2);
    UpperRun run(layers.model, testing::at_rest(layers.model), {}, {{"cloth", "below", 0.1}});
    ASSERT_TRUE(run.until(0.3));
    const double pull = g * (std::sin(angle) - 0.1 * std::cos(angle));
    EXPECT_NEAR(run.mean(run.simulation.state().v).dot(slope(angle).rotation * Vec3::UnitX()),
                pull * run.simulation.state().t, 0.05 * pull * 0.3);
}

TEST(CollisionFriction, ABeltAcceleratesWhatLiesOnIt) {
    const Model model = lying(0, height);
    Obstacle belt = testing::box(Vec3(0, 0, -0.1), Vec3(20, 1, 0.1), 0.2),
             floor = testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.2);
    for (Obstacle* o : {&belt, &floor}) o->motion = testing::steady(Vec3(3, 0, 0));
    for (const Obstacle& o : {belt, floor}) {
        CollisionRun run(model, testing::at_rest(model), {o});
        ASSERT_TRUE(run.until(0.5)) << run.simulation.failure();
        EXPECT_NEAR(run.mean_velocity().x(), 0.2 * g * 0.5, 0.03) << o.name;
        // Until it is as fast as the belt.
        ASSERT_TRUE(run.until(2));
        EXPECT_NEAR(run.mean_velocity().x(), 3, 0.01) << o.name;
        EXPECT_NEAR(run.mean_velocity().z(), 0, 1e-3) << o.name;
    }
}

TEST(CollisionFriction, ARisingPlateCarriesASheet) {
    const Model model = lying(0, height);
    Obstacle plate = testing::box(Vec3(0, 0, -0.1), Vec3(1, 1, 0.1));
    plate.motion = testing::steady(Vec3(0, 0, 1), Vec3::Zero(), Vec3::Zero(), 0.5);
    CollisionRun run(model, testing::at_rest(model), {plate});
    ASSERT_TRUE(run.until(0.4)) << run.simulation.failure();
    EXPECT_NEAR(run.center().z(), run.simulation.state().t + 1e-3, 2e-3);
    EXPECT_EQ(run.intersections_now(), 0u);
}

}  // namespace
}  // namespace taut::filters

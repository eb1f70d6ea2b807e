// Obstacles: signed nearest points against closed forms and brute force, degenerate centres, moving
// frames, and the place where a segment enters.
#include "taut/collision/obstacle.hpp"

#include <gtest/gtest.h>

#include <random>

#include "taut/base/error.hpp"

namespace taut::collision {
namespace {

Obstacle sphere() {
    Obstacle o;
    o.shape = Shape::sphere;
    o.center = Vec3(1, 2, 3);
    o.radius = 0.5;
    return o;
}

Obstacle capsule() {
    Obstacle o;
    o.shape = Shape::capsule;
    o.center = Vec3(0, 0, 0);
    o.end = Vec3(0, 0, 2);
    o.radius = 0.3;
    return o;
}

Obstacle box() {
    Obstacle o;
    o.shape = Shape::box;
    o.center = Vec3(0.5, 0, 0);
    o.half_size = Vec3(1, 0.5, 0.25);
    return o;
}

Obstacle plane() {
    Obstacle o;
    o.normal = Vec3(0, 0.6, 0.8);
    o.center = Vec3(0, 0, 1);
    return o;
}

Obstacle polygon_sphere(int frequency) {
    Obstacle o;
    o.shape = Shape::polygon_sphere;
    o.center = Vec3(0.2, 0.4, 0.6);
    o.radius = 0.8;
    o.frequency = frequency;
    return o;
}

std::vector<Obstacle> all() {
    return {plane(), sphere(), capsule(), box(), polygon_sphere(1), polygon_sphere(4)};
}

RigidTransform somewhere() {
    RigidTransform t;
    t.rotation = Eigen::AngleAxisd(0.9, Vec3(1, -2, 2) / 3).toRotationMatrix();
    t.translation = Vec3(0.3, -0.7, 1.1);
    return t;
}

const RigidTransform rest;

TEST(Obstacle, ClosedForms) {
    EXPECT_NEAR(nearest(sphere(), rest, {1, 2, 5}).distance, 1.5, 1e-14);
    EXPECT_NEAR(nearest(sphere(), rest, {1, 2, 3.1}).distance, -0.4, 1e-14);
    EXPECT_NEAR(nearest(capsule(), rest, {1, 0, 1}).distance, 0.7, 1e-14);
    EXPECT_NEAR(nearest(capsule(), rest, {0, 0, -1}).distance, 0.7, 1e-14);
    EXPECT_NEAR(nearest(capsule(), rest, {0.1, 0, 1}).distance, -0.2, 1e-14);
    EXPECT_NEAR(nearest(plane(), rest, {5, 0, 0}).distance, -0.8, 1e-14);
    const Nearest edge = nearest(box(), rest, {1.5 + 0.3, 0.5 + 0.4, 0});
    EXPECT_NEAR(edge.distance, 0.5, 1e-14);
    EXPECT_TRUE(edge.normal.isApprox(Vec3(0.6, 0.8, 0)));
    EXPECT_TRUE(edge.point.isApprox(Vec3(1.5, 0.5, 0)));
    const Nearest inside = nearest(box(), rest, {0.5, -0.1, 0.2});
    EXPECT_NEAR(inside.distance, -0.05, 1e-14);
    EXPECT_EQ(inside.normal, Vec3::UnitZ());
}

TEST(Obstacle, PointNormalAndDistanceAgreeEverywhere) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> u(-2, 3);
    const RigidTransform place = somewhere();
    for (const Obstacle& o : all()) {
        for (int trial = 0; trial < 2000; ++trial) {
            const Vec3 p(u(random), u(random), u(random));
            const Nearest n = nearest(o, place, p);
            EXPECT_NEAR(n.normal.norm(), 1, 1e-12);
            EXPECT_LT((n.point + n.distance * n.normal - p).norm(), 1e-12) << shape_name(o.shape);
            EXPECT_NEAR(nearest(o, place, n.point).distance, 0, 1e-12);
            // One step out along the normal is that far out; distances are 1-Lipschitz.
            EXPECT_NEAR(nearest(o, place, n.point + 0.1 * n.normal).distance, 0.1, 1e-12);
            const Vec3 q(u(random), u(random), u(random));
            EXPECT_LE(std::abs(nearest(o, place, q).distance - n.distance), (p - q).norm() + 1e-12);
        }
    }
}

TEST(Obstacle, DegenerateCentresHaveAUnitNormal) {
    EXPECT_NEAR(nearest(sphere(), rest, sphere().center).distance, -0.5, 1e-15);
    EXPECT_EQ(nearest(sphere(), rest, sphere().center).normal, Vec3::UnitZ());
    const Nearest axis = nearest(capsule(), rest, {0, 0, 1});
    EXPECT_NEAR(axis.normal.norm(), 1, 1e-15);
    EXPECT_NEAR(axis.normal.z(), 0, 1e-15);
    EXPECT_NEAR(nearest(box(), rest, box().center).distance, -0.25, 1e-15);
    EXPECT_NEAR(nearest(box(), rest, box().center).normal.norm(), 1, 1e-15);
    Obstacle ball = capsule();
    ball.end = ball.center;
    EXPECT_NEAR(nearest(ball, rest, {1, 0, 0}).distance, 0.7, 1e-15);
    EXPECT_NEAR(nearest(ball, rest, {0, 0, 0}).distance, -0.3, 1e-15);
}

TEST(Obstacle, FirstEntryAgreesWithMarching) {
    std::mt19937 random(6);
    std::uniform_real_distribution<double> u(-2.5, 3.5);
    int hits = 0;
    for (const Obstacle& o : all()) {
        for (int trial = 0; trial < 400; ++trial) {
            const Vec3 a(u(random), u(random), u(random)), b(u(random), u(random), u(random));
            if (nearest(o, rest, a).distance <= 0) continue;
            // March in fine steps; skip segments that only graze.
            const int steps = 4000;
            int first = -1;
            double deepest = 1;
            for (int k = 1; k <= steps; ++k) {
                const double d = nearest(o, rest, a + (b - a) * k / steps).distance;
                deepest = std::min(deepest, d);
                if (d < 0 && first < 0) first = k;
            }
            if (std::abs(deepest) < 0.01) continue;
            const auto entry = first_entry(o, a, b);
            ASSERT_EQ(entry.has_value(), first > 0) << shape_name(o.shape);
            if (!entry) continue;
            ++hits;
            EXPECT_NEAR((entry->point - a).norm(), (b - a).norm() * first / steps,
                        1.1 * (b - a).norm() / steps);
            EXPECT_NEAR(nearest(o, rest, entry->point).distance, 0, 1e-12);
            EXPECT_NEAR(entry->normal.norm(), 1, 1e-12);
            EXPECT_LE(entry->normal.dot(b - a), 1e-12);
        }
    }
    EXPECT_GT(hits, 100);
}

TEST(Obstacle, EntryOfAPointInsideIsItsNearestSide) {
    const auto entry = first_entry(box(), {0.5, 0, 0.2}, {0.5, 0, -3});
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->normal, Vec3::UnitZ());
    EXPECT_FALSE(first_entry(box(), {0.5, 0, 0.2 + 1}, {0.5, 0, 3}));
}

TEST(Obstacle, MaxPenetrationSeesTheDeepestUnskippedPointAndNaN) {
    const std::vector<Obstacle> obstacles{sphere(), box()};
    Points x{{5, 5, 5}, {1, 2, 3.3}, {0.5, 0, 0.2}};
    EXPECT_NEAR(max_penetration(obstacles, 0, x), 0.2, 1e-14);
    EXPECT_NEAR(max_penetration(obstacles, 0, x, std::vector<std::uint8_t>{0, 1, 0}), 0.05, 1e-14);
    EXPECT_EQ(max_penetration(obstacles, 0, Points{{5, 5, 5}}), 0);
    EXPECT_EQ(max_penetration({}, 0, x), 0);
    EXPECT_EQ(max_penetration(obstacles, 0, {}), 0);
    x[0].x() = std::nan("");
    EXPECT_TRUE(std::isnan(max_penetration(obstacles, 0, x)));
    for (const Obstacle& o : all()) EXPECT_TRUE(std::isnan(max_penetration(std::vector{o}, 0, x)));
}

TEST(Obstacle, MaxPenetrationFollowsTheMotion) {
    Obstacle o = sphere();
    o.motion = Motion({{0, Vec3::Zero(), Vec3::Zero()}, {1, Vec3(1, 0, 0), Vec3::Zero()}}, Vec3::Zero(),
                      Interpolation::linear);
    const Points x{{2, 2, 3}};
    EXPECT_EQ(max_penetration(std::vector{o}, 0, x), 0);
    EXPECT_NEAR(max_penetration(std::vector{o}, 1, x), 0.5, 1e-14);
}

TEST(Obstacle, ValidationNamesWhatIsWrong) {
    for (const Obstacle& o : all()) EXPECT_NO_THROW(validate(o));
    Obstacle bad = sphere();
    bad.radius = 0;
    EXPECT_THROW(validate(bad), InputError);
    bad.radius = std::nan("");
    EXPECT_THROW(validate(bad), InputError);
    bad = plane();
    bad.normal *= 2;
    EXPECT_THROW(validate(bad), InputError);
    bad = box();
    bad.half_size.y() = -1;
    EXPECT_THROW(validate(bad), InputError);
    bad = capsule();
    bad.friction = -0.1;
    EXPECT_THROW(validate(bad), InputError);
    for (int frequency : {0, -4, 33}) EXPECT_THROW(validate(polygon_sphere(frequency)), InputError);
    EXPECT_NO_THROW(validate(polygon_sphere(32)));
    bad = polygon_sphere(4);
    bad.radius = -1;
    EXPECT_THROW(validate(bad), InputError);
}

}  // namespace
}  // namespace taut::collision

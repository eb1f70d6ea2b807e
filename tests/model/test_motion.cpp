#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "taut/base/error.hpp"
#include "taut/model/motion.hpp"

namespace taut {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<Keyframe> keys() {
    return {{1, {0, 0, 0}, {0, 0, 0}},
            {2, {1, 0, 0}, {0, 0, 1}},
            {4, {1, 2, 0}, {0, 0, 3 * pi}},
            {4.5, {0, 2, 1}, {0, 0, 3 * pi}}};
}

TEST(Motion, AtRestIsTheIdentity) {
    const Motion rest;
    EXPECT_FALSE(rest.moving());
    EXPECT_EQ(rest.at(3)(Vec3(1, 2, 3)), Vec3(1, 2, 3));
    EXPECT_EQ(rest.at(3).inverse(Vec3(1, 2, 3)), Vec3(1, 2, 3));
}

TEST(Motion, OneKeyPlacesWithoutMoving) {
    const Motion placed({{5, {1, 2, 3}, {0, 0, pi / 2}}}, {1, 0, 0}, Interpolation::linear);
    EXPECT_FALSE(placed.moving());
    for (const double t : {0.0, 5.0, 9.0})
        EXPECT_NEAR((placed.at(t)({2, 0, 0}) - Vec3(2, 3, 3)).norm(), 0, 1e-15);
}

TEST(Motion, PassesThroughItsKeysAndRestsOutside) {
    const Vec3 center(0.5, -1, 2), p(0.3, 0.7, -0.2);
    for (const Interpolation kind : {Interpolation::linear, Interpolation::smooth}) {
        const Motion motion(keys(), center, kind);
        EXPECT_TRUE(motion.moving());
        for (const Keyframe& key : keys()) {
            const Eigen::AngleAxisd turn(key.rotate.norm(), Vec3::UnitZ());
            const Vec3 expected = turn * (p - center) + center + key.translate;
            EXPECT_NEAR((motion.at(key.time)(p) - expected).norm(), 0, 1e-14);
        }
        EXPECT_EQ(motion.at(-7)(p), motion.at(1)(p));
        EXPECT_EQ(motion.at(100)(p), motion.at(4.5)(p));
    }
}

TEST(Motion, LinearIsHalfwayHalfway) {
    const Motion motion(keys(), Vec3::Zero(), Interpolation::linear);
    const RigidTransform half = motion.at(1.5);
    EXPECT_NEAR((half(Vec3::Zero()) - Vec3(0.5, 0, 0)).norm(), 0, 1e-15);
    EXPECT_NEAR((half(Vec3::UnitX()) - Vec3(0.5 + std::cos(0.5), std::sin(0.5), 0)).norm(), 0, 1e-15);
}

TEST(Motion, TurnsBeyondHalfATurnMeanWhatTheySay) {
    const Motion motion({{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 0}, {0, 0, 4 * pi}}}, Vec3::Zero(),
                        Interpolation::linear);
    EXPECT_NEAR((motion.at(0.125)(Vec3::UnitX()) - Vec3::UnitY()).norm(), 0, 1e-14);
    EXPECT_NEAR((motion.at(0.25)(Vec3::UnitX()) + Vec3::UnitX()).norm(), 0, 1e-14);
    EXPECT_NEAR((motion.at(0.5)(Vec3::UnitX()) - Vec3::UnitX()).norm(), 0, 1e-14);
}

TEST(Motion, SmoothStartsAndEndsAtRestWithContinuousVelocity) {
    const Motion motion(keys(), Vec3(1, 1, 1), Interpolation::smooth);
    const Vec3 p(0.2, 0.1, 0);
    const double d = 1e-6;
    const auto velocity = [&](double from, double to) {
        return Vec3((motion.at(to)(p) - motion.at(from)(p)) / (to - from));
    };
    EXPECT_NEAR(velocity(1, 1 + d).norm(), 0, 1e-4);
    EXPECT_NEAR(velocity(4.5 - d, 4.5).norm(), 0, 1e-4);
    for (const double t : {2.0, 4.0}) EXPECT_NEAR((velocity(t - d, t) - velocity(t, t + d)).norm(), 0, 1e-3);

    // The tangent at an inner key is the chord over its neighbours.
    const Motion slide({{0, {0, 0, 0}, {0, 0, 0}}, {1, {1, 0, 0}, {0, 0, 0}}, {3, {6, 0, 0}, {0, 0, 0}}},
                       Vec3::Zero(), Interpolation::smooth);
    EXPECT_NEAR((slide.at(1 + d)(Vec3::Zero()).x() - slide.at(1 - d)(Vec3::Zero()).x()) / (2 * d), 2, 1e-5);
}

TEST(Motion, SmoothFollowsTheUnitStepBetweenTwoKeys) {
    const Motion motion({{0, {0, 0, 0}, {0, 0, 0}}, {2, {0, 0, 1}, {0, 0, 0}}}, Vec3::Zero(),
                        Interpolation::smooth);
    for (const double s : {0.1, 0.25, 0.5, 0.9})
        EXPECT_NEAR(motion.at(2 * s)(Vec3::Zero()).z(), s * s * (3 - 2 * s), 1e-15);
}

TEST(Motion, TransformsInvertAndKeepLengths) {
    const Motion motion({{0, {0, 0, 0}, {0.3, -2, 0.7}}, {1, {1, 2, 3}, {4, 1, -9}}}, Vec3(3, 2, 1),
                        Interpolation::smooth);
    for (const double t : {0.0, 0.2, 0.77, 1.0}) {
        const RigidTransform place = motion.at(t);
        const Vec3 p(0.1, -0.4, 2);
        EXPECT_NEAR((place.inverse(place(p)) - p).norm(), 0, 1e-14);
        EXPECT_NEAR((place.rotation.transpose() * place.rotation - Mat3::Identity()).norm(), 0, 1e-14);
    }
}

TEST(Motion, RefusesKeysOutOfOrderOrNotFinite) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto make = [](std::vector<Keyframe> k, Vec3 center) {
        return Motion(std::move(k), center, Interpolation::linear);
    };
    const Keyframe zero;
    Keyframe late, bad;
    late.time = 1;
    bad.time = 2;
    bad.rotate.y() = nan;
    EXPECT_THROW(make({}, Vec3::Zero()), InputError);
    EXPECT_THROW(make({late, zero}, Vec3::Zero()), InputError);
    EXPECT_THROW(make({zero, zero}, Vec3::Zero()), InputError);
    EXPECT_THROW(make({zero, bad}, Vec3::Zero()), InputError);
    EXPECT_THROW(make({zero}, Vec3(nan, 0, 0)), InputError);
    bad = zero;
    bad.time = nan;
    EXPECT_THROW(make({zero, bad}, Vec3::Zero()), InputError);
}

}  // namespace
}  // namespace taut

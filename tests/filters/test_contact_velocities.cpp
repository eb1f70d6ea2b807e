// Velocities after contact: what approaches stops, what parts goes on, friction is Coulomb's; against
// obstacles at rest energy never grows, among cloths momentum is kept; lengths beside contacts do not change.
#include "taut/filters/contact_velocities.hpp"

#include <gtest/gtest.h>

#include "sim/cloths.hpp"

namespace taut::filters {
namespace {

// A vertex on the ground, pushed.
ContactRow on_ground(int p, double friction = 0) {
    ContactRow row;
    row.point[0] = p;
    row.weight[0] = 1;
    row.friction = friction;
    row.push = 1;
    return row;
}

// Random contacts of vertices with faces.
std::vector<ContactRow> faces_met(std::size_t count, int points, unsigned seed) {
    const Points normals = testing::random_points(count, 1, seed);
    const std::vector<double> share = testing::random_numbers(count, 0, 1, seed + 1);
    std::vector<ContactRow> rows;
    for (std::size_t k = 0; k < count; ++k) {
        ContactRow row;
        for (int i = 0; i < 4; ++i) {
            row.point[std::size_t(i)] = (int(k) * 3 + i * 5) % points;
        }
        row.weight = {1, -0.5 * share[k], -0.5 * share[k], share[k] - 1};
        row.normal = normals[k].normalized();
        row.friction = 0.4;
        row.push = 1;
        rows.push_back(row);
    }
    return rows;
}

double kinetic(const Points& v, const std::vector<double>& inverse_mass) {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        if (inverse_mass[i] > 0) sum += 0.5 * v[i].squaredNorm() / inverse_mass[i];
    }
    return sum;
}

TEST(ContactVelocities, WhatApproachesStopsAndSlidesByCoulomb) {
    const std::vector<std::uint8_t> faces(1, 1);
    const std::vector<double> inverse_mass{2};
    for (const auto& [before, friction, after] : {std::tuple{Vec3(3, 0, -2), 0.0, Vec3(3, 0, 0)},
                                                  {Vec3(3, 0, -2), 0.5, Vec3(2, 0, 0)},
                                                  {Vec3(0.5, 0.5, -2), 0.5, Vec3(0, 0, 0)},
                                                  {Vec3(3, 1, 2), 0.5, Vec3(3, 1, 2)}}) {
        ContactVelocities velocities;
        const ContactRow row = on_ground(0, friction);
        velocities.keep({&row, 1}, faces);
        Points v{before};
        EXPECT_EQ(velocities.settle(0.01, inverse_mass, 1e-9, 100, v), before.z() < 0);
        EXPECT_LT((v[0] - after).norm(), 1e-9) << before.transpose();
    }
}

TEST(ContactVelocities, AVertexInACornerIsStoppedByBothPlanes) {
    ContactRow ground = on_ground(0), wall = on_ground(0);
    ground.point[1] = other_point(0);
    wall.point[1] = other_point(1);
    wall.normal = Vec3::UnitX();
    ContactVelocities velocities;
    velocities.keep(std::vector{ground, wall}, {});
    EXPECT_EQ(velocities.count(), 2);
    Points v{Vec3(-1, 2, -3)};
    velocities.settle(0.01, std::vector{1.0}, 1e-9, 100, v);
    EXPECT_LT((v[0] - Vec3(0, 2, 0)).norm(), 1e-9);
}

TEST(ContactVelocities, AMovingGroundCarriesAlong) {
    const std::vector<std::uint8_t> faces(1, 1);
    ContactRow row = on_ground(0, 10);
    row.carried = Vec3(0.02, 0, 0.01);  // in a step of 0.01 s
    ContactVelocities velocities;
    velocities.keep({&row, 1}, faces);
    Points v{Vec3::Zero()};
    velocities.settle(0.01, std::vector<double>{1}, 1e-9, 100, v);
    EXPECT_LT((v[0] - Vec3(2, 0, 1)).norm(), 1e-7);
}

TEST(ContactVelocities, EnergyNeverGrowsAgainstObstaclesAtRest) {
    const int points = 24;
    const std::vector<std::uint8_t> faces(points, 1);
    for (unsigned seed = 1; seed < 20; ++seed) {
        std::vector<double> inverse_mass = testing::random_numbers(points, 0.5, 2, seed);
        Points v = testing::random_points(points, 1, seed + 100);
        for (std::size_t i = 16; i < points; ++i) {
            inverse_mass[i] = 0;
            v[i].setZero();
        }
        ContactVelocities velocities;
        velocities.keep(faces_met(30, points, seed + 200), faces);
        const double before = kinetic(v, inverse_mass);
        velocities.settle(0.01, inverse_mass, 1e-12, 2000, v);
        EXPECT_LE(kinetic(v, inverse_mass), before);
        for (const ContactRow& row : velocities.rows()) {
            double rate = 0, free = 0;
            for (std::size_t k = 0; k < 4; ++k) {
                const auto p = std::size_t(row.point[k]);
                rate += row.weight[k] * row.normal.dot(v[p]);
                free += inverse_mass[p] * std::abs(row.weight[k]);
            }
            EXPECT_GE(rate, free > 0 ? -1e-6 : -10) << "a pair still approaches";
        }
    }
}

TEST(ContactVelocities, MomentumStaysAmongCloths) {
    const int points = 20;
    const std::vector<std::uint8_t> faces(points, 1);
    const std::vector<double> inverse_mass = testing::random_numbers(points, 0.5, 2, 3);
    Points v = testing::random_points(points, 1, 4);
    const auto momentum = [&] {
        Vec3 sum = Vec3::Zero();
        for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] / inverse_mass[i];
        return sum;
    };
    ContactVelocities velocities;
    velocities.keep(faces_met(25, points, 5), faces);
    const Vec3 before = momentum();
    EXPECT_TRUE(velocities.settle(0.01, inverse_mass, 1e-6, 100, v));
    EXPECT_LT((momentum() - before).norm(), 1e-12);
}

// One end of a level rod hits the ground: both ends stop along the rod's own direction, the other falls on.
TEST(ContactVelocities, LengthsDoNotChangeByContacts) {
    const std::vector<std::uint8_t> faces(2, 0);
    const std::vector<double> inverse_mass{1, 1};
    for (const Vec3& along : {Vec3(1, 0, 0), Vec3(0.6, 0, 0.8), Vec3(0, 0, 1)}) {
        const Points x{Vec3::Zero(), along};
        const LengthBand rod{0, 1, 0.9, 1.1};
        const ContactRow row = on_ground(0);
        ContactVelocities velocities;
        velocities.keep({&row, 1}, faces);
        velocities.set_edges({&rod, 1}, x, inverse_mass);
        Points v(2, Vec3(0, 0, -1));
        velocities.settle(0.01, inverse_mass, 1e-12, 10000, v);
        EXPECT_NEAR(v[0].z(), 0, 1e-9);
        EXPECT_NEAR(along.dot(v[1] - v[0]), 0, 1e-6) << along.transpose();
    }
}

// Another filter turns the velocity round between two calls: the second takes the first one's push back.
TEST(ContactVelocities, PushesAddUpInAStepAndAreTakenBack) {
    const std::vector<std::uint8_t> faces(1, 1);
    const std::vector<double> inverse_mass{2};
    const ContactRow row = on_ground(0);
    ContactVelocities velocities;
    velocities.keep({&row, 1}, faces);
    EXPECT_FALSE(velocities.started());
    Points v{Vec3(0, 0, -2)};
    EXPECT_TRUE(velocities.settle(0.01, inverse_mass, 1e-9, 100, v));
    EXPECT_TRUE(velocities.started());
    EXPECT_NEAR(v[0].z(), 0, 1e-12);
    v[0].z() = 1.5;
    velocities.settle(0.01, inverse_mass, 1e-9, 100, v);
    EXPECT_NEAR(v[0].z(), 0, 1e-12) << "what is left of the push";
    v[0].z() = 1.5;
    velocities.settle(0.01, inverse_mass, 1e-9, 100, v);
    EXPECT_NEAR(v[0].z(), 1, 1e-12) << "it never pulls";
}

TEST(ContactVelocities, PairsThatPushedAreRemembered) {
    const std::vector<std::uint8_t> faces(8, 1);
    const std::vector<double> inverse_mass(8, 1.0);
    const std::vector<ContactRow> rows = faces_met(2, 8, 7);
    ContactVelocities velocities;
    velocities.keep(rows, faces);
    Points v = testing::random_points(8, 1, 3);
    velocities.settle(0.01, inverse_mass, 1e-9, 100, v);
    EXPECT_TRUE(velocities.missing(8).empty()) << "still kept";
    const std::size_t pushed = velocities.memory().size() / 5;
    EXPECT_GT(pushed, 0u);
    velocities.clear();
    EXPECT_EQ(velocities.missing(8).size(), pushed);
    // A memory from elsewhere does no harm.
    velocities.memory() = {0, 1, 2, 99, 0, std::nan(""), 1, 2, 3, 0, -1, 1, 2, 3, 0, 1, 2};
    EXPECT_TRUE(velocities.missing(8).empty());
    velocities.forget();
    EXPECT_TRUE(velocities.missing(8).empty());
}

TEST(ContactVelocities, EdgesThatMeetAtAnEndAreLeftToVerticesAndFaces) {
    ContactRow row;
    row.point = {0, 1, 2, 3};
    row.push = 1;
    for (const auto& [weight, faces, kept] : {std::tuple{std::array{0.4, 0.6, -0.5, -0.5}, 1, 1},
                                              {std::array{0.0, 1.0, -0.5, -0.5}, 1, 0},
                                              {std::array{0.0, 1.0, -0.5, -0.5}, 0, 1},
                                              {std::array{1.0, -1.0, 0.0, 0.0}, 1, 1}}) {
        row.weight = weight;
        ContactVelocities velocities;
        velocities.keep({&row, 1}, std::vector<std::uint8_t>(4, std::uint8_t(faces)));
        EXPECT_EQ(velocities.count(), kept);
        velocities.keep({&row, 1}, std::vector<std::uint8_t>(4, std::uint8_t(faces)));
        EXPECT_EQ(velocities.count(), kept) << "a pair that comes again counts once";
    }
}

}  // namespace
}  // namespace taut::filters

// Impact zones: each moves as one body, keeps momentum and angular momentum, lets nothing within it come
// closer on the way, and follows what it cannot move.
#include "taut/filters/impact_zones.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "sim/cloths.hpp"

namespace taut::filters {
namespace {

struct Zones {
    explicit Zones(int points, unsigned seed = 1)
        : start(testing::random_points(std::size_t(points), 1, seed)),
          wanted(testing::shaken(start, 0.05, seed + 1)),
          inverse_mass(testing::random_numbers(std::size_t(points), 0.3, 3, seed + 2)) {
        zones.prepare(points);
    }
    void move() {
        x = wanted;
        zones.move(start, inverse_mass, x);
    }
    // Momentum and angular momentum of the ways from the start, of some points.
    std::array<Vec3, 2> momenta(const Points& end, int first, int last) const {
        std::array<Vec3, 2> sum{Vec3::Zero(), Vec3::Zero()};
        for (auto p = std::size_t(first); p < std::size_t(last); ++p) {
            const Vec3 q = (end[p] - start[p]) / inverse_mass[p];
            sum[0] += q;
            sum[1] += start[p].cross(q);
        }
        return sum;
    }
    // Least growth of any distance on the way to x, of some points: 0 where none shrinks.
    double least_growth(int first, int last) const {
        double least = 1e300;
        for (auto p = std::size_t(first); p < std::size_t(last); ++p) {
            for (auto q = std::size_t(first); q < p; ++q) {
                const double before = (start[p] - start[q]).norm();
                for (int t = 1; t <= 10; ++t) {
                    const Vec3 d = (1 - 0.1 * t) * (start[p] - start[q]) + 0.1 * t * (x[p] - x[q]);
                    least = std::min(least, d.norm() - before);
                }
            }
        }
        return least;
    }
    Points start, wanted, x;
    std::vector<double> inverse_mass;
    ImpactZones zones;
};

TEST(ImpactZones, AFreeZoneMovesRigidlyWithItsMomenta) {
    for (unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
        Zones z(8, 10 * seed);
        z.zones.join({0, 1, 2, 3});
        z.zones.join({3, 4, 5, 0});
        z.move();
        const auto before = z.momenta(z.wanted, 0, 6), after = z.momenta(z.x, 0, 6);
        EXPECT_LT((before[0] - after[0]).norm(), 1e-12);
        EXPECT_LT((before[1] - after[1]).norm(), 1e-12);
        EXPECT_GT(z.least_growth(0, 6), -1e-14);
        for (std::size_t p : {6u, 7u}) EXPECT_EQ(z.x[p], z.wanted[p]) << "belongs to no zone";
        // Lengths grow with the square of the turn only.
        for (std::size_t p = 0; p < 6; ++p) {
            for (std::size_t q = 0; q < p; ++q) {
                const double length = (z.start[p] - z.start[q]).norm();
                EXPECT_NEAR((z.x[p] - z.x[q]).norm(), length, 0.006 * length);
            }
        }
    }
}

TEST(ImpactZones, ARigidMotionPasses) {
    Zones z(4);
    const Vec3 turn(0.01, -0.02, 0.03), shift(1, 2, 3);
    for (std::size_t p = 0; p < 4; ++p) z.wanted[p] = z.start[p] + shift + turn.cross(z.start[p]);
    z.zones.join({0, 1, 2, 3});
    z.move();
    for (std::size_t p = 0; p < 4; ++p) EXPECT_LT((z.x[p] - z.wanted[p]).norm(), 1e-12);
}

TEST(ImpactZones, ALargeTurnIsLeftOut) {
    Zones z(4);
    for (std::size_t p = 0; p < 4; ++p) z.wanted[p] = z.start[p] + Vec3(0, 0, 2).cross(z.start[p]);
    z.zones.join({0, 1, 2, 3});
    z.move();
    for (std::size_t p = 1; p < 4; ++p)
        EXPECT_LT(((z.x[p] - z.start[p]) - (z.x[0] - z.start[0])).norm(), 1e-12);
    EXPECT_LT((z.momenta(z.wanted, 0, 4)[0] - z.momenta(z.x, 0, 4)[0]).norm(), 1e-12);
}

TEST(ImpactZones, ZonesThatDoNotMeetMoveApart) {
    Zones z(8);
    z.zones.join({0, 1, 2, 3});
    z.zones.join({4, 5, 6, 7});
    z.move();
    for (int first : {0, 4}) {
        const auto before = z.momenta(z.wanted, first, first + 4), after = z.momenta(z.x, first, first + 4);
        EXPECT_LT((before[0] - after[0]).norm(), 1e-12);
        EXPECT_LT((before[1] - after[1]).norm(), 1e-12);
        EXPECT_GT(z.least_growth(first, first + 4), -1e-14);
    }
    const Points apart = z.x;
    // Once a pair joins them, one motion carries both.
    z.zones.join({3, 3, 4, 4});
    z.move();
    EXPECT_GT(z.least_growth(0, 8), -1e-14);
    const auto before = z.momenta(z.wanted, 0, 8), after = z.momenta(z.x, 0, 8);
    EXPECT_LT((before[0] - after[0]).norm(), 1e-12);
    EXPECT_NE(z.x, apart);
}

TEST(ImpactZones, TheOrderOfPairsDoesNotMatter) {
    std::vector<collision::PairPoints> pairs{
        {0, 1, 2, 3}, {9, 8, 7, 6}, {3, 4, 5, 5}, {5, 6, 1, 0}, {10, 11, 12, 13}};
    Points first;
    for (int k = 0; k < 5; ++k) {
        Zones z(14);
        for (const auto& q : pairs) z.zones.join(q);
        z.move();
        if (first.empty()) first = z.x;
        EXPECT_EQ(z.x, first);
        std::rotate(pairs.begin(), pairs.begin() + 1, pairs.end());
    }
}

TEST(ImpactZones, HeldPointsLeadTheirZone) {
    // One that is held gives the shift, three give the turn as well.
    Zones one(4);
    one.inverse_mass[2] = 0;
    one.wanted[2] = one.start[2] + Vec3(0.3, 0, -0.1);
    one.zones.join({0, 1, 2, 3});
    one.move();
    for (std::size_t p = 0; p < 4; ++p)
        EXPECT_LT((one.x[p] - one.start[p] - Vec3(0.3, 0, -0.1)).norm(), 1e-12);

    Zones three(5);
    const Vec3 turn(0.05, 0.02, -0.03), shift(0.2, 0.1, 0);
    for (std::size_t p : {0u, 1u, 2u}) {
        three.inverse_mass[p] = 0;
        three.wanted[p] = three.start[p] + shift + turn.cross(three.start[p]);
    }
    three.zones.join({3, 0, 1, 2});
    three.zones.join({4, 0, 1, 2});
    three.move();
    for (std::size_t p = 0; p < 5; ++p) {
        EXPECT_LT((three.x[p] - three.start[p] - shift - turn.cross(three.start[p])).norm(), 1e-12);
    }
    for (std::size_t p : {0u, 1u, 2u}) EXPECT_EQ(three.x[p], three.wanted[p]) << "held to the bit";
    EXPECT_GT(three.least_growth(0, 5), -1e-14);
}

TEST(ImpactZones, WhatIsHeldStaysWhereItIsPut) {
    // Held points that part cannot be followed by one body; they are not moved for that.
    Zones z(4);
    z.inverse_mass[0] = z.inverse_mass[1] = 0;
    z.wanted[0] += Vec3(1, 0, 0);
    z.wanted[1] -= Vec3(1, 0, 0);
    z.zones.join({0, 1, 2, 3});
    z.move();
    EXPECT_EQ(z.x[0], z.wanted[0]);
    EXPECT_EQ(z.x[1], z.wanted[1]);
    for (const Vec3& p : z.x) EXPECT_TRUE(p.allFinite());
    // Nobody can move.
    Zones held(4);
    held.inverse_mass.assign(4, 0.0);
    held.zones.join({0, 1, 2, 3});
    held.move();
    EXPECT_EQ(held.x, held.wanted);
}

TEST(ImpactZones, PointsOnOneLineOrInOnePlaceAreFinite) {
    Zones line(4);
    for (std::size_t p = 0; p < 4; ++p) line.start[p] = Vec3(double(p), 2.0 * double(p), 0.5);
    line.wanted = testing::shaken(line.start, 0.01, 3);
    line.zones.join({0, 1, 2, 3});
    line.move();
    const auto before = line.momenta(line.wanted, 0, 4), after = line.momenta(line.x, 0, 4);
    EXPECT_LT((before[0] - after[0]).norm(), 1e-12);
    EXPECT_GT(line.least_growth(0, 4), -1e-14);

    Zones spot(4);
    spot.start.assign(4, Vec3(1, 1, 1));
    spot.wanted = testing::shaken(spot.start, 0.01, 4);
    spot.zones.join({0, 1, 2, 3});
    spot.move();
    for (std::size_t p = 1; p < 4; ++p) EXPECT_LT((spot.x[p] - spot.x[0]).norm(), 1e-15);
    EXPECT_TRUE(spot.x[0].allFinite());
    // A ball names its point three times.
    Zones ball(4);
    ball.zones.join({3, 3, 3, 0});
    ball.move();
    EXPECT_GT((ball.x[3] - ball.x[0]).norm(), (ball.start[3] - ball.start[0]).norm() - 1e-14);
}

TEST(ImpactZones, ClearedZonesAreForgotten) {
    Zones z(8);
    z.zones.join({0, 1, 2, 3});
    z.zones.join({3, 4, 5, 6});
    EXPECT_FALSE(z.zones.members().empty());
    z.zones.clear();
    EXPECT_TRUE(z.zones.members().empty());
    z.move();
    EXPECT_EQ(z.x, z.wanted);
    z.zones.join({4, 5, 6, 7});
    z.move();
    for (std::size_t p = 0; p < 4; ++p) EXPECT_EQ(z.x[p], z.wanted[p]);
}

TEST(ImpactZones, SmallFarZonesKeepTheirDistances) {
    // A millimetre large, a kilometre from the origin.
    Zones z(4);
    for (std::size_t p = 0; p < 4; ++p) {
        z.start[p] = Vec3(1000, -1000, 1000) + 1e-3 * z.start[p];
        z.wanted[p] = z.start[p] + 1e-2 * Vec3(1, 0, double(p == 2 ? 1 : -1));
    }
    z.zones.join({0, 1, 2, 3});
    z.move();
    EXPECT_GT(z.least_growth(0, 4), -1e-11);
}

}  // namespace
}  // namespace taut::filters

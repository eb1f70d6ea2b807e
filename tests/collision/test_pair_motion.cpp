// One pair: weights and normals against finite differences and the definition, and what passes, comes close
// or stays clear on the way, also at 1000 m/s and far away.
#include "taut/collision/pair_motion.hpp"

#include <gtest/gtest.h>

#include "collision/touching.hpp"

namespace taut::collision {
namespace {

constexpr PairPoints whole{0, 1, 2, 3};
constexpr PairKind kinds[] = {PairKind::vertex_face, PairKind::edge_edge};

double distance(PairKind kind, const Points& x) {
    return kind == PairKind::vertex_face ? testing::vertex_face_distance(x, whole)
                                         : testing::edge_edge_distance(x, whole);
}

TEST(PairMotion, WeightsAndNormalGiveTheDistance) {
    for (double size : {1e-6, 1.0, 1e3}) {
        for (unsigned seed = 0; seed < 200; ++seed) {
            const Points x = testing::random_points(4, size, seed);
            for (PairKind kind : kinds) {
                const Closeness c = closeness(kind, whole, x);
                Vec3 offset = Vec3::Zero();
                double sum = 0;
                for (std::size_t k = 0; k < 4; ++k) {
                    const bool first = kind == PairKind::vertex_face ? k == 0 : k < 2;
                    EXPECT_TRUE(first ? c.weight[k] >= 0 : c.weight[k] <= 0);
                    offset += c.weight[k] * x[k];
                    sum += c.weight[k];
                }
                EXPECT_NEAR(sum, 0, 1e-14);
                EXPECT_NEAR(c.normal.norm(), 1, 1e-12);
                EXPECT_NEAR(c.normal.dot(offset), c.distance, 1e-12 * size);
                EXPECT_NEAR(c.distance, distance(kind, x), 1e-12 * size);
            }
        }
    }
}

// How the distance changes with a point is weight times normal, wherever it has a derivative.
TEST(PairMotion, NormalTimesWeightIsTheGradientOfTheDistance) {
    int steep = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        const Points x = testing::random_points(4, 1, 1000 + seed);
        for (PairKind kind : kinds) {
            const Closeness c = closeness(kind, whole, x);
            if (c.distance < 0.05) continue;
            for (std::size_t k = 0; k < 4; ++k) {
                for (int axis = 0; axis < 3; ++axis) {
                    const double h = 1e-6;
                    Points more = x, less = x;
                    more[k][axis] += h;
                    less[k][axis] -= h;
                    const double slope = (distance(kind, more) - distance(kind, less)) / (2 * h);
                    EXPECT_NEAR(slope, c.weight[k] * c.normal[axis], 1e-4) << seed;
                    ++steep;
                }
            }
        }
    }
    EXPECT_GT(steep, 3000);
}

TEST(PairMotion, TouchingPairsHaveNoNormal) {
    const Points on_face{Vec3(0.25, 0.25, 0), Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
    const Points crossing{Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(0, 1, 0)};
    for (const Closeness& c : {closeness(PairKind::vertex_face, whole, on_face),
                               closeness(PairKind::edge_edge, whole, crossing)}) {
        EXPECT_EQ(c.distance, 0);
        EXPECT_EQ(c.normal, Vec3::Zero());
        double size = 0;
        for (double w : c.weight) size += std::abs(w);
        EXPECT_NEAR(size, 2, 1e-12);
    }
}

TEST(PairMotion, SegmentsAndPointsInPlaceOfTrianglesAreFinite) {
    const Points x{Vec3(0, 0, 1), Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, 0)};
    Closeness c = closeness(PairKind::vertex_face, whole, x);
    EXPECT_NEAR(c.distance, 1, 1e-15);
    EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-15);
    EXPECT_NEAR(c.weight[1], -0.5, 1e-12);
    const Points points{Vec3(0, 0, 3), Vec3(0, 0, 3), Vec3::Zero(), Vec3::Zero()};
    c = closeness(PairKind::edge_edge, whole, points);
    EXPECT_NEAR(c.distance, 3, 1e-15);
    EXPECT_NEAR(c.weight[0] + c.weight[1], 1, 1e-15);
}

TEST(PairMotion, OnTheWayIsBetweenTheEnds) {
    const Points a = testing::random_points(4, 1, 1), b = testing::random_points(4, 1, 2);
    for (PairKind kind : kinds) {
        for (double t : {0.0, 0.3, 1.0}) {
            Points x(4);
            for (std::size_t k = 0; k < 4; ++k) x[k] = (1 - t) * a[k] + t * b[k];
            const Closeness on_way = closeness_at(kind, whole, a, b, t), there = closeness(kind, whole, x);
            EXPECT_NEAR(on_way.distance, there.distance, 1e-14);
            EXPECT_LT((on_way.normal - there.normal).norm(), 1e-12);
        }
    }
}

// No hit: no sample on the way is within the gap. A hit: until then the pair is further apart, and soon
// after it some sample comes near it.
TEST(PairMotion, ImpactsAgreeWithSamples) {
    int hits = 0, misses = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        const Points a = testing::random_points(4, 1, 5000 + seed),
                     b = testing::random_points(4, 1, 9000 + seed);
        for (PairKind kind : kinds) {
            const double gap = 0.05, clear = closeness(kind, whole, a).distance;
            if (clear <= gap) continue;
            const elements::Impact hit = impact(kind, whole, a, b, gap);
            double least = clear;
            for (int s = 0; s <= 400; ++s) {
                const double t = s / 400.0, d = closeness_at(kind, whole, a, b, t).distance;
                least = std::min(least, d);
                EXPECT_TRUE(d > gap || t > hit.time);
            }
            (hit.hit ? hits : misses)++;
            EXPECT_TRUE(hit.hit ? least < gap + 0.01 * clear + 0.02 : least > gap);
        }
    }
    EXPECT_GT(hits, 30);
    EXPECT_GT(misses, 100);
}

TEST(PairMotion, FastPairsAreCaughtOnTheirWayThrough) {
    for (double way : {1.0, 100.0, 1e4}) {
        const Points face{Vec3(0.2, 0.2, 0.5 * way), Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
        Points end = face;
        end[0].z() -= way;
        const elements::Impact through = impact(PairKind::vertex_face, whole, face, end, 1e-4);
        EXPECT_TRUE(through.hit);
        EXPECT_NEAR(through.time, 0.5, 0.11);
        const Closeness at = closeness_at(PairKind::vertex_face, whole, face, end, through.time);
        EXPECT_LT((at.normal - Vec3::UnitZ()).norm(), 1e-9);

        Points edges{Vec3(-1, 0, 0.5 * way), Vec3(1, 0, 0.5 * way), Vec3(0, -1, 0), Vec3(0, 1, 0)};
        end = edges;
        end[0].z() = end[1].z() = -0.5 * way;
        EXPECT_TRUE(impact(PairKind::edge_edge, whole, edges, end, 1e-4).hit);
        // Past the end of the edge they miss.
        for (Points* x : {&end, &edges}) (*x)[0].y() = (*x)[1].y() = 1.001;
        EXPECT_FALSE(impact(PairKind::edge_edge, whole, edges, end, 1e-4).hit);
    }
}

TEST(PairMotion, CommonMotionIsNoImpact) {
    const Points a{Vec3(0.2, 0.2, 1e-3), Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
    Points b = a;
    for (Vec3& p : b) p += Vec3(3, -50, 7);
    EXPECT_FALSE(impact(PairKind::vertex_face, whole, a, b, 1e-4).hit);
}

// No direction shows more than the distance, the one between the closest points all of it.
TEST(PairMotion, AheadAlongADirectionIsAtMostTheDistance) {
    for (double size : {1e-6, 1.0, 1e6}) {
        for (unsigned seed = 0; seed < 300; ++seed) {
            const Points x = testing::random_points(4, size, 2000 + seed);
            const Points directions = testing::random_points(5, 1, 3000 + seed);
            for (PairKind kind : kinds) {
                const Closeness c = closeness(kind, whole, x);
                EXPECT_NEAR(ahead_along(kind, whole, x, axis_of(c)), c.distance, 1e-10 * size);
                for (const Vec3& d : directions)
                    EXPECT_LE(ahead_along(kind, whole, x, d.normalized()), c.distance + 1e-14 * size);
            }
        }
    }
}

TEST(PairMotion, WhatStaysApartNeverComesCloser) {
    int apart = 0, fast = 0;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        const Points x = testing::random_points(4, 1, 4000 + seed);
        Points end = testing::random_points(4, 1, 7000 + seed);
        if (seed % 2 == 0) {
            for (std::size_t k = 0; k < 4; ++k) end[k] = x[k] + 0.2 * end[k];
        }
        for (PairKind kind : kinds) {
            const double reach = 0.7 * distance(kind, x);
            if (!stays_apart(kind, whole, x, end, reach)) continue;
            ++apart;
            if (seed % 2 == 1) ++fast;
            for (int k = 0; k <= 40; ++k) {
                Points between = x;
                for (std::size_t p = 0; p < 4; ++p) between[p] += k / 40.0 * (end[p] - x[p]);
                ASSERT_GT(distance(kind, between), reach) << seed << " at " << k;
            }
        }
    }
    EXPECT_GT(apart, 200);
    EXPECT_GT(fast, 20);
}

// Points that turn with each other, or slide past each other, move far and come no closer.
TEST(PairMotion, TurningAndSlidingPairsStayApart) {
    const Points face{Vec3(0.2, 0.2, 0.1), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    const Points edges{Vec3(-1, 0, 0.1), Vec3(1, 0, 0.1), Vec3(0, -1, 0), Vec3(0, 1, 0)};
    const Mat3 turn = Eigen::AngleAxisd(0.4, Vec3(1, 2, 0).normalized()).toRotationMatrix();
    for (PairKind kind : kinds) {
        const Points& x = kind == PairKind::vertex_face ? face : edges;
        Points slid = x;
        for (std::size_t k = 0; k < (kind == PairKind::vertex_face ? 1 : 2); ++k) slid[k] += Vec3(5, -7, 0);
        EXPECT_TRUE(stays_apart(kind, whole, x, slid, 0.099));
        EXPECT_FALSE(stays_apart(kind, whole, x, slid, 0.101));
    }
    const Points short_edges{Vec3(-0.1, 0, 1), Vec3(0.1, 0, 1), Vec3(0, -0.1, 0), Vec3(0, 0.1, 0)};
    Points turned = short_edges;
    for (Vec3& p : turned) p = turn * p;
    EXPECT_TRUE(stays_apart(PairKind::edge_edge, whole, short_edges, turned, 0.8));
}

}  // namespace
}  // namespace taut::collision

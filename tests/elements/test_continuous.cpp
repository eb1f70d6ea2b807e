// Continuous detection: closed forms, the promise against fine sampling, motions that are hard, and
// numbers that are none.
#include "taut/elements/continuous.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "elements/exact_impact.hpp"
#include "taut/elements/closest_points.hpp"

namespace taut::elements {
namespace {

// The corners of a pair at one end of the step: point and triangle, or two segments.
using Corners = std::array<Vec3, 4>;

struct Pair {
    Corners start, end;
    bool edges = false;
};

Impact impact(const Pair& pair, double gap, double slack = default_slack) {
    const auto& [x, y, edges] = pair;
    return edges ? segment_segment_impact({x[0], x[1]}, {y[0], y[1]}, {x[2], x[3]}, {y[2], y[3]}, gap, slack)
                 : point_triangle_impact(x[0], y[0], {x[1], x[2], x[3]}, {y[1], y[2], y[3]}, gap, slack);
}

double distance_at(const Pair& pair, double time) {
    Corners x;
    for (int i = 0; i < 4; ++i) x[i] = pair.start[i] + time * (pair.end[i] - pair.start[i]);
    return std::sqrt(pair.edges ? nearest_on_segments(x[0], x[1], x[2], x[3]).squared
                                : nearest_on_triangle(x[0], x[1], x[2], x[3]).squared);
}

// Checks what is promised at samples of the motion. Returns the smallest distance seen.
double check_promise(const Pair& pair, double gap, int samples) {
    const Impact found = impact(pair, gap);
    const double at_start = distance_at(pair, 0);
    double smallest = at_start;
    for (int i = 0; i <= samples; ++i) {
        const double time = static_cast<double>(i) / samples;
        const double distance = distance_at(pair, time);
        smallest = std::min(smallest, distance);
        EXPECT_TRUE(distance > gap || at_start <= gap || time > found.time);
    }
    if (at_start <= gap) {
        EXPECT_TRUE(found.hit);
        EXPECT_EQ(found.time, 0);
    } else {
        EXPECT_GT(distance_at(pair, found.time), gap);
    }
    EXPECT_TRUE(found.hit || smallest > gap);
    EXPECT_TRUE(found.hit || found.time == 1);
    const double false_alarm = gap + default_slack * (at_start - gap);
    EXPECT_TRUE(!found.hit || distance_at(pair, found.time) < false_alarm + 1e-12);
    return smallest;
}

const Corners floor_and_point{Vec3(0.2, 0.2, 1), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};

Pair falling(double height_end) {
    Pair pair{floor_and_point, floor_and_point};
    pair.end[0].z() = height_end;
    return pair;
}

TEST(Continuous, AFallOntoATriangle) {
    // It meets at half time; the search stops when 5 to 10 percent of the height are left.
    const Impact through = impact(falling(-1), 0);
    EXPECT_TRUE(through.hit);
    EXPECT_GE(through.time, 0.45);
    EXPECT_LT(through.time, 0.475 + 1e-9);
    EXPECT_NEAR(impact(falling(-1), 0, 1e-6).time, 0.5, 1e-6);
    EXPECT_LT(impact(falling(-1), 0, 0).time, 0.5);

    // The gap is met earlier; the end may be close, but not touch.
    EXPECT_NEAR(impact(falling(-1), 0.25, 1e-6).time, 0.375, 1e-6);
    EXPECT_FALSE(impact(falling(0.05), 0).hit);
    EXPECT_FALSE(impact(falling(1e-12), 0).hit);
    EXPECT_TRUE(impact(falling(0), 0).hit);
    EXPECT_TRUE(impact(falling(0.25), 0.25).hit);
    EXPECT_FALSE(impact(falling(0.26), 0.25).hit);
}

TEST(Continuous, StartingWithinTheGapIsAHitAtTheStart) {
    for (const double gap : {1.0, 1.5, 1e6}) {
        const Impact found = impact(falling(2), gap);
        EXPECT_TRUE(found.hit);
        EXPECT_EQ(found.time, 0);
    }
    EXPECT_FALSE(impact(falling(2), 0.999).hit);
}

TEST(Continuous, SegmentsThatCrossOnTheWay) {
    Pair pair{{Vec3(-1, 0, 1), Vec3(1, 0, 1), Vec3(0, -1, 0), Vec3(0, 1, 0)}, {}, true};
    pair.end = pair.start;
    for (int i : {0, 1}) pair.end[i].z() = -3;
    EXPECT_NEAR(impact(pair, 0, 1e-6).time, 0.25, 1e-6);
    EXPECT_NEAR(impact(pair, 0.5, 1e-6).time, 0.125, 1e-6);
    for (int i : {0, 1}) pair.end[i] += Vec3(0, 9, 0);
    EXPECT_FALSE(impact(pair, 0).hit);
}

TEST(Continuous, CommonMotionAndSlidingAreClear) {
    // Move both by the same, far and fast, a hair above each other.
    Pair pair = falling(1);
    pair.start[0].z() = pair.end[0].z() = 1e-9;
    for (Vec3& x : pair.end) x += Vec3(100, 20, -3);
    EXPECT_FALSE(impact(pair, 0).hit);

    // Slide the point along the triangle.
    pair.end = pair.start;
    pair.end[0].x() += 50;
    EXPECT_FALSE(impact(pair, 0).hit);
    EXPECT_FALSE(impact(pair, 0.99e-9).hit);
}

TEST(Continuous, KeepsItsPromiseOnRandomPairs) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
    int near = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        Pair pair;
        pair.edges = trial % 2 == 1;
        const double motion = std::pow(10.0, uniform(random));
        for (int i = 0; i < 4; ++i) pair.start[i] = vector();
        for (int i = 0; i < 4; ++i) pair.end[i] = pair.start[i] + motion * vector();
        const double gap = trial % 3 == 0 ? 0.25 * std::abs(uniform(random)) : 0;
        if (check_promise(pair, gap, 200) <= gap + 0.01) ++near;
    }
    EXPECT_GT(near, 1500);
}

// Checks the promise at gap 0 without rounding; returns the truth.
bool check_exactly(const Pair& pair) {
    const exact::MovingPatch patch(pair.start, pair.end, pair.edges);
    const bool truth = exact::touches(patch);
    const Impact found = impact(pair, 0);
    EXPECT_TRUE(found.hit || !truth);
    EXPECT_TRUE(found.time == 0 || !exact::touches(patch, exact::dyadic(found.time)));
    return truth;
}

TEST(Continuous, NoMissOnSmallLattices) {
    // Few places make ties, corners, parallels, planes and repeated corners frequent.
    std::mt19937 random(6);
    std::array<int, 2> counts{};
    for (int trial = 0; trial < 2000; ++trial) {
        const int last = 1 + trial / 2 % 3;
        std::uniform_int_distribution<int> place(0, last), depth(0, trial % 5 == 0 ? 0 : last);
        Pair pair;
        pair.edges = trial % 2 == 1;
        for (Corners* corners : {&pair.start, &pair.end}) {
            for (Vec3& x : *corners) x = Vec3(place(random), place(random), depth(random));
        }
        const bool truth = check_exactly(pair);
        ++counts[truth ? 1 : 0];

        // Hold the oracle itself against samples: no two corners move apart by more than 12.
        double smallest = 1;
        for (int i = 0; i <= 256; ++i) smallest = std::min(smallest, distance_at(pair, i / 256.0));
        EXPECT_TRUE(truth ? smallest <= 12 / 512.0 : smallest > 1e-9) << smallest;
    }
    EXPECT_GT(counts[0], 300);
    EXPECT_GT(counts[1], 300);
}

TEST(Continuous, NoMissWithinRoundingOfATouch) {
    // Build a touch in doubles: rounding decides whether it is one, and the exact oracle says so.
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(0, 1);
    const auto vector = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
    std::array<int, 2> counts{};
    for (int trial = 0; trial < 400; ++trial) {
        Pair pair;
        pair.edges = trial % 2 == 1;
        Corners x{vector(), vector(), vector(), vector()};
        const double s = uniform(random), t = uniform(random), time = uniform(random);
        x[0] = pair.edges ? Vec3((x[2] + t * (x[3] - x[2]) - s * x[1]) / (1 - s))
                          : Vec3(x[1] + 0.5 * s * (x[2] - x[1]) + 0.5 * t * (x[3] - x[1]));
        for (int i = 0; i < 4; ++i) {
            const Vec3 way = vector() - vector();
            pair.start[i] = x[i] - time * way;
            pair.end[i] = trial % 4 < 2 ? Vec3(x[i] + (1 - time) * way) : x[i];
        }
        ++counts[check_exactly(pair) ? 1 : 0];
    }
    EXPECT_GT(counts[0], 20);
    EXPECT_GT(counts[1], 100);
}

TEST(Continuous, WhatIsNoNumberIsAHitAtTheStart) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double bad : {nan, infinity, -infinity}) {
        for (int i = 0; i < 24; ++i) {
            for (const bool edges : {false, true}) {
                Pair pair = falling(0.9);
                pair.edges = edges;
                (i < 12 ? pair.start : pair.end)[i % 12 / 3][i % 3] = bad;
                const Impact found = impact(pair, 0);
                EXPECT_TRUE(found.hit);
                EXPECT_EQ(found.time, 0);
            }
        }
    }
    for (const double gap : {nan, infinity, -1.0}) EXPECT_TRUE(impact(falling(0.9), gap).hit);
    EXPECT_FALSE(impact(falling(0.9), 0, nan).hit);
}

}  // namespace
}  // namespace taut::elements

// Triangles, segments and points that meet: by hand, and against exact enumeration on small lattices, where
// touching, flat and degenerate cases are the rule; there moved, scaled and rounded as well.
#include "taut/elements/triangle_overlap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "elements/exact_oracle.hpp"

namespace taut::elements::triangle_overlap_tests {
namespace {

using Corners = std::array<int, 3>;
using Whole = taut::exact::Point<std::int64_t>;

Vec3 to_vec(const Whole& p) {
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

// Asks in both orders and with all corners turned.
void expect_overlap(ConstPoints x, Corners s, Corners t, bool wanted, int trial) {
    std::sort(s.begin(), s.end());
    std::sort(t.begin(), t.end());
    do {
        ASSERT_EQ(triangles_overlap(x, s, t), wanted) << trial;
        ASSERT_EQ(triangles_overlap(x, t, s), wanted) << trial;
        std::next_permutation(t.begin(), t.end());
    } while (std::next_permutation(s.begin(), s.end()));
}

// Pairs of corner lists that share none, one, two or three, with segments and points among them.
const std::vector<std::pair<Corners, Corners>> kinds{
    {{0, 1, 2}, {3, 4, 5}}, {{0, 1, 2}, {0, 4, 5}}, {{0, 1, 2}, {0, 1, 5}}, {{0, 1, 1}, {3, 4, 5}},
    {{0, 1, 1}, {3, 4, 4}}, {{0, 1, 1}, {0, 4, 4}}, {{0, 1, 1}, {0, 4, 5}}, {{0, 1, 1}, {0, 1, 5}},
    {{0, 0, 0}, {3, 4, 5}}, {{0, 0, 0}, {3, 4, 4}}, {{0, 0, 0}, {3, 3, 3}}, {{0, 0, 0}, {0, 4, 5}}};

TEST(TriangleOverlap, PlainCases) {
    const Points x{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0.5, 0.5, -1}, {0.5, 0.5, 1}, {3, 3, 0}, {2, 2, 0}};
    EXPECT_TRUE(triangles_overlap(x, {0, 1, 2}, {3, 4, 5}));
    EXPECT_TRUE(triangles_overlap(x, {0, 1, 2}, {3, 4, 4}));
    EXPECT_FALSE(triangles_overlap(x, {0, 1, 2}, {3, 5, 5}));
    EXPECT_FALSE(triangles_overlap(x, {0, 1, 2}, {1, 2, 6}));  // two halves of a square
    EXPECT_FALSE(triangles_overlap(x, {0, 1, 2}, {0, 2, 1}));
    EXPECT_TRUE(triangles_overlap(x, {0, 1, 2}, {0, 1, 6}));   // folded over
    EXPECT_FALSE(triangles_overlap(x, {0, 1, 2}, {0, 1, 4}));  // raised
    EXPECT_TRUE(triangles_overlap(x, {0, 1, 2}, {0, 5, 4}));   // beyond the corner they share
}

TEST(TriangleOverlap, AChainThatTurnsBackMeetsItself) {
    const Points x{{0, 0, 0}, {1, 0.5, 0.25}, {3, 1.5, 0.75}, {0.5, 0.25, 0.125}};
    EXPECT_FALSE(triangles_overlap(x, {0, 1, 1}, {1, 2, 2}));
    EXPECT_TRUE(triangles_overlap(x, {0, 1, 1}, {1, 3, 3}));
    EXPECT_TRUE(segments_meet(x[0], x[1], x[3], x[3]));
    EXPECT_FALSE(segments_meet(x[0], x[1], x[2], x[2]));
}

TEST(TriangleOverlap, FlatNeighboursAreApartHoweverTheyAreTurned) {
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 2000; ++trial) {
        // Six triangles round a point; no two share more than it or an edge.
        const Vec3 u = 0.01 * Vec3(normal(random), normal(random), normal(random)),
                   v = 0.01 * Vec3(normal(random), normal(random), normal(random)),
                   at(normal(random), normal(random), normal(random));
        const Points x{at, at + u, at + u + v, at + v, at - u, at - u - v, at - v};
        for (int i = 0; i < 6; ++i) {
            for (int j = i + 1; j < 6; ++j) {
                const Corners s{0, 1 + i, 1 + (i + 1) % 6}, t{0, 1 + j, 1 + (j + 1) % 6};
                ASSERT_FALSE(triangles_overlap(x, s, t)) << trial;
            }
        }
    }
}

TEST(TriangleOverlap, LatticePointsAgainstEnumeration) {
    std::mt19937 random(5);
    for (const auto& [s, t] : kinds) {
        std::array<int, 2> seen{};
        for (int trial = 0; trial < 2500; ++trial) {
            // Flat lattices and even lines in one half of the trials.
            const bool flat = trial % 2 == 0, line = trial % 8 == 0;
            std::uniform_int_distribution<int> lattice(0, 1 + trial % 4);
            std::vector<Whole> whole(6);
            Points x;
            for (Whole& p : whole) {
                const int i = lattice(random), j = line ? 0 : lattice(random),
                          k = flat ? i + j : lattice(random);
                p = {i, j, k};
                x.push_back(to_vec(p));
            }
            const bool wanted = taut::exact::overlap(whole, s, t);
            ++seen[wanted ? 1 : 0];
            expect_overlap(x, s, t, wanted, trial);

            // Shear, scale and move by numbers that leave every coordinate exact.
            Mat3 map;
            map << 3, 1, -2, 1, 5, 1, -1, 2, 7;
            const double scale = std::ldexp(1.0, 20 - trial % 41);
            for (Vec3& p : x) p = scale * (map * p + Vec3(1024, -65536, 3));
            expect_overlap(x, s, t, wanted, trial);
            if (::testing::Test::HasFatalFailure()) return;
        }
        EXPECT_GT(seen[0], 100);
        if (s[0] != 0 || t[0] != 0 || s[1] != t[1]) {
            EXPECT_GT(seen[1] + (s[2] == 0 || t[1] == s[1] ? 1000 : 0), 100);
        }
    }
}

// Lattice points times a number that rounds: nearly touching, nearly flat.
TEST(TriangleOverlap, RoundedLatticesAgainstEnumeration) {
    std::mt19937 random(6);
    std::uniform_int_distribution<int> lattice(0, 3);
    int differ = 0;
    for (int trial = 0; trial < 500; ++trial) {
        const auto& [s, t] = kinds[static_cast<std::size_t>(trial) % 8];
        Points x;
        std::vector<Whole> whole;
        std::vector<taut::exact::Point<taut::exact::Wide>> wide;
        for (int k = 0; k < 6; ++k) {
            const int i = lattice(random), j = lattice(random);
            whole.push_back({i, j, 3 * i + j});
            x.push_back(0.1 * to_vec(whole.back()) + Vec3(0.7, 0.3, 0));
            wide.push_back(taut::exact::to_wide(x.back(), 58));
        }
        const bool wanted = taut::exact::overlap(wide, s, t);
        differ += wanted != taut::exact::overlap(whole, s, t);
        expect_overlap(x, s, t, wanted, trial);
        if (::testing::Test::HasFatalFailure()) return;
    }
    EXPECT_GT(differ, 20);
}

TEST(TriangleOverlap, SegmentsAndPointsAgainstEnumeration) {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> lattice(0, 2);
    for (int trial = 0; trial < 5000; ++trial) {
        std::vector<Whole> whole(6);
        Points x;
        for (Whole& p : whole) {
            p = {lattice(random), lattice(random), lattice(random)};
            x.push_back(to_vec(p));
        }
        ASSERT_EQ(segments_meet(x[0], x[1], x[2], x[3]), taut::exact::overlap(whole, {0, 1, 1}, {2, 3, 3}));
        ASSERT_EQ(segment_meets_triangle(x[0], x[1], x[2], x[3], x[4]),
                  taut::exact::overlap(whole, {0, 1, 1}, {2, 3, 4}));
        ASSERT_EQ(segment_meets_triangle(x[0], x[0], x[2], x[3], x[4]),
                  taut::exact::overlap(whole, {0, 0, 0}, {2, 3, 4}));
        ASSERT_EQ(triangles_meet({x[0], x[1], x[2]}, {x[3], x[4], x[5]}),
                  taut::exact::overlap(whole, {0, 1, 2}, {3, 4, 5}));
    }
}

}  // namespace
}  // namespace taut::elements::triangle_overlap_tests

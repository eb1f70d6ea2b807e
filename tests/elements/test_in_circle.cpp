// Exact signs against whole numbers of 1024 bits: random, nearly cocircular and exactly cocircular points.
#include "taut/elements/in_circle.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "elements/exact_oracle.hpp"

namespace taut::elements::in_circle_tests {
namespace {

using taut::exact::to_wide;
using taut::exact::Wide;

// The determinant of Guibas and Stolfi, from differences to d.
int oracle(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d, int places) {
    const auto row = [&](const Vec2& p) {
        const Wide x = to_wide(p[0], places) - to_wide(d[0], places);
        const Wide y = to_wide(p[1], places) - to_wide(d[1], places);
        return taut::exact::Point<Wide>{x, y, x * x + y * y};
    };
    return taut::exact::sign(dot(cross(row(a), row(b)), row(c)));
}

TEST(InCircle, SidesAreNamedRight) {
    const Vec2 a(1, 0), b(0, 1), c(-1, 0);
    EXPECT_EQ(in_circle(a, b, c, {0, 0}), 1);
    EXPECT_EQ(in_circle(a, b, c, {0, -0.999}), 1);
    EXPECT_EQ(in_circle(a, b, c, {0, -1.001}), -1);
    EXPECT_EQ(in_circle(a, b, c, {0, -1}), 0);
    EXPECT_EQ(in_circle(c, b, a, {0, 0}), -1);  // clockwise: the other side
    EXPECT_EQ(in_circle(a, b, c, a), 0);
}

TEST(InCircle, ThreeOnALineMakeAHalfPlane) {
    EXPECT_EQ(in_circle({0, 0}, {1, 0}, {2, 0}, {1, 1}), -in_circle({2, 0}, {1, 0}, {0, 0}, {1, 1}));
    EXPECT_EQ(in_circle({0, 0}, {1, 0}, {2, 0}, {3, 0}), 0);
    EXPECT_EQ(in_circle({0.1, 0.1}, {0.2, 0.2}, {0.3, 0.3}, {0.7, 0.7}),
              oracle({0.1, 0.1}, {0.2, 0.2}, {0.3, 0.3}, {0.7, 0.7}, 60));
}

// Whole points on one circle, (5, 0), (3, 4), ... around a far centre: every one of them exactly on it, and
// its neighbours in the last place beside it.
TEST(InCircle, NeighboursOfACircleAreToldApart) {
    const std::array<Vec2, 12> ring{Vec2(5, 0), {4, 3},   {3, 4},   {0, 5},  {-3, 4}, {-4, 3},
                                    {-5, 0},    {-4, -3}, {-3, -4}, {0, -5}, {3, -4}, {4, -3}};
    const Vec2 centre(1024, 4096);
    const double step = 0x1p-40;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = centre + ring[i], b = centre + ring[(i + 1) % 12], c = centre + ring[(i + 5) % 12];
        for (std::size_t j = 0; j < ring.size(); ++j) {
            const Vec2 d = centre + ring[j];
            EXPECT_EQ(in_circle(a, b, c, d), 0);
            const Vec2 out = ring[j].cwiseSign() * step;
            EXPECT_EQ(in_circle(a, b, c, d + out), -1) << i << ' ' << j;
            EXPECT_EQ(in_circle(a, b, c, d - out), 1) << i << ' ' << j;
        }
    }
}

TEST(InCircle, NearlyCocircularPointsAtAllScales) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> u(-1, 1);
    std::uniform_int_distribution<int> nudge(-1, 1), far(-9, 9);
    std::array<int, 3> seen{};
    for (int trial = 0; trial < 3000; ++trial) {
        const double scale = std::ldexp(1.0, far(random)), radius = scale * (1.1 + u(random));
        const Vec2 centre = Vec2(u(random), u(random)) * std::ldexp(scale, trial % 3 == 0 ? 8 : 0);
        std::array<Vec2, 4> p;
        for (Vec2& q : p) {
            const double angle = 4 * u(random);
            q = centre + radius * Vec2(std::cos(angle), std::sin(angle));
            q[0] += nudge(random) * std::abs(q[0]) * 0x1p-52;
        }
        if (trial % 5 == 0) p[3] = p[static_cast<std::size_t>(trial / 5 % 3)];
        const int wanted = oracle(p[0], p[1], p[2], p[3], 100);
        ASSERT_EQ(in_circle(p[0], p[1], p[2], p[3]), wanted) << trial;
        ++seen[static_cast<std::size_t>(wanted + 1)];
    }
    for (const int count : seen) EXPECT_GT(count, 100);
}

// Coordinates of very different size, down to what the header promises.
TEST(InCircle, MixedSizes) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> u(-1, 1);
    std::uniform_int_distribution<int> small(-60, 0);
    for (int trial = 0; trial < 2000; ++trial) {
        std::array<Vec2, 4> p;
        for (Vec2& q : p)
            for (int axis = 0; axis < 2; ++axis) q[axis] = std::ldexp(u(random), small(random));
        p[0][0] = 1;
        ASSERT_EQ(in_circle(p[0], p[1], p[2], p[3]), oracle(p[0], p[1], p[2], p[3], 160)) << trial;
    }
}

TEST(InCircle, HugeAndTinyCoordinates) {
    for (const double scale : {1e-150, 1e-60, 1e60, 1e150, 1e300}) {
        const Vec2 a = scale * Vec2(1, 0), b = scale * Vec2(0, 1), c = scale * Vec2(-1, 0);
        EXPECT_EQ(in_circle(a, b, c, Vec2::Zero()), 1) << scale;
        EXPECT_EQ(in_circle(a, b, c, scale * Vec2(0, -1)), 0) << scale;
        EXPECT_EQ(in_circle(a, b, c, scale * Vec2(0, -1.5)), -1) << scale;
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(in_circle({nan, 0}, {0, 1}, {-1, 0}, {0, 0}), 0);
    EXPECT_EQ(in_circle({1, 0}, {0, std::numeric_limits<double>::infinity()}, {-1, 0}, {0, 0}), 0);
}

}  // namespace
}  // namespace taut::elements::in_circle_tests

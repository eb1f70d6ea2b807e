// Exact signs against whole numbers of 1024 bits: random, nearly flat and exactly flat points at many scales.
#include "taut/elements/orientation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "elements/exact_oracle.hpp"

namespace taut::elements::orientation_tests {
namespace {

int oracle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, int places) {
    return taut::exact::orient3d(taut::exact::to_wide(a, places), taut::exact::to_wide(b, places),
                                 taut::exact::to_wide(c, places), taut::exact::to_wide(d, places));
}

// As many tests in the plane: lifted, with a fourth point above.
int oracle(const Vec2& a, const Vec2& b, const Vec2& c, int places) {
    const auto lift = [](const Vec2& p, double z) { return Vec3(p[0], p[1], z); };
    return oracle(lift(a, 0), lift(b, 0), lift(c, 0), lift(a, 1), places);
}

TEST(Orientation, IsCompiledWithoutFusedProducts) { EXPECT_TRUE(orientation_is_exact()); }

TEST(Orientation, SidesAreNamedRight) {
    EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1);
    EXPECT_EQ(orient2d({0, 0}, {0, 1}, {1, 0}), -1);
    EXPECT_EQ(orient2d({0, 0}, {1, 1}, {3, 3}), 0);
    EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1);
    EXPECT_EQ(orient3d({0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}), -1);
    EXPECT_EQ(orient3d({0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {5, 7, 1}), 0);
}

// The classic: a grid of neighbours of a point on a line. Any rounding in the sums shows.
TEST(Orientation, NeighboursOfALineAreToldApart) {
    const double step = 0x1p-53;
    const Vec2 b(12, 12), c(24, 24);
    int zeros = 0;
    for (int i = 0; i < 64; ++i) {
        for (int j = 0; j < 64; ++j) {
            const Vec2 a(0.5 + i * step, 0.5 + j * step);
            const int wanted = oracle(a, b, c, 60);
            ASSERT_EQ(orient2d(a, b, c), wanted) << i << ' ' << j;
            zeros += wanted == 0;
        }
    }
    EXPECT_GE(zeros, 32);
}

TEST(Orientation, NearlyFlatPointsAtAllScales) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> u(-1, 1);
    std::uniform_int_distribution<int> nudge(-1, 1), far(-20, 20);
    std::array<int, 3> seen{};
    for (int trial = 0; trial < 6000; ++trial) {
        // Put points into a plane as well as rounding allows, and move some by a unit in the last place.
        const Vec3 origin(u(random), u(random), u(random)), p(u(random), u(random), u(random)),
            q(u(random), u(random), u(random));
        const double scale = std::ldexp(1.0, far(random)), away = trial % 3 == 0 ? 1e3 : 1;
        std::array<Vec3, 4> corner;
        for (Vec3& x : corner) {
            x = scale * (away * origin + u(random) * p + u(random) * q);
            for (double& value : x) {
                value = std::nextafter(value, value + nudge(random));
            }
        }
        const auto& [a, b, c, d] = corner;
        const int wanted = oracle(a, b, c, d, 110);
        ++seen[static_cast<std::size_t>(wanted + 1)];
        ASSERT_EQ(orient3d(a, b, c, d), wanted) << trial;
        ASSERT_EQ(orient3d(b, a, c, d), -wanted) << trial;
        ASSERT_EQ(orient3d(d, c, b, a), wanted) << trial;
        const Vec2 e(a[0], a[1]), f(b[0], b[1]);
        const Vec2 near = e + (f - e) * u(random);
        ASSERT_EQ(orient2d(e, f, near), oracle(e, f, near, 110)) << trial;
    }
    EXPECT_GT(seen[0], 1000);
    EXPECT_GT(seen[2], 1000);
}

TEST(Orientation, LatticePointsAtAnyScaleAndPlace) {
    std::mt19937 random(2);
    std::uniform_int_distribution<int> lattice(-3, 3);
    int zeros = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        std::array<Vec3, 4> corner;
        std::array<taut::exact::Point<std::int64_t>, 4> whole;
        for (std::size_t k = 0; k < 4; ++k) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                whole[k][axis] = lattice(random);
                corner[k][static_cast<Eigen::Index>(axis)] = static_cast<double>(whole[k][axis]);
            }
        }
        const int wanted = taut::exact::orient3d(whole[0], whole[1], whole[2], whole[3]);
        zeros += wanted == 0;
        for (const double scale : {1.0, 0x1p-20, 0x1p20, 0x1p-300, 0x1p300, 0x1p-1000, 0x1p1000}) {
            const auto at = [&](std::size_t k) -> Vec3 { return scale * corner[k]; };
            ASSERT_EQ(orient3d(at(0), at(1), at(2), at(3)), wanted) << scale;
            ASSERT_EQ(orient2d(at(0).head<2>(), at(1).head<2>(), at(2).head<2>()),
                      oracle(corner[0].head<2>(), corner[1].head<2>(), corner[2].head<2>(), 0));
        }
        // A large offset that keeps all coordinates whole.
        const Vec3 offset(0x1p40, -0x1p45, 0x1p50);
        ASSERT_EQ(orient3d(corner[0] + offset, corner[1] + offset, corner[2] + offset, corner[3] + offset),
                  wanted);
    }
    EXPECT_GT(zeros, 1000);
}

TEST(Orientation, CoordinatesOfVeryDifferentSize) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> u(1, 2);
    std::uniform_int_distribution<int> power(-130, 60), choice(0, 3);
    for (int trial = 0; trial < 3000; ++trial) {
        std::array<Vec3, 4> corner;
        for (Vec3& x : corner) {
            for (double& value : x) {
                const int kind = choice(random);
                value = kind == 0 ? 0.0 : std::ldexp(kind == 1 ? -u(random) : u(random), power(random));
            }
        }
        const auto& [a, b, c, d] = corner;
        ASSERT_EQ(orient3d(a, b, c, d), oracle(a, b, c, d, 183)) << trial;
        // Two and two nearly alike.
        const Vec3 e = std::nextafter(1.0, 2.0) * c, f = (1 - 0x1p-53) * d;
        ASSERT_EQ(orient3d(c, d, e, f), oracle(c, d, e, f, 183)) << trial;
    }
}

TEST(Orientation, NumbersThatAreNoneGiveZero) {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    for (const double odd : {nan, inf, -inf}) {
        for (int axis = 0; axis < 3; ++axis) {
            Vec3 d(0.3, 0.4, 0.5);
            d[axis] = odd;
            EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, d), 0);
            EXPECT_EQ(orient3d(d, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}), 0);
        }
        EXPECT_EQ(orient2d({0, 0}, {1, 0}, {odd, 1}), 0);
        EXPECT_EQ(orient2d({0, 0}, {odd, odd}, {0, 1}), 0);
    }
    const double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(orient3d({-most, 0, 0}, {most, 0, 0}, {0, most, 0}, {0, 0, most}), 1);
    EXPECT_EQ(orient3d({0, 0, 0}, {least, 0, 0}, {0, least, 0}, {0, 0, least}), 1);
    EXPECT_EQ(orient2d({0, 0}, {least, 0}, {0, least}), 1);
}

}  // namespace
}  // namespace taut::elements::orientation_tests

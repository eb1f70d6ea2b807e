// Triangulations against brute force: every circle empty, every area filled, on random points, on lattices
// with many points on one circle or line, inside of polygons and on strips.
#include "taut/mesh/delaunay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <set>

#include "taut/base/error.hpp"
#include "taut/elements/in_circle.hpp"
#include "taut/elements/orientation.hpp"

namespace taut::mesh::delaunay_tests {
namespace {

double area_of(const Vec2& a, const Vec2& b, const Vec2& c) {
    return 0.5 * ((b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x()));
}

double area_of(const std::vector<Vec2>& points, const std::vector<Triangle>& triangles) {
    double sum = 0;
    for (const auto& [a, b, c] : triangles) sum += area_of(points[a], points[b], points[c]);
    return sum;
}

std::vector<Vec2> random_points(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(0, 1);
    std::vector<Vec2> points;
    for (int k = 0; k < count; ++k) {
        const double x = u(random), y = u(random);
        points.emplace_back(x, y);
    }
    return points;
}

// Points nx x ny on a lattice, in a mixed order.
std::vector<Vec2> lattice(int nx, int ny) {
    std::vector<Vec2> points;
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) points.emplace_back(i, j);
    std::mt19937 random(7);
    std::shuffle(points.begin(), points.end(), random);
    return points;
}

void expect_delaunay(const std::vector<Vec2>& points, const std::vector<Triangle>& triangles) {
    EXPECT_TRUE(std::is_sorted(triangles.begin(), triangles.end()));
    EXPECT_EQ(std::adjacent_find(triangles.begin(), triangles.end()), triangles.end());
    for (const auto& [a, b, c] : triangles) {
        ASSERT_LT(a, std::min(b, c));
        ASSERT_GT(elements::orient2d(points[a], points[b], points[c]), 0);
        for (const Vec2& p : points) ASSERT_LE(elements::in_circle(points[a], points[b], points[c], p), 0);
    }
}

TEST(Delaunay, RandomPoints) {
    for (int count = 3; count < 60; ++count) {
        const std::vector<Vec2> points = random_points(count, static_cast<unsigned>(count));
        expect_delaunay(points, delaunay(points));
    }
    const std::vector<Vec2> points = random_points(600, 1);
    const std::vector<Triangle> triangles = delaunay(points);
    expect_delaunay(points, triangles);

    // Euler: a triangulation has 2 n - 2 - h triangles; each edge that is not shared lies on the hull.
    std::set<std::array<int, 2>> ways;
    for (const Triangle& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(ways.insert({t[k], t[(k + 1) % 3]}).second);
    const auto hull = std::count_if(ways.begin(), ways.end(), [&](const auto& way) {
        return !ways.contains({way[1], way[0]});
    });
    EXPECT_EQ(triangles.size(), 2 * points.size() - 2 - static_cast<std::size_t>(hull));
}

// All squares of a lattice have their four corners on one circle, and its rows and columns lie on lines.
TEST(Delaunay, Lattices) {
    for (const auto& [nx, ny] : {std::array{2, 2}, {3, 3}, {2, 9}, {9, 2}, {7, 5}, {12, 12}}) {
        const std::vector<Vec2> points = lattice(nx, ny);
        const std::vector<Triangle> triangles = delaunay(points);
        expect_delaunay(points, triangles);
        EXPECT_EQ(triangles.size(), static_cast<std::size_t>(2 * (nx - 1) * (ny - 1)));
        EXPECT_EQ(area_of(points, triangles), (nx - 1) * (ny - 1));
    }
}

TEST(Delaunay, PointsOnOneCircle) {
    std::vector<Vec2> points;
    for (int k = 0; k < 40; ++k) {
        const double angle = 2 * std::numbers::pi * k / 40;
        points.emplace_back(std::cos(angle), std::sin(angle));
    }
    points.emplace_back(0, 0);
    const std::vector<Triangle> triangles = delaunay(points);
    expect_delaunay(points, triangles);
    EXPECT_EQ(triangles.size(), 40u);
}

TEST(Delaunay, PointsOnALineHaveNone) {
    std::vector<Vec2> points;
    for (int k = 0; k < 9; ++k) points.emplace_back(0.5 * k, 0.25 * k);
    EXPECT_TRUE(delaunay(points).empty());
    EXPECT_TRUE(delaunay(std::vector<Vec2>{}).empty());
    EXPECT_TRUE(delaunay(std::vector<Vec2>{{1, 2}}).empty());
    EXPECT_TRUE(delaunay(std::vector<Vec2>{{1, 2}, {2, 1}}).empty());
    points.emplace_back(1, 0);
    EXPECT_EQ(delaunay(points).size(), 8u);
}

// Far from the origin the lattice is still one, and rounding cannot hide behind its size.
TEST(Delaunay, FarFromTheOrigin) {
    std::vector<Vec2> points = lattice(6, 6);
    for (Vec2& p : points) p = 0x1p-20 * p + Vec2(1 << 20, 3 << 20);
    expect_delaunay(points, delaunay(points));
}

TEST(Delaunay, RefusesWhatIsNoPointSet) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(delaunay(std::vector<Vec2>{{0, 0}, {1, nan}, {1, 1}}), InputError);
    EXPECT_THROW(delaunay(std::vector<Vec2>{{0, 0}, {1e9, 0}, {1, 1}}), InputError);
    EXPECT_THROW(delaunay(std::vector<Vec2>{{0, 0}, {1, 0}, {1, 1}, {1, 0}}), InputError);
    EXPECT_THROW(delaunay(std::vector<Vec2>{{0.0, 0}, {1, 0}, {1, 1}, {-0.0, 0}}), InputError);
}

// An L whose inner corner is hollow.
const std::vector<Vec2> hook{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}, {0, 1}};

TEST(TriangulateOutline, FillsTheInsideAlone) {
    std::vector<Vec2> points = hook;
    points.emplace_back(0.5, 0.55);
    const std::vector<Triangle> triangles = triangulate_outline(points, 8);
    EXPECT_DOUBLE_EQ(area_of(points, triangles), 3);
    for (const auto& [a, b, c] : triangles) EXPECT_GT(area_of(points[a], points[b], points[c]), 0);
    EXPECT_EQ(triangles.size(), 8u);
}

TEST(TriangulateOutline, RefusesWhatIsNoOutline) {
    EXPECT_THROW(triangulate_outline(hook, 2), InputError);
    EXPECT_THROW(triangulate_outline(hook, 9), InputError);

    // Clockwise; a point outside; a point so near to a side that the side is lost.
    EXPECT_THROW(triangulate_outline(std::vector<Vec2>(hook.rbegin(), hook.rend()), 8), InputError);
    std::vector<Vec2> points = hook;
    points.emplace_back(1.5, 1.5);
    EXPECT_THROW(triangulate_outline(points, 8), InputError);
    EXPECT_THROW(triangulate_outline(std::vector<Vec2>{{0, 0}, {4, 0}, {4, 1}, {0, 1}, {2, -0.1}}, 4),
                 InputError);
}

TEST(TriangulateStrip, CoversOnePeriod) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> u(0, 1);
    const double period = std::numbers::pi;
    std::vector<Vec2> points;
    for (const double y : {0.0, 1.0})
        for (int k = 0; k < 16; ++k) points.emplace_back(period * k / 16, y);
    for (int k = 0; k < 40; ++k) {
        const double x = u(random), y = u(random);
        points.emplace_back(period * x, 0.15 + 0.7 * y);
    }
    const std::vector<StripTriangle> triangles = triangulate_strip(points, period);
    EXPECT_EQ(triangles.size(), 16u + 16u + 2u * 40u);
    double area = 0;
    for (const auto& [corner, shift] : triangles) {
        std::array<Vec2, 3> p;
        for (std::size_t k = 0; k < 3; ++k) p[k] = points[corner[k]] + Vec2(shift[k] * period, 0);
        ASSERT_GT(area_of(p[0], p[1], p[2]), 0);
        area += area_of(p[0], p[1], p[2]);

        // The circle holds no point of this period or its neighbours. Copies are rounded.
        for (const Vec2& q : points)
            for (int copy = -2; copy <= 2; ++copy) {
                const Vec2 d = q + Vec2(copy * period, 0);
                const bool own =
                    std::any_of(p.begin(), p.end(), [&](const Vec2& c) { return (c - d).norm() < 1e-9; });
                ASSERT_TRUE(own || elements::in_circle(p[0], p[1], p[2], d) <= 0);
            }
    }
    EXPECT_NEAR(area, period, 1e-12);
}

TEST(TriangulateStrip, RefusesWhatIsNoStrip) {
    EXPECT_THROW(triangulate_strip(std::vector<Vec2>{}, 1), InputError);
    EXPECT_THROW(triangulate_strip(std::vector<Vec2>{{0, 0}, {0.5, 1}}, 0), InputError);
    EXPECT_THROW(triangulate_strip(std::vector<Vec2>{{0, 0}, {1, 1}}, 1), InputError);
    EXPECT_THROW(triangulate_strip(std::vector<Vec2>{{0, 0}, {-0.1, 1}}, 1), InputError);
}

}  // namespace
}  // namespace taut::mesh::delaunay_tests

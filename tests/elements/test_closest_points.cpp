// Closest points: closed forms, degenerate shapes, distances against arithmetic of 300 bits on shapes
// that are hard to get right, and numbers of all sizes.
#include "taut/elements/closest_points.hpp"

#include <gtest/gtest.h>

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace taut::elements {
namespace {

namespace mp = boost::multiprecision;
using Real = mp::number<mp::cpp_bin_float<300, mp::digit_base_2>, mp::et_off>;
using Real3 = std::array<Real, 3>;

Real3 real(const Vec3& x) { return {Real(x.x()), Real(x.y()), Real(x.z())}; }
Real3 minus(const Real3& x, const Real3& y) { return {x[0] - y[0], x[1] - y[1], x[2] - y[2]}; }
Real dot(const Real3& x, const Real3& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }
Real3 along(const Real3& x, const Real& s, const Real3& y) {
    return {x[0] - s * y[0], x[1] - s * y[1], x[2] - s * y[2]};
}

// Squared distance of the origin from the segment r to r - e.
Real segment_square(const Real3& r, const Real3& e) {
    const Real ee = dot(e, e);
    Real s = ee > 0 ? Real(dot(r, e) / ee) : Real(0);
    if (s < 0) s = 0;
    if (s > 1) s = 1;
    const Real3 offset = along(r, s, e);
    return dot(offset, offset);
}

// Distance of the origin from the points r - w1 e - w2 f of a triangle or parallelogram: the plane's
// foot where that is inside, else the nearest side.
double exact_distance(const Real3& r, const Real3& e, const Real3& f, bool triangle) {
    Real best = segment_square(r, e);
    const auto keep = [&](const Real& square) {
        if (square < best) best = square;
    };
    keep(segment_square(r, f));
    if (triangle) {
        keep(segment_square(minus(r, e), minus(f, e)));
    } else {
        keep(segment_square(minus(r, e), f));
        keep(segment_square(minus(r, f), e));
    }
    const Real ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), re = dot(r, e), rf = dot(r, f);
    const Real determinant = ee * ff - ef * ef;
    if (determinant > 0) {
        const Real w1 = (re * ff - rf * ef) / determinant, w2 = (rf * ee - re * ef) / determinant;
        const bool inside = w1 >= 0 && w2 >= 0 && (triangle ? w1 + w2 <= 1 : w1 <= 1 && w2 <= 1);
        if (inside) {
            const Real3 offset = along(along(r, w1, e), w2, f);
            keep(dot(offset, offset));
        }
    }
    return static_cast<double>(sqrt(best));
}

double exact_triangle_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    return exact_distance(minus(real(p), real(a)), minus(real(b), real(a)), minus(real(c), real(a)), true);
}

double exact_segments_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
    return exact_distance(minus(real(a0), real(b0)), minus(real(a0), real(a1)), minus(real(b1), real(b0)),
                          false);
}

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double promised = 20;   // units of eps times the lengths of the differences
constexpr double expected = 1.5;  // and what is measured

// Checks weights, offset and distance of one point and triangle; returns the error in those units.
double triangle_error(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const TriangleFoot foot = nearest_on_triangle(p, a, b, c);
    EXPECT_GE(foot.weight.minCoeff(), 0);
    EXPECT_NEAR(foot.weight.sum(), 1, 4 * eps);
    EXPECT_DOUBLE_EQ(foot.squared, foot.offset.squaredNorm());
    const double size = (p - a).norm() + (b - a).norm() + (c - a).norm();
    const Vec3 offset = (p - a) - foot.weight[1] * (b - a) - foot.weight[2] * (c - a);
    EXPECT_LE((offset - foot.offset).norm(), 4 * eps * size);
    const double error = std::abs(std::sqrt(foot.squared) - exact_triangle_distance(p, a, b, c));
    EXPECT_LE(error, promised * eps * size);
    return size > 0 ? error / (eps * size) : 0;
}

double segments_error(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
    const SegmentFeet feet = nearest_on_segments(a0, a1, b0, b1);
    EXPECT_TRUE(feet.s >= 0 && feet.s <= 1 && feet.t >= 0 && feet.t <= 1) << feet.s << " " << feet.t;
    EXPECT_DOUBLE_EQ(feet.squared, feet.offset.squaredNorm());
    const double size = (a0 - b0).norm() + (a1 - a0).norm() + (b1 - b0).norm();
    const Vec3 offset = (a0 - b0) + feet.s * (a1 - a0) - feet.t * (b1 - b0);
    EXPECT_LE((offset - feet.offset).norm(), 4 * eps * size);
    const double error = std::abs(std::sqrt(feet.squared) - exact_segments_distance(a0, a1, b0, b1));
    EXPECT_LE(error, promised * eps * size);
    return size > 0 ? error / (eps * size) : 0;
}

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}
    double number() { return uniform_(random_); }  // -1 to 1
    Vec3 vector() { return {number(), number(), number()}; }
    // A small number whose logarithm is even between 10^-18 and 1.
    double tiny() { return std::pow(10.0, 9 * number() - 9); }

private:
    std::mt19937_64 random_;
    std::uniform_real_distribution<double> uniform_{-1, 1};
};

TEST(ClosestPoints, EveryRegionOfATriangle) {
    const Vec3 a(0, 0, 0), b(4, 0, 0), c(0, 4, 0);
    const auto foot = [&](const Vec3& p) { return nearest_on_triangle(p, a, b, c); };
    EXPECT_EQ(foot({1, 1, 2}).weight, Vec3(0.5, 0.25, 0.25));
    EXPECT_EQ(foot({1, 1, 2}).offset, Vec3(0, 0, 2));
    EXPECT_EQ(foot({-1, -1, 1}).weight, Vec3::UnitX());
    EXPECT_EQ(foot({6, -1, 0}).weight, Vec3::UnitY());
    EXPECT_EQ(foot({-1, 7, 0}).weight, Vec3::UnitZ());
    EXPECT_EQ(foot({2, -3, 4}).squared, 25);
    EXPECT_EQ(foot({-3, 2, 4}).weight, Vec3(0.5, 0, 0.5));
    EXPECT_EQ(foot({5, 5, 0}).weight, Vec3(0, 0.5, 0.5));
}

TEST(ClosestPoints, CrossingAndParallelSegments) {
    const SegmentFeet cross = nearest_on_segments({-1, 0, 1}, {3, 0, 1}, {0, -1, 0}, {0, 1, 0});
    EXPECT_EQ(cross.s, 0.25);
    EXPECT_EQ(cross.t, 0.5);
    EXPECT_EQ(cross.offset, Vec3(0, 0, 1));
    EXPECT_EQ(nearest_on_segments({0, 0, 0}, {1, 0, 0}, {0.5, 3, 0}, {7, 3, 0}).squared, 9);
    EXPECT_EQ(nearest_on_segments({0, 0, 0}, {1, 0, 0}, {4, 4, 0}, {9, 4, 0}).squared, 25);
    EXPECT_EQ(nearest_on_segments({0, 0, 0}, {1, 0, 0}, {9, 0, 0}, {4, 0, 0}).squared, 9);
}

TEST(ClosestPoints, ShapesThatAreSegmentsOrPoints) {
    const Vec3 a(1, 2, 3), b(5, 2, 3), p(3, 5, 7);
    EXPECT_EQ(nearest_on_triangle(p, a, b, b).squared, 25);
    EXPECT_EQ(nearest_on_triangle(p, a, a, b).squared, 25);
    EXPECT_EQ(nearest_on_triangle(p, a, b, a).squared, 25);
    EXPECT_EQ(nearest_on_triangle(p, a, a, a).squared, 4 + 9 + 16);
    EXPECT_EQ(nearest_on_triangle(a, a, a, a).squared, 0);
    EXPECT_EQ(nearest_on_segments(p, p, a, b).squared, 25);
    EXPECT_EQ(nearest_on_segments(a, b, p, p).squared, 25);
    EXPECT_EQ(nearest_on_segments(a, a, p, p).squared, 4 + 9 + 16);
    EXPECT_EQ(nearest_on_segments(a, a, a, a).squared, 0);
    EXPECT_EQ(nearest_on_segments(a, b, a, b).squared, 0);
}

TEST(ClosestPoints, TrianglesOfAnyAspect) {
    Draw draw(1);
    double worst = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        // Make a corner that leaves the line of the other two by as little as nothing.
        const Vec3 a = draw.vector(), b = draw.vector();
        const Vec3 c = trial % 5 == 0 ? draw.vector()
                                      : Vec3(a + 2 * draw.number() * (b - a) + draw.tiny() * draw.vector());
        const Vec3 near = a + draw.number() * (b - a) + draw.number() * (c - a) + draw.tiny() * draw.vector();
        const Vec3 p = trial % 2 == 0 ? near : draw.vector();
        worst = std::max(
            {worst, triangle_error(p, a, b, c), triangle_error(p, b, c, a), triangle_error(p, c, a, b)});
    }
    EXPECT_LT(worst, expected);
}

TEST(ClosestPoints, SegmentsOfAnyAngle) {
    Draw draw(2);
    double worst = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const Vec3 a0 = draw.vector(), a1 = draw.vector();
        const double stretch = std::pow(10.0, 3 * draw.number());
        const Vec3 shift = (trial % 2 == 0 ? draw.tiny() : 1) * draw.vector();
        const Vec3 b0 = a0 + draw.number() * (a1 - a0) + shift;
        const Vec3 b1 =
            trial % 5 == 0 ? draw.vector() : Vec3(b0 + stretch * (a1 - a0) + draw.tiny() * draw.vector());
        worst = std::max({worst, segments_error(a0, a1, b0, b1), segments_error(b1, b0, a0, a1)});
    }
    EXPECT_LT(worst, expected);
}

TEST(ClosestPoints, ShapesFarFromTheOriginAndOfUnlikeSizes) {
    Draw draw(3);
    for (int trial = 0; trial < 1000; ++trial) {
        const Vec3 place = 1e6 * draw.vector();
        const double size = std::pow(10.0, 6 * draw.number());
        std::array<Vec3, 4> x;
        for (Vec3& corner : x) corner = place + size * draw.tiny() * draw.vector();
        triangle_error(x[0], x[1], x[2], x[3]);
        segments_error(x[0], x[1], x[2], x[3]);
    }
}

TEST(ClosestPoints, NumbersOfEverySizeGiveNumbers) {
    Draw draw(4);
    for (const double size : {5e-324, 1e-310, 1e-200, 1e-155, 1e-100, 1e100, 1e155, 1e200, 1e300, 1.7e308}) {
        for (int trial = 0; trial < 200; ++trial) {
            std::array<Vec3, 4> x;
            for (Vec3& corner : x) corner = size * draw.vector();
            const TriangleFoot foot = nearest_on_triangle(x[0], x[1], x[2], x[3]);
            const SegmentFeet feet = nearest_on_segments(x[0], x[1], x[2], x[3]);
            EXPECT_NEAR(foot.weight.sum(), 1, 4 * eps);
            EXPECT_TRUE(feet.s >= 0 && feet.s <= 1 && feet.t >= 0 && feet.t <= 1);
            EXPECT_FALSE(foot.offset.hasNaN() || feet.offset.hasNaN());
            EXPECT_FALSE(std::isnan(foot.squared) || std::isnan(feet.squared));
            if (size > 1e-300 && size < 1e300) {
                EXPECT_NEAR((foot.offset / size).norm(),
                            exact_triangle_distance(x[0], x[1], x[2], x[3]) / size, 1e-13);
                EXPECT_NEAR((feet.offset / size).norm(),
                            exact_segments_distance(x[0], x[1], x[2], x[3]) / size, 1e-13);
            }
        }
    }
}

}  // namespace
}  // namespace taut::elements

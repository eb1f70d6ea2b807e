// Bending stencils of one hinge, quad and yarn crossing: what they annihilate and what they measure.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>
#include <random>
#include <vector>

#include "taut/elements/hinge.hpp"
#include "taut/elements/quad_twist.hpp"
#include "taut/elements/yarn_curvature.hpp"

namespace taut::elements {
namespace {

Vec3 apply(const Stencil& s, const std::vector<Vec3>& x) {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < s.size; ++k) sum += s.coefficient[k] * x[k];
    return sum;
}

double apply(const Stencil& s, const std::vector<Vec2>& p, const std::function<double(const Vec2&)>& f) {
    double sum = 0;
    for (int k = 0; k < s.size; ++k) sum += s.coefficient[k] * f(p[k]);
    return sum;
}

TEST(Hinge, MeasuresEdgeLengthTimesFoldAngle) {
    const Vec3 a(0, 0, 0), b(0.3, 0, 0), c(0.1, 0.2, 0), d(0.25, -0.15, 0);
    const Stencil s = hinge_stencil(a, b, c, d);
    ASSERT_EQ(s.size, 4);
    EXPECT_LT(apply(s, {a, b, c, d}).norm(), 1e-15);
    for (double angle : {1e-4, -1e-3}) {
        const Vec3 folded = Eigen::AngleAxisd(angle, Vec3::UnitX()) * c;
        EXPECT_NEAR(apply(s, {a, b, folded, d}).norm(), 0.3 * std::abs(angle), 1e-3 * std::abs(angle));
    }
}

TEST(Hinge, IsTheSameForAFoldedRestShape) {
    const Vec3 a(0, 0, 0), b(0.3, 0, 0), c(0.1, 0.2, 0), d(0.25, -0.15, 0);
    const Vec3 folded = Eigen::AngleAxisd(0.7, Vec3::UnitX()) * c;
    const Stencil flat = hinge_stencil(a, b, c, d), bent = hinge_stencil(a, b, folded, d);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(flat.coefficient[k], bent.coefficient[k], 1e-12);
}

TEST(Hinge, RefusesNeedles) {
    EXPECT_EQ(hinge_stencil({0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}).size, 0);
    EXPECT_EQ(hinge_stencil({0, 0, 0}, {0, 0, 0}, {2, 0, 0}, {0, 1, 0}).size, 0);
}

TEST(QuadTwist, AnnihilatesLinearFunctionsOfAnyPlanarQuad) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> u(-0.3, 0.3);
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized()));
    for (int trial = 0; trial < 50; ++trial) {
        std::array<Vec3, 4> p{Vec3(u(random), u(random), 0), Vec3(1 + u(random), u(random), 0),
                              Vec3(1 + u(random), 1 + u(random), 0), Vec3(u(random), 1 + u(random), 0)};
        for (Vec3& q : p) q = turn * q + Vec3(3, -2, 1);
        const Stencil s = twist_stencil(flatten(p));
        ASSERT_EQ(s.size, 4);
        EXPECT_LT(apply(s, {p[0], p[1], p[2], p[3]}).norm(), 1e-13);
        EXPECT_NEAR(s.coefficient[0] + s.coefficient[1] + s.coefficient[2] + s.coefficient[3], 0, 1e-13);
    }
}

TEST(QuadTwist, IsTheMixedDerivativeOnParallelogramsAndTrapezoids) {
    const std::vector<std::array<Vec3, 4>> quads{
        {Vec3(0, 0, 0), Vec3(0.2, 0, 0), Vec3(0.25, 0.1, 0), Vec3(0.05, 0.1, 0)},
        {Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0), Vec3(0.14, 0.1, 0), Vec3(-0.14, 0.1, 0)}};
    for (const auto& p : quads) {
        const FlatQuad quad = flatten(p);
        const Stencil s = twist_stencil(quad);
        const std::vector<Vec2> corner(quad.corner.begin(), quad.corner.end());
        // Try all quadratics: only the part along both mid-lines counts.
        for (const auto& [uu, vv, uv] : {std::array{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}) {
            const auto f = [&](const Vec2& q) {
                return 0.5 * uu * q.x() * q.x() + 0.5 * vv * q.y() * q.y() + uv * q.x() * q.y();
            };
            const Eigen::Matrix2d h = (Eigen::Matrix2d() << uu, uv, uv, vv).finished();
            EXPECT_NEAR(apply(s, corner, f), quad.t1.dot(h * quad.t2), 1e-12);
        }
    }
}

TEST(QuadTwist, RefusesDegenerateQuads) {
    EXPECT_EQ(flatten({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)}).area, 0);
    EXPECT_EQ(flatten({Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)}).area, 0);
}

TEST(YarnCurvature, StraightYarnsNeedThreePointsAtAnySpacing) {
    const YarnCrossing c{{0.1, 0}, {-0.07, 0}, {0, 0.1}, {0, -0.1}, true};
    const Stencil s = curvature_stencil(c);
    ASSERT_EQ(s.size, 3);
    const std::vector<Vec2> p{Vec2::Zero(), c.next, c.previous};
    EXPECT_NEAR(apply(s, p, [](const Vec2& q) { return 0.5 * q.x() * q.x(); }), 1, 1e-12);
    EXPECT_NEAR(apply(s, p, [](const Vec2& q) { return 3 + 2 * q.x() - q.y(); }), 0, 1e-12);
}

TEST(YarnCurvature, CrookedYarnsIgnoreTheTurnInsideTheCloth) {
    for (bool has_right : {true, false}) {
        const YarnCrossing c{{0.1, 0.01}, {-0.09, 0.02}, {0.01, 0.1}, {-0.02, -0.11}, has_right};
        const Stencil s = curvature_stencil(c);
        ASSERT_EQ(s.size, has_right ? 5 : 4);
        const std::vector<Vec2> p{Vec2::Zero(), c.next, c.previous, c.left, c.right};
        EXPECT_NEAR(apply(s, p, [](const Vec2& q) { return 3 + 2 * q.x() - 5 * q.y(); }), 0, 1e-11);
        const Vec2 t = (c.next - c.previous).normalized();
        EXPECT_NEAR(apply(s, p, [&](const Vec2& q) { return 0.5 * q.dot(t) * q.dot(t); }), 1, 1e-12);
    }
}

TEST(YarnCurvature, RingOfAConeSeesOnlyTheRing) {
    // Mirror symmetry and equal spacing across: exact for every quadratic, not only along the ring.
    const YarnCrossing c{{0.1, -0.01}, {-0.1, -0.01}, {0, 0.05}, {0, -0.05}, true};
    const Stencil s = curvature_stencil(c);
    const std::vector<Vec2> p{Vec2::Zero(), c.next, c.previous, c.left, c.right};
    EXPECT_NEAR(apply(s, p, [](const Vec2& q) { return 0.5 * q.x() * q.x(); }), 1, 1e-12);
    EXPECT_NEAR(apply(s, p, [](const Vec2& q) { return q.x() * q.y(); }), 0, 1e-12);
    EXPECT_NEAR(apply(s, p, [](const Vec2& q) { return 0.5 * q.y() * q.y(); }), 0.01, 1e-3);
}

TEST(YarnCurvature, RefusesCollapsedAndFoldedCrossings) {
    EXPECT_EQ(curvature_stencil({{0, 0}, {-1, 0}, {0, 1}, {0, -1}, true}).size, 0);
    EXPECT_EQ(curvature_stencil({{1, 0.5}, {-1, 0.5}, {1, 0}, {-1, 0}, true}).size, 0);
}

}  // namespace
}  // namespace taut::elements

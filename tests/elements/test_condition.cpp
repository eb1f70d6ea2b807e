// Conditions of stretch and shear on one triangle: every derivative against differences, the positive forms
// against the spectrum, and the map from pattern to space.
#include "taut/elements/condition.hpp"

#include <gtest/gtest.h>

#include "base/random_points.hpp"
#include "dense_spectrum.hpp"
#include "derivative_check.hpp"
#include "taut/elements/material_triangle.hpp"

namespace taut::elements::condition_tests {
namespace {

using namespace taut::testing;

const StretchCondition stretch{3, 0.7, 1.1};
const ShearCondition shear{2, 0.4, 0.1};

// A direction of the given length, and a rate.
struct Moved {
    Vec3 w, rate;
};
Moved moved(double length, unsigned seed) {
    const Points p = random_points(2, 1, seed);
    return {length * p[0].normalized(), p[1]};
}

// Both directions of a triangle as one vector.
VectorXd joined(const Vec3& u, const Vec3& v) {
    VectorXd q(6);
    q << u, v;
    return q;
}

MatrixXd joined(const PairHessian& h) {
    MatrixXd m(6, 6);
    m << h.uu, h.uv, h.uv.transpose(), h.vv;
    return m;
}

TEST(MaterialTriangle, GivesDirectionsOfALinearMap) {
    const std::array<Vec2, 3> uv{Vec2(0.2, -0.1), Vec2(1.3, 0.4), Vec2(0.5, 0.9)};
    const Vec3 u(1, 0.2, -0.3), v(0.1, 0.8, 0.5), shift(4, 5, 6);
    // Turned the other way round too: the pattern may be mirrored.
    for (const std::array<int, 3>& order : {std::array{0, 1, 2}, std::array{0, 2, 1}}) {
        std::array<Vec2, 3> corner;
        std::array<Vec3, 3> x;
        for (int k = 0; k < 3; ++k) {
            corner[k] = uv[order[k]];
            x[k] = shift + corner[k].x() * u + corner[k].y() * v;
        }
        const MaterialTriangle t = material_triangle(corner);
        EXPECT_LT((combine(t.du, x[0], x[1], x[2]) - u).norm(), 1e-14);
        EXPECT_LT((combine(t.dv, x[0], x[1], x[2]) - v).norm(), 1e-14);
        EXPECT_NEAR(t.area, 0.5 * (1.1 * 1.0 - 0.3 * 0.5), 1e-15);
    }
    const MaterialTriangle none = material_triangle({Vec2(0, 0), Vec2(1, 1), Vec2(2, 2)});
    EXPECT_EQ(none.area, 0);
    EXPECT_EQ(combine(none.du, u, v, shift), Vec3(0, 0, 0));
}

TEST(StretchConditionElement, GradientAndHessianAgreeWithDifferences) {
    for (const double length : {0.3, 1.15, 1.4, 3.0}) {
        for (unsigned seed = 1; seed < 5; ++seed) {
            const auto [w, rate] = moved(length, seed);
            const Vec3 still = Vec3::Zero();
            EXPECT_TRUE(agrees(gradient_error([&](const VectorXd& q) { return stretch_energy(stretch, q); },
                                              w, stretch_gradient(stretch, w, still), 1e-3),
                               1e-8));
            const auto elastic = [&](const VectorXd& q) { return stretch_gradient(stretch, q, still); };
            EXPECT_TRUE(
                agrees(jacobian_error(elastic, w, stretch_hessian(stretch, w, still, Curvature::exact), 1e-3),
                       1e-8));
            const auto damped = [&](const VectorXd& q) { return stretch_gradient(stretch, w, q); };
            EXPECT_TRUE(agrees(jacobian_error(damped, rate, stretch_damping(stretch, w), 1e-2), 1e-10));
        }
    }
}

// In motion the Hessian keeps (k C + d C') d2C and leaves out d dC (d2C w')^T.
TEST(StretchConditionElement, InMotionTheTermThatIsNotSymmetricIsLeftOut) {
    for (unsigned seed = 1; seed < 5; ++seed) {
        const auto [w, rate] = moved(1.4, seed);
        const Vec3 n = w.normalized();
        const Mat3 second = (Mat3::Identity() - n * n.transpose()) / w.norm();
        const MatrixXd whole = stretch_hessian(stretch, w, rate, Curvature::exact) +
                               stretch.damping * n * (second * rate).transpose();
        const auto gradient = [&](const VectorXd& q) { return stretch_gradient(stretch, q, rate); };
        EXPECT_TRUE(agrees(jacobian_error(gradient, w, whole, 1e-3), 1e-8));
    }
}

TEST(StretchConditionElement, PositiveIsTheNearestPositiveMatrix) {
    for (const double length : {0.3, 0.9, 1.3, 2.0}) {
        const auto [w, rate] = moved(length, 7);
        for (const Vec3& motion : {Vec3(Vec3::Zero()), rate, Vec3(-rate)}) {
            const MatrixXd exact = stretch_hessian(stretch, w, motion, Curvature::exact);
            const MatrixXd positive = stretch_hessian(stretch, w, motion, Curvature::positive);
            const MatrixXd none = stretch_hessian(stretch, w, motion, Curvature::none);
            const std::vector<double> spectrum = symmetric_eigenvalues(exact);
            EXPECT_GE(symmetric_eigenvalues(positive).front(), -1e-14);
            EXPECT_GE(symmetric_eigenvalues(none).front(), -1e-14);
            if (spectrum.front() >= 0) {
                EXPECT_LT(largest(exact - positive), 1e-14);
            }
            // The distance is that of the eigenvalues below zero.
            double below = 0;
            for (const double value : spectrum) below += value < 0 ? value * value : 0;
            EXPECT_NEAR((exact - positive).squaredNorm(), below, 1e-12);
            const Vec3 n = w.normalized();
            EXPECT_LT(largest(none - stretch.stiffness * n * n.transpose()), 1e-14);
        }
    }
}

TEST(StretchConditionElement, NothingBreaksWithoutLength) {
    const Vec3 zero = Vec3::Zero(), rate(1, 2, 3);
    EXPECT_EQ(stretch_gradient(stretch, zero, rate), zero);
    EXPECT_TRUE(stretch_hessian(stretch, zero, rate, Curvature::exact).allFinite());
    EXPECT_EQ(stretch_damping(stretch, zero), Mat3(Mat3::Zero()));
}

TEST(ShearConditionElement, GradientAndHessianAgreeWithDifferences) {
    for (unsigned seed = 1; seed < 8; ++seed) {
        const Points p = random_points(4, 1, seed);
        const Vec3 zero = Vec3::Zero();
        const VectorXd w = joined(p[0], p[1]), rate = joined(p[2], p[3]);
        const auto gradient = [&](const VectorXd& q, const VectorXd& r) {
            const PairGradient g = shear_gradient(shear, q.head<3>(), q.tail<3>(), r.head<3>(), r.tail<3>());
            return joined(g.u, g.v);
        };
        const VectorXd still = VectorXd::Zero(6);
        EXPECT_TRUE(agrees(
            gradient_error([&](const VectorXd& q) { return shear_energy(shear, q.head<3>(), q.tail<3>()); },
                           w, gradient(w, still), 1e-2),
            1e-8));
        EXPECT_TRUE(agrees(
            jacobian_error([&](const VectorXd& q) { return gradient(q, still); }, w,
                           joined(shear_hessian(shear, p[0], p[1], zero, zero, Curvature::exact)), 1e-2),
            1e-8));
        EXPECT_TRUE(agrees(jacobian_error([&](const VectorXd& r) { return gradient(w, r); }, rate,
                                          joined(shear_damping(shear, p[0], p[1])), 1e-2),
                           1e-10));
        // In motion: d dC (d2C w')^T, with d2C w' = (w_v', w_u'), is left out.
        const MatrixXd whole = joined(shear_hessian(shear, p[0], p[1], p[2], p[3], Curvature::exact)) +
                               shear.damping * joined(p[1], p[0]) * joined(p[3], p[2]).transpose();
        EXPECT_TRUE(agrees(
            jacobian_error([&](const VectorXd& q) { return gradient(q, rate); }, w, whole, 1e-2), 1e-8));
    }
}

TEST(ShearConditionElement, PositiveIsTheNearestPositiveMatrix) {
    int definite = 0;
    for (unsigned seed = 1; seed < 30; ++seed) {
        Points p = random_points(4, 1, seed);
        // Along each other, against each other, and in no direction at all.
        if (seed == 1) p[1] = p[0];
        if (seed == 2) p[1] = -p[0];
        if (seed == 3) p[0] = p[1] = Vec3::Zero();
        const MatrixXd exact = joined(shear_hessian(shear, p[0], p[1], p[2], p[3], Curvature::exact));
        const MatrixXd positive = joined(shear_hessian(shear, p[0], p[1], p[2], p[3], Curvature::positive));
        const MatrixXd none = joined(shear_hessian(shear, p[0], p[1], p[2], p[3], Curvature::none));
        EXPECT_GE(symmetric_eigenvalues(positive).front(), -1e-13) << seed;
        EXPECT_GE(symmetric_eigenvalues(none).front(), -1e-13) << seed;
        double below = 0;
        for (const double value : symmetric_eigenvalues(exact)) below += value < 0 ? value * value : 0;
        EXPECT_NEAR((exact - positive).squaredNorm(), below, 1e-11) << seed;
        if (below == 0) ++definite;
    }
    // Without pull all three are the same.
    const Vec3 u(1, 0, 0), v(0.1, 2, 0), zero = Vec3::Zero();
    const MatrixXd exact = joined(shear_hessian(shear, u, v, zero, zero, Curvature::exact));
    EXPECT_LT(largest(exact - joined(shear_hessian(shear, u, v, zero, zero, Curvature::positive))), 1e-13);
    EXPECT_LT(largest(exact - joined(shear_hessian(shear, u, v, zero, zero, Curvature::none))), 1e-13);
    // Any pull makes the exact one indefinite: across w_u and w_v its eigenvalues are the pull and its
    // opposite.
    EXPECT_EQ(definite, 0);
}

}  // namespace
}  // namespace taut::elements::condition_tests

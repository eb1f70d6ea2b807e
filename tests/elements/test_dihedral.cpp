// The angle over an edge: closed form, sign, gradient and Hessian against differences from flat to sharply
// folded, and what rigid motion does to them.
#include "taut/elements/dihedral.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "base/random_points.hpp"
#include "derivative_check.hpp"

namespace taut::elements::dihedral_tests {
namespace {

using namespace taut::testing;

// Two uneven triangles over an edge along x, folded by an angle; positive is a ridge.
HingePoints folded(double angle) {
    const double half = 0.5 * angle;
    return {Vec3(0, 0, 0), Vec3(1.3, 0, 0), Vec3(0.3, 0.8 * std::cos(half), -0.8 * std::sin(half)),
            Vec3(1.6, -0.5 * std::cos(half), -0.5 * std::sin(half))};
}

// Turned and moved in space, so that no axis is special.
HingePoints turned(HingePoints x) {
    const Mat3 turn = Eigen::AngleAxisd(0.9, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    for (Vec3& p : x) p = turn * p + Vec3(0.4, -3, 2);
    return x;
}

VectorXd vector_of(const std::array<Vec3, 4>& x) {
    VectorXd q(12);
    q << x[0], x[1], x[2], x[3];
    return q;
}

HingePoints hinge_of(const VectorXd& q) {
    return {q.segment<3>(0), q.segment<3>(3), q.segment<3>(6), q.segment<3>(9)};
}

MatrixXd matrix_of(const HingeHessian& h) {
    MatrixXd m(12, 12);
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) m.block<3, 3>(3 * i, 3 * j) = h[i][j];
    }
    return m;
}

TEST(Dihedral, AngleIsThatOfTheFold) {
    for (const double angle : {-3.1, -2.0, -0.5, -1e-9, 0.0, 1e-9, 0.3, 1.6, 3.0, 3.14})
        EXPECT_NEAR(dihedral_angle(turned(folded(angle))), angle, 1e-12);
}

// From flat to almost closed, both ways; one hinge of random points besides.
TEST(Dihedral, GradientAndHessianAgreeWithDifferences) {
    std::vector<HingePoints> hinges;
    for (const double angle : {0.0, 1e-6, 0.3, -0.8, 1.5, -1.6, 2.5, -3.0, 3.0})
        hinges.push_back(turned(folded(angle)));
    for (unsigned seed = 1; seed < 4; ++seed) {
        const Points p = random_points(4, 0.2, seed);
        HingePoints x = turned(folded(1.0));
        for (int k = 0; k < 4; ++k) x[k] += p[k];
        hinges.push_back(x);
    }
    for (const HingePoints& x : hinges) {
        const VectorXd q = vector_of(x), gradient = vector_of(dihedral_gradient(x));
        const MatrixXd hessian = matrix_of(dihedral_hessian(x));
        EXPECT_TRUE(agrees(
            gradient_error([](const VectorXd& y) { return dihedral_angle(hinge_of(y)); }, q, gradient, 1e-3),
            1e-8));
        EXPECT_TRUE(
            agrees(jacobian_error([](const VectorXd& y) { return vector_of(dihedral_gradient(hinge_of(y))); },
                                  q, hessian, 1e-3),
                   1e-8));
        EXPECT_LT(largest(hessian - hessian.transpose()), 1e-13 * largest(hessian));
    }
}

TEST(Dihedral, RigidMotionChangesNoAngle) {
    const HingePoints x = turned(folded(1.2));
    const HingeGradient g = dihedral_gradient(x);
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    for (int k = 0; k < 4; ++k) {
        sum += g[k];
        moment += x[k].cross(g[k]);
    }
    EXPECT_LT(sum.norm(), 1e-14);
    EXPECT_LT(moment.norm(), 1e-13);
}

TEST(Dihedral, ATriangleWithoutAreaHasNoDerivatives) {
    HingePoints x = folded(0.5);
    x[2] = Vec3(0.4, 0, 0);
    for (const Vec3& g : dihedral_gradient(x)) EXPECT_EQ(g, Vec3(0, 0, 0));
    EXPECT_EQ(matrix_of(dihedral_hessian(x)).norm(), 0);
    EXPECT_TRUE(std::isfinite(dihedral_angle(x)));
    x[1] = x[0];
    EXPECT_TRUE(std::isfinite(dihedral_angle(x)));
}

}  // namespace
}  // namespace taut::elements::dihedral_tests

// The elements of the particle energies of House, DeVaul and Breen 1996: turns of yarns, trellis angles,
// wells of repelling and stretching. Closed forms; derivatives against differences.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "base/random_points.hpp"
#include "derivative_check.hpp"
#include "taut/elements/particle_well.hpp"
#include "taut/elements/trellis_angle.hpp"
#include "taut/elements/yarn_turn.hpp"

namespace taut::elements::particle_energy_tests {
namespace {

using namespace taut::testing;

VectorXd joined(const Vec3& a, const Vec3& b) {
    VectorXd q(6);
    q << a, b;
    return q;
}

Vec3 first(const VectorXd& q) { return q.segment<3>(0); }
Vec3 second(const VectorXd& q) { return q.segment<3>(3); }

MatrixXd matrix_of(const Mat3& aa, const Mat3& ab, const Mat3& bb) {
    MatrixXd m(6, 6);
    m << aa, ab, ab.transpose(), bb;
    return m;
}

// Two uneven edges with a turn between them, placed askew.
std::array<Vec3, 2> bent(double turn) {
    const Mat3 rotation = Eigen::AngleAxisd(0.7, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    return {rotation * Vec3(0.03, 0, 0), rotation * Vec3(0.02 * std::cos(turn), 0, 0.02 * std::sin(turn))};
}

TEST(YarnTurn, LengthIsTwiceTheSineOfHalfTheTurn) {
    for (const double turn : {0.0, 1e-9, 0.1, 1.0, 2.0, 3.1}) {
        const auto [d1, d2] = bent(turn);
        EXPECT_NEAR(yarn_turn(d1, d2).c.norm(), 2 * std::sin(turn / 2), 1e-14);
    }
    EXPECT_FALSE(yarn_turn(Vec3::Zero(), Vec3::UnitX()).sound);
}

// W(s) = s^2 + s^4 / 3.
TEST(YarnTurn, GradientAndHessianAgreeWithDifferences) {
    const auto energy = [](const VectorXd& q) {
        const double s = yarn_turn(first(q), second(q)).c.norm();
        return s * s + s * s * s * s / 3;
    };
    const auto gradient = [](const VectorXd& q) {
        const YarnTurn t = yarn_turn(first(q), second(q));
        const TurnGradient g = turn_gradient(t, (2 + 4 * t.c.squaredNorm() / 3) * t.c);
        return joined(g.d1, g.d2);
    };
    for (const double turn : {0.0, 1e-3, 0.3, -1.2, 2.5}) {
        const auto [d1, d2] = bent(turn);
        const VectorXd q = joined(d1, d2);
        if (turn != 0) {
            EXPECT_TRUE(agrees(gradient_error(energy, q, gradient(q), 1e-5), 1e-7)) << turn;
        }
        const double ss = yarn_turn(d1, d2).c.squaredNorm();
        const TurnHessian h = turn_hessian(yarn_turn(d1, d2), 2 + 4 * ss / 3, 2 + 4 * ss, true);
        EXPECT_TRUE(agrees(jacobian_error(gradient, q, matrix_of(h.d11, h.d12, h.d22), 1e-5), 1e-6)) << turn;
        const TurnHessian part = turn_hessian(yarn_turn(d1, d2), 2 + 4 * ss / 3, 2 + 4 * ss, false);
        const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(matrix_of(part.d11, part.d12, part.d22));
        EXPECT_GT(eigen.eigenvalues()[0], -1e-9 * eigen.eigenvalues()[5]) << turn;
    }
}

TEST(SignedTurn, IsPositiveToOneSideAndItsGradientAgrees) {
    const Mat3 rotation = Eigen::AngleAxisd(0.7, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    const Vec3 across = rotation * Vec3(0.004, 0.05, 0.003);
    for (const double turn : {-1.0, -0.1, 0.1, 1.0}) {
        const auto [d1, d2] = bent(turn);
        const SignedTurn s = signed_turn(yarn_turn(d1, d2), d1, d2, across);
        EXPECT_GT(s.value * turn, 0);
        EXPECT_NEAR(std::abs(s.value), 2 * std::sin(std::abs(turn) / 2), 0.02);
    }
    for (unsigned seed = 1; seed < 5; ++seed) {
        const Points p = random_points(3, 0.05, seed);
        VectorXd q(9);
        q << p[0], p[1], p[2];
        const auto value = [](const VectorXd& y) {
            const Vec3 d1 = y.segment<3>(0), d2 = y.segment<3>(3), side = y.segment<3>(6);
            return signed_turn(yarn_turn(d1, d2), d1, d2, side).value;
        };
        const SignedTurn s = signed_turn(yarn_turn(p[0], p[1]), p[0], p[1], p[2]);
        VectorXd g(9);
        g << s.d1, s.d2, s.q;
        EXPECT_TRUE(agrees(gradient_error(value, q, g, 1e-5), 1e-6)) << seed;
    }
}

TEST(TrellisAngle, IsWhatYarnsLeaveTheRightAngleBy) {
    for (const double angle : {-1.5, -0.4, 0.0, 1e-9, 0.7, 1.5}) {
        const Vec3 p(0.2, 0, 0), q = 0.3 * Vec3(std::sin(angle), 0, std::cos(angle));
        EXPECT_NEAR(trellis_angle(p, q), angle, 1e-14);
    }
    EXPECT_FALSE(trellis_gradient(Vec3::UnitX(), 2 * Vec3::UnitX()).sound);
    EXPECT_FALSE(trellis_gradient(Vec3::Zero(), Vec3::UnitX()).sound);
}

TEST(TrellisAngle, GradientAndHessianAgreeWithDifferences) {
    const auto value = [](const VectorXd& y) { return trellis_angle(first(y), second(y)); };
    const auto gradient = [](const VectorXd& y) {
        const TrellisGradient g = trellis_gradient(first(y), second(y));
        return joined(g.p, g.q);
    };
    for (unsigned seed = 1; seed < 6; ++seed) {
        const Points p = random_points(2, 1, seed);
        const VectorXd q = joined(p[0], p[1]);
        EXPECT_TRUE(agrees(gradient_error(value, q, gradient(q), 1e-3), 1e-7)) << seed;
        const TrellisHessian h = trellis_hessian(p[0], p[1]);
        EXPECT_TRUE(agrees(jacobian_error(gradient, q, matrix_of(h.pp, h.pq, h.qq), 1e-3), 1e-6)) << seed;
    }
}

// At the nominal distance value, slope and bend of both vanish; beyond it either is nothing.
TEST(ParticleWell, MeetsSmoothlyAtTheNominalDistance) {
    for (const double s : {0.01, 2.0}) {
        for (const auto& w :
             {repel_well(s, s), stretch_well(s, s), repel_well(1.3 * s, s), stretch_well(0.7 * s, s)}) {
            EXPECT_EQ(w.value, 0);
            EXPECT_EQ(w.slope, 0);
            EXPECT_EQ(w.bend, 0);
        }
        EXPECT_NEAR(stretch_well(2 * s, s).value, 1, 1e-14);
        EXPECT_NEAR(repel_well(0.5 * s, s).value, 1 / 16.0, 1e-14);
    }
}

TEST(ParticleWell, DerivativesAgreeWithDifferences) {
    const double s = 0.02;
    for (const auto well : {repel_well, stretch_well}) {
        for (const double r : {0.004, 0.012, 0.019, 0.021, 0.03, 0.05}) {
            const WellValue w = well(r, s);
            const double h = 1e-6;
            EXPECT_NEAR((well(r + h, s).value - well(r - h, s).value) / (2 * h), w.slope,
                        1e-4 * (1 + std::abs(w.slope)));
            EXPECT_NEAR((well(r + h, s).slope - well(r - h, s).slope) / (2 * h), w.bend,
                        1e-4 * (1 + std::abs(w.bend)));
        }
    }
    const Vec3 d(0.011, -0.004, 0.009);
    const auto gradient = [&](const VectorXd& y) {
        const Vec3 v = y;
        return VectorXd(repel_well(v.norm(), s).slope * v.normalized());
    };
    EXPECT_TRUE(
        agrees(jacobian_error(gradient, d, pair_block(repel_well(d.norm(), s), d, false), 1e-5), 1e-6));
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(pair_block(repel_well(d.norm(), s), d, true));
    EXPECT_GT(eigen.eigenvalues()[0], -1e-12 * eigen.eigenvalues()[2]);
}

}  // namespace
}  // namespace taut::elements::particle_energy_tests

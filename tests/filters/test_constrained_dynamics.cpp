// Constrained dynamics: Eq. 19 against dense solves, both iterative solvers, the law that constraints follow,
// Figures 5 and 10 of House et al. 1996, and contacts as constraints.
#include "taut/filters/constrained_dynamics.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "collision/touching.hpp"
#include "filters/multiplier_rig.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/stiff_springs.hpp"
#include "taut/integrators/symplectic_euler.hpp"

namespace taut::filters::multiplier_tests {
namespace {

std::unique_ptr<ConstrainedDynamics> exact(ConstrainedDynamicsParams params = exact_params(),
                                           std::vector<collision::Obstacle> obstacles = {}) {
    return std::make_unique<ConstrainedDynamics>(params, std::move(obstacles));
}

TEST(ConstrainedDynamics, IsEquation19OnASheet) {
    for (const auto& pins : {std::vector<int>{}, std::vector<int>{0, 4, 7}}) {
        Net net(testing::sheet(5, 4), exact(), pins);
        const FilterReport report = net.apply();
        const Eigen::VectorXd expected = dense_velocity(net, 2000, 30);
        EXPECT_LT((flat(net.v()) - expected).norm(), 1e-9 * expected.norm());
        EXPECT_LT(report.reached, 1e-11);
        EXPECT_GT(report.linear_iterations, 5);
    }
}

TEST(ConstrainedDynamics, ACorrectionTimeStandsForRatesThatGoWithTheStep) {
    ConstrainedDynamicsParams params = exact_params();
    params.feedback = "time";
    params.correction_time = 0.05;
    Net net(testing::sheet(5, 4), exact(params));
    net.apply();
    const Eigen::VectorXd expected = dense_velocity(net, 1 / (0.05 * 0.01), 1 / 0.01);
    EXPECT_LT((flat(net.v()) - expected).norm(), 1e-9 * expected.norm());
}

TEST(ConstrainedDynamics, HalfOfTheTurningTermKeepsLengthsInAStep) {
    // A free pair of particles turns about its middle: no feedback, so all that counts is what the step adds.
    double strain[2];
    for (int k = 0; k < 2; ++k) {
        ConstrainedDynamicsParams params = exact_params();
        params.ks = 0;
        params.kd = 100;
        params.turning = k == 0 ? 1 : 0.5;
        Net net(testing::chain(2, 1), exact(params));
        FilterProbe& p = net.probe;
        p.start = testing::at_rest(p.model);
        p.start.v = {Vec3(0, 0, -2), Vec3(0, 0, 2)};
        for (int n = 0; n < 50; ++n) {
            net.free = p.start.v;
            net.apply();
            p.start.x = p.end();
            p.start.v = net.v();
        }
        strain[k] = p.strain();
    }
    EXPECT_GT(strain[0], 0.02);
    EXPECT_LT(strain[1], 0.1 * strain[0]);
}

TEST(ConstrainedDynamics, BiconjugateGradientsAreConjugateGradientsAtTwiceTheProducts) {
    for (const char* preconditioner : {"none", "diagonal"}) {
        std::vector<double> ends[2];
        int iterations[2], products[2];
        for (int k = 0; k < 2; ++k) {
            ConstrainedDynamicsParams params = exact_params();
            params.solver = k == 0 ? "conjugate_gradient" : "biconjugate_gradient";
            params.preconditioner = preconditioner;
            params.linear_tolerance = 1e-6;
            Net net(testing::sheet(7, 6), exact(params), {0, 6});
            const FilterReport report = net.apply();
            iterations[k] = report.linear_iterations;
            products[k] = report.inner_iterations;
            ends[k].assign(net.filter->multipliers().begin(), net.filter->multipliers().end());
        }
        EXPECT_EQ(iterations[0], iterations[1]);
        EXPECT_EQ(products[1] - 1, 2 * (products[0] - 1));
        for (std::size_t i = 0; i < ends[0].size(); ++i)
            EXPECT_NEAR(ends[0][i], ends[1][i], 1e-9 * norm(ends[0])) << i;
    }
}

TEST(ConstrainedDynamics, ConstraintsFollowTheirFeedback) {
    // C'' = -ks C - kd C' in small steps: the strain of a turning net decays as that equation says.
    ConstrainedDynamicsParams params = exact_params();
    params.ks = 100;
    params.kd = 20;
    Net net(testing::sheet(4, 4), exact(params));
    FilterProbe& p = net.probe;
    p.context.dt = 1e-4;
    const DenseSystem start = dense_system(p);
    const double time = 0.1, steps = time / p.context.dt;
    Points free = p.start.v;
    for (int k = 0; k < int(steps); ++k) {
        net.free = p.start.v;
        net.apply();
        p.start.x = p.end();
        p.start.v = net.v();
    }
    // Critical damping at 10/s: C = (C0 + (C0' + 20/2 C0) t) exp(-10 t).
    const DenseSystem end = dense_system(p);
    const Eigen::VectorXd expected = std::exp(-10 * time) * (start.c + (start.speed + 10 * start.c) * time);
    EXPECT_LT((end.c - expected).norm(), 0.01 * start.c.norm());
}

TEST(ConstrainedDynamics, PulledChainAnswersAtItsFarEndInTheSameStep) {
    // Figure 5: a straight chain of 10 links is pulled at one end along itself.
    Net net(testing::chain(11, 1), exact());
    net.probe.start = testing::at_rest(net.probe.model);
    net.free = net.probe.start.v;
    const Vec3 along = (net.probe.model.rest[10] - net.probe.model.rest[0]).normalized();
    double mass = 0;
    for (double m : net.probe.model.mass) mass += m;
    net.free[10] = 0.1 / net.probe.model.mass[10] * along;
    net.apply();
    for (const Vec3& v : net.v()) EXPECT_LT((v - 0.1 / mass * along).norm(), 1e-10);
}

TEST(ConstrainedDynamics, ParticleBetweenTwoNails) {
    // Figure 10: no force in line; out of line exactly the force that counters what pulls.
    for (double aside : {0.0, 0.05}) {
        Model model = testing::chain(3, 2);
        const Vec3 middle(0, 0, aside);
        model.rest = {Vec3(-1, 0, 0), middle, Vec3(1, 0, 0)};
        for (double& l : model.rest_length) l = (model.rest[2] - middle).norm();
        Net net(model, exact(), {0, 2});
        net.probe.start = testing::at_rest(net.probe.model);
        net.free = net.probe.start.v;
        net.free[1] = Vec3(0, 0, -1);
        const FilterReport report = net.apply();
        EXPECT_LT((net.v()[1] - (aside > 0 ? Vec3::Zero() : net.free[1])).norm(), 1e-9) << aside;
        EXPECT_TRUE(report.held);
    }
}

TEST(ConstrainedDynamics, SystemsWithoutASolutionGiveTheirBestAndNoNumbersThatAreNone) {
    // A straight chain between pins that go apart: no velocity keeps its length.
    Net net(testing::chain(6, 1), exact(), {0, 5});
    net.probe.start = testing::at_rest(net.probe.model);
    net.free = net.probe.start.v;
    net.free[5] = net.probe.model.rest[5] - net.probe.model.rest[0];
    for (std::string solver : {"conjugate_gradient", "biconjugate_gradient"}) {
        const FilterReport report = net.apply();
        for (const Vec3& v : net.v()) EXPECT_TRUE(v.allFinite());
        EXPECT_GT(report.reached, 0.1);
        EXPECT_LT(report.reached, 1.0);
    }
}

TEST(ConstrainedDynamics, CollapsedEdgesAndSlackGiveNoNumbersThatAreNone) {
    Net net(testing::sheet(3, 3), exact());
    for (Vec3& p : net.probe.start.x) p = Vec3(1, 2, 3);
    EXPECT_FALSE(net.apply().residual > 1);
    for (const Vec3& v : net.v()) EXPECT_TRUE(v.allFinite());
}

TEST(ConstrainedDynamics, UnboundedFeedbackIsReported) {
    ConstrainedDynamicsParams params = exact_params();
    params.ks = 1e6;  // ks dt^2 = 100
    Net net(testing::sheet(4, 4), exact(params));
    FilterReport report;
    for (int k = 0; k < 20; ++k) {
        net.free = net.probe.start.v;
        report = net.apply();
        if (!report.held) break;
        net.probe.start.x = net.probe.end();
        net.probe.start.v = net.v();
    }
    EXPECT_FALSE(report.held);
    EXPECT_NE(report.note.find("ks dt^2"), std::string::npos) << report.note;
}

// One particle of 1 kg under gravity among obstacles.
struct Faller {
    explicit Faller(std::vector<collision::Obstacle> obstacles, const Vec3& at) {
        Model model;
        model.rest = {at};
        model.mass = {1};
        ConstrainedDynamicsParams params;
        params.thickness = 1e-3;
        probe = std::make_unique<FilterProbe>(model, exact(params, std::move(obstacles)));
        probe->context.dt = 1.0 / 120;
    }
    FilterReport step(const Vec3& acceleration = Vec3(0, 0, -9.81)) {
        State& s = probe->start;
        probe->candidate.v = {s.v[0] + probe->context.dt * acceleration};
        const FilterReport report = probe->again();
        s.x = probe->end();
        s.v = probe->candidate.v;
        s.t += probe->context.dt;
        return report;
    }
    std::unique_ptr<FilterProbe> probe;
};

TEST(ConstrainedDynamics, FallingParticleStopsAtTheThickness) {
    Faller p({testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.3)}, Vec3(0, 0, 0.5));
    for (int k = 0; k < 120; ++k) {
        p.step();
        EXPECT_GE(p.probe->start.x[0].z(), 1e-3);
    }
    EXPECT_NEAR(p.probe->start.x[0].z(), 1e-3, 1e-8);
}

TEST(ConstrainedDynamics, ContactsNeverPull) {
    Faller p({testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.3)}, Vec3(0, 0, 1e-3));
    const FilterReport report = p.step(Vec3(0, 0, 5));
    EXPECT_NEAR(p.probe->start.v[0].z(), 5 * p.probe->context.dt, 1e-14);
    EXPECT_EQ(report.contacts, 0);
}

TEST(ConstrainedDynamics, FrictionHoldsBelowItsAngleAndLetsGoAbove) {
    for (double degrees : {5.0, 21.0, 23.0, 60.0}) {
        const double a = degrees * M_PI / 180, mu = 0.4;
        const Vec3 normal(std::sin(a), 0, std::cos(a)), down(std::cos(a), 0, -std::sin(a));
        Faller p({testing::plane(Vec3::Zero(), normal, mu)}, (1e-3 + 1e-9) * normal);
        for (int k = 0; k < 60; ++k) EXPECT_EQ(p.step().contacts, 1);
        const double pull = 9.81 * (std::sin(a) - mu * std::cos(a));
        EXPECT_NEAR(p.probe->start.v[0].dot(down), std::tan(a) < mu ? 0 : pull * 0.5, 1e-6) << degrees;
    }
}

TEST(ConstrainedDynamics, MovingObstaclesPushAndCarry) {
    collision::Obstacle table = testing::box(Vec3(0, 0, -0.1), Vec3(1, 1, 0.1), 0.5);
    table.motion = Motion({{0, Vec3::Zero(), Vec3::Zero()}, {1, Vec3(0.4, 0, 0.5), Vec3::Zero()}},
                          Vec3::Zero(), Interpolation::linear);
    Faller p({table}, Vec3(0.3, 0, 1e-3 + 1e-9));
    for (int k = 0; k < 120; ++k) p.step();
    EXPECT_NEAR(p.probe->start.x[0].z(), 0.501, 1e-6);
    EXPECT_NEAR(p.probe->start.v[0].x(), 0.4, 1e-3);
}

TEST(ConstrainedDynamics, FastParticlesDoNotPassThinObstacles) {
    const collision::Obstacle plate = testing::box(Vec3::Zero(), Vec3(1, 1, 1e-3));
    for (double speed : {3.0, 50.0, 1e4}) {
        Faller p({plate}, Vec3(0.2, 0.1, 0.02));
        p.probe->start.v[0] = Vec3(0, 0, -speed);
        p.step();
        EXPECT_GE(p.probe->start.x[0].z(), 2e-3) << speed;
    }
}

TEST(ConstrainedDynamics, ContactsAreRowsOfTheSameSystem) {
    // A sheet pressed on a plane, without friction: the dense system with a row per touching vertex.
    const Vec3 normal = Vec3(0.2, 0.1, 1).normalized();
    Net net(testing::sheet(4, 3), exact(exact_params(), {testing::plane(Vec3(0, 0, -5), normal, 0)}));
    FilterProbe& p = net.probe;
    collision::Obstacle floor = testing::plane(Vec3::Zero(), normal, 0);
    double lowest = 1e9;
    for (const Vec3& x : p.start.x) lowest = std::min(lowest, normal.dot(x));
    floor.center = (lowest - 0.002) * normal;
    Net pressed(testing::sheet(4, 3), exact(exact_params(), {floor}));
    for (Vec3& v : pressed.free) v -= 8 * normal;
    const FilterReport report = pressed.apply();
    ASSERT_GT(report.contacts, 2);

    const DenseSystem s = dense_system(pressed.probe);
    const Eigen::Index m = s.j.rows(), k = report.contacts;
    Eigen::MatrixXd j = Eigen::MatrixXd::Zero(m + k, s.j.cols());
    j.topRows(m) = s.j;
    const double dt = pressed.probe.context.dt;
    Eigen::VectorXd b(m + k);
    b.head(m) =
        -s.jdot - s.j * (flat(pressed.free) - flat(pressed.probe.start.v)) / dt - 2000 * s.c - 30 * s.speed;
    for (Eigen::Index r = 0; r < k; ++r) {
        const auto i = std::size_t(pressed.probe.candidate.touches[std::size_t(r)].vertex);
        j.row(m + r).segment<3>(Eigen::Index(3 * i)) = normal.transpose();
        const double gap = normal.dot(pressed.probe.start.x[i] - floor.center) - 1e-3;
        b[m + r] = (-gap / dt - normal.dot(pressed.free[i])) / dt;
    }
    const Eigen::MatrixXd a = j * s.inverse_mass.asDiagonal() * j.transpose();
    const Eigen::VectorXd lambda = a.ldlt().solve(b);
    const Eigen::VectorXd expected =
        flat(pressed.free) + dt * (s.inverse_mass.asDiagonal() * (j.transpose() * lambda)).eval();
    for (Eigen::Index r = 0; r < k; ++r) EXPECT_GT(lambda[m + r], 0);
    EXPECT_LT((flat(pressed.v()) - expected).norm(), 1e-5 * expected.norm());
}

TEST(ConstrainedDynamics, ContactsCanBeSwitchedOff) {
    ConstrainedDynamicsParams params;
    params.contacts = false;
    Model model;
    model.rest = {Vec3(0, 0, 0.01)};
    model.mass = {1};
    FilterProbe p(model, exact(params, {testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.3)}));
    p.apply({Vec3(0, 0, -1)});
    EXPECT_NEAR(p.end()[0].z(), -1, 1e-12);
}

TEST(ConstrainedDynamics, MeshesAreRefused) {
    collision::Obstacle mesh;
    mesh.name = "dragon";
    mesh.shape = collision::Shape::mesh;
    auto shell = std::make_shared<collision::ObstacleMesh>();
    shell->triangles = {{0, 1, 2}};
    shell->rest = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
    mesh.mesh = shell;
    try {
        ConstrainedDynamics filter({}, {mesh});
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("convex"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace taut::filters::multiplier_tests

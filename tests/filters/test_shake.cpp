// SHAKE and RATTLE: constraint forces along the start directions, the two matrices, velocities without
// stretch, and a pendulum that keeps its energy and swings with second order.
#include "taut/filters/shake.hpp"

#include <gtest/gtest.h>

#include "filters/filter_probe.hpp"
#include "taut/base/error.hpp"
#include "taut/filters/rattle.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/integrators/velocity_verlet.hpp"
#include "taut/linalg/cholesky.hpp"
#include "taut/linalg/lu.hpp"

namespace taut::filters {
namespace {

using testing::FilterProbe;

template <class Filter>
std::unique_ptr<VelocityFilter> make(double tolerance, const std::string& matrix) {
    typename Filter::Params params;
    params.tolerance = tolerance;
    params.matrix = matrix;
    if (matrix == "newton") return std::make_unique<Filter>(params, std::make_unique<linalg::Lu>());
    return std::make_unique<Filter>(params, std::make_unique<linalg::Cholesky>());
}

// The end of a pinned link moves along the start direction only, to the root of a quadratic.
TEST(Shake, PushesAlongTheStartDirection) {
    for (const std::string matrix : {"newton", "symmetric"}) {
        FilterProbe p(testing::chain(2, 1), make<Shake>(1e-9, matrix), {0});
        const FilterReport report = p.apply({Vec3(0, 0, 0), Vec3(1.1, 0.3, 0)});
        EXPECT_TRUE(report.held) << matrix << report.note;
        EXPECT_LT((p.end()[1] - Vec3(std::sqrt(1 - 0.09), 0.3, 0)).norm(), 1e-8);
    }
}

TEST(Shake, BothMatricesLeadToTheSamePoint) {
    Points ends[2];
    for (int k = 0; k < 2; ++k) {
        FilterProbe p(testing::sheet(9, 8), make<Shake>(1e-8, k == 0 ? "newton" : "symmetric"), {0});
        const FilterReport report = p.apply(testing::blown(p.model, 0.01, 4));
        EXPECT_TRUE(report.held) << report.note;
        ends[k] = p.end();
    }
    EXPECT_LT(testing::farthest(ends[0], ends[1]), 1e-7);
}

TEST(Shake, RefusesASymmetricSolverForNewtonsMatrix) {
    EXPECT_THROW(Shake({}, std::make_unique<linalg::Cholesky>()), InputError);
}

TEST(Rattle, EndVelocityChangesNoLength) {
    FilterProbe p(testing::sheet(9, 8), make<Rattle>(1e-8, "newton"), {0});
    EXPECT_TRUE(p.apply(testing::blown(p.model, 0.01, 4)).held);
    State end{p.end(), testing::random_points(72, 1.0, 2), 0};
    end.v[0].setZero();
    const Vec3 before = testing::momentum(p.model, end.v);
    p.filter->apply_end_velocity(p.context, p.candidate, end);
    for (const mesh::Edge& edge : p.model.edges) {
        const Vec3 d = end.x[std::size_t(edge.b)] - end.x[std::size_t(edge.a)];
        EXPECT_LT(std::abs(d.dot(end.v[std::size_t(edge.b)] - end.v[std::size_t(edge.a)])), 1e-8);
    }
    EXPECT_EQ(end.v[0], Vec3(0, 0, 0));
    EXPECT_GT((testing::momentum(p.model, end.v) - before).norm(), 1e-6);  // the pin takes some
}

// A pendulum released level; returns its height after the time, and the largest change of energy.
std::pair<double, double> swing(double dt, double time) {
    Model model = testing::chain(2, 1);
    State start = testing::at_rest(model);
    model.pins.push_back(testing::pin({0}, start.x));
    Pipeline pipeline = testing::pipeline(std::make_unique<integrators::VelocityVerlet>(),
                                          std::make_unique<forces::Gravity>(forces::GravityParams{}));
    pipeline.filters.push_back(make<Rattle>(1e-9, "newton"));
    Simulation simulation(model, start, std::move(pipeline), {});
    const double mass = model.mass[1];
    double worst = 0;
    for (long n = std::lround(time / dt); n > 0; --n) {
        const StepResult r = testing::step(simulation, dt);
        EXPECT_TRUE(r.report.held) << r.report.note;
        const double energy = 0.5 * mass * r.state.v[1].squaredNorm() + 9.81 * mass * r.state.x[1].z();
        worst = std::max(worst, std::abs(energy));
    }
    return {simulation.state().x[1].z(), worst / (9.81 * mass)};
}

TEST(Rattle, PendulumKeepsItsEnergyAndConvergesWithOrderTwo) {
    const auto [a, drift_a] = swing(0.01, 1);
    const auto [b, drift_b] = swing(0.005, 1);
    const auto [c, drift_c] = swing(0.0025, 1);
    EXPECT_NEAR(std::log2((a - b) / (b - c)), 2, 0.3);
    EXPECT_LT(drift_a, 0.01);
    EXPECT_NEAR(std::log2(drift_b / drift_c), 2, 0.3);
}

}  // namespace
}  // namespace taut::filters

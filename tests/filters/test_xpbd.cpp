// Position-based dynamics: free motion passes, compliance stretches as a spring does, more substeps leave
// less strain, edges are coloured without conflict, and the end velocity is that of the end.
#include "taut/filters/xpbd.hpp"

#include <gtest/gtest.h>

#include <set>

#include "filters/filter_probe.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/velocity_damping.hpp"
#include "taut/integrators/symplectic_euler.hpp"

namespace taut::filters {
namespace {

using testing::FilterProbe;

std::unique_ptr<Force> gravity() { return std::make_unique<forces::Gravity>(forces::GravityParams{}); }

Simulation hanging(Model model, const XpbdParams& params, double damping) {
    State start = testing::at_rest(model);
    model.pins.push_back(testing::pin({0}, start.x));
    Pipeline pipeline =
        testing::pipeline(std::make_unique<integrators::SymplecticEuler>(), gravity(),
                          std::make_unique<forces::VelocityDamping>(forces::VelocityDampingParams{damping}));
    pipeline.filters.push_back(std::make_unique<Xpbd>(params));
    return Simulation(model, start, std::move(pipeline), {});
}

// Falling freely there is nothing to correct: the motion is that of the substeps.
TEST(Xpbd, FreeFallPasses) {
    Model model = testing::sheet(5, 5);
    Pipeline pipeline = testing::pipeline(std::make_unique<integrators::SymplecticEuler>(), gravity());
    pipeline.filters.push_back(std::make_unique<Xpbd>(XpbdParams{}));
    Simulation simulation(model, testing::at_rest(model), std::move(pipeline), {});
    const double dt = 0.02, h = dt / 20;
    for (int n = 1; n <= 10; ++n) {
        const StepResult r = testing::step(simulation, dt);
        EXPECT_NEAR(r.state.x[12].z(), -9.81 * h * h * 20 * n * (20 * n + 1) / 2, 1e-12);
        EXPECT_NEAR(r.state.v[12].z(), -9.81 * n * dt, 1e-10);
    }
}

// Without forces and pins momentum is that of the start.
TEST(Xpbd, KeepsMomentum) {
    Model model = testing::sheet(6, 5);
    State start = testing::at_rest(model);
    start.v = testing::random_points(30, 1, 4);
    Pipeline pipeline = testing::pipeline(std::make_unique<integrators::SymplecticEuler>());
    pipeline.filters.push_back(std::make_unique<Xpbd>(XpbdParams{}));
    Simulation simulation(model, start, std::move(pipeline), {});
    for (int n = 0; n < 10; ++n) testing::step(simulation, 0.01);
    EXPECT_LT((testing::momentum(model, simulation.state().v) - testing::momentum(model, start.v)).norm(),
              1e-12);
}

// At rest a link of compliance a under the weight m g is longer by a m g.
TEST(Xpbd, ComplianceIsTheInverseOfAStiffness) {
    Model model = testing::chain(2, 1);
    Simulation simulation = hanging(model, {0.5, 50, 1, 0.05}, 20);
    for (int n = 0; n < 600; ++n) testing::step(simulation, 0.01);
    const Vec3 end = simulation.state().x[1];
    EXPECT_NEAR(end.norm(), 1 + 0.05 * model.mass[1] * 9.81, 2e-4);
}

TEST(Xpbd, MoreSubstepsLeaveLessStrain) {
    double last = 10;
    for (int substeps : {2, 8, 32, 128}) {
        Simulation simulation = hanging(testing::chain(30, 1), {0.5, substeps, 1, 0}, 1);
        double worst = 0;
        for (int n = 0; n < 60; ++n) {
            worst = std::max(worst, testing::step(simulation, 1.0 / 60).report.max_strain());
        }
        EXPECT_LT(worst, 0.5 * last) << substeps;
        last = worst;
    }
}

// A rigid pendulum swings through its lowest point with the speed that its height gives.
TEST(Xpbd, EndVelocityIsThatOfTheLastSubstep) {
    Simulation simulation = hanging(testing::chain(2, 1), {0.5, 50, 4, 0}, 0);
    double energy = 0;
    const double mass = simulation.model().mass[1];
    for (int n = 0; n < 30; ++n) {
        const StepResult r = testing::step(simulation, 1.0 / 60);
        const Vec3 x = r.state.x[1], v = r.state.v[1];
        energy = 0.5 * mass * v.squaredNorm() + mass * 9.81 * x.z();
        EXPECT_NEAR(x.dot(v) / (x.norm() * v.norm()), 0, 0.01);
    }
    EXPECT_NEAR(energy / (mass * 9.81), 0, 0.02);
}

TEST(Xpbd, ColoursShareNoVertex) {
    for (const Model& model : {testing::sheet(9, 8), testing::sleeve(7, 5), testing::chain(6)}) {
        constraints::EdgeLength constraint;
        constraint.prepare(model);
        std::vector<GraphEdge> edges = edges_of(constraint);
        const std::size_t count = edges.size();
        const std::vector<std::size_t> start = sort_by_color(model.vertex_count(), edges);
        ASSERT_EQ(edges.size(), count);
        EXPECT_EQ(start.back(), count);
        EXPECT_LE(start.size() - 1, 7u);
        for (std::size_t c = 0; c + 1 < start.size(); ++c) {
            std::set<int> seen;
            for (std::size_t e = start[c]; e < start[c + 1]; ++e) {
                EXPECT_TRUE(seen.insert(edges[e].a).second);
                EXPECT_TRUE(seen.insert(edges[e].b).second);
            }
        }
    }
}

}  // namespace
}  // namespace taut::filters

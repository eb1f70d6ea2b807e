// Stiff springs: closed form, derivatives, momentum, bounds; and with backward Euler a hanging chain whose
// links carry what hangs below them.
#include "taut/forces/stiff_springs.hpp"

#include "forces/force_probe.hpp"
#include "sim/cloths.hpp"
#include "taut/base/parallel.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/velocity_damping.hpp"
#include "taut/integrators/backward_euler.hpp"

namespace taut::forces::stiff_springs_tests {
namespace {

using namespace taut::testing;

StiffSprings prepared(const Model& model, double stiffness) {
    StiffSprings springs({stiffness});
    springs.prepare(model);
    return springs;
}

// Tension is stiffness times strain, whatever the length of the edge.
TEST(StiffSprings, TensionIsStiffnessTimesStrain) {
    for (int vertices : {2, 5}) {
        const Model model = chain(vertices, 2);
        const StiffSprings springs = prepared(model, 30);
        Points x = model.rest;
        for (Vec3& p : x) p *= 1.1;
        EXPECT_NEAR(force_at(springs, x)[0].x(), 3, 1e-12);
        EXPECT_NEAR(springs.energy(x), 0.5 * 30 * 0.01 * 2, 1e-12);
    }
}

TEST(StiffSprings, ForceIsTheGradientAndInternal) {
    const Model model = sleeve(7, 5);
    const StiffSprings springs = prepared(model, 3.0);
    for (unsigned seed : {1u, 2u, 3u}) {
        const Points x = shaken(model.rest, 0.05, seed);
        expect_force_is_minus_gradient(springs, x, 1e-4, 1e-6);
        expect_internal(springs, x, 1e-12);
    }
}

TEST(StiffSprings, HessianIsExactWhereAllPull) {
    const Model model = sleeve(7, 5);
    const StiffSprings springs = prepared(model, 3.0);
    Points x = shaken(model.rest, 0.01, 4);
    for (Vec3& p : x) p *= 1.5;
    const MatrixXd hessian = dense_hessian(springs, x);
    const auto gradient = [&](const VectorXd& q) {
        return VectorXd(-vector_of(force_at(springs, points_of(q))));
    };
    EXPECT_TRUE(agrees(jacobian_error(gradient, vector_of(x), hessian, 1e-5), 1e-6));
}

TEST(StiffSprings, HessianIsPositiveAndBoundedByTheMajorant) {
    const Model model = sleeve(7, 5);
    const StiffSprings springs = prepared(model, 3.0);
    const Points x = shaken(model.rest, 0.08, 5);
    const MatrixXd hessian = dense_hessian(springs, x);
    const MatrixXd k = dense_stiffness(springs, model.vertex_count());
    EXPECT_GE(symmetric_eigenvalues(hessian).front(), -1e-9 * largest(k));
    EXPECT_GE(majorant_gap(springs, x, 1e-5), -1e-6 * largest(k));
}

TEST(StiffSprings, SameBitsForAnyThreadCount) {
    const Model model = sheet(80, 60);
    const StiffSprings springs = prepared(model, 5);
    const Points x = shaken(model.rest, 0.003, 6);
    const Points many = force_at(springs, x);
    const double energy = springs.energy(x);
    const ThreadLimit one(1);
    EXPECT_EQ(force_at(springs, x), many);
    EXPECT_EQ(springs.energy(x), energy);
}

// At rest link k of a hanging chain is strained by the weight below it over the stiffness.
TEST(StiffSprings, HangingChainCarriesItsWeight) {
    Model model = chain(11, 1);
    State start = at_rest(model);
    for (Vec3& p : start.x) p = Vec3(0, 0, -p.x());
    model.pins.push_back(pin({0}, start.x));
    Simulation simulation(
        model, start,
        pipeline(std::make_unique<integrators::BackwardEuler>(), std::make_unique<Gravity>(GravityParams{}),
                 std::make_unique<VelocityDamping>(VelocityDampingParams{5}),
                 std::make_unique<StiffSprings>(StiffSpringsParams{20})),
        {});
    for (int n = 0; n < 400; ++n) {
        const StepResult r = step(simulation, 0.02);
        EXPECT_TRUE(r.report.held) << r.report.note;
    }
    double below = 0;
    for (std::size_t k = 10; k >= 1; --k) {
        below += model.mass[k] * 9.81;
        const double length = (simulation.state().x[k] - simulation.state().x[k - 1]).norm();
        EXPECT_NEAR(length / 0.1 - 1, below / 20, 1e-6) << k;
    }
}

// A step far beyond what springs of this stiffness allow an explicit method.
TEST(StiffSprings, BackwardEulerIsStableAtLongSteps) {
    Model model = sheet(12, 12);
    State start = at_rest(model);
    model.pins.push_back(pin({0, 11}, start.x));
    Simulation simulation(
        model, start,
        pipeline(std::make_unique<integrators::BackwardEuler>(), std::make_unique<Gravity>(GravityParams{}),
                 std::make_unique<StiffSprings>(StiffSpringsParams{5000})),
        {});
    double energy = simulation.totals().energy_start;
    for (int n = 0; n < 60; ++n) {
        const StepResult r = step(simulation, 1.0 / 60);
        EXPECT_TRUE(r.report.held) << r.report.note;
        EXPECT_LE(r.report.energy(), energy + 1e-6);
        energy = r.report.energy();
        EXPECT_LT(r.report.max_strain(), 0.02);
    }
}

}  // namespace
}  // namespace taut::forces::stiff_springs_tests

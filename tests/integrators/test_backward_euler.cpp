// Backward Euler with damped conditions: Newton converges, damping takes energy and no momentum, and short
// steps lead where those of baraff_witkin do.
#include "taut/integrators/backward_euler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/cloths.hpp"
#include "taut/forces/bend_condition.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/shear_condition.hpp"
#include "taut/forces/stretch_condition.hpp"
#include "taut/integrators/baraff_witkin.hpp"

namespace taut::integrators::damped_conditions {
namespace {

constexpr int side = 6;

template <class I>
std::unique_ptr<I> precise() {
    typename I::Params params;
    params.tolerance = 1e-9;
    if constexpr (std::is_same_v<I, BaraffWitkin>) params.stretch_change = 0;
    return std::make_unique<I>(params);
}

// A shaken sheet with springs of moderate stiffness, damped by `damping` [s]; held by a side where `pinned`.
Simulation damped_sheet(std::unique_ptr<Integrator> integrator, double damping, bool pinned, bool weight,
                        double shake = 0.01) {
    Model model = testing::sheet(side, side, 0.5, 0.5);
    State start = testing::at_rest(model);
    start.x = testing::shaken(model.rest, shake, 5);
    for (std::size_t i = 0; i < start.v.size(); ++i) start.v[i] = Vec3(0.1, -0.2, std::sin(3.0 * double(i)));
    if (pinned) {
        std::vector<int> row(side);
        for (int i = 0; i < side; ++i) row[std::size_t(i)] = i;
        model.pins.push_back(testing::pin(row, start.x));
        for (int i : row) start.v[std::size_t(i)].setZero();
    }
    forces::StretchConditionParams stretch;
    stretch.weft = stretch.warp = 50;
    forces::ShearConditionParams shear;
    forces::BendConditionParams bend;
    bend.weft = bend.warp = 1e-4;
    stretch.damping = shear.damping = bend.damping = damping;
    Pipeline pipeline = testing::pipeline(
        std::move(integrator), std::make_unique<forces::StretchCondition>(stretch),
        std::make_unique<forces::ShearCondition>(shear), std::make_unique<forces::BendCondition>(bend));
    if (weight) pipeline.forces.push_back(std::make_unique<forces::Gravity>(forces::GravityParams{}));
    return Simulation(std::move(model), std::move(start), std::move(pipeline), {});
}

State after(Simulation simulation, double dt, int steps) {
    for (int k = 0; k < steps; ++k) {
        const StepResult r = testing::step(simulation, dt);
        EXPECT_EQ(r.report.note, "") << k;
    }
    return simulation.state();
}

double distance(const State& a, const State& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i) most = std::max(most, (a.x[i] - b.x[i]).norm());
    return most;
}

// Hessians made positive leave Newton linear convergence in long violent steps, damped or not: it has time.
TEST(DampedConditions, NewtonConvergesAndEnergyDecays) {
    BackwardEulerParams patient;
    patient.tolerance = 1e-6;
    patient.max_iterations = 300;
    for (const double damping : {0.0, 0.002, 0.05, 1.0}) {
        for (const double dt : {0.001, 0.01, 0.05}) {
            Simulation simulation =
                damped_sheet(std::make_unique<BackwardEuler>(patient), damping, true, false);
            double energy = simulation.totals().energy_start;
            for (int k = 0; k < 20; ++k) {
                const StepResult r = testing::step(simulation, dt);
                EXPECT_EQ(r.report.note, "") << damping << " " << dt << " " << k;
                EXPECT_LE(r.report.energy(), energy * (1 + 1e-9)) << damping << " " << dt << " " << k;
                energy = r.report.energy();
            }
        }
    }
}

// As long as it is less than critical.
TEST(DampedConditions, MoreDampingTakesMoreEnergy) {
    double left = 1e300;
    for (const double damping : {0.0, 0.0005, 0.002}) {
        Simulation simulation = damped_sheet(precise<BackwardEuler>(), damping, true, false);
        double energy = 0;
        for (int k = 0; k < 100; ++k) energy = testing::step(simulation, 2e-4).report.energy();
        EXPECT_LT(energy, 0.95 * left) << damping;
        left = energy;
    }
}

TEST(DampedConditions, KeepMomentum) {
    Simulation simulation = damped_sheet(precise<BackwardEuler>(), 0.02, false, false);
    const Vec3 before = testing::momentum(simulation.model(), simulation.state().v);
    for (int k = 0; k < 20; ++k) testing::step(simulation, 0.01);
    EXPECT_LT((testing::momentum(simulation.model(), simulation.state().v) - before).norm(), 1e-9);
}

// Both are of first order: their difference shrinks with the step.
TEST(DampedConditions, ShortStepsAgreeWithBaraffWitkin) {
    double before = 0;
    for (const int steps : {50, 100, 200, 400}) {
        const double dt = 0.05 / steps;
        const State newton = after(damped_sheet(precise<BackwardEuler>(), 0.01, true, true), dt, steps);
        const State linear = after(damped_sheet(precise<BaraffWitkin>(), 0.01, true, true), dt, steps);
        const double apart = distance(newton, linear);
        if (before > 0) {
            EXPECT_LT(apart, 0.65 * before) << steps;
        }
        before = apart;
    }
    EXPECT_LT(before, 1e-3);  // of a way of 5 cm
}

}  // namespace
}  // namespace taut::integrators::damped_conditions

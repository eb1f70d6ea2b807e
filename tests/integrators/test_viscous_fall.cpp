// Falling through a viscous medium: the velocity in closed form at every step, terminal velocity, free fall
// without a medium, energy that never grows, and no limit beyond that of the other explicit steps.
#include "taut/integrators/viscous_fall.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/cloths.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/stiff_springs.hpp"
#include "taut/sim/step_statistics.hpp"

namespace taut::integrators::viscous_fall_tests {
namespace {

using testing::step;

constexpr double g = 9.81;

std::unique_ptr<Integrator> medium(double viscosity) {
    return std::make_unique<ViscousFall>(ViscousFallParams{viscosity});
}

Simulation falling(double viscosity, const Vec3& v0) {
    Model model = testing::sheet(3, 3);
    State start = testing::at_rest(model);
    for (Vec3& v : start.v) v = v0;
    return Simulation(
        std::move(model), std::move(start),
        testing::pipeline(medium(viscosity), std::make_unique<forces::Gravity>(forces::GravityParams{})), {});
}

TEST(ViscousFall, VelocityIsExactForAnySteps) {
    const Vec3 v0(3, 0, 1);
    for (double k : {1e-6, 0.5, 4.0, 300.0}) {
        Simulation simulation = falling(k, v0);
        double t = 0;
        for (double dt : {0.01, 0.002, 0.1, 0.03}) {
            step(simulation, dt);
            t += dt;
            const Vec3 end(0, 0, -g / k);
            const Vec3 exact = std::exp(-k * t) * v0 - std::expm1(-k * t) * end;
            for (const Vec3& v : simulation.state().v) EXPECT_LT((v - exact).norm(), 1e-9) << k;
        }
    }
}

// The way is dt times the velocity at the end: first order.
TEST(ViscousFall, TheWayIsFirstOrder) {
    const double k = 2, t = 0.5;
    const auto error = [&](int steps) {
        Simulation simulation = falling(k, Vec3::Zero());
        for (int s = 0; s < steps; ++s) step(simulation, t / steps);
        const double exact = -g / k * (t + std::expm1(-k * t) / k);
        return std::abs(simulation.state().x[0].z() - exact);
    };
    EXPECT_NEAR(error(20) / error(40), 2, 0.05);
    EXPECT_LT(error(1000), 2e-3);
}

TEST(ViscousFall, FallingEndsAtItsTerminalVelocity) {
    Simulation simulation = falling(5, Vec3(0, 2, 0));
    for (int s = 0; s < 200; ++s) step(simulation, 0.05);
    for (const Vec3& v : simulation.state().v) EXPECT_LT((v - Vec3(0, 0, -g / 5)).norm(), 1e-9);
}

TEST(ViscousFall, WithoutAMediumItIsFreeFall) {
    Simulation simulation = falling(0, Vec3::Zero());
    const int n = 30;
    const double dt = 0.01;
    for (int s = 0; s < n; ++s) step(simulation, dt);
    EXPECT_NEAR(simulation.state().v[4].z(), -g * n * dt, 1e-12);
    EXPECT_NEAR(simulation.state().x[4].z(), -g * dt * dt * n * (n + 1) / 2, 1e-12);
}

TEST(ViscousFall, EnergyNeverGrows) {
    for (double k : {0.0, 0.3, 10.0, 1e5}) {
        for (double dt : {1e-3, 0.1, 10.0}) {
            Simulation simulation = falling(k, Vec3(1, 0, 5));
            const auto energy = [&] {
                return total_energy(simulation.model(), simulation.state(), simulation.pipeline().forces);
            };
            double before = energy();
            for (int s = 0; s < 50; ++s) {
                step(simulation, dt);
                const double after = energy();
                EXPECT_LE(after, before + 1e-9 * std::abs(before)) << k << " " << dt;
                before = after;
            }
        }
    }
}

// Springs in the step are stable as far as it says.
TEST(ViscousFall, StableUpToItsLongestStep) {
    const double stiffness = 50;
    for (double viscosity : {0.0, 20.0}) {
        Model model = testing::chain(2);
        const double omega = std::sqrt(stiffness * (1 / model.mass[0] + 1 / model.mass[1]));
        State start = testing::at_rest(model);
        start.x[1] += Vec3(0.01, 0, 0);
        auto integrator = medium(viscosity);
        const double dt = 0.99 * integrator->longest_step(omega);
        Simulation simulation(
            std::move(model), std::move(start),
            testing::pipeline(std::move(integrator),
                              std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{stiffness})),
            {});
        for (int s = 0; s < 2000; ++s) step(simulation, dt);
        EXPECT_LT((simulation.state().x[1] - simulation.state().x[0]).norm(), 1.2);
    }
}

}  // namespace
}  // namespace taut::integrators::viscous_fall_tests

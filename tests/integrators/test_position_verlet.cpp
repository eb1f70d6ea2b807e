// Position Verlet: free fall and the oscillator in closed form with and without damping, the limit of
// stability, places and step lengths that do not matter, its kinship with the other explicit steps, and the
// damped inertia as filters see it.
#include "taut/integrators/position_verlet.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "sim/cloths.hpp"
#include "taut/filters/icd.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/shear_springs.hpp"
#include "taut/forces/stiff_springs.hpp"
#include "taut/forces/velocity_damping.hpp"
#include "taut/integrators/symplectic_euler.hpp"
#include "taut/integrators/velocity_verlet.hpp"
#include "taut/linalg/ldlt.hpp"
#include "taut/scene/registry.hpp"

namespace taut::integrators::position_verlet_tests {
namespace {

using testing::step;

const double g = 9.81;

std::unique_ptr<Integrator> verlet(double multiplier, double per = 0) {
    return std::make_unique<PositionVerlet>(PositionVerletParams{multiplier, per});
}

// Two vertices that move along x with the given velocity, without forces.
Simulation coasting(double multiplier, double per, double v0) {
    const Model model = testing::chain(2);
    State start = testing::at_rest(model);
    for (Vec3& v : start.v) v = Vec3(v0, 0, 0);
    return Simulation(model, start, testing::pipeline(verlet(multiplier, per)), {});
}

// Offsets from rest of a mass on a spring that starts at offset u0 with velocity v0, in steps of 0.01 s.
std::vector<double> swing(double multiplier, double omega_dt, double u0, double v0, int steps) {
    const double dt = 0.01;
    Model model = testing::chain(2);
    model.pins.push_back(testing::pin({0}, model.rest));
    State start = testing::at_rest(model);
    start.x[1].x() += u0;
    start.v[1].x() = v0;
    const double stiffness = model.mass[1] * omega_dt * omega_dt / (dt * dt);
    auto spring = std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{stiffness});
    Simulation simulation(model, start, testing::pipeline(verlet(multiplier), std::move(spring)), {});
    std::vector<double> offsets{u0};
    for (int n = 0; n < steps; ++n) offsets.push_back(step(simulation, dt).state.x[1].x() - 1);
    return offsets;
}

// Roots of r^2 - (1 + c - w^2) r + c.
std::array<std::complex<double>, 2> roots(double c, double w) {
    const double half = 0.5 * (1 + c - w * w);
    const std::complex<double> reach = std::sqrt(std::complex<double>(half * half - c));
    return {half + reach, half - reach};
}

// v_n = c^n v_0 + a dt (1 - c^n) / (1 - c), and positions by summing; a terminal velocity in place of a
// parabola.
TEST(PositionVerlet, FreeFallHasItsClosedForm) {
    const double dt = 0.01, v0 = 3;
    for (double c : {1.0, 0.99, 0.7, 0.0}) {
        const Model model = testing::chain(2);
        State start = testing::at_rest(model);
        for (Vec3& v : start.v) v = Vec3(1, 0, v0);
        auto gravity = std::make_unique<forces::Gravity>(forces::GravityParams{});
        Simulation simulation(model, start, testing::pipeline(verlet(c), std::move(gravity)), {});
        for (int n = 1; n <= 50; ++n) {
            const StepResult r = step(simulation, dt);
            // Sums of c^k over k = 1 .. n, and of these sums.
            const double power = std::pow(c, n), sum = c == 1 ? n : c * (1 - power) / (1 - c);
            const double speed = c == 1 ? n : (1 - power) / (1 - c);
            const double way = c == 1 ? 0.5 * n * (n + 1) : (n - sum) / (1 - c);
            EXPECT_NEAR(r.state.v[0].z(), power * v0 - g * dt * speed, 1e-12) << c << " " << n;
            EXPECT_NEAR(r.state.x[0].z(), dt * v0 * sum - g * dt * dt * way, 1e-12) << c << " " << n;
            EXPECT_NEAR(r.state.x[0].x(), dt * sum, 1e-12) << c << " " << n;
        }
        if (c == 0.7) {
            EXPECT_NEAR(simulation.state().v[0].z(), -g * dt / (1 - c), 1e-6);
        }
    }
}

// cos(phi) = 1 - (omega dt)^2 / 2: a cosine for ever, if it starts as one.
TEST(PositionVerlet, UndampedFrequencyIsThatOfTheScheme) {
    for (double w : {0.05, 0.5, 1.0, 1.9}) {
        const double phase = std::acos(1 - 0.5 * w * w), u0 = 0.01;
        const std::vector<double> u = swing(1, w, u0, u0 * (1 - std::cos(phase)) / 0.01, 400);
        for (int n = 0; n <= 400; ++n) EXPECT_NEAR(u[n], u0 * std::cos(n * phase), 1e-11) << w << " " << n;
    }
}

// Swinging, creeping and alternating, as the roots say.
TEST(PositionVerlet, DampedOscillatorFollowsItsRoots) {
    struct Case {
        double c, w;
        bool swings;
    };
    for (const auto& [c, w, swings] : {Case{1, 0.3, true}, Case{0.98, 0.1, true}, Case{0.9, 0.5, true},
                                       Case{0.5, 0.1, false}, Case{0.2, 1.5, false}, Case{0, 0.7, false}}) {
        const double dt = 0.01, u0 = 0.01, v0 = 0.2, u1 = u0 + c * dt * v0 - w * w * u0;
        const auto [r, s] = roots(c, w);
        EXPECT_EQ(std::abs(r.imag()) > 1e-12, swings) << c;
        if (swings) {
            EXPECT_NEAR(std::abs(r), std::sqrt(c), 1e-14);
        }
        const std::vector<double> u = swing(c, w, u0, v0, 300);
        for (int n = 0; n <= 300; ++n) {
            const std::complex<double> exact =
                ((u1 - s * u0) * std::pow(r, n) - (u1 - r * u0) * std::pow(s, n)) / (r - s);
            EXPECT_NEAR(u[n], exact.real(), 1e-12) << c << " " << n;
        }
    }
}

// omega dt < sqrt(2 (1 + c)): damping makes the limit shorter, not longer.
TEST(PositionVerlet, StableBelowItsLimitAndNotAbove) {
    for (double c : {1.0, 0.9, 0.5, 0.0}) {
        const double limit = std::sqrt(2 * (1 + c)), u0 = 1e-6;
        const auto largest = [&](double w) {
            double most = 0;
            for (double u : swing(c, w, u0, 0, 500)) most = std::max(most, std::abs(u));
            return most;
        };
        EXPECT_LT(largest(0.99 * limit), 20 * u0) << c;
        EXPECT_GT(largest(1.01 * limit), 1e3 * u0) << c;
    }
}

// A sheet of springs at some place, shaken and turning.
Simulation springs(std::unique_ptr<Integrator> integrator, const Vec3& place, const State* start = nullptr) {
    Model model = testing::sheet(4, 4, 0.2, 0.2);
    State state = testing::at_rest(model);
    state.x = testing::shaken(model.rest, 0.02, 4);
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = Vec3(0, 0, 2).cross(state.x[i]);
    for (Vec3& p : state.x) p += place;
    if (start) state = *start;
    auto shear = std::make_unique<forces::ShearSprings>(forces::ShearSpringsParams{0.5});
    return Simulation(model, state, testing::pipeline(std::move(integrator), std::move(shear)), {});
}

// Damping does not know where the origin is.
TEST(PositionVerlet, PlacesDoNotMatter) {
    const Vec3 place(3, -5, 7);
    Simulation here = springs(verlet(0.95), Vec3::Zero()), there = springs(verlet(0.95), place);
    for (int n = 0; n < 100; ++n) {
        const StepResult a = step(here, 0.002), b = step(there, 0.002);
        for (std::size_t i = 0; i < a.state.x.size(); ++i) {
            EXPECT_LT((a.state.x[i] + place - b.state.x[i]).norm(), 1e-12) << n;
        }
    }
}

TEST(PositionVerlet, IsSymplecticEulerWithoutDamping) {
    Simulation a = springs(verlet(1), Vec3::Zero()),
               b = springs(std::make_unique<SymplecticEuler>(), Vec3::Zero());
    for (int n = 0; n < 100; ++n) {
        const double dt = n % 3 ? 0.002 : 0.001;
        const StepResult r = step(a, dt), s = step(b, dt);
        EXPECT_EQ(r.state.x, s.state.x) << n;
        EXPECT_EQ(r.state.v, s.state.v) << n;
    }
}

// The velocity is that of half a step before. Started so, positions are those of velocity Verlet.
TEST(PositionVerlet, IsVelocityVerletWithVelocitiesHalfAStepBefore) {
    const double dt = 0.002;
    Simulation whole = springs(std::make_unique<VelocityVerlet>(), Vec3::Zero());
    State before = whole.state();
    forces::ShearSprings shear({0.5});
    shear.prepare(whole.model());
    Points f(before.x.size(), Vec3::Zero());
    shear.add_force({before.x, before.v, 0}, f);
    for (std::size_t i = 0; i < f.size(); ++i) before.v[i] -= 0.5 * dt / whole.model().mass[i] * f[i];
    Simulation shifted = springs(verlet(1), Vec3::Zero(), &before);
    for (int n = 0; n < 200; ++n) {
        const StepResult a = step(whole, dt), b = step(shifted, dt);
        for (std::size_t i = 0; i < a.state.x.size(); ++i) {
            EXPECT_LT((a.state.x[i] - b.state.x[i]).norm(), 1e-12) << n;
        }
    }
}

// Once in every step: halved steps damp twice. Per time: they damp as one.
TEST(PositionVerlet, HalvedStepsAndDampingPerTime) {
    const double c = 0.8, v0 = 2;
    Simulation by_step = coasting(c, 0, v0), by_time = coasting(c, 0.02, v0);
    for (double dt : {0.02, 0.01, 0.01}) {
        const double before = by_step.state().v[0].x(), x = by_step.state().x[0].x();
        EXPECT_NEAR(step(by_step, dt).state.v[0].x(), c * before, 1e-15);
        EXPECT_NEAR(by_step.state().x[0].x(), x + dt * c * before, 1e-15);
        step(by_time, dt);
        EXPECT_NEAR(by_time.state().v[0].x(), v0 * std::pow(c, by_time.state().t / 0.02), 1e-14);
    }
    EXPECT_NEAR(by_step.state().v[0].x(), c * c * c * v0, 1e-14);
    EXPECT_NEAR(by_time.state().v[0].x(), c * c * v0, 1e-14);
    Simulation none = coasting(0, 1, v0), all = coasting(1, 1e-3, v0);
    EXPECT_EQ(step(none, 0.01).state.v[0].x(), 0);
    EXPECT_EQ(step(all, 0.01).state.v[0].x(), v0);
}

// What moves on unstretched is admissible: every method leaves it the damped velocity.
TEST(PositionVerlet, FiltersSeeTheDampedInertia) {
    const double c = 0.75, v0 = 2;
    for (const char* name : {"stable_projection", "fast_projection", "icd", "sap", "shake", "rattle",
                             "strain_limit_gauss_seidel", "xpbd"}) {
        const scene::Entry* entry = scene::find_entry(scene::Kind::filter, name);
        scene::FilterParts parts;
        if (!entry->default_solver.empty()) {
            const scene::Entry* solver = scene::find_entry(scene::Kind::solver, entry->default_solver);
            parts.solver = std::get<scene::SolverFactory>(solver->factory)(solver->settings());
        }
        const Model model = testing::sheet(4, 4);
        State start = testing::at_rest(model);
        for (Vec3& v : start.v) v = Vec3(v0, 0, 0);
        Pipeline pipeline = testing::pipeline(verlet(c));
        pipeline.filters.push_back(
            std::get<scene::FilterFactory>(entry->factory)(entry->settings(), std::move(parts)));
        Simulation simulation(model, start, std::move(pipeline), {});
        const StepResult r = step(simulation, 0.01);
        for (std::size_t i = 0; i < start.x.size(); ++i) {
            EXPECT_LT((r.state.v[i] - Vec3(c * v0, 0, 0)).norm(), 1e-9) << name;
            EXPECT_LT((r.state.x[i] - start.x[i] - Vec3(0.01 * c * v0, 0, 0)).norm(), 1e-11) << name;
        }
    }
}

// Forces at the end of the step act on the velocity there, v = c v_0 - rate dt v.
TEST(PositionVerlet, ForcesAtTheEndSeeTheDampedVelocity) {
    const double c = 0.75, v0 = 2, rate = 5, dt = 0.01;
    const Model model = testing::sheet(4, 4);
    State start = testing::at_rest(model);
    for (Vec3& v : start.v) v = Vec3(v0, 0, 0);
    filters::IcdParams params;
    params.forces = "end";
    params.force_tolerance = 1e-6;
    auto damping = std::make_unique<forces::VelocityDamping>(forces::VelocityDampingParams{rate});
    Pipeline pipeline = testing::pipeline(verlet(c), std::move(damping));
    pipeline.filters.push_back(
        std::make_unique<filters::Icd>(params, std::make_unique<linalg::Ldlt>(linalg::LdltParams{})));
    Simulation simulation(model, start, std::move(pipeline), {});
    for (const Vec3& v : step(simulation, dt).state.v) EXPECT_NEAR(v.x(), c * v0 / (1 + rate * dt), 1e-6);
}

}  // namespace
}  // namespace taut::integrators::position_verlet_tests

// Time integration without constraints: free fall in each scheme's closed form, orders of
// convergence on springs, damping, variable steps, and pins that are exact, move and let go.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sim/cloths.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/isometric_bending.hpp"
#include "taut/forces/shear_springs.hpp"
#include "taut/forces/velocity_damping.hpp"
#include "taut/integrators/bdf2.hpp"
#include "taut/scene/registry.hpp"

namespace taut::integrators {
namespace {

using testing::step;

const double g = 9.81;

// As registered, but without a medium that takes velocity away.
std::unique_ptr<Integrator> make(const std::string& name) {
    const scene::Entry* entry = scene::find_entry(scene::Kind::integrator, name);
    const scene::Settings settings = entry->settings();
    if (const Param* viscosity = settings.list().find("viscosity")) *std::get<double*>(viscosity->target) = 0;
    return std::get<scene::IntegratorFactory>(entry->factory)(settings, {});
}

std::unique_ptr<Force> gravity() { return std::make_unique<forces::Gravity>(forces::GravityParams{}); }

Simulation falling(const std::string& integrator, const Vec3& v0) {
    Model model = testing::chain(2);
    State start = testing::at_rest(model);
    for (Vec3& v : start.v) v = v0;
    return Simulation(model, start, testing::pipeline(make(integrator), gravity()), {});
}

TEST(FreeFall, SymplecticAndImplicitEulerHaveTheirClosedForm) {
    const double dt = 0.01, v0 = 3;
    for (const char* name : {"symplectic_euler", "implicit_euler", "backward_euler"}) {
        Simulation simulation = falling(name, Vec3(1, 0, v0));
        for (int n = 1; n <= 50; ++n) {
            const StepResult r = step(simulation, dt);
            EXPECT_NEAR(r.state.x[0].z(), v0 * n * dt - g * dt * dt * n * (n + 1) / 2, 1e-12) << name;
            EXPECT_NEAR(r.state.v[0].z(), v0 - g * n * dt, 1e-12) << name;
            EXPECT_NEAR(r.state.x[0].x(), n * dt, 1e-12) << name;
            EXPECT_NEAR(r.state.t, n * dt, 1e-12);
        }
    }
}

// Backward differences of second order are exact for parabolas, and so is the first step; the midpoint rule
// is as well: no step length and no change of it may leave an error.
class ParabolaExact : public ::testing::TestWithParam<const char*> {};

TEST_P(ParabolaExact, ForAnySteps) {
    const double v0 = 2;
    for (const auto& lengths :
         {std::vector<double>{0.02}, std::vector<double>{0.02, 0.01, 0.01, 0.005, 0.03}}) {
        Simulation simulation = falling(GetParam(), Vec3(1, 0, v0));
        for (std::size_t n = 0; n < 60; ++n) {
            const StepResult r = step(simulation, lengths[n % lengths.size()]);
            const double t = r.state.t;
            EXPECT_NEAR(r.state.x[0].z(), v0 * t - g * t * t / 2, 1e-11);
            EXPECT_NEAR(r.state.v[0].z(), v0 - g * t, 1e-10);
            EXPECT_NEAR(r.state.x[0].x(), t, 1e-11);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(SecondOrder, ParabolaExact,
                         ::testing::Values("bdf2", "midpoint", "velocity_verlet"));

// 3 u_(n+1) - 4 u_n + u_(n-1) = 2 dt u'_(n+1) on a damped particle, from the scheme's own first step;
// from the third step on with a share s of s/3 (u_(n+1) - 3 u_n + 3 u_(n-1) - u_(n-2)) beside it.
TEST(FreeFall, Bdf2FollowsItsRecurrenceUnderDamping) {
    const double dt = 0.02, rate = 3;
    Model model = testing::chain(2);
    State start = testing::at_rest(model);
    for (Vec3& v : start.v) v = Vec3(1, 0, 0);
    auto damping = std::make_unique<forces::VelocityDamping>(forces::VelocityDampingParams{rate});
    Simulation simulation(model, start, testing::pipeline(make("bdf2"), std::move(damping)), {});
    StepResult r = step(simulation, dt);
    double x0 = 0, v0 = 1, x1 = r.state.x[0].x(), v1 = r.state.v[0].x();
    EXPECT_NEAR(v1, std::exp(-rate * dt), 0.5 * rate * rate * dt * dt);
    double x_old = 0, v_old = 0;
    for (int n = 2; n <= 60; ++n) {
        const double s = n > 2 ? integrators::Bdf2Params{}.third_order : 0;
        const double a = 1.5 + s / 3, b = 2 + s, c = 0.5 + s, d = s / 3;
        const double v2 = (b * v1 - c * v0 + d * v_old) / (a + dt * rate);
        const double x2 = (b * x1 - c * x0 + d * x_old + dt * v2) / a;
        r = step(simulation, dt);
        EXPECT_NEAR(r.state.x[0].x(), x2, 1e-12);
        EXPECT_NEAR(r.state.v[0].x(), v2, 1e-12);
        x_old = x0, v_old = v0, x0 = x1, v0 = v1, x1 = x2, v1 = v2;
    }
}

// A push d of the end position by a filter after the first is a velocity d / dt, whatever the differences
// weigh, in the first step as in later ones, and the motion goes on with it.
TEST(Jumps, PassedOnPushesAreNotDifferenced) {
    const double dt = 0.02, push = 1e-3;
    for (const auto& [name, at] :
         {std::pair("bdf2", 0), {"bdf2", 1}, {"bdf2", 2}, {"bdf2", 5}, {"midpoint", 2}}) {
        const auto integrator = make(name);
        const Model model = testing::chain(2);
        const std::vector<std::unique_ptr<Force>> none;
        integrator->prepare(model, none);
        State state = testing::at_rest(model);
        const std::size_t n = state.x.size();
        for (int k = 0; k < 9; ++k) {
            StepContext context;
            context.model = &model;
            context.start = &state;
            context.dt = dt;
            context.pinned.assign(n, 0);
            context.pin_target.assign(n, Vec3::Zero());
            Candidate c;
            integrator->candidate(context, c);
            if (k == at) {
                c.jump.assign(n, Vec3(push / dt, 0, 0));
                c.way.assign(n, Vec3(push, 0, 0));
                for (Vec3& v : c.v) v.x() += push / dt;
            }
            state = integrator->accept(context, c);
            EXPECT_NEAR(state.v[0].x(), k < at ? 0 : push / dt, 1e-12) << name << " " << at << " " << k;
        }
    }
}

// A vertex that later filters stop goes on with the velocity of the step, whatever it had before.
TEST(Jumps, MidpointDoesNotReflectAcrossAJump) {
    const auto integrator = make("midpoint");
    const Model model = testing::chain(2);
    integrator->prepare(model, {});
    State state = testing::at_rest(model);
    for (Vec3& v : state.v) v = Vec3(0, 0, -3);
    StepContext context;
    context.model = &model;
    context.start = &state;
    context.dt = 0.02;
    context.pinned.assign(2, 0);
    context.pin_target.assign(2, Vec3::Zero());
    Candidate c;
    integrator->candidate(context, c);
    c.jump = {Vec3(-c.v[0]), Vec3(Vec3::Zero())};
    c.way = {Vec3(context.dt * c.jump[0]), Vec3(Vec3::Zero())};
    c.v[0].setZero();
    const State end = integrator->accept(context, c);
    EXPECT_LT(end.v[0].norm(), 1e-12);
    EXPECT_LT((end.v[1] - Vec3(0, 0, -3)).norm(), 1e-12);
}

// Error of the height after one second of free fall.
double fall_error(const std::string& name, int steps) {
    Simulation simulation = falling(name, Vec3::Zero());
    for (int n = 0; n < steps; ++n) step(simulation, 1.0 / steps);
    return std::abs(simulation.state().x[0].z() + g / 2);
}

TEST(FreeFall, FirstOrderSchemesConvergeToTheParabola) {
    for (const char* name : {"symplectic_euler", "implicit_euler"}) {
        EXPECT_NEAR(std::log2(fall_error(name, 100) / fall_error(name, 200)), 1, 0.05) << name;
    }
}

// A quad of light springs, stretched and turning.
Simulation springs(const std::string& integrator) {
    Model model = testing::sheet(3, 3, 0.2, 0.2);
    State start = testing::at_rest(model);
    start.x = testing::shaken(model.rest, 0.02, 4);
    for (std::size_t i = 0; i < start.v.size(); ++i)
        start.v[i] = Vec3(0, 0, 2).cross(start.x[i]) + Vec3(0, 0, start.x[i].x());
    auto shear = std::make_unique<forces::ShearSprings>(forces::ShearSpringsParams{0.5});
    return Simulation(model, start, testing::pipeline(make(integrator), std::move(shear), gravity()), {});
}

// Positions after 0.25 s in so many cycles of steps of these relative lengths.
Points end_of(const std::string& integrator, int cycles, const std::vector<double>& lengths) {
    Simulation simulation = springs(integrator);
    double sum = 0;
    for (double l : lengths) sum += l;
    for (int n = 0; n < cycles; ++n) {
        for (double l : lengths) step(simulation, 0.25 / cycles * l / sum);
    }
    return simulation.state().x;
}

double distance(const Points& a, const Points& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
    return std::sqrt(sum);
}

double order(const std::string& integrator, int cycles, const std::vector<double>& lengths) {
    const Points a = end_of(integrator, cycles, lengths), b = end_of(integrator, 2 * cycles, lengths),
                 c = end_of(integrator, 4 * cycles, lengths);
    return std::log2(distance(a, b) / distance(b, c));
}

TEST(Springs, FirstOrderSchemesConvergeWithOrderOne) {
    EXPECT_NEAR(order("symplectic_euler", 400, {1}), 1, 0.2);
    EXPECT_NEAR(order("implicit_euler", 400, {1}), 1, 0.2);
    EXPECT_NEAR(order("backward_euler", 400, {1}), 1, 0.2);
}

TEST(Springs, SecondOrderSchemesConvergeWithOrderTwo) {
    EXPECT_NEAR(order("bdf2", 200, {1}), 2, 0.2);
    EXPECT_NEAR(order("velocity_verlet", 200, {1}), 2, 0.2);
    EXPECT_NEAR(order("midpoint", 200, {1}), 2, 0.2);
    EXPECT_NEAR(order("midpoint", 100, {1, 0.5, 0.5, 0.25, 2}), 2, 0.2);
}

TEST(Springs, Bdf2KeepsItsOrderWithVariableSteps) {
    EXPECT_NEAR(order("bdf2", 100, {1, 0.5, 0.5, 0.25, 0.25, 1, 1}), 2, 0.2);
    // The same motion as with equal steps.
    EXPECT_LT(distance(end_of("bdf2", 400, {1, 0.5, 2}), end_of("bdf2", 1600, {1})), 2e-4);
}

TEST(Springs, AllSchemesAgreeInTheLimit) {
    const Points reference = end_of("bdf2", 1600, {1});
    for (const std::string& name : scene::names_of(scene::Kind::integrator)) {
        EXPECT_LT(distance(end_of(name, 3200, {1}), reference), 2e-3) << name;
    }
}

// Free flight without forces is exact for any scheme and any steps.
TEST(Integrators, UniformMotionIsExact) {
    for (const std::string& name : scene::names_of(scene::Kind::integrator)) {
        Model model = testing::sheet(3, 3);
        State start = testing::at_rest(model);
        for (Vec3& v : start.v) v = Vec3(1, -2, 0.5);
        Simulation simulation(model, start, testing::pipeline(make(name)), {});
        double t = 0;
        for (double dt : {0.01, 0.01, 0.005, 0.02, 0.001}) {
            t += dt;
            const StepResult r = step(simulation, dt);
            for (std::size_t i = 0; i < start.x.size(); ++i) {
                EXPECT_LT((r.state.x[i] - start.x[i] - t * start.v[i]).norm(), 1e-13) << name;
                EXPECT_LT((r.state.v[i] - start.v[i]).norm(), 1e-11) << name;
            }
        }
    }
}

// Implicit damping: v_n = v_0 / (1 + rate dt)^n, stable for any rate.
TEST(Integrators, ImplicitEulerDampsInClosedForm) {
    for (double rate : {0.1, 10.0, 1e6}) {
        Model model = testing::chain(2);
        State start = testing::at_rest(model);
        for (Vec3& v : start.v) v = Vec3(1, 0, 0);
        auto damping = std::make_unique<forces::VelocityDamping>(forces::VelocityDampingParams{rate});
        Simulation simulation(model, start, testing::pipeline(make("implicit_euler"), std::move(damping)),
                              {});
        for (int n = 1; n <= 5; ++n) {
            EXPECT_NEAR(step(simulation, 0.01).state.v[0].x(), std::pow(1 + rate * 0.01, -n), 1e-12) << rate;
        }
    }
}

// The midpoint rule halves the damping term: v_n = v_0 ((1 - rate dt / 2) / (1 + rate dt / 2))^n.
TEST(Integrators, MidpointDampsInClosedForm) {
    for (double rate : {0.1, 10.0, 1e6}) {
        Model model = testing::chain(2);
        State start = testing::at_rest(model);
        for (Vec3& v : start.v) v = Vec3(1, 0, 0);
        auto damping = std::make_unique<forces::VelocityDamping>(forces::VelocityDampingParams{rate});
        Simulation simulation(model, start, testing::pipeline(make("midpoint"), std::move(damping)), {});
        const double factor = (1 - rate * 0.005) / (1 + rate * 0.005);
        for (int n = 1; n <= 5; ++n) {
            EXPECT_NEAR(step(simulation, 0.01).state.v[0].x(), std::pow(factor, n), 1e-12) << rate;
        }
    }
}

// Linearly implicit schemes stay bounded where an explicit step would not.
TEST(Integrators, ImplicitSchemesAreStableUnderStiffForces) {
    for (const char* name : {"implicit_euler", "bdf2"}) {
        Model model = testing::sheet(6, 6);
        State start = testing::at_rest(model);
        start.x = testing::shaken(model.rest, 0.02, 8);
        auto shear = std::make_unique<forces::ShearSprings>(forces::ShearSpringsParams{1e4});
        auto bending = std::make_unique<forces::IsometricBending>(forces::IsometricBendingParams{1, 1});
        Simulation simulation(model, start,
                              testing::pipeline(make(name), std::move(shear), std::move(bending)), {});
        const double energy = simulation.totals().energy_start;
        for (int n = 0; n < 60; ++n) {
            const StepResult r = step(simulation, 1.0 / 60);
            ASSERT_TRUE(r.finite);
            EXPECT_LT(r.report.energy(), 1.01 * energy) << name << " step " << n;
        }
    }
}

// Bending is quadratic: soft or stiff, the midpoint rule neither gains nor loses, to the tolerance that its
// linear systems are solved to.
TEST(Integrators, MidpointKeepsTheEnergyOfBending) {
    for (double stiffness : {1e-3, 1.0}) {
        Model model = testing::sheet(6, 6);
        State start = testing::at_rest(model);
        start.x = testing::shaken(model.rest, 0.02, 8);
        auto bending =
            std::make_unique<forces::IsometricBending>(forces::IsometricBendingParams{stiffness, stiffness});
        Simulation simulation(model, start, testing::pipeline(make("midpoint"), std::move(bending)), {});
        const double energy = simulation.totals().energy_start;
        for (int n = 0; n < 60; ++n) {
            const StepResult r = step(simulation, 1.0 / 60);
            EXPECT_NEAR(r.report.energy(), energy, 0.02 * energy) << stiffness << " step " << n;
        }
    }
}

class PinnedSheet : public ::testing::TestWithParam<std::string> {
protected:
    PinnedSheet() : model(testing::sheet(4, 4)), start(testing::at_rest(model)) {
        start.x = testing::shaken(model.rest, 0.1 / 3, 12);
    }
    Simulation simulation() {
        auto shear = std::make_unique<forces::ShearSprings>(forces::ShearSpringsParams{0.5});
        return Simulation(model, start, testing::pipeline(make(GetParam()), std::move(shear), gravity()), {});
    }
    Model model;
    State start;
};

TEST_P(PinnedSheet, PinsAreExactToTheBit) {
    model.pins.push_back(testing::pin({0, 3, 9}, start.x));
    Simulation s = simulation();
    for (int n = 0; n < 40; ++n) {
        const StepResult r = step(s, n % 3 ? 1.0 / 120 : 1.0 / 217);
        for (std::size_t k = 0; k < 3; ++k) {
            const auto v = std::size_t(model.pins[0].vertices[k]);
            ASSERT_EQ(r.state.x[v], start.x[v]);
        }
    }
    EXPECT_LT(s.state().x[1].z(), start.x[1].z() - 0.05);
}

TEST_P(PinnedSheet, KeyframedPinFollowsItsPath) {
    model.pins.push_back(testing::pin({0, 3}, start.x));
    model.pins[0].motion =
        Motion({{0.0, Vec3::Zero(), Vec3::Zero()}, {0.2, Vec3(0.1, 0, 0.3), Vec3(0, 0, 1)}}, Vec3(0.5, 0, 0),
               Interpolation::smooth);
    Simulation s = simulation();
    for (int n = 0; n < 40; ++n) {
        const StepResult r = step(s, 1.0 / 120);
        for (std::size_t k = 0; k < 2; ++k) {
            const Vec3 target = model.pins[0].target(k, r.state.t);
            EXPECT_EQ(r.state.x[std::size_t(model.pins[0].vertices[k])], target);
        }
    }
    EXPECT_GT((s.state().x[0] - start.x[0]).norm(), 0.2);
}

// A pin holds every step that starts before its release, and none after.
TEST_P(PinnedSheet, ReleasedPinFalls) {
    model.pins.push_back(testing::pin({0, 3}, start.x));
    model.pins[0].release = 0.1;
    Simulation s = simulation();
    while (s.state().t < 0.1 - 1e-9) {
        step(s, 1.0 / 64);
        EXPECT_EQ(s.state().x[0], start.x[0]);
    }
    const double before = s.state().x[0].z();
    step(s, 1.0 / 64);
    EXPECT_LT(s.state().x[0].z(), before);
    for (int n = 0; n < 20; ++n) step(s, 1.0 / 64);
    EXPECT_LT(s.state().x[0].z(), before - 0.2);
}

INSTANTIATE_TEST_SUITE_P(Integrators, PinnedSheet,
                         ::testing::ValuesIn(scene::names_of(scene::Kind::integrator)),
                         [](const auto& integrator) { return integrator.param; });

}  // namespace
}  // namespace taut::integrators

// Coming to rest: closed forms at the end of the way, the same rest for every integrator and step, honesty
// where there is none, clocks that stand, and the bits.
#include "taut/sim/settle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/cloths.hpp"
#include "taut/base/parallel.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/isometric_bending.hpp"
#include "taut/forces/shear_springs.hpp"
#include "taut/forces/stiff_springs.hpp"
#include "taut/integrators/backward_euler.hpp"
#include "taut/integrators/bdf2.hpp"
#include "taut/integrators/implicit_euler.hpp"
#include "taut/integrators/midpoint.hpp"
#include "taut/integrators/symplectic_euler.hpp"
#include "taut/integrators/velocity_verlet.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::settle_tests {
namespace {

constexpr double g = 9.81;

using MakeIntegrator = std::unique_ptr<Integrator> (*)();

template <class I>
std::unique_ptr<Integrator> make() {
    return std::make_unique<I>();
}

// A chain of springs that hangs from its first vertex and starts unstretched.
Simulation hanging(MakeIntegrator make_integrator, double dt, double stiffness = 20) {
    Model model = testing::chain(11);
    State start = testing::at_rest(model);
    for (std::size_t i = 0; i < start.x.size(); ++i) start.x[i] = Vec3(0, 0, -0.1 * double(i));
    model.pins.push_back(testing::pin({0}, start.x));
    RunSettings settings;
    settings.dt = dt;
    return Simulation(
        std::move(model), std::move(start),
        testing::pipeline(make_integrator(), std::make_unique<forces::Gravity>(forces::GravityParams{}),
                          std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{stiffness})),
        settings);
}

// How far below its unstretched place the end of that chain comes to rest: every spring bears what hangs on
// it.
double lowering(const Model& model, double stiffness) {
    double sum = 0, borne = 0;
    for (std::size_t i = model.mass.size() - 1; i > 0; --i) {
        borne += model.mass[i] * g;
        sum += borne * 0.1 / stiffness;
    }
    return sum;
}

TEST(Settle, SpringsBearWhatHangsOnThem) {
    for (const auto& [make_integrator, dt] :
         {std::pair<MakeIntegrator, double>{make<integrators::ImplicitEuler>, 1.0 / 120},
          {make<integrators::ImplicitEuler>, 1.0 / 30},
          {make<integrators::Bdf2>, 1.0 / 120},
          {make<integrators::Midpoint>, 1.0 / 120},
          {make<integrators::BackwardEuler>, 1.0 / 120},
          {make<integrators::SymplecticEuler>, 1e-3},
          {make<integrators::VelocityVerlet>, 1e-3}}) {
        Simulation simulation = hanging(make_integrator, dt);
        const SettleReport report = simulation.settle({});
        const std::string name = std::string(simulation.pipeline().integrator->name());
        EXPECT_TRUE(report.at_rest()) << name << ": " << report.note;
        EXPECT_LE(report.residual, 1e-3);
        EXPECT_NEAR(-simulation.state().x.back().z() - 1, lowering(simulation.model(), 20), 1e-3) << name;
        for (const Vec3& v : simulation.state().v) EXPECT_EQ(v, Vec3(Vec3::Zero()));
    }
}

// What is at rest stays there when it is settled again, and is told so at once.
TEST(Settle, RestIsFoundAtOnce) {
    Simulation simulation = hanging(make<integrators::BackwardEuler>, 1.0 / 120);
    SettleSettings settings;
    settings.tolerance = 1e-4;
    ASSERT_TRUE(simulation.settle(settings).at_rest());
    const Points rest = simulation.state().x;
    const SettleReport again = simulation.settle({});
    EXPECT_TRUE(again.at_rest());
    EXPECT_LT(again.steps, 60);
    for (std::size_t i = 0; i < rest.size(); ++i) EXPECT_LT((simulation.state().x[i] - rest[i]).norm(), 1e-4);
}

TEST(Settle, ViscousDampingFindsTheSameRest) {
    Simulation simulation = hanging(make<integrators::ImplicitEuler>, 1.0 / 120);
    SettleSettings settings;
    settings.damping = SettleDamping::viscous;
    settings.rate = 4;
    const SettleReport report = simulation.settle(settings);
    EXPECT_TRUE(report.at_rest()) << report.note;
    EXPECT_NEAR(-simulation.state().x.back().z() - 1, lowering(simulation.model(), 20), 1e-3);
}

// Nothing holds a falling sheet: it says so.
TEST(Settle, WhatFallsIsNotAtRest) {
    Model model = testing::sheet(4, 4);
    State start = testing::at_rest(model);
    Simulation simulation(
        std::move(model), std::move(start),
        testing::pipeline(std::make_unique<integrators::Bdf2>(),
                          std::make_unique<forces::Gravity>(forces::GravityParams{}),
                          std::make_unique<forces::ShearSprings>(forces::ShearSpringsParams{0.5})),
        {});
    SettleSettings settings;
    settings.max_steps = 100;
    const SettleReport report = simulation.settle(settings);
    EXPECT_EQ(report.outcome, SettleOutcome::gave_up);
    EXPECT_EQ(report.steps, 100);
    EXPECT_FALSE(report.note.empty());
    EXPECT_GT(report.residual, 0.5);
}

// Pins stop where they are when the clock stands, and are not where they would be by the time it takes.
TEST(Settle, TheClockOfTheSceneStands) {
    Model model = testing::chain(5);
    State start = testing::at_rest(model);
    PinGroup pin = testing::pin({0}, start.x);
    std::vector<Keyframe> keys(2);
    keys[1].time = 10;
    keys[1].translate = Vec3(10, 0, 0);
    pin.motion = Motion(keys, Vec3::Zero(), Interpolation::linear);
    model.pins.push_back(pin);
    RunSettings run;
    run.fps = 10;
    Simulation simulation(
        std::move(model), std::move(start),
        testing::pipeline(std::make_unique<integrators::ImplicitEuler>(),
                          std::make_unique<forces::Gravity>(forces::GravityParams{}),
                          std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{100})),
        run);
    SettleSettings settings;
    settings.at = 0.5;
    const SettleReport report = simulation.settle(settings);
    EXPECT_TRUE(report.at_rest()) << report.note;
    EXPECT_NEAR(simulation.state().t, 0.5, 1e-12);
    EXPECT_NEAR(simulation.clock(), 0.5 + report.time, 1e-9);
    EXPECT_NEAR(simulation.state().x[0].x(), 0.5, 1e-9);
    EXPECT_NEAR(simulation.state().x[4].x(), 0.5, 1e-2);
}

class Counter final : public Observer {
public:
    void begin(const Simulation&) override { ++begins; }
    void step(const Simulation&, const StepReport& report) override {
        EXPECT_GT(report.t, last_t);
        last_t = report.t;
        ++steps;
    }
    void frame(const Simulation&, int frame) override { EXPECT_EQ(frame, frames++); }
    void end(const Simulation&) override { ++ends; }
    int begins = 0, steps = 0, frames = 0, ends = 0;
    double last_t = 0;
};

TEST(Settle, ObserversHearOfStepsAndFrames) {
    Simulation simulation = hanging(make<integrators::ImplicitEuler>, 1.0 / 120);
    Counter counter;
    const SettleReport report = simulation.settle({}, {&counter});
    EXPECT_EQ(counter.begins, 1);
    EXPECT_EQ(counter.ends, 1);
    EXPECT_EQ(counter.steps, report.steps);
    EXPECT_GT(counter.frames, 2);
}

TEST(Settle, StopsWhenAsked) {
    Simulation simulation = hanging(make<integrators::ImplicitEuler>, 1.0 / 120);
    int asked = 0;
    const SettleReport report = simulation.settle({}, {}, [&] { return ++asked > 20; });
    EXPECT_EQ(report.outcome, SettleOutcome::interrupted);
    EXPECT_LT(report.steps, 20);
}

TEST(Settle, SameBitsForAnyThreadCount) {
    std::string hashes[2];
    for (int threads : {1, 2}) {
        ThreadLimit limit(threads);
        Model model = testing::sheet(30, 30);
        State start = testing::at_rest(model);
        model.pins.push_back(testing::pin({0, 29}, start.x));
        Simulation simulation(
            std::move(model), std::move(start),
            testing::pipeline(
                std::make_unique<integrators::BackwardEuler>(),
                std::make_unique<forces::Gravity>(forces::GravityParams{}),
                std::make_unique<forces::IsometricBending>(forces::IsometricBendingParams{1e-4, 1e-4}),
                std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{100})),
            {});
        SettleSettings settings;
        settings.max_steps = 40;
        simulation.settle(settings);
        hashes[threads - 1] = simulation.state_hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace taut::settle_tests

// The large steps of Baraff and Witkin 1998: one solve against the dense linear system, pins and their
// forces, refused steps, stiff cloth in long steps, and the same integrator below a projection.
#include "taut/integrators/baraff_witkin.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "scene/scene_text.hpp"
#include "sim/cloths.hpp"
#include "taut/base/parallel.hpp"
#include "taut/forces/air_drag.hpp"
#include "taut/forces/bend_condition.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/shear_condition.hpp"
#include "taut/forces/stretch_condition.hpp"
#include "taut/scene/build.hpp"

namespace taut::integrators::large_steps {
namespace {

struct Stiffness {
    double stretch = 1000, shear = 10, bend = 1e-4, damping = 0.002;
};

std::vector<std::unique_ptr<Force>> conditions(const Stiffness& k) {
    forces::StretchConditionParams stretch;
    stretch.weft = stretch.warp = k.stretch;
    forces::ShearConditionParams shear;
    shear.stiffness = k.shear;
    forces::BendConditionParams bend;
    bend.weft = bend.warp = k.bend;
    stretch.damping = shear.damping = bend.damping = k.damping;
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<forces::StretchCondition>(stretch));
    forces.push_back(std::make_unique<forces::ShearCondition>(shear));
    forces.push_back(std::make_unique<forces::BendCondition>(bend));
    return forces;
}

BaraffWitkinParams precise() {
    BaraffWitkinParams params;
    params.tolerance = 1e-12;
    params.stretch_change = 0;
    params.cloth.on = false;
    return params;
}

constexpr int side = 6;

// A shaken, moving sheet of 0.5 m; held by its first row where `pinned`.
struct Sheet {
    Model model = testing::sheet(side, side, 0.5, 0.5);
    State start;
    explicit Sheet(bool pinned, double shake = 0.005) {
        start = {testing::shaken(model.rest, shake, 7), Points(model.rest.size(), Vec3::Zero()), 0};
        for (std::size_t i = 0; i < start.v.size(); ++i)
            start.v[i] = Vec3(0.1, -0.2, std::sin(3.0 * static_cast<double>(i)));
        if (!pinned) return;
        std::vector<int> row(side);
        for (int i = 0; i < side; ++i) row[static_cast<std::size_t>(i)] = i;
        model.pins.push_back(testing::pin(row, start.x));
        for (const int i : row) start.v[static_cast<std::size_t>(i)].setZero();
    }

    Simulation simulation(const BaraffWitkinParams& params, const Stiffness& k = {},
                          bool weight = true) const {
        Pipeline pipeline = testing::pipeline(std::make_unique<BaraffWitkin>(params));
        pipeline.forces = conditions(k);
        if (weight) pipeline.forces.push_back(std::make_unique<forces::Gravity>(forces::GravityParams{}));
        return Simulation(model, start, std::move(pipeline), {});
    }
};

const BaraffWitkin& integrator_of(const Simulation& simulation) {
    return dynamic_cast<const BaraffWitkin&>(*simulation.pipeline().integrator);
}

Eigen::MatrixXd dense(const linalg::BlockMatrix& matrix) {
    const Eigen::Index n = matrix.size();
    Eigen::MatrixXd full = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (int j = 0; j < matrix.size(); ++j) {
        for (int k = matrix.column_start()[j]; k < matrix.column_start()[j + 1]; ++k) {
            const int i = matrix.rows()[k];
            full.block<3, 3>(3 * i, 3 * j) = matrix.blocks()[k];
            full.block<3, 3>(3 * j, 3 * i) = matrix.blocks()[k].transpose();
        }
    }
    return full;
}

// (M + h D + h^2 K) dv = h (f - h K v) with the rows and columns of pinned vertices taken out.
TEST(BaraffWitkin, OneStepSolvesTheLinearSystem) {
    const double h = 0.01;
    for (const bool pinned : {false, true}) {
        const Sheet sheet(pinned);
        Simulation simulation = sheet.simulation(precise());
        const std::size_t n = sheet.model.rest.size();
        const ForceInput now{sheet.start.x, sheet.start.v, 0};
        Points f(n, Vec3::Zero());
        std::vector<std::array<int, 2>> pairs;
        for (const auto& force : simulation.pipeline().forces) force->add_pattern(pairs);
        linalg::BlockMatrix elastic, damping;
        elastic.set_pattern(static_cast<int>(n), pairs);
        damping.set_pattern(static_cast<int>(n), pairs);
        for (const auto& force : simulation.pipeline().forces) {
            force->add_force(now, f);
            force->add_hessian(now, 1, elastic);
            force->add_damping_hessian(now, 1, damping);
        }
        Eigen::MatrixXd system = h * h * dense(elastic) + h * dense(damping);
        const auto flat = [n](const Points& p) {
            return Eigen::VectorXd(
                Eigen::Map<const Eigen::VectorXd>(p[0].data(), 3 * static_cast<Eigen::Index>(n)));
        };
        Eigen::VectorXd right = h * (flat(f) - h * dense(elastic) * flat(sheet.start.v));
        for (std::size_t i = 0; i < n; ++i) {
            const auto at = 3 * static_cast<Eigen::Index>(i);
            system.block<3, 3>(at, at) += sheet.model.mass[i] * Mat3::Identity();
            if (!pinned || i >= side) continue;
            system.middleRows<3>(at).setZero();
            system.middleCols<3>(at).setZero();
            system.block<3, 3>(at, at).setIdentity();
            right.segment<3>(at).setZero();
        }
        const Eigen::VectorXd dv = system.partialPivLu().solve(right);
        const StepResult result = testing::step(simulation, h);
        EXPECT_EQ(result.report.integrator.solves, 1);
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3 v = sheet.start.v[i] + dv.segment<3>(3 * static_cast<Eigen::Index>(i));
            EXPECT_LT((result.state.v[i] - v).norm(), 1e-9) << pinned << " " << i;
            EXPECT_LT((result.state.x[i] - sheet.start.x[i] - h * v).norm(), 1e-11) << pinned << " " << i;
        }
    }
}

TEST(BaraffWitkin, KeepsMomentumAndFallsFreely) {
    const Sheet sheet(false);
    Simulation still = sheet.simulation(precise(), {}, false), falling = sheet.simulation(precise());
    const Vec3 before = testing::momentum(sheet.model, sheet.start.v);
    double total = 0;
    for (const double m : sheet.model.mass) total += m;
    const int steps = 20;
    for (int k = 0; k < steps; ++k) {
        testing::step(still, 0.01);
        testing::step(falling, 0.01);
    }
    EXPECT_LT((testing::momentum(sheet.model, still.state().v) - before).norm(), 1e-10);
    const Vec3 gained = testing::momentum(sheet.model, falling.state().v) - before;
    EXPECT_LT((gained - Vec3(0, 0, -9.81 * total * 0.01 * steps)).norm(), 1e-10);
}

// Internal forces add up to nothing: the pins take the weight and what changes the momentum.
TEST(BaraffWitkin, PinsHoldAndTellTheirForce) {
    const Sheet sheet(true);
    Simulation simulation = sheet.simulation(precise());
    const double h = 0.02;
    for (int step = 0; step < 20; ++step) {
        const Vec3 before = testing::momentum(sheet.model, simulation.state().v);
        testing::step(simulation, h);
        const ConstPoints force = integrator_of(simulation).constraint_force();
        Vec3 sum = Vec3::Zero(), weight = Vec3::Zero();
        for (std::size_t i = 0; i < sheet.model.rest.size(); ++i) {
            weight += sheet.model.mass[i] * Vec3(0, 0, -9.81);
            sum += force[i];
            if (i < side) {
                EXPECT_EQ((simulation.state().x[i] - sheet.start.x[i]).norm(), 0);
            } else {
                EXPECT_EQ(force[i].norm(), 0);
            }
        }
        const Vec3 change = testing::momentum(sheet.model, simulation.state().v) - before;
        EXPECT_LT((sum + weight - change / h).norm(), 1e-8) << step;
    }
}

TEST(BaraffWitkin, MovingPinsLeadExactly) {
    Sheet sheet(true, 0);
    sheet.model.pins[0].motion =
        Motion({{0, Vec3::Zero(), Vec3::Zero()}, {1, Vec3(0.3, 0.1, 0.2), Vec3(0, 0, 1)}}, Vec3::Zero(),
               Interpolation::linear);
    Simulation simulation = sheet.simulation(precise());
    for (int step = 0; step < 30; ++step) {
        testing::step(simulation, 0.01);
        const Points targets = sheet.model.pins[0].targets(simulation.state().t);
        for (std::size_t i = 0; i < side; ++i)
            EXPECT_LT((simulation.state().x[i] - targets[i]).norm(), 1e-12);
    }
}

// Forces without a Hessian enter with their constant stiffness, here the drag of the air: it falls to rest
// against the wind that carries it.
TEST(BaraffWitkin, TakesForcesWithoutHessian) {
    const Sheet sheet(false, 0);
    Pipeline pipeline = testing::pipeline(std::make_unique<BaraffWitkin>(precise()));
    forces::AirDragParams drag;
    drag.wind = Vec3(0, 0, 3);
    pipeline.forces = conditions({});
    pipeline.forces.push_back(std::make_unique<forces::AirDrag>(drag));
    Simulation simulation(sheet.model, testing::at_rest(sheet.model), std::move(pipeline), {});
    double before = 0;
    for (int step = 0; step < 50; ++step) {
        testing::step(simulation, 0.02);
        const double speed = testing::momentum(sheet.model, simulation.state().v).z();
        EXPECT_GT(speed, before);
        before = speed;
    }
    EXPECT_LT(before, 3 * 0.2 * 0.25) << "no faster than the wind";
}

TEST(BaraffWitkin, RefusesDrasticStretchAndSaysWhere) {
    Sheet sheet(true, 0);
    sheet.start.v.back() = Vec3(0, 30, 0);
    BaraffWitkinParams params = precise();
    params.stretch_change = 0.2;
    Stiffness soft;
    soft.stretch = 1;
    soft.damping = 0;
    Simulation simulation = sheet.simulation(params, soft);
    const StepResult result = simulation.try_step(0.02);
    EXPECT_TRUE(result.refused);
    EXPECT_FALSE(result.report.held);
    EXPECT_NE(result.report.note.find("stretches by"), std::string::npos) << result.report.note;
    EXPECT_GT(result.report.integrator.stretch_change, 0.2);
    EXPECT_FALSE(simulation.try_step(0.0005).refused);
}

TEST(BaraffWitkin, RefusesPoorSolves) {
    BaraffWitkinParams params = precise();
    params.max_iterations = 3;
    Simulation simulation = Sheet(true).simulation(params);
    const StepResult result = simulation.try_step(0.02);
    EXPECT_TRUE(result.refused);
    EXPECT_NE(result.report.note.find("3 iterations left a residual"), std::string::npos)
        << result.report.note;
}

// Halved where it is violent, and grown again afterwards.
TEST(BaraffWitkin, StepsShrinkAndGrowAgain) {
    auto simulation = scene::build(scene::parse_scene(R"({
        "taut": 1, "preset": "baraff_witkin1998",
        "cloths": [{"type": "grid", "cells": "triangles", "nu": 9, "nv": 9, "velocity": [0, 0, -25]}],
        "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}],
        "integrator": {"type": "baraff_witkin", "stretch_change": 0.1},
        "run": {"duration": 4, "fps": 25, "dt": 0.04}
    })",
                                                      "violent"));
    class Lengths final : public Observer {
    public:
        void step(const Simulation&, const StepReport& report) override { dt.push_back(report.dt); }
        std::vector<double> dt;
    } lengths;
    ASSERT_EQ(simulation->run({&lengths}), RunOutcome::finished) << simulation->failure();
    EXPECT_GT(simulation->totals().retries, 2);
    EXPECT_EQ(simulation->totals().integrator.refused, simulation->totals().retries);
    EXPECT_LT(*std::min_element(lengths.dt.begin(), lengths.dt.end()), 0.006);
    EXPECT_DOUBLE_EQ(lengths.dt.back(), 0.04);
    EXPECT_LE(simulation->totals().integrator.stretch_change, 0.1);
}

// Up to 1e6 N/m at 20 ms, where symplectic Euler needs steps of microseconds. Linearised turns stretch stiff
// cloth for a step: the energy of that is gone again at the end.
TEST(BaraffWitkin, StiffClothIsStableInLongSteps) {
    for (const double stiffness : {1e3, 1e4, 1e6}) {
        const std::string k = std::to_string(stiffness);
        auto simulation = scene::build(scene::parse_scene(R"({
            "taut": 1, "preset": "baraff_witkin1998",
            "cloths": [{"type": "grid", "cells": "triangles", "nu": 13, "nv": 13}],
            "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}],
            "forces": {"stretch_condition": {"weft": )" + k + R"(, "warp": )" +
                                                              k + R"(}},
            "run": {"duration": 2, "fps": 50, "dt": 0.02}
        })",
                                                          "stiff"));
        ASSERT_EQ(simulation->run({}), RunOutcome::finished) << stiffness << " " << simulation->failure();
        EXPECT_LT(simulation->totals().integrator.stretch, 1.2) << stiffness;
        EXPECT_LT(simulation->totals().energy_end, simulation->totals().energy_start) << stiffness;
        for (const Vec3& x : simulation->state().x) EXPECT_LT(x.norm(), 2);
    }
}

// Stretch left out, shear and bending implicit below the projection: Goldenthal et al. 2007, Figures 7 and 8.
TEST(BaraffWitkin, ServesUnderAProjection) {
    auto simulation = scene::build(scene::parse_scene(R"({
        "taut": 1, "preset": "baraff_witkin1998",
        "cloths": [{"type": "grid", "nu": 17, "nv": 17, "initial": {"type": "sag", "chord": 0.98}}],
        "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}],
        "forces": {"stretch_condition": null, "shear_condition": {"stiffness": 50}, "bend_condition": {"weft": 1e-3, "warp": 1e-3}},
        "filters": ["stable_projection"],
        "run": {"duration": 1, "fps": 60, "dt": 0.0083333}
    })",
                                                      "projected"));
    ASSERT_EQ(simulation->run({}), RunOutcome::finished) << simulation->failure();
    EXPECT_TRUE(simulation->certified());
    EXPECT_LE(std::max(simulation->totals().warp.max, simulation->totals().weft.max), 1e-3);
    EXPECT_LE(simulation->totals().energy_max - simulation->totals().energy_start, 1e-6) << "[J], of 1 J";
    EXPECT_LT(simulation->last_report().center_of_mass[2], -0.1);
}

TEST(BaraffWitkin, SameBitsForAnyNumberOfThreads) {
    std::string hash;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        Simulation simulation = Sheet(true).simulation({});
        for (int step = 0; step < 10; ++step) testing::step(simulation, 0.01);
        if (!hash.empty()) {
            EXPECT_EQ(simulation.state_hash(), hash) << threads;
        }
        hash = simulation.state_hash();
    }
}

}  // namespace
}  // namespace taut::integrators::large_steps

// Whole runs against closed forms: pendulum, first mode of a chain, catenary, conserved momentum; and
// the promises of the hanging sheet: certified strain, energy that does not grow, an orderly end where
// no unstretched cloth exists. Scenes are the built-in ones, small.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/named_scene.hpp"
#include "sim/cloths.hpp"
#include "taut/filters/stable_projection.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/isometric_bending.hpp"
#include "taut/forces/shear_springs.hpp"
#include "taut/integrators/bdf2.hpp"
#include "taut/linalg/yarn_cg.hpp"

namespace taut {
namespace {

const double g = 9.81;

// Follows one vertex and the extremes of the run.
class Track final : public Observer {
public:
    explicit Track(std::size_t vertex) : vertex_(vertex) {}
    void begin(const Simulation& simulation) override { add(simulation, 0); }
    void step(const Simulation& simulation, const StepReport& report) override {
        add(simulation, report.kinetic);
        least_potential = std::min(least_potential, report.potential);
        finite = finite && std::isfinite(report.energy());
    }
    // Times at which x passes zero, to second order.
    std::vector<double> crossings() const {
        std::vector<double> times;
        for (std::size_t k = 1; k < x.size(); ++k) {
            if ((x[k - 1].x() < 0) == (x[k].x() < 0)) continue;
            times.push_back(t[k - 1] + (t[k] - t[k - 1]) * x[k - 1].x() / (x[k - 1].x() - x[k].x()));
        }
        return times;
    }
    // Angular frequency from the first to the last crossing.
    double frequency() const {
        const auto times = crossings();
        return double(times.size() - 1) * std::numbers::pi / (times.back() - times.front());
    }
    std::vector<double> t;
    Points x;
    double least_potential = 0;
    bool finite = true;

private:
    void add(const Simulation& simulation, double) {
        t.push_back(simulation.state().t);
        x.push_back(simulation.state().x[vertex_]);
        if (t.size() == 1) least_potential = simulation.totals().energy_start;
    }
    std::size_t vertex_;
};

TEST(Pendulum, SingleLinkHasThePeriodOfSmallAngles) {
    const double length = 0.7, angle = 0.03;
    Model model = testing::chain(2, length);
    State start = testing::at_rest(model);
    start.x[1] = length * Vec3(std::sin(angle), 0, -std::cos(angle));
    model.pins.push_back(testing::pin({0}, start.x));
    Pipeline pipeline = testing::pipeline(std::make_unique<integrators::Bdf2>(),
                                          std::make_unique<forces::Gravity>(forces::GravityParams{}));
    pipeline.filters.push_back(std::make_unique<filters::StableProjection>(
        filters::StableProjectionParams{}, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})));
    RunSettings settings;
    settings.duration = 8;
    Simulation simulation(model, start, std::move(pipeline), settings);
    Track track(1);
    ASSERT_EQ(simulation.run({&track}), RunOutcome::finished);
    ASSERT_GE(track.crossings().size(), 8u);
    const double exact = std::sqrt(g / length) / (1 + angle * angle / 16);
    EXPECT_NEAR(track.frequency() / exact, 1, 5e-3);
    EXPECT_TRUE(simulation.certified());
}

TEST(Chain, SwingsInItsFirstMode) {
    const auto simulation = named("chain", {"cloths.chain.vertices=41"});
    Track track(40);
    ASSERT_EQ(simulation->run({&track}), RunOutcome::finished);
    EXPECT_TRUE(simulation->certified());
    ASSERT_GE(track.crossings().size(), 4u);
    EXPECT_NEAR(track.frequency() / (1.2024 * std::sqrt(g / 1.0)), 1, 1e-2);
    // A mode keeps its shape: the tip swings back to nearly the other side.
    double least = 0;
    for (const Vec3& x : track.x) least = std::min(least, x.x());
    EXPECT_LT(least, -0.9 * 0.02);
}

// Parameter of the catenary z = a cosh(x / a) of given length over a span, by bisection of
// 2 a sinh(span / (2 a)) = length, which falls with a.
double catenary_parameter(double span, double length) {
    double low = span / 100, high = 100 * span;
    for (int k = 0; k < 200; ++k) {
        const double a = 0.5 * (low + high);
        (2 * a * std::sinh(span / (2 * a)) > length ? low : high) = a;
    }
    return low;
}

TEST(Chain, SettlesOnTheCatenary) {
    const auto simulation = named("catenary", {"cloths.chain.vertices=41"});
    ASSERT_EQ(simulation->run({}), RunOutcome::finished);
    EXPECT_TRUE(simulation->certified());
    const double span = 1, length = 1.5, a = catenary_parameter(span, length);
    EXPECT_NEAR(2 * a * std::sinh(span / (2 * a)), length, 1e-9);
    const Points& x = simulation->state().x;
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double s = length * double(i) / double(x.size() - 1) - length / 2;
        const double u = a * std::asinh(s / a);
        const Vec3 exact(u, 0, 1 + a * std::cosh(u / a) - a * std::cosh(span / (2 * a)));
        worst = std::max(worst, (x[i] - exact).norm());
    }
    EXPECT_LT(worst, 5e-3 * span);
    EXPECT_GT(1 - x[20].z(), 0.4);  // it does hang
}

TEST(FreeSheet, KeepsItsLinearMomentum) {
    Model model = testing::sheet(15, 13);
    State start = testing::at_rest(model);
    for (std::size_t i = 0; i < start.v.size(); ++i) {
        start.v[i] = Vec3(1, 0.5, 2) + Vec3(3, 1, 4).cross(start.x[i] - Vec3(0.5, 0.4, 0));
    }
    Pipeline pipeline =
        testing::pipeline(std::make_unique<integrators::Bdf2>(),
                          std::make_unique<forces::ShearSprings>(forces::ShearSpringsParams{}),
                          std::make_unique<forces::IsometricBending>(forces::IsometricBendingParams{}));
    pipeline.filters.push_back(std::make_unique<filters::StableProjection>(
        filters::StableProjectionParams{}, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})));
    RunSettings settings;
    settings.duration = 1;
    Simulation simulation(model, start, std::move(pipeline), settings);
    const Vec3 before = testing::momentum(model, start.v);
    ASSERT_EQ(simulation.run({}), RunOutcome::finished) << simulation.failure();
    EXPECT_TRUE(simulation.certified());
    const Vec3 after = testing::momentum(model, simulation.state().v);
    EXPECT_LT((after - before).norm(), 1e-8 * before.norm());
    // The centre flies straight on.
    const Vec3 centre = testing::momentum(model, simulation.state().x) - testing::momentum(model, start.x);
    EXPECT_LT((centre - before).norm(), 1e-8 * before.norm());
}

// The largest change of energy of a swinging sheet without damping, in parts of the drop.
double energy_drift(const std::string& integrator, double dt) {
    class Drift final : public Observer {
    public:
        void step(const Simulation& simulation, const StepReport& report) override {
            const double start = simulation.totals().energy_start;
            change = std::max(change, std::abs(report.energy() - start));
            drop = std::max(drop, start - report.potential);
        }
        double change = 0, drop = 0;
    } drift;
    const auto simulation = named(
        "hang", {"cloths.sheet.nu=15", "cloths.sheet.nv=15", "forces=[\"gravity\", \"isometric_bending\"]",
                 "filters={\"stable_projection\": {\"tolerance\": 1e-7, \"force_tolerance\": 1e-6}}",
                 "integrator=" + integrator, "run.dt=" + number_text(dt), "run.duration=1"});
    EXPECT_EQ(simulation->run({&drift}), RunOutcome::finished) << simulation->failure();
    EXPECT_TRUE(simulation->certified());
    EXPECT_GT(drift.drop, 0.1);
    return drift.change / drift.drop;
}

// Forces of constraints that act in the middle of the step do no work on unstretched cloth, nor does a
// quadratic potential lose any: energy is kept to the tolerances, resolved or not.
TEST(Midpoint, KeepsTheEnergyOfASwingingSheet) {
    for (double dt : {1.0 / 60, 1.0 / 120}) EXPECT_LT(energy_drift("midpoint", dt), 1e-3) << dt;
    EXPECT_GT(energy_drift("bdf2", 1.0 / 60), 1e-2);
}

void expect_certified(const std::string& name, const Settings& settings) {
    const auto simulation = named(name, settings);
    Track track(0);
    std::string text = name;
    for (const std::string& s : settings) text += " " + s;
    EXPECT_EQ(simulation->run({&track}), RunOutcome::finished) << text << ": " << simulation->failure();
    const RunTotals& totals = simulation->totals();
    EXPECT_TRUE(simulation->certified()) << text;
    EXPECT_EQ(totals.failed_steps, 0) << text;
    EXPECT_LE(totals.warp.max, simulation->tolerance()) << text;
    EXPECT_LE(totals.weft.max, simulation->tolerance()) << text;
    EXPECT_TRUE(track.finite) << text;
    const double drop = totals.energy_start - track.least_potential;
    EXPECT_GT(drop, 0.1) << text;
    EXPECT_LE(totals.energy_max - totals.energy_start, 1e-3 * drop) << text;
}

Settings sized(int n, double tolerance, double dt) {
    return {"cloths.sheet.nu=" + std::to_string(n), "cloths.sheet.nv=" + std::to_string(n),
            "filters={\"stable_projection\": {\"tolerance\": " + number_text(tolerance) + "}}",
            "run.dt=" + number_text(dt)};
}

TEST(Hang, IsCertifiedAtEveryTolerance) {
    for (double tolerance : {1e-2, 1e-3, 1e-5}) {
        for (double dt : {1.0 / 60, 1.0 / 120, 0.004}) expect_certified("hang", sized(21, tolerance, dt));
    }
}

TEST(Hang, ByTheWholeEdge) {
    for (double tolerance : {1e-2, 1e-3, 1e-5})
        expect_certified("hang_edge", sized(21, tolerance, 1.0 / 120));
}

TEST(Hang, ByOneCorner) {
    for (double tolerance : {1e-2, 1e-3}) expect_certified("hang_corner", sized(21, tolerance, 1.0 / 120));
}

// The row between the pins cannot move at all.
TEST(Hang, BetweenPinsAtRestDistance) {
    for (double tolerance : {1e-2, 1e-3}) {
        for (double dt : {1.0 / 60, 1.0 / 120}) expect_certified("hang_taut", sized(21, tolerance, dt));
    }
}

// Two per cent too far apart: no unstretched cloth reaches both pins.
TEST(Hang, InfeasiblePinsEndTheRunInWords) {
    for (int max_halvings : {0, 6}) {
        Settings settings = sized(15, 1e-3, 1.0 / 120);
        settings.push_back("pins.corners.at=[[-0.51, 0, 1], [0.51, 0, 1]]");
        settings.push_back("run.max_halvings=" + std::to_string(max_halvings));
        const auto simulation = named("hang_taut", settings);
        EXPECT_EQ(simulation->run({}), RunOutcome::failed);
        EXPECT_FALSE(simulation->certified());
        EXPECT_NE(simulation->failure().find("max strain"), std::string::npos) << simulation->failure();
        EXPECT_NE(simulation->failure().find("edge between vertices"), std::string::npos)
            << simulation->failure();
        for (const Vec3& x : simulation->state().x) ASSERT_LT(x.norm(), 3);
    }
    // Even a run that is told to go on does not explode.
    Settings settings = sized(15, 1e-3, 1.0 / 120);
    settings.insert(settings.end(), {"pins.corners.at=[[-0.51, 0, 1], [0.51, 0, 1]]", "run.max_halvings=0",
                                     "run.stop_on_failure=false", "run.duration=0.5"});
    const auto simulation = named("hang_taut", settings);
    EXPECT_EQ(simulation->run({}), RunOutcome::finished);
    EXPECT_GT(simulation->totals().failed_steps, 0);
    for (const Vec3& x : simulation->state().x) ASSERT_LT(x.norm(), 3);
}

// Without damping the midpoint rule keeps the energy of a chain that lashes about; bdf2 does not.
TEST(Swing, MidpointKeepsTheEnergy) {
    const double drop = 0.1 * 9.81 * 0.5;  // weight times half the length [J]
    const auto loss = [&](const Settings& settings) {
        const auto simulation = named("swing", settings);
        EXPECT_EQ(simulation->run({}), RunOutcome::finished) << simulation->failure();
        EXPECT_TRUE(simulation->certified());
        const RunTotals& totals = simulation->totals();
        EXPECT_LT(totals.energy_max - totals.energy_start, 1e-3 * drop);
        return (totals.energy_start - totals.energy_end) / drop;
    };
    EXPECT_LT(std::abs(loss({})), 0.005);
    EXPECT_GT(loss({"integrator=bdf2"}), 0.1);
}

// Meshes no one tuned: irregular boundary, triangles, several pieces, a cylinder.
TEST(Meshes, FromFilesRunCertified) {
    for (const char* name : {"leaf", "patchwork", "pennants", "tube", "disc"}) {
        const auto simulation = named(name, {"run.duration=0.4"});
        EXPECT_EQ(simulation->run({}), RunOutcome::finished) << name << ": " << simulation->failure();
        EXPECT_TRUE(simulation->certified()) << name;
    }
}

}  // namespace
}  // namespace taut

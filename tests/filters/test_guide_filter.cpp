// Guides as a filter: what it changes and what it leaves, velocities along the guide, beads that slide,
// swing, are thrown out and turn corners by every integrator, and cloth whose whole weight a guide carries.
#include "taut/filters/guide_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "filters/filter_probe.hpp"
#include "taut/filters/contact.hpp"
#include "taut/filters/stable_projection.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/integrators/baraff_witkin.hpp"
#include "taut/integrators/bdf2.hpp"
#include "taut/integrators/implicit_euler.hpp"
#include "taut/integrators/midpoint.hpp"
#include "taut/integrators/symplectic_euler.hpp"
#include "taut/integrators/velocity_verlet.hpp"
#include "taut/linalg/yarn_cg.hpp"

namespace taut::filters::guide_filter_tests {
namespace {

using taut::testing::FilterProbe;

constexpr double gravity = 9.81;

Guide circle(std::vector<int> vertices) {
    Guide guide;
    guide.name = "hoop";
    guide.vertices = std::move(vertices);
    guide.shape = GuideShape::circle;
    guide.axis = Vec3(0.2, 1, -0.3).normalized();
    guide.point = {0.5, 0.5, 0};
    guide.radius = 0.4;
    return guide;
}

Guide line(std::vector<int> vertices, const Vec3& point, const Vec3& along) {
    Guide guide;
    guide.name = "rail";
    guide.vertices = std::move(vertices);
    guide.point = point;
    guide.axis = along.normalized();
    return guide;
}

Motion shifting(const Vec3& speed) {
    return Motion({{0, Vec3::Zero(), Vec3::Zero()}, {10, 10 * speed, Vec3::Zero()}}, Vec3::Zero(),
                  Interpolation::linear);
}

// A sheet of 4 x 3 vertices with these guides.
FilterProbe probe(std::vector<Guide> guides, const std::vector<int>& pins = {}) {
    Model model = taut::testing::sheet(4, 3);
    model.guides = std::move(guides);
    return FilterProbe(std::move(model), std::make_unique<GuideFilter>(), pins);
}

// The distance is the least of all ways onto the guide, and nothing else moves.
TEST(GuideFilter, SetsVerticesOntoTheirGuides) {
    FilterProbe p = probe({circle({1, 5}), line({8}, {0, 0.2, 0.1}, {1, 1, 0})});
    const Points wanted = taut::testing::blown(p.model, 0.1, 3);
    const FilterReport report = p.apply(wanted);
    EXPECT_TRUE(report.held);
    EXPECT_LE(report.residual, 1e-15);
    EXPECT_EQ(report.tolerance, GuideFilter::tolerance);
    EXPECT_EQ(report.iterations, 1);
    EXPECT_TRUE(report.note.empty());
    const Points end = p.end();
    for (std::size_t i = 0; i < end.size(); ++i) {
        const bool guided = i == 1 || i == 5 || i == 8;
        EXPECT_EQ(p.candidate.impacted[i], guided ? 1 : 0);
        if (!guided) {
            EXPECT_EQ(p.candidate.v[i], (wanted[i] - p.start.x[i]) / p.context.dt);
            continue;
        }
        const Guide& guide = p.model.guides[i == 8 ? 1 : 0];
        EXPECT_LE((end[i] - guide.nearest(wanted[i], 0)).norm(), 1e-15);
    }
}

TEST(GuideFilter, AdmissibleVelocitiesPassAndTwiceIsOnce) {
    FilterProbe p = probe({circle({1, 5, 6})});
    p.apply(taut::testing::blown(p.model, 0.1, 4));
    const Points once = p.candidate.v;
    p.candidate.impacted.assign(once.size(), 0);
    const FilterReport report = p.again();
    EXPECT_EQ(p.candidate.v, once);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_TRUE(report.held);
    EXPECT_EQ(p.candidate.impacted, std::vector<std::uint8_t>(once.size(), 0));
}

TEST(GuideFilter, LeavesPinnedAndReleasedVerticesAlone) {
    Guide released = circle({2});
    released.release = 0.5;
    FilterProbe p = probe({circle({1}), released}, {1});
    const Points wanted = taut::testing::blown(p.model, 0.1, 5);
    p.start.t = 0.4999;
    EXPECT_TRUE(p.apply(wanted).held);
    EXPECT_EQ(p.candidate.v[1], Vec3::Zero());
    EXPECT_LE(released.distance(p.end()[2], 0), 1e-15);
    p.start.t = 0.5;
    EXPECT_TRUE(p.apply(wanted).held);
    EXPECT_EQ(p.candidate.v[2], (wanted[2] - p.start.x[2]) / p.context.dt);
}

TEST(GuideFilter, MeasuresTheFarthest) {
    FilterProbe p = probe({line({1, 2}, {0, 0, 0}, {1, 0, 0})});
    p.candidate.v.assign(12, Vec3::Zero());
    p.start.x[1] = {0.4, 0.003, 0.004};
    p.start.x[2] = {0.7, 0, 0};
    p.candidate.v[2] = {3, 0, 0.2};
    FilterReport report;
    p.filter->measure(p.context, p.candidate, report);
    EXPECT_FALSE(report.held);
    EXPECT_NEAR(report.residual, 0.005, 1e-15);
    EXPECT_EQ(report.note, "vertex 1 of cloth 'cloth' is 0.005 m off its guide 'rail'");
    p.filter->apply(p.context, p.candidate, report);
    p.filter->measure(p.context, p.candidate, report);
    EXPECT_TRUE(report.held);
    EXPECT_TRUE(report.note.empty());
}

TEST(GuideFilter, FollowsAGuideThatMoves) {
    Guide moving = circle({1, 5});
    moving.motion = shifting({0.3, -2, 1});
    FilterProbe p = probe({moving});
    p.start.t = 1.2;
    EXPECT_TRUE(p.apply(taut::testing::shaken(p.model.rest, 0.05, 6)).held);
    for (const std::size_t i : {1u, 5u}) EXPECT_LE(moving.distance(p.end()[i], p.context.time_end()), 1e-15);
}

// The velocity at the end goes with the guide and along it; settling changes it by as much, once.
TEST(GuideFilter, EndVelocitiesLeadNowhereElse) {
    const Vec3 speed(0.3, -2, 1);
    Guide moving = circle({1, 5});
    moving.motion = shifting(speed);
    FilterProbe p = probe({moving});
    p.apply(taut::testing::shaken(p.model.rest, 0.05, 7));
    const Points any = taut::testing::random_points(12, 1, 8);
    State end{p.end(), any, p.context.time_end()};
    p.filter->apply_end_velocity(p.context, p.candidate, end);
    EXPECT_EQ(end.x, p.end());
    const Vec3 center = moving.point + p.context.dt * speed;
    for (std::size_t i = 0; i < any.size(); ++i) {
        const Vec3 round = moving.axis.cross(end.x[i] - center).normalized();
        const bool guided = i == 1 || i == 5;
        const Vec3 expected = guided ? Vec3(speed + round.dot(any[i] - speed) * round) : any[i];
        EXPECT_LE((end.v[i] - expected).norm(), guided ? 1e-12 : 0);
    }

    Points v = any;
    FilterReport report;
    EXPECT_TRUE(p.filter->settle_velocity(p.context, any, p.candidate, v, report));
    for (std::size_t i = 0; i < any.size(); ++i) EXPECT_LE((v[i] - end.v[i]).norm(), 1e-12);
    EXPECT_FALSE(p.filter->settle_velocity(p.context, any, p.candidate, v, report));
}

std::unique_ptr<Integrator> integrator(const std::string& name) {
    using namespace integrators;
    if (name == "bdf2") return std::make_unique<Bdf2>();
    if (name == "implicit_euler") return std::make_unique<ImplicitEuler>();
    if (name == "midpoint") return std::make_unique<Midpoint>();
    if (name == "symplectic_euler") return std::make_unique<SymplecticEuler>();
    if (name == "velocity_verlet") return std::make_unique<VelocityVerlet>();
    return std::make_unique<BaraffWitkin>();
}

const char* const first_order[] = {"implicit_euler", "symplectic_euler", "baraff_witkin"};
const char* const second_order[] = {"bdf2", "midpoint", "velocity_verlet"};

// The ends of a link of 0.1 m, both on a guide, under gravity; with the length kept, or as two beads.
Simulation beads(const std::string& name, Guide guide, const Vec3& first, const Vec3& second, bool keep) {
    Model model = taut::testing::chain(2, 0.1);
    guide.vertices = {0, 1};
    model.guides.push_back(std::move(guide));
    Pipeline pipeline =
        taut::testing::pipeline(integrator(name), std::make_unique<forces::Gravity>(forces::GravityParams{}));
    if (keep) {
        pipeline.filters.push_back(std::make_unique<StableProjection>(
            StableProjectionParams{}, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})));
    }
    pipeline.filters.push_back(std::make_unique<GuideFilter>());
    return {std::move(model), {{first, second}, Points(2, Vec3::Zero()), 0}, std::move(pipeline), {}};
}

// Without friction a bead on a line at an angle a to the horizon goes g sin(a) t^2 / 2, and half a step's way
// more where the integrator is of first order.
TEST(GuideFilter, BeadsSlideDownALine) {
    constexpr double dt = 0.01, slope = 0.5;
    constexpr int steps = 100;
    const Guide rail = line({}, {0.2, 0.1, 1}, {std::cos(slope), 0, -std::sin(slope)});
    const double speed = gravity * std::sin(slope) * steps * dt;
    const auto expect_slide = [&](const std::string& name, double more) {
        for (const bool keep : {false, true}) {
            if (keep && name == "baraff_witkin") continue;
            Simulation s = beads(name, rail, rail.point, rail.point + 0.1 * rail.axis, keep);
            for (int k = 0; k < steps; ++k) {
                const StepResult result = taut::testing::step(s, dt);
                EXPECT_TRUE(result.report.held) << name;
                EXPECT_LE(rail.distance(result.state.x[0], 0), 1e-14) << name;
                EXPECT_LE(rail.axis.cross(result.state.v[0]).norm(), 1e-13) << name;
            }
            const double way = rail.axis.dot(s.state().x[0] - rail.point), t = steps * dt;
            // The linear solver of the projection is one of single precision.
            EXPECT_NEAR(way, 0.5 * speed * (t + more), keep ? 1e-6 : 1e-11) << name;
            EXPECT_NEAR(rail.axis.dot(s.state().v[0]), speed, keep ? 1e-6 : 1e-11) << name;
        }
    };
    for (const std::string name : second_order) expect_slide(name, 0);
    for (const std::string name : first_order) expect_slide(name, dt);
}

// A bead on a hoop is a pendulum. The nearest point is no point of the path of an integrator, so where a
// guide bends all of them lose speed, of first order in the step but for bdf2.
TEST(GuideFilter, ABeadOnAHoopSwings) {
    constexpr double radius = 0.5, start = 1;
    Guide hoop = circle({});
    hoop.axis = Vec3::UnitY(), hoop.point = Vec3::Zero(), hoop.radius = radius;
    const double quarter = std::sqrt(radius / gravity) * std::comp_ellint_1(std::sin(start / 2));
    const Vec3 x = radius * Vec3(std::sin(start), 0, -std::cos(start));
    const auto loss = [&](const std::string& name, int steps_a_quarter) {
        const double dt = quarter / steps_a_quarter;
        Simulation s = beads(name, hoop, x, x, false);
        for (int k = 0; k < steps_a_quarter; ++k) {
            const State end = taut::testing::step(s, dt).state;
            EXPECT_LE(hoop.distance(end.x[0], 0), 1e-11) << name;
            EXPECT_LE(std::abs(end.v[0].dot(end.x[0])), 1e-12) << name;
        }
        const double fastest = std::sqrt(2 * gravity * radius * (1 - std::cos(start)));
        return 1 - s.state().v[0].norm() / fastest;
    };
    for (const std::string name : {"implicit_euler", "midpoint", "baraff_witkin"}) {
        EXPECT_GT(loss(name, 64), 0) << name;
        EXPECT_NEAR(loss(name, 64) / loss(name, 128), 2, 0.3) << name;
    }
    EXPECT_LT(std::abs(loss("bdf2", 64)), 0.1 * loss("midpoint", 64));
    EXPECT_GT(loss("bdf2", 64) / loss("bdf2", 128), 3);
}

// On a rod that turns at w, a bead at r moves outwards as r cosh(w t).
TEST(GuideFilter, ABeadOnARodThatTurnsIsThrownOut) {
    constexpr double w = 2, r = 0.2;
    const auto error = [&](const std::string& name, int steps) {
        Guide rod = line({0, 1}, Vec3::Zero(), Vec3::UnitX());
        rod.motion = Motion({{0, Vec3::Zero(), Vec3::Zero()}, {10, Vec3::Zero(), {0, 0, 10 * w}}},
                            Vec3::Zero(), Interpolation::linear);
        Model model = taut::testing::chain(2, 0.1);
        model.guides.push_back(rod);
        State start{{{r, 0, 0}, {r / 2, 0, 0}}, {{0, w * r, 0}, {0, w * r / 2, 0}}, 0};
        Pipeline pipeline = taut::testing::pipeline(integrator(name));
        pipeline.filters.push_back(std::make_unique<GuideFilter>());
        Simulation s(std::move(model), std::move(start), std::move(pipeline), {});
        for (int k = 0; k < steps; ++k) {
            const State end = taut::testing::step(s, 1.0 / steps).state;
            EXPECT_LE(rod.distance(end.x[0], end.t), 1e-15) << name;
        }
        return 1 - s.state().x[0].norm() / (r * std::cosh(w));
    };
    for (const std::string name : {"implicit_euler", "midpoint", "velocity_verlet", "baraff_witkin"}) {
        EXPECT_NEAR(error(name, 100), 0.01, 0.001) << name;
        EXPECT_NEAR(error(name, 100) / error(name, 200), 2, 0.05) << name;
    }
    EXPECT_LT(error("bdf2", 100), 0.001);
    EXPECT_NEAR(error("bdf2", 100) / error("bdf2", 200), 4, 0.1);
}

// A bead that rests at a right corner must leave down the other piece, though that is across the first.
TEST(GuideFilter, BeadsLeaveCorners) {
    Guide bent = circle({});
    bent.shape = GuideShape::polyline;
    bent.points = {{-1, 0, 0}, {0, 0, 0}, {0, 0, -1}};
    for (const std::string name : {"bdf2", "implicit_euler", "midpoint", "baraff_witkin"}) {
        Simulation s = beads(name, bent, {0, 0, 0}, {-0.5, 0, 0}, false);
        for (int k = 0; k < 25; ++k) taut::testing::step(s, 0.01);
        const Points& x = s.state().x;
        EXPECT_LE(bent.distance(x[0], 0), 1e-12) << name;
        EXPECT_NEAR(x[0].z(), -0.5 * gravity * 0.25 * 0.25, 0.03) << name;
        EXPECT_LE((x[1] - Vec3(-0.5, 0, 0)).norm(), 1e-15) << name;
    }

    // In a valley it comes to rest, and stays.
    bent.points = {{-1, 0, 1}, {0, 0, 0}, {1, 0, 1}};
    for (const std::string name : {"bdf2", "midpoint", "baraff_witkin"}) {
        Simulation s = beads(name, bent, {0, 0, 0}, {-0.1, 0, 0.1}, false);
        for (int k = 0; k < 300; ++k) taut::testing::step(s, 0.01);
        EXPECT_LE(s.state().x[0].norm(), 1e-12) << name;
        EXPECT_LE(s.state().x[1].norm(), 2e-3) << name;
        EXPECT_LE(s.state().v[1].norm(), 0.2) << name;
    }
}

class Watch final : public Observer {
public:
    void step(const Simulation& simulation, const StepReport& report) override {
        const State& state = simulation.state();
        for (const Vec3& v : state.v) fastest = std::max(fastest, v.norm());
        for (const Guide& guide : simulation.model().guides) {
            for (const int vertex : guide.vertices) {
                const auto i = static_cast<std::size_t>(vertex);
                off = std::max(off, guide.distance(state.x[i], state.t));
            }
        }
        retries += report.retries;
    }
    double fastest = 0, off = 0;
    int retries = 0;
};

// A sheet that hangs from a rail alone stays at rest. Where velocities are settled apart,
// as with contacts, the weight on the rail must not add up in them.
TEST(GuideFilter, ASheetHangsAtRest) {
    for (const bool contacts : {false, true}) {
        Model model = taut::testing::sheet(9, 5, 0.4, 0.2);
        State start = taut::testing::at_rest(model);
        for (Vec3& x : start.x) x = {x.x(), 0, -x.y()};
        model.guides.push_back(line({0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 0, 0}, {1, 0, 0}));
        Pipeline pipeline = taut::testing::pipeline(
            integrator("bdf2"), std::make_unique<forces::Gravity>(forces::GravityParams{}));
        pipeline.filters.push_back(std::make_unique<StableProjection>(
            StableProjectionParams{}, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})));
        collision::Obstacle floor;
        floor.center = {0, 0, -5};
        if (contacts) {
            pipeline.filters.push_back(
                std::make_unique<Contact>(ContactParams{}, std::vector<collision::Obstacle>{floor}));
        }
        pipeline.filters.push_back(std::make_unique<GuideFilter>());
        pipeline.rounds = 50;
        RunSettings settings;
        settings.duration = 0.25;
        Simulation s(std::move(model), std::move(start), std::move(pipeline), settings);
        Watch watch;
        EXPECT_EQ(s.run({&watch}), RunOutcome::finished) << s.failure();
        EXPECT_TRUE(s.certified());
        EXPECT_LE(watch.off, 1e-15);
        EXPECT_LE(watch.fastest, 0.02) << contacts;
        EXPECT_EQ(watch.retries, 0) << contacts;
    }
}

}  // namespace
}  // namespace taut::filters::guide_filter_tests

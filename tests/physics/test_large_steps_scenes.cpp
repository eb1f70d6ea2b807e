// Scenes of Baraff and Witkin 1998, coarser: cloth slides off a tilting box when it should, a tube holds by
// friction, a robe stays on its shoulders, stiff cloth and folds come to rest, rings stay on a rail.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/named_scene.hpp"
#include "taut/sim/step_statistics.hpp"

namespace taut::large_steps_scenes_tests {
namespace {

constexpr double degree = std::numbers::pi / 180;

Vec3 middle(const Simulation& simulation) { return center_of_mass(simulation.model(), simulation.state().x); }

std::unique_ptr<Simulation> run_named(const std::string& name, const Settings& settings,
                                      const std::vector<Observer*>& observers = {}) {
    auto simulation = named(name, settings);
    EXPECT_EQ(simulation->run(observers), RunOutcome::finished) << simulation->failure();
    EXPECT_EQ(simulation->totals().failed_steps, 0);
    return simulation;
}

// The box turns by 40 degrees about its lower edge from 0.5 to 2.5 s, smoothly [rad].
double tilt(double t) {
    const double s = std::clamp(0.5 * (t - 0.5), 0.0, 1.0);
    return 40 * degree * s * s * (3 - 2 * s);
}

// The time at which the middle of the cloth has slid by a length along the box.
class Slide final : public Observer {
public:
    explicit Slide(double length) : length_(length) {}
    void step(const Simulation& simulation, const StepReport& report) override {
        const double angle = tilt(report.t);
        const Vec3 offset = middle(simulation) - Vec3(0.3, 0, 0.3);
        const double along = std::cos(angle) * offset.x() - std::sin(angle) * offset.z();
        if (report.step == 1) first_ = along;
        if (time == 0 && along - first_ > length_) time = report.t;
    }
    double time = 0;

private:
    double length_, first_ = 0;
};

// Beyond tan(angle) = mu it is pulled by g (sin - mu cos), here added up over time.
TEST(TiltingBox, SlidesAtTheFrictionAngleAndIsLetGo) {
    Slide slide(0.002);
    const auto simulation = run_named("tilting_box", {"cloths/0/spacing=0.04"}, {&slide});
    double way = 0, speed = 0, expected = 0;
    for (constexpr double dt = 1e-4; way < 0.002; expected += dt) {
        const double a = tilt(expected);
        speed = std::max(0.0, speed + dt * 9.81 * (std::sin(a) - 0.3 * std::cos(a)));
        way += dt * speed;
    }
    EXPECT_NEAR(slide.time, expected, 0.04);
    EXPECT_GT(simulation->totals().integrator.released, 50);
    EXPECT_LT(middle(*simulation).z(), 0.1) << "on the floor";
    EXPECT_GT(middle(*simulation).x(), 0.2) << "beyond the lower edge";
}

TEST(TriangleTube, HoldsByFrictionAndTurnsWithTheTrunk) {
    const Settings coarse{"cloths/0/spacing=0.04", "run/duration=0.8"};
    const auto before = run_named("triangle_tube", coarse);
    const auto after = run_named("triangle_tube", {"cloths/0/spacing=0.04", "run/duration=1.4"});
    EXPECT_NEAR(middle(*after).z(), middle(*before).z(), 0.005);
    double turned = 0;
    for (std::size_t i = 0; i < before->state().x.size(); ++i) {
        const Vec3 &p = before->state().x[i], &q = after->state().x[i];
        turned += std::atan2(p.x() * q.y() - p.y() * q.x(), p.x() * q.x() + p.y() * q.y());
    }
    EXPECT_NEAR(turned / static_cast<double>(before->state().x.size()), 70 * degree, 3 * degree);
}

TEST(Robe, StaysOnTheShoulders) {
    const auto simulation = run_named("robe", {"cloths/0/spacing=0.05"});
    const auto bounds = [&](const Points& x) {
        return std::minmax_element(x.begin(), x.end(),
                                   [](const Vec3& a, const Vec3& b) { return a.z() < b.z(); });
    };
    const auto [low, high] = bounds(simulation->state().x);
    const auto [rest_low, rest_high] = bounds(simulation->model().rest);
    EXPECT_NEAR(high->z(), rest_high->z(), 0.05);
    EXPECT_NEAR(low->z(), rest_low->z(), 0.1);
    EXPECT_LT(simulation->totals().penetration, 1e-6);
    EXPECT_LT(simulation->totals().integrator.stretch, 1.3);
}

// Noise of the solve is twenty times the weight of a vertex here; what is within it must not move contacts in
// every step, which stretched resting cloth to five times the energy of its start.
TEST(Drape, StiffClothRestsOnItsContacts) {
    class LastSecond final : public Observer {
    public:
        void step(const Simulation&, const StepReport& report) override {
            if (report.t <= 2) return;
            made += report.integrator.made, ++steps;
            energy = std::max(energy, report.energy());
        }
        double energy = -1e300;
        int made = 0, steps = 0;
    };
    // Rounding decides how such cloth falls: starts that differ by it tell more than one.
    constexpr int starts = 3;
    double energy = 0, energy_start = 0;
    for (int seed = 1; seed <= starts; ++seed) {
        LastSecond last;
        const auto simulation = run_named(
            "drape",
            {"preset=baraff_witkin1998", "cloths/0/cells=triangles", "cloths/0/nu=21", "cloths/0/nv=21",
             "forces/stretch_condition/weft=1e6", "forces/stretch_condition/warp=1e6", "run/fps=50",
             "run/dt=0.02", "run/duration=3", "run/jitter=1e-9", "run/seed=" + std::to_string(seed)},
            {&last});
        EXPECT_LT(last.made, 15 * last.steps);
        energy += last.energy / starts;
        energy_start = simulation->totals().energy_start;
    }
    EXPECT_LT(energy, energy_start);
}

TEST(RoundCloth, FoldsAndComesToRest) {
    const auto simulation = run_named("round_cloth", {"cloths/0/spacing=0.04"});
    EXPECT_LT(simulation->last_report().kinetic, 1e-4);
    EXPECT_LT(simulation->totals().penetration, 1e-6);
    EXPECT_LE(simulation->totals().energy_max, simulation->totals().energy_start + 1e-9);
    double low = 1;
    for (const Vec3& x : simulation->state().x) low = std::min(low, x.z());
    EXPECT_GT(low, 0.2) << "hangs over the ball";
}

TEST(CurtainRail, RingsStayOnTheRail) {
    const auto simulation = run_named("curtain_rail", {"run/duration=0.5"});
    for (const int ring : simulation->model().guides.at(0).vertices) {
        const Vec3& x = simulation->state().x[static_cast<std::size_t>(ring)];
        EXPECT_LT(Vec3(0, x.y(), x.z() - 1).norm(), 1e-9);
    }
}

TEST(LargeStepsProjected, IsCertifiedAndSwings) {
    const auto simulation =
        run_named("large_steps_projected", {"cloths/0/nu=21", "cloths/0/nv=21", "run/duration=0.6"});
    EXPECT_TRUE(simulation->certified());
    EXPECT_LE(simulation->totals().energy_max, simulation->totals().energy_start + 1e-6);
    EXPECT_LT(middle(*simulation).z(), 0.65) << "has fallen";
}

}  // namespace
}  // namespace taut::large_steps_scenes_tests

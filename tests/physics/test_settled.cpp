// Scenes brought to rest, against closed forms: the catenary, a short cantilever under its own weight, and a
// cloth that stays where it was settled.
#include <gtest/gtest.h>

#include <cmath>

#include "physics/named_scene.hpp"
#include "taut/sim/settle.hpp"

namespace taut {
namespace {

// Parameter of the catenary z = a cosh(x / a) of given length over a span, by bisection.
double catenary_of(double span, double length) {
    double low = span / 100, high = 100 * span;
    for (int k = 0; k < 200; ++k) {
        const double a = 0.5 * (low + high);
        (2 * a * std::sinh(span / (2 * a)) > length ? low : high) = a;
    }
    return low;
}

TEST(Settled, TheChainHangsInTheCatenary) {
    const auto simulation = named("catenary", {"cloths.chain.vertices=101"});
    SettleSettings settings;
    settings.tolerance = 1e-4;
    const SettleReport report = simulation->settle(settings);
    ASSERT_TRUE(report.at_rest()) << report.note;
    const double span = 1, length = 1.5, a = catenary_of(span, length);
    const Points& x = simulation->state().x;
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double s = length * double(i) / double(x.size() - 1) - length / 2;
        const double u = a * std::asinh(s / a);
        const Vec3 exact(u, 0, 1 + a * std::cosh(u / a) - a * std::cosh(span / (2 * a)));
        worst = std::max(worst, (x[i] - exact).norm());
    }
    EXPECT_LT(worst, 1e-3 * span);
}

// A strip clamped along two rows bends by w L^4 / (8 B) where that is little; w its weight per area.
const char* const strip = R"({"taut": 1, "name": "strip", "preset": "implicit_springs",
    "cloths": [{"name": "strip", "type": "grid", "nu": 4, "nv": 41, "width": 0.03, "height": 0.4,
                "material": {"density": 0.2}}],
    "pins": [{"name": "clamp", "group": {"box": {"min": [-1, -1, -1], "max": [1, 0.0101, 1]}}}],
    "forces": ["gravity", {"type": "stiff_springs", "stiffness": 2000},
               {"type": "isometric_bending", "warp": 0.1, "weft": 0.1}],
    "run": {"duration": 1, "fps": 60}})";

TEST(Settled, AStripBendsAsABeamDoes) {
    const auto simulation = scene::build(scene::parse_scene(strip, "strip", "/", {}));
    SettleSettings settings;
    settings.tolerance = 1e-5;
    const SettleReport report = simulation->settle(settings);
    ASSERT_TRUE(report.at_rest()) << report.note;
    const double weight = 0.2 * 9.81, length = 0.39;
    const double exact = weight * std::pow(length, 4) / (8 * 0.1);
    double lowest = 0;
    for (const Vec3& x : simulation->state().x) lowest = std::min(lowest, x.z());
    EXPECT_NEAR(-lowest / exact, 1, 0.05);
}

// Run on from rest, a cloth stays: neither energy nor places change to speak of.
TEST(Settled, WhatIsAtRestStays) {
    const auto simulation = named("hang", {"cloths.sheet.nu=15", "cloths.sheet.nv=15", "run.duration=1"});
    SettleSettings settings;
    settings.tolerance = 1e-4;
    ASSERT_TRUE(simulation->settle(settings).at_rest());
    const Points rest = simulation->state().x;
    const double energy = simulation->totals().energy_end;
    auto on = named("hang", {"cloths.sheet.nu=15", "cloths.sheet.nv=15", "run.duration=1"});
    on->restore({rest, Points(rest.size(), Vec3::Zero()), 0}, {}, {});
    ASSERT_EQ(on->run({}), RunOutcome::finished);
    double worst = 0;
    for (std::size_t i = 0; i < rest.size(); ++i)
        worst = std::max(worst, (on->state().x[i] - rest[i]).norm());
    EXPECT_LT(worst, 3e-4);
    EXPECT_NEAR(on->totals().energy_end, energy, 1e-4 * energy);
}

// With contact and friction: the drape, coarse, on its ball.
TEST(Settled, ADrapeComesToRestOnItsBall) {
    const auto simulation = named("drape", {"cloths.sheet.nu=21", "cloths.sheet.nv=21"});
    SettleSettings settings;
    settings.tolerance = 3e-3;
    const SettleReport report = simulation->settle(settings);
    EXPECT_TRUE(report.at_rest()) << report.note;
    EXPECT_LE(report.strain, 1e-3);
    double highest = -1;
    for (const Vec3& x : simulation->state().x) {
        EXPECT_GT((x - Vec3(0, 0, 0.5)).norm(), 0.25 - 1e-4);
        highest = std::max(highest, x.z());
    }
    EXPECT_NEAR(highest, 0.75, 5e-3);
}

}  // namespace
}  // namespace taut

// Fabrics on the virtual test bench: what simulated samples feel against the curves of their fabric,
// cantilevers against the closed form of a heavy strip, and the shadow of a drape.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/elements/load_path.hpp"
#include "taut/mesh/makers.hpp"
#include "taut/scene/drape_test.hpp"
#include "taut/scene/fabric_file.hpp"
#include "taut/scene/sample_test.hpp"

namespace taut::scene::fabric_bench_tests {
namespace {

// To a place, back through rest to the other side, and home.
std::vector<double> cycle(double far, int points) {
    std::vector<double> path;
    for (int k = 0; k <= 4 * points; ++k) {
        const double t = double(k) / points;
        path.push_back(far * (t < 1 ? t : t < 3 ? 2 - t : t - 4));
    }
    return path;
}

// Largest deviation from the fabric's own curve along the path, over its largest load.
double deviation(const SampleLoads& loads, const elements::LoadCurve& curve) {
    std::vector<double> own(loads.path.s.size());
    elements::loads_along(curve, loads.path.s, own);
    double worst = 0, most = 0;
    for (std::size_t k = 0; k < own.size(); ++k) {
        worst = std::max(worst, std::abs(own[k] - loads.path.load[k]));
        most = std::max(most, std::abs(own[k]));
    }
    return worst / most;
}

std::shared_ptr<const Fabric> fabric(const std::string& name) {
    return std::make_shared<Fabric>(open_fabric(name).fabric);
}

TEST(FabricBench, BentSamplesFollowTheCurvesOfTheirFabric) {
    const auto wool = fabric("wool");
    for (const bool weft : {true, false}) {
        const TestSample sample = bending_sample(wool, weft, 0.01, 20);
        const SampleLoads loads = follow_path(sample, cycle(250, 12), true);
        EXPECT_TRUE(loads.held);
        EXPECT_LT(loads.strain, 1e-4);
        EXPECT_LT(deviation(loads, weft ? wool->bend_weft : wool->bend_warp), 0.01);
    }
}

TEST(FabricBench, ShearedSamplesFollowTheCurveOfTheirFabric) {
    const auto denim = fabric("denim");
    const SampleLoads loads =
        follow_path(shear_sample(denim, 0.1, 8), cycle(8 * std::numbers::pi / 180, 8), true);
    EXPECT_TRUE(loads.held);
    EXPECT_LT(deviation(loads, denim->shear), 0.01);
}

// With linear bending the bending length of the standard is the cube root of stiffness over weight, within
// what its rounding of the formula takes.
TEST(FabricBench, CantileversHaveTheBendingLengthOfTheirStiffness) {
    for (const double stiffness : {2e-6, 3e-5}) {
        auto linear = std::make_shared<Fabric>();
        linear->density = 0.15;
        linear->bend_weft = linear->bend_warp = elements::straight(stiffness);
        linear->shear = elements::straight(10);
        for (const bool weft : {true, false}) {
            const CantileverResult result = test_cantilever(linear, weft, 24);
            EXPECT_TRUE(result.at_rest);
            EXPECT_NEAR(result.expected, std::cbrt(stiffness / (0.15 * 9.81)), 1e-12);
            EXPECT_NEAR(result.length / result.expected, 1, 0.05);
            EXPECT_NEAR(result.peirce / result.expected, 1, 0.05);
        }
    }
}

TEST(FabricBench, ShadowsHaveTheAreaOfTheirOutline) {
    Model model;
    const mesh::MadeMesh made = mesh::make_grid(11, 11, 0.2, 0.1);
    append(model, {"sheet", made.mesh, made.net, made.rest, std::vector<double>(121, 1e-3)});
    const Shadow flat = cast_shadow(model, model.rest, Vec3(0.1, 0.05, 0));
    EXPECT_NEAR(flat.area, 0.02, 1e-4);
    EXPECT_NEAR(flat.radius[0], 0.1, 1e-3);
    EXPECT_NEAR(flat.radius[90], 0.05, 1e-3);
    Points folded = model.rest;  // one half over the other
    for (Vec3& p : folded) {
        if (p.x() > 0.1) p = Vec3(0.2 - p.x(), p.y(), 0.01);
    }
    EXPECT_NEAR(cast_shadow(model, folded, Vec3(0.1, 0.05, 0)).area, 0.01, 1e-4);
}

}  // namespace
}  // namespace taut::scene::fabric_bench_tests

// Load curves: derivatives, oddness, what friction holds on the way back, and the loop it encloses.
#include "taut/elements/load_curve.hpp"

#include <gtest/gtest.h>

namespace taut::elements::load_curve_tests {
namespace {

LoadCurve typical() {
    LoadCurve c = straight(2);
    c.yielding[0] = {0.3, 0.05};
    c.yielding[1] = {0.1, 0.4};
    c.stiffening = 1.5;
    c.start = 0.6;
    c.end = 1.4;
    return c;
}

TEST(LoadCurve, DerivativesAgreeWithDifferences) {
    const LoadCurve c = typical();
    for (const double s : {-2.0, -1.0, -0.2, 0.01, 0.5, 0.7, 1.39, 1.6}) {
        const double h = 1e-6;
        const Load low = load_at(c, s - h), high = load_at(c, s + h), at = load_at(c, s);
        EXPECT_NEAR((high.energy - low.energy) / (2 * h), at.load, 1e-8);
        EXPECT_NEAR((high.load - low.load) / (2 * h), at.tangent, 1e-6);
        EXPECT_NEAR(load_at(c, -s).load, -at.load, 1e-15);
        EXPECT_NEAR(load_at(c, -s).energy, at.energy, 1e-15);
        EXPECT_GT(at.tangent, 0);
    }
}

// Where the way turns back from a load, friction falls to its opposite; on the way out from rest it is the
// curve.
TEST(LoadCurve, FrictionRemembersWhatItHolds) {
    const Yielding y{0.3, 0.05};
    EXPECT_NEAR(friction_load(y, 0, 0.02).load, 0.3 * (1 - std::exp(-0.4)), 1e-15);
    const double held = friction_load(y, 0, 10).load;
    EXPECT_NEAR(held, 0.3, 1e-12);
    EXPECT_NEAR(friction_load(y, held, 0).load, held, 1e-15);
    EXPECT_NEAR(friction_load(y, held, -10).load, -0.3, 1e-12);
    // Two steps are one.
    const double half = friction_load(y, held, -0.01).load;
    EXPECT_NEAR(friction_load(y, half, -0.02).load, friction_load(y, held, -0.03).load, 1e-15);
    // Work over a wide closed loop: twice the load times the width, less what the turns save.
    const double a = 2.0, there = friction_load(y, -0.3, 2 * a).energy,
                 back = friction_load(y, 0.3, -2 * a).energy;
    EXPECT_NEAR(there + back, 4 * a * 0.3 - 4 * 0.3 * 0.05, 1e-12);
}

}  // namespace
}  // namespace taut::elements::load_curve_tests

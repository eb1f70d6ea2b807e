// Load curves and what friction remembers of a path: derivatives, closed forms of loops, and their energy.
#include "taut/elements/load_path.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace taut::elements {
namespace {

LoadCurve whole_curve() {
    LoadCurve curve;
    curve.slope = 2;
    curve.yielding = {{{0.5, 0.1}, {0.2, 1.5}, {0, 1}, {0.1, 0.01}}};
    curve.stiffening = 3, curve.start = 0.6, curve.end = 1.4;
    return curve;
}

LoadCurve friction_alone(double load, double scale) {
    LoadCurve curve;
    curve.yielding[0] = {load, scale};
    return curve;
}

TEST(LoadCurve, TangentAndEnergyAreThoseOfTheLoad) {
    const LoadCurve c = whole_curve();
    constexpr double h = 1e-6;
    for (const double s : {-2.0, -1.0, -0.3, 0.02, 0.5, 0.7, 1.3, 1.5, 3.0}) {
        EXPECT_NEAR((load_at(c, s + h).load - load_at(c, s - h).load) / (2 * h), load_at(c, s).tangent, 1e-6);
        EXPECT_NEAR((load_at(c, s + h).energy - load_at(c, s - h).energy) / (2 * h), load_at(c, s).load,
                    1e-6);
        EXPECT_EQ(load_at(c, -s).load, -load_at(c, s).load);
        EXPECT_GE(load_at(c, s).tangent, 0);
    }
    EXPECT_EQ(load_at(c, 0).load, 0);
    EXPECT_TRUE(LoadCurve().empty());
    EXPECT_FALSE(c.empty());
}

// The way out from rest is the curve, in one move or in many.
TEST(LoadPath, TheWayOutIsTheCurve) {
    const LoadCurve c = whole_curve();
    for (const double end : {-1.7, 1.7}) {
        LoadMemory memory;
        double energy = 0;
        for (int k = 1; k <= 50; ++k) {
            const double s = end * k / 50, before = elastic_load(c, memory.s).energy;
            const Load r = follow(c, memory, s);
            energy += r.energy - before;
            EXPECT_NEAR(r.load, load_at(c, s).load, 1e-13);
            EXPECT_NEAR(r.tangent, load_at(c, s).tangent, 1e-12);
        }
        EXPECT_NEAR(energy, load_at(c, end).energy, 1e-12);
    }
}

// Out to S and back to s a part of friction holds -f + (2 f - f exp(-S/L)) exp(-(S - s)/L).
TEST(LoadPath, BackFromATurnFrictionGoesToTheOtherSide) {
    const double f = 0.7, scale = 0.3, far = 0.9;
    const LoadCurve c = friction_alone(f, scale);
    for (const double s : {0.6, 0.2, 0.0, -0.5}) {
        LoadMemory memory;
        follow(c, memory, far);
        const double back = follow(c, memory, s).load;
        EXPECT_NEAR(back, -f + f * (2 - std::exp(-far / scale)) * std::exp(-(far - s) / scale), 1e-14);
    }
}

// A cycle that repeats holds f tanh(S/L) at its ends and loses 4 f (S - L tanh(S/L)).
TEST(LoadPath, RepeatedCyclesCloseAndLoseEnergy) {
    for (const double scale : {0.05, 0.4, 3.0}) {
        const double f = 1.3, far = 0.8;
        LoadCurve c = friction_alone(f, scale);
        c.slope = 5;
        LoadMemory memory;
        for (int k = 0; k < 60; ++k) follow(c, memory, k % 2 == 0 ? far : -far);
        const double held = memory.held[0];
        EXPECT_NEAR(held, -f * std::tanh(far / scale), 1e-12);
        double lost = follow(c, memory, far).energy - elastic_load(c, -far).energy;
        lost += follow(c, memory, -far).energy - elastic_load(c, far).energy;
        EXPECT_NEAR(lost, 4 * f * (far - scale * std::tanh(far / scale)), 1e-12);
        EXPECT_NEAR(memory.held[0], held, 1e-12);
    }
}

TEST(LoadPath, LoadsAlongAPath) {
    const LoadCurve c = whole_curve();
    const std::vector<double> path{0, 0.5, 0.5, 0.4, -0.2, 1.2};
    std::vector<double> loads(path.size());
    loads_along(c, path, loads);
    EXPECT_EQ(loads[0], 0);
    EXPECT_NEAR(loads[1], load_at(c, 0.5).load, 1e-15);
    EXPECT_EQ(loads[2], loads[1]);
    LoadMemory memory;
    for (std::size_t k = 0; k < path.size(); ++k) EXPECT_EQ(follow(c, memory, path[k]).load, loads[k]);
}

}  // namespace
}  // namespace taut::elements

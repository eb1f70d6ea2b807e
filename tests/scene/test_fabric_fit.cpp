// Fits of load curves: nonnegative least squares, curves found again from their own cycles, noise, and the
// numbers of the Kawabata system against closed forms.
#include "taut/scene/fabric_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "taut/base/error.hpp"
#include "taut/base/random.hpp"
#include "taut/elements/load_path.hpp"
#include "taut/scene/fabric_kes.hpp"
#include "taut/scene/fabric_units.hpp"

namespace taut::scene {
namespace {

using elements::LoadCurve;

TEST(NonnegativeLeastSquares, KnownSolutions) {
    // Inside: the plain solution. At the edge: what wants to be negative is 0.
    const std::vector<std::vector<double>> columns{{1, 0, 0, 1}, {0, 2, 0, 1}, {0, 0, 1, -1}};
    const auto inside = nonnegative_least_squares(columns, {3, 4, 5, 0});
    EXPECT_NEAR(inside[0], 3, 1e-13);
    EXPECT_NEAR(inside[1], 2, 1e-13);
    EXPECT_NEAR(inside[2], 5, 1e-13);
    const auto edge = nonnegative_least_squares({{1, 0}, {0, 1}}, {-2, 3});
    EXPECT_EQ(edge[0], 0);
    EXPECT_NEAR(edge[1], 3, 1e-14);
    EXPECT_EQ(nonnegative_least_squares({{0, 0}}, {1, 1}), std::vector<double>{0});
}

// Against the conditions of an optimum, for many columns alike.
TEST(NonnegativeLeastSquares, NoColumnCouldHelp) {
    std::uint64_t state = 5;
    for (int round = 0; round < 50; ++round) {
        std::vector<std::vector<double>> columns(6, std::vector<double>(20));
        std::vector<double> b(20);
        for (auto& column : columns) {
            for (std::size_t k = 0; k < b.size(); ++k) column[k] = 1 + 0.3 * next_signed(state);
        }
        for (double& value : b) value = next_signed(state);
        const auto x = nonnegative_least_squares(columns, b);
        for (std::size_t j = 0; j < columns.size(); ++j) {
            double pull = 0;
            for (std::size_t k = 0; k < b.size(); ++k) {
                double miss = b[k];
                for (std::size_t i = 0; i < x.size(); ++i) miss -= x[i] * columns[i][k];
                pull += columns[j][k] * miss;
            }
            EXPECT_GE(x[j], 0);
            EXPECT_LT(pull, 1e-9);
            if (x[j] > 0) {
                EXPECT_NEAR(pull, 0, 1e-9);
            }
        }
    }
}

LoadCurve curve_with(double slope, std::array<elements::Yielding, elements::max_yielding> parts,
                     double stiffening = 0, double start = 0) {
    LoadCurve curve;
    curve.slope = slope, curve.yielding = parts;
    curve.stiffening = stiffening, curve.start = start;
    return curve;
}

TEST(FabricFit, FindsCurvesAgain) {
    const double reach = 250;
    for (const LoadCurve& known :
         {curve_with(8e-6, {}), curve_with(8e-6, {{{3e-4, 20}}}), curve_with(0, {{{3e-4, 20}}}),
          curve_with(8e-6, {{{3e-4, 4}, {5e-4, 60}}}), curve_with(8e-6, {{{3e-4, 20}}}, 4e-8, 125)}) {
        const std::vector<LoadPath> paths{cycle_of(known, reach, 25)};
        const LoadCurve fit = fit_load_curve(paths);
        const FitErrors errors = fit_errors(fit, paths);
        EXPECT_LT(errors.cycle.largest, 1e-4);
        EXPECT_LT(errors.out.largest, 1e-4);
        EXPECT_EQ(errors.cycle.points, 101);
        EXPECT_EQ(errors.out.points, 25);
        EXPECT_NEAR(fit.slope, known.slope, 1e-7);
        for (std::size_t j = 0; j < known.yielding.size(); ++j) {
            EXPECT_NEAR(fit.yielding[j].load, known.yielding[j].load, 5e-6) << j;
            if (known.yielding[j].load > 0) {
                EXPECT_NEAR(fit.yielding[j].scale / known.yielding[j].scale, 1, 0.02);
            }
        }
        EXPECT_NEAR(fit.stiffening, known.stiffening, 1e-9);
        if (known.stiffening > 0) {
            EXPECT_NEAR(fit.start, known.start, 1);
            EXPECT_EQ(fit.end, reach);
        }
    }
}

TEST(FabricFit, SameUpToUnits) {
    const LoadCurve known = curve_with(8e-6, {{{3e-4, 4}, {5e-4, 60}}});
    LoadPath path = cycle_of(known, 250, 25);
    const LoadCurve fit = fit_load_curve(std::vector{path});
    for (double& s : path.s) s *= 1e-3;
    for (double& load : path.load) load *= 1e5;
    const LoadCurve other = fit_load_curve(std::vector{path});
    EXPECT_NEAR(other.slope / fit.slope, 1e8, 1e2);
    EXPECT_NEAR(other.yielding[1].load / fit.yielding[1].load, 1e5, 10);
    EXPECT_NEAR(other.yielding[1].scale / fit.yielding[1].scale, 1e-3, 1e-7);
}

// Noise is not followed, and never makes anything negative.
TEST(FabricFit, NoiseIsLeftOver) {
    const LoadCurve known = curve_with(8e-6, {{{4e-4, 15}}});
    LoadPath path = cycle_of(known, 250, 25);
    const double most = path.load[25];
    std::uint64_t state = 11;
    for (double& load : path.load) load += 0.02 * most * next_signed(state);
    path.load[0] = 0;
    const std::vector<LoadPath> paths{path};
    const LoadCurve fit = fit_load_curve(paths);
    const FitErrors errors = fit_errors(fit, paths);
    EXPECT_NEAR(errors.cycle.rms, 0.02 / std::sqrt(3), 0.004);
    EXPECT_NEAR(fit.slope / known.slope, 1, 0.03);
    for (const auto& part : fit.yielding) EXPECT_GE(part.load, 0);
    EXPECT_GE(fit.stiffening, 0);
}

// The way out alone: the curve is found, whatever is friction in it.
TEST(FabricFit, ABranchAlone) {
    const LoadCurve known = curve_with(10, {{{2, 0.05}}}, 300, 0.08);
    LoadPath path;
    for (int k = 0; k <= 30; ++k) {
        path.s.push_back(0.14 * k / 30);
        path.load.push_back(elements::load_at(known, path.s.back()).load);
    }
    const std::vector<LoadPath> paths{path};
    EXPECT_LT(fit_errors(fit_load_curve(paths), paths).out.largest, 2e-3);
}

// Of one part of friction 2HB is the way out less the way back from 2.5 1/cm, and on the other side nearly
// twice the part.
TEST(KesNumbers, LoopOfOnePartOfFriction) {
    const double f = 4e-4, scale = 30, far = kes_bending_reach, at = kes_curvature;
    const LoadCurve curve = curve_with(8e-6, {{{f, scale}}});
    const double turned = f * (1 - std::exp(-far / scale));
    const double first =
        f * (1 - std::exp(-at / scale)) - (-f + (f + turned) * std::exp(-(far - at) / scale));
    const double at_zero = -f + (f + turned) * std::exp(-far / scale);
    const double out = f - (f + at_zero) * std::exp(-at / scale),
                 end = f - (f + at_zero) * std::exp(-far / scale);
    const double second = out - (-f + (f + end) * std::exp(-(far - at) / scale));
    const KesBending kes = kes_bending_of(curve);
    EXPECT_NEAR(kes.hysteresis, 0.5 * (first + second), 1e-12);
    EXPECT_NEAR(kes.stiffness, 8e-6 + f * (std::exp(-50 / scale) - std::exp(-150 / scale)) / 100, 1e-15);

    // Read off the points of a cycle it is the same.
    const KesBending points = kes_bending_of(std::vector{cycle_of(curve, far, 250)});
    EXPECT_NEAR(points.hysteresis, kes.hysteresis, 1e-9);
    EXPECT_NEAR(points.stiffness, kes.stiffness, 1e-12);
    EXPECT_TRUE(std::isnan(kes_bending_of(std::vector{cycle_of(curve, 80, 10)}).hysteresis));
}

TEST(KesNumbers, CurvesHaveTheNumbersTheyAreMadeOf) {
    const KesBending bending{0.08 * kes_bending, 0.05 * kes_moment};
    const LoadCurve bend = curve_of(bending);
    EXPECT_NEAR(kes_bending_of(bend).stiffness, bending.stiffness, 1e-12 * bending.stiffness);
    EXPECT_NEAR(kes_bending_of(bend).hysteresis, bending.hysteresis, 1e-12 * bending.hysteresis);
    const KesShear shear{0.9 * kes_shear, 1.0 * kes_force, 1.03 * kes_force};
    const LoadCurve curve = curve_of(shear);
    EXPECT_NEAR(kes_shear_of(curve).stiffness, shear.stiffness, 1e-12 * shear.stiffness);
    EXPECT_NEAR(kes_shear_of(curve).hysteresis, shear.hysteresis, 0.02 * shear.hysteresis);
    EXPECT_NEAR(kes_shear_of(curve).hysteresis_5, shear.hysteresis_5, 0.02 * shear.hysteresis_5);
    EXPECT_THROW(curve_of(KesBending{0.001 * kes_bending, 5 * kes_moment}), InputError);
    EXPECT_EQ(curve_of(KesBending{1e-5, 0}).slope, 1e-5);
}

}  // namespace
}  // namespace taut::scene

// Strain limiting and strain rate limiting: one edge in closed form, orders, caps, sheets, and what a limit
// on the rate does and does not do.
#include <gtest/gtest.h>

#include "filters/filter_probe.hpp"
#include "taut/filters/strain_limit_gauss_seidel.hpp"
#include "taut/filters/strain_limit_jacobi.hpp"
#include "taut/filters/strain_rate_limit.hpp"

namespace taut::filters {
namespace {

using testing::FilterProbe;

std::unique_ptr<VelocityFilter> jacobi(StrainLimitJacobiParams params) {
    return std::make_unique<StrainLimitJacobi>(params);
}
std::unique_ptr<VelocityFilter> gauss_seidel(StrainLimitGaussSeidelParams params) {
    return std::make_unique<StrainLimitGaussSeidel>(params);
}

// One edge is brought to rest length, or just inside its limit, by its two ends in proportion to 1/m.
TEST(StrainLimits, OneEdgeHasItsClosedForm) {
    for (double target : {0.0, 0.5, 1.0}) {
        for (double length : {0.3, 0.5}) {
            for (bool seidel : {false, true}) {
                FilterProbe p(testing::chain(2, 0.4), seidel ? gauss_seidel({0.01, 10, "data", 1, target})
                                                             : jacobi({0.01, 10, 1, target}));
                p.model.mass = {0.03, 0.01};
                const FilterReport report = p.apply({Vec3(0, 0, 0), Vec3(0, length, 0)});
                EXPECT_TRUE(report.held);
                EXPECT_EQ(report.iterations, 1);
                const double wanted = 0.4 * (1 + std::copysign(0.01 * target, length - 0.4));
                const double change = length - wanted;
                EXPECT_NEAR(p.end()[0].y(), 0.25 * change, 1e-8);
                EXPECT_NEAR(p.end()[1].y(), length - 0.75 * change, 1e-8);
            }
        }
    }
}

TEST(StrainLimits, EdgesWithinRangeAreLeftAlone) {
    FilterProbe p(testing::chain(2, 1), gauss_seidel({0.01, 10, "data", 1, 0}));
    EXPECT_EQ(p.apply({Vec3(0, 0, 0), Vec3(1.0099, 0, 0)}).iterations, 0);
    EXPECT_NEAR(p.end()[1].x(), 1.0099, 1e-12);
}

TEST(StrainLimits, EdgesBetweenPinsAreGivenUpAtOnce) {
    for (bool seidel : {false, true}) {
        FilterProbe p(testing::chain(3, 1), seidel ? gauss_seidel({}) : jacobi({}), {0, 1});
        p.context.pin_target = {Vec3(0, 0, 0), Vec3(0.7, 0, 0), Vec3(1, 0, 0)};
        const FilterReport report = p.apply({Vec3(0, 0, 0), Vec3(0.7, 0, 0), Vec3(1.2, 0, 0)});
        EXPECT_EQ(report.iterations, 0);
        EXPECT_FALSE(report.held);
        EXPECT_NEAR(report.residual, 0.4, 1e-9);
    }
}

TEST(StrainLimits, SheetsComeIntoRangeAndTighterTakesLonger) {
    for (bool seidel : {false, true}) {
        int last = 0;
        for (double tolerance : {0.1, 0.01, 0.001}) {
            FilterProbe p(testing::sheet(15, 15),
                          seidel ? gauss_seidel({tolerance, 100000}) : jacobi({tolerance, 100000}), {0});
            const FilterReport report = p.apply(testing::blown(p.model, 0.05, 3));
            EXPECT_TRUE(report.held) << report.note;
            EXPECT_LE(p.strain(), tolerance * (1 + 1e-9));
            EXPECT_GT(report.iterations, last);
            last = report.iterations;
        }
    }
}

TEST(StrainLimits, TheCapIsReported) {
    FilterProbe p(testing::sheet(15, 15), gauss_seidel({1e-4, 3}), {0, 14});
    const FilterReport report = p.apply(testing::blown(p.model, 0.05, 3));
    EXPECT_FALSE(report.held);
    EXPECT_EQ(report.iterations, 3);
    EXPECT_NE(report.note.find("after 3 iterations"), std::string::npos) << report.note;
}

TEST(StrainLimits, OrderAndSeedChooseTheWay) {
    Points ends[4];
    const StrainLimitGaussSeidelParams orders[4] = {
        {0.01, 5, "random", 1}, {0.01, 5, "random", 2}, {0.01, 5, "data", 1}, {0.01, 5, "random", 1}};
    for (int k = 0; k < 4; ++k) {
        FilterProbe p(testing::sheet(9, 9), gauss_seidel(orders[k]), {0});
        p.apply(testing::blown(p.model, 0.05, 3));
        ends[k] = p.end();
    }
    EXPECT_EQ(ends[0], ends[3]);
    EXPECT_GT(testing::farthest(ends[0], ends[1]), 1e-6);
    EXPECT_GT(testing::farthest(ends[0], ends[2]), 1e-6);
}

TEST(StrainRateLimit, LengthsChangeByATenthAtMost) {
    for (double length : {0.5, 1.05, 3.0}) {
        FilterProbe p(testing::chain(2, 1), std::make_unique<StrainRateLimit>(StrainRateLimitParams{}), {0});
        const FilterReport report = p.apply({Vec3(0, 0, 0), Vec3(length, 0, 0)});
        EXPECT_TRUE(report.held) << report.note;
        EXPECT_NEAR(p.end()[1].x(), std::clamp(length, 0.9, 1.1), 2e-7);
    }
    // Relative to the length at the start of the step, not at rest.
    FilterProbe p(testing::chain(2, 1), std::make_unique<StrainRateLimit>(StrainRateLimitParams{}), {0});
    p.start.x[1].x() = 2;
    p.apply({Vec3(0, 0, 0), Vec3(3, 0, 0)});
    EXPECT_NEAR(p.end()[1].x(), 2.2, 1e-6);
    EXPECT_FALSE(p.filter->certifies_strain());
}

TEST(StrainRateLimit, HoldsOnASheet) {
    FilterProbe p(testing::sheet(12, 12), std::make_unique<StrainRateLimit>(StrainRateLimitParams{}),
                  {0, 11});
    const FilterReport report = p.apply(testing::blown(p.model, 0.06, 3));
    EXPECT_TRUE(report.held) << report.note;
    EXPECT_LE(p.strain(), 0.1 * (1 + 1e-9));
    EXPECT_GT(report.iterations, 1);
}

}  // namespace
}  // namespace taut::filters

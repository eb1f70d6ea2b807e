// Fast projection against Algorithm 1 done by hand on one edge, on small cloths, and on cloths it
// cannot satisfy.
#include "taut/filters/fast_projection.hpp"

#include <gtest/gtest.h>

#include "filters/filter_probe.hpp"
#include "taut/linalg/cholesky.hpp"
#include "taut/linalg/ldlt.hpp"
#include "taut/linalg/yarn_cg.hpp"

namespace taut::filters {
namespace {

using testing::FilterProbe;

std::unique_ptr<VelocityFilter> make(FastProjectionParams params) {
    return std::make_unique<FastProjection>(params, std::make_unique<linalg::Cholesky>());
}

// C, its gradient and one smallest step, written out for |d|^2/l - l, |d|^2 - l^2 and |d|/l - 1.
void hand_step(const std::string& form, double rest, double mass_a, double mass_b, Vec3& a, Vec3& b) {
    const Vec3 d = b - a;
    double c = d.squaredNorm() / rest - rest;
    Vec3 gradient = 2 * d / rest;
    if (form == "squared") c *= rest, gradient *= rest;
    if (form == "relative") c = d.norm() / rest - 1, gradient = d / (rest * d.norm());
    const double inverse_a = mass_a > 0 ? 1 / mass_a : 0, inverse_b = 1 / mass_b;
    const double lambda = c / (gradient.squaredNorm() * (inverse_a + inverse_b));
    a += lambda * inverse_a * gradient;
    b -= lambda * inverse_b * gradient;
}

TEST(FastProjection, ReproducesIterationsByHandOnOneEdge) {
    for (const std::string form : {"goldenthal", "squared", "relative"}) {
        for (bool pinned : {false, true}) {
            for (int iterations : {1, 2}) {
                FilterProbe p(testing::chain(2, 0.4), make({1e-9, iterations, form, 0, 1e-3}),
                              pinned ? std::vector<int>{0} : std::vector<int>{});
                p.model.mass = {0.03, 0.01};
                Vec3 a(0, 0, 0), b(0.3, 0.3, -0.2);
                const FilterReport report = p.apply({a, b});
                for (int k = 0; k < iterations; ++k) hand_step(form, 0.4, pinned ? 0 : 0.03, 0.01, a, b);
                EXPECT_LT((p.end()[0] - a).norm(), 1e-14) << form;
                EXPECT_LT((p.end()[1] - b).norm(), 1e-14) << form;
                // The strain itself is linear in length: one step is exact.
                EXPECT_EQ(report.iterations, form == "relative" ? 1 : iterations);
                EXPECT_EQ(report.held, form == "relative");
                EXPECT_NEAR(report.residual, std::abs((b - a).norm() / 0.4 - 1), 1e-12);
            }
        }
    }
}

TEST(FastProjection, ConvergesOnASmallSheet) {
    for (const std::string form : {"goldenthal", "squared", "relative"}) {
        for (const auto& pins : {std::vector<int>{}, std::vector<int>{0, 80}, std::vector<int>{40}}) {
            FilterProbe p(testing::sheet(9, 9), make({1e-5, 50, form, 1e-9, 1e-3}), pins);
            const Points x =
                testing::turned(testing::blown(p.model, 0.02, 3), Vec3(0.05, 0.02, 0), Vec3::Zero());
            const FilterReport report = p.apply(x);
            EXPECT_TRUE(report.held) << form << ": " << report.note;
            EXPECT_GE(report.iterations, 1);
            EXPECT_LE(report.iterations, 12) << form;
            EXPECT_LE(p.strain(), 1e-5 * (1 + 1e-9));
        }
    }
}

TEST(FastProjection, SolversAgree) {
    Points ends[3];
    for (int k = 0; k < 3; ++k) {
        std::unique_ptr<linalg::LinearSolver> solver;
        if (k == 0) solver = std::make_unique<linalg::Cholesky>();
        if (k == 1) solver = std::make_unique<linalg::Ldlt>();
        if (k == 2)
            solver = std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{500, 1e-10, 500, "double"});
        FilterProbe p(testing::sleeve(9, 6),
                      std::make_unique<FastProjection>(
                          FastProjectionParams{1e-6, 50, "goldenthal", 1e-9, 1e-10}, std::move(solver)),
                      {0, 1, 2});
        EXPECT_TRUE(p.apply(testing::blown(p.model, 0.01, 3)).held);
        ends[k] = p.end();
    }
    EXPECT_LT(testing::farthest(ends[0], ends[1]), 1e-9);
    EXPECT_LT(testing::farthest(ends[0], ends[2]), 1e-7);
}

TEST(FastProjection, NamesTheWorstEdgeWhenItFails) {
    FilterProbe p(testing::chain(3), make({1e-3, 20, "goldenthal", 1e-9, 1e-3}), {0, 2});
    p.context.pin_target[2] = Vec3(1.1, 0, 0);
    const FilterReport report = p.apply(p.model.rest);
    EXPECT_FALSE(report.held);
    EXPECT_EQ(report.iterations, 20);
    EXPECT_NE(report.note.find("edge between vertices"), std::string::npos) << report.note;
    EXPECT_NE(report.note.find("after 20 iterations"), std::string::npos) << report.note;
}

}  // namespace
}  // namespace taut::filters

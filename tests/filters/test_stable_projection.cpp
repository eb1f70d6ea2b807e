// Stable projection: one Newton iteration by hand on one edge, the nearest point of the sphere as
// its limit, the optimality conditions it must leave behind, its memory, and what it refuses.
#include "taut/filters/stable_projection.hpp"

#include <gtest/gtest.h>

#include "filters/filter_probe.hpp"
#include "taut/base/error.hpp"
#include "taut/linalg/cholesky.hpp"
#include "taut/linalg/ldlt.hpp"
#include "taut/linalg/yarn_cg.hpp"

namespace taut::filters {
namespace {

using testing::FilterProbe;

StableProjectionParams tight(int max_iterations = 100) {
    StableProjectionParams params;
    params.tolerance = params.force_tolerance = 1e-9;
    params.regularization = 0;
    params.max_iterations = max_iterations;
    params.linear_tolerance = 1e-9;
    return params;
}

std::unique_ptr<VelocityFilter> make(const StableProjectionParams& params) {
    return std::make_unique<StableProjection>(params, std::make_unique<linalg::Ldlt>());
}

std::unique_ptr<VelocityFilter> make_cg(const StableProjectionParams& params,
                                        const char* precision = "single") {
    return std::make_unique<StableProjection>(
        params, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{200, 0.01, 100, precision}));
}

// From inertia x towards x0: M dx + g mu = -M (x - x0), g dx = -C.
TEST(StableProjection, ReproducesOneNewtonIterationByHand) {
    const double rest = 0.4, mass = 0.01;
    FilterProbe p(testing::chain(2, rest), make(tight(1)), {0});
    p.model.mass = {0.03, mass};
    p.context.metric.diagonal = p.model.mass;
    const Vec3 x(0.38, 0, 0.1), x0(0.37, 0.02, -0.05);
    const FilterReport report = p.apply({Vec3::Zero(), x0}, {Vec3::Zero(), x});
    const double c = x.squaredNorm() / rest - rest;
    const Vec3 slope = 2 * x / rest;
    const double mu = mass * (c - slope.dot(x - x0)) / slope.squaredNorm();
    const Vec3 expected = x - (x - x0) - mu / mass * slope;
    EXPECT_EQ(report.iterations, 1);
    EXPECT_LT((p.end()[1] - expected).norm(), 1e-10);
}

// A free end on a pinned edge: H = M, so the limit is the point of the sphere nearest to x0.
TEST(StableProjection, OneEdgeEndsAtTheNearestPointOfTheSphere) {
    for (const std::string form : {"goldenthal", "squared", "relative"}) {
        StableProjectionParams params = tight();
        params.form = form;
        FilterProbe p(testing::chain(2, 0.4), make(params), {0});
        const Vec3 x0(0.3, 0.3, -0.2);
        const FilterReport report = p.apply({Vec3::Zero(), x0}, {Vec3::Zero(), Vec3(0.41, 0, 0)});
        EXPECT_TRUE(report.held) << form << ": " << report.note;
        EXPECT_LT((p.end()[1] - 0.4 * x0.normalized()).norm(), 1e-8) << form;
    }
}

// H0 (x - x0) + J^T mu = 0 with mu = h^2 lambda from the filter's own memory, C = 0.
TEST(StableProjection, LeavesTheOptimalityConditions) {
    FilterProbe p(testing::sheet(6, 5), make(tight()), {0, 29}, 1e-4);
    const Points x0 = testing::blown(p.model, 0.02, 3);
    ASSERT_TRUE(p.apply(x0, p.model.rest).held);
    EXPECT_LT(p.strain(), 1e-9);
    Points offset = p.end(), force(offset.size());
    for (std::size_t i = 0; i < offset.size(); ++i) {
        offset[i] = p.context.pinned[i] ? Vec3(Vec3::Zero()) : Vec3(offset[i] - x0[i]);
    }
    p.context.metric.apply(offset, force);
    const std::vector<double>& lambda = *p.filter->memory()[0].data;
    const Points x = p.end();
    double size = 0, rest = 0;
    for (const Vec3& f : force) size += f.squaredNorm();
    for (std::size_t r = 0; r < lambda.size(); ++r) {
        const auto& edge = p.model.edges[r];
        const Vec3 slope = 2 * (x[std::size_t(edge.b)] - x[std::size_t(edge.a)]) / p.model.rest_length[r];
        const double mu = p.context.h * p.context.h * lambda[r];
        force[std::size_t(edge.b)] += mu * slope;
        force[std::size_t(edge.a)] -= mu * slope;
    }
    for (std::size_t i = 0; i < force.size(); ++i) rest += p.context.pinned[i] ? 0.0 : force[i].squaredNorm();
    EXPECT_LT(std::sqrt(rest / size), 1e-7);
}

TEST(StableProjection, ConvergesOnSmallClothsWithItsDefaultSolver) {
    for (double tolerance : {1e-2, 1e-3, 1e-5}) {
        for (const std::string form : {"goldenthal", "squared", "relative"}) {
            StableProjectionParams params;
            params.tolerance = tolerance;
            params.form = form;
            for (int k = 0; k < 3; ++k) {
                FilterProbe p(k < 2 ? testing::sheet(9, 9) : testing::sleeve(9, 7), make_cg(params),
                              k == 0 ? std::vector<int>{0, 80} : std::vector<int>{}, 1e-5);
                const FilterReport report = p.apply(testing::blown(p.model, 0.03, 5), p.model.rest);
                EXPECT_TRUE(report.held) << form << " " << tolerance << " case " << k << ": " << report.note;
                EXPECT_LE(report.iterations, 15) << form << " " << tolerance;
                EXPECT_LE(p.strain(), tolerance * (1 + 1e-9));
            }
        }
    }
}

// The row between the pins has no room at all: its constraints lose rank.
TEST(StableProjection, HoldsARowThatPinsKeepTaut) {
    FilterProbe p(testing::sheet(9, 9), make_cg({}), {0, 8}, 1e-5);
    const FilterReport report = p.apply(testing::blown(p.model, 0.03, 5), p.model.rest);
    EXPECT_TRUE(report.held) << report.note;
    EXPECT_LE(p.strain(), 1e-3 * (1 + 1e-9));
}

// Where no unstretched cloth exists iterations are not wasted.
TEST(StableProjection, GivesUpEarlyWherePinsAreTooFarApart) {
    StableProjectionParams params;
    params.max_iterations = 200;
    Model model = testing::sheet(9, 9);
    FilterProbe p(model, make_cg(params), {0, 8}, 1e-5);
    Points apart = model.rest;
    for (Vec3& x : apart) x.x() *= 1.05;
    const FilterReport report = p.apply(testing::blown(p.model, 0.03, 5), apart);
    EXPECT_FALSE(report.held);
    EXPECT_LT(report.iterations, 50);
}

TEST(StableProjection, SolversAgree) {
    Points ends[2];
    for (int k = 0; k < 2; ++k) {
        StableProjectionParams params;
        params.tolerance = params.force_tolerance = 1e-8;
        params.linear_tolerance = 1e-3;
        FilterProbe p(testing::sheet(8, 7), k == 0 ? make(params) : make_cg(params, "double"), {0, 55}, 1e-4);
        EXPECT_TRUE(p.apply(testing::blown(p.model, 0.03, 5), p.model.rest).held);
        ends[k] = p.end();
    }
    EXPECT_LT(testing::farthest(ends[0], ends[1]), 1e-8);
}

// The tensions of the last step are the start of the next: one iteration from them comes much closer to
// the solution of the same pull than one from nothing.
TEST(StableProjection, StartsFromRememberedTensions) {
    const Model model = testing::chain(12);
    Points pulled, inertial = model.rest;
    for (const Vec3& x : model.rest) pulled.push_back(x + Vec3(0.3, 0, 0));
    for (std::size_t i = 0; i < inertial.size(); ++i) inertial[i].z() += 0.01 * std::sin(double(i));
    FilterProbe reference(model, make(tight()), {0});
    ASSERT_TRUE(reference.apply(pulled, inertial).held);
    ASSERT_EQ(reference.filter->memory().size(), 1u);
    EXPECT_EQ(reference.filter->memory()[0].name, "stable_projection.lambda");

    double gap[2];
    for (int warm : {0, 1}) {
        FilterProbe p(model, make(tight(1)), {0});
        if (warm) *p.filter->memory()[0].data = *reference.filter->memory()[0].data;
        p.apply(pulled, inertial);
        gap[warm] = testing::farthest(p.end(), reference.end());
    }
    EXPECT_LT(gap[1], 0.2 * gap[0]);
}

TEST(StableProjection, RefusesASolverForDiagonalMetrics) {
    EXPECT_THROW(StableProjection({}, std::make_unique<linalg::Cholesky>()), InputError);
}

// Strain alone is not enough: a start within tolerance but out of balance must be worked on.
TEST(StableProjection, StrainWithinToleranceDoesNotHideImbalance) {
    FilterProbe p(testing::chain(2, 0.4), make(tight()), {0});
    const Points start = {Vec3::Zero(), Vec3(0.4, 0, 0)}, wanted = {Vec3::Zero(), Vec3(0.4, 0.1, 0)};
    const FilterReport report = p.apply(wanted, start);
    EXPECT_GE(report.iterations, 1);
    EXPECT_LT((p.end()[1] - 0.4 * wanted[1].normalized()).norm(), 1e-8);
}

TEST(StableProjection, PinsTooFarApartAreReported) {
    FilterProbe p(testing::chain(5), make_cg({}), {0, 4});
    p.context.pin_target[4] = Vec3(1.05, 0, 0);
    const FilterReport report = p.apply(p.model.rest);
    EXPECT_FALSE(report.held);
    EXPECT_NE(report.note.find("edge between vertices"), std::string::npos) << report.note;
    for (const Vec3& v : p.candidate.v) EXPECT_TRUE(v.allFinite());
}

}  // namespace
}  // namespace taut::filters

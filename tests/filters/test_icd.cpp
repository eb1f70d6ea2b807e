// Implicit constraint direction and step and project: Theorem 1 of Goldenthal et al. 2007 in numbers, the
// first iteration they share with fast projection, the orders of |F| and |C|, and forces at the end of the
// step.
#include "taut/filters/icd.hpp"

#include <gtest/gtest.h>

#include "filters/filter_probe.hpp"
#include "taut/base/error.hpp"
#include "taut/filters/fast_projection.hpp"
#include "taut/filters/sap.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/linalg/cholesky.hpp"
#include "taut/linalg/ldlt.hpp"
#include "taut/linalg/lu.hpp"
#include "taut/linalg/yarn_cg.hpp"

namespace taut::filters {
namespace {

using testing::FilterProbe;

std::unique_ptr<VelocityFilter> icd(double tolerance, double force_tolerance, int iterations = 50,
                                    bool pivoting = false, const std::string& forces = "candidate") {
    std::unique_ptr<linalg::LinearSolver> solver;
    if (pivoting) solver = std::make_unique<linalg::Lu>();
    if (!pivoting) solver = std::make_unique<linalg::Ldlt>();
    IcdParams params;
    params.tolerance = tolerance;
    params.force_tolerance = force_tolerance;
    params.max_iterations = iterations;
    params.forces = forces;
    params.regularization = pivoting ? 0 : 1e-9;
    return std::make_unique<Icd>(params, std::move(solver));
}

std::unique_ptr<VelocityFilter> sap(double tolerance, double force_tolerance) {
    SapParams params;
    params.tolerance = tolerance;
    params.force_tolerance = force_tolerance;
    params.max_iterations = 1000;
    return std::make_unique<Sap>(params);
}

// Bent, so that no row is straight between pins.
Model arched() {
    Model model = testing::sheet(8, 7);
    for (Vec3& p : model.rest) p.z() = 0.4 * p.x() * (1 - p.x()) - 0.3 * p.y() * p.y();
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        model.rest_length[e] =
            (model.rest[std::size_t(model.edges[e].b)] - model.rest[std::size_t(model.edges[e].a)]).norm();
    }
    return model;
}

// Theorem 1: the root of F and C is the closest point of the manifold, found here in two ways that share no
// code, in the metric of an explicit and of an implicit integrator.
TEST(Icd, Theorem1FindsTheSamePointAsStepAndProject) {
    for (double bending : {0.0, 1e-3}) {
        for (const auto& pins : {std::vector<int>{}, std::vector<int>{0, 7}, std::vector<int>{3, 50}}) {
            Points ends[2];
            for (int k = 0; k < 2; ++k) {
                FilterProbe p(arched(), k == 0 ? icd(1e-9, 1e-10) : sap(1e-9, 1e-10), pins, bending);
                const FilterReport report = p.apply(testing::blown(p.model, 0.01, 5));
                EXPECT_TRUE(report.held) << k << " " << report.note;
                ends[k] = p.end();
            }
            EXPECT_LT(testing::farthest(ends[0], ends[1]), 1e-8) << bending << " " << pins.size();
        }
    }
}

TEST(Icd, SolversAgree) {
    Points ends[2];
    for (bool pivoting : {false, true}) {
        FilterProbe p(arched(), icd(1e-9, 1e-9, 50, pivoting), {0, 7}, 1e-4);
        EXPECT_TRUE(p.apply(testing::blown(p.model, 0.02, 5)).held);
        ends[pivoting] = p.end();
    }
    EXPECT_LT(testing::farthest(ends[0], ends[1]), 1e-9);
}

TEST(Icd, FirstIterationIsThatOfFastProjection) {
    FilterProbe newton(arched(), icd(1e-9, 1e-9, 1, true), {0, 7});
    FastProjectionParams params;
    params.tolerance = 1e-9;
    params.max_iterations = 1;
    params.regularization = 0;
    FilterProbe fast(arched(), std::make_unique<FastProjection>(params, std::make_unique<linalg::Cholesky>()),
                     {0, 7});
    newton.apply(testing::blown(newton.model, 0.02, 5));
    const FilterReport report = fast.apply(testing::blown(fast.model, 0.02, 5));
    EXPECT_LT(testing::farthest(newton.end(), fast.end()), 1e-12);
    EXPECT_EQ(report.iterations, 1);

    // The second is not: Newton turns the earlier pull with the edges.
    FilterProbe newton2(arched(), icd(1e-9, 1e-9, 2, true), {0, 7});
    params.max_iterations = 2;
    FilterProbe fast2(arched(),
                      std::make_unique<FastProjection>(params, std::make_unique<linalg::Cholesky>()), {0, 7});
    newton2.apply(testing::blown(newton2.model, 0.02, 5));
    fast2.apply(testing::blown(fast2.model, 0.02, 5));
    EXPECT_GT(testing::farthest(newton2.end(), fast2.end()), 1e-7);
}

// From a velocity that stretches, C is O(h) before and O(h^2) after one iteration, and so is F.
TEST(Icd, OneIterationLeavesResidualsOfSecondOrder) {
    const Points v = testing::random_points(56, 1.0, 9);
    double strain[3], force[3];
    for (int k = 0; k < 3; ++k) {
        FastProjectionParams params;
        params.tolerance = 1e-9;
        params.max_iterations = 1;
        FilterProbe p(arched(),
                      std::make_unique<FastProjection>(params, std::make_unique<linalg::Cholesky>()), {0, 7});
        const double h = 0.004 / (1 << k);
        p.context.dt = p.context.h = h;
        Points end = p.model.rest;
        for (std::size_t i = 0; i < end.size(); ++i) end[i] += h * v[i] - h * h * Vec3(0, 0, 9.81);
        const FilterReport report = p.apply(end);
        strain[k] = report.residual;
        force[k] = report.force_first;
    }
    for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(std::log2(strain[k] / strain[k + 1]), 2, 0.3);
        EXPECT_NEAR(std::log2(force[k] / force[k + 1]), 2, 0.3);
    }
}

// With forces at the end of the step the candidate does not matter, only inertia: gravity is constant, so
// both ways must agree; and a force that the candidate leaves out is found.
TEST(Icd, ForcesAtTheEndReplaceThoseOfTheCandidate) {
    Points ends[2];
    for (int k = 0; k < 2; ++k) {
        FilterProbe p(arched(), icd(1e-9, 1e-9, 50, false, k == 0 ? "candidate" : "end"), {0, 7});
        std::vector<std::unique_ptr<Force>> forces;
        forces.push_back(std::make_unique<forces::Gravity>(forces::GravityParams{}));
        forces[0]->prepare(p.model);
        p.context.forces = forces;
        Points candidate = p.model.rest;
        if (k == 0) {
            for (Vec3& x : candidate) x.z() -= 9.81 * p.context.dt * p.context.dt;
        }
        EXPECT_TRUE(p.apply(candidate, p.model.rest).held);
        ends[k] = p.end();
    }
    EXPECT_LT(testing::farthest(ends[0], ends[1]), 1e-10);
}

TEST(Icd, RefusesSolversForDefiniteSystems) {
    EXPECT_THROW(Icd({}, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})), InputError);
    EXPECT_THROW(Icd({}, std::make_unique<linalg::Cholesky>()), InputError);
}

// On one edge the closest point is known: both ends move along it, in proportion to their inverse masses.
TEST(Sap, OneEdgeHasItsClosedForm) {
    FilterProbe p(testing::chain(2, 0.4), sap(1e-9, 1e-10));
    p.model.mass = {0.03, 0.01};
    p.context.metric.diagonal = p.context.metric.total_diagonal = p.model.mass;
    const Vec3 a(0, 0, 0), b(0.3, 0.3, -0.2), d = b - a;
    EXPECT_TRUE(p.apply({a, b}).held);
    const Vec3 excess = (1 - 0.4 / d.norm()) * d;
    EXPECT_LT((p.end()[0] - (a + 0.25 * excess)).norm(), 1e-9);
    EXPECT_LT((p.end()[1] - (b - 0.75 * excess)).norm(), 1e-9);
}

// The closest point is closer than the one fast projection ends at.
TEST(Sap, IsCloserThanFastProjection) {
    double distance[2];
    for (int k = 0; k < 2; ++k) {
        std::unique_ptr<VelocityFilter> filter = sap(1e-7, 1e-7);
        FastProjectionParams params;
        params.tolerance = 1e-7;
        if (k == 1) filter = std::make_unique<FastProjection>(params, std::make_unique<linalg::Cholesky>());
        FilterProbe p(arched(), std::move(filter), {0, 7});
        const Points wanted = testing::blown(p.model, 0.05, 5);
        EXPECT_TRUE(p.apply(wanted).held);
        const Points end = p.end();
        distance[k] = 0;
        for (std::size_t i = 0; i < end.size(); ++i) {
            if (!p.context.pinned[i]) distance[k] += p.model.mass[i] * (end[i] - wanted[i]).squaredNorm();
        }
    }
    EXPECT_LT(distance[0], distance[1] * (1 - 1e-4));
}

}  // namespace
}  // namespace taut::filters

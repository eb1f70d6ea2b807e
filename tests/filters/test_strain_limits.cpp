// Strain limiting and strain rate limiting: one edge in closed form, orders, caps, sheets, passes in a fixed
// number and over all springs, and what a limit on the rate does and does not do.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "collision/touching.hpp"
#include "filters/filter_probe.hpp"
#include "taut/filters/contact.hpp"
#include "taut/filters/strain_limit_gauss_seidel.hpp"
#include "taut/filters/strain_limit_jacobi.hpp"
#include "taut/filters/strain_rate_limit.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/integrators/symplectic_euler.hpp"

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

StrainLimitGaussSeidelParams fixed_passes(int passes, double tolerance = 1e-4, const char* edges = "yarns") {
    StrainLimitGaussSeidelParams params;
    params.tolerance = tolerance, params.order = "data", params.edges = edges, params.passes = passes;
    return params;
}

TEST(FixedPasses, AreSoManyAndPromiseNothing) {
    for (int passes : {1, 2, 7}) {
        FilterProbe p(testing::sheet(12, 12), gauss_seidel(fixed_passes(passes)), {0, 11});
        const FilterReport report = p.apply(testing::blown(p.model, 0.05, 3));
        EXPECT_EQ(report.iterations, passes);
        EXPECT_GT(report.corrections, 0);
        EXPECT_LE(report.corrections, long(passes) * long(p.model.edges.size()));
        EXPECT_GT(report.residual, 1e-4);
        EXPECT_TRUE(report.held);
        EXPECT_TRUE(report.note.empty()) << report.note;
        EXPECT_EQ(report.tolerance, std::numeric_limits<double>::infinity());
        EXPECT_EQ(p.filter->promise(), Promise::other);
        EXPECT_FALSE(p.filter->certifies_strain());
        EXPECT_TRUE(p.filter->breaks().promise);

        // Judged by what it left it promises no more.
        FilterReport judged = report;
        p.filter->judge_before(judged);
        EXPECT_TRUE(judged.held);
        EXPECT_EQ(judged.residual, report.residual);
    }
    EXPECT_EQ(gauss_seidel({})->promise(), Promise::strain);
    EXPECT_FALSE(gauss_seidel({})->breaks().promise);
}

// Three passes are one, three times.
TEST(FixedPasses, GoOnWhereTheLastOneEnded) {
    FilterProbe three(testing::sheet(9, 9), gauss_seidel(fixed_passes(3)), {0});
    FilterProbe one(testing::sheet(9, 9), gauss_seidel(fixed_passes(1)), {0});
    const Points end = testing::blown(three.model, 0.05, 3);
    const long corrections = three.apply(end).corrections;
    EXPECT_EQ(one.apply(end).corrections + one.again().corrections + one.again().corrections, corrections);
    EXPECT_LT(testing::farthest(three.end(), one.end()), 1e-12);
}

TEST(FixedPasses, EndWhereNothingIsLeftToDo) {
    FilterProbe p(testing::chain(2), gauss_seidel(fixed_passes(50)));
    const FilterReport report = p.apply({Vec3(0, 0, 0), Vec3(1.5, 0, 0)});
    EXPECT_EQ(report.iterations, 1);
    EXPECT_EQ(report.corrections, 1);
    EXPECT_EQ(p.again().corrections, 0);
}

// Cloth on the floor under a filter that keeps it there: no further rounds, no shorter steps.
TEST(FixedPasses, AreNotRepeatedInOtherRoundsOrShorterSteps) {
    Model model = testing::sheet(8, 8);
    for (Vec3& p : model.rest) p.z() = 0.02;
    model.pins.push_back(testing::pin({0, 7}, model.rest));
    Pipeline pipe = testing::pipeline(std::make_unique<integrators::SymplecticEuler>(),
                                      std::make_unique<forces::Gravity>(forces::GravityParams{}));
    pipe.filters.push_back(gauss_seidel(fixed_passes(2, 1e-9)));
    pipe.filters.push_back(std::make_unique<Contact>(
        ContactParams{}, std::vector<collision::Obstacle>{testing::plane(Vec3::Zero(), Vec3::UnitZ())}));
    pipe.rounds = 50;
    pipe.judge_before = true;
    RunSettings settings;
    settings.duration = 0.3;
    Simulation simulation(model, testing::at_rest(model), std::move(pipe), settings);
    class Watch final : public Observer {
    public:
        void step(const Simulation&, const StepReport& report) override {
            most = std::max(most, report.filters[0].iterations);
            contacts += report.contacts;
        }
        int most = 0;
        long contacts = 0;
    } watch;
    EXPECT_EQ(simulation.run({&watch}), RunOutcome::finished) << simulation.failure();
    EXPECT_EQ(watch.most, 2);
    EXPECT_GT(watch.contacts, 0);
    EXPECT_EQ(simulation.totals().retries, 0);
    EXPECT_EQ(simulation.totals().failed_steps, 0);
    EXPECT_GT(simulation.totals().corrections, 0);
    EXPECT_FALSE(simulation.certified());
}

// A cell sheared into a rhombus keeps its edges; its diagonals are what is corrected.
TEST(FixedPasses, SpringsAreEdgesAndBothDiagonals) {
    const Model quad = testing::sheet(2, 2);
    Points rhombus = quad.rest;
    for (std::size_t v : {2u, 3u}) rhombus[v] += Vec3(0.6, -0.2, 0);
    for (const char* edges : {"yarns", "all", "springs"}) {
        FilterProbe p(quad, gauss_seidel(fixed_passes(1, 0.01, edges)));
        EXPECT_EQ(p.apply(rhombus).corrections > 0, std::string(edges) == "springs") << edges;
    }
    FilterProbe many(quad, gauss_seidel(fixed_passes(2000, 1e-6, "springs")));
    many.apply(rhombus);
    const Points x = many.end();
    EXPECT_NEAR((x[3] - x[0]).norm(), std::sqrt(2), 1e-5);
    EXPECT_NEAR((x[2] - x[1]).norm(), std::sqrt(2), 1e-5);
    EXPECT_NEAR((x[1] - x[0]).norm(), 1, 1e-5);

    const Model model = testing::sheet(4, 3);
    const std::vector<GraphEdge> edges = diagonals_of(model);
    ASSERT_EQ(edges.size(), 2 * model.faces.size());
    std::set<std::pair<int, int>> pairs;
    for (const GraphEdge& edge : edges) {
        EXPECT_EQ(edge.row, -1);
        EXPECT_NEAR(edge.length, std::hypot(1.0 / 3, 0.5), 1e-15);
        EXPECT_TRUE(pairs.insert(std::minmax(edge.a, edge.b)).second);
        EXPECT_EQ(std::abs(edge.a % 4 - edge.b % 4), 1);
        EXPECT_EQ(std::abs(edge.a / 4 - edge.b / 4), 1);
    }

    // Triangles have none besides their edges.
    mesh::MadeMesh made = mesh::make_grid(4, 3, 1, 1);
    split_quads(made);
    EXPECT_TRUE(diagonals_of(testing::model_of(made)).empty());
}

// Diagonals have no row of the constraint, seams have: theirs alone change.
TEST(FixedPasses, SpringsKeepTheirLengthsWhileSeamsClose) {
    Model model = testing::sheet(3, 2);
    model.seams.push_back({"side", {{0, 2}}, {1.0}, 0.5, 0, 1});
    FilterProbe p(std::move(model), gauss_seidel(fixed_passes(1, 1e-6, "springs")));
    EXPECT_EQ(p.apply(p.model.rest).corrections > 0, true);
    FilterProbe open(testing::sheet(3, 2), gauss_seidel(fixed_passes(1, 1e-6, "springs")));
    EXPECT_EQ(open.apply(open.model.rest).corrections, 0);
}

TEST(FixedPasses, CoincidentVerticesStayFinite) {
    FilterProbe p(testing::sheet(4, 4), gauss_seidel(fixed_passes(3, 1e-4, "springs")), {0});
    p.apply(Points(16, Vec3::Zero()));
    for (const Vec3& v : p.candidate.v) EXPECT_TRUE(v.allFinite());
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

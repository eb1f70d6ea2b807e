// The corrected hierarchy: the solution of Eq. 19 to its tolerance, in few cycles whose number hardly grows
// with the sheet.
#include "taut/filters/hierarchical_corrected.hpp"

#include <gtest/gtest.h>

#include "filters/multiplier_rig.hpp"

namespace taut::filters::multiplier_tests {
namespace {

HierarchicalCorrectedParams rates(double tolerance) {
    HierarchicalCorrectedParams params;
    params.feedback = "rates";
    params.ks = 2000;
    params.kd = 30;
    params.turning = 1;
    params.tolerance = tolerance;
    params.cycles = 300;
    return params;
}

TEST(HierarchicalCorrected, IsEquation19) {
    for (const auto& pins : {std::vector<int>{}, std::vector<int>{0, 8, 60}}) {
        Net net(testing::sheet(9, 8), std::make_unique<HierarchicalCorrected>(rates(1e-11)), pins);
        const FilterReport report = net.apply();
        const Eigen::VectorXd expected = dense_velocity(net, 2000, 30);
        EXPECT_LT((flat(net.v()) - expected).norm(), 1e-8 * expected.norm());
        EXPECT_LT(report.reached, 1e-10);
    }
}

TEST(HierarchicalCorrected, EveryCycleCountsAndFewAreNeeded) {
    Net net(testing::sheet(21, 21), std::make_unique<HierarchicalCorrected>(rates(1e-8)));
    net.probe.start.x = testing::shaken(net.probe.model.rest, 0.005, 3);
    const FilterReport report = net.apply();
    EXPECT_LT(report.reached, 1e-8);
    EXPECT_LT(report.linear_iterations, 40);
    const std::vector<double>& history = net.filter->history();
    EXPECT_LT(history.back(), 1e-8);
    EXPECT_LT(history[4], 0.2 * history[0]);
}

TEST(HierarchicalCorrected, NeedsFarFewerCyclesThanConjugateGradients) {
    ConstrainedDynamicsParams params = exact_params();
    params.linear_tolerance = 1e-6;
    Net plain(testing::sheet(31, 31), std::make_unique<ConstrainedDynamics>(params), {0, 30});
    Net corrected(testing::sheet(31, 31), std::make_unique<HierarchicalCorrected>(rates(1e-6)), {0, 30});
    for (auto* start : {&plain.probe.start, &corrected.probe.start})
        start->x = testing::shaken(plain.probe.model.rest, 0.003, 3);
    EXPECT_LT(3 * corrected.apply().linear_iterations, plain.apply().linear_iterations);
}

TEST(HierarchicalCorrected, ClosedYarnsAndSingularSystemsAreSolvedAsFarAsTheyGo) {
    Net ring(testing::sleeve(12, 5), std::make_unique<HierarchicalCorrected>(rates(1e-9)));
    EXPECT_LT(ring.apply().reached, 1e-8);
    Net apart(testing::chain(6, 1), std::make_unique<HierarchicalCorrected>(rates(1e-9)), {0, 5});
    apart.probe.start = testing::at_rest(apart.probe.model);
    apart.free = apart.probe.start.v;
    apart.free[5] = apart.probe.model.rest[5] - apart.probe.model.rest[0];
    EXPECT_LE(apart.apply().reached, 1);
    for (const Vec3& v : apart.v()) EXPECT_TRUE(v.allFinite());
}

}  // namespace
}  // namespace taut::filters::multiplier_tests

// The hierarchical algorithm: exact where one group holds everything, never worse from level to level, linear
// work per level, and the failures that House et al. 1996 name, Figures 8, 9, 10 and 11b.
#include "taut/filters/hierarchical.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/touching.hpp"
#include "filters/multiplier_rig.hpp"

namespace taut::filters::multiplier_tests {
namespace {

HierarchicalParams rates() {
    HierarchicalParams params;
    params.feedback = "rates";
    params.ks = 2000;
    params.kd = 30;
    params.turning = 1;
    return params;
}

std::unique_ptr<Hierarchical> hierarchy(HierarchicalParams params = rates()) {
    return std::make_unique<Hierarchical>(params);
}

// How far a velocity is from that of Eq. 19, in the norm of masses, as a part of what constraints change.
template <class F>
double miss(const Net<F>& net) {
    const Eigen::VectorXd exact = dense_velocity(net, 2000, 30), free = flat(net.free), v = flat(net.v());
    Eigen::VectorXd root(free.size());
    for (Eigen::Index i = 0; i < root.size(); ++i)
        root[i] = std::sqrt(net.probe.model.mass[std::size_t(i / 3)]);
    return root.cwiseProduct(v - exact).norm() / root.cwiseProduct(free - exact).norm();
}

TEST(Hierarchical, OneGroupThatHoldsTheYarnIsExact) {
    for (int vertices : {2, 5, 9}) {
        HierarchicalParams params = rates();
        params.group_size = 8;
        Net net(testing::chain(vertices, 1), hierarchy(params));
        const FilterReport report = net.apply();
        EXPECT_LT(miss(net), 1e-10) << vertices;
        EXPECT_LT(report.reached, 1e-10);
    }
}

TEST(Hierarchical, MultipliersOfAGroupAreThoseOfEquation19) {
    Net net(testing::chain(7, 1), hierarchy());
    net.apply();
    const DenseSystem s = dense_system(net.probe);
    Eigen::VectorXd b(6);
    for (Eigen::Index i = 0; i < 6; ++i) b[i] = net.filter->rows().right[std::size_t(i)];
    const Eigen::VectorXd expected = s.matrix().ldlt().solve(b);
    for (Eigen::Index i = 0; i < 6; ++i)
        EXPECT_NEAR(net.filter->multipliers()[std::size_t(i)], expected[i], 1e-9 * expected.norm());
}

TEST(Hierarchical, IsTheBestWithinItsGroups) {
    // Whatever the groups, what is left is orthogonal to the forces of the top group: its one multiplier is
    // right. And larger groups miss less.
    double before = 1;
    for (int size : {1, 4, 16, 64}) {
        HierarchicalParams params = rates();
        params.group_size = size;
        Net net(testing::chain(65, 1), hierarchy(params));
        net.apply();
        const Eigen::VectorXd exact = dense_velocity(net, 2000, 30), free = flat(net.free), v = flat(net.v());
        double along = 0, square = 0;
        for (Eigen::Index i = 0; i < v.size(); ++i) {
            const double m = net.probe.model.mass[std::size_t(i / 3)];
            along += m * (v - exact)[i] * (v - free)[i];
            square += m * (v - free)[i] * (v - free)[i];
        }
        EXPECT_NEAR(along / square, 0, 1e-9) << size;
        EXPECT_LT(miss(net), before) << size;
        before = miss(net);
    }
    EXPECT_LT(before, 1e-9);
}

TEST(Hierarchical, FlatSheetsFallApartIntoYarns) {
    // Warp and weft of a flat sheet at right angles do not know of each other: pulled in its plane, whole
    // yarns are exact.
    HierarchicalParams params = rates();
    params.group_size = 16;
    Net net(testing::sheet(9, 9), hierarchy(params));
    net.probe.start = testing::at_rest(net.probe.model);
    for (Vec3& v : net.free) v.z() = 0;
    net.apply();
    EXPECT_LT(miss(net), 1e-9);
}

TEST(Hierarchical, WorkPerLevelIsLinearAndLevelsAreLogarithmic) {
    std::vector<double> worst;
    std::vector<int> levels;
    for (int size : {16, 32, 64}) {
        const Model model = testing::sheet(size, size);
        Hierarchical filter(rates());
        filter.prepare(model);
        long most = 0;
        for (int k = 0; k < filter.tree().levels(); ++k) most = std::max(most, filter.tree().work(k));
        worst.push_back(double(most) / double(size * size));
        levels.push_back(filter.tree().levels());
    }
    // Every vertex is in one group of each direction, besides a group's last vertex.
    for (double each : worst) EXPECT_LT(each, 2.5);
    EXPECT_EQ(levels[1], levels[0] + 2);  // twice the yarns, each of twice the groups
    EXPECT_EQ(levels[2], levels[1] + 2);
}

TEST(Hierarchical, NailsAsInFigure10) {
    for (double aside : {0.0, 0.05}) {
        Model model = testing::chain(3, 2);
        model.rest = {Vec3(-1, 0, 0), Vec3(0, 0, aside), Vec3(1, 0, 0)};
        for (double& l : model.rest_length) l = (model.rest[1] - model.rest[0]).norm();
        for (int group : {1, 2}) {
            HierarchicalParams params = rates();
            params.group_size = group;
            Net net(model, hierarchy(params), {0, 2});
            net.probe.start = testing::at_rest(net.probe.model);
            net.free = net.probe.start.v;
            net.free[1] = Vec3(0, 0, -1);
            net.apply();
            EXPECT_LT((net.v()[1] - (aside > 0 ? Vec3::Zero() : net.free[1])).norm(), 1e-9) << aside;
        }
    }
}

// A flat sheet at rest with a velocity on some vertices.
std::unique_ptr<Net<Hierarchical>> pulled(const std::string& grouping, const std::vector<int>& where,
                                          const Vec3& v) {
    HierarchicalParams params = rates();
    params.grouping = grouping;
    params.group_size = 64;
    auto net = std::make_unique<Net<Hierarchical>>(testing::sheet(11, 11), hierarchy(params));
    net->probe.start = testing::at_rest(net->probe.model);
    net->free.assign(net->free.size(), Vec3::Zero());
    for (int i : where) net->free[std::size_t(i)] = v;
    return net;
}

TEST(Hierarchical, QuadrantsDoNotHearOfEachOther) {
    // Figure 8: a vertex of one quadrant is pulled along its yarn; those beyond the border stay behind.
    const int row = 2;
    auto net = pulled("quadrants", {row * 11}, Vec3(-1, 0, 0));
    auto whole = pulled("yarns", {row * 11}, Vec3(-1, 0, 0));
    net->apply();
    whole->apply();
    EXPECT_LT(net->v()[row * 11 + 5].x(), -0.05);
    EXPECT_EQ(net->v()[row * 11 + 6], Vec3::Zero());
    EXPECT_NEAR(whole->v()[row * 11 + 10].x(), whole->v()[row * 11].x(), 1e-9);
    EXPECT_GT(net->probe.strain(), 100 * whole->probe.strain() + 1e-6);
}

TEST(Hierarchical, SquaredNormsExertNoForceOnceConstraintsAreMet) {
    for (const char* function : {"squared", "absolute", "scaled"}) {
        HierarchicalParams params = rates();
        params.group_function = function;
        Net net(testing::chain(5, 1), hierarchy(params));
        net.probe.start = testing::at_rest(net.probe.model);
        net.free.assign(5, Vec3::Zero());
        net.free[4] = 1.0 * (net.probe.model.rest[4] - net.probe.model.rest[0]);
        net.apply();
        double change = 0;
        for (std::size_t i = 0; i < 5; ++i) change = std::max(change, (net.v()[i] - net.free[i]).norm());
        if (std::string(function) == "squared")
            EXPECT_EQ(change, 0);
        else
            EXPECT_GT(change, 0.1) << function;
    }
}

TEST(Hierarchical, AbsoluteValuesLoseDimensions) {
    // Eq. 20 has one multiplier for a group that needs as many as it has constraints; Eq. 21 has the right
    // ones.
    HierarchicalParams params = rates();
    params.group_function = "absolute";
    Net net(testing::chain(9, 1), hierarchy(params));
    net.apply();
    EXPECT_GT(miss(net), 0.3);
    Net scaled(testing::chain(9, 1), hierarchy());
    scaled.apply();
    EXPECT_LT(miss(scaled), 1e-9);
}

TEST(Hierarchical, WarpedCrossingsAreRegrouped) {
    // Figure 11b: at the middle of 3 x 3 vertices either yarn turns by a right angle, and links of one go
    // straight on in those of the other.
    HierarchicalParams params = rates();
    params.grouping = "warped";
    Net net(testing::sheet(3, 3), hierarchy(params));
    net.probe.start.x = net.probe.model.rest;
    net.apply();
    EXPECT_EQ(net.filter->regrouped(), 0);
    Points& x = net.probe.start.x;
    const Vec3 middle = x[4];
    x[3] = middle + Vec3(-0.5, 0, 0), x[5] = middle + Vec3(0, -0.5, 0);
    x[1] = middle + Vec3(0.5, 0, 0), x[7] = middle + Vec3(0, 0.5, 0);
    net.apply();
    EXPECT_EQ(net.filter->regrouped(), 1);
    for (const Vec3& v : net.v()) EXPECT_TRUE(v.allFinite());

    // Every constraint is in exactly one group; links 3-4 and 4-1 are in the same.
    const auto& model = net.probe.model;
    std::vector<int> group(model.edges.size(), -1);
    for (int g = 0; g < net.filter->tree().groups(0); ++g) {
        for (int r : net.filter->tree().group_rows(g)) {
            EXPECT_EQ(group[std::size_t(r)], -1);
            group[std::size_t(r)] = g;
        }
    }
    const auto group_of = [&](int a, int b) {
        for (std::size_t e = 0; e < model.edges.size(); ++e) {
            if (model.edges[e].a == std::min(a, b) && model.edges[e].b == std::max(a, b)) return group[e];
        }
        return -2;
    };
    EXPECT_EQ(group_of(3, 4), group_of(1, 4));
    EXPECT_EQ(group_of(4, 5), group_of(4, 7));
    EXPECT_NE(group_of(3, 4), group_of(4, 5));
    x = model.rest;
    net.apply();
    EXPECT_EQ(net.filter->regrouped(), 0);
}

TEST(Hierarchical, DegenerateGroupsGiveNoNumbersThatAreNone) {
    for (const char* function : {"scaled", "absolute", "squared"}) {
        for (const char* grouping : {"yarns", "quadrants", "warped"}) {
            HierarchicalParams params = rates();
            params.group_function = function;
            params.grouping = grouping;
            params.group_size = 2;
            for (int shape = 0; shape < 4; ++shape) {
                Net net(testing::sheet(6, 5), hierarchy(params),
                        shape == 3 ? std::vector<int>{0, 5, 24, 29} : std::vector<int>{});
                if (shape == 0) net.probe.start = testing::at_rest(net.probe.model);
                if (shape == 1) std::fill(net.probe.start.x.begin(), net.probe.start.x.end(), Vec3(1, 2, 3));
                if (shape == 2) {
                    for (Vec3& p : net.probe.start.x) p = Vec3(p.x(), 0, 0);
                }
                if (shape == 3) net.probe.start.x = net.probe.model.rest;
                net.apply();
                for (const Vec3& v : net.v()) EXPECT_TRUE(v.allFinite()) << function << grouping << shape;
            }
        }
    }
}

TEST(Hierarchical, ClosedYarnsAreCutAndJoinedAgain) {
    Net net(testing::sleeve(12, 5), hierarchy());
    const FilterReport report = net.apply();
    EXPECT_LT(report.reached, 1);
    for (const Vec3& v : net.v()) EXPECT_TRUE(v.allFinite());
}

TEST(Hierarchical, ContactsAreExactWhateverTheGroups) {
    // One multiplier for all contacts would press one vertex into the floor and lift another.
    HierarchicalParams params = rates();
    auto filter = std::make_unique<Hierarchical>(
        params, std::vector<collision::Obstacle>{testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.2)});
    FilterProbe probe(testing::sheet(9, 9), std::move(filter));
    for (Vec3& p : probe.start.x) p.z() = 0.001 + 0.02 * (1 + std::sin(9 * p.x()) * std::cos(7 * p.y()));
    Points end = probe.start.x;
    for (Vec3& p : end) p.z() -= 0.03;
    const FilterReport report = probe.apply(end);
    EXPECT_GT(report.contacts, 10);
    for (const Vec3& p : probe.end()) EXPECT_GT(p.z(), 0.001 - 1e-9);
}

}  // namespace
}  // namespace taut::filters::multiplier_tests

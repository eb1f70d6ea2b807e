#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>
#include <map>

#include "mesh/sample_meshes.hpp"
#include "taut/mesh/feasibility.hpp"
#include "taut/mesh/yarns.hpp"

namespace taut::mesh {
namespace {

using samples::Sample;

PinReach check(const MadeMesh& made, const std::vector<int>& pins, const Points& targets,
               PinStretch stretch = {}) {
    return check_pins(made.net.edges, made.net.yarns, made.rest, pins, targets, stretch);
}

Points at_rest(const Points& rest, const std::vector<int>& pins) {
    Points targets;
    for (const int v : pins) targets.push_back(rest[v]);
    return targets;
}

TEST(PinReach, TwoCornersTooFarApartAreInConflict) {
    const MadeMesh made = make_grid(41, 41, 1, 1);
    const PinReach far = check(made, {0, 40}, {{0, 0, 0}, {1.02, 0, 0}});
    ASSERT_EQ(far.conflicts.size(), 1u);
    EXPECT_EQ(far.conflicts[0].a, 0);
    EXPECT_EQ(far.conflicts[0].b, 40);
    EXPECT_DOUBLE_EQ(far.conflicts[0].distance, 1.02);
    EXPECT_NEAR(far.conflicts[0].reach, 1, 1e-13);
    EXPECT_TRUE(far.rigid_rows.empty());
    EXPECT_TRUE(far.complete);

    // The order of pins and a second naming of one do not matter.
    const PinReach swapped = check(made, {40, 0, 0}, {{1.02, 0, 0}, {0, 0, 0}, {0, 0, 5}});
    ASSERT_EQ(swapped.conflicts.size(), 1u);
    EXPECT_EQ(swapped.conflicts[0].a, 0);
}

TEST(PinReach, SlackPinsAreFine) {
    const MadeMesh made = make_grid(41, 41, 1, 1);
    const PinReach reach = check(made, {0, 40}, {{0, 0, 0}, {0.98, 0, 0}});
    EXPECT_TRUE(reach.conflicts.empty());
    EXPECT_TRUE(reach.rigid_rows.empty());
    EXPECT_TRUE(check(made, {7}, {{5, 5, 5}}).conflicts.empty());
    EXPECT_TRUE(check(made, {}, {}).conflicts.empty());
}

TEST(PinReach, PinsAtRestDistanceHoldTheirRow) {
    const MadeMesh made = make_grid(41, 31, 1, 1);
    const PinReach reach = check(made, {0, 40}, at_rest(made.rest, {0, 40}));
    EXPECT_TRUE(reach.conflicts.empty());
    ASSERT_EQ(reach.rigid_rows.size(), 1u);
    const RigidRow& row = reach.rigid_rows[0];
    EXPECT_EQ(row.yarn, 0);
    ASSERT_EQ(row.vertices.size(), 41u);
    for (int i = 0; i <= 40; ++i) EXPECT_EQ(row.vertices[i], i);
    EXPECT_EQ(row.edges, made.net.yarns[0].edge);

    // A pin in the middle makes two rows of one.
    const PinReach halves = check(made, {0, 15, 40}, at_rest(made.rest, {0, 15, 40}));
    ASSERT_EQ(halves.rigid_rows.size(), 2u);
    EXPECT_EQ(halves.rigid_rows[0].b, 15);
    EXPECT_EQ(halves.rigid_rows[1].a, 15);
}

TEST(PinReach, DiagonalPinsReachAroundTheCorner) {
    // Along yarns two opposite corners of a unit square are 2 m apart, not the root of 2.
    const MadeMesh made = make_grid(21, 21, 1, 1);
    EXPECT_TRUE(check(made, {0, 440}, {{0, 0, 0}, {1.9, 0, 0}}).conflicts.empty());
    const PinReach tight = check(made, {0, 440}, {{0, 0, 0}, {2, 0, 0}});
    EXPECT_TRUE(tight.conflicts.empty());
    ASSERT_EQ(tight.rigid_rows.size(), 1u);
    EXPECT_EQ(tight.rigid_rows[0].yarn, -1);
    EXPECT_EQ(tight.rigid_rows[0].vertices.size(), 41u);
    EXPECT_EQ(check(made, {0, 440}, {{0, 0, 0}, {2.001, 0, 0}}).conflicts.size(), 1u);
}

TEST(PinReach, PinnedNeighboursConflictDirectlyAndHoldNothing) {
    const MadeMesh made = make_polyline(5, 4);
    const PinReach apart = check(made, {1, 2}, {{0, 0, 0}, {1.1, 0, 0}});
    ASSERT_EQ(apart.conflicts.size(), 1u);
    EXPECT_NEAR(apart.conflicts[0].reach, 1, 1e-15);
    const PinReach rest = check(made, {1, 2}, at_rest(made.rest, {1, 2}));
    EXPECT_TRUE(rest.conflicts.empty() && rest.rigid_rows.empty());
}

TEST(PinReach, StretchedClothReachesFarther) {
    const MadeMesh made = make_grid(41, 41, 1, 1);
    const Points near{{0, 0, 0}, {1.0005, 0, 0}}, far{{0, 0, 0}, {1.002, 0, 0}};
    EXPECT_EQ(check(made, {0, 40}, near).conflicts.size(), 1u);
    EXPECT_EQ(check(made, {0, 40}, near, {.edges = 0.001}).conflicts.size(), 1u);
    const PinReach row = check(made, {0, 40}, near, {.rows = 0.001});
    EXPECT_TRUE(row.conflicts.empty());
    ASSERT_EQ(row.rigid_rows.size(), 1u);
    EXPECT_DOUBLE_EQ(row.rigid_rows[0].distance, 1.0005);
    EXPECT_NEAR(row.rigid_rows[0].reach, 1, 1e-13);
    const PinReach beyond = check(made, {0, 40}, far, {.rows = 0.001});
    ASSERT_EQ(beyond.conflicts.size(), 1u);
    EXPECT_NEAR(beyond.conflicts[0].reach, 1, 1e-13);

    // Between neighbours there is nothing to hold.
    const MadeMesh chain = make_polyline(5, 4);
    const PinReach edge = check(chain, {1, 2}, near, {.edges = 0.001});
    EXPECT_TRUE(edge.conflicts.empty() && edge.rigid_rows.empty());
    EXPECT_EQ(check(chain, {1, 2}, near, {.rows = 0.001}).conflicts.size(), 1u);
    EXPECT_EQ(check(chain, {1, 2}, far, {.edges = 0.001}).conflicts.size(), 1u);
}

TEST(PinReach, LooseEdgesAndOtherPartsDoNotBind) {
    const Sample two = samples::joined(samples::grid(3, 3), samples::grid(3, 3), 10);
    const Net net = trace_net(two.mesh, two.rest);
    const std::vector<int> pins{0, 17};
    EXPECT_TRUE(
        check_pins(net.edges, net.yarns, two.rest, pins, Points{{0, 0, 0}, {99, 0, 0}}).conflicts.empty());
    const Sample triangles = samples::triangulated(3, 3);
    const Net loose = trace_net(triangles.mesh, triangles.rest);
    const std::vector<int> corners{0, 8};
    EXPECT_TRUE(check_pins(loose.edges, loose.yarns, triangles.rest, corners, Points{{0, 0, 0}, {99, 0, 0}})
                    .conflicts.empty());
}

TEST(PinReach, WholeEdgesCostLittle) {
    const MadeMesh made = make_grid(301, 301, 1, 1);
    std::vector<int> pins;
    for (int i = 0; i < 301; ++i) pins.push_back(i);
    const PinReach one = check(made, pins, at_rest(made.rest, pins));
    EXPECT_TRUE(one.conflicts.empty());
    EXPECT_TRUE(one.rigid_rows.empty());
    EXPECT_TRUE(one.complete);

    // Clamp the opposite edge too: every inner column is held.
    for (int i = 0; i < 301; ++i) pins.push_back(300 * 301 + i);
    const PinReach both = check(made, pins, at_rest(made.rest, pins));
    EXPECT_TRUE(both.conflicts.empty());
    EXPECT_EQ(both.rigid_rows.size(), 301u);
    EXPECT_TRUE(both.complete);
}

TEST(PinReach, ManyScatteredPinsAreCheckedNearbyAtLeast) {
    // A checkerboard of 45 000 pins, too many to compare pairwise; one of them is pulled away.
    const MadeMesh made = make_grid(301, 301, 300, 300);
    std::vector<int> pins;
    for (int v = 0; v < made.mesh.vertices; v += 2) pins.push_back(v);
    Points targets = at_rest(made.rest, pins);
    targets[20000] += Vec3(0, 0, 2.5);
    const PinReach reach = check(made, pins, targets);
    EXPECT_FALSE(reach.complete);
    EXPECT_GE(reach.conflicts.size(), 8u);
    for (const PinConflict& c : reach.conflicts) EXPECT_TRUE(c.a == pins[20000] || c.b == pins[20000]);
}

// Shortest paths between all pairs of pins by Bellman-Ford, over free vertices only or over any.
using Lengths = std::map<std::pair<int, int>, double>;

Lengths brute_force(const Net& net, const Points& rest, const std::vector<int>& pins, bool over_pins) {
    Lengths result;
    std::vector<char> pinned(rest.size(), 0);
    for (const int v : pins) pinned[v] = 1;
    for (const int source : pins) {
        std::vector<double> length(rest.size(), std::numeric_limits<double>::infinity());
        length[source] = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (const Edge& e : net.edges) {
                if (e.direction == Direction::none) continue;
                const double l = (rest[e.a] - rest[e.b]).norm();
                for (const auto& [from, to] : {std::pair(e.a, e.b), std::pair(e.b, e.a)})
                    if ((over_pins || !pinned[from] || from == source) && length[from] + l < length[to])
                        length[to] = length[from] + l, changed = true;
            }
        }
        for (const int v : pins)
            if (v > source) result[{source, v}] = length[v];
    }
    return result;
}

// Random pins on a ragged mesh, pulled to random places by a stretch about the centre and some noise.
void compare_with_brute_force(unsigned seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto uniform = [&] { return static_cast<double>(random() % 100000) / 100000; };
    const Sample s = samples::ragged(seed);
    const Net net = trace_net(s.mesh, s.rest);
    std::vector<int> pins;
    for (int v = 0; v < s.mesh.vertices; ++v)
        if (random() % 5 == 0) pins.push_back(v);
    const double stretch = 0.9 + 0.4 * uniform(), noise = random() % 2 == 0 ? 0 : 0.3;
    std::map<int, Vec3> target;
    Points targets;
    for (const int v : pins) {
        targets.push_back(stretch * s.rest[v] + noise * Vec3(uniform(), uniform(), uniform()));
        target[v] = targets.back();
    }

    const double allowed = seed % 3 == 0 ? 0.05 : 0;
    const PinReach reach = check_pins(net.edges, net.yarns, s.rest, pins, targets, {allowed, allowed});
    const Lengths direct = brute_force(net, s.rest, pins, false),
                  shortest = brute_force(net, s.rest, pins, true);
    Lengths expected;
    bool any = false;
    for (const auto& [pair, length] : shortest) {
        const double most = length * (1 + allowed) * (1 + 1e-9);
        const bool conflict = (target[pair.first] - target[pair.second]).norm() > most;
        any = any || conflict;
        if (conflict && direct.at(pair) <= length * (1 + 1e-12)) expected[pair] = length;
    }

    EXPECT_TRUE(reach.complete);
    EXPECT_EQ(any, !reach.conflicts.empty());
    ASSERT_EQ(reach.conflicts.size(), expected.size());
    double last = std::numeric_limits<double>::infinity();
    for (const PinConflict& c : reach.conflicts) {
        ASSERT_TRUE(expected.contains({c.a, c.b}));
        EXPECT_NEAR(c.reach, (expected[{c.a, c.b}]), 1e-12);
        EXPECT_LE(c.distance / c.reach, last * (1 + 1e-15));
        last = c.distance / c.reach;
    }
}

TEST(PinReach, AgreesWithBruteForce) {
    for (unsigned seed = 0; seed < 150; ++seed) compare_with_brute_force(seed);
}

}  // namespace
}  // namespace taut::mesh

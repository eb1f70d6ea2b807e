#include <gtest/gtest.h>

#include <map>
#include <set>

#include "mesh/sample_meshes.hpp"
#include "taut/base/error.hpp"
#include "taut/mesh/yarns.hpp"

namespace taut::mesh {
namespace {

using samples::Sample;

// The promises of mesh.hpp and yarns.hpp, whoever made the net.
void expect_yarns(const Net& net) {
    std::vector<int> uses(net.edges.size(), 0);
    std::map<std::pair<Direction, int>, int> inner, ends;
    for (const Yarn& y : net.yarns) {
        ASSERT_FALSE(y.edge.empty());
        ASSERT_NE(y.direction, Direction::none);
        ASSERT_EQ(y.vertex.size(), y.closed ? y.edge.size() : y.edge.size() + 1);
        EXPECT_EQ(std::set<int>(y.vertex.begin(), y.vertex.end()).size(), y.vertex.size());
        for (std::size_t k = 0; k < y.edge.size(); ++k) {
            const Edge& e = net.edges[y.edge[k]];
            ++uses[y.edge[k]];
            EXPECT_EQ(e.direction, y.direction);
            const std::set<int> joined{y.vertex[k], y.vertex[(k + 1) % y.vertex.size()]};
            EXPECT_EQ((std::set<int>{e.a, e.b}), joined);
        }
        for (std::size_t k = 0; k < y.vertex.size(); ++k) {
            const bool end = !y.closed && (k == 0 || k + 1 == y.vertex.size());
            ++(end ? ends : inner)[{y.direction, y.vertex[k]}];
        }
    }
    for (std::size_t e = 0; e < net.edges.size(); ++e)
        EXPECT_EQ(uses[e], net.edges[e].direction == Direction::none ? 0 : 1);
    for (const auto& [at, count] : inner) {
        EXPECT_EQ(count, 1) << "vertex " << at.second << " is inner to several yarns";
        EXPECT_FALSE(ends.contains(at)) << "a yarn ends on another's inner vertex " << at.second;
    }
}

// Yarns as sets of vertex pairs, so that nets with other numberings of edges compare.
std::multiset<std::set<std::pair<int, int>>> yarn_sets(const Net& net, Direction direction) {
    std::multiset<std::set<std::pair<int, int>>> result;
    for (const Yarn& y : net.yarns) {
        if (y.direction != direction) continue;
        std::set<std::pair<int, int>> pairs;
        for (const int e : y.edge)
            pairs.insert(
                {std::min(net.edges[e].a, net.edges[e].b), std::max(net.edges[e].a, net.edges[e].b)});
        result.insert(pairs);
    }
    return result;
}

TEST(Yarns, TracingFindsWhatTheMakersMade) {
    for (const MadeMesh& made :
         {make_grid(2, 2, 1, 1), make_grid(7, 4, 1, 1), make_polyline(9, 1), make_polyline(2, 1),
          make_cone(3, 2, 1, 1, 1), make_cone(4, 5, 0.2, 0.7, 1), make_cone(12, 6, 0.5, 0.5, 2)}) {
        expect_yarns(made.net);
        std::vector<MeshProblem> warnings;
        const Net traced = trace_net(made.mesh, made.rest, &warnings);
        expect_yarns(traced);
        EXPECT_TRUE(warnings.empty());
        EXPECT_EQ(traced.yarns.size(), made.net.yarns.size());
        for (const Direction d : {Direction::warp, Direction::weft})
            EXPECT_EQ(yarn_sets(traced, d), yarn_sets(made.net, d));
    }
}

TEST(Yarns, ClosedRingsOnCylindersStayClosedWhenShuffled) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        const Sample s = samples::shuffled(samples::plain(make_cone(5, 4, 0.5, 0.5, 1)), seed);
        const Net net = trace_net(s.mesh, s.rest);
        expect_yarns(net);
        EXPECT_EQ(std::count_if(net.yarns.begin(), net.yarns.end(), [](const Yarn& y) { return y.closed; }),
                  4);
        EXPECT_EQ(net.yarns.size(), 9u);
    }
}

TEST(Yarns, EveryEdgeOnOneYarnOnMeshesNobodyTuned) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        const Sample s = samples::ragged(seed);
        SCOPED_TRACE(seed);
        expect_yarns(trace_net(s.mesh, s.rest));
    }
    const Sample parts = samples::shuffled(
        samples::joined(samples::joined(samples::ragged(5), samples::plain(make_cone(6, 3, 1, 2, 1)), 20),
                        samples::plain(make_polyline(6, 2)), 40),
        9);
    expect_yarns(trace_net(parts.mesh, parts.rest));
}

TEST(Yarns, EveryEdgeOnOneYarnWithSlantedTexture) {
    for (unsigned seed = 0; seed < 100; ++seed) {
        Sample s = samples::ragged(seed);
        samples::texture(s, Eigen::Rotation2Dd(0.05 * seed).toRotationMatrix());
        SCOPED_TRACE(seed);
        expect_yarns(trace_net(s.mesh, s.rest));
    }
}

TEST(Yarns, RunThroughHolesAndTriangles) {
    // A split quad does not break the rows that pass beside it; a hole splits those it cuts.
    Sample s = samples::grid(6, 6);
    samples::split(s, 12);
    Net net = trace_net(s.mesh, s.rest);
    expect_yarns(net);
    EXPECT_EQ(net.yarns.size(), 12u);

    // Remove a 2 x 2 block of quads: one inner row and one inner column are cut in two.
    s = samples::grid(6, 6);
    for (const std::size_t f : {17u, 16u, 12u, 11u}) samples::remove(s, f);
    drop_isolated(s.mesh, s.rest);
    net = trace_net(s.mesh, s.rest);
    expect_yarns(net);
    EXPECT_EQ(net.yarns.size(), 14u);
}

TEST(Yarns, EndAtIrregularVertices) {
    for (const int k : {3, 4, 5, 6, 8}) {
        const Sample s = samples::fan(k);
        const Net net = trace_net(s.mesh, s.rest);
        SCOPED_TRACE(k);
        expect_yarns(net);
        if (k != 6 && k != 8) continue;

        // All k spokes end in the middle, half of them of each direction.
        std::map<Direction, int> ends;
        for (const Yarn& y : net.yarns)
            if (!y.closed && (y.vertex.front() == 0 || y.vertex.back() == 0)) ++ends[y.direction];
        EXPECT_EQ(ends[Direction::warp], k / 2);
        EXPECT_EQ(ends[Direction::weft], k / 2);
    }
}

// A wheel of lines: a loop through vertex 0 and a tail that ends there.
TEST(Yarns, LoopsThatMeetAnotherYarnAreCut) {
    Sample s;
    s.mesh.vertices = 6;
    s.rest = {{0, 0, 0}, {1, 0.5, 0}, {2, 0, 0}, {1, -0.5, 0}, {-1, 0, 0}, {-2, 0, 0}};
    s.mesh.lines = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {4, 5}};
    const Net net = trace_net(s.mesh, s.rest);
    expect_yarns(net);
    EXPECT_EQ(net.yarns.size(), 3u);
    s.mesh.lines.resize(4);
    drop_isolated(s.mesh, s.rest);
    const Net ring = trace_net(s.mesh, s.rest);
    expect_yarns(ring);
    ASSERT_EQ(ring.yarns.size(), 1u);
    EXPECT_TRUE(ring.yarns[0].closed);
}

TEST(Yarns, TwoSidesOfOneFaceDoNotTurnACorner) {
    // A single triangle whose sides all lie within the tolerance of one texture axis.
    Sample s;
    s.mesh.vertices = 3;
    s.rest = {{0, 0, 0}, {1, 0.02, 0}, {2, 0, 0}};
    s.mesh.faces = {{{0, 1, 2, -1}}};
    samples::texture(s, Eigen::Matrix2d::Identity());
    const Net net = trace_net(s.mesh, s.rest);
    expect_yarns(net);
    ASSERT_EQ(net.yarns.size(), 2u);
    EXPECT_EQ(net.yarns[0].vertex.size() + net.yarns[1].vertex.size(), 5u);
}

TEST(Yarns, TracingIsTheSameEveryTime) {
    const Sample s = samples::ragged(11);
    const Net first = trace_net(s.mesh, s.rest), second = trace_net(s.mesh, s.rest);
    ASSERT_EQ(first.yarns.size(), second.yarns.size());
    for (std::size_t y = 0; y < first.yarns.size(); ++y) EXPECT_EQ(first.yarns[y].edge, second.yarns[y].edge);
}

TEST(Yarns, BrokenMeshesThrowAndOddOnesWarn) {
    Sample s = samples::grid(3, 3);
    s.mesh.faces[0].corner[0] = 77;
    EXPECT_THROW(trace_net(s.mesh, s.rest), InputError);
    s = samples::triangulated(3, 3);
    std::vector<MeshProblem> warnings;
    const Net net = trace_net(s.mesh, s.rest, &warnings);
    EXPECT_TRUE(net.yarns.empty());
    EXPECT_EQ(warnings.size(), 1u);
}

}  // namespace
}  // namespace taut::mesh

#include <gtest/gtest.h>

#include <map>

#include "mesh/sample_meshes.hpp"
#include "taut/mesh/warp_weft.hpp"

namespace taut::mesh {
namespace {

using samples::Sample;

struct Classed {
    Topology topology;
    WarpWeft classes;
    std::vector<MeshProblem> problems;
};

Classed classify(const Sample& s) {
    Classed c{build_topology(s.mesh), {}, {}};
    c.classes = classify_edges(s.mesh, c.topology, s.rest);
    c.problems = find_problems(s.mesh, c.topology, c.classes);
    return c;
}

std::map<Direction, int> counts(const Classed& c) {
    std::map<Direction, int> n;
    for (const Direction d : c.classes.direction) ++n[d];
    return n;
}

// In a flat sample with axis-parallel edges: along y is warp, along x weft, oblique none.
void expect_by_axes(const Sample& s, const Classed& c) {
    for (std::size_t e = 0; e < c.topology.edges.size(); ++e) {
        const Vec3 d = (s.rest[c.topology.edges[e].b] - s.rest[c.topology.edges[e].a]).cwiseAbs();
        const Direction expected = d.x() == 0   ? Direction::warp
                                   : d.y() == 0 ? Direction::weft
                                                : Direction::none;
        EXPECT_EQ(c.classes.direction[e], expected) << c.topology.edges[e].a << "-" << c.topology.edges[e].b;
    }
}

TEST(WarpWeft, TracesGridsHoweverTheyAreNumbered) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Sample s = samples::shuffled(samples::grid(6, 4), seed);
        const Classed c = classify(s);
        expect_by_axes(s, c);
        EXPECT_TRUE(c.classes.conflicts.empty());
        EXPECT_TRUE(c.problems.empty());
        EXPECT_FALSE(c.classes.from_uv);
        EXPECT_FALSE(c.classes.triangles_only);
    }
}

TEST(WarpWeft, TracesConesWithRingsAsWeft) {
    const MadeMesh made = make_cone(9, 5, 0.3, 0.5, 1);
    const Classed c = classify(samples::plain(made));
    std::map<std::pair<int, int>, Direction> made_direction;
    for (const Edge& e : made.net.edges)
        made_direction[{std::min(e.a, e.b), std::max(e.a, e.b)}] = e.direction;
    ASSERT_EQ(made_direction.size(), c.topology.edges.size());
    for (std::size_t e = 0; e < c.topology.edges.size(); ++e)
        EXPECT_EQ(c.classes.direction[e], (made_direction[{c.topology.edges[e].a, c.topology.edges[e].b}]));
}

TEST(WarpWeft, TrianglesPassNothingOn) {
    // Split two columns of quads: parts remain that only triangles join; an edge of triangles alone is free.
    Sample s = samples::grid(5, 4);
    for (const std::size_t f : {1u, 5u, 9u, 3u, 7u, 11u}) samples::split(s, f);
    const Classed c = classify(s);
    int loose = 0;
    for (std::size_t e = 0; e < c.topology.edges.size(); ++e) {
        const Edge& edge = c.topology.edges[e];
        bool quad = false;
        for (const int f : edge.face) quad = quad || (f >= 0 && s.mesh.faces[f].size() == 4);
        const Direction along = edge.b - edge.a == 1 ? Direction::weft : Direction::warp;
        EXPECT_EQ(c.classes.direction[e], quad ? along : Direction::none);
        loose += !quad;
    }
    EXPECT_EQ(loose, 2 * 4 + 2 * 3 + 3);
}

TEST(WarpWeft, PureTrianglesAreFlaggedWithARemedy) {
    const Classed c = classify(samples::triangulated(5, 5));
    EXPECT_TRUE(c.classes.triangles_only);
    EXPECT_EQ(counts(c)[Direction::none], static_cast<int>(c.topology.edges.size()));
    ASSERT_EQ(c.problems.size(), 1u);
    EXPECT_EQ(c.problems[0].severity, Severity::warning);
    EXPECT_NE(c.problems[0].text.find("only triangles"), std::string::npos);
    EXPECT_NE(c.problems[0].remedy.find("quads"), std::string::npos);
}

TEST(WarpWeft, TextureFindsTheYarnsOfTriangles) {
    // Stretched, mirrored and swapped texture axes; diagonals stay free even at ten to one.
    for (const Eigen::Vector2d& stretch : {Vec2(1, 1), Vec2(10, 1), Vec2(1, -10), Vec2(1e-4, 1e-3)}) {
        Sample s = samples::shuffled(samples::triangulated(6, 5), 4);
        samples::texture(s, stretch.asDiagonal());
        const Classed c = classify(s);
        EXPECT_TRUE(c.classes.from_uv);
        EXPECT_TRUE(c.classes.triangles_only);
        expect_by_axes(s, c);
        EXPECT_EQ(c.problems.size(), 1u);
    }
    Sample s = samples::grid(6, 5);
    samples::texture(s, (Eigen::Matrix2d() << 0, 1, 1, 0).finished());
    const Classed c = classify(s);
    for (std::size_t e = 0; e < c.topology.edges.size(); ++e)
        EXPECT_EQ(c.classes.direction[e],
                  c.topology.edges[e].b - c.topology.edges[e].a == 1 ? Direction::warp : Direction::weft);
}

TEST(WarpWeft, TextureAtASlantHoldsWithinTheTolerance) {
    for (const double degrees : {-20.0, 20.0, 45.0}) {
        Sample s = samples::grid(4, 4);
        samples::texture(s, Eigen::Rotation2Dd(degrees * std::numbers::pi / 180).toRotationMatrix());
        const Classed c = classify(s);
        const bool bias = degrees == 45;
        EXPECT_EQ(counts(c)[Direction::none], bias ? static_cast<int>(c.topology.edges.size()) : 0);
        EXPECT_EQ(c.problems.size(), bias ? 1u : 0u);
    }
}

TEST(WarpWeft, SeamsTakeTheSideThatKnows) {
    // Two panels side by side; the right one is cut on the bias, so that only the left knows the seam.
    Sample s = samples::grid(3, 2);
    samples::texture(s, Eigen::Matrix2d::Identity());
    const Eigen::Matrix2d turn = Eigen::Rotation2Dd(std::numbers::pi / 4).toRotationMatrix();
    for (Vec2& uv : s.mesh.corner_uv[1]) uv = turn * uv + Vec2(5, 5);
    Classed c = classify(s);
    EXPECT_EQ(counts(c)[Direction::warp], 2);
    EXPECT_EQ(counts(c)[Direction::weft], 2);
    EXPECT_TRUE(c.classes.conflicts.empty());

    // Turned by a right angle instead, the sides disagree about the seam: the lower face decides.
    for (Vec2& uv : s.mesh.corner_uv[1]) uv = turn * uv;
    c = classify(s);
    ASSERT_EQ(c.classes.conflicts.size(), 1u);
    const int seam = c.classes.conflicts[0];
    EXPECT_EQ(std::pair(c.topology.edges[seam].a, c.topology.edges[seam].b), std::pair(1, 4));
    EXPECT_EQ(c.classes.direction[seam], Direction::warp);
    EXPECT_EQ(c.problems.size(), 1u);
}

TEST(WarpWeft, TextureWithoutExtentFallsBackToTracing) {
    Sample s = samples::grid(4, 4);
    samples::texture(s, Eigen::Matrix2d::Zero());
    const Classed c = classify(s);
    EXPECT_FALSE(c.classes.from_uv);
    expect_by_axes(s, c);
}

TEST(WarpWeft, OddVerticesConflictEvenOnesDoNot) {
    for (const int k : {3, 4, 5, 6, 7, 8}) {
        const Classed c = classify(samples::fan(k));
        EXPECT_EQ(c.classes.conflicts.size(), k % 2 == 0 ? 0u : 1u) << k;
        EXPECT_EQ(counts(c)[Direction::none], 0);
        EXPECT_EQ(c.problems.size(), k % 2 == 0 ? 0u : 1u);
    }
}

TEST(WarpWeft, QuadsAlternateWhereThereIsNoConflict) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        const Sample s = samples::ragged(seed);
        const Classed c = classify(s);
        ASSERT_TRUE(c.classes.conflicts.empty());
        for (std::size_t f = 0; f < s.mesh.faces.size(); ++f) {
            if (s.mesh.faces[f].size() != 4) continue;
            const auto& e = c.topology.face_edge[f];
            const auto& d = c.classes.direction;
            EXPECT_EQ(d[e[0]], d[e[2]]);
            EXPECT_EQ(d[e[1]], d[e[3]]);
            EXPECT_NE(d[e[0]], d[e[1]]);
            EXPECT_NE(d[e[0]], Direction::none);
        }
    }
}

TEST(WarpWeft, LinesAreWarp) {
    const Classed c = classify(samples::plain(make_polyline(5, 1)));
    EXPECT_EQ(counts(c)[Direction::warp], 4);
    EXPECT_FALSE(c.classes.triangles_only);
    EXPECT_TRUE(c.problems.empty());
}

}  // namespace
}  // namespace taut::mesh

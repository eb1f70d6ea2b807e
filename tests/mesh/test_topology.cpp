#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "mesh/sample_meshes.hpp"
#include "taut/base/error.hpp"
#include "taut/mesh/topology.hpp"

namespace taut::mesh {
namespace {

using samples::Sample;

// Edges by brute force: vertex pair -> faces in order.
std::map<std::pair<int, int>, std::vector<int>> edge_map(const PolygonMesh& mesh) {
    std::map<std::pair<int, int>, std::vector<int>> edges;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
        for (int k = 0; k < mesh.faces[f].size(); ++k) {
            const int a = mesh.faces[f].corner[k], b = mesh.faces[f].corner[(k + 1) % mesh.faces[f].size()];
            edges[{std::min(a, b), std::max(a, b)}].push_back(static_cast<int>(f));
        }
    for (const auto& line : mesh.lines) edges[{std::min(line[0], line[1]), std::max(line[0], line[1])}];
    return edges;
}

void expect_topology(const Sample& s) {
    const Topology t = build_topology(s.mesh);
    const auto oracle = edge_map(s.mesh);
    ASSERT_EQ(t.edges.size(), oracle.size());
    std::size_t k = 0;
    for (const auto& [ends, faces] : oracle) {
        const Edge& e = t.edges[k];
        EXPECT_EQ(std::pair(e.a, e.b), ends);
        EXPECT_EQ(t.edge_faces[k], static_cast<int>(faces.size()));
        for (std::size_t m = 0; m < 2; ++m) EXPECT_EQ(e.face[m], m < faces.size() ? faces[m] : -1);
        ++k;
    }
    for (std::size_t f = 0; f < s.mesh.faces.size(); ++f) {
        const Face& face = s.mesh.faces[f];
        for (int i = 0; i < 4; ++i) {
            const int e = t.face_edge[f][i];
            if (i >= face.size()) {
                EXPECT_EQ(e, -1);
                continue;
            }
            const std::set<int> ends{t.edges[e].a, t.edges[e].b};
            EXPECT_EQ(ends, (std::set<int>{face.corner[i], face.corner[(i + 1) % face.size()]}));
        }
    }
}

TEST(Topology, MatchesBruteForce) {
    expect_topology(samples::grid(5, 4));
    expect_topology(samples::triangulated(4, 4));
    expect_topology(samples::fan(5));
    expect_topology(samples::plain(make_polyline(7, 1)));
    expect_topology(samples::joined(samples::plain(make_cone(6, 3, 1, 1, 1)), samples::fan(3), 5));
    for (unsigned seed = 0; seed < 30; ++seed) expect_topology(samples::ragged(seed));
}

TEST(Topology, VertexEdgesListEveryEdgeTwice) {
    const Sample s = samples::ragged(3);
    const Topology t = build_topology(s.mesh);
    const VertexEdges around = edges_around_vertices(s.mesh.vertices, t.edges);
    ASSERT_EQ(around.edge.size(), 2 * t.edges.size());
    for (int v = 0; v < s.mesh.vertices; ++v)
        for (int k = around.start[v]; k < around.start[v + 1]; ++k) {
            const Edge& e = t.edges[around.edge[k]];
            EXPECT_TRUE(e.a == v || e.b == v);
            EXPECT_TRUE(k == around.start[v] || around.edge[k] > around.edge[k - 1]);
        }
}

TEST(Topology, FindsConnectedParts) {
    Sample s = samples::joined(samples::grid(3, 3), samples::plain(make_polyline(4, 3)), 10);
    s.mesh.vertices += 1;
    s.rest.push_back({99, 0, 0});
    const Components c = connected_components(s.mesh.vertices, build_topology(s.mesh).edges);
    EXPECT_EQ(c.count, 3);
    for (int v = 0; v < s.mesh.vertices; ++v) EXPECT_EQ(c.of_vertex[v], v < 9 ? 0 : v < 13 ? 1 : 2);

    // A shuffled mesh has as many parts, and edges never join two of them.
    const Sample mixed = samples::shuffled(samples::joined(s, samples::fan(4), 20), 7);
    const auto edges = build_topology(mixed.mesh).edges;
    const Components m = connected_components(mixed.mesh.vertices, edges);
    EXPECT_EQ(m.count, 4);
    for (const Edge& e : edges) EXPECT_EQ(m.of_vertex[e.a], m.of_vertex[e.b]);
}

int twisted_edges(const Sample& s) {
    for (const MeshProblem& p : find_problems(s.mesh, s.rest))
        if (p.text.find("opposite orientation") != std::string::npos) return static_cast<int>(p.edges.size());
    return 0;
}

TEST(Topology, OrientsFacesLikeTheFirst) {
    Sample s = samples::grid(5, 5);
    samples::texture(s, Eigen::Matrix2d::Identity());
    for (const int f : {3, 7, 8, 12}) {
        std::swap(s.mesh.faces[f].corner[1], s.mesh.faces[f].corner[3]);
        std::swap(s.mesh.corner_uv[f][1], s.mesh.corner_uv[f][3]);
    }
    EXPECT_GT(twisted_edges(s), 0);
    EXPECT_EQ(orient_faces(s.mesh), 4);
    EXPECT_EQ(twisted_edges(s), 0);
    EXPECT_EQ(orient_faces(s.mesh), 0);
    for (std::size_t f = 0; f < s.mesh.faces.size(); ++f)
        for (int k = 0; k < 4; ++k)
            EXPECT_EQ(s.mesh.corner_uv[f][k], Vec2(s.rest[s.mesh.faces[f].corner[k]].head<2>()));
}

TEST(Topology, AMoebiusStripKeepsOneTwistedEdge) {
    // A ring of 9 quads whose last joins the first upside down.
    Sample s;
    s.mesh.vertices = 18;
    for (int i = 0; i < 9; ++i)
        for (int side = 0; side < 2; ++side) {
            const double angle = 2 * std::numbers::pi * i / 9, w = side == 0 ? -0.3 : 0.3;
            s.rest.push_back({(2 + w * std::cos(angle / 2)) * std::cos(angle),
                              (2 + w * std::cos(angle / 2)) * std::sin(angle), w * std::sin(angle / 2)});
        }
    for (int i = 0; i < 8; ++i) s.mesh.faces.push_back({{2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1}});
    s.mesh.faces.push_back({{16, 1, 0, 17}});
    orient_faces(s.mesh);
    EXPECT_EQ(twisted_edges(s), 1);
}

TEST(Topology, DropsIsolatedVertices) {
    Sample s = samples::grid(3, 2);
    s.mesh.vertices += 2;
    s.rest.insert(s.rest.begin() + 1, Vec3(7, 7, 7));
    s.rest.push_back({8, 8, 8});
    for (Face& f : s.mesh.faces)
        for (int& c : f.corner)
            if (c >= 1) ++c;
    const std::vector<int> index = drop_isolated(s.mesh, s.rest);
    EXPECT_EQ(index, (std::vector<int>{0, -1, 1, 2, 3, 4, 5, -1}));
    EXPECT_EQ(s.mesh.vertices, 6);
    EXPECT_EQ(s.rest, samples::grid(3, 2).rest);
    EXPECT_TRUE(find_problems(s.mesh, s.rest).empty());
}

// The single problem of a mesh broken in one way.
MeshProblem only_problem(const Sample& s) {
    const auto problems = find_problems(s.mesh, s.rest);
    EXPECT_EQ(problems.size(), 1u);
    return problems.empty() ? MeshProblem{} : problems.front();
}

TEST(MeshProblems, SoundMeshesHaveNone) {
    EXPECT_TRUE(find_problems(samples::grid(4, 5).mesh, samples::grid(4, 5).rest).empty());
    const Sample cone = samples::plain(make_cone(5, 4, 1, 2, 1));
    EXPECT_TRUE(find_problems(cone.mesh, cone.rest).empty());
    const Sample chain = samples::plain(make_polyline(5, 1));
    EXPECT_TRUE(find_problems(chain.mesh, chain.rest).empty());
    for (unsigned seed = 0; seed < 30; ++seed) {
        const Sample s = samples::ragged(seed);
        EXPECT_NO_THROW(require_sound(find_problems(s.mesh, s.rest)));
    }
}

TEST(MeshProblems, CornersOutsideTheMesh) {
    for (const int bad : {-1, -7, 20, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
        Sample s = samples::grid(4, 5);
        s.mesh.faces[3].corner[1] = bad;
        const MeshProblem p = only_problem(s);
        EXPECT_EQ(p.severity, Severity::error);
        EXPECT_EQ(p.faces, std::vector<int>{3});
        EXPECT_FALSE(p.remedy.empty());
        EXPECT_THROW(require_sound({p}), InputError);
    }
    Sample chain = samples::plain(make_polyline(4, 1));
    chain.mesh.lines[1] = {1, 4};
    EXPECT_EQ(only_problem(chain).severity, Severity::error);
}

TEST(MeshProblems, RepeatedCorners) {
    Sample s = samples::grid(4, 4);
    s.mesh.faces[2].corner[3] = s.mesh.faces[2].corner[0];
    s.mesh.faces[5].corner = {1, 1, 2, -1};
    EXPECT_EQ(only_problem(s).faces, (std::vector<int>{2, 5}));
}

TEST(MeshProblems, DuplicateFaces) {
    Sample s = samples::grid(3, 2);
    const auto c = s.mesh.faces[0].corner;
    s.mesh.faces.push_back({{c[2], c[1], c[0], c[3]}});
    const auto problems = find_problems(s.mesh, s.rest);
    ASSERT_GE(problems.size(), 1u);
    EXPECT_EQ(problems[0].faces, std::vector<int>{2});
    EXPECT_EQ(problems[0].severity, Severity::error);
}

TEST(MeshProblems, NonManifoldEdges) {
    Sample s = samples::grid(3, 2);
    s.mesh.vertices += 2;
    s.rest.push_back({1, 0, 1});
    s.rest.push_back({1, 1, 1});
    s.mesh.faces.push_back({{1, 4, 7, 6}});
    const MeshProblem p = find_problems(s.mesh, s.rest).front();
    EXPECT_EQ(p.severity, Severity::error);
    ASSERT_EQ(p.edges.size(), 1u);
    const Edge e = build_topology(s.mesh).edges[p.edges[0]];
    EXPECT_EQ(std::pair(e.a, e.b), std::pair(1, 4));
    EXPECT_NE(p.text.find("1-4"), std::string::npos);
}

TEST(MeshProblems, IsolatedVerticesEmptyMeshesAndCounts) {
    Sample s = samples::grid(3, 3);
    s.mesh.vertices += 1;
    s.rest.push_back({5, 5, 5});
    EXPECT_EQ(only_problem(s).vertices, std::vector<int>{9});
    s.rest.pop_back();
    EXPECT_EQ(only_problem(s).severity, Severity::error);
    EXPECT_EQ(only_problem({}).severity, Severity::error);
    Sample points;
    points.mesh.vertices = 3;
    points.rest.assign(3, Vec3::Zero());
    EXPECT_EQ(only_problem(points).severity, Severity::error);
    Sample uv = samples::grid(3, 3);
    uv.mesh.corner_uv.resize(2);
    EXPECT_EQ(only_problem(uv).severity, Severity::error);
}

TEST(MeshProblems, ValuesThatAreNotFinite) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Sample s = samples::grid(3, 3);
        s.rest[4].y() = bad;
        EXPECT_EQ(only_problem(s).vertices, std::vector<int>{4});
        Sample t = samples::grid(3, 3);
        samples::texture(t, Eigen::Matrix2d::Identity());
        t.mesh.corner_uv[2][1].x() = bad;
        EXPECT_EQ(only_problem(t).faces, std::vector<int>{2});
    }
}

TEST(MeshProblems, EdgesWithoutLengthAndFacesWithoutArea) {
    Sample s = samples::grid(4, 4);
    s.rest[6] = s.rest[5];
    const auto problems = find_problems(s.mesh, s.rest);
    ASSERT_FALSE(problems.empty());
    EXPECT_EQ(problems[0].severity, Severity::error);
    ASSERT_EQ(problems[0].edges.size(), 1u);
    Sample flat = samples::grid(2, 2);
    flat.rest[2].y() = flat.rest[3].y() = 1e-12;
    const auto found = find_problems(flat.mesh, flat.rest);
    ASSERT_FALSE(found.empty());
    EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                            [](const MeshProblem& p) { return p.faces == std::vector<int>{0}; }));
    Sample crossed = samples::grid(2, 2);
    std::swap(crossed.mesh.faces[0].corner[0], crossed.mesh.faces[0].corner[1]);
    EXPECT_EQ(only_problem(crossed).severity, Severity::error);
}

TEST(MeshProblems, DentedQuadsAndPointContactsAreWarnings) {
    Sample dented = samples::grid(2, 2);
    dented.rest[3] = {0.2, 0.2, 0};
    EXPECT_EQ(only_problem(dented).severity, Severity::warning);
    Sample touching = samples::grid(3, 3);
    samples::remove(touching, 1);
    samples::remove(touching, 1);
    drop_isolated(touching.mesh, touching.rest);
    EXPECT_EQ(only_problem(touching).severity, Severity::warning);
    EXPECT_EQ(only_problem(touching).vertices.size(), 1u);
}

TEST(MeshProblems, LongListsAreCutInTheTextOnly) {
    Sample s = samples::grid(6, 6);
    for (Face& f : s.mesh.faces) f.corner[0] = 99;
    const MeshProblem p = only_problem(s);
    EXPECT_EQ(p.faces.size(), 25u);
    EXPECT_NE(p.text.find("and 20 more"), std::string::npos);
    EXPECT_LT(p.text.size(), 120u);
}

}  // namespace
}  // namespace taut::mesh

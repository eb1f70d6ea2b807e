// The hierarchy of clusters: every primitive in one cluster, boxes that hold their points all the way, and
// walks that miss nothing. Moving boxes: rounded outwards, apart only where nothing meets.
#include "taut/collision/cluster_tree.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "collision/touching.hpp"

namespace taut::collision {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Closed intervals of one axis at a time from 0 to 1.
bool meet_at(const MovingBox& a, const MovingBox& b, double t) {
    for (int k = 0; k < 3; ++k) {
        const auto at = [&](const MovingBox::Corner& start, const MovingBox::Corner& end) {
            return (1 - t) * double(start[k]) + t * double(end[k]);
        };
        if (at(a.low_start, a.low_end) > at(b.high_start, b.high_end)) return false;
        if (at(b.low_start, b.low_end) > at(a.high_start, a.high_end)) return false;
    }
    return true;
}

bool inside(const MovingBox& inner, const MovingBox& outer) {
    MovingBox both = outer;
    both.add(inner);
    for (int k = 0; k < 3; ++k) {
        if (both.low_start[k] != outer.low_start[k] || both.high_start[k] != outer.high_start[k])
            return false;
        if (both.low_end[k] != outer.low_end[k] || both.high_end[k] != outer.high_end[k]) return false;
    }
    return true;
}

TEST(MovingBox, IsRoundedOutwards) {
    for (double size : {1e-30, 1e-6, 1.0, 12345.678, 1e30, 1e60}) {
        const Points p = testing::random_points(200, size, 5);
        for (std::size_t k = 0; k + 1 < p.size(); k += 2) {
            const MovingBox box = moving_box(p[k], p[k + 1], 1e-9 * size);
            for (int c = 0; c < 3; ++c) {
                EXPECT_LE(double(box.low_start[c]), p[k][c] - 1e-9 * size);
                EXPECT_GE(double(box.high_start[c]), p[k][c] + 1e-9 * size);
                EXPECT_LE(double(box.low_end[c]), p[k + 1][c] - 1e-9 * size);
                EXPECT_GE(double(box.high_end[c]), p[k + 1][c] + 1e-9 * size);
            }
        }
    }
}

TEST(MovingBox, ApartMeansApartAllTheWay) {
    const Points p = testing::random_points(8000, 1, 6);
    int apart = 0;
    for (std::size_t k = 0; k + 3 < p.size(); k += 4) {
        const MovingBox a = moving_box(p[k], p[k + 1], 0.1), b = moving_box(p[k + 2], p[k + 3], 0.2);
        EXPECT_EQ(a.apart(b), b.apart(a));
        if (!a.apart(b)) continue;
        ++apart;
        for (int t = 0; t <= 20; ++t) EXPECT_FALSE(meet_at(a, b, t / 20.0));
    }
    EXPECT_GT(apart, 500);
}

TEST(MovingBox, TouchingBoxesAreNotApart) {
    const MovingBox a = moving_box(Vec3::Zero(), Vec3::Zero(), 0.5);
    EXPECT_FALSE(a.apart(moving_box(Vec3(1, 0, 0), Vec3(1, 0, 0), 0.5)));
    EXPECT_TRUE(a.apart(moving_box(Vec3(1.001, 0, 0), Vec3(1.001, 0, 0), 0.5)));
    // One that overtakes the other meets it.
    EXPECT_FALSE(a.apart(moving_box(Vec3(5, 0, 0), Vec3(-5, 0, 0), 0.1)));
}

struct Tree {
    explicit Tree(const Model& model, std::vector<Obstacle> obstacles = {})
        : surface(make_surface(model, obstacles, 1e-3)), x(testing::all_points(model, surface, obstacles)) {
        tree.build({surface.triangles, surface.edges, surface.body, x, 0, surface.points});
    }
    // Fits the boxes to random ways and returns those of the points.
    std::vector<MovingBox> fit(double margin, double amount) {
        const Points end = testing::shaken(x, amount, 11);
        std::vector<MovingBox> boxes;
        for (std::size_t p = 0; p < x.size(); ++p) boxes.push_back(moving_box(x[p], end[p], margin));
        tree.refit(boxes);
        return boxes;
    }
    Surface surface;
    Points x;
    ClusterTree tree;
};

void check(Tree& t) {
    // Find every primitive in exactly one cluster.
    std::multiset<int> vertices;
    std::multiset<std::array<int, 2>> edges;
    std::multiset<std::array<int, 3>> triangles;
    int v = 0, e = 0, f = 0;
    for (int c = 0; c < t.tree.size(); ++c) {
        const auto& cluster = t.tree.cluster(c);
        EXPECT_EQ(cluster.first_vertex, v);
        EXPECT_EQ(cluster.first_edge, e);
        EXPECT_EQ(cluster.first_triangle, f);
        v = cluster.last_vertex;
        e = cluster.last_edge;
        f = cluster.last_triangle;
        EXPECT_LE(cluster.last_triangle - cluster.first_triangle, 8);
        std::set<int> bodies;
        const auto body = [&](int p) { bodies.insert(t.surface.body[std::size_t(p)]); };
        for (int k = cluster.first_vertex; k < v; ++k) body(t.tree.vertices()[std::size_t(k)]);
        for (int k = cluster.first_edge; k < e; ++k) body(t.tree.edges()[std::size_t(k)][0]);
        for (int k = cluster.first_triangle; k < f; ++k) body(t.tree.triangles()[std::size_t(k)][0]);
        EXPECT_EQ(bodies.size(), 1u);
    }
    for (int k : t.tree.vertices()) vertices.insert(k);
    for (const auto& k : t.tree.edges()) edges.insert(k);
    for (const auto& k : t.tree.triangles()) triangles.insert(k);
    EXPECT_EQ(vertices.size(), t.x.size());
    EXPECT_EQ(std::set<int>(vertices.begin(), vertices.end()).size(), t.x.size());
    EXPECT_EQ(edges, decltype(edges)(t.surface.edges.begin(), t.surface.edges.end()));
    EXPECT_EQ(triangles, decltype(triangles)(t.surface.triangles.begin(), t.surface.triangles.end()));

    // Hold every primitive in its boxes, and every cluster in what a walk meets.
    const std::vector<MovingBox> points = t.fit(0.01, 0.1);
    for (int c = 0; c < t.tree.size(); ++c) {
        const auto& cluster = t.tree.cluster(c);
        for (int k = cluster.first_vertex; k < cluster.last_vertex; ++k) {
            EXPECT_TRUE(inside(points[std::size_t(t.tree.vertices()[std::size_t(k)])], cluster.box));
        }
        for (int k = cluster.first_edge; k < cluster.last_edge; ++k) {
            for (int p : t.tree.edges()[std::size_t(k)]) {
                EXPECT_TRUE(inside(points[std::size_t(p)], t.tree.edge_boxes()[std::size_t(k)]));
            }
            EXPECT_TRUE(inside(t.tree.edge_boxes()[std::size_t(k)], cluster.box));
        }
        for (int k = cluster.first_triangle; k < cluster.last_triangle; ++k) {
            for (int p : t.tree.triangles()[std::size_t(k)]) {
                EXPECT_TRUE(inside(points[std::size_t(p)], t.tree.triangle_boxes()[std::size_t(k)]));
            }
            EXPECT_TRUE(inside(t.tree.triangle_boxes()[std::size_t(k)], cluster.box));
        }
    }
    for (const Vec3& center : testing::random_points(20, 1, 12)) {
        for (double size : {0.0, 0.1, 1.0}) {
            const MovingBox box = moving_box(center, center + Vec3(0.3, 0, 0), size);
            for (int first : {0, t.tree.size() / 2, t.tree.size()}) {
                std::vector<int> met, expected;
                t.tree.each_meeting(box, first, [&](int c) { met.push_back(c); });
                for (int c = first; c < t.tree.size(); ++c) {
                    if (!t.tree.cluster(c).box.apart(box)) expected.push_back(c);
                }
                // A walk asks the boxes of branches first, which hold those of their clusters.
                EXPECT_EQ(met, expected);
            }
        }
    }
}

TEST(ClusterTree, HoldsEveryPrimitiveOnceAndWalksMissNothing) {
    Model several;
    testing::add_cloth(several, "a", mesh::make_grid(9, 7, 1, 1), Vec3::Zero());
    testing::add_cloth(several, "b", mesh::make_polyline(9, 1), Vec3(0, 0, 0.1));
    testing::add_cloth(several, "c", mesh::make_grid(2, 2, 1, 1), Vec3(0, 0, 0.2));
    testing::add_cloth(several, "d", mesh::make_cone(7, 5, 0.1, 0.2, 0.4), Vec3(0, 0, 0.3));
    const std::vector<Obstacle> obstacles{
        testing::ball(Vec3(0, 1, 0), 0.2), testing::ball(Vec3(0, -1, 0), 0.2),
        testing::capsule(Vec3(0, 0, 1), Vec3(1, 0, 1), 0.1), testing::box(Vec3(1, 1, 1), Vec3::Constant(0.3)),
        testing::polygon_sphere(Vec3(-1, 0, 0), 0.5, 3)};
    for (const auto& [model, solids] : {std::pair{testing::sheet(17, 13), std::vector<Obstacle>{}},
                                        {testing::chain(2), {}},
                                        {testing::sheet(2, 2), {}},
                                        {several, {}},
                                        {several, obstacles},
                                        {Model(), obstacles}}) {
        Tree t(model, solids);
        check(t);
    }
}

TEST(ClusterTree, OneTriangleAndNothing) {
    Tree one(Model(), {testing::mesh_obstacle({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, {{0, 1, 2}})});
    EXPECT_EQ(one.tree.size(), 1);
    check(one);
    Tree nothing{Model()};
    EXPECT_TRUE(nothing.tree.empty());
    nothing.fit(0, 0);
    nothing.tree.each_meeting(moving_box(Vec3::Zero(), Vec3::Zero(), infinity), 0,
                              [](int) { ADD_FAILURE(); });
}

TEST(ClusterTree, TrianglesInOnePlaceAreStillSplit) {
    // All middles agree: no axis tells them apart.
    std::vector<Triangle> triangles(50, Triangle{0, 1, 2});
    Tree t(Model(), {testing::mesh_obstacle({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, triangles)});
    EXPECT_GE(t.tree.size(), 7);
    check(t);
}

TEST(ClusterTree, PointsThatNoTriangleUsesAreMetToo) {
    Tree t(Model(), {testing::mesh_obstacle({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(5, 5, 5)},
                                            {{0, 1, 2}})});
    check(t);
    int met = 0;
    t.fit(0.1, 0);
    t.tree.each_meeting(moving_box(Vec3(5, 5, 5), Vec3(5, 5, 5), 0.1), 0, [&](int) { ++met; });
    EXPECT_EQ(met, 1);
}

TEST(ClusterTree, NeighboursShareClusters) {
    Tree t(testing::sheet(41, 41));
    t.fit(0, 0);
    // Eight triangles of a grid fit into a square of two cells a side, give or take a cell.
    double worst = 0;
    for (int c = 0; c < t.tree.size(); ++c) {
        const MovingBox& box = t.tree.cluster(c).box;
        for (int k = 0; k < 3; ++k) worst = std::max(worst, double(box.high_start[k] - box.low_start[k]));
    }
    EXPECT_LT(worst, 5.0 / 40);
    EXPECT_LT(t.tree.size(), 2 * 3200 / 8);
}

}  // namespace
}  // namespace taut::collision

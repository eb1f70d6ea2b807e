// Surface: points, triangles, edges and bodies of cloths and obstacles, what cloths may keep, and obstacles
// put to a time.
#include "taut/collision/surface.hpp"

#include <gtest/gtest.h>

#include <set>

#include "collision/touching.hpp"

namespace taut::collision {
namespace {

using testing::add_cloth;
using Edges = std::set<std::array<int, 2>>;

Edges edge_set(const Surface& surface) { return {surface.edges.begin(), surface.edges.end()}; }

// What holds for every surface: each point has its body, each primitive lies in one body, edges are listed
// once and are exactly those of the triangles, but for cores of capsules.
void check(const Surface& surface) {
    ASSERT_EQ(surface.body.size(), std::size_t(surface.points));
    for (int p = 0; p < surface.points; ++p) {
        const Body& body = surface.body_of(p);
        EXPECT_GE(p, body.first_point);
        EXPECT_LT(p, body.first_point + body.point_count);
        EXPECT_EQ(body.cloth, surface.is_cloth(p));
        EXPECT_EQ(body.obstacle < 0, body.cloth);
    }
    Edges of_triangles;
    for (const auto& t : surface.triangles) {
        for (int k = 0; k < 3; ++k) {
            EXPECT_EQ(surface.body[std::size_t(t[std::size_t(k)])], surface.body[std::size_t(t[0])]);
            const int a = t[std::size_t(k)], b = t[std::size_t((k + 1) % 3)];
            if (a != b) of_triangles.insert({std::min(a, b), std::max(a, b)});
        }
    }
    const Edges edges = edge_set(surface);
    EXPECT_EQ(edges.size(), surface.edges.size());
    for (const auto& e : of_triangles) EXPECT_TRUE(edges.contains(e));
    for (const auto& e : edges) {
        EXPECT_LT(e[0], e[1]);
        EXPECT_TRUE(of_triangles.contains(e) || surface.body_of(e[0]).radius > 0);
    }
}

TEST(Surface, QuadsAreCutFromTheirFirstCorner) {
    const Model model = testing::sheet(4, 3);
    const Surface surface = make_surface(model, {}, 1e-3);
    check(surface);
    ASSERT_EQ(surface.triangles.size(), 12u);
    const Edges edges = edge_set(surface);
    EXPECT_EQ(edges.size(), 17u + 6u);
    for (std::size_t f = 0; f < model.faces.size(); ++f) {
        const auto& c = model.faces[f].corner;
        EXPECT_EQ(surface.triangles[2 * f], (std::array{c[0], c[1], c[2]}));
        EXPECT_EQ(surface.triangles[2 * f + 1], (std::array{c[0], c[2], c[3]}));
        EXPECT_TRUE(edges.contains({std::min(c[0], c[2]), std::max(c[0], c[2])}));
    }
    for (const mesh::Edge& e : model.edges)
        EXPECT_TRUE(edges.contains({std::min(e.a, e.b), std::max(e.a, e.b)}));
}

TEST(Surface, TrianglesStayAsTheyAre) {
    mesh::MadeMesh made = mesh::make_grid(4, 3, 1, 1);
    mesh::split_quads(made);
    const Model model = testing::model_of(made);
    const Surface surface = make_surface(model, {}, 1e-3);
    check(surface);
    EXPECT_EQ(surface.triangles.size(), model.faces.size());
    EXPECT_EQ(surface.edges.size(), model.edges.size());
}

TEST(Surface, LinksOfChainsAreTrianglesWithTwoEqualCorners) {
    const Model model = testing::chain(5);
    const Surface surface = make_surface(model, {}, 1e-3);
    check(surface);
    EXPECT_EQ(surface.edges.size(), 4u);
    ASSERT_EQ(surface.triangles.size(), 4u);
    for (const auto& t : surface.triangles) {
        EXPECT_NE(t[0], t[1]);
        EXPECT_EQ(t[1], t[2]);
    }
}

TEST(Surface, ClothsAndObstaclesFollowEachOther) {
    Model model;
    add_cloth(model, "sheet", mesh::make_grid(3, 3, 1, 1), Vec3::Zero());
    add_cloth(model, "chain", mesh::make_polyline(4, 1), Vec3(0, 0, 1));
    add_cloth(model, "sleeve", mesh::make_cone(5, 3, 0.2, 0.3, 0.5), Vec3(0, 0, 2));
    const std::vector<Obstacle> obstacles{
        testing::plane(Vec3::Zero(), Vec3::UnitZ()),
        testing::ball(Vec3(1, 2, 3), 0.5),
        testing::box(Vec3(1, 0, 0), Vec3(0.1, 0.2, 0.3)),
        testing::plane(Vec3::Zero(), Vec3::UnitX()),
        testing::capsule(Vec3(0, 0, 1), Vec3(0, 0, 2), 0.1),
        testing::polygon_sphere(Vec3::Zero(), 2, 3),
        testing::mesh_obstacle({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, {{0, 1, 2}})};
    const Surface surface = make_surface(model, obstacles, 1e-3);
    check(surface);
    EXPECT_EQ(surface.cloth_points, model.vertex_count());
    ASSERT_EQ(surface.bodies.size(), 8u);
    const char* const names[] = {"sheet", "chain",   "sleeve",         "ball",
                                 "box",   "capsule", "polygon_sphere", "mesh"};
    const int index[] = {-1, -1, -1, 1, 2, 4, 5, 6};
    int next = 0;
    for (std::size_t b = 0; b < 8; ++b) {
        EXPECT_EQ(surface.bodies[b].name, names[b]);
        EXPECT_EQ(surface.bodies[b].obstacle, index[b]);
        EXPECT_EQ(surface.bodies[b].first_point, next);
        next += surface.bodies[b].point_count;
    }
    EXPECT_EQ(next, surface.points);

    // Count the primitives of each obstacle: a ball is a point, a capsule a segment, a sphere closed.
    std::array<int, 8> triangles{}, edges{};
    for (const auto& t : surface.triangles) ++triangles[std::size_t(surface.body[std::size_t(t[0])])];
    for (const auto& e : surface.edges) ++edges[std::size_t(surface.body[std::size_t(e[0])])];
    EXPECT_EQ(surface.bodies[3].point_count, 1);
    EXPECT_EQ(edges[3], 0);
    EXPECT_EQ(triangles[4], 12);
    EXPECT_EQ(edges[4], 18);
    EXPECT_EQ(surface.bodies[5].point_count, 2);
    EXPECT_EQ(edges[5], 1);
    EXPECT_EQ(triangles[6], 180);
    EXPECT_EQ(surface.bodies[6].point_count - edges[6] + triangles[6], 2);
    EXPECT_EQ(triangles[7], 1);
    EXPECT_EQ(edges[7], 3);
    EXPECT_EQ(surface.bodies[3].radius, 0.5);
    EXPECT_EQ(surface.bodies[5].radius, 0.1);
    EXPECT_EQ(surface.bodies[6].radius, 0);
}

TEST(Surface, ThicknessIsCappedByTheShortestEdge) {
    Model model;
    add_cloth(model, "coarse", mesh::make_grid(3, 3, 1, 1), Vec3::Zero());
    add_cloth(model, "narrow", mesh::make_grid(3, 11, 1, 0.01), Vec3::Zero());
    add_cloth(model, "thick", mesh::make_grid(3, 3, 1, 1), Vec3::Zero());
    add_cloth(model, "chain", mesh::make_polyline(11, 0.02), Vec3::Zero());
    model.cloths[1].thickness = 0.5;
    model.cloths[2].thickness = 0.02;
    const Surface surface = make_surface(model, std::vector{testing::ball(Vec3::Zero(), 1)}, 5e-3);
    EXPECT_EQ(surface.bodies[0].thickness, 5e-3);
    EXPECT_LT(surface.bodies[1].thickness, 0.5 * 1e-3);
    EXPECT_GT(surface.bodies[1].thickness, 0.3 * 1e-3);
    EXPECT_EQ(surface.bodies[2].thickness, 0.02);
    EXPECT_LT(surface.bodies[3].thickness, 0.5 * 2e-3);
    EXPECT_EQ(surface.bodies[4].thickness, 5e-3);
    for (const Body& body : surface.bodies) EXPECT_GT(body.thickness, 0);
}

// No pair of a flat sheet at rest may want more than the sheet has there.
TEST(Surface, SheetsAtRestKeepTheirThickness) {
    for (const auto& [nu, nv, width, height] :
         {std::tuple{5, 5, 1.0, 1.0}, {5, 5, 1.0, 0.05}, {9, 3, 0.01, 3.0}}) {
        const Model model = testing::sheet(nu, nv, width, height);
        const Surface surface = make_surface(model, {}, 10);
        const Pairs pairs = testing::every_pair(surface);
        for (const auto& q : pairs.vertex_face)
            EXPECT_GT(testing::vertex_face_distance(model.rest, q), kept_distance(surface, q[0], q[1]));
        for (const auto& q : pairs.edge_edge)
            EXPECT_GT(testing::edge_edge_distance(model.rest, q), kept_distance(surface, q[0], q[2]));
    }
}

TEST(Surface, ParticlesWithoutAClothHaveABody) {
    Model particles;
    particles.rest = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
    particles.mass = {1, 1};
    const Surface surface =
        make_surface(particles, std::vector{testing::box(Vec3::Zero(), Vec3::Ones())}, 1e-3);
    check(surface);
    EXPECT_EQ(surface.points, 10);
    EXPECT_EQ(surface.body_of(0).thickness, 1e-3);
}

TEST(Surface, NothingAtAllIsASurfaceToo) {
    const Surface empty = make_surface(Model(), {}, 1e-3);
    check(empty);
    EXPECT_EQ(empty.points, 0);
    const Surface obstacles = make_surface(Model(), std::vector{testing::ball(Vec3::Zero(), 1)}, 1e-3);
    check(obstacles);
    EXPECT_EQ(obstacles.points, 1);
}

// Points that swing up and down, each with its own height.
class Swing final : public Deformation {
public:
    explicit Swing(Points points) : rest_(std::move(points)) {}
    void at(double time, PointsView x) const override {
        for (std::size_t k = 0; k < rest_.size(); ++k) x[k] = rest_[k] + Vec3(0, 0, double(k) * time);
    }

private:
    Points rest_;
};

TEST(Surface, ObstaclesArePutToATime) {
    const Model model = testing::sheet(3, 3);
    const Points corners{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    std::vector<Obstacle> obstacles{
        testing::box(Vec3(1, 2, 3), Vec3(0.1, 0.2, 0.3)),
        testing::ball(Vec3(4, 5, 6), 1),
        testing::capsule(Vec3(1, 0, 0), Vec3(2, 3, 1), 0.5),
        testing::plane(Vec3::Zero(), Vec3::UnitZ()),
        testing::mesh_obstacle(corners, {{0, 1, 2}}, std::make_shared<Swing>(corners)),
        testing::polygon_sphere(Vec3(1, 1, 1), 0.5, 2)};
    for (Obstacle& o : obstacles) o.motion = testing::steady(Vec3(1, -2, 3), Vec3(0, 0.5, 1), Vec3(1, 1, 1));
    const Surface surface = make_surface(model, obstacles, 1e-3);
    for (double time : {0.0, 0.7, 3.0}) {
        Points x(std::size_t(surface.points), Vec3::Constant(7));
        place_obstacles(surface, obstacles, time, x);
        for (int p = 0; p < surface.cloth_points; ++p) EXPECT_EQ(x[std::size_t(p)], Vec3::Constant(7));
        const RigidTransform place = obstacles[0].motion.at(time);
        const auto point = [&](std::size_t body, int k) {
            return x[std::size_t(surface.bodies[body].first_point + k)];
        };
        // The far corner of the box carries all three signs.
        EXPECT_LT((point(1, 7) - place(Vec3(1.1, 2.2, 3.3))).norm(), 1e-12);
        EXPECT_LT((point(2, 0) - place(Vec3(4, 5, 6))).norm(), 1e-12);
        EXPECT_LT((point(3, 0) - place(Vec3(1, 0, 0))).norm(), 1e-12);
        EXPECT_LT((point(3, 1) - place(Vec3(2, 3, 1))).norm(), 1e-12);
        for (int k = 0; k < 3; ++k) {
            EXPECT_LT((point(4, k) - place(corners[std::size_t(k)] + Vec3(0, 0, k * time))).norm(), 1e-12);
        }
        for (int k = 0; k < surface.bodies[5].point_count; ++k)
            EXPECT_NEAR((point(5, k) - place(Vec3(1, 1, 1))).norm(), 0.5, 1e-12);
    }
}

}  // namespace
}  // namespace taut::collision

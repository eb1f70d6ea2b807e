// Obstacles that are meshes: their points over time, the triangles of convex shapes, and signed distances
// held against closed forms, of solids that have them and of a ring.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

#include "collision/touching.hpp"
#include "taut/base/error.hpp"
#include "taut/collision/obstacle.hpp"
#include "taut/collision/shell_tree.hpp"

namespace taut::collision::obstacle_mesh_tests {
namespace {

Obstacle box() { return testing::box(Vec3(0.5, 0, 0), Vec3(1, 0.5, 0.25)); }

Obstacle polygon_sphere(int frequency) {
    return testing::polygon_sphere(Vec3(0.2, 0.4, 0.6), 0.8, frequency);
}

Obstacle mesh_of(TriangleShell shell, std::shared_ptr<const Deformation> deformation = {}) {
    Obstacle o;
    o.name = "body";
    o.shape = Shape::mesh;
    o.mesh = std::make_shared<const ObstacleMesh>(
        ObstacleMesh{std::move(shell.triangles), std::move(shell.points), std::move(deformation)});
    return o;
}

// A ring around the z axis, its middle 1 m from it, 0.3 m thick.
TriangleShell ring(int around, int across) {
    TriangleShell shell;
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            const double u = 2 * std::numbers::pi * i / around, v = 2 * std::numbers::pi * j / across;
            const double r = 1 + 0.3 * std::cos(v);
            shell.points.emplace_back(r * std::cos(u), r * std::sin(u), 0.3 * std::sin(v));
            const int a = i * across + j, b = (i + 1) % around * across + j;
            const int c = (i + 1) % around * across + (j + 1) % across, d = i * across + (j + 1) % across;
            shell.triangles.push_back({a, b, c});
            shell.triangles.push_back({a, c, d});
        }
    }
    return shell;
}

double volume(const TriangleShell& shell) {
    double sum = 0;
    for (const auto& [a, b, c] : shell.triangles)
        sum += shell.points[static_cast<std::size_t>(a)].dot(shell.points[static_cast<std::size_t>(b)].cross(
                   shell.points[static_cast<std::size_t>(c)])) /
               6;
    return sum;
}

Points cloud(int count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1.6, 1.6);
    Points x;
    for (int k = 0; k < count; ++k) x.emplace_back(uniform(random), uniform(random), uniform(random));
    return x;
}

// Twice as large after a second.
struct Growing final : Deformation {
    explicit Growing(Points points) : rest(std::move(points)) {}
    void at(double time, PointsView x) const override {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = (1 + time) * rest[i];
    }
    Points rest;
};

Motion shift_by(const Vec3& way) {
    return {{{0, Vec3::Zero(), Vec3::Zero()}, {1, way, Vec3::Zero()}}, Vec3::Zero(), Interpolation::linear};
}

TEST(ObstacleMesh, TrianglesOfABoxAreExactAndFaceOutwards) {
    const TriangleShell shell = *as_mesh(box());
    EXPECT_EQ(shell.triangles.size(), 12u);
    EXPECT_EQ(shell.points.size(), 8u);
    EXPECT_NEAR(volume(shell), 2 * 1 * 0.5, 1e-14);
    for (const Vec3& p : shell.points) EXPECT_EQ((p - box().center).cwiseAbs(), box().half_size);
    for (const auto& [a, b, c] : shell.triangles) {
        const Vec3 &p = shell.points[static_cast<std::size_t>(a)],
                   &q = shell.points[static_cast<std::size_t>(b)],
                   &r = shell.points[static_cast<std::size_t>(c)];
        EXPECT_GT((q - p).cross(r - p).dot(p - box().center), 0);
    }
}

TEST(ObstacleMesh, OnlyPolyhedraHaveExactTriangles) {
    EXPECT_EQ(as_mesh(polygon_sphere(3))->triangles.size(), 180u);
    EXPECT_GT(volume(*as_mesh(polygon_sphere(3))), 0);
    EXPECT_EQ(as_mesh(mesh_of(ring(8, 6)))->triangles.size(), 96u);
    for (const Shape shape : {Shape::plane, Shape::sphere, Shape::capsule}) {
        Obstacle o;
        o.shape = shape;
        EXPECT_FALSE(as_mesh(o));
    }
}

TEST(ObstacleMesh, PointsDeformFirstAndMoveThen) {
    const TriangleShell shell = *as_mesh(box());
    Obstacle o = mesh_of(shell);
    EXPECT_EQ(points_at(o, 3), shell.points);
    o.motion = shift_by({1, 2, 3});
    EXPECT_NEAR((points_at(o, 0.5)[5] - shell.points[5] - Vec3(0.5, 1, 1.5)).norm(), 0, 1e-15);
    Obstacle growing = mesh_of(shell, std::make_shared<Growing>(shell.points));
    EXPECT_EQ(points_at(growing, 0), shell.points);
    growing.motion = o.motion;
    EXPECT_NEAR((points_at(growing, 1)[2] - 2 * shell.points[2] - Vec3(1, 2, 3)).norm(), 0, 1e-15);
}

TEST(ObstacleMesh, DistancesAgreeWithThoseOfTheSolidItself) {
    for (const Obstacle& solid : {box(), polygon_sphere(1), polygon_sphere(6)}) {
        const Points x = cloud(3000);
        const std::vector<double> exact = distances(solid, 0, x);
        const std::vector<double> found = distances(mesh_of(*as_mesh(solid)), 0, x);
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(found[i], exact[i], 1e-12) << i;
    }
}

TEST(ObstacleMesh, DistancesKnowTheHoleOfARing) {
    const Points x = cloud(3000);
    const std::vector<double> found = distances(mesh_of(ring(96, 48)), 0, x);
    int inside = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = std::hypot(std::hypot(x[i].x(), x[i].y()) - 1, x[i].z()) - 0.3;
        EXPECT_NEAR(found[i], exact, 2e-3) << i;
        inside += found[i] < 0;
    }
    EXPECT_GT(inside, 100);
    EXPECT_GT(distances(mesh_of(ring(96, 48)), 0, Points{Vec3::Zero()})[0], 0.69);
}

TEST(ObstacleMesh, InsideDoesNotDependOnTheWayTrianglesFace) {
    TriangleShell inward = ring(48, 24);
    for (Triangle& t : inward.triangles) std::swap(t[1], t[2]);
    EXPECT_NEAR(ShellTree(inward.triangles, inward.points).winding({1, 0, 0}), -1, 0.05);
    EXPECT_LT(distances(mesh_of(inward), 0, Points{Vec3(1, 0, 0)})[0], -0.28);
    EXPECT_GT(distances(mesh_of(inward), 0, Points{Vec3::Zero()})[0], 0);
}

TEST(ObstacleMesh, AnOpenSheetHasNoInside) {
    const Obstacle sheet = mesh_of({{{0, 1, 2}, {0, 2, 3}}, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}});
    const std::vector<double> found =
        distances(sheet, 0, Points{{0.5, 0.5, 0.1}, {0.5, 0.5, -0.1}, {2, 0.5, 0}, {0.5, 0.5, 0}});
    EXPECT_NEAR(found[0], 0.1, 1e-15);
    EXPECT_NEAR(found[1], 0.1, 1e-15);
    EXPECT_NEAR(found[2], 1, 1e-15);
    EXPECT_EQ(found[3], 0);
}

TEST(ObstacleMesh, TrianglesWithoutAreaStillHaveADistance) {
    const Points segment{{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}}, point{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    EXPECT_NEAR(ShellTree({{0, 1, 2}}, segment).distance({0.5, 1, 0}), 1, 1e-15);
    EXPECT_NEAR(ShellTree({{0, 1, 2}}, point).distance({0, 2, 0}), 2, 1e-15);
    EXPECT_EQ(ShellTree({}, {}).winding({0, 0, 0}), 0);
    EXPECT_TRUE(std::isinf(ShellTree({}, {}).distance({0, 0, 0})));
}

TEST(ObstacleMesh, PenetrationFollowsMotionAndDeformation) {
    const TriangleShell shell = *as_mesh(box());
    Obstacle o = mesh_of(shell, std::make_shared<Growing>(shell.points));
    const Points x{{0.5, 0, 0.4}};
    EXPECT_EQ(max_penetration(std::vector{o}, 0, x), 0);
    EXPECT_NEAR(max_penetration(std::vector{o}, 1, x), 0.1, 1e-14);
    o.motion = shift_by({0, 0, -1});
    EXPECT_EQ(max_penetration(std::vector{o}, 1, x), 0);
    EXPECT_TRUE(std::isnan(max_penetration(std::vector{o}, 1, Points{Vec3::Constant(std::nan(""))})));
}

TEST(ObstacleMesh, ValidateNamesWhatIsWrong) {
    const auto fails = [](Obstacle o, const std::string& word) {
        try {
            validate(o);
            ADD_FAILURE() << word;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
    };
    EXPECT_NO_THROW(validate(mesh_of(ring(5, 4))));
    Obstacle empty;
    empty.shape = Shape::mesh;
    fails(empty, "no triangles");
    fails(mesh_of({{}, {{0, 0, 0}}}), "no triangles");
    fails(mesh_of({{{0, 1, 3}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}), "point 3");
    fails(mesh_of({{{0, 1, -1}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}), "point -1");
    fails(mesh_of({{{0, 1, 2}}, {{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}}}), "point 2");
    EXPECT_STREQ(shape_name(Shape::mesh), "mesh");
}

}  // namespace
}  // namespace taut::collision::obstacle_mesh_tests

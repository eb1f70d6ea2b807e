// Points on the skin of a mesh: they keep their place relative to it while it moves rigidly, stretches and
// bends; as one body they keep their distances.
#include "taut/collision/attached_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace taut::collision {
namespace {

// The corners of two triangles in the plane z = 0, moved by any map of place and time.
class Moved final : public Deformation {
public:
    using Map = Vec3 (*)(const Vec3&, double);
    explicit Moved(Map map) : map_(map) {}
    void at(double time, PointsView x) const override {
        const Points rest = corners();
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = map_(rest[k], time);
    }
    std::uint64_t content() const override { return 77; }
    static Points corners() { return {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}; }

private:
    Map map_;
};

Obstacle plate(Moved::Map map) {
    ObstacleMesh mesh;
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    mesh.rest = Moved::corners();
    mesh.deformation = std::make_shared<Moved>(map);
    Obstacle obstacle;
    obstacle.shape = Shape::mesh;
    obstacle.mesh = std::make_shared<const ObstacleMesh>(std::move(mesh));
    return obstacle;
}

Points at(const AttachedPoints& points, double time, std::size_t n) {
    Points x(n);
    points.at(time, x);
    return x;
}

const Points places{{0.7, 0.2, 0.01}, {0.2, 0.7, -0.02}, {0.5, 0.5, 0}, {-0.3, 0.5, 0.4}, {1, 1, 0}};

void near(const Points& a, const Points& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR((a[k] - b[k]).norm(), 0, 1e-14) << k;
}

Vec3 turned(const Vec3& p, double time) {
    return Eigen::AngleAxisd(time, Vec3(1, 2, 3).normalized()) * p + Vec3(time, 0, -2 * time);
}

TEST(AttachedPoints, StartWhereTheyAre) {
    for (const bool rigid : {false, true}) {
        const AttachedPoints points(plate(turned), places, 0.5, rigid);
        near(at(points, 0.5, places.size()), places);
    }
}

TEST(AttachedPoints, FollowARigidMotion) {
    Obstacle obstacle = plate(turned);
    obstacle.motion =
        Motion({{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 5, 0}, {0, 0, 2}}}, Vec3(1, 0, 0), Interpolation::linear);
    for (const bool rigid : {false, true}) {
        const AttachedPoints points(obstacle, places, 0, rigid);
        for (const double time : {0.3, 1.0, 2.0}) {
            Points wanted;
            for (const Vec3& p : places) wanted.push_back(obstacle.motion.at(time)(turned(p, time)));
            near(at(points, time, places.size()), wanted);
        }
        EXPECT_EQ(points.content(), 77u);
    }
}

TEST(AttachedPoints, KeepTheirPlaceOnASkinThatStretches) {
    const auto stretched = [](const Vec3& p, double time) { return Vec3((1 + time) * p.x(), p.y(), p.z()); };
    const AttachedPoints points(plate(stretched), places, 0);
    const Points x = at(points, 1, places.size());
    EXPECT_NEAR((x[0] - Vec3(1.4, 0.2, 0.01)).norm(), 0, 1e-14);
    EXPECT_NEAR((x[1] - Vec3(0.4, 0.7, -0.02)).norm(), 0, 1e-14);
    EXPECT_NEAR(x[2].x(), 1, 1e-14);
}

TEST(AttachedPoints, AsOneBodyKeepTheirDistances) {
    const auto bent = [](const Vec3& p, double time) {
        return Vec3((1 + 0.3 * time) * p.x(), p.y() + 0.2 * time * p.x(), time * p.x() * p.y() + time);
    };
    const AttachedPoints points(plate(bent), places, 0, true);
    Points before = at(points, 0, places.size());
    for (double time = 0.01; time < 1; time += 0.01) {
        const Points x = at(points, time, places.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_NEAR((x[i] - x[j]).norm(), (places[i] - places[j]).norm(), 1e-13);
            EXPECT_LT((x[i] - before[i]).norm(), 0.05) << "no jumps";
        }
        before = x;
    }
    EXPECT_GT(before[0].z(), 0.8);
}

// A single point and points on one line still turn with the skin below them.
TEST(AttachedPoints, FewPointsTurnAlongAsOneBody) {
    for (const Points& few :
         {Points{{0.7, 0.2, 0.1}}, Points{{0.2, 0.2, 0.1}, {0.4, 0.4, 0.1}, {0.6, 0.6, 0.1}}}) {
        const AttachedPoints points(plate(turned), few, 0, true);
        Points wanted;
        for (const Vec3& p : few) wanted.push_back(turned(p, 1.2));
        near(at(points, 1.2, few.size()), wanted);
    }
}

TEST(AttachedPoints, StayFiniteOnCollapsedTriangles) {
    const auto collapsed = [](const Vec3& p, double time) { return Vec3((1 - time) * p); };
    for (const bool rigid : {false, true}) {
        const AttachedPoints points(plate(collapsed), places, 0, rigid);
        for (const double time : {0.5, 1.0}) {
            for (const Vec3& p : at(points, time, places.size())) EXPECT_TRUE(p.allFinite());
        }
    }
}

}  // namespace
}  // namespace taut::collision

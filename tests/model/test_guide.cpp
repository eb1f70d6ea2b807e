// Guides against searches over their shapes, written down here once more: nearest points, free directions,
// corners and ends of polylines, points without a nearest one, motion.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "base/random_points.hpp"
#include "taut/model/guide.hpp"

namespace taut::guide_tests {
namespace {

constexpr double pi = std::numbers::pi;

const Vec3 place(0.3, -0.7, 0.45);
const Vec3 axis = Vec3(1, 2, -0.5).normalized();
const Vec3 side = axis.unitOrthogonal(), third = axis.cross(side);
const Points bent{{0, 0, 0}, {0.8, 0, 0}, {1, 0.5, 0.2}, {0.2, 0.9, 0.6}};

Guide guide(GuideShape shape) {
    Guide g;
    g.name = shape_name(shape);
    g.shape = shape;
    g.point = place;
    g.axis = axis;
    g.radius = 0.6;
    g.points = bent;
    return g;
}

// A point of a shape by two numbers, u in [0, 1] and v in [0, 1].
Vec3 point_of(const Guide& g, double u, double v) {
    const double turn = 2 * pi * u, way = 10 * (v - 0.5);
    const Vec3 round = std::cos(turn) * side + std::sin(turn) * third;
    switch (g.shape) {
        case GuideShape::line:
            return place + way * axis;
        case GuideShape::plane:
            return place + 10 * (u - 0.5) * side + way * third;
        case GuideShape::circle:
            return place + g.radius * round;
        case GuideShape::cylinder:
            return place + g.radius * round + way * axis;
        case GuideShape::sphere:
            return place + g.radius * (std::sin(pi * v) * round + std::cos(pi * v) * axis);
        case GuideShape::polyline:
            break;
    }
    const double pieces = double(bent.size()) - (g.closed ? 0 : 1);
    const auto k = static_cast<std::size_t>(std::min(std::floor(u * pieces), pieces - 1));
    const Vec3 &a = bent[k], &b = bent[(k + 1) % bent.size()];
    return a + (u * pieces - double(k)) * (b - a);
}

// The least distance by a grid over all of the shape, then finer grids about the best point so far.
double searched_distance(const Guide& g, const Vec3& p) {
    constexpr int steps = 60;
    const bool ends = g.shape == GuideShape::plane || (g.shape == GuideShape::polyline && !g.closed);
    double u = 0.5, v = 0.5, reach = 0.5, best = 1e300;
    for (int level = 0; level < 9; ++level, reach *= 0.15) {
        const double u_middle = u, v_middle = v;
        for (int i = 0; i <= steps; ++i) {
            for (int j = 0; j <= steps; ++j) {
                const double way = u_middle + reach * (2.0 * i / steps - 1);
                const double a = ends ? std::clamp(way, 0.0, 1.0) : way - std::floor(way);
                const double b = std::clamp(v_middle + reach * (2.0 * j / steps - 1), 0.0, 1.0);
                const double distance = (point_of(g, a, b) - p).norm();
                if (distance < best) best = distance, u = a, v = b;
            }
        }
    }
    return best;
}

// How far a point is off a shape, by what all its points have in common.
double off(const Guide& g, const Vec3& p) {
    const Vec3 r = p - place;
    const double along = axis.dot(r), across = (r - along * axis).norm();
    switch (g.shape) {
        case GuideShape::line:
            return across;
        case GuideShape::plane:
            return std::abs(along);
        case GuideShape::circle:
            return std::hypot(along, across - g.radius);
        case GuideShape::cylinder:
            return std::abs(across - g.radius);
        case GuideShape::sphere:
            return std::abs(r.norm() - g.radius);
        case GuideShape::polyline:
            break;
    }
    return searched_distance(g, p);
}

std::vector<Guide> all_shapes() {
    std::vector<Guide> guides;
    for (const GuideShape shape : {GuideShape::line, GuideShape::circle, GuideShape::polyline,
                                   GuideShape::plane, GuideShape::sphere, GuideShape::cylinder})
        guides.push_back(guide(shape));
    guides.push_back(guide(GuideShape::polyline));
    guides.back().closed = true;
    return guides;
}

int dimensions(GuideShape shape) {
    return shape == GuideShape::plane || shape == GuideShape::sphere || shape == GuideShape::cylinder ? 2 : 1;
}

// A projection of this rank.
void expect_projection(const Mat3& freedom, int rank) {
    EXPECT_LE((freedom - freedom.transpose()).norm(), 1e-15);
    EXPECT_LE((freedom * freedom - freedom).norm(), 1e-14);
    EXPECT_NEAR(freedom.trace(), rank, 1e-14);
}

TEST(Guide, NearestIsWhatASearchFinds) {
    for (const Guide& g : all_shapes()) {
        for (const Vec3& p : testing::shaken(Points(12, place), 1.2, 5)) {
            const Vec3 foot = g.nearest(p, 0);
            EXPECT_LE(off(g, foot), g.shape == GuideShape::polyline ? 1e-8 : 1e-15) << g.name;
            EXPECT_NEAR(g.distance(p, 0), searched_distance(g, p), 1e-8) << g.name;
            EXPECT_EQ(g.distance(p, 0), (foot - p).norm());
            EXPECT_LE(g.distance(foot, 0), 1e-15) << g.name;
        }
    }
}

TEST(Guide, FreedomIsAlongTheShape) {
    constexpr double small = 1e-4;
    for (const Guide& g : all_shapes()) {
        for (const Vec3& p : testing::shaken(Points(30, place), 1.2, 6)) {
            const GuideFoot foot = g.foot(p, 0, 0.1);
            expect_projection(foot.freedom, dimensions(g.shape));
            EXPECT_EQ(foot.point, g.nearest(p, 0.1));
            EXPECT_EQ(foot.velocity, Vec3::Zero());
            const bool corner = g.shape == GuideShape::polyline &&
                                std::any_of(bent.begin(), bent.end(), [&](const Vec3& end) {
                                    return (end - foot.point).norm() < 2 * small;
                                });
            if (corner) continue;

            // Go a little along it, and find the way to p across.
            EXPECT_LE((foot.freedom * (p - foot.point)).norm(), 1e-14) << g.name;
            for (const Vec3& d : {Vec3(small, 0, 0), Vec3(0, small, 0), Vec3(0, 0, small)})
                EXPECT_LE(g.distance(foot.point + foot.freedom * d, 0), small * small / g.radius) << g.name;
        }
    }
}

// Where all points of a circle are nearest one of them is, though rounding points anywhere.
TEST(Guide, PointsOnTheAxisHaveAFoot) {
    for (const GuideShape shape : {GuideShape::circle, GuideShape::sphere, GuideShape::cylinder}) {
        const Guide g = guide(shape);
        for (const double way : {0.0, 1e-12, 1e-3, 0.1, 0.37, -1.3, 200.0}) {
            const GuideFoot foot = g.foot(place + way * axis, 0, 0.1);
            expect_projection(foot.freedom, dimensions(shape));
            EXPECT_LE(off(g, foot.point), 1e-13 * (1 + std::abs(way))) << g.name << " " << way;
            EXPECT_LE((foot.freedom * (foot.point - place - way * axis)).dot(foot.point - place), 1e-12)
                << g.name;
        }
    }
    const Guide ball = guide(GuideShape::sphere);
    EXPECT_NEAR(ball.distance(place, 0), ball.radius, 1e-15);
}

TEST(Guide, OpenPolylinesEnd) {
    const Guide open = guide(GuideShape::polyline);
    const Vec3 before(-0.4, 0.1, -0.2);
    EXPECT_EQ(open.nearest(before, 0), bent.front());
    EXPECT_LE((open.foot(before, 0, 1).freedom * Vec3::UnitX() - Vec3::UnitX()).norm(), 1e-15);
    const Vec3 end = (bent[3] - bent[2]).normalized();
    EXPECT_LE((open.nearest(bent[3] + 0.2 * end, 0) - bent[3]).norm(), 1e-15);
    EXPECT_LE((open.foot(bent[3] + 0.2 * end, 0, 1).freedom * end - end).norm(), 1e-15);

    Guide closed = open;
    closed.closed = true;
    const Vec3 middle = 0.5 * (bent[3] + bent[0]);
    EXPECT_LE(closed.distance(middle, 0), 1e-15);
    EXPECT_GT(open.distance(middle, 0), 0.2);
}

// From a corner both pieces are reached: neither is across the free direction.
TEST(Guide, CornersLeaveBothWaysOpen) {
    Guide g = guide(GuideShape::polyline);
    g.points = {{-1, 0, 0}, {0, 0, 0}, {0, 0, -1}};
    const Vec3 between = Vec3(1, 0, -1).normalized();
    const Vec3 at_corner[] = {{0, 0, 0},      {0.3, 0, 0.2},  {0.3, 0, 0}, {0, 0, 0.3},
                              {-1e-10, 0, 0}, {0, 0, -1e-10}, {0, 0.1, 0}};
    for (const Vec3& p : at_corner) {
        const GuideFoot foot = g.foot(p, 0, 1);
        EXPECT_LE(foot.point.norm(), 2e-10);
        expect_projection(foot.freedom, 1);
        EXPECT_LE((foot.freedom * between - between).norm(), 1e-15) << p.transpose();
    }
    EXPECT_LE((g.foot({-1e-8, 0, 0}, 0, 1).freedom * Vec3::UnitX() - Vec3::UnitX()).norm(), 1e-15);
    EXPECT_LE((g.foot({0, 0, -1e-8}, 0, 1).freedom * Vec3::UnitZ() - Vec3::UnitZ()).norm(), 1e-15);

    // The last piece and the first meet too, where they are joined; and one that leads straight back leaves
    // its own direction free.
    g.closed = true;
    const Vec3 start = (Vec3(-1, 0, 1).normalized() + Vec3::UnitX()).normalized();
    EXPECT_LE((g.foot({-1.2, 0, 0}, 0, 1).freedom * start - start).norm(), 1e-15);
    g.closed = false;
    g.points = {{-1, 0, 0}, {0, 0, 0}, {-1, 0, 0}};
    EXPECT_LE((g.foot({0.1, 0, 0}, 0, 1).freedom * Vec3::UnitX() - Vec3::UnitX()).norm(), 1e-15);
}

TEST(Guide, MovesRigidly) {
    const Vec3 shift(0.4, -0.2, 1), turn(0.3, 0.9, -0.4), center(0.1, 0.2, -0.3);
    const Motion motion({{0, Vec3::Zero(), Vec3::Zero()}, {2, shift, turn}}, center, Interpolation::linear);
    for (const Guide& still : all_shapes()) {
        Guide g = still;
        g.motion = motion;
        for (const Vec3& p : testing::shaken(Points(8, place), 1.2, 7)) {
            constexpr double start = 0.6, end = 0.9;
            const double angle = end / 2 * turn.norm();
            const Mat3 turned = Eigen::AngleAxisd(angle, turn.normalized()).toRotationMatrix();
            const auto placed = [&](const Vec3& x) {
                return Vec3(center + turned * (x - center) + end / 2 * shift);
            };
            const GuideFoot rest = still.foot(p, start, end), foot = g.foot(placed(p), start, end);
            EXPECT_LE((foot.point - placed(rest.point)).norm(), 1e-14) << g.name;
            EXPECT_LE((foot.freedom - turned * rest.freedom * turned.transpose()).norm(), 1e-13) << g.name;
            EXPECT_LE((g.nearest(placed(p), end) - foot.point).norm(), 1e-14);

            // What is there at the end came straight from where it was at the start.
            const RigidTransform before = motion.at(start);
            EXPECT_LE((foot.point - (end - start) * foot.velocity - before(rest.point)).norm(), 1e-14);
        }
    }
}

// Over short steps the velocity is that of a body that turns and shifts.
TEST(Guide, VelocityIsThatOfABody) {
    const Vec3 speed(0.5, 0.25, -1), spin(0, 0, 3), center(1, 0, 0);
    Guide g = guide(GuideShape::plane);
    g.motion = Motion({{0, Vec3::Zero(), Vec3::Zero()}, {1, speed, spin}}, center, Interpolation::linear);
    constexpr double t = 0.4, dt = 1e-6;
    const GuideFoot foot = g.foot({0.7, 0.8, -0.2}, t - dt, t);
    const Vec3 arm = foot.point - center - t * speed;
    EXPECT_LE((foot.velocity - speed - spin.cross(arm)).norm(), 20 * dt);

    // One keyframe is a place, and no motion.
    g.motion = Motion({{0, speed, spin}}, center, Interpolation::linear);
    EXPECT_EQ(g.foot({0.7, 0.8, -0.2}, 0, 1).velocity, Vec3::Zero());
}

TEST(Guide, HoldsStepsThatStartBeforeItsRelease) {
    Guide g = guide(GuideShape::line);
    EXPECT_TRUE(g.holds(1e9));
    g.release = 0.5;
    EXPECT_TRUE(g.holds(0.4999));
    EXPECT_FALSE(g.holds(0.5));
}

TEST(Guide, ShapesHaveTheNamesOfScenes) {
    EXPECT_STREQ(shape_name(GuideShape::line), "line");
    EXPECT_STREQ(shape_name(GuideShape::circle), "circle");
    EXPECT_STREQ(shape_name(GuideShape::polyline), "polyline");
    EXPECT_STREQ(shape_name(GuideShape::plane), "plane");
    EXPECT_STREQ(shape_name(GuideShape::sphere), "sphere");
    EXPECT_STREQ(shape_name(GuideShape::cylinder), "cylinder");
}

}  // namespace
}  // namespace taut::guide_tests

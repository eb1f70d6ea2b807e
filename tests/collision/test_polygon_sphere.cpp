// The polygonal ball: its shape against closed forms, nearest points and entries against brute force over
// all faces, and odd questions.
#include "taut/collision/polygon_sphere.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>

namespace taut::collision {
namespace {

using Face = PolygonSphere::Face;

const std::vector<int> some_frequencies{1, 2, 3, 4, 7, 12};

Vec3 at(const PolygonSphere& model, const Face& face, std::size_t k) {
    return model.corners()[static_cast<std::size_t>(face.corner[k])];
}

double highest_plane(const PolygonSphere& model, const Vec3& p) {
    double best = -std::numeric_limits<double>::infinity();
    for (const Face& face : model.faces()) best = std::max(best, face.normal.dot(p) - face.offset);
    return best;
}

Vec3 nearest_on_segment(const Vec3& a, const Vec3& b, const Vec3& p) {
    return a + std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0) * (b - a);
}

// Nearest point of all triangles: the foot on the plane where it lies within, else on the sides.
Vec3 nearest_point(const PolygonSphere& model, const Vec3& p) {
    Vec3 best = Vec3::Constant(1e9);
    const auto take = [&](const Vec3& q) {
        if ((q - p).squaredNorm() < (best - p).squaredNorm()) best = q;
    };
    for (const Face& face : model.faces()) {
        const Vec3 foot = p - (face.normal.dot(p) - face.offset) * face.normal;
        bool within = true;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 a = at(model, face, k), b = at(model, face, (k + 1) % 3);
            within = within && (b - a).cross(foot - a).dot(face.normal) >= 0;
            take(nearest_on_segment(a, b, p));
        }
        if (within) take(foot);
    }
    return best;
}

// Points of all kinds: far, near, deep, over corners, edges and faces.
Points probes(const PolygonSphere& model, int count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> share(0, 1);
    std::uniform_int_distribution<std::size_t> pick(0, model.faces().size() - 1);
    Points points;
    for (int k = 0; k < count; ++k) {
        const Vec3 direction = Vec3(normal(random), normal(random), normal(random)).normalized();
        points.push_back(direction * std::pow(10.0, 3 * share(random) - 2));
        points.push_back(direction * (0.8 + 0.3 * share(random)));
        const Face& face = model.faces()[pick(random)];
        const Vec3 corner = at(model, face, 0), middle = 0.5 * (corner + at(model, face, 1));
        points.push_back(corner + 0.01 * share(random) * direction);
        points.push_back(middle + 0.01 * share(random) * direction);
        points.push_back((at(model, face, 2) + 2 * middle) / 3 + 0.01 * share(random) * direction);
    }
    return points;
}

TEST(PolygonSphere, FrequencyOneIsTheIcosahedron) {
    const PolygonSphere model(1);
    ASSERT_EQ(model.faces().size(), 20u);
    ASSERT_EQ(model.corners().size(), 12u);
    // Inradius over circumradius.
    const double root = std::sqrt(5.0);
    const double edge = 4 / std::sqrt(10 + 2 * root), inradius = edge * std::sqrt(3.0) * (3 + root) / 12;
    for (const Face& face : model.faces()) {
        EXPECT_NEAR(face.offset, inradius, 1e-15);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR((at(model, face, k) - at(model, face, (k + 1) % 3)).norm(), edge, 1e-15);
        }
        EXPECT_NEAR(model.nearest(2 * face.normal).distance, 2 - inradius, 1e-14);
    }
    EXPECT_NEAR(model.nearest(Vec3::Zero()).distance, -inradius, 1e-15);
    EXPECT_NEAR(model.nearest(3 * model.corners()[0]).distance, 2, 1e-14);
    // An edge lies on top.
    const Nearest top = model.nearest(Vec3(0, 0.1, 2));
    EXPECT_NEAR(top.distance, 2 - edge * (1 + root) / 4, 1e-14);
    EXPECT_TRUE(top.normal.isApprox(Vec3::UnitZ(), 1e-14));
}

TEST(PolygonSphere, IsClosedAndConvexAtEveryFrequency) {
    for (int n = 1; n <= PolygonSphere::max_frequency; ++n) {
        const PolygonSphere model(n);
        const auto cells = static_cast<std::size_t>(n * n);
        ASSERT_EQ(model.faces().size(), 20 * cells);
        ASSERT_EQ(model.corners().size(), 10 * cells + 2);
        for (const Vec3& corner : model.corners()) ASSERT_NEAR(corner.norm(), 1, 1e-15);
        // Across every edge lies one other face, whose third corner is below the plane of this one.
        std::map<std::pair<int, int>, int> opposite;
        for (const Face& face : model.faces()) {
            for (std::size_t k = 0; k < 3; ++k) {
                const std::pair edge{face.corner[k], face.corner[(k + 1) % 3]};
                ASSERT_TRUE(opposite.emplace(edge, face.corner[(k + 2) % 3]).second);
            }
        }
        for (const Face& face : model.faces()) {
            for (std::size_t k = 0; k < 3; ++k) {
                const auto other = opposite.find({face.corner[(k + 1) % 3], face.corner[k]});
                ASSERT_NE(other, opposite.end());
                const Vec3& p = model.corners()[static_cast<std::size_t>(other->second)];
                ASSERT_LT(face.normal.dot(p) - face.offset, -1e-4 / static_cast<double>(cells)) << n;
            }
        }
        if (n > 8) continue;
        for (const Vec3& corner : model.corners()) ASSERT_LT(highest_plane(model, corner), 1e-14) << n;
    }
}

TEST(PolygonSphere, DistanceIsThatOfBruteForce) {
    for (int n : some_frequencies) {
        const PolygonSphere model(n);
        int inside = 0, outside = 0;
        for (const Vec3& p : probes(model, 60, 7)) {
            const Nearest got = model.nearest(p);
            const double height = highest_plane(model, p);
            ASSERT_NEAR(got.normal.norm(), 1, 1e-12);
            ASSERT_LT((got.point + got.distance * got.normal - p).norm(), 1e-13 * (1 + p.norm()));
            if (height <= 0) {
                ++inside;
                ASSERT_NEAR(got.distance, height, 1e-15) << n;
                ASSERT_NEAR((nearest_point(model, p) - p).norm(), -height, 1e-12);
            } else {
                ++outside;
                const Vec3 wanted = nearest_point(model, p);
                ASSERT_NEAR(got.distance, (wanted - p).norm(), 1e-14 * (1 + p.norm())) << n;
                ASSERT_LT((got.point - wanted).norm(), 1e-8);
            }
        }
        EXPECT_GT(inside, 50);
        EXPECT_GT(outside, 50);
    }
}

TEST(PolygonSphere, FinestModelAgreesWithBruteForce) {
    const PolygonSphere& model = unit_polygon_sphere(PolygonSphere::max_frequency);
    EXPECT_EQ(&model, &unit_polygon_sphere(PolygonSphere::max_frequency));
    for (const Vec3& p : probes(model, 8, 3)) {
        const double height = highest_plane(model, p);
        const double wanted = height <= 0 ? height : (nearest_point(model, p) - p).norm();
        ASSERT_NEAR(model.nearest(p).distance, wanted, 1e-14 * (1 + p.norm()));
    }
}

TEST(PolygonSphere, GradientOfTheDistanceIsTheNormal) {
    const double step = 1e-6;
    for (int n : some_frequencies) {
        const PolygonSphere model(n);
        int checked = 0;
        for (const Vec3& p : probes(model, 60, 11)) {
            const Nearest got = model.nearest(p);
            // The normal turns within 1/distance outside; inside it jumps where two planes are equally far.
            if (got.distance > 0 && got.distance < 1e-3) continue;
            Vec3 gradient;
            bool smooth = true;
            for (int k = 0; k < 3; ++k) {
                const Nearest more = model.nearest(p + step * Vec3::Unit(k)),
                              less = model.nearest(p - step * Vec3::Unit(k));
                smooth = smooth && (more.normal - less.normal).norm() < 0.01;
                gradient[k] = (more.distance - less.distance) / (2 * step);
            }
            if (!smooth) continue;
            ++checked;
            ASSERT_LT((gradient - got.normal).norm(), 2e-4) << n << ' ' << p.transpose();
        }
        EXPECT_GT(checked, 100);
    }
}

TEST(PolygonSphere, DistanceIsContinuousAlongLines) {
    const PolygonSphere model(4);
    const Points ends = probes(model, 10, 5);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
        const Vec3 a = ends[k], d = ends[k + 1] - a;
        double before = model.nearest(a).distance;
        for (int s = 1; s <= 2000; ++s) {
            const double now = model.nearest(a + s / 2000.0 * d).distance;
            ASSERT_LE(std::abs(now - before), d.norm() / 2000 + 1e-12);
            before = now;
        }
    }
}

TEST(PolygonSphere, EntryIsThatOfAllHalfSpaces) {
    for (int n : some_frequencies) {
        const PolygonSphere model(n);
        std::mt19937 random(2);
        std::uniform_real_distribution<double> u(-1.5, 1.5);
        int hits = 0, misses = 0;
        for (int trial = 0; trial < 2000; ++trial) {
            const Vec3 a(u(random), u(random), u(random)), b(u(random), u(random), u(random));
            if (highest_plane(model, a) <= 0) continue;
            // Clip the segment by every plane.
            double enter = 0, leave = 1;
            for (const Face& face : model.faces()) {
                const double from = face.normal.dot(a) - face.offset, to = face.normal.dot(b) - face.offset;
                if (from > 0 && to > 0) leave = -1;
                if (from > 0 && to <= 0) enter = std::max(enter, from / (from - to));
                if (from <= 0 && to > 0) leave = std::min(leave, from / (from - to));
            }
            if (std::abs(leave - enter) < 1e-6) continue;
            const auto got = model.first_entry(a, b);
            ASSERT_EQ(got.has_value(), enter < leave) << n;
            ++(got ? hits : misses);
            if (!got) continue;
            EXPECT_LT((got->point - (a + enter * (b - a))).norm(), 1e-12);
            EXPECT_LT(got->normal.dot(b - a), 0);
        }
        EXPECT_GT(hits, 200);
        EXPECT_GT(misses, 200);
    }
}

TEST(PolygonSphere, TendsToTheSphereWithTheSquareOfTheFrequency) {
    double before = 0;
    for (int n : {2, 4, 8, 16, 32}) {
        double gap = 0;
        for (const Face& face : unit_polygon_sphere(n).faces()) gap = std::max(gap, 1 - face.offset);
        if (before > 0) {
            EXPECT_NEAR(before / gap, 4, n > 4 ? 0.1 : 0.5) << n;
        }
        before = gap;
        std::mt19937 random(4);
        std::uniform_real_distribution<double> u(-2, 2);
        for (int trial = 0; trial < 500; ++trial) {
            const Vec3 p(u(random), u(random), u(random));
            const double difference = unit_polygon_sphere(n).nearest(p).distance - (p.norm() - 1);
            EXPECT_GE(difference, -1e-12);
            EXPECT_LE(difference, gap + 1e-12);
        }
    }
    EXPECT_LT(before, 3e-4);
}

TEST(PolygonSphere, OddQuestionsHaveAnswers) {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    for (int n : {1, 4, 32}) {
        const PolygonSphere& model = unit_polygon_sphere(n);
        EXPECT_TRUE(std::isnan(model.nearest({0, nan, 0}).distance));
        EXPECT_EQ(model.nearest({inf, 0, 0}).distance, inf);
        EXPECT_NEAR(model.nearest({0, 0, 1e9}).distance, 1e9, 2);
        EXPECT_LT(model.nearest({1e-320, 0, 0}).distance, -0.79);
        EXPECT_FALSE(model.first_entry({0, 0, 2}, {0, 0, 2}));
        EXPECT_FALSE(model.first_entry({0, 0, 2}, {0, nan, 2}));
        EXPECT_FALSE(model.first_entry({0, inf, 2}, {0, 0, 2}));
        EXPECT_TRUE(model.first_entry({0, 0, 1e6}, {0, 0, -1e6}));
    }
}

}  // namespace
}  // namespace taut::collision

// Contact: the contract of velocity filters, on a cloud of points among all shapes, one of them moving.
#include <gtest/gtest.h>

#include <random>

#include "filters/contact_particles.hpp"
#include "taut/base/parallel.hpp"

namespace taut::filters::contact_tests {
namespace {

struct Cloud : Particles {
    static std::vector<Obstacle> scene() {
        Obstacle moving = ball(Vec3(0.5, 0, 0.3), 0.3);
        moving.motion = Motion({{0, Vec3::Zero(), Vec3::Zero()}, {1, Vec3(1, 0, 0), Vec3(0, 2, 0)}},
                               Vec3(0.5, 0, 0.3), Interpolation::smooth);
        const Obstacle rod = testing::capsule(Vec3(-1, -0.5, 0.2), Vec3(0, 0.5, 0.4), 0.1);
        return {plane(Vec3(0.1, 0, 1), 0.3), moving, rod, box(Vec3(-0.5, 0.5, 0.5), Vec3(0.3, 0.2, 0.01))};
    }
    static Points points(int n) {
        std::mt19937 random(4);
        std::uniform_real_distribution<double> u(-1, 1);
        Points x;
        const auto obstacles = scene();
        while (static_cast<int>(x.size()) < n) {
            const Vec3 p(1.5 * u(random), u(random), 0.5 + 0.6 * u(random));
            bool free = true;
            for (const Obstacle& o : obstacles) free = free && distance(o, 0, p) > 1e-3;
            if (free) x.push_back(p);
        }
        return x;
    }
    static Points velocities(int n) {
        std::mt19937 random(5);
        std::uniform_real_distribution<double> u(-1, 1);
        Points v;
        for (int i = 0; i < n; ++i) v.push_back(20 * Vec3(u(random), u(random), u(random)));
        return v;
    }
    explicit Cloud(int n) : Particles(scene(), points(n)) {}
};

TEST(Contact, LeavesNoPenetrationAndIsIdempotent) {
    const int n = 5000;
    Cloud cloud(n);
    const FilterReport report = cloud.filter_velocity(1.0 / 60, Cloud::velocities(n));
    EXPECT_TRUE(report.held);
    EXPECT_EQ(report.residual, 0);
    EXPECT_GT(report.iterations, 0);
    int changed = 0;
    for (int i = 0; i < n; ++i) {
        for (const Obstacle& o : cloud.filter.obstacles())
            EXPECT_GE(distance(o, 1.0 / 60, cloud.end(i)), 1e-3 - 1e-10);
        changed += cloud.candidate.impacted[i];
    }
    EXPECT_GT(changed, 100);
    EXPECT_LT(changed, n);

    // An admissible velocity passes unchanged, to the bit.
    const Points once = cloud.candidate.v;
    cloud.filter_velocity(1.0 / 60, once);
    EXPECT_EQ(cloud.candidate.v, once);
    for (int i = 0; i < n; ++i) EXPECT_EQ(cloud.candidate.impacted[i], 0);
}

TEST(Contact, MarksExactlyTheVerticesItChanged) {
    const int n = 2000;
    Cloud cloud(n);
    const Points before = Cloud::velocities(n);
    cloud.filter_velocity(1.0 / 60, before);
    for (int i = 0; i < n; ++i)
        EXPECT_EQ(cloud.candidate.impacted[i] != 0, cloud.candidate.v[i] != before[i]);
}

TEST(Contact, PinsAreUntouchedAndNamedWhenInside) {
    Particles p({plane(Vec3::UnitZ(), 0.3)}, {Vec3(0, 0, 0.1), Vec3(0, 0, 0.1)});
    p.context.pinned = {1, 0};
    const FilterReport report = p.filter_velocity(0.1, {Vec3(0, 0, -5), Vec3(0, 0, -5)});
    EXPECT_EQ(p.candidate.v[0], Vec3(0, 0, -5));
    EXPECT_GE(p.end(1).z(), 1e-3);
    EXPECT_TRUE(report.held);
    EXPECT_NE(report.note.find("pins"), std::string::npos);
}

TEST(Contact, SameBitsForAnyThreadCount) {
    const int n = 5000;
    Cloud many(n);
    many.filter_velocity(1.0 / 60, Cloud::velocities(n));
    const ThreadLimit limit(1);
    Cloud one(n);
    one.filter_velocity(1.0 / 60, Cloud::velocities(n));
    EXPECT_EQ(one.candidate.v, many.candidate.v);
}

TEST(Contact, MeasuresWhatOthersChangedAfterwards) {
    Particles p({plane(Vec3::UnitZ(), 0.3)}, {Vec3(0, 0, 0.1)});
    p.filter_velocity(0.1, {Vec3(0, 0, -5)});
    p.candidate.v[0] = Vec3(0, 0, -2);
    FilterReport report;
    p.filter.measure(p.context, p.candidate, report);
    EXPECT_NEAR(report.residual, 0.1, 1e-12);
    EXPECT_FALSE(report.held);
    p.candidate.v[0].z() = std::nan("");
    p.filter.measure(p.context, p.candidate, report);
    EXPECT_FALSE(report.held);
}

}  // namespace
}  // namespace taut::filters::contact_tests

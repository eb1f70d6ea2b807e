// The mannequin: a closed, even, symmetric body of sensible measures; skin that neither folds nor crosses in
// any pose; motions that start and end at rest, move smoothly and stay on the floor.
#include "taut/collision/mannequin.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "collision/triangle_crossings.hpp"
#include "mesh/surface_measures.hpp"
#include "taut/base/error.hpp"
#include "taut/collision/mannequin_body.hpp"
#include "taut/collision/mannequin_motion.hpp"

namespace taut::collision {
namespace {

using mesh::samples::measure_surface;

const std::vector<std::string> all_motions{"stand", "walk", "pirouette", "arm_wave"};

Mannequin mannequin(const std::string& motion, int cycles = 2) {
    MannequinParams params;
    params.action = motion;
    params.cycles = cycles;
    return Mannequin(params);
}

Points skin_at(const Mannequin& body, double time) {
    Points x(Mannequin::rest_points().size());
    body.at(time, x);
    return x;
}

double farthest(ConstPoints a, ConstPoints b) {
    double most = 0;
    for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, (a[v] - b[v]).norm());
    return most;
}

Vec3 joint_at(const Mannequin& body, Joint joint, double time) { return body.joints(time)[index(joint)]; }

TEST(Mannequin, IsOneClosedEvenSurface) {
    const ConstPoints rest = Mannequin::rest_points();
    const auto triangles = Mannequin::triangles();
    ASSERT_TRUE(mesh::samples::is_closed_manifold(rest.size(), triangles));
    EXPECT_EQ(mesh::samples::euler_characteristic(rest.size(), triangles), 2);
    EXPECT_GT(triangles.size(), 15000u);
    EXPECT_LT(triangles.size(), 19000u);
    const auto measures = measure_surface(rest, triangles);
    EXPECT_GT(measures.shortest, 0.008);
    EXPECT_LT(measures.longest, 0.025);
    EXPECT_GT(measures.least_angle, 30);
    EXPECT_GT(measures.volume, 0.050);
    EXPECT_LT(measures.volume, 0.065);
}

TEST(Mannequin, HasTheMeasuresOfADancer) {
    const MannequinLandmarks& marks = Mannequin::landmarks();
    EXPECT_NEAR(marks.height, 1.75, 0.003);
    EXPECT_NEAR(marks.waist.girth, 0.61, 0.02);
    EXPECT_GT(marks.hip.girth, marks.waist.girth + 0.25);
    EXPECT_GT(marks.bust.girth, marks.waist.girth + 0.15);
    EXPECT_GT(marks.hip.half_width, marks.waist.half_width + 0.04);
    EXPECT_LT(marks.neck.girth, 0.35);
    EXPECT_NEAR(marks.crotch, 0.77, 0.02);
    EXPECT_GT(marks.gap, 0.015);
    EXPECT_NEAR(marks.waist.center.x(), 0, 1e-3);

    // A tape around an ellipse is a little shorter than around its box and longer than across twice.
    EXPECT_GT(marks.waist.girth, 4 * std::hypot(marks.waist.half_width, marks.waist.half_depth));
    EXPECT_LT(marks.waist.girth, 4 * (marks.waist.half_width + marks.waist.half_depth));
}

// The function is symmetric exactly, the mesh as far as its edges allow.
TEST(Mannequin, IsSymmetric) {
    const MannequinShape shape;
    double volume = 0;
    for (const Vec3& p : Mannequin::rest_points()) {
        const Vec3 mirrored(-p.x(), p.y(), p.z());
        EXPECT_NEAR(shape(mirrored), 0, 1e-5);
        volume += p.x() > 0 ? 1 : -1;
    }
    EXPECT_LT(std::abs(volume), 0.01 * static_cast<double>(Mannequin::rest_points().size()));
    for (std::size_t k = 0; k < joint_count; ++k) {
        const auto joint = static_cast<Joint>(k);
        const Vec3 a = rest_joint(joint), b = rest_joint(mirror(joint));
        EXPECT_EQ(a, Vec3(-b.x(), b.y(), b.z())) << name(joint);
        EXPECT_LT(shape(a), -0.005) << name(joint) << " lies in the body";
    }
}

TEST(Mannequin, PartsFollowTheirBones) {
    const auto parts = Mannequin::parts();
    const ConstPoints rest = Mannequin::rest_points();
    std::array<int, joint_count> count{};
    for (std::size_t v = 0; v < parts.size(); ++v) {
        ++count[index(parts[v])];
        const auto weights = mannequin_body().skin.weights(static_cast<int>(v));
        double sum = 0;
        for (const auto& weight : weights) sum += weight.value;
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_TRUE(rest[v].z() < 1.6 || parts[v] == Joint::head);
        EXPECT_TRUE(rest[v].x() > -0.5 || parts[v] == Joint::right_wrist);
        const bool sole = rest[v].z() < 0.03 && rest[v].x() > 0;
        EXPECT_TRUE(!sole || parts[v] == Joint::left_ankle || parts[v] == Joint::left_toes);
    }
    for (std::size_t k = 0; k < joint_count; ++k) EXPECT_GT(count[k], 20) << name(static_cast<Joint>(k));
}

// No pose folds the skin: triangles keep their shape within bounds and none passes through another.
TEST(Mannequin, SkinDoesNotFoldOrCross) {
    const ConstPoints rest = Mannequin::rest_points();
    const auto triangles = Mannequin::triangles();
    for (const std::string& motion : all_motions) {
        const Mannequin body = mannequin(motion);
        for (double time = 0; time <= body.duration() + 1e-9; time += 0.11) {
            const Points x = skin_at(body, time);
            const auto measures = measure_surface(x, triangles);
            EXPECT_GT(measures.shortest, 0.004) << motion << ' ' << time;
            EXPECT_LT(measures.longest, 0.045) << motion << ' ' << time;
            EXPECT_GT(measures.least_angle, 15) << motion << ' ' << time;
            EXPECT_NEAR(measures.volume, measure_surface(rest, triangles).volume, 0.002)
                << motion << ' ' << time;
            EXPECT_EQ(samples::count_crossings(x, triangles, 0.02), 0) << motion << ' ' << time;
        }
    }
}

TEST(Mannequin, MotionsStartAndEndAtRest) {
    const ConstPoints rest = Mannequin::rest_points();
    for (const std::string& motion : all_motions) {
        const Mannequin body = mannequin(motion);
        const double end = body.duration();
        EXPECT_LT(farthest(skin_at(body, -3), rest), 1e-12) << motion;
        EXPECT_LT(farthest(skin_at(body, 0), rest), 1e-12) << motion;
        EXPECT_LT(farthest(skin_at(body, 0.001), rest), 2e-5) << motion << " starts without a jerk";
        EXPECT_LT(farthest(skin_at(body, end), skin_at(body, end - 0.001)), 2e-5) << motion;
        EXPECT_EQ(farthest(skin_at(body, end), skin_at(body, end + 5)), 0) << motion;

        // The walk ends four steps ahead, the others where they began.
        Points place = skin_at(body, end);
        if (motion == "walk")
            for (Vec3& p : place) p.y() += 4 * 0.56;
        EXPECT_LT(farthest(place, rest), 1e-9) << motion;
    }
}

// Velocities before and after any instant agree: changes stay below what the accelerations explain.
TEST(Mannequin, MovesSmoothly) {
    for (const std::string& motion : all_motions) {
        const Mannequin body = mannequin(motion);
        constexpr double h = 1e-4;
        double fastest = 0;
        for (double time = -0.05; time <= body.duration() + 0.05; time += 0.0123) {
            const Points before = skin_at(body, time - h), now = skin_at(body, time),
                         after = skin_at(body, time + h);
            for (std::size_t v = 0; v < now.size(); v += 7) {
                const Vec3 in = (now[v] - before[v]) / h, out = (after[v] - now[v]) / h;
                fastest = std::max(fastest, out.norm());
                ASSERT_LT((out - in).norm() / h, 90) << motion << ' ' << time;  // [m/s^2]
            }
        }
        EXPECT_LT(fastest, 6)
            << motion;  // fingertips in the pirouette: 0.85 m from the axis, a turn a second
    }
}

TEST(Mannequin, StaysOnTheFloor) {
    for (const std::string& motion : all_motions) {
        const Mannequin body = mannequin(motion);
        for (double time = 0; time <= body.duration(); time += 0.02) {
            double lowest = 1;
            for (const Vec3& p : skin_at(body, time)) lowest = std::min(lowest, p.z());
            EXPECT_GT(lowest, -0.001) << motion << ' ' << time;
            EXPECT_LT(lowest, 0.006) << motion << ' ' << time << ": one foot at least stands";
        }
    }
}

// A standing foot keeps its ball where it is; both legs keep their distance.
TEST(Mannequin, WalksWithoutSlidingOrRubbing) {
    const Mannequin body = mannequin("walk", 3);
    const ConstPoints rest = Mannequin::rest_points();
    std::vector<std::size_t> left, right;
    for (std::size_t v = 0; v < rest.size(); v += 3) {
        if (rest[v].z() > Mannequin::landmarks().crotch - 0.03) continue;
        (rest[v].x() > 0 ? left : right).push_back(v);
    }
    double travelled = 0, nearest = 1;
    for (double time = 0; time < body.duration(); time += 0.05) {
        const Points x = skin_at(body, time);
        for (std::size_t a : left)
            for (std::size_t b : right) nearest = std::min(nearest, (x[a] - x[b]).norm());
        for (Joint toes : {Joint::left_toes, Joint::right_toes}) {
            const Vec3 now = joint_at(body, toes, time), next = joint_at(body, toes, time + 0.01);
            const bool stands = std::abs(now.z() - 0.018) < 1e-6 && std::abs(next.z() - 0.018) < 1e-6;
            EXPECT_TRUE(!stands || (next - now).norm() < 1e-6) << time;
            travelled = std::max(travelled, -next.y());
        }
    }
    EXPECT_GT(travelled, 3);
    EXPECT_GT(nearest, 0.008);
}

TEST(Mannequin, WalksInPlaceAndWithoutEnd) {
    MannequinParams params{"walk", 1, 0, 0, true, Vec3::Zero(), 0};
    const Mannequin in_place(params);
    params.in_place = false;
    const Mannequin ahead(params);
    EXPECT_TRUE(std::isinf(ahead.duration()));
    for (double time : {0.3, 1.7, 20.0, 1000.0}) {
        EXPECT_NEAR(joint_at(in_place, Joint::pelvis, time).y(), rest_joint(Joint::pelvis).y(), 1e-9);
        const double gone = joint_at(ahead, Joint::pelvis, time).y() - rest_joint(Joint::pelvis).y();
        Points shifted = skin_at(in_place, time);
        for (Vec3& p : shifted) p.y() += gone;
        EXPECT_LT(farthest(shifted, skin_at(ahead, time)), 1e-9);
        EXPECT_TRUE(time < 1 || std::abs(gone + (time - 0.4) * 0.56 / 0.55) < 1e-6);
    }
    EXPECT_LT(farthest(skin_at(in_place, 10), skin_at(in_place, 11.1)), 1e-9) << "a cycle takes 1.1 s";
}

TEST(Mannequin, PaceStartAndPlaceAreThoseAskedFor) {
    const MannequinParams params{"arm_wave", 2, 1.5, 2, false, {1, 2, 3}, 90};
    const Mannequin placed(params), plain = mannequin("arm_wave");
    EXPECT_NEAR(placed.duration(), plain.duration() / 2, 1e-12);
    const Mat3 turn = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()).toRotationMatrix();
    for (double time : {0.0, 0.7, 2.2, 9.0}) {
        Points expected = skin_at(plain, time);
        for (Vec3& p : expected) p = turn * p + params.position;
        EXPECT_LT(farthest(skin_at(placed, params.start + time / 2), expected), 1e-12);
    }
}

TEST(Mannequin, RefusesBadParameters) {
    const auto refused = [](auto change) {
        MannequinParams params;
        change(params);
        EXPECT_THROW(Mannequin{params}, InputError);
    };
    refused([](MannequinParams& p) { p.action = "fly"; });
    refused([](MannequinParams& p) { p.speed = 0; });
    refused([](MannequinParams& p) { p.speed = 1e300; });
    refused([](MannequinParams& p) { p.heading = 1e300; });
    refused([](MannequinParams& p) { p.position.z() = -1e9; });
    refused([](MannequinParams& p) { p.cycles = -1; });
    refused([](MannequinParams& p) { p.start = std::numeric_limits<double>::quiet_NaN(); });
    refused([](MannequinParams& p) { p.position.x() = std::numeric_limits<double>::infinity(); });
}

}  // namespace
}  // namespace taut::collision

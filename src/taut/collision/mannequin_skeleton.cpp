#include "taut/collision/mannequin_skeleton.hpp"

#include <algorithm>
#include <cmath>

namespace taut::collision {
namespace {

struct JointAtRest {
    const char* name;
    Joint parent;
    double x, y, z;  // [m]
};

// Angles of the rest pose: arms from the vertical, feet from straight ahead [rad].
constexpr double arm_spread = 36 * degree, foot_spread = 8 * degree;
// Places of elbow and wrist down the arm, and how far the wrist is ahead of its axis [m].
constexpr double elbow_along = 0.285, wrist_along = 0.545, wrist_ahead = 0.023;
// The leg is stretched to this part of its full length at most: beyond, the knee would turn infinitely fast.
constexpr double full_stretch = 0.9993;

// The knees are bent by 6 degrees: a straight leg could not be lengthened, nor tell where its knee goes.
constexpr std::array<JointAtRest, 13> joints{{{"pelvis", Joint::pelvis, 0, 0.005, 0.930},
                                              {"spine", Joint::pelvis, 0, 0.010, 1.050},
                                              {"chest", Joint::spine, 0, 0.020, 1.180},
                                              {"neck", Joint::chest, 0, 0.022, 1.465},
                                              {"head", Joint::neck, 0, 0.008, 1.550},
                                              {"clavicle", Joint::chest, 0.025, 0.010, 1.425},
                                              {"shoulder", Joint::left_clavicle, 0.157, 0.014, 1.394},
                                              {"elbow", Joint::left_shoulder, 0, 0, 0},
                                              {"wrist", Joint::left_elbow, 0, 0, 0},
                                              {"hip", Joint::pelvis, 0.090, 0.004, 0.895},
                                              {"knee", Joint::left_hip, 0.101, -0.007, 0.470},
                                              {"ankle", Joint::left_knee, 0.105, 0.022, 0.085},
                                              {"toes", Joint::left_ankle, 0, 0, 0}}};

constexpr std::size_t side_joints = 8;
constexpr bool is_right(Joint joint) { return joint >= Joint::right_clavicle; }
constexpr Joint left_of(Joint joint) {
    return is_right(joint) ? static_cast<Joint>(index(joint) - side_joints) : joint;
}

Vec3 left_joint(Joint joint) {
    const JointAtRest& rest = joints[index(joint)];
    switch (joint) {
        case Joint::left_elbow:
            return left_joint(Joint::left_shoulder) + elbow_along * arm_direction();
        case Joint::left_wrist:
            return left_joint(Joint::left_shoulder) + wrist_along * arm_direction() -
                   wrist_ahead * Vec3::UnitY();
        case Joint::left_toes: {
            // The ball of the foot: the sole is round below it, so that the heel can rise.
            const Vec3 ahead = left_joint(Joint::left_ankle) + 0.128 * foot_direction();
            return {ahead.x(), ahead.y(), 0.018};
        }
        default:
            return {rest.x, rest.y, rest.z};
    }
}

// Axes of a leg: down to the ankle, and to the left across it.
Mat3 leg_axes(const Vec3& down, const Vec3& lateral) {
    Mat3 axes;
    axes.col(0) = down.normalized();
    axes.col(1) = (lateral - axes.col(0).dot(lateral) * axes.col(0)).normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return axes;
}

// The nearest of the two quaternions of a rotation to a positive scalar part.
Eigen::Quaterniond with_positive_scalar(Eigen::Quaterniond q) {
    if (q.w() < 0) q.coeffs() = -q.coeffs();
    return q;
}

}  // namespace

Vec3 arm_direction() { return {std::sin(arm_spread), 0, -std::cos(arm_spread)}; }
Vec3 foot_direction() { return {std::sin(foot_spread), -std::cos(foot_spread), 0}; }

Vec3 rest_joint(Joint joint) {
    Vec3 place = left_joint(left_of(joint));
    if (is_right(joint)) place.x() = -place.x();
    return place;
}

Joint mirror(Joint joint) {
    if (joint < Joint::left_clavicle) return joint;
    return static_cast<Joint>(is_right(joint) ? index(joint) - side_joints : index(joint) + side_joints);
}

Joint parent(Joint joint) {
    const Joint left = joints[index(left_of(joint))].parent;
    return is_right(joint) ? mirror(left) : left;
}

const char* name(Joint joint) {
    static constexpr std::array<const char*, joint_count> names{
        "pelvis",        "spine",          "chest",          "neck",        "head",        "left_clavicle",
        "left_shoulder", "left_elbow",     "left_wrist",     "left_hip",    "left_knee",   "left_ankle",
        "left_toes",     "right_clavicle", "right_shoulder", "right_elbow", "right_wrist", "right_hip",
        "right_knee",    "right_ankle",    "right_toes"};
    return names[index(joint)];
}

Eigen::Quaterniond turn_by(const Vec3& vector) {
    const double angle = vector.norm();
    const double scale = angle > 1e-6 ? std::sin(0.5 * angle) / angle : 0.5 - angle * angle / 48;
    const Vec3 part = scale * vector;
    return {std::cos(0.5 * angle), part.x(), part.y(), part.z()};
}

BonePlaces place_bones(const Pose& pose) {
    BonePlaces places;
    for (std::size_t k = 0; k < joint_count; ++k) {
        const auto joint = static_cast<Joint>(k);
        const BonePlace& base = k == 0 ? BonePlace{} : places[index(parent(joint))];
        const Vec3 rest = rest_joint(joint), at = k == 0 ? Vec3(rest + pose.shift) : base(rest);
        places[k].rotation = base.rotation * pose.turn[k];
        places[k].translation = at - places[k].rotation * rest;
    }
    return places;
}

void place_foot(Pose& pose, Joint side, const FootPlace& foot, const Vec3& lateral) {
    const auto below = [&](std::size_t k) { return static_cast<Joint>(index(side) + k); };
    const Vec3 hip = rest_joint(side), knee = rest_joint(below(1)), ankle = rest_joint(below(2));

    // Bend the knee until hip and ankle are as far apart as the foot asks.
    const Vec3 pelvis = rest_joint(Joint::pelvis);
    const Vec3 hip_now = pelvis + pose.shift + pose[Joint::pelvis] * (hip - pelvis);
    const Vec3 thigh = knee - hip, shin = ankle - knee, wanted = foot.ankle - hip_now;
    const double thigh_across = thigh.x(), shin_across = shin.x();
    const double a = std::hypot(thigh.y(), thigh.z()), b = std::hypot(shin.y(), shin.z());
    const double across = thigh_across + shin_across;
    const double reach = std::min(wanted.norm(), full_stretch * std::hypot(a + b, across));
    const double cosine = (reach * reach - across * across - a * a - b * b) / (2 * a * b);
    const double bend = std::acos(std::clamp(cosine, -1.0, 1.0));
    const double bend_rest = std::atan2(shin.y(), -shin.z()) - std::atan2(thigh.y(), -thigh.z());
    pose[below(1)] = turn_by({bend - bend_rest, 0, 0});

    // Turn the hip so that the leg points to the ankle, its hinge across the way ahead.
    const Vec3 leg = thigh + pose[below(1)] * shin;
    const Mat3 rotation = leg_axes(wanted, lateral) * leg_axes(leg, Vec3::UnitX()).transpose();
    const Eigen::Quaterniond hip_turn(rotation);
    pose[side] = with_positive_scalar(pose[Joint::pelvis].conjugate() * hip_turn);

    // Turn the foot back to where it stands.
    const Eigen::Quaterniond shin_turn = pose[Joint::pelvis] * pose[side] * pose[below(1)];
    pose[below(2)] = with_positive_scalar(shin_turn.conjugate() * foot.rotation);
    pose[below(3)] = turn_by({-foot.toe_bend, 0, 0});
}

}  // namespace taut::collision

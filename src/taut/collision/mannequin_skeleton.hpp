// The skeleton of the mannequin: joints at rest, poses, and where a pose carries each bone. Every joint
// turns in the axes of the room at rest (x to her left, -y ahead, z up), relative to its parent; a joint
// names the bone that starts there. Legs may be posed from where the feet stand.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <numbers>

#include "taut/base/vec.hpp"

namespace taut::collision {

enum class Joint : std::uint8_t {
    pelvis,
    spine,
    chest,
    neck,
    head,
    left_clavicle,
    left_shoulder,
    left_elbow,
    left_wrist,
    left_hip,
    left_knee,
    left_ankle,
    left_toes,
    right_clavicle,
    right_shoulder,
    right_elbow,
    right_wrist,
    right_hip,
    right_knee,
    right_ankle,
    right_toes
};
inline constexpr std::size_t joint_count = 21;
inline constexpr double degree = std::numbers::pi / 180;  // [rad]
constexpr std::size_t index(Joint joint) { return static_cast<std::size_t>(joint); }

Vec3 rest_joint(Joint joint);   // [m]
Joint parent(Joint joint);      // the pelvis is its own
Joint mirror(Joint joint);      // the same joint of the other side
const char* name(Joint joint);  // as in the list above
Vec3 arm_direction();           // of the left arm at rest, unit length
Vec3 foot_direction();          // of the left foot at rest from heel to toes, level, unit length

// Where a bone goes: rest points p move to rotation * p + translation.
struct BonePlace {
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    Vec3 translation = Vec3::Zero();  // [m]
    Vec3 operator()(const Vec3& p) const { return rotation * p + translation; }
};
using BonePlaces = std::array<BonePlace, joint_count>;

struct Pose {
    Pose() { turn.fill(Eigen::Quaterniond::Identity()); }
    Eigen::Quaterniond& operator[](Joint joint) { return turn[index(joint)]; }
    const Eigen::Quaterniond& operator[](Joint joint) const { return turn[index(joint)]; }

    Vec3 shift = Vec3::Zero();  // of the pelvis from its rest place [m]
    std::array<Eigen::Quaterniond, joint_count> turn;
};

// Rotation by a vector: axis times angle [rad]. Below half a turn the scalar part is positive, so that bones
// that hang together have quaternions of one sign.
Eigen::Quaterniond turn_by(const Vec3& vector);

BonePlaces place_bones(const Pose& pose);

// A foot in the room.
struct FootPlace {
    Vec3 ankle = Vec3::Zero();                                     // [m]
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  // from rest
    double toe_bend = 0;                                           // toes up against the foot [rad]
};

// Turns hip, knee, ankle and toes of one side so that the foot is in its place; spine and arms need not be
// posed yet. The knee bends ahead of `lateral`, an axis to her left in the room. Ankles out of reach are
// drawn near along the leg. `side` is the hip.
void place_foot(Pose& pose, Joint side, const FootPlace& foot, const Vec3& lateral);

}  // namespace taut::collision

// Rigid motion over time from keyframes: shared by pins and obstacles. A keyframe gives a
// translation and a rotation vector (axis times angle), interpolated component by component,
// so that a turn of more than 180 degrees about one axis means what it says.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut {

struct Keyframe {
    double time = 0;                // [s]
    Vec3 translate = Vec3::Zero();  // [m]
    Vec3 rotate = Vec3::Zero();     // rotation vector [rad]
};

enum class Interpolation { linear, smooth };  // smooth: cubic through the keys, at rest at both ends

struct RigidTransform {
    Mat3 rotation = Mat3::Identity();
    Vec3 translation = Vec3::Zero();
    Vec3 operator()(const Vec3& p) const { return rotation * p + translation; }
    Vec3 inverse(const Vec3& p) const { return rotation.transpose() * (p - translation); }
};

class Motion {
public:
    Motion() = default;  // at rest
    // keys: at least one, times strictly increasing; before the first and after the last key it rests.
    Motion(std::vector<Keyframe> keys, Vec3 center, Interpolation interpolation);

    bool moving() const { return keys_.size() > 1; }
    RigidTransform at(double time) const;  // rotation about center, then translation

    const std::vector<Keyframe>& keys() const { return keys_; }
    const Vec3& center() const { return center_; }
    Interpolation interpolation() const { return interpolation_; }

private:
    std::vector<Keyframe> keys_;
    Vec3 center_ = Vec3::Zero();
    Interpolation interpolation_ = Interpolation::linear;
};

}  // namespace taut

#include "taut/model/motion.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"

namespace taut {
namespace {

using Pose = Eigen::Matrix<double, 6, 1>;  // translation, rotation vector

Pose pose_of(const Keyframe& key) {
    Pose pose;
    pose << key.translate, key.rotate;
    return pose;
}

// Velocity of the smooth path at a key: the chord over its neighbours, zero at both ends.
Pose tangent(const std::vector<Keyframe>& keys, std::size_t k) {
    if (k == 0 || k + 1 == keys.size()) return Pose::Zero();
    return (pose_of(keys[k + 1]) - pose_of(keys[k - 1])) / (keys[k + 1].time - keys[k - 1].time);
}

// Pose at a time strictly between keys k and k + 1.
Pose interpolate(const std::vector<Keyframe>& keys, std::size_t k, double time, Interpolation kind) {
    const double span = keys[k + 1].time - keys[k].time;
    const double s = (time - keys[k].time) / span;
    const Pose from = pose_of(keys[k]), to = pose_of(keys[k + 1]);
    if (kind == Interpolation::linear) return from + s * (to - from);

    // Evaluate the cubic Hermite polynomial of values and tangents.
    const double r = 1 - s;
    return from + s * s * (3 - 2 * s) * (to - from) +
           span * s * r * (r * tangent(keys, k) - s * tangent(keys, k + 1));
}

RigidTransform transform_of(const Pose& pose, const Vec3& center) {
    RigidTransform result;
    const Vec3 rotate = pose.tail<3>();
    const double angle = rotate.norm();
    if (angle > 0) result.rotation = Eigen::AngleAxisd(angle, rotate / angle).toRotationMatrix();
    result.translation = (center - result.rotation * center) + pose.head<3>();
    return result;
}

}  // namespace

Motion::Motion(std::vector<Keyframe> keys, Vec3 center, Interpolation interpolation)
    : keys_(std::move(keys)), center_(std::move(center)), interpolation_(interpolation) {
    if (keys_.empty()) throw InputError({}, "a motion has no keyframes", {}, "give at least one");
    if (!center_.allFinite()) throw InputError({}, "the center of a motion is not finite");
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        const std::string place = "keyframe " + std::to_string(k);
        if (!std::isfinite(keys_[k].time) || !pose_of(keys_[k]).allFinite())
            throw InputError({{}, place}, "a keyframe holds a value that is not finite");
        if (k > 0 && !(keys_[k].time > keys_[k - 1].time))
            throw InputError({{}, place}, "times of keyframes must grow", number_text(keys_[k].time),
                             "allowed: > " + number_text(keys_[k - 1].time) + " s");
    }
}

RigidTransform Motion::at(double time) const {
    if (keys_.empty()) return {};
    if (!(time > keys_.front().time)) return transform_of(pose_of(keys_.front()), center_);
    if (!(time < keys_.back().time)) return transform_of(pose_of(keys_.back()), center_);

    // Find the last key not after the time; a key's own time gives its pose exactly.
    const auto next = std::upper_bound(keys_.begin(), keys_.end(), time,
                                       [](double t, const Keyframe& key) { return t < key.time; });
    const auto k = static_cast<std::size_t>(next - keys_.begin()) - 1;
    return transform_of(interpolate(keys_, k, time, interpolation_), center_);
}

}  // namespace taut

#include "taut/collision/mannequin_skin.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace taut::collision {
namespace {

using Shares = Eigen::Array<double, joint_count, 1>;

// Half widths of the bands across which one bone hands over to the next [m]. Narrower bands fold the skin
// on the inner side of a bend, wider ones make limbs look like hoses.
constexpr double shoulder_band = 0.085, elbow_band = 0.055, wrist_band = 0.035;
constexpr double hip_band = 0.095, knee_band = 0.065, ankle_band = 0.040, toes_band = 0.026;
constexpr double waist_band = 0.045, neck_band = 0.035, clavicle_band = 0.06;
// The two legs divide the crotch within this distance of the middle [m].
constexpr double middle_band = 0.02;
// Rounds of averaging over neighbours: the bands widen by about the square root of this in edges.
constexpr int smoothing_rounds = 8;
// Many more around armpit and crotch, where skin lies close together and a turn must be spread far: up to
// these distances from shoulder and crotch [m].
constexpr int inner_rounds = 40;
constexpr double shoulder_reach = 0.20, crotch_reach = 0.16;
// Smaller weights are dropped; at a metre from the joint they move the skin by less than a millimetre.
constexpr double least_weight = 5e-4;

// From 0 to 1 as the distance goes from one end of the band to the other.
double across(double distance, double band) {
    const double t = std::clamp(0.5 + 0.5 * distance / band, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

// Hands over a share of one joint to another.
void hand_over(Shares& shares, Joint from, Joint to, double part) {
    shares[static_cast<int>(to)] += part * shares[static_cast<int>(from)];
    shares[static_cast<int>(from)] *= 1 - part;
}

// Pelvis to head, by height; the border of the head drops towards the nape.
void share_trunk(Shares& shares, const Vec3& p) {
    hand_over(shares, Joint::pelvis, Joint::spine, across(p.z() - 1.13, waist_band));
    hand_over(shares, Joint::spine, Joint::chest, across(p.z() - 1.22, waist_band));
    hand_over(shares, Joint::chest, Joint::neck, across(p.z() - 1.480, neck_band));
    hand_over(shares, Joint::neck, Joint::head, across(p.z() - 0.5 * p.y() - 1.552, neck_band));
}

// p and the joints are those of the left side; `other` names the joints of the side that p is on.
void share_arm(Shares& shares, const Vec3& p, double arm_lead, bool right) {
    const auto other = [&](Joint joint) { return right ? mirror(joint) : joint; };
    const double along = arm_direction().dot(p - rest_joint(Joint::left_shoulder));
    const double clavicle = across(p.x() - 0.060, clavicle_band) * across(p.z() - 1.365, clavicle_band);
    hand_over(shares, Joint::chest, other(Joint::left_clavicle), clavicle);
    const double shoulder = across(arm_lead - 0.010, shoulder_band);
    for (Joint joint : {Joint::pelvis, Joint::spine, Joint::chest, Joint::neck, other(Joint::left_clavicle)})
        hand_over(shares, joint, other(Joint::left_shoulder), p.x() > 0.08 ? shoulder : 0);
    const double elbow =
        arm_direction().dot(rest_joint(Joint::left_elbow) - rest_joint(Joint::left_shoulder));
    const double wrist =
        arm_direction().dot(rest_joint(Joint::left_wrist) - rest_joint(Joint::left_shoulder));
    hand_over(shares, other(Joint::left_shoulder), other(Joint::left_elbow),
              across(along - elbow, elbow_band));
    hand_over(shares, other(Joint::left_elbow), other(Joint::left_wrist), across(along - wrist, wrist_band));
}

// The border of thigh and pelvis rises from below the crotch to the joint at the outside.
void share_leg(Shares& shares, const Vec3& p, bool right) {
    const auto other = [&](Joint joint) { return right ? mirror(joint) : joint; };
    const Vec3 down = Vec3(0.64, 0, -0.77).normalized(), border(0, 0, 0.715);
    const double thigh = across(down.dot(p - border), hip_band) * across(p.x(), middle_band);
    for (Joint joint : {Joint::pelvis, Joint::spine}) hand_over(shares, joint, other(Joint::left_hip), thigh);
    const double knee = rest_joint(Joint::left_knee).z(), ankle = rest_joint(Joint::left_ankle).z();
    hand_over(shares, other(Joint::left_hip), other(Joint::left_knee), across(knee - p.z(), knee_band));
    hand_over(shares, other(Joint::left_knee), other(Joint::left_ankle),
              across(ankle + 0.005 - p.z(), ankle_band));
    const double ahead = foot_direction().dot(p - rest_joint(Joint::left_toes));
    hand_over(shares, other(Joint::left_ankle), other(Joint::left_toes), across(ahead + 0.015, toes_band));
}

Shares shares_of(const MannequinShape& shape, const Vec3& p) {
    Shares shares = Shares::Zero();
    shares[static_cast<int>(Joint::pelvis)] = 1;
    share_trunk(shares, p);
    const Vec3 left(std::abs(p.x()), p.y(), p.z());
    share_arm(shares, left, shape.arm_lead(p), p.x() < 0);
    for (bool right : {false, true}) share_leg(shares, right ? Vec3(-p.x(), p.y(), p.z()) : p, right);
    return shares;
}

// Where a turn must be spread far.
bool is_inner(const Vec3& p) {
    const Vec3 left(std::abs(p.x()), p.y(), p.z()), crotch(0, 0, 0.775);
    return (left - rest_joint(Joint::left_shoulder)).norm() < shoulder_reach ||
           (p - crotch).norm() < crotch_reach;
}

// Averages every vertex with its neighbours; after the first rounds only the inner ones.
void smooth(std::vector<Shares>& shares, const mesh::TriangleSurface& surface) {
    std::vector<Shares> sum(shares.size());
    std::vector<double> count(shares.size());
    for (int round = 0; round < smoothing_rounds + inner_rounds; ++round) {
        std::fill(sum.begin(), sum.end(), Shares::Zero());
        std::fill(count.begin(), count.end(), 0.0);
        for (const auto& corner : surface.triangles) {
            for (std::size_t k = 0; k < 3; ++k) {
                const auto v = static_cast<std::size_t>(corner[k]),
                           w = static_cast<std::size_t>(corner[(k + 1) % 3]);
                sum[v] += shares[w];
                count[v] += 1;
            }
        }
        for (std::size_t v = 0; v < shares.size(); ++v) {
            if (round < smoothing_rounds || is_inner(surface.points[v]))
                shares[v] = 0.5 * (shares[v] + sum[v] / count[v]);
        }
    }
}

// A rotation and a translation as one number of eight parts.
struct DualQuaternion {
    Eigen::Vector4d real = Eigen::Vector4d::Zero(), dual = Eigen::Vector4d::Zero();  // x, y, z, w
};

DualQuaternion dual_quaternion(const BonePlace& place) {
    const Vec3 half = 0.5 * place.translation;
    const Eigen::Quaterniond shift(0, half.x(), half.y(), half.z());
    return {place.rotation.coeffs(), (shift * place.rotation).coeffs()};
}

}  // namespace

Skin::Skin(const MannequinShape& shape, const mesh::TriangleSurface& surface) {
    std::vector<Shares> shares;
    shares.reserve(surface.points.size());
    for (const Vec3& p : surface.points) shares.push_back(shares_of(shape, p));
    smooth(shares, surface);

    // Keep what counts, summing to one.
    first_.push_back(0);
    for (Shares& all : shares) {
        all = (all < least_weight).select(0, all);
        all /= all.sum();
        for (int k = 0; k < static_cast<int>(joint_count); ++k) {
            if (all[k] > 0) weights_.push_back({static_cast<Joint>(k), all[k]});
        }
        first_.push_back(weights_.size());
    }
}

void Skin::move(const BonePlaces& bones, ConstPoints rest, PointsView x) const {
    assert(rest.size() + 1 == first_.size() && x.size() == rest.size());
    std::array<DualQuaternion, joint_count> bone;
    for (std::size_t k = 0; k < joint_count; ++k) bone[k] = dual_quaternion(bones[k]);
    for (std::size_t v = 0; v < rest.size(); ++v) {
        DualQuaternion sum;
        for (std::size_t k = first_[v]; k < first_[v + 1]; ++k) {
            const DualQuaternion& part = bone[index(weights_[k].joint)];
            sum.real += weights_[k].value * part.real;
            sum.dual += weights_[k].value * part.dual;
        }
        const Vec3 r = sum.real.head<3>(), d = sum.dual.head<3>();
        const double rw = sum.real[3], dw = sum.dual[3], scale = 2 / sum.real.squaredNorm();
        const Vec3 turned = r.cross(r.cross(rest[v]) + rw * rest[v]);
        x[v] = rest[v] + scale * (turned + rw * d - dw * r + r.cross(d));
    }
}

}  // namespace taut::collision

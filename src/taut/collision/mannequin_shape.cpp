#include "taut/collision/mannequin_shape.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "taut/collision/mannequin_skeleton.hpp"

namespace taut::collision {
namespace {

// Widths of the smooth unions [m]: the larger, the softer the fillet.
constexpr double shoulder_blend = 0.07, hip_blend = 0.075, neck_blend = 0.05, head_blend = 0.035;
constexpr double wrist_blend = 0.03, ankle_blend = 0.035, sole_blend = 0.014;
constexpr double face_blend = 0.06;
// Skull and face: two ellipsoids make an egg [m].
const Vec3 skull_center(0, 0.014, 1.664), skull_half(0.073, 0.092, 0.086);
const Vec3 face_center(0, -0.029, 1.606), face_half(0.054, 0.060, 0.084);
// The two sides of the body meet as if |x| were rounded over this width [m], so that no crease runs down
// the middle; wider fills the gap between the legs.
constexpr double middle_round = 0.006;

double smooth_min(double a, double b, double width) {
    const double h = std::max(width - std::abs(a - b), 0.0) / width;
    return std::min(a, b) - h * h * h * width / 6;
}
double smooth_max(double a, double b, double width) { return -smooth_min(-a, -b, width); }

// Distance to an ellipsoid to first order near its surface; p in units of its frame.
double ellipsoid(const Vec3& p, const Vec3& half) {
    const Vec3 scaled = p.cwiseQuotient(half);
    const double level = scaled.norm(), slope = scaled.cwiseQuotient(half).norm();
    return slope > 1e-9 ? level * (level - 1) / slope : -half.minCoeff();
}

Mat3 columns(const Vec3& u, const Vec3& v, const Vec3& w) {
    Mat3 frame;
    frame << u, v, w;
    return frame;
}

// Along z, with u to the left and v to the back.
Mat3 upright() { return Mat3::Identity(); }

// Along the arm, with v to the back.
Mat3 arm_frame() {
    const Vec3 along = arm_direction();
    return columns(Vec3::UnitY().cross(along), Vec3::UnitY(), along);
}

// Along the foot from heel to toe, with v downwards.
Mat3 foot_frame() {
    const Vec3 along = foot_direction();
    return columns((-Vec3::UnitZ()).cross(along), -Vec3::UnitZ(), along);
}

Column torso() {
    return {Vec3::Zero(),
            upright(),
            {{0.805, 0, 0.008, 0.056, 0.062, 0.062},
             {0.835, 0, 0.007, 0.090, 0.076, 0.076},
             {0.868, 0, 0.006, 0.126, 0.084, 0.088},
             {0.905, 0, 0.005, 0.149, 0.089, 0.098},
             {0.950, 0, 0.003, 0.152, 0.092, 0.094},
             {1.000, 0, 0.000, 0.140, 0.091, 0.082},
             {1.045, 0, -0.002, 0.123, 0.087, 0.074},
             {1.085, 0, -0.001, 0.115, 0.084, 0.074},
             {1.130, 0, 0.003, 0.119, 0.086, 0.080},
             {1.190, 0, 0.010, 0.131, 0.093, 0.088},
             {1.250, 0, 0.015, 0.142, 0.098, 0.094},
             {1.310, 0, 0.018, 0.149, 0.096, 0.093},
             {1.360, 0, 0.020, 0.146, 0.086, 0.086},
             {1.405, 0, 0.022, 0.122, 0.069, 0.072},
             {1.440, 0, 0.022, 0.085, 0.054, 0.058}},
            0.024,
            0.03};
}

Column neck() {
    return {Vec3::Zero(),
            upright(),
            {{1.420, 0, 0.024, 0.058, 0.056, 0.056},
             {1.460, 0, 0.020, 0.054, 0.052, 0.052},
             {1.500, 0, 0.013, 0.049, 0.049, 0.049},
             {1.545, 0, 0.006, 0.048, 0.050, 0.050},
             {1.600, 0, 0.002, 0.047, 0.050, 0.050}},
            0.03,
            0.03};
}

Column arm() {
    return {rest_joint(Joint::left_shoulder),
            arm_frame(),
            {{0.000, 0.002, 0.000, 0.043, 0.046, 0.046},
             {0.060, 0.000, 0.000, 0.043, 0.047, 0.047},
             {0.140, 0.001, 0.000, 0.038, 0.042, 0.041},
             {0.220, 0.000, 0.000, 0.034, 0.036, 0.036},
             {0.280, 0.000, 0.000, 0.032, 0.033, 0.034},
             {0.340, 0.000, -0.004, 0.033, 0.035, 0.035},
             {0.410, 0.000, -0.010, 0.029, 0.030, 0.030},
             {0.480, 0.000, -0.017, 0.022, 0.024, 0.024},
             {0.530, 0.000, -0.022, 0.019, 0.023, 0.023},
             {0.560, 0.000, -0.025, 0.018, 0.024, 0.024}},
            0.046,
            0.02};
}

Column hand() {
    return {rest_joint(Joint::left_shoulder),
            arm_frame(),
            {{0.535, 0.000, -0.022, 0.017, 0.022, 0.022},
             {0.575, 0.000, -0.027, 0.018, 0.032, 0.029},
             {0.610, 0.001, -0.030, 0.018, 0.039, 0.033},
             {0.645, 0.003, -0.032, 0.017, 0.036, 0.032},
             {0.675, 0.005, -0.033, 0.016, 0.032, 0.030}},
            0.02,
            0.052};
}

Column leg() {
    return {Vec3::Zero(),
            upright(),
            {{0.060, 0.105, 0.022, 0.028, 0.032, 0.030},
             {0.095, 0.105, 0.022, 0.029, 0.033, 0.030},
             {0.150, 0.105, 0.020, 0.030, 0.032, 0.032},
             {0.220, 0.104, 0.018, 0.038, 0.036, 0.043},
             {0.290, 0.103, 0.014, 0.047, 0.043, 0.056},
             {0.350, 0.102, 0.010, 0.050, 0.047, 0.060},
             {0.410, 0.102, 0.004, 0.048, 0.049, 0.053},
             {0.460, 0.101, -0.002, 0.0455, 0.052, 0.045},
             {0.510, 0.101, -0.004, 0.051, 0.055, 0.050},
             {0.580, 0.100, -0.004, 0.060, 0.064, 0.060},
             {0.660, 0.098, -0.002, 0.070, 0.075, 0.071},
             {0.740, 0.096, 0.002, 0.077, 0.082, 0.080},
             {0.810, 0.095, 0.005, 0.080, 0.083, 0.084},
             {0.870, 0.092, 0.006, 0.078, 0.082, 0.083},
             {0.930, 0.085, 0.004, 0.064, 0.070, 0.070}},
            0.02,
            0.05};
}

// The sole lies below the floor here and is cut off there.
Column foot() {
    const Vec3 heel = rest_joint(Joint::left_ankle) - 0.045 * foot_direction();
    return {Vec3(heel.x(), heel.y(), 0),
            foot_frame(),
            {{0.022, 0.000, -0.026, 0.027, 0.032, 0.040},
             {0.060, 0.000, -0.026, 0.029, 0.046, 0.040},
             {0.105, -0.001, -0.022, 0.031, 0.046, 0.036},
             {0.150, -0.003, -0.018, 0.037, 0.033, 0.032},
             {0.185, -0.004, -0.015, 0.041, 0.023, 0.029},
             {0.215, -0.006, -0.013, 0.038, 0.016, 0.026}},
            0.024,
            0.030};
}

}  // namespace

// Slopes make the curve through all values twice differentiable and level at both ends.
Column::Column(const Vec3& origin, const Mat3& frame, std::vector<ColumnSection> sections, double cap_start,
               double cap_end)
    : origin_(origin), frame_(frame), cap_start_(cap_start), cap_end_(cap_end) {
    const std::size_t n = sections.size();
    assert(n >= 2);
    for (const ColumnSection& s : sections) {
        along_.push_back(s.along);
        value_.push_back(Row(s.center_u, s.center_v, s.half_u, s.front, s.back));
    }

    // Solve the tridiagonal system of the spline, from the first section on and back.
    slope_.assign(n, Row::Zero());
    std::vector<double> upper(n, 0);
    for (std::size_t k = 1; k + 1 < n; ++k) {
        const double before = along_[k] - along_[k - 1], after = along_[k + 1] - along_[k];
        const Row right =
            3 * (after / before * (value_[k] - value_[k - 1]) + before / after * (value_[k + 1] - value_[k]));
        const double pivot = 2 * (before + after) - after * upper[k - 1];
        upper[k] = before / pivot;
        slope_[k] = (right - after * slope_[k - 1]) / pivot;
    }
    for (std::size_t k = n - 1; k-- > 1;) slope_[k] -= upper[k] * slope_[k + 1];
}

Column::Row Column::at(double along) const {
    if (along <= along_.front()) return value_.front();
    if (along >= along_.back()) return value_.back();
    std::size_t k = 1;
    while (along_[k] < along) ++k;
    const double width = along_[k] - along_[k - 1], t = (along - along_[k - 1]) / width, s = 1 - t;
    return s * s * ((1 + 2 * t) * value_[k - 1] + t * width * slope_[k - 1]) +
           t * t * ((1 + 2 * s) * value_[k] - s * width * slope_[k]);
}

double Column::operator()(const Vec3& p) const {
    const Vec3 local = frame_.transpose() * (p - origin_);
    const double w = local.z(), first = along_.front(), last = along_.back();
    const Row row = at(w);
    const double v = local.y() - row[1], beyond = w < first ? w - first : w > last ? w - last : 0;
    return ellipsoid({local.x() - row[0], v, beyond},
                     {row[2], v < 0 ? row[3] : row[4], w < first ? cap_start_ : cap_end_});
}

MannequinShape::MannequinShape()
    : torso_(torso()), neck_(neck()), arm_(arm()), hand_(hand()), leg_(leg()), foot_(foot()) {
    // Breasts, buttocks, the slope from neck to shoulder.
    balls_ = {{{0.064, -0.060, 1.262}, {0.056, 0.045, 0.058}, 0.07},
              {{0.072, 0.056, 0.893}, {0.078, 0.062, 0.080}, 0.06},
              {{0.060, 0.024, 1.424}, {0.085, 0.040, 0.038}, 0.08}};
}

double MannequinShape::operator()(const Vec3& p) const {
    const Vec3 q(std::sqrt(p.x() * p.x() + middle_round * middle_round), p.y(), p.z());

    // Join torso and head.
    double body = torso_(q);
    for (const Ball& ball : balls_)
        body = smooth_min(body, ellipsoid(q - ball.center, ball.half), ball.blend);
    if (q.z() > 1.3) {
        const double head = smooth_min(ellipsoid(p - skull_center, skull_half),
                                       ellipsoid(p - face_center, face_half), face_blend);
        body = smooth_min(smooth_min(body, neck_(p), neck_blend), head, head_blend);
    }

    // Add one arm and one leg; the other side is their mirror image.
    body = smooth_min(body, smooth_min(arm_(q), hand_(q), wrist_blend), shoulder_blend);
    if (q.z() > 1.1) return body;
    const double foot = smooth_max(foot_(q), -q.z(), sole_blend);
    return smooth_min(body, smooth_min(leg_(q), foot, ankle_blend), hip_blend);
}

double MannequinShape::arm_lead(const Vec3& p) const {
    const Vec3 q(std::abs(p.x()), p.y(), p.z());
    return torso_(q) - arm_(q);
}

double MannequinShape::edge_length(const Vec3& p) {
    constexpr double coarse = 0.0147, fine = 0.0116;
    // Shorten along the forearm, the lower shin and the neck, over 15 cm each.
    const double down_arm =
        (Vec3(std::abs(p.x()), p.y(), p.z()) - rest_joint(Joint::left_shoulder)).dot(arm_direction());
    const bool arm = std::abs(p.x()) > 0.22 && p.z() > 0.6;
    const double detail = std::max({arm ? (down_arm - 0.38) / 0.15 : 0.0, (0.25 - p.z()) / 0.15});
    const double t = std::clamp(detail, 0.0, 1.0);
    return coarse + (fine - coarse) * t * t * (3 - 2 * t);
}

}  // namespace taut::collision

#include "taut/collision/mannequin_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace taut::collision {
namespace {

constexpr double circle = 2 * std::numbers::pi;  // [rad]

// Pirouette [s]: rising on the foot, and within it the start of the turn and how long it gains speed.
constexpr double rise_ramp = 0.9, turn_start = 0.5, turn_ramp = 0.8;
// Waving [s]: raising the arms, one wave.
constexpr double wave_ramp = 1.0, wave_period = 1.2;

Joint ankle_of(Joint hip) { return static_cast<Joint>(index(hip) + 2); }
Joint toes_of(Joint hip) { return static_cast<Joint>(index(hip) + 3); }

// Turns a foot about a level axis through a point of it that stays where it is.
FootPlace pitched(Joint hip, const Vec3& pivot, double angle) {
    FootPlace foot;
    foot.rotation = turn_by({angle, 0, 0});
    foot.ankle = pivot + foot.rotation * (rest_joint(ankle_of(hip)) - pivot);
    return foot;
}

// Turns all of a pose about a vertical axis.
void turn_about(Pose& pose, const Vec3& axis, double angle) {
    const Eigen::Quaterniond turn(std::cos(0.5 * angle), 0, 0, std::sin(0.5 * angle));
    const Vec3 rest = rest_joint(Joint::pelvis);
    pose.shift = axis + turn * (rest + pose.shift - axis) - rest;
    pose[Joint::pelvis] = turn * pose[Joint::pelvis];
}

}  // namespace

double ease(double x) {
    x = std::clamp(x, 0.0, 1.0);
    return x * x * x * (10 + x * (6 * x - 15));
}

double way(double time, double ramp) {
    const double x = std::clamp(time / ramp, 0.0, 1.0);
    return ramp * x * x * x * (1 - 0.5 * x) + std::max(0.0, time - ramp);
}

double presence(double time, double end, double ramp) {
    const double in = ease(time / ramp);
    return end < 0 ? in : in * (1 - ease((time - end + ramp) / ramp));
}

void turn_left(Pose& pose, Joint left_joint, double x, double y, double z) {
    pose[left_joint] = turn_by(degree * Vec3(x, y, z));
}

void turn_right(Pose& pose, Joint left_joint, double x, double y, double z) {
    pose[mirror(left_joint)] = turn_by(degree * Vec3(x, -y, -z));
}

void bend_elbow(Pose& pose, Joint elbow, double angle) {
    const Vec3 along = arm_direction();
    const double side = elbow == Joint::left_elbow ? 1 : -1;
    pose[elbow] = turn_by(angle * degree * Vec3(along.z(), 0, -side * along.x()));
}

// The skin below the bent ball sinks by up to a millimetre; the foot is raised by as much.
FootPlace raised_heel(Joint hip, double angle) {
    FootPlace foot = pitched(hip, rest_joint(toes_of(hip)), angle);
    foot.ankle.z() += 0.002 * std::sin(angle) * std::sin(angle);
    foot.toe_bend = angle;
    return foot;
}

// The heel is round, so that it may turn about its middle [m].
FootPlace raised_toes(Joint hip, double angle) {
    const Vec3 ankle = rest_joint(ankle_of(hip));
    return pitched(hip, Vec3(ankle.x(), ankle.y() + 0.030, 0.026), -angle);
}

double pirouette_duration(int cycles) { return 2 * turn_start + cycles + turn_ramp; }
double arm_wave_duration(int cycles) { return 2 * wave_ramp + cycles * wave_period; }

Pose pirouette_pose(double time, int cycles) {
    const double end = cycles < 1 ? -1 : pirouette_duration(cycles);
    const double there = presence(time, end, rise_ramp);
    Pose pose;

    // Shift over the left foot, dip and rise on its ball.
    const double dip = 16 * there * there * (1 - there) * (1 - there);
    pose.shift = there * Vec3(0.078, -0.088, 0.052) - dip * Vec3(0, 0, 0.030);
    pose[Joint::pelvis] = turn_by(there * degree * Vec3(2, 3, 0));
    pose[Joint::spine] = turn_by(there * degree * Vec3(1, -2, 0));
    pose[Joint::chest] = turn_by(there * degree * Vec3(-3, -1, 0));
    place_foot(pose, Joint::left_hip, raised_heel(Joint::left_hip, there * 34 * degree), Vec3::UnitX());

    // Lift the other leg, knee ahead and outwards, toes down.
    FootPlace lifted;
    const double outwards = -there * 28 * degree;
    lifted.ankle = rest_joint(Joint::right_ankle) + there * (Vec3(-0.075, -0.180, 0.170) + pose.shift);
    lifted.rotation = turn_by(there * degree * Vec3(38, 0, 0));
    lifted.rotation = turn_by({0, 0, outwards}) * lifted.rotation;
    place_foot(pose, Joint::right_hip, lifted, {std::cos(outwards), std::sin(outwards), 0});

    // Carry the arms at the side, rounded ahead.
    for (auto* turn : {turn_left, turn_right}) {
        turn(pose, Joint::left_clavicle, 0, -there * 6, 0);
        turn(pose, Joint::left_shoulder, 0, -there * 38, -there * 16);
    }
    for (Joint elbow : {Joint::left_elbow, Joint::right_elbow}) bend_elbow(pose, elbow, there * 18);

    // Turn on the ball of the foot.
    double turned = circle * way(time - turn_start, turn_ramp);
    if (cycles > 0) turned -= circle * way(time - turn_start - cycles, turn_ramp);
    turn_about(pose, rest_joint(Joint::left_toes), turned);
    return pose;
}

Pose arm_wave_pose(double time, int cycles) {
    const double end = cycles < 1 ? -1 : arm_wave_duration(cycles);
    const double there = presence(time, end, wave_ramp), phase = circle * (time - wave_ramp) / wave_period;
    Pose pose;

    // Sway with the arms, feet on the floor.
    const double sway = there * std::sin(phase);
    pose.shift = Vec3(0.012 * sway, 0, -0.006 * there);
    pose[Joint::pelvis] = turn_by(degree * Vec3(0, 1.5 * sway, 0));
    pose[Joint::spine] = turn_by(degree * Vec3(0, there * 2 - 2.5 * sway, 0));
    pose[Joint::chest] = turn_by(degree * Vec3(0, there * 2 - 2.5 * sway, 0));
    pose[Joint::neck] = turn_by(degree * Vec3(0, -there * 2 + 1.5 * sway, 0));
    for (Joint hip : {Joint::left_hip, Joint::right_hip})
        place_foot(pose, hip, raised_heel(hip, 0), Vec3::UnitX());

    // Raise the right arm and wave it from the elbow, sway the left one to the side.
    turn_right(pose, Joint::left_clavicle, 0, -there * 10 - 3 * sway, 0);
    turn_right(pose, Joint::left_shoulder, 0, -there * 20 - 7 * sway, -there * 8);
    pose[Joint::right_elbow] = turn_by(degree * Vec3(0, there * 55 + 24 * sway, there * 12));
    turn_left(pose, Joint::left_clavicle, 0, -there * 4 + 2 * sway, 0);
    turn_left(pose, Joint::left_shoulder, 0, -there * 26 + 16 * sway, -there * 8);
    bend_elbow(pose, Joint::left_elbow, there * 14 + 6 * sway);
    return pose;
}

}  // namespace taut::collision

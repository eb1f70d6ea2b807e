// The walk is planned from its footfalls. Foot k lands at a fixed time on a fixed place, turns about its
// heel, stands, rises over its ball and swings to the next place; the pelvis goes on evenly, and all that
// swings with it are harmonics of the cycle. Amplitudes are those of a lively gait (Winter 2009), arms held
// away.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "taut/collision/mannequin_motion.hpp"

namespace taut::collision {
namespace {

// Times [s] and lengths [m]; a cycle is two steps.
constexpr double step_time = 0.55, step_length = 0.56, swing_time = 0.42;
constexpr double ramp = 0.8;                             // to reach full speed
constexpr double first_fall = 0.5 * (ramp + step_time);  // then the pelvis is midway between the feet
constexpr double strike_time = 0.14, rise_time = 0.25;   // of rolling over heel and ball
constexpr double strike_angle = 13 * degree, rise_angle = 40 * degree;

// A foot in the plane of the walk, as values that may be added and scaled.
struct FootState {
    double ahead = 0;           // of where it stood at rest [m]
    double angle = 0;           // heel up, or toes up where negative [rad]
    Vec3 ankle = Vec3::Zero();  // as turned by the angle about heel or ball, at the rest place [m]
    double toe_bend = 0;        // [rad]
};

// The footfalls of a walk of so many steps; a fall at 0 or before is the stand at the start.
struct Plan {
    double steps;  // infinite where the walk does not end

    double end() const { return std::isfinite(steps) ? steps * step_time + ramp : -1; }
    double fall_time(double k) const { return first_fall + (k - 1) * step_time; }
    double fall_place(double k) const { return step_length * std::clamp(k, 0.0, steps); }
    // How far the heel rises before the foot swings from fall k to k + 2: less where it starts from rest.
    double rise(double k) const { return k < 0 ? 0.6 * rise_angle : rise_angle; }
    double strike(double k) const { return k < 1 || k > steps ? 0 : strike_angle; }
    bool swings(double k) const { return k + 2 <= steps + 1; }

    // Standing from fall k on.
    FootState stance(Joint hip, double k, double time) const {
        FootState foot;
        foot.ahead = fall_place(k);
        const double strike_left = std::clamp(1 - (time - fall_time(k)) / strike_time, 0.0, 1.0);
        const double risen =
            swings(k) ? std::max(0.0, 1 + (time - fall_time(k + 2) + swing_time) / rise_time) : 0;
        foot.angle = rise(k) * risen * risen - strike(k) * strike_left * strike_left;
        const FootPlace place = foot.angle > 0 ? raised_heel(hip, foot.angle) : raised_toes(hip, -foot.angle);
        foot.ankle = place.ankle;
        foot.toe_bend = place.toe_bend;
        return foot;
    }

    FootState at(Joint hip, double time) const;
};

// The cubic from one state and rate to another, x from 0 to 1.
template <class Value>
Value hermite(const Value& from, const Value& from_rate, const Value& to, const Value& to_rate, double x) {
    const double y = 1 - x;
    return y * y * ((1 + 2 * x) * from + x * from_rate) + x * x * ((1 + 2 * y) * to - y * to_rate);
}

FootState Plan::at(Joint hip, double time) const {
    // Find the last fall of this foot; the right one has the odd falls.
    const double odd = hip == Joint::right_hip ? 1 : 0;
    const double latest = 2 * std::floor(((time - first_fall) / step_time + 1 - odd) / 2) + odd;
    const double k = std::clamp(latest, -odd, steps + odd);
    const double land = fall_time(k + 2), lift = land - swing_time;
    if (!swings(k) || time <= lift) return stance(hip, k, time);

    // Swing from lift to landing with the rates of both ends; lift the foot a little more in between.
    constexpr double instant = 1e-4;  // [s]
    const FootState from = stance(hip, k, lift), before = stance(hip, k, lift - instant);
    const FootState to = stance(hip, k + 2, land), after = stance(hip, k + 2, land + instant);
    const double x = (time - lift) / swing_time, rate = swing_time / instant;
    const auto between = [&](auto member) {
        using Value = std::remove_cvref_t<decltype(from.*member)>;
        return hermite<Value>(from.*member, rate * (from.*member - before.*member), to.*member,
                              rate * (after.*member - to.*member), x);
    };
    FootState foot;
    foot.ahead = between(&FootState::ahead);
    foot.angle = between(&FootState::angle);
    foot.toe_bend = between(&FootState::toe_bend);
    foot.ankle = between(&FootState::ankle);
    foot.ankle.z() += 0.03 * 16 * x * x * (1 - x) * (1 - x);
    return foot;
}

// Spine, head and arms against the swing of the legs. `c` and `s` are cosine and sine of the cycle, which
// begins where the right heel strikes.
void pose_upper_body(Pose& pose, double there, double c, double s) {
    pose[Joint::spine] = turn_by(degree * Vec3(0, -3 * s, -6 * c));
    pose[Joint::chest] = turn_by(degree * Vec3(0, -2.5 * s, -6 * c));
    pose[Joint::neck] = turn_by(degree * Vec3(0, 0.5 * s, 3 * c));
    pose[Joint::head] = turn_by(degree * Vec3(0, 0, 2 * c));
    turn_left(pose, Joint::left_shoulder, -16 * c + 1 * there, there * 13, 0);
    turn_right(pose, Joint::left_shoulder, 16 * c + 1 * there, there * 13, 0);
    bend_elbow(pose, Joint::left_elbow, 10 * there + 8 * c);
    bend_elbow(pose, Joint::right_elbow, 10 * there - 8 * c);
}

}  // namespace

double walk_duration(int cycles) { return Plan{2.0 * cycles}.end(); }

Pose walk_pose(double time, int cycles, bool in_place) {
    const Plan plan{cycles < 1 ? std::numeric_limits<double>::infinity() : 2.0 * cycles};
    const double there = presence(time, plan.end(), ramp),
                 phase = std::numbers::pi * (time - first_fall) / step_time;
    const double c = there * std::cos(phase), s = there * std::sin(phase);
    constexpr double speed = step_length / step_time;
    double ahead = speed * way(time, ramp);
    if (plan.end() > 0) ahead -= speed * way(time - plan.end() + ramp, ramp);

    // Carry the pelvis on: lowest when both feet stand, over the standing foot in between.
    Pose pose;
    const double bob = there * std::cos(2 * phase);
    pose.shift = Vec3(-0.016 * s, -ahead, -0.030 * presence(time, plan.end(), 0.5) - 0.011 * bob);
    pose[Joint::pelvis] = turn_by(degree * Vec3(0, 4 * s, 6 * c));
    pose_upper_body(pose, there, c, s);

    // Put the feet where they stand or swing.
    for (Joint hip : {Joint::left_hip, Joint::right_hip}) {
        const FootState state = plan.at(hip, time);
        FootPlace foot;
        foot.ankle = state.ankle - state.ahead * Vec3::UnitY();
        foot.rotation = turn_by({state.angle, 0, 0});
        foot.toe_bend = state.toe_bend;
        place_foot(pose, hip, foot, Vec3::UnitX());
    }
    if (in_place) pose.shift.y() += ahead;
    return pose;
}

}  // namespace taut::collision

// What the mannequin does: poses over the time of a motion, which starts and ends at rest in the rest pose.
// Arms and spine follow curves of angles, the pelvis a path; the legs follow from where the feet stand.
// Everything is continuously differentiable in time.
#pragma once

#include "taut/collision/mannequin_skeleton.hpp"

namespace taut::collision {

// Cycles below one mean that the motion does not end. Times are in seconds from its start, at its own pace.

// Walks ahead: a cycle is two steps of 0.55 s and 0.56 m, the right foot first, and at the end the feet
// close. Heels strike, feet roll and push off; no foot slides. In place, the floor runs backwards instead.
Pose walk_pose(double time, int cycles, bool in_place);
double walk_duration(int cycles);  // [s]

// Turns to her left on the ball of the left foot, the right leg lifted, arms to the side; a turn a second.
Pose pirouette_pose(double time, int cycles);
double pirouette_duration(int cycles);  // [s]

// The right arm is raised and waves, the left one sways to the side; a wave takes 1.2 s.
Pose arm_wave_pose(double time, int cycles);
double arm_wave_duration(int cycles);  // [s]

// From 0 to 1 as x does, level at both ends (C2).
double ease(double x);
// The way made after `time` by a speed that rises smoothly from 0 to 1 over `ramp` [s].
double way(double time, double ramp);
// In and out of a motion that lasts until `end`, over `ramp` at either end [s]; endless where end < 0.
double presence(double time, double end, double ramp);

// Rotation vectors given in degrees about x, y, z of a left joint, and the same mirrored for the right one.
void turn_left(Pose& pose, Joint left_joint, double x, double y, double z);
void turn_right(Pose& pose, Joint left_joint, double x, double y, double z);
// Bends the elbow ahead by an angle [deg].
void bend_elbow(Pose& pose, Joint left_or_right_elbow, double angle);

// A foot at rest, its heel raised by an angle [rad] over the ball, which stays on the floor.
FootPlace raised_heel(Joint left_or_right_hip, double angle);
// The same with its toes raised over the heel.
FootPlace raised_toes(Joint left_or_right_hip, double angle);

}  // namespace taut::collision

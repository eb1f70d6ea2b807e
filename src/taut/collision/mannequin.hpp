// A mannequin as an obstacle for garments: a closed, smooth, even mesh of a dancer of 1.75 m with a skeleton
// that stands, walks, pirouettes or waves its arms. Everything is made by this program: the shape is the zero
// set of a function (mannequin_shape), the skin follows the bones (mannequin_skin), the motions are in
// mannequin_motion and mannequin_walk. At rest she stands on z = 0 around the z axis, looks along -y and has
// her left at +x; arms 36 degrees from the body, legs apart. See docs/theory/mannequin.md.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "taut/base/parameter.hpp"
#include "taut/collision/mannequin_skeleton.hpp"
#include "taut/model/deformation.hpp"

namespace taut::collision {

struct MannequinParams {
    std::string action = "stand";  // "stand", "walk", "pirouette" or "arm_wave"
    double speed = 1;              // pace of the motion; 1: as designed
    double start = 0;              // she rests in the rest pose until then [s]
    int cycles = 2;                // pairs of steps, turns or waves; 0: no end
    bool in_place = false;         // walk without leaving the place
    Vec3 position = Vec3::Zero();  // of the point between her feet at rest [m]
    double heading = 0;            // turned to her left by [deg]; 0: looks along -y
};

void describe(ParamList& list, MannequinParams& params);

// A level cut through the body at rest, arms left out; of one leg or of the trunk.
struct BodyLevel {
    Vec3 center = Vec3::Zero();             // middle of its box [m]
    double half_width = 0, half_depth = 0;  // of its box, along x and y [m]
    double girth = 0;                       // tape measure around it [m]
};

// Places and measures for cutting and placing garments, in the rest pose around the z axis.
struct MannequinLandmarks {
    double height = 0;                              // [m]
    BodyLevel neck, bust, waist, hip, thigh, calf;  // thigh and calf of the left leg
    double crotch = 0,
           gap = 0;  // height of the crotch; least distance of the legs below it, down to the knee [m]
    Vec3 left_shoulder = Vec3::Zero(), left_elbow = Vec3::Zero(), left_wrist = Vec3::Zero();  // joints [m]
};

class Mannequin final : public Deformation {
public:
    using Params = MannequinParams;
    static constexpr const char* type_name = "mannequin";

    // Throws InputError on values out of range.
    explicit Mannequin(Params params);

    // Skin [m] at a time [s]; one point per vertex.
    void at(double time, PointsView x) const override;

    const Params& params() const { return params_; }
    double duration() const;  // until she rests again [s]; infinite where the motion does not end
    // Joints [m] at a time, in the order of Joint.
    std::array<Vec3, joint_count> joints(double time) const;

    // The same for every mannequin: rest points as made, around the z axis [m]; triangles, normals outward;
    // per vertex the joint whose bone moves it most; measures.
    static ConstPoints rest_points();
    static std::span<const std::array<int, 3>> triangles();
    static std::span<const Joint> parts();
    static const MannequinLandmarks& landmarks();

private:
    BonePlaces bones(double time) const;

    Params params_;
};

}  // namespace taut::collision

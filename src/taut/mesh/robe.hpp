// A robe: front and back are cut alike from one flat T, sewn together over shoulders and sleeves, under the
// arms and down the sides, and open at neck, cuffs and hem. It is shaped around a body that stands at the
// origin with its arms stretched out along x and looks towards -y: a trunk, two arms and a neck. The pattern
// is the rest shape; the shape in space keeps its lengths as far as a surface around that body can.
#pragma once

#include "taut/mesh/triangle_makers.hpp"

namespace taut::mesh {

struct RobeParams {
    double arm_span = 1.5;                 // of the flat pattern from cuff to cuff [m]
    double cuff = 0.26, armhole = 0.34;    // height of the flat sleeve, at its end and at the trunk [m]
    double chest = 0.66, hem = 0.9;        // width of the flat trunk, under the arms and at its end [m]
    double length = 1.15;                  // from the shoulder to the hem [m]
    double neck = 0.3, neck_depth = 0.05;  // width of the opening, and how far it hangs in the middle [m]
    double shoulder = 1.45;                // height of the shoulder seam above the floor [m]
    double trunk_radius = 0.15, arm_radius = 0.05;  // of the body to keep clear of [m]
    FillParams fill{0.02, 1, 1};
};

// A rounded stick.
struct Capsule {
    Vec3 start, end;  // [m]
    double radius;    // [m]
};

// The body that a robe is shaped around: trunk, left arm (x > 0), right arm, neck.
std::vector<Capsule> robe_body(const RobeParams& params);

// Front and back of the pattern in space share the vertices of seams. The front lies at y <= 0, with u = x
// and v = z in the pattern, the back at y >= 0, seen from outside as well: u = -x. Normals point outwards.
// Parts: "neck", "left_cuff" (x > 0), "right_cuff", "hem", each a closed ring in order. Throws InputError
// where the pattern does not hang together or is too narrow for the body.
MadePattern make_robe(const RobeParams& params);

// How far edges in space are longer (positive) or shorter than in the pattern.
struct PatternStretch {
    double least = 0, most = 0, mean = 0;  // relative; the mean is that of the sizes
};
PatternStretch stretch_of(const MadeMesh& made);

}  // namespace taut::mesh

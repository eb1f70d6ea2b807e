// Garments as cloths: made in place around the mannequin at rest (collision::Mannequin, standing at the
// origin), in their worn shape, which is their rest shape. They keep clear of her and of themselves by the
// ease. Weft runs around the body, warp along it; heights are above the floor. See docs/theory/garments.md.
#pragma once

#include <string>

#include "taut/base/parameter.hpp"
#include "taut/scene/registry.hpp"

namespace taut::scene {

// A skirt: rings around the waist that widen evenly downwards, as cut from a part of a circle.
struct SkirtParams {
    int around = 128, along = 65;
    double top = 1.07, hem = 0.59;           // [m]
    double flare = 35;                       // from the vertical [deg]
    double ease = 0.008, band_ease = 0.004;  // from the skin, and at the upper edge [m]
};

// A strapless dress: follows the body from above the bust to the hip, widens below.
struct DressParams {
    int around = 128, along = 84;
    double top = 1.265, hem = 0.34;  // [m]
    double rise = 0.045;             // of the upper edge in front, over the bust [m]
    double flare = 18;               // below the hip, from the vertical [deg]
    double ease = 0.008;             // [m]
};

// Trousers: a tube around the trunk that parts at the crotch into two legs. Two vertices, at the front and
// back end of the crotch seam, have six edges, all others inside have four.
struct PantsParams {
    int vertices = 10600;                    // wished for; made are as many as even rows allow
    double top = 1.07, hem = 0.11;           // [m]
    double flare = 3;                        // of the legs below the knee, from the vertical [deg]
    double ease = 0.008, band_ease = 0.004;  // from the skin, and at the upper edge [m]
};

// One of the two flat panels of a shirt with short sleeves, beside the body. Its seams are parts (see below),
// vertex k of a seam of the front belongs to vertex k of the same seam of the back.
struct ShirtPanelParams {
    std::string side = "front";  // or "back"
    double edge = 0.0125;        // length of edges, about [m]
    double hem = 0.83;           // [m]
    double gap = 0.03;           // from the body's farthest point to front or back [m]
};

// Parts: skirt and dress have "top" and "hem", from the front to her left; trousers have "top", "left_hem",
// "right_hem" and the crotch "seam" from back to front, its ends left out; panels have the seams
// "left_shoulder" (from the neck to the end of the sleeve), "left_underarm" (from the underarm, left out,
// to the end of the sleeve), "left_side" (from the underarm to the hem), the same on the right, and the edges
// "left_cuff", "right_cuff", "neck" and "hem".

void describe(ParamList& list, SkirtParams& params);
void describe(ParamList& list, DressParams& params);
void describe(ParamList& list, PantsParams& params);
void describe(ParamList& list, ShirtPanelParams& params);

MadeCloth make_skirt(const SkirtParams& params);
MadeCloth make_dress(const DressParams& params);
MadeCloth make_pants(const PantsParams& params);
MadeCloth make_shirt_panel(const ShirtPanelParams& params);

}  // namespace taut::scene

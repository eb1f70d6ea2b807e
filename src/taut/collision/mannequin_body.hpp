// What all mannequins share: the mesh of the body at rest, the weights of its skin, and its measures. Made
// when first asked for.
#pragma once

#include "taut/collision/mannequin.hpp"
#include "taut/collision/mannequin_skin.hpp"

namespace taut::collision {

struct MannequinBody {
    mesh::TriangleSurface surface;
    Skin skin;
    std::vector<Joint> parts;  // per vertex the joint of the largest weight
    MannequinLandmarks landmarks;
};

// Made once, in about a second, and kept; safe from any thread.
const MannequinBody& mannequin_body();

}  // namespace taut::collision

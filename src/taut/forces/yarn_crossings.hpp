// The particles of House, DeVaul and Breen 1996: crossings of a warp and a weft yarn, each with its
// neighbours along both and the patch of cloth it stands for. On any mesh with traced yarns; vertices that no
// yarn passes have no neighbours and resist nothing.
#pragma once

#include <array>
#include <vector>

#include "taut/model/model.hpp"

namespace taut::forces {

struct YarnCrossing {
    std::array<int, 2> weft{-1, -1}, warp{-1, -1};  // before and after it along its yarns; -1: none
    double area = 0;                                // of its patch [m^2]
    int cloth = 0;

    const std::array<int, 2>& along(bool weft_yarn) const { return weft_yarn ? weft : warp; }
};

// One per vertex. Where several yarns of a direction end at a vertex it counts as the end of the first.
std::vector<YarnCrossing> yarn_crossings(const Model& model);

// The patch of cloth around every vertex [m^2]; 0 for vertices of no face.
std::vector<double> patch_areas(const Model& model);

// The strip of cloth that each edge of the model stands for as part of a yarn [m^2]: half the quads beside
// it, or the triangles; where there are no faces the square of its length.
std::vector<double> edge_strips(const Model& model);

}  // namespace taut::forces

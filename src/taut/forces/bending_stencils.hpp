// Cuts a cloth into bending stencils: E = 1/2 sum_s w_s |sum_k c_k x_k|^2. Quads carry the
// curvature of the two yarns at each corner and their own twist; triangles, and edges that no yarn
// crosses, carry the hinges of Bergou et al. 2006. Built once from the rest shape, as if developed
// into the plane. The derivation is in docs/theory/isometric_bending.md.
#pragma once

#include <vector>

#include "taut/model/model.hpp"

namespace taut::forces {

struct BendingStencils {
    std::vector<int> start{0};  // stencil s owns the entries start[s] .. start[s+1]
    std::vector<int> vertex;
    std::vector<double> coefficient;  // c
    std::vector<double> weight;       // w, one per stencil, zero where it plays no part

    int count() const { return static_cast<int>(weight.size()); }
};

// Bending stiffness along warp and weft [N m], of cloths without a fabric; others have that of theirs.
BendingStencils bending_stencils(const Model& model, double warp, double weft);

}  // namespace taut::forces

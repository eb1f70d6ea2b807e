// Cloths of irregular triangles, without yarns: sheet, disc, tube and robe. Their texture coordinates are
// places in the flat cloth, which is their pattern unless the scene says otherwise. Parts and places are
// those of mesh/triangle_makers.hpp and mesh/robe.hpp. See docs/theory/triangle_meshes.md.
#pragma once

#include "taut/mesh/robe.hpp"
#include "taut/scene/registry.hpp"

namespace taut::scene {

struct IrregularSheetParams {
    double width = 1, height = 1;  // [m]
    mesh::FillParams fill;
};
struct DiscParams {
    double radius = 0.5;  // [m]
    mesh::FillParams fill;
};
struct TriangleTubeParams {
    double radius = 0.2, height = 0.6;  // [m]
    mesh::FillParams fill;
};

struct RobeClothParams : mesh::RobeParams {};

void describe(ParamList& list, IrregularSheetParams& params);
void describe(ParamList& list, DiscParams& params);
void describe(ParamList& list, TriangleTubeParams& params);
void describe(ParamList& list, RobeClothParams& params);

MadeCloth make_irregular_sheet_cloth(const IrregularSheetParams& params);
MadeCloth make_disc_cloth(const DiscParams& params);
MadeCloth make_triangle_tube_cloth(const TriangleTubeParams& params);
MadeCloth make_robe_cloth(const RobeClothParams& params);

}  // namespace taut::scene

#include "taut/scene/triangle_cloths.hpp"

#include <limits>
#include <utility>

#include "taut/base/parameter.hpp"

namespace taut::scene {
namespace {

// Beyond a kilometre or below a tenth of a millimetre it is a slip of units.
Range pattern_length() { return between(1e-4, 1000); }

void describe_fill(ParamList& list, mesh::FillParams& fill) {
    list.number("spacing", fill.spacing, "m", pattern_length(), "Length of edges, about.");
    list.number("irregularity", fill.irregularity, "1", between(0, 1),
                "0: a lattice of equilateral triangles; 1: edges prefer no direction.");
    list.integer("seed", fill.seed, "1", between(0, std::numeric_limits<int>::max()),
                 "Start of the random numbers that shake the lattice.");
}

MadeCloth cloth_of(mesh::MadePattern pattern) {
    MadeCloth cloth;
    cloth.made = std::move(pattern.made);
    cloth.flat_uv = true;
    for (mesh::MeshPart& part : pattern.parts)
        cloth.parts.push_back({std::move(part.name), std::move(part.vertices)});
    return cloth;
}

}  // namespace

void describe(ParamList& list, IrregularSheetParams& params) {
    list.number("width", params.width, "m", pattern_length(), "Length along u, the x axis at rest.");
    list.number("height", params.height, "m", pattern_length(), "Length along v, the y axis at rest.");
    describe_fill(list, params.fill);
}

void describe(ParamList& list, DiscParams& params) {
    list.number("radius", params.radius, "m", pattern_length(), "Radius.");
    describe_fill(list, params.fill);
}

void describe(ParamList& list, TriangleTubeParams& params) {
    list.number("radius", params.radius, "m", pattern_length(), "Radius.");
    list.number("height", params.height, "m", pattern_length(), "Height from the hem at z = 0 to the top.");
    describe_fill(list, params.fill);
}

void describe(ParamList& list, RobeClothParams& params) {
    const Range length = between(1e-3, 100);
    list.number("arm_span", params.arm_span, "m", length, "Width of the flat pattern from cuff to cuff.");
    list.number("cuff", params.cuff, "m", length, "Height of the flat sleeve at its end.");
    list.number("armhole", params.armhole, "m", length, "Height of the flat sleeve at the trunk.");
    list.number("chest", params.chest, "m", length, "Width of the flat trunk under the arms.");
    list.number("hem", params.hem, "m", length, "Width of the flat trunk at its lower end.");
    list.number("length", params.length, "m", length, "From the shoulder seam to the hem.");
    list.number("neck", params.neck, "m", length, "Width of the opening for the neck.");
    list.number("neck_depth", params.neck_depth, "m", between(0, 100),
                "How far that opening hangs below the shoulder seam in the middle.");
    list.number("shoulder", params.shoulder, "m", between(-1000, 1000),
                "Height of the shoulder seam above the floor.");
    list.number("trunk_radius", params.trunk_radius, "m", length, "Radius of the trunk to keep clear of.");
    list.number("arm_radius", params.arm_radius, "m", length, "Radius of arms and neck to keep clear of.");
    describe_fill(list, params.fill);
}

MadeCloth make_irregular_sheet_cloth(const IrregularSheetParams& params) {
    return cloth_of(mesh::make_irregular_sheet(params.width, params.height, params.fill));
}

MadeCloth make_disc_cloth(const DiscParams& params) {
    return cloth_of(mesh::make_disc(params.radius, params.fill));
}

MadeCloth make_triangle_tube_cloth(const TriangleTubeParams& params) {
    return cloth_of(mesh::make_triangle_tube(params.radius, params.height, params.fill));
}

MadeCloth make_robe_cloth(const RobeClothParams& params) { return cloth_of(mesh::make_robe(params)); }

}  // namespace taut::scene

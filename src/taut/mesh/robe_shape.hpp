// The front of a robe in the plane and in space; used by make_robe alone.
#pragma once

#include "taut/mesh/robe.hpp"

namespace taut::mesh {

// Distance of the robe from the body [m].
inline constexpr double robe_ease = 0.01;

// One of the two equal panels, u = x and v = z in its plane.
struct RobePanel {
    Filling filling;
    std::vector<char> on_seam;       // per vertex
    std::vector<MeshPart> openings;  // of one panel, from seam to seam, both ends among them
};

RobePanel cut_robe_panel(const RobeParams& params, double spacing);

// Places of the vertices of the front, y <= 0, those on seams at y = 0 [m].
Points shape_robe_panel(const RobeParams& params, const RobePanel& panel);

}  // namespace taut::mesh

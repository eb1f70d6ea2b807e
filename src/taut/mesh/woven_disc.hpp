// A disc cut from woven cloth: square cells about the center, weft along x and warp along y, with triangles
// where the rim cuts a cell. The rim is made of cells; their number is chosen so that the area is that of the
// disc as nearly as cells allow. Used where fabrics are draped: warp and weft are all whole cells long.
#pragma once

#include <vector>

#include "taut/mesh/makers.hpp"

namespace taut::mesh {

struct WovenDisc {
    MadeMesh made;            // in the plane z = 0 about the origin
    std::vector<int> center;  // vertex at the origin
    std::vector<int> clamp;   // vertices under a round clamp, chosen so that the cells under it have its area
    std::vector<int> rim;     // vertices of edges with one face
};

// `across` cells along a diameter, an even number of at least 4; clamp: radius, 0: none. Throws InputError.
WovenDisc make_woven_disc(double radius, int across, double clamp);  // [m]

}  // namespace taut::mesh

// Ready-made cloths: rectangular grids, polylines (chains) and cones or cylinders, each with its
// rest positions and its net of warp and weft yarns. Vertex (i, j) has index j * nu + i.
// All makers throw InputError on sizes that make no cloth.
#pragma once

#include "taut/base/vec.hpp"
#include "taut/mesh/mesh.hpp"

namespace taut::mesh {

struct MadeMesh {
    PolygonMesh mesh;
    Points rest;  // [m]
    Net net;
};

// Sheet of nu x nv vertices (each >= 2) in the plane z = 0, first corner at the origin; i runs along x
// (weft edges), j along y (warp edges). All rest lengths of a direction are the same double: the spacing
// is rounded (below 1e-15 * nu relative) so that every coordinate is an exact multiple of it.
MadeMesh make_grid(int nu, int nv, double width, double height);  // width, height [m]

// Splits every quad along the diagonal from its first corner into two triangles; the diagonals are edges of
// no direction, behind all others.
void split_quads(MadeMesh& made);

// Chain of vertices >= 2 along x from the origin: no faces, one open warp yarn, equal links.
MadeMesh make_polyline(int vertices, double length);  // length [m]

// Net around the z axis: closed weft yarns of `around` >= 3 vertices, open warp yarns of `along` >= 2
// vertices, from z = height (radius_top) down to z = 0 (radius_bottom). Normals point outwards.
MadeMesh make_cone(int around, int along, double radius_top, double radius_bottom, double height);  // [m]

// links + 1 points in the plane y = 0 on a parabola that opens upwards, from (0, 0, 0) to (chord, 0, 0);
// every link measures link_length up to rounding of the coordinates. chord = links * link_length gives
// a straight line; a longer chord, or for odd links a chord below one link, throws InputError.
Points sag_profile(int links, double link_length, double chord);  // [m]

}  // namespace taut::mesh

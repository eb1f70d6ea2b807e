// The zero set of a smooth function in space as a closed mesh of even triangles. A lattice of tetrahedra
// finds the surface (Doi and Koide 1991: each is cut in one triangle or one quad, so the mesh is closed
// and manifold by construction); then edges are split, collapsed and flipped towards a wanted length and
// vertices slide along the surface (Botsch and Kobbelt 2004). Where we depart: vertices return to the
// zero set by Newton's method rather than to a fine mesh, and the last flips are Delaunay's.
#pragma once

#include <functional>

#include "taut/mesh/triangle_net.hpp"

namespace taut::mesh {

// Negative inside, positive outside; near the surface about the distance to it [m].
using Field = std::function<double(const Vec3&)>;

struct ImplicitSurfaceParams {
    Vec3 low = Vec3::Zero(),
         high = Vec3::Zero();  // box around the surface, which must not reach its sides [m]
    double cell = 0.01;        // spacing of the lattice [m]; walls and gaps thinner than it may be lost
    double steepness = 1.25;   // bound on the slope of the field: cells are passed over by it
    Field edge_length;         // wanted length of edges at a place [m]; empty: the spacing
    int rounds = 10;           // of splitting, collapsing, flipping and sliding
    int finish = 8;            // of flipping and sliding, at the end
};

// The same bits on every call. Throws InputError without a surface in the box, or where it is cut off.
TriangleSurface implicit_surface(const Field& field, const ImplicitSurfaceParams& params);

}  // namespace taut::mesh

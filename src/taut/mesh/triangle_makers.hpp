// Ready-made cloths of irregular triangles: sheets, discs, tubes. No edge has a direction and there are no
// yarns. Texture coordinates are places in the flat pattern in metres, u along the weft, v along the warp:
// what a triangle measures there is its rest shape. The robe is in robe.hpp.
#pragma once

#include <string>
#include <vector>

#include "taut/mesh/irregular.hpp"
#include "taut/mesh/makers.hpp"

namespace taut::mesh {

// Vertices with a name, in order along an edge.
struct MeshPart {
    std::string name;
    std::vector<int> vertices;
};

struct MadePattern {
    MadeMesh made;
    std::vector<MeshPart> parts;
};

// A rectangle in the plane z = 0, first corner at the origin, u along x and v along y [m]. Parts: the edges
// "u0", "u1", "v0", "v1", each in ascending order, and the corners "u0v0", "u1v0", "u0v1", "u1v1".
MadePattern make_irregular_sheet(double width, double height, const FillParams& fill);

// A disc in the plane z = 0 about the origin, u along x and v along y [m]. Part: "rim", counterclockwise.
MadePattern make_disc(double radius, const FillParams& fill);

// A tube around the z axis from z = 0 up to z = height [m], without a seam: u is the length around, beyond
// the whole where a face reaches over the x axis, v = z. Normals point outwards. Parts: "hem" and "top".
MadePattern make_triangle_tube(double radius, double height, const FillParams& fill);

// Fills in the net of a mesh of triangles: all its edges, without direction, and no yarns.
void set_plain_net(MadeMesh& made);

}  // namespace taut::mesh

// Lumped masses: every face gives its area to its corners, every line half its length to each end.
// Quads are bilinear patches; a corner's share is the integral of its shape function over the patch.
#pragma once

#include <span>
#include <vector>

#include "taut/base/vec.hpp"
#include "taut/mesh/mesh.hpp"

namespace taut::mesh {

std::vector<double> vertex_areas(const PolygonMesh& mesh, ConstPoints rest);  // [m^2], n; sums to the area
std::vector<double> pattern_areas(const PolygonMesh& mesh);  // the same of texture coordinates, in their unit
std::vector<double> vertex_lengths(const PolygonMesh& mesh, ConstPoints rest);  // [m], n; of lines only

// Whose areas are weighed: those of the rest shape in space, or those of texture coordinates in metres.
enum class AreaOf { rest, pattern };

// Masses [kg] from areal density [kg/m^2] of faces and linear density [kg/m] of lines. Throws InputError
// on a density that is not positive where it is used, and on a vertex that ends up without mass.
std::vector<double> lumped_mass(const PolygonMesh& mesh, ConstPoints rest, double areal, double linear,
                                AreaOf area = AreaOf::rest);

// The same with one areal density per vertex.
std::vector<double> lumped_mass(const PolygonMesh& mesh, ConstPoints rest, std::span<const double> areal,
                                double linear, AreaOf area = AreaOf::rest);

}  // namespace taut::mesh

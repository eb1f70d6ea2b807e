// Yarns: the paths of warp and weft edges through a mesh. A yarn runs through every vertex that has
// exactly two edges of its direction and where it does not turn back; where three or more edges of one
// direction meet (irregular vertices) all yarns of that direction end. Hence yarns of one direction
// share no vertex but such ends, and no yarn visits a vertex twice.
#pragma once

#include <vector>

#include "taut/mesh/topology.hpp"

namespace taut::mesh {

// Paths over all warp and weft edges, weft yarns first, each kind by its lowest edge. Two edges that
// share no face continue each other whatever the angle; two sides of one face up to a turn of 60 degrees.
std::vector<Yarn> trace_yarns(const std::vector<Edge>& edges, ConstPoints rest);

// Topology, warp and weft, and yarns in one go; edges are those of build_topology. Throws InputError if
// the mesh has errors (find_problems); `warnings` receives what a user should know, if asked for.
Net trace_net(const PolygonMesh& mesh, ConstPoints rest, std::vector<MeshProblem>* warnings = nullptr);

}  // namespace taut::mesh

// Which edges are warp, which are weft, which are neither. With texture coordinates: edges along v
// are warp, along u weft, anything oblique is neither. Without: the two grid directions of quads are
// traced from face to face (opposite edges alike, adjacent edges different, hence edges alternate
// around a regular vertex); triangles pass nothing on. Edges that are neither keep no length: a mesh
// whose every triangle edge did would lock (Goldenthal 2007, section 3).
#pragma once

#include <vector>

#include "taut/mesh/topology.hpp"

namespace taut::mesh {

struct WarpWeft {
    std::vector<Direction> direction;  // one per edge of the topology; lines of no face are warp
    bool from_uv = false;              // texture coordinates decided
    bool triangles_only = false;       // there are faces, but no quad among them
    std::vector<int> conflicts;        // edges whose two faces ask for different directions
};

// Without texture coordinates the steeper of the two directions of a part (along z, then y) is called warp.
WarpWeft classify_edges(const PolygonMesh& mesh, const Topology& topology, ConstPoints rest);

// What a user should know about the result: warnings only, empty for a plain quad mesh.
std::vector<MeshProblem> find_problems(const PolygonMesh& mesh, const Topology& topology,
                                       const WarpWeft& classes);

}  // namespace taut::mesh

// Can unstretched cloth hold its pins? Two points of cloth are never farther apart than the shortest
// path along warp and weft edges. Pins beyond that are in conflict; pins exactly at that distance pull
// the path between them straight and hold every vertex on it. Cloth that may stretch a little reaches as much
// farther.
//
// Only pairs whose shortest path runs over no third pin are judged: any other pair follows from its
// pieces. Cost: one Dijkstra search per pin that has a free neighbour, which leaves out detours
// (g - rest distance) above the most by which pins moved apart since rest. Pins that keep their mutual
// rest distances, such as a whole pinned edge, cost O(pins^2 + pins * vertices on a straight row).
#pragma once

#include <span>
#include <vector>

#include "taut/base/vec.hpp"
#include "taut/mesh/mesh.hpp"

namespace taut::mesh {

// How much cloth may stretch between pins, relative to its length.
struct PinStretch {
    double edges = 0;  // both ends pinned
    double rows = 0;   // paths with free vertices on them
};

// Two pinned vertices farther apart than cloth can reach, by more than 1e-9 relative.
struct PinConflict {
    int a, b;                // vertices, a < b
    double distance, reach;  // [m]; the reach of unstretched cloth
};

// Two pinned vertices with free ones between, as far apart as unstretched cloth can reach, within 1e-6
// relative, or farther where cloth may stretch.
struct RigidRow {
    int a, b;                   // vertices, a < b
    double distance, reach;     // [m]
    int yarn = -1;              // index of the yarn that is the row; -1 if the path uses several
    std::vector<int> vertices;  // the path from a to b, both included
    std::vector<int> edges;     // the edges of that path
};

struct PinReach {
    std::vector<PinConflict> conflicts;  // the largest relative excess first
    std::vector<RigidRow> rigid_rows;    // by a, then b
    bool complete = true;                // false: so much work that far pairs of some pins were left out
};

// pins: vertices, no particular order; a vertex named twice counts once, at its first target [m].
PinReach check_pins(const std::vector<Edge>& edges, const std::vector<Yarn>& yarns, ConstPoints rest,
                    std::span<const int> pins, ConstPoints targets, PinStretch stretch = {});

}  // namespace taut::mesh

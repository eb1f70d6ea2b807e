// Which pairs of primitives can come close within a step: every pair of a vertex and a triangle, and of two
// edges, whose distance can fall below what their bodies keep plus a slack, is among the pairs found; with
// the slack they stay complete while ends of the step move by less than half of it. Neighbours (a vertex and
// its own triangle, edges with a common vertex) and pairs of obstacles are left out. The same pairs in the
// same order for any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/collision/cluster_tree.hpp"
#include "taut/collision/surface.hpp"

namespace taut::collision {

// Points of a pair: vertex, then the corners of the triangle; or the ends of one edge, then of the other.
using PairPoints = std::array<int, 4>;

struct Pairs {
    std::vector<PairPoints> vertex_face, edge_edge;
};

class BroadPhase {
public:
    // rest: of all points of the surface, obstacles included [m]; the surface must outlive this.
    void prepare(const Surface& surface, ConstPoints rest);

    // x_start, x_end: of all points [m]. slack [m] >= 0. With `changed`, a flag for each point, only pairs
    // with a point that is: those to be found again when few ends have moved.
    void find(ConstPoints x_start, ConstPoints x_end, double slack, Pairs& pairs,
              std::span<const std::uint8_t> changed = {});

private:
    struct Query {
        ConstPoints x_start, x_end;
        double slack;
        std::span<const std::uint8_t> changed;

        bool skips(const PairPoints& q) const;
    };
    void cluster_pairs(int cluster, const Query& query, Pairs& pairs) const;
    void cross(const ClusterTree& other, int a, int b, const Query& query, Pairs& pairs) const;
    void mark_clusters(std::span<const std::uint8_t> changed);

    const Surface* surface_ = nullptr;
    ClusterTree cloth_, solid_;
    std::vector<MovingBox> point_box_;
    std::vector<Pairs> found_;                    // one per block of clusters
    std::vector<std::uint8_t> changed_clusters_;  // of the cloth
};

// True if a point of the pair has a flag.
bool has_flag(const PairPoints& q, std::span<const std::uint8_t> flags);

// Distance that the bodies of two points keep [m].
double kept_distance(const Surface& surface, int a, int b);

}  // namespace taut::collision

// A bounding-volume hierarchy over clusters of a few neighbouring triangles. Every vertex, edge and triangle
// belongs to exactly one cluster, so a pair of primitives is met exactly once, in one pair of clusters. Built
// once from the rest shape; boxes are refitted to every step. Nodes lie in depth-first order: a walk goes
// on to the next node, or skips the branch.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "taut/collision/moving_box.hpp"

namespace taut::collision {

// What a tree is built over; indices of points are global.
struct TreeInput {
    std::span<const std::array<int, 3>> triangles;
    std::span<const std::array<int, 2>> edges;
    std::span<const int> body;  // of each point: clusters do not mix bodies
    ConstPoints rest;           // of each point [m]: neighbours there share a cluster
    int first_point = 0, last_point = 0;
};

class ClusterTree {
public:
    // A run of the ordered lists below.
    struct Cluster {
        int first_vertex = 0, last_vertex = 0;
        int first_edge = 0, last_edge = 0;
        int first_triangle = 0, last_triangle = 0;
        MovingBox box;
    };

    void build(const TreeInput& input);
    bool empty() const { return clusters_.empty(); }
    int size() const { return static_cast<int>(clusters_.size()); }

    // Fits all boxes to the boxes of the points.
    void refit(std::span<const MovingBox> point_box);

    const Cluster& cluster(int c) const { return clusters_[static_cast<std::size_t>(c)]; }
    const std::vector<int>& vertices() const { return vertices_; }
    const std::vector<std::array<int, 2>>& edges() const { return edges_; }
    const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
    // Boxes in the order of these lists.
    const std::vector<MovingBox>& vertex_boxes() const { return vertex_box_; }
    const std::vector<MovingBox>& edge_boxes() const { return edge_box_; }
    const std::vector<MovingBox>& triangle_boxes() const { return triangle_box_; }

    // Calls found(cluster) for all clusters from `first` on whose box may meet `box`, in ascending order.
    template <class Found>
    void each_meeting(const MovingBox& box, int first, Found&& found) const {
        const int count = static_cast<int>(nodes_.size());
        for (int i = 0; i < count;) {
            const Node& node = nodes_[static_cast<std::size_t>(i)];
            if (node.last_cluster < first || node.box.apart(box)) {
                i = node.skip;
                continue;
            }
            if (node.skip == i + 1) found(node.last_cluster);
            ++i;
        }
    }

private:
    struct Node {
        MovingBox box;
        int skip = 0;          // the node after this branch
        int last_cluster = 0;  // of this branch; the cluster itself in a leaf
    };

    void split(const TreeInput& input, std::span<int> order, ConstPoints middle);
    void fill_clusters(const TreeInput& input);

    std::vector<Node> nodes_;
    std::vector<Cluster> clusters_;
    std::vector<int> vertices_;
    std::vector<std::array<int, 2>> edges_;
    std::vector<std::array<int, 3>> triangles_;
    std::vector<MovingBox> vertex_box_, edge_box_, triangle_box_;
};

}  // namespace taut::collision

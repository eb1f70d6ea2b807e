#include "taut/collision/cluster_tree.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "taut/base/parallel.hpp"

namespace taut::collision {
namespace {

// Triangles in a cluster. Fewer make the walks longer, more the tests between two clusters; flat around 8.
constexpr std::size_t cluster_size = 8;

// Clusters of one task when boxes are fitted.
constexpr std::size_t fit_block = 128;

// The last of the clusters that own the points.
template <std::size_t N>
int owner(const std::vector<int>& first_cluster, const std::array<int, N>& points) {
    int cluster = first_cluster[static_cast<std::size_t>(points[0])];
    for (const int p : points) cluster = std::max(cluster, first_cluster[static_cast<std::size_t>(p)]);
    return cluster;
}

}  // namespace

// Splits a run of triangles in two until it fits a cluster: bodies from each other first, then halves along
// the longest side of the box around the middles.
void ClusterTree::split(const TreeInput& input, std::span<int> order, ConstPoints middle) {
    const std::size_t node = nodes_.size();
    nodes_.emplace_back();
    const auto body_of = [&](int t) {
        return input.body[static_cast<std::size_t>(input.triangles[static_cast<std::size_t>(t)][0])];
    };
    const bool mixed = body_of(order.front()) != body_of(order.back());
    if (order.size() <= cluster_size && !mixed) {
        Cluster cluster;
        cluster.first_triangle = static_cast<int>(triangles_.size());
        for (const int t : order) triangles_.push_back(input.triangles[static_cast<std::size_t>(t)]);
        cluster.last_triangle = static_cast<int>(triangles_.size());
        clusters_.push_back(cluster);
    } else {
        std::size_t half = order.size() / 2;
        if (mixed) {
            // Cut between two bodies, near the middle; the order is by bodies.
            const auto same = [&](std::size_t k) { return body_of(order[k]) == body_of(order[k - 1]); };
            std::size_t up = half, down = half;
            while (up < order.size() && same(up)) ++up;
            while (down > 0 && same(down)) --down;
            half = up < order.size() ? up : down;
        } else {
            Eigen::AlignedBox3d box;
            for (const int t : order) box.extend(middle[static_cast<std::size_t>(t)]);
            int axis = 0;
            box.sizes().maxCoeff(&axis);
            std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half), order.end(),
                             [&](int a, int b) {
                                 const double u = middle[static_cast<std::size_t>(a)][axis],
                                              v = middle[static_cast<std::size_t>(b)][axis];
                                 return u != v ? u < v : a < b;
                             });
        }
        split(input, order.first(half), middle);
        split(input, order.subspan(half), middle);
    }
    nodes_[node].skip = static_cast<int>(nodes_.size());
    nodes_[node].last_cluster = static_cast<int>(clusters_.size()) - 1;
}

// Gives every vertex to the first cluster that uses it, every edge to one of its vertices' clusters.
void ClusterTree::fill_clusters(const TreeInput& input) {
    std::vector<int> home(input.body.size(), -1);
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        for (int t = clusters_[c].first_triangle; t < clusters_[c].last_triangle; ++t) {
            for (const int p : triangles_[static_cast<std::size_t>(t)]) {
                int& h = home[static_cast<std::size_t>(p)];
                if (h < 0) h = static_cast<int>(c);
            }
        }
    }

    // Points and edges that belong to no triangle make clusters of their own: cores of balls and capsules.
    const auto lone_cluster = [&] {
        Cluster cluster;
        cluster.first_triangle = cluster.last_triangle = static_cast<int>(triangles_.size());
        clusters_.push_back(cluster);
        Node leaf;
        leaf.skip = static_cast<int>(nodes_.size()) + 1;
        leaf.last_cluster = static_cast<int>(clusters_.size()) - 1;
        nodes_.push_back(leaf);
        return leaf.last_cluster;
    };
    for (const auto& e : input.edges) {
        int &a = home[static_cast<std::size_t>(e[0])], &b = home[static_cast<std::size_t>(e[1])];
        if (a < 0 && b < 0) a = b = lone_cluster();
    }
    for (int p = input.first_point; p < input.last_point; ++p) {
        if (home[static_cast<std::size_t>(p)] < 0) home[static_cast<std::size_t>(p)] = lone_cluster();
    }

    // Sort vertices and edges by cluster.
    std::vector<std::array<int, 2>> vertex_at, edge_at;
    for (int p = input.first_point; p < input.last_point; ++p) {
        vertex_at.push_back({home[static_cast<std::size_t>(p)], p});
    }
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        edge_at.push_back({owner(home, input.edges[e]), static_cast<int>(e)});
    }
    std::sort(vertex_at.begin(), vertex_at.end());
    std::sort(edge_at.begin(), edge_at.end());
    std::size_t v = 0, e = 0;
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        clusters_[c].first_vertex = static_cast<int>(vertices_.size());
        clusters_[c].first_edge = static_cast<int>(edges_.size());
        for (; v < vertex_at.size() && vertex_at[v][0] == static_cast<int>(c); ++v) {
            vertices_.push_back(vertex_at[v][1]);
        }
        for (; e < edge_at.size() && edge_at[e][0] == static_cast<int>(c); ++e) {
            edges_.push_back(input.edges[static_cast<std::size_t>(edge_at[e][1])]);
        }
        clusters_[c].last_vertex = static_cast<int>(vertices_.size());
        clusters_[c].last_edge = static_cast<int>(edges_.size());
    }
}

void ClusterTree::build(const TreeInput& input) {
    *this = ClusterTree();
    Points middle;
    for (const auto& t : input.triangles) {
        middle.push_back((input.rest[static_cast<std::size_t>(t[0])] +
                          input.rest[static_cast<std::size_t>(t[1])] +
                          input.rest[static_cast<std::size_t>(t[2])]) /
                         3);
    }
    std::vector<int> order(input.triangles.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return input.body[static_cast<std::size_t>(input.triangles[static_cast<std::size_t>(a)][0])] <
               input.body[static_cast<std::size_t>(input.triangles[static_cast<std::size_t>(b)][0])];
    });
    if (!order.empty()) split(input, order, middle);
    fill_clusters(input);
    vertex_box_.resize(vertices_.size());
    edge_box_.resize(edges_.size());
    triangle_box_.resize(triangles_.size());
}

void ClusterTree::refit(std::span<const MovingBox> point_box) {
    const auto box_of = [&](int p) -> const MovingBox& { return point_box[static_cast<std::size_t>(p)]; };
    parallel_for(
        clusters_.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t c = begin; c < end; ++c) {
                Cluster& cluster = clusters_[c];
                cluster.box = MovingBox();
                for (auto v = static_cast<std::size_t>(cluster.first_vertex);
                     v < static_cast<std::size_t>(cluster.last_vertex); ++v) {
                    vertex_box_[v] = box_of(vertices_[v]);
                    cluster.box.add(vertex_box_[v]);
                }
                for (auto e = static_cast<std::size_t>(cluster.first_edge);
                     e < static_cast<std::size_t>(cluster.last_edge); ++e) {
                    edge_box_[e] = box_of(edges_[e][0]);
                    edge_box_[e].add(box_of(edges_[e][1]));
                    cluster.box.add(edge_box_[e]);
                }
                for (auto t = static_cast<std::size_t>(cluster.first_triangle);
                     t < static_cast<std::size_t>(cluster.last_triangle); ++t) {
                    triangle_box_[t] = box_of(triangles_[t][0]);
                    triangle_box_[t].add(box_of(triangles_[t][1]));
                    triangle_box_[t].add(box_of(triangles_[t][2]));
                    cluster.box.add(triangle_box_[t]);
                }
            }
        },
        fit_block);

    // Join the boxes upwards: a branch has its first child next to it, the second after that one's branch.
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        Node& node = nodes_[i];
        if (node.skip == static_cast<int>(i) + 1) {
            node.box = clusters_[static_cast<std::size_t>(node.last_cluster)].box;
            continue;
        }
        node.box = nodes_[i + 1].box;
        node.box.add(nodes_[static_cast<std::size_t>(nodes_[i + 1].skip)].box);
    }
}

}  // namespace taut::collision

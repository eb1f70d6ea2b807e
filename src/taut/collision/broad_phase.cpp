#include "taut/collision/broad_phase.hpp"

#include <algorithm>

#include "taut/base/parallel.hpp"
#include "taut/collision/pair_motion.hpp"

namespace taut::collision {
namespace {

// Clusters of one task.
constexpr std::size_t task_clusters = 32;

}  // namespace

bool has_flag(const PairPoints& q, std::span<const std::uint8_t> flags) {
    return std::any_of(q.begin(), q.end(), [&](int p) { return flags[static_cast<std::size_t>(p)] != 0; });
}

double kept_distance(const Surface& surface, int a, int b) {
    const Body &p = surface.body_of(a), &q = surface.body_of(b);
    return p.radius + q.radius + 0.5 * (p.thickness + q.thickness);
}

void BroadPhase::prepare(const Surface& surface, ConstPoints rest) {
    surface_ = &surface;
    // Cloths come first in every list of the surface.
    const auto cloth_triangles =
        static_cast<std::size_t>(std::find_if(surface.triangles.begin(), surface.triangles.end(),
                                              [&](const auto& t) { return !surface.is_cloth(t[0]); }) -
                                 surface.triangles.begin());
    const auto cloth_edges =
        static_cast<std::size_t>(std::find_if(surface.edges.begin(), surface.edges.end(),
                                              [&](const auto& e) { return !surface.is_cloth(e[0]); }) -
                                 surface.edges.begin());
    const auto triangles = std::span(surface.triangles);
    const auto edges = std::span(surface.edges);
    cloth_.build({triangles.first(cloth_triangles), edges.first(cloth_edges), surface.body, rest, 0,
                  surface.cloth_points});
    solid_.build({triangles.subspan(cloth_triangles), edges.subspan(cloth_edges), surface.body, rest,
                  surface.cloth_points, surface.points});
    point_box_.resize(static_cast<std::size_t>(surface.points));
}

// Tests the primitives of cloth cluster a against those of cluster b of a tree; where it is the same
// cluster, every pair once.
void BroadPhase::cross(const ClusterTree& other, int a, int b, const Query& query, Pairs& pairs) const {
    const ClusterTree::Cluster &own = cloth_.cluster(a), &second = other.cluster(b);
    const bool same = &other == &cloth_ && a == b;
    const auto try_face = [&](int vertex, const std::array<int, 3>& t) {
        if (vertex == t[0] || vertex == t[1] || vertex == t[2]) return;
        const PairPoints q{vertex, t[0], t[1], t[2]};
        if (query.skips(q)) return;
        const double reach = kept_distance(*surface_, vertex, t[0]) + query.slack;
        if (!stays_apart(PairKind::vertex_face, q, query.x_start, query.x_end, reach))
            pairs.vertex_face.push_back(q);
    };
    const auto vertices_against = [&](const ClusterTree& tree, const ClusterTree::Cluster& from,
                                      const ClusterTree& into, const ClusterTree::Cluster& to) {
        for (auto v = static_cast<std::size_t>(from.first_vertex);
             v < static_cast<std::size_t>(from.last_vertex); ++v) {
            const MovingBox& box = tree.vertex_boxes()[v];
            if (box.apart(to.box)) continue;
            for (auto t = static_cast<std::size_t>(to.first_triangle);
                 t < static_cast<std::size_t>(to.last_triangle); ++t) {
                if (!box.apart(into.triangle_boxes()[t])) try_face(tree.vertices()[v], into.triangles()[t]);
            }
        }
    };
    vertices_against(cloth_, own, other, second);
    if (!same) vertices_against(other, second, cloth_, own);

    for (auto e = static_cast<std::size_t>(own.first_edge); e < static_cast<std::size_t>(own.last_edge);
         ++e) {
        const MovingBox& box = cloth_.edge_boxes()[e];
        if (box.apart(second.box)) continue;
        const auto& p = cloth_.edges()[e];
        for (auto f = same ? e + 1 : static_cast<std::size_t>(second.first_edge);
             f < static_cast<std::size_t>(second.last_edge); ++f) {
            if (box.apart(other.edge_boxes()[f])) continue;
            const auto& r = other.edges()[f];
            if (p[0] == r[0] || p[0] == r[1] || p[1] == r[0] || p[1] == r[1]) continue;
            const PairPoints q{p[0], p[1], r[0], r[1]};
            if (query.skips(q)) continue;
            const double reach = kept_distance(*surface_, p[0], r[0]) + query.slack;
            if (!stays_apart(PairKind::edge_edge, q, query.x_start, query.x_end, reach))
                pairs.edge_edge.push_back(q);
        }
    }
}

bool BroadPhase::Query::skips(const PairPoints& q) const { return !changed.empty() && !has_flag(q, changed); }

// Pairs of a cluster with itself and those after it; with those before it where they are not looked at.
void BroadPhase::cluster_pairs(int cluster, const Query& query, Pairs& pairs) const {
    const bool all = query.changed.empty();
    if (!all && !changed_clusters_[static_cast<std::size_t>(cluster)]) return;
    const MovingBox& box = cloth_.cluster(cluster).box;
    cloth_.each_meeting(box, all ? cluster : 0, [&](int other) {
        if (other < cluster && changed_clusters_[static_cast<std::size_t>(other)]) return;
        cross(cloth_, std::min(cluster, other), std::max(cluster, other), query, pairs);
    });
    solid_.each_meeting(box, 0, [&](int other) { cross(solid_, cluster, other, query, pairs); });
}

void BroadPhase::mark_clusters(std::span<const std::uint8_t> changed) {
    const auto is_changed = [&](int p) { return changed[static_cast<std::size_t>(p)] != 0; };
    const auto any = [&](const auto& parts, int first, int last) {
        return std::any_of(parts.begin() + first, parts.begin() + last, [&](const auto& points) {
            return std::any_of(points.begin(), points.end(), is_changed);
        });
    };
    changed_clusters_.resize(static_cast<std::size_t>(cloth_.size()));
    for (int c = 0; c < cloth_.size(); ++c) {
        const ClusterTree::Cluster& k = cloth_.cluster(c);
        const auto vertices = std::span(cloth_.vertices());
        changed_clusters_[static_cast<std::size_t>(c)] =
            std::any_of(vertices.begin() + k.first_vertex, vertices.begin() + k.last_vertex, is_changed) ||
            any(cloth_.edges(), k.first_edge, k.last_edge) ||
            any(cloth_.triangles(), k.first_triangle, k.last_triangle);
    }
}

void BroadPhase::find(ConstPoints x_start, ConstPoints x_end, double slack, Pairs& pairs,
                      std::span<const std::uint8_t> changed) {
    const Query query{x_start, x_end, slack, changed};
    if (!changed.empty()) mark_clusters(changed);

    // Two boxes with half of what a pair keeps around each point meet where the pair may.
    parallel_for(point_box_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            const Body& body = surface_->body_of(static_cast<int>(p));
            point_box_[p] =
                moving_box(x_start[p], x_end[p], body.radius + 0.5 * body.thickness + 0.5 * slack);
        }
    });
    cloth_.refit(point_box_);
    solid_.refit(point_box_);

    const auto clusters = static_cast<std::size_t>(cloth_.size());
    found_.resize((clusters + task_clusters - 1) / task_clusters);
    parallel_for(
        clusters,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t c = begin; c < end; ++c) {
                Pairs& own = found_[c / task_clusters];
                if (c % task_clusters == 0) {
                    own.vertex_face.clear();
                    own.edge_edge.clear();
                }
                cluster_pairs(static_cast<int>(c), query, own);
            }
        },
        task_clusters);
    pairs.vertex_face.clear();
    pairs.edge_edge.clear();
    for (const Pairs& part : found_) {
        pairs.vertex_face.insert(pairs.vertex_face.end(), part.vertex_face.begin(), part.vertex_face.end());
        pairs.edge_edge.insert(pairs.edge_edge.end(), part.edge_edge.begin(), part.edge_edge.end());
    }
}

}  // namespace taut::collision

#include "taut/forces/bend_springs.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "taut/base/parallel.hpp"
#include "taut/elements/spring.hpp"
#include "taut/forces/incidence.hpp"
#include "taut/forces/vertex_fan.hpp"

namespace taut::forces {
namespace {

using Pairs = std::vector<std::array<int, 2>>;

// Vertices k and k + 2 of every yarn, past the end of those that are closed.
void pair_along_yarns(const Model& model, Pairs& pairs) {
    for (const mesh::Yarn& yarn : model.yarns) {
        const std::size_t n = yarn.vertex.size();
        for (std::size_t k = 0; yarn.closed ? k < n : k + 2 < n; ++k)
            pairs.push_back({yarn.vertex[k], yarn.vertex[(k + 2) % n]});
    }
}

// The corner of a quad across from `vertex`, if p and q are its neighbours there; else -1.
int far_corner(const mesh::Face& quad, int vertex, int p, int q) {
    for (int k = 0; k < 4; ++k) {
        const int next = quad.corner[(k + 1) % 4], last = quad.corner[(k + 3) % 4];
        if (quad.corner[k] != vertex) continue;
        if ((next == p && last == q) || (next == q && last == p)) return quad.corner[(k + 2) % 4];
    }
    return -1;
}

// Far corners of opposite quads, where four quads close around a vertex.
void pair_across_vertices(const Model& model, Pairs& pairs) {
    const Incidence faces_of = faces_of_vertices(model);
    for (int v = 0; v < model.vertex_count(); ++v) {
        const auto faces = faces_of.of(std::size_t(v));
        const VertexFan fan = vertex_fan(model, faces, v);
        if (fan.size != 4 || !fan.closed) continue;
        std::array<int, 4> far{-1, -1, -1, -1};
        for (int k = 0; k < 4; ++k) {
            for (int f : faces) {
                far[k] = std::max(far[k],
                                  far_corner(model.faces[f], v, fan.neighbor[k], fan.neighbor[(k + 1) % 4]));
            }
        }
        pairs.push_back({far[0], far[2]});
        pairs.push_back({far[1], far[3]});
    }
}

// The two vertices opposite an edge that two triangles share, whatever its direction.
void pair_across_edges(const Model& model, Pairs& pairs) {
    for (const mesh::Edge& edge : model.edges) {
        std::array<int, 2> apex{-1, -1};
        for (int side = 0; side < 2; ++side) {
            const int f = edge.face[side];
            if (f < 0 || model.faces[f].size() != 3) continue;
            for (int k = 0; k < 3; ++k) {
                const int corner = model.faces[f].corner[k];
                if (corner != edge.a && corner != edge.b) apex[side] = corner;
            }
        }
        if (apex[0] >= 0 && apex[1] >= 0) pairs.push_back(apex);
    }
}

// Lower vertex first, ascending, each once.
void sort_pairs(Pairs& pairs) {
    for (auto& [a, b] : pairs) {
        if (a > b) std::swap(a, b);
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace

void describe(ParamList& list, BendSpringsParams& params) {
    list.number("stiffness", params.stiffness, "N/m", non_negative(), "Stiffness of each bend spring.");
}

void BendSprings::prepare(const Model& model) {
    // Find the pairs; small rings and closed meshes give the same one twice, or both ends of an edge.
    Pairs pairs, edges;
    pair_along_yarns(model, pairs);
    pair_across_vertices(model, pairs);
    pair_across_edges(model, pairs);
    for (const mesh::Edge& edge : model.edges) edges.push_back({edge.a, edge.b});
    sort_pairs(pairs);
    sort_pairs(edges);
    std::erase_if(pairs, [](const auto& pair) { return pair[0] == pair[1]; });
    ends_.clear();
    std::set_difference(pairs.begin(), pairs.end(), edges.begin(), edges.end(), std::back_inserter(ends_));

    // Measure them at rest, and list them at their vertices.
    rest_length_.clear();
    std::vector<int> members;
    for (const auto& [a, b] : ends_) {
        rest_length_.push_back((model.rest[b] - model.rest[a]).norm());
        members.insert(members.end(), {a, b});
    }
    incident_ = places_of_vertices(model.vertex_count(), members);
}

void BendSprings::add_force(const ForceInput& in, PointsView f) const {
    parallel_for(f.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Vec3 sum = Vec3::Zero();
            for (int k : incident_.of(i)) {
                const std::size_t s = std::size_t(k) / 2;
                sum += elements::spring_gradient(params_.stiffness, rest_length_[s],
                                                 in.x[ends_[s][1 - k % 2]] - in.x[i]);
            }
            f[i] += sum;
        }
    });
}

double BendSprings::energy(ConstPoints x) const {
    return parallel_sum(ends_.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t s = begin; s < end; ++s) {
            sum +=
                elements::spring_energy(params_.stiffness, rest_length_[s], x[ends_[s][1]] - x[ends_[s][0]]);
        }
        return sum;
    });
}

void BendSprings::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    const double k = elements::spring_majorant(params_.stiffness);
    if (k == 0) return;
    triplets.reserve(triplets.size() + 4 * ends_.size());
    for (const auto& [a, b] : ends_) {
        triplets.push_back({a, a, k});
        triplets.push_back({b, b, k});
        triplets.push_back({a, b, -k});
        triplets.push_back({b, a, -k});
    }
}

void BendSprings::add_pattern(std::vector<std::array<int, 2>>& pairs) const {
    pairs.insert(pairs.end(), ends_.begin(), ends_.end());
}

void BendSprings::add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const {
    for (std::size_t s = 0; s < ends_.size(); ++s) {
        const auto [a, b] = ends_[s];
        hessian.add_pair(
            a, b,
            scale * elements::spring_hessian_positive(params_.stiffness, rest_length_[s], in.x[b] - in.x[a]));
    }
}

}  // namespace taut::forces

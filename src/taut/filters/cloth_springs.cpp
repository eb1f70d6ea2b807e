#include "taut/filters/cloth_springs.hpp"

#include <algorithm>
#include <cmath>

#include "taut/filters/edge_graph.hpp"

namespace taut::filters {
namespace {

// Edges of a cloth that has no warp and weft are all it has to keep its size.
bool has_yarns(const Model& model, const Cloth& cloth) {
    const auto first = model.edges.begin() + cloth.first_edge;
    return std::any_of(first, first + cloth.edge_count,
                       [](const mesh::Edge& edge) { return edge.direction != mesh::Direction::none; });
}

}  // namespace

void ClothSprings::prepare(const Model& model) {
    springs_.clear();
    std::vector<ClothSpring> shear;
    for (const Cloth& cloth : model.cloths) {
        const bool woven = has_yarns(model, cloth);
        for (int e = cloth.first_edge; e < cloth.first_edge + cloth.edge_count; ++e) {
            const mesh::Edge& edge = model.edges[static_cast<std::size_t>(e)];
            const bool oblique = woven && edge.direction == mesh::Direction::none;
            (oblique ? shear : springs_)
                .push_back({edge.a, edge.b, model.rest_length[static_cast<std::size_t>(e)], oblique});
        }
    }
    first_seam_ = springs_.size();
    for (const Seam& seam : model.seams) {
        for (std::size_t k = 0; k < seam.pairs.size(); ++k)
            springs_.push_back({seam.pairs[k][0], seam.pairs[k][1], seam.distance(k, 0), false});
    }
    for (const GraphEdge& edge : diagonals_of(model)) shear.push_back({edge.a, edge.b, edge.length, true});
    springs_.insert(springs_.end(), shear.begin(), shear.end());
    std::vector<int> members;
    members.reserve(2 * springs_.size());
    for (const ClothSpring& spring : springs_) members.insert(members.end(), {spring.a, spring.b});
    ends_ = places_of_vertices(model.vertex_count(), members);
}

bool ClothSprings::advance(const Model& model, double time) {
    bool changed = false;
    std::size_t s = first_seam_;
    for (const Seam& seam : model.seams) {
        for (std::size_t k = 0; k < seam.pairs.size(); ++k, ++s) {
            const double length = seam.distance(k, time);
            changed = changed || length != springs_[s].length;
            springs_[s].length = length;
        }
    }
    return changed;
}

double ClothSprings::strain(ConstPoints x) const {
    double largest = 0;
    for (std::size_t s = 0; s < first_seam_; ++s) {
        const ClothSpring& spring = springs_[s];
        const double strain = std::abs((x[spring.b] - x[spring.a]).norm() / spring.length - 1);
        if (std::isnan(strain)) return strain;
        largest = std::max(largest, strain);
    }
    return largest;
}

}  // namespace taut::filters

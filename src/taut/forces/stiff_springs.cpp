#include "taut/forces/stiff_springs.hpp"

#include "taut/base/parallel.hpp"
#include "taut/elements/spring.hpp"

namespace taut::forces {

void describe(ParamList& list, StiffSpringsParams& params) {
    list.number("stiffness", params.stiffness, "N", non_negative(),
                "Tension of a warp or weft edge per strain; taut calibrate finds it for a wanted strain.");
}

void StiffSprings::prepare(const Model& model) {
    ends_.clear();
    rest_length_.clear();
    std::vector<int> members;
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        const mesh::Edge& edge = model.edges[e];
        if (edge.direction == mesh::Direction::none) continue;
        ends_.push_back({edge.a, edge.b});
        rest_length_.push_back(model.rest_length[e]);
        members.insert(members.end(), {edge.a, edge.b});
    }
    incident_ = places_of_vertices(model.vertex_count(), members);
}

void StiffSprings::add_force(const ForceInput& in, PointsView f) const {
    parallel_for(f.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (int k : incident_.of(i)) {
                const std::size_t s = std::size_t(k) / 2;
                const Vec3 d = in.x[ends_[s][1 - k % 2]] - in.x[i];
                f[i] += elements::spring_gradient(params_.stiffness / rest_length_[s], rest_length_[s], d);
            }
        }
    });
}

double StiffSprings::energy(ConstPoints x) const {
    return parallel_sum(ends_.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t s = begin; s < end; ++s) {
            sum += elements::spring_energy(params_.stiffness / rest_length_[s], rest_length_[s],
                                           x[ends_[s][1]] - x[ends_[s][0]]);
        }
        return sum;
    });
}

void StiffSprings::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    for (std::size_t s = 0; s < ends_.size(); ++s) {
        const auto [a, b] = ends_[s];
        const double k = elements::spring_majorant(params_.stiffness / rest_length_[s]);
        triplets.push_back({a, a, k});
        triplets.push_back({b, b, k});
        triplets.push_back({a, b, -k});
        triplets.push_back({b, a, -k});
    }
}

void StiffSprings::add_pattern(std::vector<std::array<int, 2>>& pairs) const {
    pairs.insert(pairs.end(), ends_.begin(), ends_.end());
}

void StiffSprings::add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const {
    for (std::size_t s = 0; s < ends_.size(); ++s) {
        const auto [a, b] = ends_[s];
        hessian.add_pair(a, b,
                         scale * elements::spring_hessian_positive(params_.stiffness / rest_length_[s],
                                                                   rest_length_[s], in.x[b] - in.x[a]));
    }
}

}  // namespace taut::forces

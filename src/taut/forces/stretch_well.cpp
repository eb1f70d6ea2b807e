#include "taut/forces/stretch_well.hpp"

#include "taut/base/parallel.hpp"
#include "taut/elements/particle_well.hpp"
#include "taut/forces/yarn_crossings.hpp"

namespace taut::forces {
namespace {

// The stretch whose stiffness stands for the well in linearised steps: what its default lets cloth stretch by
// where it hangs by a corner.
constexpr double usual_stretch = 0.03;

}  // namespace

void describe(ParamList& list, StretchWellParams& params) {
    list.number("stiffness", params.stiffness, "N/m", between(0, 1e15),
                "Energy per area at twice the length; tension per width is five times this and the fourth "
                "power of the stretch.");
}

void StretchWell::prepare(const Model& model) {
    ends_.clear(), rest_length_.clear(), area_.clear();
    const std::vector<double> strips = edge_strips(model);
    std::vector<int> members;
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        const mesh::Edge& edge = model.edges[e];
        if (edge.direction == mesh::Direction::none) continue;
        ends_.push_back({edge.a, edge.b});
        rest_length_.push_back(model.rest_length[e]);
        area_.push_back(strips[e]);
        members.insert(members.end(), {edge.a, edge.b});
    }
    incident_ = places_of_vertices(model.vertex_count(), members);
}

void StretchWell::add_force(const ForceInput& in, PointsView f) const {
    parallel_for(f.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (const int k : incident_.of(i)) {
                const std::size_t e = std::size_t(k) / 2;
                const Vec3 d = in.x[ends_[e][1 - k % 2]] - in.x[i];
                const double r = d.norm();
                const double slope = elements::stretch_well(r, rest_length_[e]).slope;
                if (slope > 0) f[i] += (params_.stiffness * area_[e] * slope / r) * d;
            }
        }
    });
}

double StretchWell::energy(ConstPoints x) const {
    return params_.stiffness * parallel_sum(ends_.size(), [&](std::size_t begin, std::size_t end) {
               double sum = 0;
               for (std::size_t e = begin; e < end; ++e) {
                   const double r = (x[ends_[e][1]] - x[ends_[e][0]]).norm();
                   sum += area_[e] * elements::stretch_well(r, rest_length_[e]).value;
               }
               return sum;
           });
}

void StretchWell::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    for (std::size_t e = 0; e < ends_.size(); ++e) {
        const auto [a, b] = ends_[e];
        const double s = rest_length_[e];
        const double k =
            params_.stiffness * area_[e] * elements::stretch_well((1 + usual_stretch) * s, s).bend;
        triplets.push_back({a, a, k});
        triplets.push_back({b, b, k});
        triplets.push_back({a, b, -k});
        triplets.push_back({b, a, -k});
    }
}

void StretchWell::add_pattern(std::vector<std::array<int, 2>>& pairs) const {
    pairs.insert(pairs.end(), ends_.begin(), ends_.end());
}

void StretchWell::add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const {
    for (std::size_t e = 0; e < ends_.size(); ++e) {
        const Vec3 d = in.x[ends_[e][1]] - in.x[ends_[e][0]];
        elements::WellValue w = elements::stretch_well(d.norm(), rest_length_[e]);
        if (!(w.slope > 0)) continue;
        hessian.add_pair(ends_[e][0], ends_[e][1],
                         scale * params_.stiffness * area_[e] * elements::pair_block(w, d, true));
    }
}

}  // namespace taut::forces

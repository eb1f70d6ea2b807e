#include "taut/forces/repel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/base/parallel.hpp"
#include "taut/elements/particle_well.hpp"
#include "taut/forces/near_particles.hpp"
#include "taut/forces/yarn_crossings.hpp"

namespace taut::forces {
namespace {

// Closer than this part of the nominal distance particles push no harder: the well has a pole.
constexpr double least_distance = 1e-3;

elements::WellValue push(double r, double s) {
    return elements::repel_well(std::max(r, least_distance * s), s);
}

}  // namespace

void describe(ParamList& list, RepelParams& params) {
    list.number("stiffness", params.stiffness, "N/m", between(0, 1e15), "Scale of the energy per area.");
    list.number("distance", params.distance, "m", non_negative(),
                "Nominal distance of particles that are no neighbours; 0: the shortest warp or weft edge.");
}

void Repel::prepare(const Model& model) {
    area_ = patch_areas(model);
    const std::vector<double> strips = edge_strips(model);
    ends_.clear(), rest_length_.clear(), edge_weight_.clear();
    std::vector<int> members;
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        const mesh::Edge& edge = model.edges[e];
        if (edge.direction == mesh::Direction::none) continue;
        const double length = model.rest_length[e];
        ends_.push_back({edge.a, edge.b});
        rest_length_.push_back(length);
        edge_weight_.push_back(params_.stiffness * strips[e]);
        shortest = std::min(shortest, length);
        members.insert(members.end(), {edge.a, edge.b});
    }
    incident_ = places_of_vertices(model.vertex_count(), members);
    distance_ = params_.distance > 0 ? params_.distance : std::isfinite(shortest) ? shortest : 0;
    for (double& area : area_) area = area > 0 ? area : distance_ * distance_;
}

bool Repel::joined(std::size_t i, int j) const {
    for (const int k : incident_.of(i)) {
        if (ends_[std::size_t(k) / 2][1 - k % 2] == j) return true;
    }
    return false;
}

void Repel::add_force(const ForceInput& in, PointsView f) const {
    if (!(distance_ > 0)) return;
    const NearParticles near(in.x, distance_);
    const auto pushed = [&](const Vec3& d, double s, double weight) -> Vec3 {
        const double r = d.norm();
        if (!(r > 0) || !(r < s)) return Vec3::Zero();
        return (weight * push(r, s).slope / r) * d;
    };
    parallel_for(f.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (const int k : incident_.of(i)) {
                const std::size_t e = std::size_t(k) / 2;
                f[i] += pushed(in.x[ends_[e][1 - k % 2]] - in.x[i], rest_length_[e], edge_weight_[e]);
            }
            near.around(i, [&](int j) {
                if (!joined(i, j)) f[i] += pushed(in.x[j] - in.x[i], distance_, weight(i, std::size_t(j)));
            });
        }
    });
}

double Repel::energy(ConstPoints x) const {
    if (!(distance_ > 0)) return 0;
    const NearParticles near(x, distance_);
    const double edges = parallel_sum(ends_.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t e = begin; e < end; ++e)
            sum += edge_weight_[e] * push((x[ends_[e][1]] - x[ends_[e][0]]).norm(), rest_length_[e]).value;
        return sum;
    });
    return edges + parallel_sum(x.size(), [&](std::size_t begin, std::size_t end) {
               double sum = 0;
               for (std::size_t i = begin; i < end; ++i) {
                   near.around(i, [&](int j) {
                       if (j > static_cast<int>(i) && !joined(i, j))
                           sum += weight(i, std::size_t(j)) * push((x[j] - x[i]).norm(), distance_).value;
                   });
               }
               return sum;
           });
}

void Repel::add_pattern(std::vector<std::array<int, 2>>& pairs) const {
    pairs.insert(pairs.end(), ends_.begin(), ends_.end());
}

void Repel::add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const {
    if (!(distance_ > 0)) return;
    for (std::size_t e = 0; e < ends_.size(); ++e) {
        const Vec3 d = in.x[ends_[e][1]] - in.x[ends_[e][0]];
        const double r = d.norm();
        if (!(r > 0) || !(r < rest_length_[e])) continue;
        hessian.add_pair(ends_[e][0], ends_[e][1],
                         scale * edge_weight_[e] * elements::pair_block(push(r, rest_length_[e]), d, true));
    }
    const NearParticles near(in.x, distance_);
    for (std::size_t i = 0; i < in.x.size(); ++i) {
        near.around(i, [&](int j) {
            const Vec3 d = in.x[j] - in.x[i];
            const double r = d.norm();
            if (joined(i, j) || !(r > 0)) return;
            hessian.add(
                static_cast<int>(i), static_cast<int>(i),
                2 * scale * weight(i, std::size_t(j)) * elements::pair_block(push(r, distance_), d, true));
        });
    }
}

}  // namespace taut::forces

#include "taut/forces/shear_springs.hpp"

#include "taut/base/parallel.hpp"
#include "taut/elements/spring.hpp"
#include "taut/forces/incidence.hpp"

namespace taut::forces {

void describe(ParamList& list, ShearSpringsParams& params) {
    list.number("stiffness", params.stiffness, "N/m", non_negative(), "Stiffness of each diagonal spring.");
}

void ShearSprings::prepare(const Model& model) {
    // List both diagonals of every quad, then turn the list around to rows per vertex.
    std::vector<int> group{0}, ends;
    for (const mesh::Face& face : model.faces) {
        if (face.size() != 4) continue;
        for (int k = 0; k < 2; ++k) {
            ends.push_back(face.corner[k]);
            ends.push_back(face.corner[k + 2]);
            group.push_back(static_cast<int>(ends.size()));
        }
    }
    const Incidence springs = groups_of_vertices(model.vertex_count(), group, ends);
    start_ = springs.start;
    other_.clear();
    rest_length_.clear();
    for (std::size_t i = 0; i < model.rest.size(); ++i) {
        for (int spring : springs.of(i)) {
            const int a = ends[2 * spring], b = ends[2 * spring + 1];
            other_.push_back(a == static_cast<int>(i) ? b : a);
            rest_length_.push_back((model.rest[b] - model.rest[a]).norm());
        }
    }
}

void ShearSprings::add_force(const ForceInput& in, PointsView f) const {
    parallel_for(start_.size() - 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Vec3 sum = Vec3::Zero();
            for (int k = start_[i]; k < start_[i + 1]; ++k) {
                sum +=
                    elements::spring_gradient(params_.stiffness, rest_length_[k], in.x[other_[k]] - in.x[i]);
            }
            f[i] += sum;
        }
    });
}

double ShearSprings::energy(ConstPoints x) const {
    // Sum over rows counts every spring twice.
    return 0.5 * parallel_sum(start_.size() - 1, [&](std::size_t begin, std::size_t end) {
               double sum = 0;
               for (std::size_t i = begin; i < end; ++i) {
                   for (int k = start_[i]; k < start_[i + 1]; ++k) {
                       sum +=
                           elements::spring_energy(params_.stiffness, rest_length_[k], x[other_[k]] - x[i]);
                   }
               }
               return sum;
           });
}

void ShearSprings::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    const double k = elements::spring_majorant(params_.stiffness);
    if (k == 0) return;
    triplets.reserve(triplets.size() + other_.size() + start_.size());
    for (int i = 0; i + 1 < static_cast<int>(start_.size()); ++i) {
        const int springs = start_[i + 1] - start_[i];
        if (springs > 0) triplets.push_back({i, i, k * springs});
        for (int s = start_[i]; s < start_[i + 1]; ++s) triplets.push_back({i, other_[s], -k});
    }
}

}  // namespace taut::forces

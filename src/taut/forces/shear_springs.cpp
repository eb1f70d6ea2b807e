#include "taut/forces/shear_springs.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "taut/base/parallel.hpp"
#include "taut/elements/spring.hpp"
#include "taut/forces/incidence.hpp"
#include "taut/model/fabric_of.hpp"

namespace taut::forces {

void describe(ParamList& list, ShearSpringsParams& params) {
    list.number("stiffness", params.stiffness, "N/m", non_negative(),
                "Stiffness of each diagonal spring; from the stiffness of the fabric, where there is one.");
}

namespace {

// Stiffness per square of length that gives the diagonals of a quad the shear stiffness of a fabric [N/m^3].
double fabric_share(const Fabric& fabric, const Model& model, const mesh::Face& face) {
    const auto& c = face.corner;
    const double area =
        0.5 * (model.rest[c[2]] - model.rest[c[0]]).cross(model.rest[c[3]] - model.rest[c[1]]).norm();
    return area > 0 ? fabric.shear_stiffness() / (2 * area) : 0;
}

}  // namespace

void ShearSprings::prepare(const Model& model) {
    // List both diagonals of every quad, then turn the list around to rows per vertex.
    const std::vector<const Fabric*> fabrics = fabric_of_vertices(model);
    std::vector<int> group{0}, ends;
    std::vector<double> stiffness;
    for (const mesh::Face& face : model.faces) {
        if (face.size() != 4) continue;
        const Fabric* fabric = fabrics.empty() ? nullptr : fabrics[face.corner[0]];
        const double share = fabric ? fabric_share(*fabric, model, face) : 0;
        for (int k = 0; k < 2; ++k) {
            const int a = face.corner[k], b = face.corner[k + 2];
            ends.push_back(a);
            ends.push_back(b);
            group.push_back(static_cast<int>(ends.size()));
            stiffness.push_back(fabric ? share * (model.rest[b] - model.rest[a]).squaredNorm()
                                       : params_.stiffness);
        }
    }
    const Incidence springs = groups_of_vertices(model.vertex_count(), group, ends);
    start_ = springs.start;
    other_.clear();
    rest_length_.clear();
    stiffness_.clear();
    for (std::size_t i = 0; i < model.rest.size(); ++i) {
        for (int spring : springs.of(i)) {
            const int a = ends[2 * spring], b = ends[2 * spring + 1];
            other_.push_back(a == static_cast<int>(i) ? b : a);
            rest_length_.push_back((model.rest[b] - model.rest[a]).norm());
            stiffness_.push_back(stiffness[spring]);
        }
    }
}

void ShearSprings::add_force(const ForceInput& in, PointsView f) const {
    parallel_for(start_.size() - 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Vec3 sum = Vec3::Zero();
            for (int k = start_[i]; k < start_[i + 1]; ++k) {
                sum += elements::spring_gradient(stiffness_[k], rest_length_[k], in.x[other_[k]] - in.x[i]);
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
                       sum += elements::spring_energy(stiffness_[k], rest_length_[k], x[other_[k]] - x[i]);
                   }
               }
               return sum;
           });
}

void ShearSprings::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    if (std::all_of(stiffness_.begin(), stiffness_.end(), [](double k) { return k == 0; })) return;
    triplets.reserve(triplets.size() + other_.size() + start_.size());
    for (int i = 0; i + 1 < static_cast<int>(start_.size()); ++i) {
        double sum = 0;
        for (int s = start_[i]; s < start_[i + 1]; ++s) sum += elements::spring_majorant(stiffness_[s]);
        if (start_[i + 1] > start_[i]) triplets.push_back({i, i, sum});
        for (int s = start_[i]; s < start_[i + 1]; ++s)
            triplets.push_back({i, other_[s], -elements::spring_majorant(stiffness_[s])});
    }
}

}  // namespace taut::forces

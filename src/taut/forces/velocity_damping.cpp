#include "taut/forces/velocity_damping.hpp"

#include "taut/base/parallel.hpp"

namespace taut::forces {

void describe(ParamList& list, VelocityDampingParams& params) {
    list.number("rate", params.rate, "1/s", non_negative(), "Rate at which free velocities decay.");
}

void VelocityDamping::prepare(const Model& model) { mass_ = model.mass; }

void VelocityDamping::add_force(const ForceInput& in, PointsView f) const {
    parallel_for(mass_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) f[i] -= params_.rate * mass_[i] * in.v[i];
    });
}

void VelocityDamping::add_damping(const ForceInput&, std::span<double> damping) const {
    parallel_for(mass_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) damping[i] += params_.rate * mass_[i];
    });
}

}  // namespace taut::forces

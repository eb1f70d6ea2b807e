#include "taut/forces/gravity.hpp"

#include "taut/base/parallel.hpp"

namespace taut::forces {

void describe(ParamList& list, GravityParams& params) {
    list.vector("acceleration", params.acceleration, "m/s^2", "Acceleration of free fall; z is up.");
    list.number("start", params.start, "s", non_negative(),
                "Time from which it acts; before, cloth floats, for example while seams close.");
}

void Gravity::prepare(const Model& model) { mass_ = model.mass; }

void Gravity::add_force(const ForceInput& in, PointsView f) const {
    if (in.t < params_.start) return;
    parallel_for(mass_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) f[i] += mass_[i] * params_.acceleration;
    });
}

double Gravity::energy(ConstPoints x) const {
    return parallel_sum(mass_.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum -= mass_[i] * params_.acceleration.dot(x[i]);
        return sum;
    });
}

}  // namespace taut::forces

#include "taut/forces/load_memory.hpp"

#include <algorithm>
#include <utility>

namespace taut::forces {

void LoadMemory::prepare(std::vector<elements::LoadCurve> curves, std::vector<int> curve_of,
                         bool hysteresis) {
    curves_ = std::move(curves);
    curve_of_ = std::move(curve_of);
    hysteresis_ = hysteresis;
    memory_.assign(hysteresis ? stride * curve_of_.size() : 0, 0.0);
}

elements::Load LoadMemory::friction(std::size_t e, double s) const {
    const double* own = &memory_[stride * e];
    elements::Load sum;
    for (std::size_t j = 0; j < elements::max_yielding; ++j) {
        const elements::Load part = elements::friction_load(curve(e).yielding[j], own[1 + j], s - own[0]);
        sum.load += part.load, sum.tangent += part.tangent, sum.energy += part.energy;
    }
    return sum;
}

void LoadMemory::remember(std::size_t e, double s) {
    double* own = &memory_[stride * e];
    for (std::size_t j = 0; j < elements::max_yielding; ++j)
        own[1 + j] = elements::friction_load(curve(e).yielding[j], own[1 + j], s - own[0]).load;
    own[0] = s;
}

double steepest(const elements::LoadCurve& curve, double up_to) {
    // Friction is steepest at rest, stiffening at the far end.
    return std::max(elements::load_at(curve, 0).tangent, elements::load_at(curve, up_to).tangent);
}

}  // namespace taut::forces

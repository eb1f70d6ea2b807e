#include "taut/forces/fabric_loads.hpp"

#include <algorithm>
#include <utility>

namespace taut::forces {

void FabricLoads::prepare(std::vector<elements::LoadCurve> curves, std::vector<int> curve_of,
                          bool hysteresis) {
    curves_ = std::move(curves);
    curve_of_ = std::move(curve_of);
    hysteresis_ = hysteresis;
    memory_.assign(hysteresis ? stride * curve_of_.size() : 0, 0.0);
}

elements::LoadMemory FabricLoads::recall(std::size_t e) const {
    const double* own = &memory_[stride * e];
    elements::LoadMemory memory;
    memory.s = own[0];
    std::copy_n(own + 1, memory.held.size(), memory.held.begin());
    return memory;
}

elements::Load FabricLoads::friction(std::size_t e, double s) const {
    const elements::LoadMemory memory = recall(e);
    elements::Load sum;
    for (std::size_t j = 0; j < memory.held.size(); ++j) {
        const elements::Load part =
            elements::friction_load(curve(e).yielding[j], memory.held[j], s - memory.s);
        sum.load += part.load, sum.tangent += part.tangent, sum.energy += part.energy;
    }
    return sum;
}

void FabricLoads::remember(std::size_t e, double s) {
    elements::LoadMemory memory = recall(e);
    elements::follow(curve(e), memory, s);
    memory_[stride * e] = memory.s;
    std::copy(memory.held.begin(), memory.held.end(), memory_.begin() + std::ptrdiff_t(stride * e + 1));
}

double steepest(const elements::LoadCurve& curve, double up_to) {
    // Friction is steepest at rest, stiffening at the far end.
    return std::max(elements::load_at(curve, 0).tangent, elements::load_at(curve, up_to).tangent);
}

}  // namespace taut::forces

#include "motion.hpp"

#include <algorithm>
#include <cmath>

#include "taut/sim/step_statistics.hpp"

namespace taut::cli {

namespace {

template <class T>
T value_at(const std::vector<double>& t, const std::vector<T>& values, double time) {
    const auto after = std::lower_bound(t.begin(), t.end(), time);
    if (after == t.begin()) return values.front();
    if (after == t.end()) return values.back();
    const auto k = static_cast<std::size_t>(after - t.begin());
    const double part = (time - t[k - 1]) / (t[k] - t[k - 1]);
    return values[k - 1] + part * (values[k] - values[k - 1]);
}

}  // namespace

Vec3 MotionTrace::center_at(double time) const { return value_at(t, center, time); }
double MotionTrace::energy_at(double time) const { return value_at(t, energy, time); }

void TraceRecorder::begin(const Simulation& simulation) {
    const State& state = simulation.state();
    const double kinetic = kinetic_energy(simulation.model(), state.v);
    const double energy = simulation.totals().energy_start;
    add(state.t, center_of_mass(simulation.model(), state.x), energy, energy - kinetic);
}

void TraceRecorder::step(const Simulation&, const StepReport& report) {
    const auto& c = report.center_of_mass;
    add(report.t, Vec3(c[0], c[1], c[2]), report.energy(), report.potential);
}

void TraceRecorder::add(double t, const Vec3& center, double energy, double potential) {
    trace_.t.push_back(t);
    trace_.center.push_back(center);
    trace_.energy.push_back(energy);
    trace_.potential.push_back(potential);
}

double drop_of(const MotionTrace& trace) {
    double drop = 0;
    for (std::size_t k = 0; k < trace.t.size() && trace.t[k] <= path_window + 1e-9; ++k) {
        drop = std::max(drop, trace.center.front().z() - trace.center[k].z());
    }
    return drop;
}

double path_error(const MotionTrace& trace, const MotionTrace& reference) {
    double distance = 0;
    for (std::size_t k = 0; k < trace.t.size() && trace.t[k] <= path_window + 1e-9; ++k) {
        distance = std::max(distance, (trace.center[k] - reference.center_at(trace.t[k])).norm());
    }
    const double drop = drop_of(reference);
    return drop > 0 ? distance / drop : INFINITY;
}

}  // namespace taut::cli

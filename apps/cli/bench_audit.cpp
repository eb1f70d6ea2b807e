// The motion gates: a result counts only if it moves as a converged run does, loses the energy that one
// loses, and never gains any; a chain must swing at the frequency of its first mode,
// omega = j sqrt(g / L) / 2 with j = 2.40483 the first zero of the Bessel function J0.
#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "taut/scene/build.hpp"
#include "taut/sim/step_statistics.hpp"

namespace taut::cli {

namespace {

constexpr double first_bessel_zero = 2.404825557695773;

double part_of(double value, double whole) { return whole > 0 ? value / whole : INFINITY; }

// Length of gravity among the forces of a scene [m/s^2].
double gravity_of(const scene::Scene& scene) {
    for (const scene::Piece& force : scene.forces) {
        const Param* param = force.settings.list().find("acceleration");
        if (force.entry->name == "gravity" && param != nullptr) return std::get<Vec3*>(param->target)->norm();
    }
    return 0;
}

// Times at which a signal crosses zero, by straight lines between samples.
std::vector<double> zero_crossings(const std::vector<double>& t, const std::vector<double>& signal) {
    std::vector<double> crossings;
    for (std::size_t k = 1; k < t.size(); ++k) {
        if ((signal[k - 1] > 0) == (signal[k] > 0)) continue;
        crossings.push_back(t[k - 1] + (t[k] - t[k - 1]) * signal[k - 1] / (signal[k - 1] - signal[k]));
    }
    return crossings;
}

nlohmann::ordered_json number(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

nlohmann::ordered_json Audit::json() const {
    nlohmann::ordered_json j;
    if (checked_path) {
        j["path_error"] = number(path_error);
        j["energy_error"] = number(energy_error);
        j["energy_growth"] = number(energy_growth);
    }
    if (checked_mode) {
        j["mode_omega"] = number(mode_omega);
        j["mode_exact"] = number(mode_exact);
    }
    j["passed"] = passed;
    j["note"] = note;
    return j;
}

BenchCase make_reference(const BenchCase& bench_case) {
    Choices choices = bench_case.choices;
    choices.filter = "stable_projection";
    choices.solver = "";
    choices.integrator = "midpoint";
    choices.strain = reference_tolerance;
    choices.dt = bench_case.step / reference_divisor;
    choices.overrides.clear();
    return make_case(bench_case.workload, choices, "reference");
}

Audit audit_path(const MotionTrace& trace, const MotionTrace& reference) {
    Audit audit;
    audit.checked_path = true;
    audit.path_error = path_error(trace, reference);

    // Compare what is left of the energy later, where the run goes that far; look for gains on the way.
    const bool long_enough = reference.t.back() >= energy_time - 1e-9;
    const double left = reference.energy_at(energy_time);
    const double loss = reference.energy.front() - left;
    audit.energy_error = long_enough ? part_of(std::abs(trace.energy_at(energy_time) - left), loss) : NAN;
    const double low = *std::min_element(reference.potential.begin(), reference.potential.end());
    const double most = *std::max_element(trace.energy.begin(), trace.energy.end());
    audit.energy_growth =
        part_of(std::max(0.0, most - trace.energy.front()), reference.potential.front() - low);

    // A reference that gains energy is no judge of it.
    const double gained =
        *std::max_element(reference.energy.begin(), reference.energy.end()) - reference.energy.front();
    const bool fair = part_of(std::max(0.0, gained), reference.potential.front() - low) <= growth_limit;
    if (!fair) audit.note = "the reference gains energy";

    audit.passed = fair && audit.path_error <= path_limit && !(audit.energy_error > energy_limit) &&
                   audit.energy_growth <= growth_limit;
    if (fair && !long_enough) audit.note = "energy is judged after 2 s";
    if (reference.t.back() < path_window - 1e-9) audit.note += ", the path over 0.5 s";
    if (trace.t.back() < reference.t.back() - 1e-9) {
        audit.passed = false;
        audit.note = "ended early";
    }
    return audit;
}

Audit audit_mode(const BenchCase& chain, const MotionTrace& trace) {
    Audit audit;
    audit.checked_mode = true;
    const scene::Assembly assembly = scene::assemble(chain.scene);

    // Follow the centre of mass, seen from the point it hangs from, along the direction it starts in.
    const Vec3 pin =
        assembly.model.pins.empty() ? assembly.start.x.front() : assembly.model.pins.front().anchor.front();
    Vec3 along = trace.center.front() - pin;
    along.z() = 0;
    along.normalize();
    std::vector<double> signal;
    for (const Vec3& center : trace.center) signal.push_back(along.dot(center - pin));
    const std::vector<double> crossings = zero_crossings(trace.t, signal);

    double length = 0;
    for (const double rest : assembly.model.rest_length) length += rest;
    audit.mode_exact = 0.5 * first_bessel_zero * std::sqrt(gravity_of(chain.scene) / length);
    if (crossings.size() < 2) {
        audit.note = "too short to see half a swing; ask for more --seconds";
        return audit;
    }
    audit.mode_omega =
        M_PI * static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
    audit.passed = std::abs(audit.mode_omega / audit.mode_exact - 1) <= mode_limit;
    return audit;
}

}  // namespace taut::cli

#include "taut/scene/check_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/base/random.hpp"
#include "taut/filters/directional.hpp"
#include "taut/scene/check_pins.hpp"

namespace taut::scene {
namespace {

// So many products with the stiffness bring the largest frequency to a per cent, from below.
constexpr int power_steps = 40;

// The way of central differences, in shortest edges: forces are straight over it, and rounding is far below.
constexpr double small_way = 1e-6;

// Filters that keep lengths take the fastest modes away: garments under them stay calm at steps up to so many
// times the bound of forces alone. A larger factor would let ringing pass.
constexpr double calm_where_lengths_are_kept = 1.25;

// The force that holds a small way `u` from the rest shape, -df/dx u, by central differences; `way` [m] is
// the longest part of it that is tried.
void add_product(const Model& model, const Pipeline& pipeline, double way, ConstPoints u, PointsView y) {
    double longest = 0;
    for (const Vec3& p : u) longest = std::max(longest, p.norm());
    if (!(longest > 0)) return;
    const Points still(u.size(), Vec3::Zero());
    Points x(u.size()), f(u.size());
    for (const double sign : {-1.0, 1.0}) {
        for (std::size_t i = 0; i < u.size(); ++i) x[i] = model.rest[i] + (sign * way / longest) * u[i];
        std::fill(f.begin(), f.end(), Vec3::Zero());
        for (const auto& force : pipeline.step_forces()) force->add_force({x, still, 0}, f);
        for (std::size_t i = 0; i < u.size(); ++i) y[i] -= (sign * 0.5 * longest / way) * f[i];
    }
}

}  // namespace

double largest_frequency(const Assembly& assembly, Pipeline& pipeline) {
    const Model& model = assembly.model;
    for (auto& force : pipeline.forces) force->prepare(model);
    if (model.rest_length.empty()) return 0;
    const double way = small_way * *std::min_element(model.rest_length.begin(), model.rest_length.end());
    const std::vector<char> held = pinned_at(model, 0);
    const std::size_t n = model.rest.size();
    Points x(n), y(n);
    std::uint64_t seed = 1;
    for (Vec3& p : x) {
        for (double& value : p) value = next_signed(seed);
    }
    double square = 0;
    for (int k = 0; k < power_steps; ++k) {
        // Scale so that |x| in the mass is one; then x K x is the square of a frequency, at most the largest.
        double norm = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (held[i]) x[i].setZero();
            norm += model.mass[i] * x[i].squaredNorm();
        }
        if (!(norm > 0)) return 0;
        for (Vec3& p : x) p /= std::sqrt(norm);
        std::fill(y.begin(), y.end(), Vec3::Zero());
        add_product(model, pipeline, way, x, y);
        square = 0;
        for (std::size_t i = 0; i < n; ++i) {
            square += x[i].dot(y[i]);
            x[i] = y[i] / model.mass[i];
        }
    }
    return std::sqrt(std::max(square, 0.0));
}

void check_explicit_step(const Scene& scene, const Assembly& assembly, Pipeline& pipeline,
                         std::vector<Finding>& findings) {
    if (!std::isfinite(pipeline.integrator->longest_step(1))) return;
    const double omega = largest_frequency(assembly, pipeline);
    if (!(omega > 0)) return;
    const double longest = pipeline.integrator->longest_step(omega);
    const double frame = 1 / scene.run.fps;
    const double step = frame / std::max(1.0, std::ceil(frame / scene.run.dt * (1 - 1e-6)));
    const double calm = std::isfinite(promised_strain(scene)) ? calm_where_lengths_are_kept : 1;
    if (step <= calm * longest) return;
    findings.push_back(
        {Severity::warning, "/run/dt",
         fmt::format("steps of {:.3g} ms are too long for '{}': the stiffest force allows {:.3g} ms",
                     1e3 * step, scene.integrator.entry->name, 1e3 * longest),
         "shorten run/dt, soften the springs, make the mesh coarser, or choose an implicit integrator"});
}

void check_maps(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    const auto found = std::find_if(scene.filters.begin(), scene.filters.end(),
                                    [](const Piece& piece) { return piece.entry->takes_maps; });
    if (found == scene.filters.end()) {
        if (!scene.maps.empty())
            findings.push_back({Severity::warning, "/correction_maps", "no filter uses the correction maps",
                                "add {\"type\": \"directional\"} to 'filters', or take them away"});
        return;
    }
    const bool automatic = found->settings.get<filters::DirectionalParams>().maps == "automatic";
    if (automatic && !scene.maps.empty())
        findings.push_back({Severity::warning, "/correction_maps",
                            "maps are automatic: those named here are not used",
                            "set 'maps' of directional to \"named\", or take them away"});
    const std::vector<char> held = pinned_at(assembly.model, 0);
    const bool pinned = std::any_of(held.begin(), held.end(), [](char h) { return h != 0; });
    if (!automatic && !pinned && scene.maps.empty())
        findings.push_back({Severity::warning, found->pointer,
                            "nothing is fixed: directional has nowhere to start from, and corrects nothing",
                            "add pins or correction_maps, or set its 'maps' to \"automatic\""});
}

}  // namespace taut::scene

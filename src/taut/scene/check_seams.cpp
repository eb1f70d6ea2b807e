#include "taut/scene/check_seams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/collision/surface.hpp"
#include "taut/filters/collision.hpp"
#include "taut/scene/check_pins.hpp"

namespace taut::scene {
namespace {

// A seam that closes by more than so many of the shortest edges in one step has to be stepped finer.
constexpr double edges_per_step = 2;

// Peak of a closing seam's speed against its mean.
constexpr double peak_speed = 1.875;

struct SeamCheck {
    const SeamSpec& spec;
    const Seam& seam;
    const Model& model;
    std::vector<Finding>& findings;

    void add(Severity severity, const std::string& text, const std::string& remedy) const {
        findings.push_back({severity, spec.pointer, fmt::format("seam '{}' {}", seam.name, text), remedy});
    }
    std::string pair(std::size_t k) const { return vertex_names(model, seam.pairs[k][0], seam.pairs[k][1]); }
};

// The pair furthest from its closed length.
std::size_t worst_pair(const Seam& seam) {
    std::size_t worst = 0;
    const auto off = [&](std::size_t k) { return std::abs(seam.gap[k] - seam.length); };
    for (std::size_t k = 1; k < seam.gap.size(); ++k) worst = off(k) > off(worst) ? k : worst;
    return worst;
}

void check_closing(const SeamCheck& check, double tolerance, double shortest, double dt) {
    const Seam& seam = check.seam;
    const std::size_t k = worst_pair(seam);
    const double way = std::abs(seam.gap[k] - seam.length);
    if (seam.close_end > seam.close_start) {
        const double span = seam.close_end - seam.close_start;
        const double move = std::min(peak_speed * dt / span, 1.0) * way;
        if (move <= edges_per_step * shortest) return;
        check.add(Severity::warning,
                  fmt::format("closes by {:.3g} m in one step at {}, more than two edges: steps will be cut",
                              move, check.pair(k)),
                  fmt::format("let it close over {:.3g} s at least, or shorten run/dt",
                              peak_speed * way * dt / (edges_per_step * shortest)));
    } else if (way > tolerance * seam.length) {
        const auto [apart, held] = distinct_texts(seam.gap[k], seam.length, 4);
        check.add(way > edges_per_step * shortest ? Severity::error : Severity::warning,
                  fmt::format("is closed from the start, but {} start {} m apart where {} m are held",
                              check.pair(k), apart, held),
                  "let it close over time, \"close\": [0, 0.5], or place the sides at its length");
    }
}

void check_between_pins(const SeamCheck& check, const std::vector<char>& held) {
    const Seam& seam = check.seam;
    for (std::size_t k = 0; k < seam.pairs.size(); ++k) {
        const auto [a, b] = seam.pairs[k];
        if (!held[static_cast<std::size_t>(a)] || !held[static_cast<std::size_t>(b)]) continue;
        const bool moves =
            seam.close_end > seam.close_start && std::abs(seam.gap[k] - seam.length) > 1e-9 * seam.length;
        if (!moves) continue;
        check.add(Severity::error,
                  fmt::format("cannot close between pins: both {} are held at the start", check.pair(k)),
                  "leave one of the two vertices free");
        return;
    }
}

// What the filter `collision` keeps between the surfaces of a pair [m]; 0 without it.
double kept_distance(const Scene& scene, const Model& model, std::array<int, 2> pair) {
    for (const Piece& piece : scene.filters) {
        if (piece.entry->name != filters::Collision::type_name) continue;
        const auto& params = piece.settings.get<filters::CollisionParams>();
        const collision::Surface surface = collision::make_surface(model, {}, params.thickness);
        return 0.5 * (surface.body_of(pair[0]).thickness + surface.body_of(pair[1]).thickness);
    }
    return 0;
}

}  // namespace

void check_seams(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    const Model& model = assembly.model;
    if (model.seams.empty()) return;
    const double tolerance = promised_strain(scene);
    if (!std::isfinite(tolerance)) {
        findings.push_back({Severity::warning, "/seams", "no filter promises to hold the seams",
                            "add {\"type\": \"stable_projection\"} to 'filters'"});
    }
    const double shortest = *std::min_element(model.rest_length.begin(), model.rest_length.end());
    const std::vector<char> held = pinned_at(model, 0);
    for (std::size_t s = 0; s < model.seams.size(); ++s) {
        const SeamCheck check{scene.seams[s], model.seams[s], model, findings};
        check_closing(check, std::min(tolerance, 1.0), shortest, scene.run.dt);
        check_between_pins(check, held);
        const double kept = kept_distance(scene, model, model.seams[s].pairs[0]);
        if (check.seam.length < kept) {
            check.add(
                Severity::warning,
                fmt::format("closes to {:.3g} m, but collisions keep {:.3g} m", check.seam.length, kept),
                "make the seam longer than the thickness of the cloth, or the cloth thinner");
        }
    }
}

}  // namespace taut::scene

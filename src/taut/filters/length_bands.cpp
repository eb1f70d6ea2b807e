#include "taut/filters/length_bands.hpp"

#include <algorithm>
#include <cmath>

namespace taut::filters {
namespace {

// Edges are kept within this share of the strain promised, so that rounding and what follows stay inside.
constexpr double band_share = 0.95;

// A cell locks where opposite sides are this many thicknesses apart: a little more than contacts want, so
// that they need not act within cells.
constexpr double lock_share = 1.2;

}  // namespace

void LengthBands::clear() {
    bands_.clear();
    strain_ = -1;
}

void LengthBands::set(const StepContext& context, const collision::Surface* surface) {
    const Model& model = *context.model;
    if (strain_ != context.strain_limit) {
        strain_ = context.strain_limit;
        bands_.clear();
        if (!std::isfinite(strain_)) return;
        for (const Seam& seam : model.seams) {
            for (const auto& [a, b] : seam.pairs) bands_.push_back({a, b, 0, 0});
        }
        add_edges(model);
        if (surface) add_diagonals(model, *surface);
    }
    if (std::isfinite(strain_)) set_seams(model, context.time_end());
}

bool LengthBands::hold(ConstPoints x) const {
    return std::all_of(bands_.begin(), bands_.end(), [&](const LengthBand& band) {
        const double length =
            (x[static_cast<std::size_t>(band.b)] - x[static_cast<std::size_t>(band.a)]).norm();
        return length >= band.low && length <= band.high;
    });
}

void LengthBands::add_edges(const Model& model) {
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        const mesh::Edge& edge = model.edges[e];
        if (edge.direction == mesh::Direction::none) continue;
        const double length = model.rest_length[e], strain = band_share * strain_;
        bands_.push_back({edge.a, edge.b, length * (1 - strain), length * (1 + strain)});
    }
}

void LengthBands::add_diagonals(const Model& model, const collision::Surface& surface) {
    for (const mesh::Face& face : model.faces) {
        if (face.size() != 4) continue;
        const auto corner = [&](int k) { return face.corner[static_cast<std::size_t>(k % 4)]; };
        const auto side = [&](int k, int l) {
            return (model.rest[static_cast<std::size_t>(corner(k))] -
                    model.rest[static_cast<std::size_t>(corner(l))])
                .norm();
        };
        // Sides a and b lock at the angle that keeps their distance.
        const double a = 0.5 * (side(0, 1) + side(2, 3)), b = 0.5 * (side(1, 2) + side(3, 0));
        const double kept = lock_share * surface.body_of(corner(0)).thickness;
        const double sine = std::min(1.0, kept / std::min(a, b));
        const double longest = std::sqrt(a * a + b * b + 2 * a * b * std::sqrt(1 - sine * sine));
        for (int k = 0; k < 2; ++k) {
            bands_.push_back({corner(k), corner(k + 2), 0, std::max(longest, side(k, k + 2))});
        }
    }
}

// Their lengths change over time.
void LengthBands::set_seams(const Model& model, double time) {
    std::size_t at = 0;
    for (const Seam& seam : model.seams) {
        for (std::size_t k = 0; k < seam.pairs.size(); ++k, ++at) {
            const double length = seam.distance(k, time), strain = band_share * strain_;
            bands_[at].low = length * (1 - strain);
            bands_[at].high = length * (1 + strain);
        }
    }
}

}  // namespace taut::filters

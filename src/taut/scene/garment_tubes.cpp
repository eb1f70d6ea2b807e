// Skirt and dress: stacks of rings around the trunk. Each ring is a convex outline; below the height down to
// which a tube fits, it is at least the outline there, moved outwards evenly as the tube widens.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/base/error.hpp"
#include "taut/collision/mannequin.hpp"
#include "taut/mesh/makers.hpp"
#include "taut/scene/garment_body.hpp"
#include "taut/scene/garments.hpp"

namespace taut::scene {
namespace {

struct TubeCut {
    int around, along;
    double top, fit, hem;  // upper edge; where it starts to widen; lower edge [m]
    double flare, bend;    // slope below [deg], reached over this height [m]
    double ease, band;     // from the skin, and at the upper edge [m]
    double rise = 0;       // of the upper edge in front [m]
};

// Rings so far below the upper edge are level again [m].
constexpr double level_rings = 0.25;

mesh::Support tube_outline(const GarmentBody& body, const TubeCut& cut, double height) {
    mesh::Support support = body.trunk(height);
    const double below = cut.fit - height;
    if (below <= 0) return support;
    const double slope = std::tan(cut.flare * std::numbers::pi / 180);
    const double out = slope * (below < cut.bend ? 0.5 * below * below / cut.bend : below - 0.5 * cut.bend);
    const mesh::Support fitted = body.trunk(cut.fit);
    for (std::size_t k = 0; k < support.size(); ++k) support[k] = std::max(support[k], fitted[k] + out);
    return support;
}

// Heights of the rings, evenly spaced along the mean profile.
std::vector<double> ring_heights(const GarmentBody& body, const TubeCut& cut) {
    constexpr int fine = 512;
    std::vector<double> height, at;
    double last = 0;
    for (int k = 0; k <= fine; ++k) {
        height.push_back(cut.top + (cut.hem - cut.top) * k / fine);
        double mean = 0;
        const mesh::Support support = tube_outline(body, cut, height.back());
        for (const double value : support) mean += value / static_cast<double>(support.size());
        at.push_back(k == 0 ? 0 : at.back() + std::hypot((cut.top - cut.hem) / fine, mean - last));
        last = mean;
    }
    std::vector<double> rings;
    std::size_t k = 1;
    for (int j = 0; j < cut.along; ++j) {
        const double wanted = at.back() * j / (cut.along - 1);
        while (k < fine && at[k] < wanted) ++k;
        const double t = (wanted - at[k - 1]) / (at[k] - at[k - 1]);
        rings.push_back(height[k - 1] + t * (height[k] - height[k - 1]));
    }
    return rings;
}

MadeCloth make_tube(const TubeCut& cut) {
    if (cut.hem > cut.top - 0.1) {
        throw InputError({}, "the hem is not below the upper edge", number_text(cut.hem),
                         "allowed: at least 0.1 m below `top`");
    }
    const GarmentBody body(cut.ease, {cut.band, cut.top});
    const std::vector<double> heights = ring_heights(body, cut);
    MadeCloth cloth{mesh::make_cone(cut.around, cut.along, 1, 1, 1), {cut.around, cut.along, true}};

    // Lay vertices evenly around each ring, from the middle of the front to her left; lift them in front.
    for (int j = 0; j < cut.along; ++j) {
        const double level = heights[static_cast<std::size_t>(j)];
        const double lift = cut.rise * std::pow(std::max(0.0, 1 - (cut.top - level) / level_rings), 2);
        for (int i = 0; i < cut.around; ++i) {
            const double turn = static_cast<double>(i) / cut.around;
            const double ahead = std::max(0.0, std::cos(2 * std::numbers::pi * turn));
            const double z = level + lift * ahead * ahead;
            const mesh::Loop curve = mesh::curve_of(tube_outline(body, cut, z));
            const double front = mesh::length_to_ray(curve, Vec2::Zero(), -Vec2::UnitY());
            const mesh::LoopWalk walk(curve);
            const Vec2 p = walk.point(front + turn * walk.length());
            cloth.made.rest[static_cast<std::size_t>(cloth.lattice.vertex(i, j))] =
                pushed_out({p.x(), p.y(), z}, body.ease_at(z));
        }
    }
    cloth.parts = {{"top", {}}, {"hem", {}}};
    for (int i = 0; i < cut.around; ++i) {
        cloth.parts[0].vertices.push_back(cloth.lattice.vertex(i, 0));
        cloth.parts[1].vertices.push_back(cloth.lattice.vertex(i, cut.along - 1));
    }
    return cloth;
}

}  // namespace

MadeCloth make_skirt(const SkirtParams& params) {
    return make_tube({params.around, params.along, params.top, params.top, params.hem, params.flare, 0,
                      params.ease, params.band_ease});
}

MadeCloth make_dress(const DressParams& params) {
    const double hip = collision::Mannequin::landmarks().hip.center.z();
    constexpr double bend = 0.1;  // shorter shows as a crease at the hip [m]
    return make_tube({params.around, params.along, params.top, hip, params.hem, params.flare, bend,
                      params.ease, params.ease, params.rise});
}

}  // namespace taut::scene

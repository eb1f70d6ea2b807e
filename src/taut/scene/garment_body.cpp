#include "taut/scene/garment_body.hpp"

#include <algorithm>
#include <cmath>

#include "taut/collision/mannequin.hpp"
#include "taut/collision/mannequin_shape.hpp"
#include "taut/mesh/section.hpp"

namespace taut::scene {
namespace {

// Directions of an outline: 3 degrees apart a circle of 15 cm differs from its polygon by 0.05 mm.
constexpr int outline_directions = 120;
// Cuts are this far apart [m]; coarser ones let the ease drop between them where the body is steep.
constexpr double level_step = 0.004;
// Outlines are averaged over heights so far above and below [m]: enough to iron out the triangles of the
// skin; twice as much lifts the cloth off the waist and sinks it into the bust by a millimetre.
constexpr double average_reach = 0.012;
// Beyond the known heights outlines are needed for ease and averages.
constexpr double table_low = lowest_outline - 0.04, table_high = highest_outline + 0.03;
// Above the armpits the cut runs along the arms; the trunk is what lies so near to the middle [m].
constexpr double trunk_half_width = 0.15;

std::size_t level_count() {
    return static_cast<std::size_t>(std::lround((table_high - table_low) / level_step)) + 1;
}

const collision::MannequinShape& skin_shape() {
    static const collision::MannequinShape shape;
    return shape;
}

// Points of the loop nearest to the middle on her left: the trunk where it reaches across, else the leg.
mesh::Loop middle_loop(double height) {
    mesh::Loop nearest;
    double least = 1e300;
    for (mesh::Loop& loop : mesh::level_section(collision::Mannequin::rest_points(),
                                                collision::Mannequin::triangles(), height)) {
        const auto [low, high] = std::ranges::minmax(loop, {}, [](const Vec2& p) { return p.x(); });
        const double middle = 0.5 * (low.x() + high.x());
        if (high.x() <= 0 || std::abs(middle) >= least) continue;
        least = std::abs(middle);
        nearest = std::move(loop);
    }
    return nearest;
}

struct RawLevels {
    std::vector<mesh::Support> trunk, left_leg;
};

// Supports of the skin itself at all heights of the table; the same for all garments.
const RawLevels& raw_levels() {
    static const RawLevels levels = [] {
        RawLevels raw;
        for (std::size_t k = 0; k < level_count(); ++k) {
            mesh::Loop leg, trunk;
            const double height = table_low + static_cast<double>(k) * level_step;
            for (const Vec2& p : middle_loop(height)) {
                if (height > armpit && std::abs(p.x()) > trunk_half_width) continue;
                if (p.x() >= 0) leg.push_back(p);
                trunk.push_back(p);
                trunk.emplace_back(-p.x(), p.y());
            }
            raw.trunk.push_back(mesh::support_of(trunk, outline_directions));
            raw.left_leg.push_back(mesh::support_of(leg, outline_directions));
        }
        return raw;
    }();
    return levels;
}

// A ball of radius ease rolls over the outlines, then heights are averaged; both keep them convex.
std::vector<mesh::Support> eased_levels(const std::vector<mesh::Support>& raw, double ease) {
    const int count = static_cast<int>(raw.size()), reach = static_cast<int>(ease / level_step);
    std::vector<mesh::Support> rolled = raw, eased;
    for (int k = 0; k < count; ++k) {
        mesh::Support& support = rolled[static_cast<std::size_t>(k)];
        for (double& value : support) value += ease;
        for (int other = std::max(0, k - reach); other <= std::min(count - 1, k + reach); ++other) {
            const double up = (other - k) * level_step, out = std::sqrt(std::max(0.0, ease * ease - up * up));
            for (std::size_t d = 0; d < support.size(); ++d)
                support[d] = std::max(support[d], raw[static_cast<std::size_t>(other)][d] + out);
        }
    }
    const int width = static_cast<int>(average_reach / level_step);
    for (int k = 0; k < count; ++k) {
        mesh::Support mean(outline_directions, 0.0);
        double total = 0;
        for (int shift = -width; shift <= width; ++shift) {
            const double weight = width + 1 - std::abs(shift);
            const mesh::Support& support =
                rolled[static_cast<std::size_t>(std::clamp(k + shift, 0, count - 1))];
            for (std::size_t d = 0; d < mean.size(); ++d) mean[d] += weight * support[d];
            total += weight;
        }
        for (double& value : mean) value /= total;
        eased.push_back(std::move(mean));
    }
    return eased;
}

// 0 at the upper edge of the band and above, 1 where it ends.
double below_band(const Waistband& band, double height) {
    constexpr double band_height = 0.06;
    const double t = std::clamp((band.top - height) / band_height, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

}  // namespace

GarmentBody::GarmentBody(double ease) : GarmentBody(ease, {ease, 0}) {}

GarmentBody::GarmentBody(double ease, const Waistband& band) : ease_(ease), band_(band) {
    trunk_.eased = eased_levels(raw_levels().trunk, ease);
    left_leg_.eased = eased_levels(raw_levels().left_leg, ease);
    if (band.ease == ease) return;
    const std::vector<mesh::Support> close = eased_levels(raw_levels().trunk, band.ease);
    for (std::size_t k = 0; k < close.size(); ++k) {
        const double share = below_band(band, table_low + static_cast<double>(k) * level_step);
        for (std::size_t d = 0; d < close[k].size(); ++d)
            trunk_.eased[k][d] += (1 - share) * (close[k][d] - trunk_.eased[k][d]);
    }
}

double GarmentBody::ease_at(double height) const {
    return band_.ease + below_band(band_, height) * (ease_ - band_.ease);
}

mesh::Support GarmentBody::Levels::at(double height) const {
    const double place =
        std::clamp((height - table_low) / level_step, 0.0, static_cast<double>(eased.size() - 1));
    const std::size_t k = std::min(static_cast<std::size_t>(place), eased.size() - 2);
    const double t = place - static_cast<double>(k);
    mesh::Support support = eased[k];
    for (std::size_t d = 0; d < support.size(); ++d) support[d] += t * (eased[k + 1][d] - support[d]);
    return support;
}

mesh::Support GarmentBody::trunk(double height) const { return trunk_.at(height); }
mesh::Support GarmentBody::left_leg(double height) const { return left_leg_.at(height); }

double distance_to_skin(const Vec3& p) { return skin_shape()(p); }

Vec3 pushed_out(const Vec3& p, double ease) {
    constexpr double step = 1e-4;  // of the difference quotients [m]
    constexpr int rounds = 4;      // Newton on a function close to a distance: two are enough near the skin
    Vec3 q = p;
    for (int round = 0; round < rounds; ++round) {
        const double missing = ease - distance_to_skin(q);
        if (missing <= 1e-6) break;
        Vec3 slope;
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 shift = step * Vec3::Unit(axis);
            slope[axis] = (distance_to_skin(q + shift) - distance_to_skin(q - shift)) / (2 * step);
        }
        q += missing / std::max(slope.squaredNorm(), 0.1) * slope;
    }
    return q;
}

}  // namespace taut::scene

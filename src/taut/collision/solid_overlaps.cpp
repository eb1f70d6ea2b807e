#include "taut/collision/solid_overlaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "taut/base/parallel.hpp"
#include "taut/collision/place_names.hpp"
#include "taut/elements/triangle_distance.hpp"

namespace taut::collision {
namespace {

// Points this much below a half space, in units of the largest coordinate involved, are on it.
constexpr double overlap_rounding = 256 * std::numeric_limits<double>::epsilon();

double size_of(const Vec3& p) { return p.cwiseAbs().maxCoeff(); }

// A ball or capsule around the segment p q.
struct Round {
    Vec3 p, q;
    double radius;

    double clearance(const Vec3& a, const Vec3& b, const Vec3& c) const {
        const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
        const double bound =
            (low - p.cwiseMax(q)).cwiseMax(p.cwiseMin(q) - high).cwiseMax(Vec3::Zero()).norm() - radius;
        return bound > overlap_rounding * radius
                   ? bound
                   : elements::segment_triangle_distance(p, q, a, b, c) - radius;
    }
};

void add_round(const Surface& surface, const Round& round, int obstacle, ConstPoints x,
               std::vector<SolidOverlap>& list) {
    const auto at = [&](int point) -> const Vec3& { return x[static_cast<std::size_t>(point)]; };
    std::vector<double> clear(surface.triangles.size(), std::numeric_limits<double>::infinity());
    parallel_for(surface.triangles.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const auto& c = surface.triangles[t];
            if (surface.is_cloth(c[0])) clear[t] = round.clearance(at(c[0]), at(c[1]), at(c[2]));
        }
    });
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const auto& corners = surface.triangles[t];
        if (!(clear[t] <= 0)) continue;
        const auto away = [&](int c) { return round.clearance(at(c), at(c), at(c)); };
        const int deepest = *std::min_element(corners.begin(), corners.end(),
                                              [&](int a, int b) { return away(a) < away(b); });
        list.push_back({obstacle, static_cast<int>(t), deepest, -clear[t]});
    }
}

void add_half_space(const Surface& surface, const Obstacle& obstacle, int index, double time, ConstPoints x,
                    std::vector<SolidOverlap>& list) {
    const RigidTransform place = obstacle.motion.at(time);
    const Vec3 normal = place.rotation * obstacle.normal, center = place(obstacle.center);
    for (int i = 0; i < surface.cloth_points; ++i) {
        const Vec3& p = x[static_cast<std::size_t>(i)];
        const double height = normal.dot(p - center);
        if (lies_below(height, p, center)) list.push_back({index, -1, i, -height});
    }
}

}  // namespace

std::vector<SolidOverlap> find_solid_overlaps(const Surface& surface, std::span<const Obstacle> obstacles,
                                              double time, ConstPoints x) {
    std::vector<SolidOverlap> list;
    for (const Body& body : surface.bodies) {
        if (body.cloth || !(body.radius > 0)) continue;
        const auto first = static_cast<std::size_t>(body.first_point);
        const auto last = first + static_cast<std::size_t>(body.point_count) - 1;
        add_round(surface, {x[first], x[last], body.radius}, body.obstacle, x, list);
    }
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
        if (obstacles[k].shape == Shape::plane)
            add_half_space(surface, obstacles[k], static_cast<int>(k), time, x, list);
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const SolidOverlap& a, const SolidOverlap& b) { return a.obstacle < b.obstacle; });
    return list;
}

bool lies_below(double height, const Vec3& p, const Vec3& center) {
    return height < -overlap_rounding * std::max(size_of(p), size_of(center));
}

bool is_held(const Surface& surface, const SolidOverlap& overlap, std::span<const std::uint8_t> held) {
    if (overlap.triangle < 0) return held[static_cast<std::size_t>(overlap.point)] != 0;
    const auto& corners = surface.triangles[static_cast<std::size_t>(overlap.triangle)];
    return std::any_of(corners.begin(), corners.end(),
                       [&](int c) { return held[static_cast<std::size_t>(c)] != 0; });
}

std::vector<std::uint8_t> squeezed_points(const Surface& surface, std::span<const SolidOverlap> overlaps) {
    std::vector<std::uint8_t> squeezed(static_cast<std::size_t>(surface.cloth_points), 0);
    std::vector<bool> below(squeezed.size()),
        inside(surface.triangles.size());  // a half space; another solid
    for (const SolidOverlap& overlap : overlaps) {
        if (overlap.triangle >= 0) continue;
        const auto p = static_cast<std::size_t>(overlap.point);
        if (below[p]) squeezed[p] = 1;
        below[p] = true;
    }
    for (const SolidOverlap& overlap : overlaps) {
        if (overlap.triangle < 0) continue;
        const auto t = static_cast<std::size_t>(overlap.triangle);
        const auto& corners = surface.triangles[t];
        const bool twice = inside[t] || std::any_of(corners.begin(), corners.end(), [&](int c) {
                               return below[static_cast<std::size_t>(c)];
                           });
        for (const int c : corners) {
            if (twice) squeezed[static_cast<std::size_t>(c)] = 1;
        }
        inside[t] = true;
    }
    if (std::count(squeezed.begin(), squeezed.end(), 1) == 0) squeezed.clear();
    return squeezed;
}

std::string overlap_text(const Surface& surface, const Model& model, std::span<const Obstacle> obstacles,
                         const SolidOverlap& overlap, ConstPoints x) {
    const Body& body = surface.body_of(overlap.point);
    const std::string who = overlap.triangle >= 0 ? triangle_name(surface, model, overlap.triangle)
                                                  : fmt::format("vertex {} of cloth '{}'",
                                                                overlap.point - body.first_point, body.name);
    const std::string& name = obstacles[static_cast<std::size_t>(overlap.obstacle)].name;
    const Vec3& place = x[static_cast<std::size_t>(overlap.point)];
    const bool touches = overlap.depth <= overlap_rounding * size_of(place);
    return fmt::format("{} {} obstacle '{}' near {}", who,
                       touches ? "touches" : fmt::format("reaches {:.3g} m into", overlap.depth), name,
                       place_name(place));
}

}  // namespace taut::collision

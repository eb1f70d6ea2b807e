#include "taut/collision/mannequin_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/mesh/implicit_surface.hpp"

namespace taut::collision {
namespace {

// Heights of the measures [m], read off the designed sections.
constexpr double neck_height = 1.505, bust_height = 1.262, waist_height = 1.085, hip_height = 0.885;
constexpr double thigh_height = 0.76, calf_height = 0.34;

mesh::TriangleSurface make_surface(const MannequinShape& shape) {
    mesh::ImplicitSurfaceParams params;
    params.low = {-0.66, -0.24, -0.04};
    params.high = {0.66, 0.18, 1.80};
    params.cell = 0.012;     // below the gap between the legs, so that they stay apart [m]
    params.steepness = 1.5;  // slopes beside thin ellipses exceed one
    params.edge_length = MannequinShape::edge_length;
    return mesh::implicit_surface(shape, params);
}

bool on_arm(Joint joint) {
    return (joint >= Joint::left_shoulder && joint <= Joint::left_wrist) ||
           (joint >= Joint::right_shoulder && joint <= Joint::right_wrist);
}

double turn_of(const Vec2& a, const Vec2& b, const Vec2& c) {
    return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

// Length around the convex hull, as a tape measure runs.
double tape_length(std::vector<Vec2> points) {
    std::sort(points.begin(), points.end(),
              [](const Vec2& a, const Vec2& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
    double length = 0;
    for (int half = 0; half < 2; ++half) {
        std::vector<Vec2> chain;
        for (const Vec2& p : points) {
            while (chain.size() >= 2 && turn_of(chain[chain.size() - 2], chain.back(), p) <= 0)
                chain.pop_back();
            chain.push_back(p);
        }
        for (std::size_t k = 1; k < chain.size(); ++k) length += (chain[k] - chain[k - 1]).norm();
        std::reverse(points.begin(), points.end());
    }
    return length;
}

// The points where the skin without arms crosses a height; of the left half only where asked.
std::vector<Vec2> level_points(const mesh::TriangleSurface& surface, std::span<const Joint> parts,
                               double height, bool left) {
    std::vector<Vec2> points;
    for (const auto& corner : surface.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto v = static_cast<std::size_t>(corner[k]),
                       w = static_cast<std::size_t>(corner[(k + 1) % 3]);
            const Vec3 &a = surface.points[v], &b = surface.points[w];
            if (!(a.z() < height && b.z() >= height) || on_arm(parts[v]) || on_arm(parts[w])) continue;
            const double t = (height - a.z()) / (b.z() - a.z());
            const Vec2 p = ((1 - t) * a + t * b).head<2>();
            if (!left || p.x() > 0) points.push_back(p);
        }
    }
    return points;
}

BodyLevel measure_level(const mesh::TriangleSurface& surface, std::span<const Joint> parts, double height,
                        bool left = false) {
    const std::vector<Vec2> points = level_points(surface, parts, height, left);
    Vec2 low = points.front(), high = low;
    for (const Vec2& p : points) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    const Vec2 middle = 0.5 * (low + high);
    return {{middle.x(), middle.y(), height},
            0.5 * (high - low).x(),
            0.5 * (high - low).y(),
            tape_length(points)};
}

MannequinLandmarks measure(const mesh::TriangleSurface& surface, std::span<const Joint> parts) {
    MannequinLandmarks marks;
    marks.neck = measure_level(surface, parts, neck_height);
    marks.bust = measure_level(surface, parts, bust_height);
    marks.waist = measure_level(surface, parts, waist_height);
    marks.hip = measure_level(surface, parts, hip_height);
    marks.thigh = measure_level(surface, parts, thigh_height, true);
    marks.calf = measure_level(surface, parts, calf_height, true);
    marks.left_shoulder = rest_joint(Joint::left_shoulder);
    marks.left_elbow = rest_joint(Joint::left_elbow);
    marks.left_wrist = rest_joint(Joint::left_wrist);

    // The crotch is the lowest skin in the middle; below it the legs are nearest at their inner sides.
    marks.crotch = std::numeric_limits<double>::infinity();
    for (const Vec3& p : surface.points) {
        marks.height = std::max(marks.height, p.z());
        if (std::abs(p.x()) < 0.006) marks.crotch = std::min(marks.crotch, p.z());
    }
    marks.gap = std::numeric_limits<double>::infinity();
    for (const Vec3& p : surface.points) {
        if (p.z() < marks.crotch - 0.02 && p.z() > rest_joint(Joint::left_knee).z())
            marks.gap = std::min(marks.gap, 2 * std::abs(p.x()));
    }
    return marks;
}

MannequinBody make_body() {
    const MannequinShape shape;
    mesh::TriangleSurface surface = make_surface(shape);
    Skin skin(shape, surface);
    std::vector<Joint> parts;
    for (int v = 0; v < static_cast<int>(surface.points.size()); ++v) {
        const auto weights = skin.weights(v);
        parts.push_back(std::max_element(weights.begin(), weights.end(), [](const auto& a, const auto& b) {
                            return a.value < b.value;
                        })->joint);
    }
    const MannequinLandmarks landmarks = measure(surface, parts);
    return {std::move(surface), std::move(skin), std::move(parts), landmarks};
}

}  // namespace

const MannequinBody& mannequin_body() {
    static const MannequinBody body = make_body();
    return body;
}

}  // namespace taut::collision

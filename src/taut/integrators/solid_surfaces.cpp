#include "taut/integrators/solid_surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut::integrators {

using collision::Obstacle;
using collision::Shape;

SolidSurfaces::SolidSurfaces(std::vector<Obstacle> obstacles) : obstacles_(std::move(obstacles)) {
    for (const Obstacle& obstacle : obstacles_) collision::validate(obstacle);
}

void SolidSurfaces::place(const StepContext& context) {
    const bool first = placed_.empty();
    placed_.resize(obstacles_.size());
    for (std::size_t o = 0; o < obstacles_.size(); ++o) {
        const Obstacle& obstacle = obstacles_[o];
        Placed& placed = placed_[o];
        placed.start = obstacle.motion.at(context.start->t);
        placed.end = obstacle.motion.at(context.time_end());
        if (obstacle.shape != Shape::mesh) continue;
        const bool rests = !obstacle.motion.moving() && !obstacle.mesh->deformation;
        if (rests && !first) continue;
        placed.points_start = collision::points_at(obstacle, context.start->t);
        placed.points_end = collision::points_at(obstacle, context.time_end());
        placed.tree = std::make_shared<collision::ShellTree>(obstacle.mesh->triangles, placed.points_end);
    }
}

SolidSurfaces::Foot SolidSurfaces::foot(int o, const Vec3& p) const {
    const Obstacle& obstacle = obstacles_[static_cast<std::size_t>(o)];
    const Placed& placed = placed_[static_cast<std::size_t>(o)];
    Foot result;
    if (obstacle.shape != Shape::mesh) {
        const collision::Nearest nearest = collision::nearest(obstacle, placed.end, p);
        result.distance = nearest.distance;
        result.normal = nearest.normal;
        result.anchor.place = placed.end.inverse(nearest.point);
        return result;
    }

    // Inside is where the mesh winds around the point; near a sharp edge no single triangle tells.
    const collision::ShellFoot nearest = placed.tree->nearest(p);
    const double length = std::sqrt(nearest.squared);
    const double side = std::abs(placed.tree->winding(p)) > 0.5 ? -1 : 1;
    result.distance = side * length;
    if (length > 1e-9) {
        result.normal = side / length * nearest.offset;
    } else {
        const auto [a, b, c] = nearest.corner;
        const Points& x = placed.points_end;
        result.normal = (x[b] - x[a]).cross(x[c] - x[a]).normalized();
    }
    result.anchor = {nearest.corner, nearest.weight};
    return result;
}

double SolidSurfaces::at_least_away(int o, const Vec3& p) const {
    const Obstacle& obstacle = obstacles_[static_cast<std::size_t>(o)];
    if (is_mesh(o)) return -std::numeric_limits<double>::infinity();
    return collision::at_least_away(obstacle, placed_[static_cast<std::size_t>(o)].end, p);
}

bool SolidSurfaces::has(double o, std::span<const double, 3> corner) const {
    if (!(o >= 0 && o < static_cast<double>(size()))) return false;
    const auto points = static_cast<double>(placed_[static_cast<std::size_t>(o)].points_end.size());
    const bool none = std::all_of(corner.begin(), corner.end(), [](double c) { return c == -1; });
    return none || std::all_of(corner.begin(), corner.end(), [&](double c) { return c >= 0 && c < points; });
}

Vec3 SolidSurfaces::at(int o, const Anchor& anchor, bool end) const {
    const Placed& placed = placed_[static_cast<std::size_t>(o)];
    if (anchor.corner[0] < 0) return (end ? placed.end : placed.start)(anchor.place);
    const Points& x = end ? placed.points_end : placed.points_start;
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k)
        sum += anchor.place[static_cast<Eigen::Index>(k)] * x[static_cast<std::size_t>(anchor.corner[k])];
    return sum;
}

}  // namespace taut::integrators

#include "taut/filters/untangling.hpp"

#include <algorithm>
#include <cmath>

#include "taut/collision/shell_tree.hpp"

namespace taut::filters {
namespace {

using collision::Surface;
using collision::Tangles;

// Sweeps over all crossings; neighbours rarely disagree, so few are enough.
constexpr int sweeps = 4;

// Obstacles that take part in tangles, as numbers of bodies.
std::vector<int> tangled_obstacles(const Surface& surface, const Tangles& tangles) {
    std::vector<int> list;
    for (const auto& pair : tangles.pairs()) {
        for (const int t : {pair.a, pair.b}) {
            const int point = surface.triangles[static_cast<std::size_t>(t)][0];
            if (!surface.is_cloth(point)) list.push_back(surface.body[static_cast<std::size_t>(point)]);
        }
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

}  // namespace

void Untangling::set(const Surface& surface, const Tangles& tangles, ConstPoints x_start, double pace) {
    rows_.clear();
    inside_.assign(static_cast<std::size_t>(surface.points), 0);
    add_exits(surface, tangles, x_start, pace);
    add_crossings(surface, tangles, x_start, pace);
}

// Cloth inside an obstacle leaves by the nearest point of its surface.
void Untangling::add_exits(const Surface& surface, const Tangles& tangles, ConstPoints x_start, double pace) {
    const Points points(x_start.begin(), x_start.end());
    std::vector<collision::ShellFoot> feet(static_cast<std::size_t>(surface.cloth_points));
    for (const int body : tangled_obstacles(surface, tangles)) {
        std::vector<collision::Triangle> own;
        for (const auto& t : surface.triangles) {
            if (surface.body[static_cast<std::size_t>(t[0])] == body) own.push_back(t);
        }
        const collision::ShellTree tree(own, points);
        for (std::size_t i = 0; i < feet.size(); ++i) {
            if (!(tree.signed_distance(x_start[i]) < 0)) continue;
            const collision::ShellFoot foot = tree.nearest(x_start[i]);
            if (foot.squared < feet[i].squared) feet[i] = foot;
        }
    }
    for (std::size_t i = 0; i < feet.size(); ++i) {
        const collision::ShellFoot& foot = feet[i];
        if (!(foot.squared > 0) || !std::isfinite(foot.squared)) continue;
        inside_[i] = 1;
        const int p = static_cast<int>(i);
        rows_.push_back({{p, p, foot.corner[0], foot.corner[1], foot.corner[2]},
                         {1, 0, -foot.weight[0], -foot.weight[1], -foot.weight[2]},
                         -pace * foot.offset.normalized(),
                         true});
    }
}

void Untangling::add_crossings(const Surface& surface, const Tangles& tangles, ConstPoints x_start,
                               double pace) {
    for (const collision::EdgeCrossing& c : collision::find_crossings(surface, tangles, x_start)) {
        const auto& t = surface.triangles[static_cast<std::size_t>(c.triangle)];
        const std::array<int, 5> point{c.edge[0], c.edge[1], t[0], t[1], t[2]};
        const bool solid = !surface.is_cloth(point[0]) || !surface.is_cloth(point[2]);
        const bool leaves = std::any_of(point.begin(), point.end(),
                                        [&](int p) { return inside_[static_cast<std::size_t>(p)] != 0; });
        if (solid && leaves) continue;
        Vec3 direction = c.shorter + c.whole;
        const double size = direction.norm();
        if (size > 1) direction /= size;
        rows_.push_back(
            {point, {1 - c.along, c.along, -c.weight[0], -c.weight[1], -c.weight[2]}, pace * direction});
    }
}

void Untangling::relax(std::span<const double> inverse_mass, double share, ConstPoints from,
                       PointsView x) const {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (const Row& row : rows_) {
            // Measure what is missing.
            Vec3 miss = share * row.way;
            double compliance = 0;
            for (std::size_t k = 0; k < 5; ++k) {
                const auto p = static_cast<std::size_t>(row.point[k]);
                miss -= row.weight[k] * (x[p] - from[p]);
                compliance += row.weight[k] * row.weight[k] * inverse_mass[p];
            }
            if (!(compliance > 0)) continue;
            if (row.outwards) {
                const Vec3 out = row.way.normalized();
                miss = std::max(0.0, miss.dot(out)) * out;
            }

            // Make up for it by the least change, weighed by mass.
            for (std::size_t k = 0; k < 5; ++k) {
                const auto p = static_cast<std::size_t>(row.point[k]);
                if (inverse_mass[p] > 0) x[p] += row.weight[k] * inverse_mass[p] / compliance * miss;
            }
        }
    }
}

void Untangling::move(ConstPoints x_start, std::span<const double> inverse_mass, PointsView x) const {
    relax(inverse_mass, 1, x_start, x);
}

void Untangling::settle(std::span<const double> inverse_mass, PointsView v) const {
    if (rows_.empty()) return;
    const Points rest(v.size(), Vec3::Zero());
    relax(inverse_mass, 0, rest, v);
}

}  // namespace taut::filters

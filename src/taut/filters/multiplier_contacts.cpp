#include "taut/filters/multiplier_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/elements/half_space.hpp"

namespace taut::filters {
namespace {

using collision::Nearest;

// Vertices are set down this far above the thickness [m], so that rounding does not put them below.
constexpr double surface_margin = 1e-9;

// Normals of one vertex that are less apart than this count as one [1]; solving for both would be rounding.
constexpr double independent = 1e-4;

// Changes of friction below this end the rounds [m/s].
constexpr double friction_change_limit = 1e-6;

}  // namespace

MultiplierContacts::MultiplierContacts(const char* filter, double thickness,
                                       std::vector<collision::Obstacle> obstacles)
    : thickness_(thickness), obstacles_(std::move(obstacles)) {
    for (const collision::Obstacle& obstacle : obstacles_) {
        collision::validate(obstacle);
        if (obstacle.shape == collision::Shape::mesh)
            throw InputError(
                {}, fmt::format("{} knows only convex shapes, and one obstacle is a mesh", filter),
                "'" + obstacle.name + "'", "use the filter collision instead, behind another filter");
    }
}

void MultiplierContacts::place(const StepContext& context) {
    placed_.clear();
    for (const collision::Obstacle& o : obstacles_)
        placed_.push_back({&o, o.motion.at(context.start->t), o.motion.at(context.time_end())});
}

void MultiplierContacts::begin(const StepContext& context, std::span<const double> inverse_mass,
                               double recovery) {
    recovery_ = recovery;
    inverse_mass_.assign(inverse_mass.begin(), inverse_mass.end());
    rows_.clear();
    place(context);
    rebuild();
}

// Whether a vertex that goes this way would come through the plane at the nearest point of the obstacle, and
// not merely pass by.
bool MultiplierContacts::meets(const Placed& placed, const StepContext& context, const Vec3& x, const Vec3& v,
                               Row& row) const {
    const Vec3 x_end = x + context.dt * v;
    const Vec3 from = placed.start.inverse(x), to = placed.end.inverse(x_end);
    const double reach = (to - from).norm() + thickness_;
    if (!(collision::at_least_away(*placed.obstacle, placed.end, x_end) <= reach)) return false;
    const Nearest start = collision::nearest(*placed.obstacle, placed.start, x);
    if (!(start.distance <= reach)) return false;

    // Let the plane go with the obstacle; take back a part of what is inside already.
    const Vec3 normal = placed.end.rotation * (placed.start.rotation.transpose() * start.normal);
    const Vec3 point = placed.end(placed.start.inverse(start.point));
    double target = thickness_ + surface_margin;
    if (start.distance < thickness_) target = start.distance + recovery_ * (target - start.distance);
    if (!(normal.dot(x_end - point) < target)) return false;
    const bool near = collision::nearest(*placed.obstacle, placed.end, x_end).distance < thickness_;
    if (!near && !collision::first_entry(*placed.obstacle, from, to)) return false;

    row.normal = normal;
    row.wanted = (normal.dot(point - x) + target) / context.dt;
    row.carried = (placed.end(from) - x) / context.dt;
    row.friction = placed.obstacle->friction;
    return true;
}

bool MultiplierContacts::find(const StepContext& context, ConstPoints v) {
    std::vector<Row> rows;
    bool fresh = false;
    std::size_t next = 0;
    for (int i = 0; i < static_cast<int>(v.size()); ++i) {
        if (!(inverse_mass_[i] > 0)) continue;
        for (int o = 0; o < static_cast<int>(placed_.size()); ++o) {
            if (next < rows_.size() && rows_[next].vertex == i && rows_[next].obstacle == o) {
                Row& known = rows_[next++];
                if (!known.active && known.normal.dot(v[i]) < known.wanted - friction_change_limit)
                    fresh = known.active = true;
                rows.push_back(known);
                continue;
            }
            Row row{i, o, {}, 0, 0, {}};
            if (!meets(placed_[o], context, context.start->x[i], v[i], row)) continue;
            rows.push_back(row);
            fresh = true;
        }
    }
    rows_ = std::move(rows);
    if (fresh) rebuild();
    return fresh;
}

// Orthonormal axes of the active rows of every vertex, by Gram and Schmidt; rows that add no direction are
// left out.
void MultiplierContacts::rebuild() {
    held_.clear();
    held_rows_.clear();
    triangle_.clear();
    for (int r = 0; r < static_cast<int>(rows_.size()); ++r) {
        const Row& row = rows_[r];
        if (!row.active) continue;
        if (held_.empty() || held_.back().vertex != row.vertex) {
            held_.push_back({row.vertex, 0, {}});
            held_rows_.emplace_back();
            triangle_.push_back({});
        }
        HeldVertex& h = held_.back();
        if (h.count == 3) continue;
        Vec3 rest = row.normal;
        std::array<double, 3> along{};
        for (int k = 0; k < h.count; ++k) {
            along[k] = h.axis[k].dot(rest);
            rest -= along[k] * h.axis[k];
        }
        const double left = rest.norm();
        if (!(left > independent)) continue;
        along[h.count] = left;
        for (int k = 0; k <= h.count; ++k) triangle_.back()[3 * k + h.count] = along[k];
        h.axis[h.count++] = rest / left;
        held_rows_.back().push_back(r);
    }
}

void MultiplierContacts::add_friction(PointsView v) const {
    for (const Row& row : rows_) {
        if (row.active) v[row.vertex] += row.slide;
    }
}

void MultiplierContacts::prescribe(PointsView v) const {
    add_friction(v);
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const HeldVertex& h = held_[k];
        Vec3& own = v[h.vertex];
        std::array<double, 3> along{};
        for (int j = 0; j < h.count; ++j) {
            // Solve the rows from the first on for the velocity along their axes.
            double left = rows_[held_rows_[k][j]].wanted;
            for (int i = 0; i < j; ++i) left -= triangle_[k][3 * i + j] * along[i];
            along[j] = left / triangle_[k][3 * j + j];
        }
        for (int j = 0; j < h.count; ++j) own += (along[j] - h.axis[j].dot(own)) * h.axis[j];
    }
}

bool MultiplierContacts::update(ConstPoints with, ConstPoints without) {
    bool changed = false;
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const HeldVertex& h = held_[k];
        const Vec3 change = with[h.vertex] - without[h.vertex];
        for (int j = h.count - 1; j >= 0; --j) {
            double push = h.axis[j].dot(change);
            for (int i = j + 1; i < h.count; ++i)
                push -= triangle_[k][3 * j + i] * rows_[held_rows_[k][i]].push;
            rows_[held_rows_[k][j]].push = push / triangle_[k][3 * j + j];
        }
        for (int j = 0; j < h.count; ++j) {
            Row& row = rows_[held_rows_[k][j]];
            if (row.push < 0) {
                row.active = false;
                row.push = 0;
                row.slide.setZero();
                changed = true;
                continue;
            }

            // Let friction take what sliding is left, as far as the push allows.
            const Vec3 sliding = with[h.vertex] - row.carried;
            Vec3 slide = row.slide - (sliding - row.normal.dot(sliding) * row.normal);
            const double size = slide.norm(), limit = row.friction * row.push;
            if (size > limit) slide *= limit / size;
            changed = changed || (slide - row.slide).norm() > friction_change_limit;
            row.slide = slide;
        }
    }
    if (changed) rebuild();
    return changed;
}

void MultiplierContacts::stop_rest(const StepContext& context, PointsView v) {
    if (!find(context, v)) return;
    for (const Row& row : rows_) {
        const double short_of = row.wanted - row.normal.dot(v[row.vertex]);
        if (row.active && short_of > 0) v[row.vertex] += short_of * row.normal;
    }
}

int MultiplierContacts::count() const {
    return static_cast<int>(std::count_if(rows_.begin(), rows_.end(), [](const Row& r) { return r.active; }));
}

void MultiplierContacts::list(Candidate& c) const {
    c.touches.clear();
    for (const Row& row : rows_) {
        if (!row.active) continue;
        c.touches.push_back({row.vertex, row.obstacle});
        c.impacted[row.vertex] = 1;
    }
}

double MultiplierContacts::deepest(const StepContext& context, ConstPoints v) const {
    double worst = 0;
    for (const collision::Obstacle& obstacle : obstacles_) {
        const RigidTransform end = obstacle.motion.at(context.time_end());
        const double here = parallel_max(v.size(), [&](std::size_t begin, std::size_t stop) {
            double deepest = 0;
            for (std::size_t i = begin; i < stop; ++i) {
                if (!context.pinned.empty() && context.pinned[i]) continue;
                const Vec3 x = context.start->x[i] + context.dt * v[i];
                if (collision::at_least_away(obstacle, end, x) >= 0) continue;
                const double depth = -collision::nearest(obstacle, end, x).distance;
                if (std::isnan(depth)) return depth;
                deepest = std::max(deepest, depth);
            }
            return deepest;
        });
        worst = std::isnan(here) ? here : std::max(worst, here);
    }
    return worst;
}

}  // namespace taut::filters

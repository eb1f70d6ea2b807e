#include "taut/filters/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/elements/half_space.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

using collision::Nearest;
using collision::Obstacle;

// Vertices are set down this far above the thickness [m], so that rounding of x_start + dt v does not
// put them back below it; a thousandth of the tolerance, invisible.
constexpr double rounding_margin = 1e-9;

// Velocities are settled until nothing approaches by more than this in one step, in tolerances of positions.
constexpr double velocity_tolerances = 50;

// Vertices that are looked at together; what they touch is listed in their order.
constexpr std::size_t vertex_block = 512;

}  // namespace

// The tangent planes that bind one vertex, and whose they are.
struct Contact::Planes {
    std::array<elements::HalfSpace, elements::max_half_spaces> plane;
    std::array<const Placed*, elements::max_half_spaces> owner;
    std::array<double, elements::max_half_spaces> push{};  // [m]
    int count = 0;
    bool feasible = true;  // as far as solved

    bool holds(const Placed& placed) const {
        return std::find(owner.begin(), owner.begin() + count, &placed) != owner.begin() + count;
    }
    bool add(const Placed& placed, const Vec3& point, const Vec3& normal, double distance) {
        if (count == elements::max_half_spaces) return false;
        plane[count] = {normal, normal.dot(point) + distance};
        owner[count] = &placed;
        ++count;
        return true;
    }

    // The point nearest to `wanted` above all planes, or a first compromise where they leave no room.
    void solve(const Vec3& wanted, Vec3& x) {
        const auto projection = elements::project_to_half_spaces(std::span(plane).first(count), wanted);
        x = projection.point;
        push = projection.push;
        feasible = projection.feasible;
        if (!feasible) sweep(x);
    }
    // Projects onto each plane in turn.
    void sweep(Vec3& x) const {
        for (int k = 0; k < count; ++k) {
            const double gap = plane[k].offset - plane[k].normal.dot(x);
            if (gap > 0) x += gap * plane[k].normal;
        }
    }
};

void describe(ParamList& list, ContactParams& params) {
    list.number("thickness", params.thickness, "m", between(0, 1), "Distance kept from every obstacle.");
    list.number("tolerance", params.tolerance, "m", positive(), "Penetration that still counts as none.");
    list.integer("max_passes", params.max_passes, "1", between(1, 1000),
                 "Rounds of finding obstacles and projecting, per vertex.");
}

Contact::Contact(Params params, std::vector<Obstacle> obstacles)
    : params_(params), obstacles_(std::move(obstacles)) {
    for (const Obstacle& obstacle : obstacles_) {
        collision::validate(obstacle);
        if (obstacle.shape == collision::Shape::mesh) {
            throw InputError({}, "contact knows only convex shapes, and one obstacle is a mesh",
                             "'" + obstacle.name + "'", "use the filter collision instead");
        }
    }
}

void Contact::prepare(const Model& model) {
    inverse_mass_.assign(model.mass.size(), 0.0);
    found_.clear();
    bands_.clear();
    velocities_.clear();
}

std::vector<Contact::Placed> Contact::place(const StepContext& context) const {
    std::vector<Placed> placed;
    placed.reserve(obstacles_.size());
    for (const Obstacle& o : obstacles_) {
        placed.push_back({&o, o.motion.at(context.start->t), o.motion.at(context.time_end())});
    }
    return placed;
}

// Finds obstacles that the vertex would pass through, or leave on the other side of the one it came
// from, and holds it above the tangent plane where it entered.
void Contact::latch_crossings(std::span<const Placed> placed, const Vec3& x_start, const Vec3& x_end,
                              Planes& planes) const {
    for (const Placed& p : placed) {
        if (p.obstacle->shape == collision::Shape::plane || planes.holds(p)) continue;
        const Vec3 from = p.start.inverse(x_start), to = p.end.inverse(x_end);
        if (collision::at_least_away(*p.obstacle, p.end, x_end) > (to - from).norm()) continue;
        const Nearest end = collision::nearest(*p.obstacle, p.end, x_end);
        if (end.distance > (to - from).norm()) continue;
        const std::optional<Nearest> entry = collision::first_entry(*p.obstacle, from, to);
        if (!entry) continue;
        const Vec3 normal = p.end.rotation * entry->normal;
        if (normal.dot(end.normal) > 0) continue;
        planes.add(p, p.end(entry->point), normal, params_.thickness + rounding_margin);
    }
}

// Moves x out of every obstacle along the shortest way past their tangent planes; returns the passes
// it took. Planes that no point satisfies together are left to alternating projections.
int Contact::project(std::span<const Placed> placed, Vec3& x, Planes& planes) const {
    const Vec3 wanted = x;
    const double distance = params_.thickness + rounding_margin;
    if (planes.count > 0) planes.solve(wanted, x);
    for (int pass = 0; pass < params_.max_passes; ++pass) {
        // Collect obstacles that x is too close to.
        bool fresh = false, near = false;
        for (const Placed& p : placed) {
            if (collision::at_least_away(*p.obstacle, p.end, x) >= params_.thickness) continue;
            const Nearest n = collision::nearest(*p.obstacle, p.end, x);
            if (!(n.distance < params_.thickness)) continue;
            near = true;
            fresh = (!planes.holds(p) && planes.add(p, n.point, n.normal, distance)) || fresh;
        }
        if (!near) return pass;

        // Solve with all planes met so far; where nothing new was met there is no room.
        if (fresh) {
            planes.solve(wanted, x);
        } else {
            planes.sweep(x);
        }
    }
    return params_.max_passes;
}

// Moves one vertex, and lists what it touches; returns the passes it took.
int Contact::filter_vertex(std::span<const Placed> placed, double dt, int vertex, const Vec3& x_start,
                           Vec3& v, std::vector<ContactRow>& rows) const {
    const Vec3 wanted = x_start + dt * v;
    Vec3 x = wanted;
    Planes planes;
    latch_crossings(placed, x_start, wanted, planes);
    int passes = project(placed, x, planes);
    if (x == wanted) return 0;

    // Do not let one obstacle push the vertex through another.
    const int known = planes.count;
    latch_crossings(placed, x_start, x, planes);
    if (planes.count > known) {
        x = wanted;
        passes += project(placed, x, planes);
    }

    // Slow the sliding over each surface by friction times the normal change of velocity.
    const int touching = planes.count;
    for (int k = 0; k < touching; ++k) {
        const Placed& p = *planes.owner[k];
        const Vec3 carried = p.end(p.start.inverse(x_start));
        const double limit = p.obstacle->friction * planes.push[k] / dt;
        x += dt * elements::friction_change(planes.plane[k].normal, (x - carried) / dt, limit);
        if (planes.feasible && !(planes.push[k] > 0)) continue;
        ContactRow row;
        row.point = {vertex, other_point(static_cast<int>(&p - placed.data())), -1, -1};
        row.weight[0] = 1;
        row.normal = planes.plane[k].normal;
        row.friction = p.obstacle->friction;
        row.carried = carried - x_start;
        row.push = 1;  // of no matter, but kept
        rows.push_back(row);
    }

    // Leave no penetration that friction brought back.
    passes = std::max(passes, project(placed, x, planes));
    v = (x - x_start) / dt;
    return std::max(passes, 1);
}

void Contact::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.name = type_name;
    const std::vector<Placed> placed = place(context);
    c.impacted.resize(c.v.size(), 0);
    if (placed.empty() || c.v.empty()) return;
    if (context.round == 0) begin(context);
    found_.resize((c.v.size() + vertex_block - 1) / vertex_block);
    parallel_for(
        c.v.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                Found& own = found_[i / vertex_block];
                if (i % vertex_block == 0) own.passes = 0, own.rows.clear();
                if (!context.pinned.empty() && context.pinned[i]) continue;
                const int needed = filter_vertex(placed, context.dt, static_cast<int>(i), context.start->x[i],
                                                 c.v[i], own.rows);
                if (needed > 0) c.impacted[i] = 1;
                own.passes = std::max(own.passes, needed);
            }
        },
        vertex_block);
    int passes = 0;
    std::vector<ContactRow> rows;
    for (const Found& own : found_) {
        passes = std::max(passes, own.passes);
        rows.insert(rows.end(), own.rows.begin(), own.rows.end());
    }
    velocities_.keep(rows, {});
    c.touches.clear();
    for (const ContactRow& row : velocities_.rows())
        c.touches.push_back({row.point[0], other_point(row.point[1])});
    report.iterations += passes;
    report.contacts = velocities_.count();
}

// Makes ready for what velocities need.
void Contact::begin(const StepContext& context) {
    velocities_.clear();
    bands_.set(context, nullptr);
    for (std::size_t i = 0; i < inverse_mass_.size(); ++i) {
        const bool held = !context.pinned.empty() && context.pinned[i];
        inverse_mass_[i] = held ? 0 : 1 / context.model->mass[i];
    }
}

// Whoever touched does not approach any more, and slides with friction.
bool Contact::settle_velocity(const StepContext& context, ConstPoints, const Candidate& c, PointsView v,
                              FilterReport&) {
    if (velocities_.count() == 0) return false;
    if (!velocities_.started()) {
        Points x;
        end_positions(context, c, x);
        velocities_.set_edges(bands_.all(), x, inverse_mass_);
    }
    return velocities_.settle(context.dt, inverse_mass_, velocity_tolerances * params_.tolerance,
                              velocity_sweeps, v);
}

// Depth of the deepest vertex with this pin flag inside any obstacle at the end of the step [m].
double Contact::deepest(const StepContext& context, const Candidate& c, bool pinned) const {
    const std::vector<Placed> placed = place(context);
    if (placed.empty() || c.v.empty()) return 0;
    return parallel_max(c.v.size(), [&](std::size_t begin, std::size_t end) {
        double worst = 0;
        for (std::size_t i = begin; i < end; ++i) {
            if ((!context.pinned.empty() && context.pinned[i]) != pinned) continue;
            const Vec3 x = context.start->x[i] + context.dt * c.v[i];
            for (const Placed& p : placed) {
                if (collision::at_least_away(*p.obstacle, p.end, x) >= 0) continue;
                const double depth = -collision::nearest(*p.obstacle, p.end, x).distance;
                if (std::isnan(depth)) return depth;
                worst = std::max(worst, depth);
            }
        }
        return worst;
    });
}

void Contact::measure(const StepContext& context, const Candidate& c, FilterReport& report) const {
    report.name = type_name;
    report.tolerance = params_.tolerance;
    report.residual = deepest(context, c, false);
    report.held = report.residual <= params_.tolerance;
    report.note.clear();
    if (!report.held) report.note = fmt::format("vertices are {:.3g} m inside an obstacle", report.residual);

    // Pins win over obstacles: say so where they disagree, but do not call it a failure.
    const double depth = deepest(context, c, true);
    if (!(depth <= params_.tolerance)) {
        report.note += fmt::format("{}pins are held {:.3g} m inside an obstacle",
                                   report.note.empty() ? "" : "; ", depth);
    }
}

}  // namespace taut::filters

// What the filter `collision` says about the end of a step, whoever moved the cloth last.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "taut/base/parallel.hpp"
#include "taut/collision/place_names.hpp"
#include "taut/collision/solid_overlaps.hpp"
#include "taut/filters/collision.hpp"
#include "taut/filters/pinches.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

using collision::Obstacle;
using collision::pair_block;
using collision::PairList;
using collision::PairPoints;
using collision::PairVerdict;

// Faces remembered for pictures: more would only paint the cloth.
constexpr std::size_t most_marks = 1000;

}  // namespace

// Free vertices below half spaces are a miss, unless they were so before or were let go.
void Collision::measure_half_spaces(const StepContext& context, FilterReport& report) const {
    std::size_t deepest = 0;
    for (const Obstacle& obstacle : obstacles_) {
        if (obstacle.shape != collision::Shape::plane) continue;
        const RigidTransform start = obstacle.motion.at(context.start->t),
                             end = obstacle.motion.at(context.time_end());
        const Vec3 normal = end.rotation * obstacle.normal, center = end(obstacle.center);
        const Vec3 first_normal = start.rotation * obstacle.normal, first_center = start(obstacle.center);
        for (std::size_t i = 0; i < context.pinned.size(); ++i) {
            if (context.pinned[i] || near_->is_let_go(static_cast<int>(i))) continue;
            const double depth = -normal.dot(near_->ends()[i] - center);
            report.distance = std::min(report.distance, -depth);
            if (!(depth > report.residual)) continue;
            const Vec3& first = near_->starts()[i];
            if (lives_with_tangles() &&
                collision::lies_below(first_normal.dot(first - first_center), first, first_center))
                continue;
            report.residual = depth;
            report.note = fmt::format("obstacle '{}'", obstacle.name);
            deepest = i;
        }
    }
    if (!(report.residual > 0)) return;
    const collision::Body& body = near_->surface().body_of(static_cast<int>(deepest));
    report.note = fmt::format("vertex {} of cloth '{}' is {:.3g} m inside {} near {}",
                              static_cast<int>(deepest) - body.first_point, body.name, report.residual,
                              report.note, collision::place_name(near_->ends()[deepest]));
    mark_faces(near_->tangles().around(static_cast<int>(deepest)), report);
}

collision::IntersectionSkips Collision::skips() const {
    collision::IntersectionSkips skips;
    skips.group = group_;
    skips.not_within = not_within_;
    return skips;
}

void Collision::measure(const StepContext& context, const Candidate& c, FilterReport& report) const {
    report.name = type_name;
    report.tolerance = 0;
    report.residual = 0;
    report.intersections = 0;
    report.note.clear();
    report.hint.clear();
    report.faces.clear();
    report.depth = 0;
    report.distance = std::numeric_limits<double>::infinity();
    Points x;
    end_positions(context, c, x);
    if (!all_finite(x)) {
        report.held = false;
        report.residual = std::numeric_limits<double>::quiet_NaN();
        return;
    }
    if (!near_->began(context.start->x, context.start->t, context.time_end())) begin(context);
    near_->set_ends(x);
    near_->update();

    measure_pairs(report);
    if (!(report.residual > 0)) measure_half_spaces(context, report);
    if (!(report.residual > 0) && context.promising) {
        // Only a state that would be accepted is worth the exact check.
        measure_intersections(context, report);
        measure_solids(context, report);
        if (report.intersections == 0) clean_ = std::move(x);
    }
    if (context.last_try) tell_pinches(report);
    report.held = report.residual <= 0;
}

// Counts what reaches into balls, capsules and half spaces; a miss, unless that is permitted or pins hold it
// there.
void Collision::measure_solids(const StepContext& context, FilterReport& report) const {
    const collision::Surface& surface = near_->surface();
    auto overlaps = collision::find_solid_overlaps(surface, obstacles_, context.time_end(), near_->ends());
    if (overlaps.empty()) return;
    report.intersections += static_cast<long>(overlaps.size());
    for (const collision::SolidOverlap& overlap : overlaps)
        report.depth = std::max(report.depth, overlap.depth);
    report.distance = std::min(report.distance, -report.depth);
    report.note += fmt::format("{}{} triangles or vertices reach into balls, capsules or half spaces",
                               report.note.empty() ? "" : "; ", overlaps.size());
    if (lives_with_tangles()) return;
    std::erase_if(overlaps, [&](const collision::SolidOverlap& overlap) {
        return collision::is_held(surface, overlap, context.pinned);
    });
    if (overlaps.empty()) return;
    report.residual = std::max({report.residual, overlaps[0].depth, params_.floor * params_.thickness});
    report.note = collision::overlap_text(surface, *context.model, obstacles_, overlaps[0], near_->ends());
    for (const collision::SolidOverlap& overlap : overlaps) {
        if (overlap.triangle >= 0)
            mark_faces(std::array{overlap.triangle}, report);
        else
            mark_faces(near_->tangles().around(overlap.point), report);
    }
}

// Says where obstacles leave cloth no room, since what breaks first may be a length.
void Collision::tell_pinches(FilterReport& report) const {
    const Pinches pinches = find_pinches(near_->surface(), obstacles_, velocities_.rows());
    if (pinches.triangles.empty()) return;
    mark_faces(pinches.triangles, report);
    report.hint = fmt::format("{} near {}", pinches.text,
                              collision::place_name(near_->ends()[static_cast<std::size_t>(pinches.first)]));
}

// Judges every pair on the way to the ends of the step.
void Collision::measure_pairs(FilterReport& report) const {
    long crossing = 0;
    std::string where;  // the first
    for (const PairList& list : near_->lists()) {
        std::vector<std::vector<std::size_t>> crossings((list.pairs.size() + pair_block - 1) / pair_block);
        std::vector<double> least(crossings.size(), report.distance);
        parallel_for(
            list.pairs.size(),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t k = begin; k < end; ++k) {
                    double& known = least[k / pair_block];
                    const PairVerdict verdict = near_->judge(list, k, 0, known);
                    if (verdict.crossing) crossings[k / pair_block].push_back(k);
                    known = std::min(known, verdict.clearance);
                }
            },
            pair_block);
        for (const auto& block : crossings) {
            for (const std::size_t k : block) {
                const PairPoints& q = list.pairs[k];
                mark_pair(list.kind, q, report);
                if (crossing++ == 0) {
                    where = collision::pair_name(near_->surface(), list.kind, q) + " near " +
                            collision::place_name(near_->ends()[static_cast<std::size_t>(q[0])]);
                }
            }
        }
        for (const double d : least) report.distance = std::min(report.distance, d);
    }
    if (crossing == 0) return;
    report.residual = params_.floor * params_.thickness;
    report.note =
        fmt::format("{} pairs of vertices and faces or of edges cross or come closer than {:.3g} m, first {}",
                    crossing, report.residual, where);
}

// Counts all intersections; those that were not there at the start are a miss, unless pairs were let go.
void Collision::measure_intersections(const StepContext& context, FilterReport& report) const {
    const collision::Surface& surface = near_->surface();
    collision::IntersectionSkips skips = this->skips();
    report.intersections =
        static_cast<long>(collision::count_intersections(near_->ends(), surface.triangles, skips));
    if (report.intersections == 0) return;
    skips.exempt = near_->tangles().exempt();
    auto fresh = collision::find_intersections(near_->ends(), surface.triangles, skips);
    std::erase_if(fresh, [&](const auto& pair) {
        return near_->tangles().spares(pair) || is_let_go(pair.a, pair.b) || is_let_go(pair.b, pair.a);
    });
    if (fresh.empty() || near_->has_dropped()) {
        report.note =
            fmt::format("{} pairs of triangles intersect, exempt until they part", report.intersections);
        return;
    }
    for (const auto& pair : fresh) mark_faces(std::array{pair.a, pair.b}, report);
    const int corner = surface.triangles[static_cast<std::size_t>(fresh[0].a)][0];
    report.residual = params_.floor * params_.thickness;
    report.note = fmt::format("{} pairs of triangles intersect, first {} and {} near {}", fresh.size(),
                              collision::triangle_name(surface, *context.model, fresh[0].a),
                              collision::triangle_name(surface, *context.model, fresh[0].b),
                              collision::place_name(near_->ends()[static_cast<std::size_t>(corner)]));
}

// A triangle of cloth that was let go from obstacles, and one of an obstacle.
bool Collision::is_let_go(int cloth, int obstacle) const {
    const collision::Surface& surface = near_->surface();
    const auto& corners = surface.triangles[static_cast<std::size_t>(cloth)];
    if (!surface.is_cloth(corners[0]) ||
        surface.is_cloth(surface.triangles[static_cast<std::size_t>(obstacle)][0]))
        return false;
    return std::any_of(corners.begin(), corners.end(), [&](int c) { return near_->is_let_go(c); });
}

// Remembers faces of the cloth, for pictures.
void Collision::mark_faces(std::span<const int> triangles, FilterReport& report) const {
    for (const int t : triangles) {
        const int face = face_of_[static_cast<std::size_t>(t)];
        if (face >= 0 && report.faces.size() < most_marks) report.faces.push_back(face);
    }
}

void Collision::mark_pair(collision::PairKind kind, const PairPoints& q, FilterReport& report) const {
    const collision::Tangles& tangles = near_->tangles();
    if (kind == collision::PairKind::vertex_face) {
        mark_faces(tangles.around(q[0]), report);
        mark_faces(tangles.beside(q[1], q[2]), report);
    } else {
        mark_faces(tangles.beside(q[0], q[1]), report);
        mark_faces(tangles.beside(q[2], q[3]), report);
    }
}

}  // namespace taut::filters

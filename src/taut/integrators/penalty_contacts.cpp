#include "taut/integrators/penalty_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "taut/base/parallel.hpp"

namespace taut::integrators {
namespace {

using collision::Closeness;
using collision::PairKind;
using collision::PairPoints;

// Below this speed friction is viscous [m/s].
constexpr double slow = 1e-3;
// Feet nearer to the rim of a triangle or the end of an edge than this share are not within it.
constexpr double rim = 1e-6;
// Pairs on the wrong side are given up beyond so many thicknesses.
constexpr double lost_thicknesses = 20;
// A pair nearer than this share of its thickness touches.
constexpr double touching = 1e-3;
// kind, four points, side
constexpr std::size_t side_record = 6;

Vec3 at(ConstPoints x, int i) { return x[static_cast<std::size_t>(i)]; }

Vec3 weighted(const std::array<double, 4>& weight, const PairPoints& q, ConstPoints x) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) sum += weight[k] * at(x, q[k]);
    return sum;
}

// Whether the closest points lie within both primitives, away from their rims.
bool inside(PairKind kind, const std::array<double, 4>& w) {
    if (kind == PairKind::vertex_face) return w[1] < -rim && w[2] < -rim && w[3] < -rim;
    return w[0] > rim && w[1] > rim && w[2] < -rim && w[3] < -rim;
}

// The direction that sides are told by: of the triangle, or across both edges.
Vec3 reference(PairKind kind, const PairPoints& q, ConstPoints x) {
    if (kind == PairKind::vertex_face) return (at(x, q[2]) - at(x, q[1])).cross(at(x, q[3]) - at(x, q[1]));
    return (at(x, q[1]) - at(x, q[0])).cross(at(x, q[3]) - at(x, q[2]));
}

}  // namespace

PenaltyContacts::PenaltyContacts(PenaltyParams params, collision::FrictionTable friction)
    : params_(params), table_(std::move(friction)) {}

void PenaltyContacts::prepare(const Model& model) {
    memory_.clear();
    candidates_.clear();
    springs_.clear();
    if (!params_.on) return;
    surface_ = collision::make_surface(model, {}, params_.thickness);
    broad_phase_.prepare(surface_, model.rest);
    friction_ = collision::friction_matrix(surface_, table_);
}

// The place of a pair in the memory, or none.
std::optional<std::size_t> PenaltyContacts::remembered(const Candidate& candidate) const {
    const auto key = [](const double* r) { return std::tuple(r[0], r[1], r[2], r[3], r[4]); };
    const PairPoints& q = candidate.points;
    const std::tuple<double, double, double, double, double> wanted(
        candidate.kind == PairKind::edge_edge ? 1 : 0, q[0], q[1], q[2], q[3]);
    std::size_t low = 0, high = memory_.size() / side_record;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (key(&memory_[middle * side_record]) < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low * side_record == memory_.size() || key(&memory_[low * side_record]) != wanted) return {};
    return low;
}

// Leaves out of the memory what no step has put there, as a file may.
void PenaltyContacts::clean_memory() {
    const auto points = static_cast<double>(surface_.body.size());
    const auto is_point = [&](double p) { return p >= 0 && p < points; };
    std::vector<double> sound;
    for (std::size_t m = 0; m + side_record <= memory_.size(); m += side_record) {
        const auto r = std::span(memory_).subspan(m, side_record);
        if (std::all_of(r.begin() + 1, r.begin() + 5, is_point) && std::abs(r[5]) == 1)
            sound.insert(sound.end(), r.begin(), r.end());
    }
    memory_ = sound;
}

// Puts in the sides that are remembered, and the pairs of the memory that are not among the candidates.
void PenaltyContacts::recall() {
    clean_memory();
    std::vector<char> seen(memory_.size() / side_record, 0);
    for (Candidate& candidate : candidates_) {
        const auto place = remembered(candidate);
        if (!place) continue;
        candidate.side = static_cast<signed char>(memory_[*place * side_record + 5]);
        seen[*place] = 1;
    }
    for (std::size_t k = 0; k < seen.size(); ++k) {
        if (seen[k]) continue;
        const double* r = &memory_[k * side_record];
        Candidate candidate;
        candidate.kind = r[0] != 0 ? PairKind::edge_edge : PairKind::vertex_face;
        for (std::size_t i = 0; i < 4; ++i) candidate.points[i] = static_cast<int>(r[1 + i]);
        candidate.side = static_cast<signed char>(r[5]);
        candidates_.push_back(candidate);
    }
}

// Takes pairs.
void PenaltyContacts::collect(PairKind kind, const std::vector<PairPoints>& pairs) {
    candidates_.reserve(candidates_.size() + pairs.size());
    for (const PairPoints& points : pairs) {
        Candidate& candidate = candidates_.emplace_back();
        candidate.kind = kind;
        candidate.points = points;
    }
}

PenaltyContacts::Stand PenaltyContacts::stand(const Candidate& candidate, ConstPoints x_start,
                                              ConstPoints x_end) const {
    const PairKind kind = candidate.kind;
    const PairPoints& q = candidate.points;
    const double thickness = collision::kept_distance(surface_, q[0], q[2]);
    const Closeness close = collision::closeness(kind, q, x_end);
    Stand result{close.weight, close.normal, close.distance};

    // Look whether it is back where it belongs, or lost.
    if (candidate.side != 0) {
        const Vec3 home = candidate.side * reference(kind, q, x_end);
        if (home.dot(close.normal) < 0 && inside(kind, close.weight) &&
            close.distance < lost_thicknesses * thickness) {
            result.normal = -close.normal;
            result.distance = -close.distance;
        }
        return result;
    }

    // Look whether it goes through within the step: touches, and ends behind where it touched.
    if (collision::stays_apart(kind, q, x_start, x_end, touching * thickness)) return result;
    const elements::Impact impact = collision::impact(kind, q, x_start, x_end, touching * thickness);
    if (!impact.hit) return result;
    const Closeness touch = collision::closeness_at(kind, q, x_start, x_end, impact.time);
    const double ahead = touch.normal.dot(weighted(touch.weight, q, x_end));
    if (ahead < 0) result = {touch.weight, touch.normal, ahead};
    return result;
}

// Gives a pair a spring where it would be too close at these ends, or on the wrong side.
bool PenaltyContacts::engage(std::size_t index, ConstPoints x_start, ConstPoints x_end,
                             Spring& spring) const {
    const Candidate& candidate = candidates_[index];
    if (candidate.dropped) return false;
    const PairPoints& q = candidate.points;
    const double thickness = collision::kept_distance(surface_, q[0], q[2]);
    const Stand now = stand(candidate, x_start, x_end);
    if (!(now.distance < thickness) || !(now.normal.squaredNorm() > 0)) return false;
    // Edges that meet with an end are left to that vertex and the triangles.
    if (candidate.kind == PairKind::edge_edge && !inside(candidate.kind, now.weight)) return false;
    spring = {};
    spring.points = q;
    spring.weight = now.weight;
    spring.normal = now.normal;
    spring.thickness = thickness;
    spring.friction = friction_[static_cast<std::size_t>(surface_.body[static_cast<std::size_t>(q[0])]) *
                                    surface_.bodies.size() +
                                static_cast<std::size_t>(surface_.body[static_cast<std::size_t>(q[2])])];
    spring.candidate = index;
    return true;
}

// Springs for all candidates that have none and need one; in the order of candidates.
bool PenaltyContacts::engage_all(const StepContext& context, ConstPoints x_end) {
    std::vector<Spring> fresh(candidates_.size());
    std::vector<char> engaged(candidates_.size(), 0);
    parallel_for(candidates_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            if (candidates_[k].spring < 0) engaged[k] = engage(k, context.start->x, x_end, fresh[k]) ? 1 : 0;
        }
    });
    const std::size_t before = springs_.size();
    const State& start = *context.start;
    for (std::size_t k = 0; k < fresh.size(); ++k) {
        if (!engaged[k]) continue;
        Spring& spring = fresh[k];
        const double depth =
            spring.thickness - spring.normal.dot(weighted(spring.weight, spring.points, start.x));
        const Vec3 u = weighted(spring.weight, spring.points, start.v);
        spring.push = std::max(0.0, params_.stiffness * depth);
        spring.drag = u - spring.normal.dot(u) * spring.normal;
        candidates_[k].spring = static_cast<int>(springs_.size());
        springs_.push_back(spring);
    }
    return springs_.size() > before;
}

void PenaltyContacts::set_rows(const StepContext& context) {
    const double h = context.h, k = params_.stiffness, d = params_.damping * params_.stiffness;
    elastic_.clear();
    system_.clear();
    for (Spring& spring : springs_) {
        linalg::RankOneRow row;
        row.vertex = spring.points;
        row.weight = spring.weight;
        row.direction = spring.normal;
        row.factor = k;
        elastic_.push_back(row);
        row.factor = h * h * k + h * d;
        system_.push_back(row);

        // Slow what slides, by no more than friction allows.
        spring.viscosity = spring.friction * spring.push / std::max(spring.drag.norm(), slow);
        if (!(spring.viscosity > 0)) continue;
        const Vec3 first = spring.normal.unitOrthogonal();
        for (const Vec3& across : {first, Vec3(spring.normal.cross(first))}) {
            row.direction = across;
            row.factor = h * spring.viscosity;
            system_.push_back(row);
        }
    }
}

void PenaltyContacts::begin(const StepContext& context) {
    candidates_.clear();
    springs_.clear();
    elastic_.clear();
    system_.clear();
    if (!params_.on) return;
    const State& start = *context.start;
    ahead_.resize(start.x.size());
    for (std::size_t i = 0; i < ahead_.size(); ++i) {
        ahead_[i] = context.pinned[i] ? context.pin_target[i] : Vec3(start.x[i] + context.dt * start.v[i]);
    }
    broad_phase_.find(start.x, ahead_, params_.thickness, pairs_);
    collect(PairKind::vertex_face, pairs_.vertex_face);
    collect(PairKind::edge_edge, pairs_.edge_edge);
    if (!memory_.empty()) recall();
    engage_all(context, ahead_);
    set_rows(context);
}

void PenaltyContacts::add_force(const State& start, PointsView f) const {
    const double k = params_.stiffness, d = params_.damping * params_.stiffness;
    for (const Spring& spring : springs_) {
        const double depth =
            spring.thickness - spring.normal.dot(weighted(spring.weight, spring.points, start.x));
        const Vec3 u = weighted(spring.weight, spring.points, start.v);
        const double along = spring.normal.dot(u);
        const Vec3 force =
            (k * depth - d * along) * spring.normal - spring.viscosity * (u - along * spring.normal);
        for (std::size_t j = 0; j < 4; ++j)
            f[static_cast<std::size_t>(spring.points[j])] += spring.weight[j] * force;
    }
}

bool PenaltyContacts::revise(const StepContext& context, ConstPoints x_end, ConstPoints v_end) {
    if (candidates_.empty()) return false;
    const double k = params_.stiffness, d = params_.damping * params_.stiffness;
    for (Spring& spring : springs_) {
        const double depth =
            spring.thickness - spring.normal.dot(weighted(spring.weight, spring.points, x_end));
        spring.push = k * depth - d * spring.normal.dot(weighted(spring.weight, spring.points, v_end));
        if (spring.push >= 0) continue;
        Candidate& candidate = candidates_[spring.candidate];
        candidate.dropped = true;
        candidate.spring = -1;
    }
    const std::size_t before = springs_.size();
    std::erase_if(springs_, [](const Spring& spring) { return spring.push < 0; });
    for (std::size_t s = 0; s < springs_.size(); ++s)
        candidates_[springs_[s].candidate].spring = static_cast<int>(s);
    const bool dropped = springs_.size() < before;
    const bool added = engage_all(context, x_end);
    if (dropped || added) set_rows(context);
    return dropped || added;
}

void PenaltyContacts::finish(const StepContext& context, ConstPoints x_end) {
    memory_.clear();
    parallel_for(candidates_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            Candidate& candidate = candidates_[k];
            const Stand now = stand(candidate, context.start->x, x_end);
            const double home = reference(candidate.kind, candidate.points, x_end).dot(now.normal);
            candidate.side = now.distance < 0 ? (home > 0 ? 1 : -1) : 0;
        }
    });
    std::vector<const Candidate*> kept;
    for (const Candidate& candidate : candidates_) {
        if (candidate.side != 0) kept.push_back(&candidate);
    }
    std::sort(kept.begin(), kept.end(), [](const Candidate* a, const Candidate* b) {
        return std::tie(a->kind, a->points) < std::tie(b->kind, b->points);
    });
    memory_.reserve(side_record * kept.size());
    for (const Candidate* c : kept) {
        const auto [p0, p1, p2, p3] = c->points;
        memory_.insert(memory_.end(), {c->kind == PairKind::edge_edge ? 1.0 : 0.0, double(p0), double(p1),
                                       double(p2), double(p3), double(c->side)});
    }
}

}  // namespace taut::integrators

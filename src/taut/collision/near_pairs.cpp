#include "taut/collision/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/base/parallel.hpp"

namespace taut::collision {
namespace {

// Pairs are found this many thicknesses beyond what is kept. More: the search is repeated less often while
// ends of the step move, but finds more pairs that matter little.
constexpr double slack_share = 2.0;

// Once some end has moved by half of the slack, pairs of all points that have moved by this share of it are
// found again, or all pairs where these are more than so many.
constexpr double redo_share = 0.25, few_share = 0.3;

// A pair ends too close once less than this share of what it should keep is left; the rest lets pairs of a
// smooth surface, which all but agree, fall out.
constexpr double act_share = 0.9;

// Where a pair starts closer than the floor, it may lose this share of what it has.
constexpr double loss_share = 0.5;

}  // namespace

void PairList::resize(std::size_t count) {
    pairs.resize(count);
    clear.resize(count);
    axis.resize(count);
    ahead.resize(count);
    harmless.resize(count, 0);
}

void PairList::move(std::size_t from, std::size_t to) {
    pairs[to] = pairs[from];
    clear[to] = clear[from];
    axis[to] = axis[from];
    ahead[to] = ahead[from];
    harmless[to] = harmless[from];
}

void NearPairs::prepare(const Model& model, std::vector<Obstacle> obstacles, const NearSettings& settings) {
    settings_ = settings;
    obstacles_ = std::move(obstacles);
    surface_ = make_surface(model, obstacles_, settings.thickness);
    const auto points = static_cast<std::size_t>(surface_.points);
    Points rest = model.rest;
    rest.resize(points);
    place_obstacles(surface_, obstacles_, 0, rest);
    broad_phase_.prepare(surface_, rest);
    tangles_.prepare(surface_);
    x_start_ = x_end_ = rest;
    held_.assign(points, 1);
    lists_[0].kind = PairKind::vertex_face;
    lists_[1].kind = PairKind::edge_edge;
    found_for_.clear();
}

void NearPairs::begin(ConstPoints x_start, double t_start, double t_end, std::span<const std::uint8_t> held) {
    std::copy(x_start.begin(), x_start.end(), x_start_.begin());
    std::copy(held.begin(), held.end(), held_.begin());
    place_obstacles(surface_, obstacles_, t_start, x_start_);
    place_obstacles(surface_, obstacles_, t_end, x_end_);
    t_start_ = t_start;
    t_end_ = t_end;
    found_for_.clear();
    looked_at_.clear();
    tangles_.set({});
    for (auto& list : dropped_) list.clear();
    let_go_.clear();
}

void NearPairs::set_tangles(std::vector<TrianglePair> pairs) {
    tangles_.set(std::move(pairs));
    found_for_.clear();
}

void NearPairs::drop_crossing() {
    for (std::size_t l = 0; l < lists_.size(); ++l) {
        PairList& list = lists_[l];
        std::size_t kept = 0;
        for (std::size_t k = 0; k < list.pairs.size(); ++k) {
            if (judge(list, k, 0, 0).crossing)
                dropped_[l].push_back(list.pairs[k]);
            else
                list.move(k, kept++);
        }
        list.resize(kept);
        std::sort(dropped_[l].begin(), dropped_[l].end());
    }
}

void NearPairs::let_go(std::span<const std::uint8_t> points) {
    if (let_go_.empty()) let_go_.assign(static_cast<std::size_t>(surface_.cloth_points), 0);
    for (std::size_t i = 0; i < points.size(); ++i) let_go_[i] |= points[i];
    for (PairList& list : lists_) {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < list.pairs.size(); ++k) {
            if (!is_let_go(list.pairs[k])) list.move(k, kept++);
        }
        list.resize(kept);
    }
}

// A pair of an obstacle and of cloth that was let go.
bool NearPairs::is_let_go(const PairPoints& q) const {
    if (let_go_.empty() || surface_.is_cloth(q[0]) == surface_.is_cloth(q[3])) return false;
    return std::any_of(q.begin(), q.end(), [&](int p) { return surface_.is_cloth(p) && is_let_go(p); });
}

bool NearPairs::began(ConstPoints x_start, double t_start, double t_end) const {
    return t_start == t_start_ && t_end == t_end_ &&
           std::equal(x_start.begin(), x_start.end(), x_start_.begin());
}

void NearPairs::set_ends(ConstPoints cloth) {
    std::copy(cloth.begin(), cloth.end(), x_end_.begin());
    looked_at_.clear();
}

// The longest way of an end since the pairs were found [m].
double NearPairs::moved_most() const {
    return std::sqrt(parallel_max(x_end_.size(), [&](std::size_t begin, std::size_t end) {
        double most = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const double squared = (x_end_[i] - found_for_[i]).squaredNorm();
            if (std::isnan(squared)) return squared;
            most = std::max(most, squared);
        }
        return most;
    }));
}

// Marks the points whose ends have moved by more than a part of the slack; true if they are few.
bool NearPairs::mark_changed() {
    const double most = redo_share * slack_share * settings_.thickness;
    changed_.resize(x_end_.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < x_end_.size(); ++i) {
        changed_[i] = !((x_end_[i] - found_for_[i]).squaredNorm() <= most * most);
        count += changed_[i];
    }
    return static_cast<double>(count) <= few_share * static_cast<double>(surface_.cloth_points);
}

void NearPairs::update() {
    if (found_for_.empty()) {
        find(false);
    } else if (!(moved_most() <= 0.5 * slack_share * settings_.thickness)) {
        find(mark_changed());
    }
}

// Finds all pairs, or only those anew that hold a changed point: pairs are then complete for the ends that
// the others had when they were found.
void NearPairs::find(bool few) {
    if (few) {
        for (std::size_t i = 0; i < x_end_.size(); ++i) {
            if (changed_[i]) found_for_[i] = x_end_[i];
        }
        broad_phase_.find(x_start_, found_for_, slack_share * settings_.thickness, found_, changed_);
    } else {
        found_for_ = x_end_;
        broad_phase_.find(x_start_, found_for_, slack_share * settings_.thickness, found_);
    }
    for (std::size_t l = 0; l < lists_.size(); ++l) {
        PairList& list = lists_[l];
        std::size_t kept = 0;
        for (std::size_t k = 0; few && k < list.pairs.size(); ++k) {
            if (!has_flag(list.pairs[k], changed_)) list.move(k, kept++);
        }
        list.resize(kept);
        add_found(l);
    }
}

// Adds what was found to list number l, without pairs that nobody can move and those that touch or cross at
// the start.
void NearPairs::add_found(std::size_t l) {
    PairList& list = lists_[l];
    const std::vector<PairPoints>& found = l == 0 ? found_.vertex_face : found_.edge_edge;
    std::size_t kept = list.pairs.size();
    list.resize(kept + found.size());
    parallel_for(found.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const PairPoints& q = found[k];
            const Closeness at = closeness(list.kind, q, x_start_);
            list.pairs[kept + k] = q;
            list.clear[kept + k] =
                at.distance - surface_.body_of(q[0]).radius - surface_.body_of(q[3]).radius;
            list.axis[kept + k] = axis_of(at);
            list.ahead[kept + k] = ahead_along(list.kind, q, x_start_, list.axis[kept + k]);
        }
    });
    for (std::size_t k = kept; k < list.pairs.size(); ++k) {
        const PairPoints q = list.pairs[k];
        const bool held =
            std::all_of(q.begin(), q.end(), [&](int p) { return held_[static_cast<std::size_t>(p)] != 0; });
        const bool own =
            surface_.body[static_cast<std::size_t>(q[0])] == surface_.body[static_cast<std::size_t>(q[3])];
        if (held || !starts_apart(q, list.clear[k]) || (own && !settings_.self)) continue;
        if (tangles_.exempts(list.kind, q) || is_let_go(q)) continue;
        if (std::binary_search(dropped_[l].begin(), dropped_[l].end(), q)) continue;
        list.move(k, kept++);
    }
    list.resize(kept);
}

void NearPairs::look_at_ends() {
    moved_.resize(x_end_.size());
    const bool first = looked_at_.empty();
    if (first) looked_at_ = x_end_;
    parallel_for(x_end_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            moved_[i] = first || x_end_[i] != looked_at_[i];
            looked_at_[i] = x_end_[i];
        }
    });
}

bool NearPairs::passes_over(const PairList& list, std::size_t k) const {
    return list.harmless[k] && !has_flag(list.pairs[k], moved_);
}

// Inside a ball or capsule there is a way out, where a distance from the core is left.
bool NearPairs::starts_apart(const PairPoints& q, double clear) const {
    const double radius = surface_.body_of(q[0]).radius + surface_.body_of(q[3]).radius;
    return clear > 0 || (settings_.from_inside && clear + radius > 0);
}

// With less than all asked for, pairs that start too close need not open any more.
double NearPairs::wanted(double thickness, double clear, double share) const {
    const double recovery = clear >= 0 ? settings_.recovery : settings_.thickness / thickness;
    const double opening = recovery * std::max(0.0, 2 * share - 1);
    return std::min(share * thickness, clear + opening * thickness);
}

PairVerdict NearPairs::judge(const PairList& list, std::size_t k, double share, double interest) const {
    PairVerdict verdict;
    const PairPoints& q = list.pairs[k];
    const Body &a = surface_.body_of(q[0]), &b = surface_.body_of(q[3]);
    const double radius = a.radius + b.radius, thickness = 0.5 * (a.thickness + b.thickness);
    const double clear = list.clear[k];
    const double want = wanted(thickness, clear, share);
    const double gap = clear >= 0 ? std::min(settings_.floor * thickness, loss_share * clear)
                                  : clear - loss_share * (radius + clear);
    verdict.want = radius + want;

    // Most pairs stay apart along the line between them at the start. What is no number stays none: the end
    // comes first.
    const double least = std::min(ahead_along(list.kind, q, x_end_, list.axis[k]), list.ahead[k]) - radius;
    if (least > std::max(gap, act_share * want) && least >= interest) {
        verdict.clearance = std::numeric_limits<double>::infinity();
        return verdict;
    }

    // Of the others most do along the line at the end. Where neither shows it, ask for the way: whoever ends
    // far away may have come through.
    verdict.at = closeness(list.kind, q, x_end_);
    const Vec3 axis = axis_of(verdict.at);
    const double kept =
        std::min(ahead_along(list.kind, q, x_end_, axis), ahead_along(list.kind, q, x_start_, axis)) - radius;
    if (!(std::max(least, kept) > gap)) {
        const elements::Impact hit = impact(list.kind, q, x_start_, x_end_, radius + gap);
        if (hit.hit) {
            verdict.crossing = true;
            verdict.at = closeness_at(list.kind, q, x_start_, x_end_, hit.time);
            return verdict;
        }
    }
    verdict.clearance = verdict.at.distance - radius;
    verdict.close = verdict.clearance < act_share * want;
    return verdict;
}

}  // namespace taut::collision

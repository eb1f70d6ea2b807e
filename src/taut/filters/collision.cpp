#include "taut/filters/collision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/base/parallel.hpp"
#include "taut/collision/solid_overlaps.hpp"
#include "taut/filters/pinches.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

using collision::Obstacle;
using collision::pair_block;
using collision::PairList;
using collision::PairPoints;
using collision::PairVerdict;
using collision::Shape;

// Sweeps end when no contact misses its target by more than this share of the thickness.
constexpr double sweep_tolerance = 0.01;

// Vertices above half spaces are contacts below this share of what they should keep.
constexpr double plane_share = 0.95;

// The same for velocities, in the way of one step.
constexpr double velocity_tolerance = 0.05;

// Whoever moves the cloth after this filter may miss contacts by this share of the thickness.
constexpr double contact_tolerance = 0.1;

// In so many passes pairs that end too close are contacts too; later ones only if they cross: they can wait
// for the next round or step.
constexpr int close_passes = 2;

// A step is halved so often before crossing pairs are let go, where that is permitted.
constexpr int patient_halvings = 2;

// What contacts aim at shrinks from round to round towards a half, so that small corrections of the
// projection in between do not call for another round. Faster, and pairs end so close that they cross again.
double round_share(int round) { return 0.5 + std::pow(0.5, round + 1); }

// Friction at positions fades from round to round: it would hold cloth back that must slide to find a state
// both filters bear. Velocities have friction of their own.
double round_grip(int round) { return std::pow(0.5, round); }

// Where contacts and lengths hardly agree, as in a ring drawn tight, more sweeps are worth more than more
// rounds.
constexpr int sweep_growth = 16, most_sweeps = 50, easy_rounds = 1;
int round_sweeps(int sweeps, int round) {
    return sweeps * std::min(1 + sweep_growth * std::max(0, round - easy_rounds), most_sweeps);
}

// Lengths that are not right after so many sweeps over contacts that hold are left to the projection, which
// does that better, unless rounds show that it does not: in a ring drawn tight.
constexpr int held_sweeps = 64, held_growth = 4, held_rounds = 6;
int round_patience(int round) {
    int sweeps = held_sweeps;
    for (int k = held_rounds; k < std::min(round, held_rounds + 5); ++k) sweeps *= held_growth;
    return sweeps;
}

}  // namespace

void describe(ParamList& list, CollisionParams& params) {
    list.number("thickness", params.thickness, "m", up_to(1), "Distance kept between surfaces.");
    list.number("floor", params.floor, "1", between(1e-6, 0.5),
                "Share of the thickness that must be left for a step to hold.");
    list.integer("max_passes", params.max_passes, "1", between(1, 1000),
                 "Times contacts are found and solved in one round before what is left moves as one body.");
    list.integer("sweeps", params.sweeps, "1", between(1, 100000), "Sweeps over all contacts in one pass.");
    list.integer("max_zones", params.max_zones, "1", between(0, 1000),
                 "Times the zones that move as one body may grow.");
    list.flag("self", params.self, "Whether a cloth collides with itself.");
    list.choice(
        "tangles", params.tangles, {"stop", "exempt", "untangle"},
        "What becomes of surfaces that pass through each other, at the start or where obstacles pinch "
        "cloth: the run stops, they go on exempt until they part, or they are pulled apart.");
}

Collision::Collision(Params params, std::vector<Obstacle> obstacles, collision::FrictionTable friction)
    : params_(params),
      friction_(std::move(friction)),
      obstacles_(std::move(obstacles)),
      near_(std::make_unique<collision::NearPairs>()) {
    for (const Obstacle& obstacle : obstacles_) collision::validate(obstacle);
}

std::vector<MemoryBlock> Collision::memory() { return {{"collision.pushes", &velocities_.memory()}}; }

void Collision::prepare(const Model& model) {
    collision::NearSettings settings;
    settings.thickness = params_.thickness;
    settings.floor = params_.floor;
    settings.self = params_.self;
    settings.from_inside = leads_out();
    near_->prepare(model, obstacles_, settings);
    const collision::Surface& surface = near_->surface();
    friction_of_ = collision::friction_matrix(surface, friction_);
    inverse_mass_.assign(static_cast<std::size_t>(surface.points), 0.0);
    zones_.prepare(surface.points);
    group_ = collision::groups_of_triangles(surface);
    face_of_ = collision::faces_of_triangles(surface, model);
    not_within_.assign(surface.bodies.size(), params_.self ? 0 : 1);
    has_faces_.assign(static_cast<std::size_t>(surface.points), 0);
    for (const auto& t : surface.triangles) {
        if (t[1] == t[2]) continue;
        for (const int p : t) has_faces_[static_cast<std::size_t>(p)] = 1;
    }
    bands_.clear();
    velocities_.forget();
    clean_.clear();
}

// Puts all points to both ends of the step, and finds what passes through each other at its start.
void Collision::begin(const StepContext& context) const {
    near_->begin(context.start->x, context.start->t, context.time_end(), context.pinned);
    if (!lives_with_tangles() || context.start->x == clean_) return;
    near_->set_tangles(collision::find_intersections(near_->starts(), near_->surface().triangles, skips()));
    if (leads_out()) let_squeezed_go(context);
}

ContactRow Collision::row_of(const PairPoints& q, const PairVerdict& verdict) const {
    const collision::Surface& surface = near_->surface();
    const auto body = [&](int p) {
        return static_cast<std::size_t>(surface.body[static_cast<std::size_t>(p)]);
    };
    ContactRow row;
    row.point = q;
    row.weight = verdict.at.weight;
    row.normal = verdict.at.normal;
    row.target = verdict.want;
    row.friction = friction_of_[body(q[0]) * surface.bodies.size() + body(q[3])];
    return row;
}

// Adds a row for every pair that crosses, and, if asked, that ends too close; returns how many.
int Collision::add_pair_rows(std::size_t l, double share, bool close) {
    const PairList& list = near_->lists()[l];
    found_rows_.resize((list.pairs.size() + pair_block - 1) / pair_block);
    parallel_for(
        list.pairs.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                auto& own = found_rows_[k / pair_block];
                if (k % pair_block == 0) own.clear();
                if (near_->passes_over(list, k)) continue;
                const PairVerdict verdict = near_->judge(list, k, share, 0);
                near_->set_harmless(l, k, !verdict.crossing && !verdict.close);
                if (verdict.crossing || (close && verdict.close))
                    own.push_back(row_of(list.pairs[k], verdict));
            }
        },
        pair_block);
    int count = 0;
    for (const auto& own : found_rows_) {
        for (const ContactRow& row : own) rows_.add(row);
        count += static_cast<int>(own.size());
    }
    return count;
}

// Half spaces: a vertex below one is set on it, or led out where it may start inside.
int Collision::add_plane_rows(const StepContext& context, double share) {
    const collision::Surface& surface = near_->surface();
    int count = 0;
    for (const Obstacle& obstacle : obstacles_) {
        if (obstacle.shape != Shape::plane) continue;
        const RigidTransform start = obstacle.motion.at(context.start->t),
                             end = obstacle.motion.at(context.time_end());
        const Vec3 normal = end.rotation * obstacle.normal, center = end(obstacle.center);
        const Vec3 first_normal = start.rotation * obstacle.normal, first_center = start(obstacle.center);
        for (int i = 0; i < surface.cloth_points; ++i) {
            const auto p = static_cast<std::size_t>(i);
            const double thickness = surface.body_of(i).thickness;
            const double above = first_normal.dot(near_->starts()[p] - first_center);
            if (params_.tangles == "exempt" && collision::lies_below(above, near_->starts()[p], first_center))
                continue;
            const double clear = leads_out() ? above : std::max(0.0, above);
            const double want = near_->wanted(thickness, clear, share);
            const double height = normal.dot(near_->ends()[p] - center);
            const double least = want > 0 ? plane_share * want : want;
            if (inverse_mass_[p] == 0 || height >= least || near_->is_let_go(i)) continue;
            ContactRow row;
            row.point = {i, other_point(static_cast<int>(&obstacle - obstacles_.data())), -1, -1};
            row.weight[0] = 1;
            row.normal = normal;
            row.target = normal.dot(center) + want;
            row.friction = friction_on(surface.body_of(i), obstacle, friction_);
            row.carried = end(start.inverse(near_->starts()[p])) - near_->starts()[p];
            rows_.add(row);
            ++count;
        }
    }
    return count;
}

// Finds contacts and solves them together until no more are found; false if some always are.
bool Collision::settle_contacts(const StepContext& context, FilterReport& report) {
    rows_.clear();
    const double share = round_share(context.round);
    rows_.set_grip(round_grip(context.round));
    rows_.set_patience(round_patience(context.round));
    for (int pass = 0; pass < params_.max_passes && !context.stopping(); ++pass) {
        near_->update();
        near_->look_at_ends();
        int found = add_plane_rows(context, share);
        for (std::size_t l = 0; l < near_->lists().size(); ++l)
            found += add_pair_rows(l, share, pass < close_passes);
        if (found == 0) return true;
        ++report.iterations;
        report.inner_iterations +=
            rows_.solve(near_->starts(), inverse_mass_, bands_.all(), sweep_tolerance * params_.thickness,
                        round_sweeps(params_.sweeps, context.round), near_->ends());
    }
    return false;
}

// Lets what still crosses move as one body, in zones that grow until nothing does.
void Collision::move_zones(const StepContext& context) {
    zones_.clear();
    for (int k = 0; k < params_.max_zones && !context.stopping(); ++k) {
        near_->update();
        near_->look_at_ends();
        bool crossing = false;
        for (std::size_t l = 0; l < near_->lists().size(); ++l) {
            const PairList& list = near_->lists()[l];
            for (std::size_t p = 0; p < list.pairs.size(); ++p) {
                if (near_->passes_over(list, p)) continue;
                const bool crosses = near_->judge(list, p, 0, 0).crossing;
                near_->set_harmless(l, p, !crosses);
                if (!crosses) continue;
                crossing = true;
                zones_.join(list.pairs[p]);
            }
        }
        if (!crossing) return;
        zones_.move(near_->starts(), inverse_mass_, near_->ends());
    }
}

// What was hit is to stay in later rounds; what only gave way to keep its length does not count.
void Collision::mark_impacts(Candidate& c) const {
    const auto mark = [&](int p) {
        if (p >= 0 && p < static_cast<int>(c.impacted.size()) &&
            inverse_mass_[static_cast<std::size_t>(p)] > 0) {
            c.impacted[static_cast<std::size_t>(p)] = 1;
        }
    };
    for (const ContactRow& row : rows_.rows()) {
        if (!(row.push > 0)) continue;
        for (const int p : row.point) mark(p);
    }
    for (const int p : zones_.members()) mark(p);
}

// Vertices that obstacles touch, from rows of the cloth with points of an obstacle or with none.
void Collision::list_touches(Candidate& c) const {
    const collision::Surface& surface = near_->surface();
    c.touches.clear();
    for (const ContactRow& row : c.contacts) {
        int obstacle = -1;
        for (const int p : row.point) {
            if (p < -1) obstacle = other_point(p);
            if (p >= surface.cloth_points) obstacle = surface.body_of(p).obstacle;
        }
        for (std::size_t k = 0; obstacle >= 0 && k < row.point.size(); ++k) {
            const int p = row.point[k];
            if (p >= 0 && p < surface.cloth_points && row.weight[k] != 0) c.touches.push_back({p, obstacle});
        }
    }
}

void Collision::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.name = type_name;
    const std::size_t n = c.v.size();
    c.impacted.resize(n, 0);
    end_positions(context, c, wanted_);
    if (!all_finite(wanted_)) return;
    if (context.round == 0) {
        begin(context);
        bands_.set(context, &near_->surface());
        for (std::size_t i = 0; i < n; ++i) {
            inverse_mass_[i] = context.pinned[i] ? 0 : 1 / context.model->mass[i];
        }
    }
    near_->set_ends(wanted_);
    zones_.clear();
    let_pinched_go(context);
    if (context.round == 0) {
        velocities_.clear();
        pull_apart();
    }
    if (!settle_contacts(context, report)) {
        move_zones(context);
        // Cloth that is pinched has no way out: what still crosses after shorter steps goes on exempt.
        if (lives_with_tangles() && context.halvings >= patient_halvings) near_->drop_crossing();
    }

    // Hand on what changed.
    mark_impacts(c);
    velocities_.keep(rows_.rows(), has_faces_);
    report.contacts = velocities_.count();
    c.contacts = velocities_.rows();
    list_touches(c);
    c.obstacle_points = ConstPoints(near_->ends()).subspan(n);
    c.contact_tolerance = contact_tolerance * params_.thickness;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3& x = near_->ends()[i];
        if (x != wanted_[i]) c.v[i] = (x - context.start->x[i]) / context.dt;
    }
}

// Cloth in two solids at once has no way out: it waits until one of them has left.
void Collision::let_squeezed_go(const StepContext& context) const {
    const collision::Surface& surface = near_->surface();
    const auto overlaps =
        collision::find_solid_overlaps(surface, obstacles_, context.start->t, near_->starts());
    const auto squeezed = collision::squeezed_points(surface, overlaps);
    if (!squeezed.empty()) near_->let_go(squeezed);
}

// Where shorter steps and a round have not helped, cloth that obstacles pinch leaves them, if that is
// permitted.
void Collision::let_pinched_go(const StepContext& context) {
    if (!lives_with_tangles() || context.round == 0 || context.halvings < patient_halvings) return;
    const Pinches pinches = find_pinches(near_->surface(), obstacles_, velocities_.rows());
    if (pinches.points.empty()) return;
    near_->let_go(pinches.points);
    velocities_.drop(pinches.points);
}

// Moves what passes through each other at the start towards parting.
void Collision::pull_apart() {
    untangling_.clear();
    if (params_.tangles != "untangle" || near_->tangles().empty()) return;
    untangling_.set(near_->surface(), near_->tangles(), near_->starts(), params_.thickness);
    untangling_.move(near_->starts(), inverse_mass_, near_->ends());
}

// Pairs that pushed in the last step and have not parted since take part, though they need no push now:
// without them what lies on others trembles.
void Collision::keep_touching() {
    std::vector<ContactRow> rows;
    if (near_->has_dropped()) return;
    for (const ContactRow& old : velocities_.missing(near_->surface().points)) {
        const PairPoints& q = old.point;
        const auto kind =
            old.weight[1] > 0 ? collision::PairKind::edge_edge : collision::PairKind::vertex_face;
        if (near_->tangles().exempts(kind, q) || near_->is_let_go(q)) continue;
        PairVerdict verdict;
        verdict.at = collision::closeness(kind, q, near_->ends());
        if (!(verdict.at.distance > 0) ||
            verdict.at.distance > collision::kept_distance(near_->surface(), q[0], q[3]))
            continue;
        rows.push_back(row_of(q, verdict));
        rows.back().push = 1;  // of no matter, but kept
    }
    velocities_.keep(rows, has_faces_);
}

bool Collision::settle_velocity(const StepContext& context, ConstPoints, const Candidate& c, PointsView v,
                                FilterReport&) {
    const std::size_t n = v.size(), all = near_->ends().size();
    if (!velocities_.started()) keep_touching();
    if (velocities_.count() == 0) velocities_.forget();
    if (velocities_.count() == 0 && zones_.members().empty() && untangling_.empty()) return false;
    Points end(all);
    std::copy(v.begin(), v.end(), end.begin());
    for (std::size_t i = n; i < all; ++i) end[i] = (near_->ends()[i] - near_->starts()[i]) / context.dt;
    if (!velocities_.started()) velocities_.set_edges(bands_.all(), near_->ends(), inverse_mass_);
    const bool changed = velocities_.settle(context.dt, inverse_mass_, velocity_tolerance * params_.thickness,
                                            velocity_sweeps, end);
    untangling_.settle(inverse_mass_, end);
    std::copy(end.begin(), end.begin() + static_cast<std::ptrdiff_t>(n), v.begin());

    // What moved as one body did so by its momentum.
    for (const int p : zones_.members()) {
        const auto i = static_cast<std::size_t>(p);
        if (i < n && inverse_mass_[i] > 0) v[i] = c.v[i];
    }
    return changed;
}

}  // namespace taut::filters

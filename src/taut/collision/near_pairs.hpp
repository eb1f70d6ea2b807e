// The pairs of one step that may come too close, and what becomes of each on the way to given ends of the
// step: it crosses, it ends too close, or it stays clear. Found once with a slack and used until some end has
// moved by half of it. Finds, never moves anything.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "taut/collision/broad_phase.hpp"
#include "taut/collision/pair_motion.hpp"
#include "taut/collision/tangles.hpp"

namespace taut::collision {

// Pairs that one task judges.
inline constexpr std::size_t pair_block = 1024;

struct NearSettings {
    double thickness = 1e-3;   // kept between surfaces [m]
    double floor = 0.1;        // share of it below which a pair counts as crossing
    double recovery = 0.05;    // share of it by which a pair that starts too close may open in a step
    bool self = true;          // cloth against itself
    bool from_inside = false;  // cloth that starts inside a ball or capsule is let out, not left alone
};

// What becomes of a pair. `want` is the distance it should end with.
struct PairVerdict {
    bool crossing = false, close = false;
    Closeness at;          // where it would meet, or at the end
    double want = 0;       // [m]
    double clearance = 0;  // distance beyond the radii at the end; 0 where it crosses [m]
};

// All pairs of one kind.
struct PairList {
    PairKind kind = PairKind::vertex_face;
    std::vector<PairPoints> pairs;
    std::vector<double> clear;           // distances beyond the radii at the start [m]
    Points axis;                         // directions between the closest points at the start
    std::vector<double> ahead;           // distances along them there [m]
    std::vector<std::uint8_t> harmless;  // nothing was to be done when they were judged last

    void resize(std::size_t count);
    void move(std::size_t from, std::size_t to);
};

class NearPairs {
public:
    void prepare(const Model& model, std::vector<Obstacle> obstacles, const NearSettings& settings);

    // Starts a step: cloth at its start, and which of it may move (n flags; obstacles never do).
    void begin(ConstPoints x_start, double t_start, double t_end, std::span<const std::uint8_t> held);

    // Pairs that intersect at the start of the step; found pairs leave out those exempt. Set after begin().
    void set_tangles(std::vector<TrianglePair> pairs);
    const Tangles& tangles() const { return tangles_; }
    // Leaves out all pairs among these that cross, for the rest of the step.
    void drop_crossing();
    // Leaves out all pairs of these points of the cloth (n flags) with obstacles, for the rest of the step.
    void let_go(std::span<const std::uint8_t> points);
    bool is_let_go(int point) const {
        return !let_go_.empty() && let_go_[static_cast<std::size_t>(point)] != 0;
    }
    bool is_let_go(const PairPoints& q) const;  // such a pair
    bool has_dropped() const { return !dropped_[0].empty() || !dropped_[1].empty(); }

    // True if begin() was last called for this step.
    bool began(ConstPoints x_start, double t_start, double t_end) const;

    // Ends of the step for all points of the surface, with those of the cloth put in.
    void set_ends(ConstPoints cloth);
    PointsView ends() { return x_end_; }
    ConstPoints starts() const { return x_start_; }

    // Finds the pairs again where ends have moved too far since.
    void update();

    const std::array<PairList, 2>& lists() const { return lists_; }
    // The distance beyond the radii that a pair should end with if it starts with `clear` [m].
    double wanted(double thickness, double clear, double share) const;
    // Judges pair k of a list; `share` of what it should keep is asked for: from 1 to 1/2, or 0 for nothing.
    // Of pairs that are neither crossing nor close, a clearance of `interest` [m] or more need not be known:
    // it is infinite where that saves work.
    PairVerdict judge(const PairList& list, std::size_t k, double share,
                      double interest = std::numeric_limits<double>::infinity()) const;

    // Looks which ends have moved since it was called last, or set_ends(). Pairs without such an end that
    // were harmless then are passed over; that holds while no larger share is asked for.
    void look_at_ends();
    bool passes_over(const PairList& list, std::size_t k) const;
    void set_harmless(std::size_t list, std::size_t k, bool yes) { lists_[list].harmless[k] = yes ? 1 : 0; }

    const Surface& surface() const { return surface_; }
    const std::vector<Obstacle>& obstacles() const { return obstacles_; }
    const NearSettings& settings() const { return settings_; }

private:
    double moved_most() const;
    bool mark_changed();
    void add_found(std::size_t l);
    bool starts_apart(const PairPoints& q, double clear) const;
    void find(bool few);

    NearSettings settings_;
    std::vector<Obstacle> obstacles_;
    Surface surface_;
    BroadPhase broad_phase_;
    Tangles tangles_;
    std::array<std::vector<PairPoints>, 2> dropped_;  // by kind, sorted
    std::vector<std::uint8_t> let_go_;                // of the cloth's points; empty: none
    Pairs found_;
    std::array<PairList, 2> lists_;
    std::vector<std::uint8_t> held_;     // of all points
    Points x_start_, x_end_;             // of all points [m]
    double t_start_ = 0, t_end_ = 0;     // [s]
    Points found_for_;                   // ends that the pairs were found for; empty: none yet
    Points looked_at_;                   // ends when it was looked at them last
    std::vector<std::uint8_t> moved_;    // points that have moved since
    std::vector<std::uint8_t> changed_;  // points whose ends have moved too far since
};

}  // namespace taut::collision

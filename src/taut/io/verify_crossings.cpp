// What meets between two steps, by conservative advancement of every pair of a vertex and a triangle and of
// two edges whose boxes around both steps meet. That test misses nothing and may cry too often, so what it
// reports is asked again, a million times closer.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "taut/base/parallel.hpp"
#include "taut/collision/packed_boxes.hpp"
#include "taut/elements/closest_points.hpp"
#include "taut/elements/continuous.hpp"
#include "taut/elements/orientation.hpp"
#include "taut/elements/triangle_overlap.hpp"
#include "taut/io/verify_surface.hpp"

namespace taut::io::verify {
namespace {

using elements::Impact;

// Part of its clearance at the start that a pair must fall to for further answers to call it met: for a
// pair 1 cm apart, 1e-11 m. Smaller approaches rounding of the positions themselves.
constexpr double fine = 1e-9;

// Rounding of a pair's distance on its way, relative to the largest coordinate: no less than what
// elements::continuous allows itself, 128 eps times the root of the sum of all squared differences.
constexpr double rounding = 1024 * std::numeric_limits<double>::epsilon();

// Blocks of eight triangles that one task searches.
constexpr std::size_t task_blocks = 32;

// Rounding of points on their way, relative to the largest coordinate: answers from the middle of a step must
// leave so much between the pair. Each point is off by at most 5 eps, two of them by 10.
constexpr double on_the_way = 16 * std::numeric_limits<double>::epsilon();

// More answers than this are not asked for: each comes closer by many orders, but for pairs that turn closely
// around each other.
constexpr int most_answers = 16;

using Four = std::array<int, 4>;  // points: vertex and triangle, or two edges

struct StepMotion {
    const Surface& surface;
    const Points &x_start, &x_end;

    const Vec3& start(int point) const { return x_start[static_cast<std::size_t>(point)]; }
    const Vec3& end(int point) const { return x_end[static_cast<std::size_t>(point)]; }
};

// A vertex and a triangle, or two edges, at both ends of the step.
struct Pair {
    bool edges;
    std::array<Vec3, 4> start, end;

    Pair(const StepMotion& m, bool two_edges, const Four& q) : edges(two_edges) {
        for (std::size_t k = 0; k < 4; ++k) start[k] = m.start(q[k]), end[k] = m.end(q[k]);
    }
    std::array<Vec3, 4> at(double time) const {
        std::array<Vec3, 4> x = start;
        for (std::size_t k = 0; k < 4; ++k) x[k] += time * (end[k] - start[k]);
        return x;
    }
    double distance(double time) const {
        const auto [a, b, c, d] = at(time);
        return std::sqrt(edges ? elements::nearest_on_segments(a, b, c, d).squared
                               : elements::nearest_on_triangle(a, b, c, d).squared);
    }
    Impact impact(double from, double gap, double slack, double alarm) const {
        const auto [a, b, c, d] = at(from);
        const auto& [p, q, r, s] = end;
        return edges ? elements::segment_segment_impact({a, b}, {p, q}, {c, d}, {r, s}, gap, slack, alarm)
                     : elements::point_triangle_impact(a, p, {b, c, d}, {q, r, s}, gap, slack, alarm);
    }
    bool ends_on_other_side() const {
        return elements::orient3d(start[0], start[1], start[2], start[3]) *
                   elements::orient3d(end[0], end[1], end[2], end[3]) <
               0;
    }
    double size() const {
        double largest = 0;
        for (std::size_t k = 0; k < 4; ++k)
            largest = std::max({largest, start[k].cwiseAbs().maxCoeff(), end[k].cwiseAbs().maxCoeff()});
        return largest;
    }
};

enum class Verdict { clear, starts_within, meets };

// What becomes of a pair; where it is not clear, `meeting` says when it meets and how sure that is.
Verdict judge(const Pair& pair, double gap, Meeting& meeting) {
    if (!pair.impact(0, gap, elements::default_slack, elements::default_alarm).hit) return Verdict::clear;

    // Ask again, each time from where the last answer got to, until next to nothing is left.
    const double size = pair.size(), margin = rounding * size, clearance = pair.distance(0) - gap;
    const double little = 2 * (margin + fine * clearance);
    double time = 0, left = clearance;
    for (int answer = 0; answer < most_answers && left > little; ++answer) {
        const Impact impact = pair.impact(time, time > 0 ? gap + on_the_way * size : gap, fine, fine);
        if (!impact.hit) return Verdict::clear;
        const double later = time + impact.time * (1 - time);
        left = pair.distance(later) - gap;
        if (!(later > time)) break;
        time = later;
    }
    meeting.value = time;
    meeting.sure = clearance > margin && left <= little;
    meeting.through = gap == 0 && pair.ends_on_other_side();
    return clearance > margin ? Verdict::meets : Verdict::starts_within;
}

bool has(const std::array<int, 3>& triangle, int point) {
    return triangle[0] == point || triangle[1] == point || triangle[2] == point;
}

// The pairs of vertices and edges that triangle `a` owns with what `b` is and owns.
class PairSearch {
public:
    PairSearch(const StepMotion& motion, std::vector<Meeting>& found) : motion_(motion), found_(found) {}

    void search(int a, int b) {
        vertices_against(a, b);
        vertices_against(b, a);
        const auto& s = triangle(a);
        const auto& t = triangle(b);
        for (std::size_t i = 0; i < 3; ++i) {
            if (!owns(a, 3 + i)) continue;
            for (std::size_t j = 0; j < 3; ++j) {
                const Four q{s[i], s[(i + 1) % 3], t[j], t[(j + 1) % 3]};
                const bool common = q[0] == q[2] || q[0] == q[3] || q[1] == q[2] || q[1] == q[3];
                if (owns(b, 3 + j) && !common) ask(true, q, a, b);
            }
        }
    }

private:
    const std::array<int, 3>& triangle(int t) const {
        return motion_.surface.triangles[static_cast<std::size_t>(t)];
    }
    bool owns(int t, std::size_t bit) const {
        return ((motion_.surface.owned[static_cast<std::size_t>(t)] >> bit) & 1) != 0;
    }

    void vertices_against(int a, int b) {
        const auto& t = triangle(b);
        for (std::size_t k = 0; k < 3; ++k) {
            const int v = triangle(a)[k];
            if (owns(a, k) && !has(t, v)) ask(false, {v, t[0], t[1], t[2]}, a, b);
        }
    }

    void ask(bool edges, const Four& q, int a, int b) {
        Meeting meeting;
        const Verdict verdict = judge({motion_, edges, q}, 0, meeting);
        if (verdict == Verdict::clear) return;
        // Leave to the check of the start what meets there.
        const Surface& surface = motion_.surface;
        if (verdict == Verdict::starts_within &&
            elements::triangles_overlap(motion_.x_start, triangle(a), triangle(b)))
            return;
        const int body_a = surface.body[static_cast<std::size_t>(a)];
        const int body_b = surface.body[static_cast<std::size_t>(b)];
        meeting.first = edges ? edge_part(surface, body_a, q[0], q[1]) : vertex_part(surface, body_a, q[0]);
        meeting.second = edges ? edge_part(surface, body_b, q[2], q[3]) : triangle_part(surface, b);
        found_.push_back(meeting);
    }

    const StepMotion& motion_;
    std::vector<Meeting>& found_;
};

collision::PackedBoxes swept_boxes(const StepMotion& m) {
    const std::size_t count = m.surface.triangles.size();
    std::vector<collision::Box> boxes(count);
    std::vector<std::uint8_t> passive(count);
    parallel_for(count, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const auto& [a, b, c] = m.surface.triangles[k];
            const Vec3 low = m.start(a).cwiseMin(m.start(b)).cwiseMin(m.start(c));
            const Vec3 high = m.start(a).cwiseMax(m.start(b)).cwiseMax(m.start(c));
            boxes[k] = {low.cwiseMin(m.end(a)).cwiseMin(m.end(b)).cwiseMin(m.end(c)),
                        high.cwiseMax(m.end(a)).cwiseMax(m.end(b)).cwiseMax(m.end(c))};
            passive[k] = m.surface.group[k] < 0 ? 1 : 0;
        }
    });
    return {boxes, passive};
}

// Cloth and obstacle triangles among themselves.
void add_triangle_crossings(const StepMotion& m, std::vector<Meeting>& list) {
    const collision::PackedBoxes boxes = swept_boxes(m);
    std::vector<std::vector<Meeting>> found(boxes.asking_blocks() / task_blocks + 1);
    parallel_for(
        boxes.asking_blocks(),
        [&](std::size_t begin, std::size_t end) {
            PairSearch pairs(m, found[begin / task_blocks]);
            std::vector<collision::BoxPair> candidates;
            for (std::size_t block = begin; block < end; ++block) {
                candidates.clear();
                boxes.append_pairs(block, candidates);
                for (const auto& [a, b] : candidates) {
                    if (!m.surface.allowed_to_meet(a, b)) pairs.search(std::min(a, b), std::max(a, b));
                }
            }
        },
        task_blocks);
    for (const auto& part : found) list.insert(list.end(), part.begin(), part.end());
}

// Cloth against the core of a ball or capsule, with its radius as gap.
void add_round_crossings(const StepMotion& m, const RoundCore& core, std::vector<Meeting>& list) {
    const std::size_t count = m.surface.cloth_triangles;
    const auto [p, r] = core.at;
    std::vector<std::vector<Meeting>> found(count / loop_block + 1);
    parallel_for(count, [&, p = p, r = r](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const auto& [a, b, c] = m.surface.triangles[t];
            const auto ask = [&](bool edges, const Four& q, const BodyPart& part) {
                Meeting meeting{part, solid_part(core.body)};
                if (judge({m, edges, q}, core.radius, meeting) == Verdict::meets)
                    found[begin / loop_block].push_back(meeting);
            };
            const BodyPart face = triangle_part(m.surface, static_cast<int>(t));
            ask(false, {p, a, b, c}, face);
            if (p == r) continue;
            ask(false, {r, a, b, c}, face);
            for (std::size_t k = 0; k < 3; ++k) {
                if (((m.surface.owned[t] >> (3 + k)) & 1) == 0) continue;
                const int from = m.surface.triangles[t][k], to = m.surface.triangles[t][(k + 1) % 3];
                ask(true, {from, to, p, r}, edge_part(m.surface, m.surface.body[t], from, to));
            }
        }
    });
    for (const auto& part : found) list.insert(list.end(), part.begin(), part.end());
}

// Keeps one meeting of the same two parts, the first: both halves of a quad find it, and both ends of a
// capsule. The list is in order of time.
void tell_once(std::vector<Meeting>& list) {
    std::map<std::pair<BodyPart, BodyPart>, std::size_t> seen;
    std::vector<Meeting> kept;
    for (const Meeting& meeting : list) {
        const auto [at, is_new] = seen.try_emplace({meeting.first, meeting.second}, kept.size());
        if (is_new) {
            kept.push_back(meeting);
            continue;
        }
        Meeting& first = kept[at->second];
        first.through = first.through || meeting.through;
        first.sure = first.sure || meeting.sure;
    }
    list = std::move(kept);
}

}  // namespace

std::vector<Meeting> find_crossings(const Surface& surface, const Points& x_start, const Points& x_end) {
    const StepMotion motion{surface, x_start, x_end};
    std::vector<Meeting> list;
    add_triangle_crossings(motion, list);
    for (const RoundCore& core : surface.rounds) add_round_crossings(motion, core, list);

    // Put first what meets first, and once; what meets at one time keeps its order.
    std::stable_sort(list.begin(), list.end(),
                     [](const Meeting& m, const Meeting& n) { return m.value < n.value; });
    tell_once(list);
    return list;
}

}  // namespace taut::io::verify

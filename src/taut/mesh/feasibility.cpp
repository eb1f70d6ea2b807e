#include "taut/mesh/feasibility.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "taut/base/parallel.hpp"
#include "taut/mesh/topology.hpp"

namespace taut::mesh {
namespace {

constexpr double conflict_tolerance = 1e-9;  // relative; rounding of long paths stays below 1e-12
constexpr double rigid_tolerance = 1e-6;     // relative; such slack lets a row sag by 6e-4 of its length
constexpr double search_slack = 1 + 2 * rigid_tolerance;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Vertices settled in full searches, about two seconds of one core; pins left over search their straight
// rows only. Past so many pins that comparing them pairwise takes longer, all see their near surroundings.
constexpr long settle_budget = 10'000'000;
constexpr long row_budget = 4096;
constexpr long near_surroundings = 64;
constexpr std::size_t pairwise_limit = 20'000;

class PinSearch {
public:
    PinSearch(const std::vector<Edge>& edges, ConstPoints rest, std::span<const int> pins,
              ConstPoints targets, PinStretch stretch)
        : edges_(edges),
          rest_(rest),
          stretch_(stretch),
          around_(edges_around_vertices(static_cast<int>(rest.size()), edges)) {
        const std::size_t n = rest.size();
        pinned_.assign(n, 0);
        target_.assign(n, Vec3::Zero());
        for (std::size_t k = 0; k < pins.size(); ++k) {
            if (pinned_[pins[k]]) continue;
            pinned_[pins[k]] = 1;
            target_[pins[k]] = targets[k];
        }
        length_.resize(edges.size());
        for (std::size_t e = 0; e < edges.size(); ++e)
            length_[e] = (rest[edges[e].b] - rest[edges[e].a]).norm();
        path_length_.assign(n, infinity);
        arrival_.assign(n, -1);
        over_pin_.assign(n, 0);
    }

    PinReach run() {
        check_neighbours();
        const std::vector<int> sources = pins_with_free_neighbours();
        const std::vector<double> gap = largest_gaps(sources);
        double extent = 0;
        for (const int v : sources) extent = std::max(extent, (rest_[v] - rest_[sources.front()]).norm());
        long budget = settle_budget;
        for (std::size_t k = 0; k + 1 < sources.size(); ++k) {
            if (budget > 0)
                budget -= search(sources[k], gap[k], budget);
            else
                search(sources[k], std::min(gap[k], rigid_tolerance * extent), row_budget);
        }
        return std::move(result_);
    }

private:
    struct Entry {
        double length;
        int vertex;
        bool operator<(const Entry& o) const {
            return std::tie(o.length, o.vertex) < std::tie(length, vertex);
        }
    };

    bool is_yarn(int e) const { return edges_[e].direction != Direction::none; }
    int across(int e, int v) const { return edges_[e].a == v ? edges_[e].b : edges_[e].a; }

    // Pins joined by an edge need no search.
    void check_neighbours() {
        for (std::size_t e = 0; e < edges_.size(); ++e)
            if (is_yarn(static_cast<int>(e)) && pinned_[edges_[e].a] && pinned_[edges_[e].b])
                judge(edges_[e].a, edges_[e].b, length_[e]);
    }

    // Ascending; all other pins are joined to the rest by pins only.
    std::vector<int> pins_with_free_neighbours() const {
        std::vector<int> sources;
        for (int v = 0; v < static_cast<int>(rest_.size()); ++v) {
            if (!pinned_[v]) continue;
            for (int k = around_.start[v]; k < around_.start[v + 1]; ++k) {
                const int e = around_.edge[k];
                if (!is_yarn(e) || pinned_[across(e, v)]) continue;
                sources.push_back(v);
                break;
            }
        }
        return sources;
    }

    // For each pin the most by which a later pin is farther from it than at rest; infinite if not compared.
    std::vector<double> largest_gaps(const std::vector<int>& sources) {
        std::vector<double> gap(sources.size(), -infinity);
        if (sources.size() > pairwise_limit) {
            result_.complete = false;
            std::fill(gap.begin(), gap.end(), infinity);
            return gap;
        }
        parallel_for(
            sources.size(),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t k = begin; k < end; ++k)
                    for (std::size_t m = k + 1; m < sources.size(); ++m) {
                        const double now = (target_[sources[k]] - target_[sources[m]]).norm();
                        const double then = (rest_[sources[k]] - rest_[sources[m]]).norm();
                        gap[k] = std::max(gap[k], search_slack * now - then);
                    }
            },
            64);
        return gap;
    }

    // Dijkstra from one pin; judges every later pin it settles whose path runs over no third pin. Returns
    // the number of vertices settled.
    long search(int source, double gap, long limit) {
        if (gap < 0) return 0;
        if (gap == infinity) limit = std::min(limit, near_surroundings);
        heap_.clear();
        touched_.assign(1, source);
        path_length_[source] = 0;
        push({0, source});
        long settled = 0;
        while (!heap_.empty()) {
            const Entry top = pop();
            if (top.length > path_length_[top.vertex]) continue;
            if (++settled > limit) {
                result_.complete = false;
                break;
            }
            if (top.vertex > source && pinned_[top.vertex] && !over_pin_[top.vertex] &&
                across(arrival_[top.vertex], top.vertex) != source)
                judge(source, top.vertex, top.length);
            expand(top, source, gap);
        }
        for (const int v : touched_) path_length_[v] = infinity, arrival_[v] = -1, over_pin_[v] = 0;
        return settled;
    }

    void expand(const Entry& from, int source, double gap) {
        const bool over_pin = over_pin_[from.vertex] || (pinned_[from.vertex] && from.vertex != source);
        for (int k = around_.start[from.vertex]; k < around_.start[from.vertex + 1]; ++k) {
            const int e = around_.edge[k];
            if (!is_yarn(e)) continue;
            const int to = across(e, from.vertex);
            const double length = from.length + length_[e];
            if (!(length < path_length_[to])) continue;

            // Leave out detours that no pin has moved far enough to notice.
            if (length > gap + (rest_[to] - rest_[source]).norm()) continue;
            if (path_length_[to] == infinity) touched_.push_back(to);
            path_length_[to] = length;
            arrival_[to] = e;
            over_pin_[to] = over_pin;
            push({length, to});
        }
    }

    // Compares the distance of two pins with their reach; neighbours are judged outside of searches.
    void judge(int a, int b, double reach) {
        const double distance = (target_[a] - target_[b]).norm();
        const bool neighbours = arrival_[b] < 0;
        const double stretch = neighbours ? stretch_.edges : stretch_.rows;
        if (distance > (1 + stretch) * (1 + conflict_tolerance) * reach) {
            result_.conflicts.push_back({std::min(a, b), std::max(a, b), distance, reach});
        } else if (distance >= (1 - rigid_tolerance) * reach && !neighbours) {
            add_row(a, b, distance, reach);
        }
    }

    // Walks back from b to the source of the search.
    void add_row(int a, int b, double distance, double reach) {
        RigidRow row{a, b, distance, reach, -1, {b}, {}};
        for (int v = b; v != a; row.vertices.push_back(v)) {
            row.edges.push_back(arrival_[v]);
            v = across(arrival_[v], v);
        }
        std::reverse(row.vertices.begin(), row.vertices.end());
        std::reverse(row.edges.begin(), row.edges.end());
        result_.rigid_rows.push_back(std::move(row));
    }

    void push(Entry entry) {
        heap_.push_back(entry);
        std::push_heap(heap_.begin(), heap_.end());
    }
    Entry pop() {
        std::pop_heap(heap_.begin(), heap_.end());
        const Entry top = heap_.back();
        heap_.pop_back();
        return top;
    }

    const std::vector<Edge>& edges_;
    ConstPoints rest_;
    PinStretch stretch_;
    VertexEdges around_;
    std::vector<std::uint8_t> pinned_;
    Points target_;
    std::vector<double> length_;          // per edge at rest [m]
    std::vector<double> path_length_;     // from the current source [m]
    std::vector<int> arrival_;            // edge by which the path arrives
    std::vector<std::uint8_t> over_pin_;  // whether it ran over a third pin
    std::vector<int> touched_;
    std::vector<Entry> heap_;
    PinReach result_;
};

// Names the yarn of each row whose edges all lie on one.
void name_yarns(std::size_t edge_count, const std::vector<Yarn>& yarns, std::vector<RigidRow>& rows) {
    if (rows.empty()) return;
    std::vector<int> yarn_of(edge_count, -1);
    for (std::size_t y = 0; y < yarns.size(); ++y)
        for (const int e : yarns[y].edge) yarn_of[e] = static_cast<int>(y);
    for (RigidRow& row : rows) {
        const int first = yarn_of[row.edges.front()];
        const bool same =
            std::all_of(row.edges.begin(), row.edges.end(), [&](int e) { return yarn_of[e] == first; });
        row.yarn = same ? first : -1;
    }
}

}  // namespace

PinReach check_pins(const std::vector<Edge>& edges, const std::vector<Yarn>& yarns, ConstPoints rest,
                    std::span<const int> pins, ConstPoints targets, PinStretch stretch) {
    if (pins.size() < 2) return {};
    PinReach reach = PinSearch(edges, rest, pins, targets, stretch).run();
    name_yarns(edges.size(), yarns, reach.rigid_rows);
    std::sort(reach.conflicts.begin(), reach.conflicts.end(), [](const PinConflict& p, const PinConflict& q) {
        const double left = p.distance * q.reach, right = q.distance * p.reach;
        return left != right ? left > right : std::tie(p.a, p.b) < std::tie(q.a, q.b);
    });
    return reach;
}

}  // namespace taut::mesh

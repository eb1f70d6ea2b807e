#include "taut/linalg/multilevel.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::linalg {
namespace {

constexpr int smallest_level = 32;  // unknowns; below, the levels above do all there is to do
constexpr int most_levels = 6;
constexpr double smoothing = 2.0 / 3;  // makes the columns of P hats on a line of aggregates of three

}  // namespace

// Seeds whose neighbours are all free take them; what is left joins the first neighbour's aggregate.
template <class Real>
void Multilevel<Real>::aggregate(int n, const std::vector<std::vector<int>>& graph, Level& level) {
    level.aggregate.assign(n, -1);
    level.coarse = 0;
    for (int i = 0; i < n; ++i) {
        if (level.aggregate[i] >= 0 || graph[i].empty()) continue;
        const bool open =
            std::all_of(graph[i].begin(), graph[i].end(), [&](int j) { return level.aggregate[j] < 0; });
        if (!open) continue;
        level.aggregate[i] = level.coarse;
        for (int j : graph[i]) level.aggregate[j] = level.coarse;
        ++level.coarse;
    }
    const std::vector<int> seeded = level.aggregate;
    for (int i = 0; i < n; ++i) {
        if (seeded[i] >= 0) continue;
        for (int j : graph[i]) {
            if (seeded[j] >= 0) {
                level.aggregate[i] = seeded[j];
                break;
            }
        }
    }
}

// P = (I - smoothing * degree^-1 L) T, rows of P and of its transpose.
template <class Real>
void Multilevel<Real>::smooth(const std::vector<std::vector<int>>& graph, const std::vector<int>& degree,
                              Level& level) {
    level.start.assign(1, 0);
    level.prolong.clear();
    std::vector<int> count(level.coarse + 1, 0);
    std::vector<Entry> row;
    for (int i = 0; i < level.fine; ++i) {
        row.clear();
        const auto add = [&](int column, double weight) {
            if (column < 0) return;
            for (Entry& entry : row) {
                if (entry.column == column) {
                    entry.weight += Real(weight);
                    return;
                }
            }
            row.push_back({column, Real(weight)});
        };
        if (level.aggregate[i] >= 0) {
            add(level.aggregate[i], degree[i] > 0 ? 1 - smoothing : 1.0);
            for (int j : graph[i]) add(level.aggregate[j], smoothing / degree[i]);
        }
        for (const Entry& entry : row) {
            level.prolong.push_back(entry);
            ++count[entry.column + 1];
        }
        level.start.push_back(int(level.prolong.size()));
    }
    for (int c = 0; c < level.coarse; ++c) count[c + 1] += count[c];
    level.start_back = count;
    level.restrict_.resize(level.prolong.size());
    for (int i = 0; i < level.fine; ++i) {
        for (int k = level.start[i]; k < level.start[i + 1]; ++k) {
            level.restrict_[count[level.prolong[k].column]++] = {i, level.prolong[k].weight};
        }
    }
}

template <class Real>
void Multilevel<Real>::analyse(int vertices, std::span<const std::array<int, 2>> edges,
                               std::span<const std::uint8_t> pinned, const SymmetricCsr* stiffness) {
    levels_.clear();
    std::vector<std::array<int, 2>> fine_edges(edges.begin(), edges.end());
    std::vector<std::uint8_t> held(pinned.begin(), pinned.end());
    SymmetricCsr current;
    const SymmetricCsr* matrix = stiffness && !stiffness->empty() ? stiffness : nullptr;
    for (int n = vertices; n > smallest_level && int(levels_.size()) < most_levels;) {
        // Collect the graph of the free unknowns; pinned neighbours still count in the degree.
        std::vector<std::vector<int>> graph(n);
        std::vector<int> degree(n, 0);
        for (const auto& [a, b] : fine_edges) {
            if (a == b) continue;
            ++degree[a], ++degree[b];
            if (held[a] || held[b]) continue;
            graph[a].push_back(b);
            graph[b].push_back(a);
        }
        Level level;
        level.fine = n;
        aggregate(n, graph, level);
        if (level.coarse == 0 || level.coarse > 0.7 * n) break;
        smooth(graph, degree, level);
        level.shrink = 1 / std::sqrt(double(n) / level.coarse);

        // Merge the edges between aggregates.
        std::vector<std::pair<std::array<int, 2>, int>> crossing;
        level.coarse_edge.assign(fine_edges.size(), -1);
        for (int e = 0; e < int(fine_edges.size()); ++e) {
            int a = level.aggregate[fine_edges[e][0]], b = level.aggregate[fine_edges[e][1]];
            if (a < 0 || b < 0 || a == b) continue;
            if (a > b) std::swap(a, b);
            crossing.push_back({{a, b}, e});
        }
        std::sort(crossing.begin(), crossing.end());
        for (const auto& [ends, e] : crossing) {
            if (level.edges.empty() || level.edges.back() != ends) level.edges.push_back(ends);
            level.coarse_edge[e] = int(level.edges.size()) - 1;
        }
        level.mass.assign(level.coarse, 0);
        level.weight.assign(level.edges.size(), 0);
        level.inverse.assign(level.coarse, 0);
        level.r.assign(level.coarse, Lanes<Real>{});
        level.z.assign(level.coarse, Lanes<Real>{});
        level.stiffness.assign(level.coarse, 0);
        if (matrix) {
            // Project the stiffness to the coarse space, row by row.
            std::vector<Triplet> triplets;
            for (int i = 0; i < n; ++i) {
                for (int k = matrix->row_start()[i]; k < matrix->row_start()[i + 1]; ++k) {
                    const int j = matrix->columns()[k];
                    for (int p = level.start[i]; p < level.start[i + 1]; ++p) {
                        for (int q = level.start[j]; q < level.start[j + 1]; ++q) {
                            triplets.push_back(
                                {level.prolong[p].column, level.prolong[q].column,
                                 matrix->values()[k] * level.prolong[p].weight * level.prolong[q].weight});
                        }
                    }
                }
            }
            current = SymmetricCsr(level.coarse, triplets);
            matrix = &current;
            level.stiffness = current.diagonal();
        }
        fine_edges = level.edges;
        n = level.coarse;
        held.assign(n, 0);
        levels_.push_back(std::move(level));
    }
}

template <class Real>
void Multilevel<Real>::assemble(std::span<const double> diagonal, double stiffness_scale,
                                std::span<const double> weight, double unit) {
    std::vector<double> fine_mass(diagonal.begin(), diagonal.end());
    std::vector<double> fine_weight(weight.begin(), weight.end());
    for (Level& level : levels_) {
        std::fill(level.mass.begin(), level.mass.end(), 0.0);
        std::fill(level.weight.begin(), level.weight.end(), 0.0);
        for (int i = 0; i < level.fine; ++i) {
            if (level.aggregate[i] >= 0) level.mass[level.aggregate[i]] += fine_mass[i];
        }
        for (std::size_t e = 0; e < fine_weight.size(); ++e) {
            if (level.coarse_edge[e] >= 0)
                level.weight[level.coarse_edge[e]] += level.shrink * fine_weight[e];
        }
        std::vector<double> sum(level.coarse);
        for (int c = 0; c < level.coarse; ++c) sum[c] = level.mass[c] + stiffness_scale * level.stiffness[c];
        for (std::size_t e = 0; e < level.edges.size(); ++e) {
            sum[level.edges[e][0]] += level.weight[e];
            sum[level.edges[e][1]] += level.weight[e];
        }
        for (int c = 0; c < level.coarse; ++c) level.inverse[c] = Real(unit / sum[c]);
        fine_mass = level.mass;
        fine_weight = level.weight;
    }
}

template <class Real>
void Multilevel<Real>::add_correction(const LaneVector<Real>& r, LaneVector<Real>& z) {
    // Go down: restrict the residual and scale it on every level.
    const LaneVector<Real>* fine = &r;
    for (Level& level : levels_) {
        parallel_for(level.coarse, [&](std::size_t begin, std::size_t end) {
            for (std::size_t c = begin; c < end; ++c) {
                Lanes<Real> sum{};
                for (int k = level.start_back[c]; k < level.start_back[c + 1]; ++k) {
                    sum += level.restrict_[k].weight * (*fine)[level.restrict_[k].column];
                }
                level.r[c] = sum;
                level.z[c] = sum * level.inverse[c];
            }
        });
        fine = &level.r;
    }

    // Come up: add each level's correction to the next finer one.
    for (std::size_t l = levels_.size(); l-- > 0;) {
        Level& level = levels_[l];
        LaneVector<Real>& target = l == 0 ? z : levels_[l - 1].z;
        parallel_for(level.fine, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                Lanes<Real> sum = target[i];
                for (int k = level.start[i]; k < level.start[i + 1]; ++k) {
                    sum += level.prolong[k].weight * level.z[level.prolong[k].column];
                }
                target[i] = sum;
            }
        });
    }
}

template class Multilevel<float>;
template class Multilevel<double>;

}  // namespace taut::linalg

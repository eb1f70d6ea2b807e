#include "taut/linalg/multilevel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/base/parallel.hpp"

namespace taut::linalg {
namespace {

constexpr int smallest_level = 32;  // unknowns; below, the levels above do all there is to do
constexpr int most_levels = 6;

// Two passes of smoothing by 2/3 make the columns of P smooth enough for bending: its energy in a hat
// is several times that of a smooth bump.
constexpr double smoothing = 2.0 / 3;
constexpr int smoothing_passes = 2;

// Weights seen by a coarse function relative to one that is linear across its aggregates, and of edges
// to pinned vertices relative to the square of the function next to them. Chosen by trial on the workload
// hang; between 0.35 and 1 it makes little difference.
constexpr double weight_share = 0.7, pinned_weight_share = 0.7;

// Couplings of P^T K P smaller than this part of the diagonals are left out.
constexpr double small_coupling = 0.02;

// Stiffness over mass, on the diagonal, from which a level needs no coarser one.
constexpr double light_enough = 2;

// Relaxation before and after the coarser level: number of line solves, and the part of the spectrum,
// from the top, that they take care of.
constexpr int relaxation_steps = 2;
constexpr double relaxed_range = 4;

// The matrix without its small couplings, which go to the diagonal, so that rows keep their sum.
SymmetricCsr thinned(int n, std::vector<Triplet> triplets) {
    std::vector<double> diagonal(n, 0.0), moved(n, 0.0);
    for (const Triplet& t : triplets) {
        if (t.row == t.col) diagonal[t.row] = t.value;
    }
    std::erase_if(triplets, [&](const Triplet& t) {
        const double least = small_coupling * std::sqrt(diagonal[t.row] * diagonal[t.col]);
        if (t.row == t.col || std::abs(t.value) >= least) return false;
        moved[t.row] += t.value;
        return true;
    });
    for (Triplet& t : triplets) {
        if (t.row == t.col) t.value += moved[t.row];
    }
    return SymmetricCsr(n, triplets);
}

}  // namespace

std::vector<double> relaxation_gains(double top) {
    const double bottom = top / relaxed_range;
    std::vector<double> gains;
    for (int k = 0; k < relaxation_steps; ++k) {
        const double root = std::cos(std::numbers::pi * (k + 0.5) / relaxation_steps);
        gains.push_back(2 / (top + bottom + (top - bottom) * root));
    }
    return gains;
}

template <class Real>
auto Multilevel<Real>::graph(int n, std::span<const std::array<int, 2>> edges,
                             std::span<const std::uint8_t> held) -> Graph {
    Graph g;
    g.start.assign(n + 1, 0);
    g.degree.assign(n, 0);
    const auto free = [&](const std::array<int, 2>& e) { return e[0] != e[1] && !held[e[0]] && !held[e[1]]; };
    for (const auto& e : edges) {
        if (e[0] == e[1]) continue;
        ++g.degree[e[0]], ++g.degree[e[1]];
        if (free(e)) ++g.start[e[0] + 1], ++g.start[e[1] + 1];
    }
    for (int i = 0; i < n; ++i) g.start[i + 1] += g.start[i];
    g.neighbour.resize(g.start[n]);
    std::vector<int> next(g.start.begin(), g.start.end() - 1);
    for (const auto& e : edges) {
        if (!free(e)) continue;
        g.neighbour[next[e[0]]++] = e[1];
        g.neighbour[next[e[1]]++] = e[0];
    }
    return g;
}

// Seeds whose neighbours are all free take them; what is left joins the first neighbour's aggregate.
template <class Real>
void Multilevel<Real>::aggregate(const Graph& graph, Level& level) {
    const int n = level.fine;
    level.aggregate.assign(n, -1);
    level.coarse = 0;
    for (int i = 0; i < n; ++i) {
        const auto near = graph.of(i);
        if (level.aggregate[i] >= 0 || near.empty()) continue;
        if (std::any_of(near.begin(), near.end(), [&](int j) { return level.aggregate[j] >= 0; })) continue;
        level.aggregate[i] = level.coarse;
        for (int j : near) level.aggregate[j] = level.coarse;
        ++level.coarse;
    }
    const std::vector<int> seeded = level.aggregate;
    for (int i = 0; i < n; ++i) {
        if (seeded[i] >= 0) continue;
        for (int j : graph.of(i)) {
            if (seeded[j] >= 0) {
                level.aggregate[i] = seeded[j];
                break;
            }
        }
    }
}

// P = (I - smoothing * degree^-1 L) T, rows of P and of its transpose.
template <class Real>
void Multilevel<Real>::smooth_prolongation(const Graph& graph, Level& level) {
    std::vector<int> start(1, 0);
    std::vector<Entry> entries, row;
    for (int i = 0; i < level.fine; ++i) {
        if (level.aggregate[i] >= 0) entries.push_back({level.aggregate[i], Real(1)});
        start.push_back(int(entries.size()));
    }
    for (int pass = 0; pass < smoothing_passes; ++pass) {
        level.start.assign(1, 0);
        level.prolong.clear();
        for (int i = 0; i < level.fine; ++i) {
            row.clear();
            const auto add = [&](int from, double weight) {
                for (int k = start[from]; k < start[from + 1]; ++k) {
                    const auto it = std::find_if(row.begin(), row.end(), [&](const Entry& e) {
                        return e.column == entries[k].column;
                    });
                    if (it == row.end()) {
                        row.push_back({entries[k].column, Real(weight) * entries[k].weight});
                    } else {
                        it->weight += Real(weight) * entries[k].weight;
                    }
                }
            };
            if (level.aggregate[i] >= 0) {
                add(i, graph.degree[i] > 0 ? 1 - smoothing : 1.0);
                for (int j : graph.of(i)) add(j, smoothing / graph.degree[i]);
            }
            level.prolong.insert(level.prolong.end(), row.begin(), row.end());
            level.start.push_back(int(level.prolong.size()));
        }
        start = level.start;
        entries = level.prolong;
    }
    std::vector<int> count(level.coarse + 1, 0);
    for (const Entry& entry : level.prolong) ++count[entry.column + 1];
    for (int c = 0; c < level.coarse; ++c) count[c + 1] += count[c];
    level.start_back = count;
    level.restrict_.resize(level.prolong.size());
    for (int i = 0; i < level.fine; ++i) {
        for (int k = level.start[i]; k < level.start[i + 1]; ++k) {
            level.restrict_[count[level.prolong[k].column]++] = {i, level.prolong[k].weight};
        }
    }
}

// P^T K P, row by row.
template <class Real>
SymmetricCsr Multilevel<Real>::project(const SymmetricCsr& matrix, const Level& level) {
    std::vector<Triplet> triplets;
    std::vector<double> sum(level.coarse, 0.0);
    std::vector<std::uint8_t> listed(level.coarse, 0);
    std::vector<int> columns;
    for (int c = 0; c < level.coarse; ++c) {
        columns.clear();
        for (int b = level.start_back[c]; b < level.start_back[c + 1]; ++b) {
            const auto [i, left] = level.restrict_[b];
            for (int k = matrix.row_start()[i]; k < matrix.row_start()[i + 1]; ++k) {
                const int j = matrix.columns()[k];
                const double value = double(left) * matrix.values()[k];
                for (int p = level.start[j]; p < level.start[j + 1]; ++p) {
                    const auto [column, right] = level.prolong[p];
                    if (!listed[column]) {
                        listed[column] = 1;
                        columns.push_back(column);
                    }
                    sum[column] += value * double(right);
                }
            }
        }
        for (int column : columns) {
            triplets.push_back({c, column, sum[column]});
            sum[column] = 0;
            listed[column] = 0;
        }
    }
    return thinned(level.coarse, std::move(triplets));
}

// The aggregates each line passes through; what another line of its family took first is left out.
template <class Real>
std::vector<LineFamily> Multilevel<Real>::coarse_lines(const Level& level,
                                                       const std::vector<LineFamily>& families) {
    std::vector<LineFamily> result;
    for (const LineFamily& family : families) {
        LineFamily lines;
        std::vector<std::uint8_t> taken(level.coarse, 0);
        for (const auto& line : family) {
            std::vector<int> path;
            for (int v : line) {
                const int c = level.aggregate[v];
                if (c < 0 || taken[c]) continue;
                taken[c] = 1;
                path.push_back(c);
            }
            if (path.size() > 1) lines.push_back(std::move(path));
        }
        result.push_back(std::move(lines));
    }
    return result;
}

template <class Real>
void Multilevel<Real>::analyse(int vertices, std::span<const std::array<int, 2>> edges,
                               std::span<const std::uint8_t> pinned, const std::vector<LineFamily>& families,
                               const SymmetricCsr& stiffness) {
    levels_.clear();
    std::vector<LineFamily> lines = families;
    std::vector<std::array<int, 2>> fine_edges(edges.begin(), edges.end());
    std::vector<std::uint8_t> held(pinned.begin(), pinned.end());
    SymmetricCsr current;
    const SymmetricCsr* matrix = &stiffness;
    for (int n = vertices; n > smallest_level && int(levels_.size()) < most_levels;) {
        Level level;
        level.fine = n;
        const Graph g = graph(n, fine_edges, held);
        aggregate(g, level);
        if (level.coarse == 0 || level.coarse > 0.7 * n) break;
        smooth_prolongation(g, level);
        level.shrink = weight_share / std::sqrt(double(n) / level.coarse);

        // Merge the edges between aggregates.
        std::vector<std::pair<std::array<int, 2>, int>> crossing;
        level.coarse_edge.assign(fine_edges.size(), -1);
        for (int e = 0; e < int(fine_edges.size()); ++e) {
            int a = level.aggregate[fine_edges[e][0]], b = level.aggregate[fine_edges[e][1]];
            if ((a < 0) != (b < 0)) level.coarse_edge[e] = -2 - std::max(a, b);
            if (a < 0 || b < 0 || a == b) continue;
            if (a > b) std::swap(a, b);
            crossing.push_back({{a, b}, e});
        }
        std::sort(crossing.begin(), crossing.end());
        for (const auto& [ends, e] : crossing) {
            if (level.edges.empty() || level.edges.back() != ends) level.edges.push_back(ends);
            level.coarse_edge[e] = int(level.edges.size()) - 1;
        }
        current = project(*matrix, level);
        matrix = &current;
        fine_edges = level.edges;
        n = level.coarse;
        held.assign(n, 0);
        level.mass.assign(n, 0);
        level.weight.assign(level.edges.size(), 0);
        level.matrix.analyse(n, matrix, level.edges, held);
        lines = coarse_lines(level, lines);
        level.lines.analyse(level.matrix, lines, held);
        level.top = level.lines.largest_eigenvalue(level.matrix);
        for (auto* vector : {&level.r, &level.z, &level.q}) vector->assign(n + 1, Lanes<Real>{});
        levels_.push_back(std::move(level));
    }
}

template <class Real>
void Multilevel<Real>::assemble(std::span<const double> diagonal, double stiffness_scale,
                                std::span<const double> weight, double unit) {
    std::span<const double> fine_mass = diagonal, fine_weight = weight;
    used_ = 0;
    for (Level& level : levels_) {
        std::fill(level.mass.begin(), level.mass.end(), 0.0);
        std::fill(level.weight.begin(), level.weight.end(), 0.0);
        for (int i = 0; i < level.fine; ++i) {
            if (level.aggregate[i] >= 0) level.mass[level.aggregate[i]] += fine_mass[i];
        }
        for (std::size_t e = 0; e < fine_weight.size(); ++e) {
            const int to = level.coarse_edge[e];
            if (to >= 0) level.weight[to] += level.shrink * fine_weight[e];
            if (to < -1) level.mass[-2 - to] += pinned_weight_share * fine_weight[e];
        }
        level.matrix.assemble(level.mass, stiffness_scale, level.weight, unit);
        level.lines.factor(level.matrix);
        fine_mass = level.mass;
        fine_weight = level.weight;
        ++used_;
        if (level.matrix.stiff_over_mass() < light_enough) break;
    }
}

template <class Real>
void Multilevel<Real>::restrict_to(Level& level, const LaneVector<Real>& fine) {
    parallel_for(level.coarse, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            Lanes<Real> sum{};
            for (int k = level.start_back[c]; k < level.start_back[c + 1]; ++k) {
                sum += level.restrict_[k].weight * fine[level.restrict_[k].column];
            }
            level.r[c] = sum;
        }
    });
}

template <class Real>
void Multilevel<Real>::prolong_from(const Level& level, LaneVector<Real>& fine) {
    parallel_for(level.fine, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Lanes<Real> sum = fine[i];
            for (int k = level.start[i]; k < level.start[i + 1]; ++k) {
                sum += level.prolong[k].weight * level.z[level.prolong[k].column];
            }
            fine[i] = sum;
        }
    });
}

template <class Real>
void Multilevel<Real>::cycle(std::size_t l) {
    Level& level = levels_[l];
    const std::vector<double> gain = relaxation_gains(level.top);
    const auto relax = [&](double g) {
        level.matrix.residual(level.r, level.z, level.q);
        level.lines.add(Real(g), level.q, level.z);
    };
    level.lines.apply(Real(gain[0]), level.r, level.z);
    for (std::size_t k = 1; k < gain.size(); ++k) relax(gain[k]);
    if (l + 1 < used_) {
        level.matrix.residual(level.r, level.z, level.q);
        restrict_to(levels_[l + 1], level.q);
        cycle(l + 1);
        prolong_from(levels_[l + 1], level.z);
    }
    for (std::size_t k = gain.size(); k-- > 0;) relax(gain[k]);
}

template <class Real>
void Multilevel<Real>::add_correction(const LaneVector<Real>& r, LaneVector<Real>& z) {
    if (used_ == 0) return;
    restrict_to(levels_[0], r);
    cycle(0);
    prolong_from(levels_[0], z);
}

template class Multilevel<float>;
template class Multilevel<double>;

}  // namespace taut::linalg

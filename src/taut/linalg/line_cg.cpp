#include "taut/linalg/line_cg.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"
#include "taut/linalg/lane_sums.hpp"

namespace taut::linalg {
namespace {

// Mean stiffness over mass, on the diagonal, from which the multilevel correction pays: below, line
// solves alone need three to six iterations and a correction costs as much as one of them.
constexpr double stiff_ratio = 20;

// Pivot over diagonal below which a line block counts as indefinite.
constexpr double least_pivot = 1e-3;

}  // namespace

template <class Real>
void LineCg<Real>::analyse(int vertices, const SymmetricCsr* stiffness,
                           std::span<const std::array<int, 2>> edges, const std::vector<LineFamily>& families,
                           std::span<const std::uint8_t> pinned) {
    n_ = vertices;
    pinned_.assign(pinned.begin(), pinned.end());
    edge_.assign(edges.begin(), edges.end());
    const bool stiff = stiffness && !stiffness->empty();

    // List the edges at each vertex.
    incident_start_.assign(n_ + 1, 0);
    for (const auto& e : edge_) {
        if (e[0] != e[1]) ++incident_start_[e[0] + 1], ++incident_start_[e[1] + 1];
    }
    for (int i = 0; i < n_; ++i) incident_start_[i + 1] += incident_start_[i];
    incident_.resize(incident_start_[n_]);
    std::vector<int> next(incident_start_.begin(), incident_start_.end() - 1);
    for (int e = 0; e < int(edge_.size()); ++e) {
        if (edge_[e][0] == edge_[e][1]) continue;
        for (int end : edge_[e]) incident_[next[end]++] = e;
    }

    // Merge stiffness couplings and edges into one off-diagonal pattern of the free vertices.
    start_.assign(1, 0);
    col_.clear();
    base_.clear();
    base_diagonal_.assign(n_, 0);
    std::vector<std::pair<int, double>> row;
    for (int i = 0; i < n_; ++i) {
        row.clear();
        if (stiff) {
            for (int k = stiffness->row_start()[i]; k < stiffness->row_start()[i + 1]; ++k) {
                const int j = stiffness->columns()[k];
                if (j == i) base_diagonal_[i] = stiffness->values()[k];
                if (j != i && !pinned_[i] && !pinned_[j]) row.emplace_back(j, stiffness->values()[k]);
            }
        }
        for (int k = incident_start_[i]; k < incident_start_[i + 1]; ++k) {
            const int j = edge_[incident_[k]][0] == i ? edge_[incident_[k]][1] : edge_[incident_[k]][0];
            if (!pinned_[i] && !pinned_[j]) row.emplace_back(j, 0.0);
        }
        std::stable_sort(row.begin(), row.end(), [](auto& a, auto& b) { return a.first < b.first; });
        for (const auto& [j, value] : row) {
            if (int(col_.size()) > start_.back() && col_.back() == j) {
                base_.back() += Real(value);
            } else {
                col_.push_back(j);
                base_.push_back(Real(value));
            }
        }
        start_.push_back(int(col_.size()));
    }
    value_.assign(base_.size(), 0);
    diagonal_.assign(n_ + 1, 1);

    // Find where each edge couples its two ends.
    const auto position = [&](int i, int j) {
        const auto begin = col_.begin() + start_[i], end = col_.begin() + start_[i + 1];
        const auto it = std::lower_bound(begin, end, j);
        return it != end && *it == j ? int(it - col_.begin()) : -1;
    };
    edge_entry_.resize(edge_.size());
    for (std::size_t e = 0; e < edge_.size(); ++e) {
        edge_entry_[e] = {position(edge_[e][0], edge_[e][1]), position(edge_[e][1], edge_[e][0])};
    }

    levels_.analyse(n_, edge_, pinned_, stiffness);
    families_.assign(families.size(), {});
    for (std::size_t f = 0; f < families.size(); ++f) build_family(families[f], families_[f]);
    for (auto* vector : {&r_, &z_, &p_, &q_, &t_}) vector->assign(n_ + 1, V{});
}

template <class Real>
void LineCg<Real>::build_family(const LineFamily& lines, Family& family) const {
    // Cut the lines at pinned vertices and make every vertex left over a line of its own.
    LineFamily cut;
    std::vector<std::uint8_t> covered(pinned_.begin(), pinned_.end());
    for (const auto& line : lines) {
        cut.emplace_back();
        for (int v : line) {
            if (!covered[v]) {
                covered[v] = 1;
                cut.back().push_back(v);
            } else if (!cut.back().empty()) {
                cut.emplace_back();
            }
        }
        if (cut.back().empty()) cut.pop_back();
    }
    for (int v = 0; v < n_; ++v) {
        if (!covered[v]) cut.push_back({v});
    }
    std::stable_sort(cut.begin(), cut.end(), [](auto& a, auto& b) { return a.size() > b.size(); });

    // Interleave groups of lines, padded to the longest.
    for (std::size_t first = 0; first < cut.size(); first += width) {
        const int length = int(cut[first].size());
        const int offset = int(family.vertex.size());
        family.groups.push_back({offset, length});
        family.vertex.resize(offset + length * width, n_);
        family.entry.resize(offset + length * width, -1);
        for (int lane = 0; lane < width && first + lane < cut.size(); ++lane) {
            const auto& line = cut[first + lane];
            for (int k = 0; k < int(line.size()); ++k) {
                family.vertex[offset + k * width + lane] = line[k];
                if (k == 0) continue;
                const auto begin = col_.begin() + start_[line[k]], end = col_.begin() + start_[line[k] + 1];
                const auto it = std::lower_bound(begin, end, line[k - 1]);
                if (it != end && *it == line[k - 1]) {
                    family.entry[offset + k * width + lane] = int(it - col_.begin());
                }
            }
        }
    }
    family.lower.assign(family.vertex.size(), 0);
    family.inverse.assign(family.vertex.size(), 0);
}

template <class Real>
void LineCg<Real>::assemble(std::span<const double> diagonal, double stiffness_scale,
                            std::span<const double> weight, double unit) {
    const double scale = stiffness_scale / unit;
    parallel_for(n_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (int k = start_[i]; k < start_[i + 1]; ++k) value_[k] = Real(scale) * base_[k];
            double sum = diagonal[i] / unit + scale * base_diagonal_[i];
            if (!weight.empty()) {
                for (int k = incident_start_[i]; k < incident_start_[i + 1]; ++k) {
                    const int e = incident_[k];
                    const double w = weight[e] / unit;
                    sum += w;
                    const int at = edge_entry_[e][edge_[e][0] == int(i) ? 0 : 1];
                    if (at >= 0) value_[at] -= Real(w);
                }
            }
            diagonal_[i] = pinned_[i] ? Real(1) : Real(sum);
        }
    });
    for (Family& family : families_) factor(family);
    double stiff = 0, mass = 0;
    for (int i = 0; i < n_; ++i) stiff += stiffness_scale * base_diagonal_[i], mass += diagonal[i];
    use_levels_ = stiff > stiff_ratio * mass;
    if (use_levels_) levels_.assemble(diagonal, stiffness_scale, weight, unit);
}

// Bending couplings can make a line block indefinite; `limited` weakens them to diagonal dominance, for
// pivots held up one by one would let the sweeps grow with every vertex. False: a pivot vanishes.
template <class Real>
bool LineCg<Real>::factor_line(Family& family, int first, int length, bool limited) const {
    double previous = 1, full_before = 0;
    for (int k = 0; k < length; ++k) {
        const int at = first + k * width;
        const int v = family.vertex[at];
        if (v == n_) break;
        const double full = diagonal_[v];
        double off = family.entry[at] >= 0 ? double(value_[family.entry[at]]) : 0.0;
        if (limited) {
            const double most = 0.5 * std::min(full, full_before);
            off = std::clamp(off, -most, most);
        }
        const double lower = off / previous;
        const double pivot = full - lower * off;
        if (!limited && !(pivot > least_pivot * full)) return false;
        family.lower[at] = Real(lower);
        family.inverse[at] = Real(1 / pivot);
        previous = pivot;
        full_before = full;
    }
    return true;
}

template <class Real>
void LineCg<Real>::factor(Family& family) const {
    parallel_for(
        family.groups.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                const auto [offset, length] = family.groups[g];
                for (int lane = 0; lane < width; ++lane) {
                    if (factor_line(family, offset + lane, length, false)) continue;
                    factor_line(family, offset + lane, length, true);
                }
            }
        },
        8);
}

template <class Real>
template <bool accumulate>
void LineCg<Real>::solve_lines(const Family& family, const LaneVector<Real>& r, LaneVector<Real>& z) const {
    // Forward results wait in t: z may hold what is to be added to.
    V* const work = const_cast<V*>(t_.data());
    parallel_for(
        family.groups.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                const auto [offset, length] = family.groups[g];
                const int* vertex = family.vertex.data() + offset;
                const Real* lower = family.lower.data() + offset;
                const Real* inverse = family.inverse.data() + offset;
                V y[width] = {};
                for (int k = 0; k < length * width; k += width) {
                    for (int lane = 0; lane < width; ++lane) {
                        y[lane] = r[vertex[k + lane]] - lower[k + lane] * y[lane];
                        work[vertex[k + lane]] = y[lane];
                    }
                }
                V x[width] = {};
                Real next[width] = {};
                for (int k = (length - 1) * width; k >= 0; k -= width) {
                    for (int lane = 0; lane < width; ++lane) {
                        const int v = vertex[k + lane];
                        x[lane] = work[v] * inverse[k + lane] - next[lane] * x[lane];
                        next[lane] = lower[k + lane];
                        if constexpr (accumulate) {
                            z[v] += x[lane];
                        } else {
                            z[v] = x[lane];
                        }
                    }
                }
            }
        },
        8);
}

template <class Real>
void LineCg<Real>::apply(const LaneVector<Real>& x, LaneVector<Real>& y) const {
    parallel_for(n_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            V sum = diagonal_[i] * x[i];
            for (int k = start_[i]; k < start_[i + 1]; ++k) sum += value_[k] * x[col_[k]];
            y[i] = sum;
        }
    });
}

template <class Real>
void LineCg<Real>::precondition(const LaneVector<Real>& r, LaneVector<Real>& z) {
    if (families_.empty()) {
        parallel_for(n_, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) z[i] = r[i] / diagonal_[i];
        });
        return;
    }
    solve_lines<false>(families_[0], r, z);
    for (std::size_t f = 1; f < families_.size(); ++f) solve_lines<true>(families_[f], r, z);
    if (use_levels_) levels_.add_correction(r, z);
}

template <class Real>
int LineCg<Real>::solve(const LaneVector<Real>& b, LaneVector<Real>& x, double tolerance,
                        int max_iterations) {
    // Each lane runs its own conjugate gradients; they share the matrix passes.
    using Sum = std::array<double, 4>;
    std::copy(b.begin(), b.end(), r_.begin());
    r_[n_] = V{};
    std::fill(x.begin(), x.end(), V{});
    precondition(r_, z_);
    Sum rz = lane_dot<Real>(r_, z_, n_);
    const double stop = tolerance * tolerance * (rz[0] + rz[1] + rz[2]);
    if (!(stop > 0)) return 0;
    std::copy(z_.begin(), z_.end(), p_.begin());

    for (int iteration = 1;; ++iteration) {
        apply(p_, q_);
        const Sum pq = lane_dot<Real>(p_, q_, n_);
        V alpha{};
        for (int c = 0; c < 3; ++c) alpha[c] = pq[c] > 0 ? Real(rz[c] / pq[c]) : Real(0);
        parallel_for(n_, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                x[i] += alpha * p_[i];
                r_[i] -= alpha * q_[i];
            }
        });
        if (iteration >= max_iterations) return iteration;

        precondition(r_, z_);
        const Sum next = lane_dot<Real>(r_, z_, n_);
        if (next[0] + next[1] + next[2] <= stop) return iteration;
        V beta{};
        for (int c = 0; c < 3; ++c) beta[c] = rz[c] > 0 ? Real(next[c] / rz[c]) : Real(0);
        rz = next;
        parallel_for(n_, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) p_[i] = z_[i] + beta * p_[i];
        });
    }
}

template class LineCg<float>;
template class LineCg<double>;

}  // namespace taut::linalg

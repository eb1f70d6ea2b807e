#include "taut/linalg/line_solves.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"
#include "taut/linalg/lane_sums.hpp"

namespace taut::linalg {
namespace {

// Most a stiffness coupling along a line may be, over the diagonal: that of the 13-point biharmonic.
constexpr double coupling_limit = 0.4;

// For the estimate of the spectrum: mass over stiffness, iterations from a random start, safety.
constexpr double little_mass = 0.01, eigenvalue_margin = 1.1;
constexpr int eigenvalue_iterations = 20;
constexpr double least_top = 3;  // two families under tension reach 8/3

}  // namespace

template <class Real>
void LineSolves<Real>::analyse(const MetricMatrix<Real>& matrix, const std::vector<LineFamily>& families,
                               std::span<const std::uint8_t> pinned) {
    n_ = matrix.size();
    pinned_.assign(pinned.begin(), pinned.end());
    families_.assign(families.size(), {});
    for (std::size_t f = 0; f < families.size(); ++f) build_family(matrix, families[f], families_[f]);
    inverse_diagonal_.assign(families.empty() ? n_ : 0, Real(0));
    longest_ = 0;
    for (const Family& family : families_) {
        for (const Group& group : family.groups)
            longest_ = std::max(longest_, std::size_t(group.length) * width);
    }
}

template <class Real>
void LineSolves<Real>::build_family(const MetricMatrix<Real>& matrix, const LineFamily& lines,
                                    Family& family) const {
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
                family.entry[offset + k * width + lane] = matrix.entry(line[k], line[k - 1]);
            }
        }
    }
    family.lower.assign(family.vertex.size(), 0);
    family.inverse.assign(family.vertex.size(), 0);
}

// Takes the couplings along one line. Those of the stiffness are limited: bending alone would make the
// block of a line indefinite, for it leaves out the couplings to second neighbours that hold it up.
template <class Real>
void LineSolves<Real>::factor_line(const MetricMatrix<Real>& matrix, Family& family, int first,
                                   int length) const {
    double previous = 1, stiff_before = 0;
    for (int k = 0; k < length; ++k) {
        const int at = first + k * width;
        const int v = family.vertex[at];
        if (v == n_) break;
        const double full = double(matrix.diagonal(v)), stiff = matrix.stiff_diagonal(v);
        double off = 0;
        if (family.entry[at] >= 0) {
            const double bending = matrix.stiff_value(family.entry[at]);
            const double most = coupling_limit * std::min(stiff, stiff_before);
            off = std::clamp(bending, -most, most) + (double(matrix.value(family.entry[at])) - bending);
        }
        const double lower = off / previous;
        const double pivot = full - lower * off;
        family.lower[at] = Real(lower);
        family.inverse[at] = Real(1 / pivot);
        previous = pivot;
        stiff_before = stiff;
    }
}

template <class Real>
void LineSolves<Real>::factor(const MetricMatrix<Real>& matrix) {
    for (std::size_t i = 0; i < inverse_diagonal_.size(); ++i) {
        inverse_diagonal_[i] = 1 / matrix.diagonal(int(i));
    }
    for (Family& family : families_) {
        parallel_for(
            family.groups.size(),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t g = begin; g < end; ++g) {
                    const auto [offset, length] = family.groups[g];
                    for (int lane = 0; lane < width; ++lane) {
                        factor_line(matrix, family, offset + lane, length);
                    }
                }
            },
            8);
    }
}

// z = gain * (line solves of one family) r, or added to z.
template <class Real>
template <bool add>
void LineSolves<Real>::solve_family(const Family& family, Real gain, const LaneVector<Real>& r,
                                    LaneVector<Real>& z) const {
    parallel_for(
        family.groups.size(),
        [&](std::size_t begin, std::size_t end) {
            // Results of the forward sweeps of one group stay in the nearest cache.
            thread_local LaneVector<Real> forward;
            if (forward.size() < longest_) forward.resize(longest_);
            V* const work = forward.data();
            for (std::size_t g = begin; g < end; ++g) {
                const auto [offset, length] = family.groups[g];
                const int* vertex = family.vertex.data() + offset;
                const Real* lower = family.lower.data() + offset;
                const Real* inverse = family.inverse.data() + offset;
                V y[width] = {};
                for (int k = 0; k < length * width; k += width) {
                    for (int lane = 0; lane < width; ++lane) {
                        y[lane] = r[vertex[k + lane]] - lower[k + lane] * y[lane];
                        work[k + lane] = y[lane];
                    }
                }
                V x[width] = {};
                Real next[width] = {};
                for (int k = (length - 1) * width; k >= 0; k -= width) {
                    for (int lane = 0; lane < width; ++lane) {
                        const int v = vertex[k + lane];
                        x[lane] = work[k + lane] * inverse[k + lane] - next[lane] * x[lane];
                        next[lane] = lower[k + lane];
                        if constexpr (add) {
                            z[v] += gain * x[lane];
                        } else {
                            z[v] = gain * x[lane];
                        }
                    }
                }
            }
        },
        8);
}

template <class Real>
template <bool add>
void LineSolves<Real>::run(Real gain, const LaneVector<Real>& r, LaneVector<Real>& z) const {
    if (families_.empty()) {
        parallel_for(n_, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const V x = gain * inverse_diagonal_[i] * r[i];
                z[i] = add ? z[i] + x : x;
            }
        });
        return;
    }
    solve_family<add>(families_[0], gain, r, z);
    for (std::size_t f = 1; f < families_.size(); ++f) solve_family<true>(families_[f], gain, r, z);
}

template <class Real>
void LineSolves<Real>::apply(Real gain, const LaneVector<Real>& r, LaneVector<Real>& z) const {
    run<false>(gain, r, z);
}

template <class Real>
void LineSolves<Real>::add(Real gain, const LaneVector<Real>& r, LaneVector<Real>& z) const {
    run<true>(gain, r, z);
}

template <class Real>
double LineSolves<Real>::largest_eigenvalue(MetricMatrix<Real>& matrix) {
    // A little mass beside the stiffness: weights and masses only narrow the spectrum.
    const double unit = matrix.mean_stiffness();
    const std::vector<double> mass(n_, little_mass * unit);
    matrix.assemble(mass, 1, {}, unit);
    factor(matrix);

    LaneVector<Real> p(n_ + 1, V{}), q(n_ + 1, V{});
    unsigned state = 1;
    for (int i = 0; i < n_; ++i) {
        state = state * 1664525u + 1013904223u;
        if (!pinned_[i]) p[i][0] = Real(state >> 8) / Real(1 << 24) - Real(0.5);
    }
    double value = 1;
    for (int k = 0; k < eigenvalue_iterations; ++k) {
        matrix.apply(p, q);
        q[n_] = V{};
        const double before = lane_dot<Real>(p, p, n_)[0];
        apply(Real(1), q, p);
        p[n_] = V{};
        const double after = lane_dot<Real>(p, p, n_)[0];
        if (!(before > 0)) return least_top;
        value = std::sqrt(after / before);
        for (V& v : p) v /= Real(value);
    }
    return std::max(eigenvalue_margin * value, least_top);
}

template class LineSolves<float>;
template class LineSolves<double>;

}  // namespace taut::linalg

#include "taut/linalg/metric_matrix.hpp"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "taut/base/parallel.hpp"

namespace taut::linalg {

template <class Real>
void MetricMatrix<Real>::analyse(int vertices, const SymmetricCsr* stiffness,
                                 std::span<const std::array<int, 2>> edges,
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
    std::vector<int> start(1, 0), col;
    std::vector<Real> base;
    base_diagonal_.assign(n_, 0);
    const std::size_t guess = (stiff ? stiffness->columns().size() : 0) + incident_.size() / 4;
    col.reserve(guess);
    base.reserve(guess);
    std::vector<std::pair<int, double>> row;
    for (int i = 0; i < n_; ++i) {
        row.clear();
        if (stiff) {
            for (int k = stiffness->row_start()[i]; k < stiffness->row_start()[i + 1]; ++k) {
                const int j = stiffness->columns()[k];
                if (j == i) base_diagonal_[i] = Real(stiffness->values()[k]);
                if (j != i && !pinned_[i] && !pinned_[j]) row.emplace_back(j, stiffness->values()[k]);
            }
        }
        for (int k = incident_start_[i]; k < incident_start_[i + 1]; ++k) {
            const int j = edge_[incident_[k]][0] == i ? edge_[incident_[k]][1] : edge_[incident_[k]][0];
            if (!pinned_[i] && !pinned_[j]) row.emplace_back(j, 0.0);
        }
        std::stable_sort(row.begin(), row.end(), [](auto& a, auto& b) { return a.first < b.first; });
        for (const auto& [j, value] : row) {
            if (int(col.size()) > start.back() && col.back() == j) {
                base.back() += Real(value);
            } else {
                col.push_back(j);
                base.push_back(Real(value));
            }
        }
        start.push_back(int(col.size()));
    }
    cut_runs(start, col, base);
    value_.assign(base_.size(), 0);
    diagonal_.assign(n_ + 1, 1);
    edge_entry_.resize(edge_.size());
    for (std::size_t e = 0; e < edge_.size(); ++e) {
        edge_entry_[e] = {entry(edge_[e][0], edge_[e][1]), entry(edge_[e][1], edge_[e][0])};
    }
}

template <class Real>
void MetricMatrix<Real>::cut_runs(const std::vector<int>& start, const std::vector<int>& col,
                                  const std::vector<Real>& base) {
    run_.clear();
    run_of_.resize(n_);
    first_run_.clear();
    offset_.clear();
    const auto like_before = [&](int i) {
        const int count = start[i + 1] - start[i];
        if (count != start[i] - start[i - 1]) return false;
        for (int k = 0; k < count; ++k) {
            if (col[start[i] + k] != col[start[i - 1] + k] + 1) return false;
        }
        return true;
    };
    for (int i = 0; i < n_; ++i) {
        const bool block = i % int(loop_block) == 0;
        if (block) first_run_.push_back(int(run_.size()));
        if (block || !like_before(i)) {
            run_.push_back({i, 0, start[i], int(offset_.size()), start[i + 1] - start[i]});
            for (int k = start[i]; k < start[i + 1]; ++k) offset_.push_back(col[k] - i);
        }
        ++run_.back().length;
        run_of_[i] = int(run_.size()) - 1;
    }
    first_run_.push_back(int(run_.size()));
    base_.resize(base.size());
    for (const Run& run : run_) {
        for (int i = 0; i < run.length; ++i) {
            for (int k = 0; k < run.count; ++k) {
                base_[run.place + k * run.length + i] = base[start[run.first + i] + k];
            }
        }
    }
}

template <class Real>
int MetricMatrix<Real>::entry(int i, int j) const {
    const Run& run = run_[run_of_[i]];
    const auto begin = offset_.begin() + run.offset, end = begin + run.count;
    const auto it = std::lower_bound(begin, end, j - i);
    return it != end && *it == j - i ? run.place + int(it - begin) * run.length + i - run.first : -1;
}

template <class Real>
void MetricMatrix<Real>::assemble(std::span<const double> diagonal, double stiffness_scale,
                                  std::span<const double> weight, double unit) {
    scale_ = stiffness_scale / unit;
    parallel_for(value_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) value_[k] = Real(scale_) * base_[k];
    });
    parallel_for(n_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            double sum = diagonal[i] / unit + scale_ * double(base_diagonal_[i]);
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
    double stiff = 0, mass = 0;
    for (int i = 0; i < n_; ++i) stiff += stiffness_scale * double(base_diagonal_[i]), mass += diagonal[i];
    stiff_over_mass_ = mass > 0 ? stiff / mass : 0;
}

namespace {

// Sums of four neighbouring vertices in single precision, each with a factor of its own.
#ifdef __AVX512F__
struct FourSums {
    __m512 sum = _mm512_setzero_ps();

    void add(const float* factor, const Lanes<float>* x) {
        const __m512i lane = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
        const __m512 four = _mm512_castps128_ps512(_mm_loadu_ps(factor));
        sum = _mm512_fmadd_ps(_mm512_maskz_permutexvar_ps(0xffff, lane, four), _mm512_loadu_ps(x), sum);
    }
    void subtract_from(const Lanes<float>* b) { sum = _mm512_sub_ps(_mm512_loadu_ps(b), sum); }
    void store(Lanes<float>* y) const { _mm512_storeu_ps(y, sum); }
};
#else
struct FourSums {
    Lanes<float> sum[4] = {};

    void add(const float* factor, const Lanes<float>* x) {
        for (int c = 0; c < 4; ++c) sum[c] += factor[c] * x[c];
    }
    void subtract_from(const Lanes<float>* b) {
        for (int c = 0; c < 4; ++c) sum[c] = b[c] - sum[c];
    }
    void store(Lanes<float>* y) const { std::copy_n(sum, 4, y); }
};
#endif

}  // namespace

// y = H x, or b - H x.
template <class Real>
template <bool residual>
void MetricMatrix<Real>::multiply(const LaneVector<Real>* b, const LaneVector<Real>& x,
                                  LaneVector<Real>& y) const {
    parallel_for(n_, [&](std::size_t begin, std::size_t end) {
        const int last = first_run_[(end + loop_block - 1) / loop_block];
        for (int r = first_run_[begin / loop_block]; r < last; ++r) {
            const Run run = run_[r];
            const int* const offset = offset_.data() + run.offset;
            const Real* const factor = value_.data() + run.place;
            int i = 0;
            if constexpr (std::is_same_v<Real, float>) {
                for (; i + 4 <= run.length; i += 4) {
                    const int v = run.first + i;
                    FourSums sums;
                    sums.add(diagonal_.data() + v, x.data() + v);
                    for (int k = 0; k < run.count; ++k) {
                        sums.add(factor + std::ptrdiff_t(k) * run.length + i, x.data() + v + offset[k]);
                    }
                    if constexpr (residual) sums.subtract_from(b->data() + v);
                    sums.store(y.data() + v);
                }
            }
            for (; i < run.length; ++i) {
                const int v = run.first + i;
                V sum = diagonal_[v] * x[v];
                for (int k = 0; k < run.count; ++k) sum += factor[k * run.length + i] * x[v + offset[k]];
                y[v] = residual ? (*b)[v] - sum : sum;
            }
        }
    });
}

template <class Real>
void MetricMatrix<Real>::apply(const LaneVector<Real>& x, LaneVector<Real>& y) const {
    multiply<false>(nullptr, x, y);
}

template <class Real>
void MetricMatrix<Real>::residual(const LaneVector<Real>& b, const LaneVector<Real>& x,
                                  LaneVector<Real>& y) const {
    multiply<true>(&b, x, y);
}

template <class Real>
double MetricMatrix<Real>::mean_stiffness() const {
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += double(base_diagonal_[i]);
    return sum > 0 ? sum / n_ : 1.0;
}

template class MetricMatrix<float>;
template class MetricMatrix<double>;

}  // namespace taut::linalg

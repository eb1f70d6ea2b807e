#include "taut/linalg/metric_matrix.hpp"

#include <algorithm>
#include <cmath>

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
    start_.assign(1, 0);
    col_.clear();
    base_.clear();
    base_diagonal_.assign(n_, 0);
    const std::size_t guess = (stiff ? stiffness->columns().size() : 0) + incident_.size() / 4;
    col_.reserve(guess);
    base_.reserve(guess);
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
    edge_entry_.resize(edge_.size());
    for (std::size_t e = 0; e < edge_.size(); ++e) {
        edge_entry_[e] = {entry(edge_[e][0], edge_[e][1]), entry(edge_[e][1], edge_[e][0])};
    }
}

template <class Real>
int MetricMatrix<Real>::entry(int i, int j) const {
    const auto begin = col_.begin() + start_[i], end = col_.begin() + start_[i + 1];
    const auto it = std::lower_bound(begin, end, j);
    return it != end && *it == j ? int(it - col_.begin()) : -1;
}

template <class Real>
void MetricMatrix<Real>::assemble(std::span<const double> diagonal, double stiffness_scale,
                                  std::span<const double> weight, double unit) {
    scale_ = stiffness_scale / unit;
    parallel_for(n_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (int k = start_[i]; k < start_[i + 1]; ++k) value_[k] = Real(scale_) * base_[k];
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

template <class Real>
void MetricMatrix<Real>::apply(const LaneVector<Real>& x, LaneVector<Real>& y) const {
    parallel_for(n_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            V sum = diagonal_[i] * x[i];
            for (int k = start_[i]; k < start_[i + 1]; ++k) sum += value_[k] * x[col_[k]];
            y[i] = sum;
        }
    });
}

template <class Real>
void MetricMatrix<Real>::residual(const LaneVector<Real>& b, const LaneVector<Real>& x,
                                  LaneVector<Real>& y) const {
    parallel_for(n_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            V sum = b[i] - diagonal_[i] * x[i];
            for (int k = start_[i]; k < start_[i + 1]; ++k) sum -= value_[k] * x[col_[k]];
            y[i] = sum;
        }
    });
}

template <class Real>
void MetricMatrix<Real>::apply_stiffness(const LaneVector<Real>& x, LaneVector<Real>& y) const {
    parallel_for(n_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            V sum = base_diagonal_[i] * x[i];
            for (int k = start_[i]; k < start_[i + 1]; ++k) sum += base_[k] * x[col_[k]];
            y[i] = Real(scale_) * sum;
        }
    });
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

#include "taut/linalg/sparse.hpp"

#include <algorithm>

#include "taut/base/parallel.hpp"

namespace taut::linalg {

SymmetricCsr::SymmetricCsr(int n, std::span<const Triplet> triplets) : start_(std::size_t(n) + 1, 0) {
    // Bucket the triplets by row, keeping their order, then sort and merge each row.
    std::vector<int> fill(std::size_t(n) + 1, 0);
    for (const Triplet& t : triplets) ++fill[std::size_t(t.row) + 1];
    for (int i = 0; i < n; ++i) fill[i + 1] += fill[i];
    std::vector<std::pair<int, double>> bucket(triplets.size());
    std::vector<int> next(fill.begin(), fill.end() - 1);
    for (const Triplet& t : triplets) bucket[next[t.row]++] = {t.col, t.value};
    col_.reserve(triplets.size() / 2);
    value_.reserve(triplets.size() / 2);
    for (int i = 0; i < n; ++i) {
        const auto begin = bucket.begin() + fill[i], end = bucket.begin() + fill[i + 1];
        std::stable_sort(begin, end, [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto it = begin; it != end; ++it) {
            if (int(col_.size()) > start_[i] && col_.back() == it->first) {
                value_.back() += it->second;
            } else {
                col_.push_back(it->first);
                value_.push_back(it->second);
            }
        }
        start_[i + 1] = int(col_.size());
    }
}

void SymmetricCsr::add_product(double scale, ConstPoints x, PointsView y) const {
    parallel_for(std::size_t(size()), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Vec3 sum = Vec3::Zero();
            for (int k = start_[i]; k < start_[i + 1]; ++k) sum += value_[k] * x[col_[k]];
            y[i] += scale * sum;
        }
    });
}

double SymmetricCsr::coupling(int i, int j) const {
    const auto begin = col_.begin() + start_[i], end = col_.begin() + start_[i + 1];
    const auto it = std::lower_bound(begin, end, j);
    return it != end && *it == j ? value_[std::size_t(it - col_.begin())] : 0.0;
}

std::vector<double> SymmetricCsr::diagonal() const {
    std::vector<double> result(std::size_t(size()), 0.0);
    for (int i = 0; i < size(); ++i) {
        for (int k = start_[i]; k < start_[i + 1]; ++k) {
            if (col_[k] == i) result[i] = value_[k];
        }
    }
    return result;
}

void RowBlocks::multiply(ConstPoints x, std::span<double> y) const {
    parallel_for(std::size_t(rows()), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            double sum = 0;
            for (int k = start[i]; k < start[i + 1]; ++k) sum += gradient[k].dot(x[vertex[k]]);
            y[i] = sum;
        }
    });
}

void RowBlocks::add_transposed(std::span<const double> y, PointsView x) const {
    for (int i = 0; i < rows(); ++i) {
        for (int k = start[i]; k < start[i + 1]; ++k) x[vertex[k]] += y[i] * gradient[k];
    }
}

}  // namespace taut::linalg

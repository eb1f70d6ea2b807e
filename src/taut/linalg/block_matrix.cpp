#include "taut/linalg/block_matrix.hpp"

#include <algorithm>
#include <cassert>

#include "taut/linalg/sparse.hpp"

namespace taut::linalg {

void BlockMatrix::set_pattern(int n, std::span<const std::array<int, 2>> pairs) {
    // Sort (column, row) pairs of the lower triangle, the diagonal among them.
    std::vector<std::array<int, 2>> entries;
    entries.reserve(pairs.size() + std::size_t(n));
    for (int i = 0; i < n; ++i) entries.push_back({i, i});
    for (const auto& [a, b] : pairs) entries.push_back({std::min(a, b), std::max(a, b)});
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());

    start_.assign(std::size_t(n) + 1, 0);
    row_.clear();
    for (const auto& [column, row] : entries) {
        row_.push_back(row);
        ++start_[std::size_t(column) + 1];
    }
    for (std::size_t i = 0; i < std::size_t(n); ++i) start_[i + 1] += start_[i];
    block_.assign(row_.size(), Mat3::Zero());
}

void BlockMatrix::clear() { std::fill(block_.begin(), block_.end(), Mat3::Zero()); }

void BlockMatrix::scale(double factor) {
    for (Mat3& block : block_) block *= factor;
}

int BlockMatrix::place(int row, int column) const {
    const auto begin = row_.begin() + start_[column], end = row_.begin() + start_[column + 1];
    const auto found = std::lower_bound(begin, end, row);
    assert(found != end && *found == row);
    return static_cast<int>(found - row_.begin());
}

Mat3& BlockMatrix::at(int row, int column) { return block_[std::size_t(place(row, column))]; }

void BlockMatrix::add(int i, int j, const Mat3& block) {
    if (i >= j) {
        at(i, j) += block;
    } else {
        at(j, i) += block.transpose();
    }
}

void BlockMatrix::add_pair(int a, int b, const Mat3& block) {
    at(a, a) += block;
    at(b, b) += block;
    at(std::max(a, b), std::min(a, b)) -= block;
}

void BlockMatrix::add_scalar(const SymmetricCsr& matrix, double scale) {
    for (int i = 0; i < matrix.size(); ++i) {
        for (int k = matrix.row_start()[i]; k < matrix.row_start()[i + 1]; ++k) {
            const int j = matrix.columns()[k];
            if (j <= i) at(i, j).diagonal().array() += scale * matrix.values()[k];
        }
    }
}

void append_pairs(const SymmetricCsr& matrix, std::vector<std::array<int, 2>>& pairs) {
    for (int i = 0; i < matrix.size(); ++i) {
        for (int k = matrix.row_start()[i]; k < matrix.row_start()[i + 1]; ++k) {
            if (matrix.columns()[k] < i) pairs.push_back({i, matrix.columns()[k]});
        }
    }
}

}  // namespace taut::linalg

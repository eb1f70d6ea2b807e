// A BlockMatrix in whole rows, for products: each row is summed by one thread, in a fixed order. Besides, a
// few rows g g^T of up to four vertices each, such as contacts, that come and go without a new pattern.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "taut/base/incidence.hpp"
#include "taut/linalg/block_matrix.hpp"

namespace taut::linalg {

// factor * g g^T with g = weight_k direction at vertex k; below 0: none.
struct RankOneRow {
    std::array<int, 4> vertex{-1, -1, -1, -1};
    std::array<double, 4> weight{};
    Vec3 direction = Vec3::UnitZ();
    double factor = 0;

    double dot(ConstPoints x) const;  // g . x
};

class BlockRows {
public:
    // Takes the pattern; values come with load(). It must be the pattern of every matrix loaded.
    void set_pattern(const BlockMatrix& matrix);
    // Takes the values, and further rows.
    void load(const BlockMatrix& matrix, std::span<const RankOneRow> rows = {});
    // Exchanges the further rows alone.
    void set_rows(std::span<const RankOneRow> rows);

    int size() const { return static_cast<int>(start_.size()) - 1; }
    void multiply(ConstPoints x, PointsView y) const;  // y = A x
    Mat3 diagonal(std::size_t i) const;                // block (i, i), further rows included

    std::span<const int> row_start() const { return start_; }
    std::span<const int> columns() const { return column_; }  // of the blocks of each row, ascending
    Eigen::Map<const Mat3> block(std::size_t place) const {
        return Eigen::Map<const Mat3>(&value_[9 * place]);
    }
    std::span<const RankOneRow> further_rows() const { return rows_; }

private:
    std::vector<int> start_{0};
    std::vector<int> column_;
    std::vector<int> source_;    // block of the lower triangle; its complement where it is transposed
    std::vector<int> own_;       // place of the diagonal block of each row
    std::vector<double> value_;  // of the blocks, column by column; one more than there are, for whole lanes
    std::vector<RankOneRow> rows_;
    Incidence places_;  // 4 r + k of rows at each vertex; empty without rows
};

}  // namespace taut::linalg

#include "taut/linalg/block_rows.hpp"

#include <algorithm>
#include <cstring>

#include "taut/base/parallel.hpp"
#include "taut/linalg/lanes.hpp"

namespace taut::linalg {
namespace {

// Rows that one task multiplies: a row is a kilobyte.
constexpr std::size_t row_block = 512;

// Four numbers from any place; of a column of a block the last one is not its own.
Lanes<double> lanes_at(const double* place) {
    Lanes<double> lanes;
    std::memcpy(&lanes, place, sizeof lanes);
    return lanes;
}

}  // namespace

double RankOneRow::dot(ConstPoints x) const {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        if (vertex[k] >= 0) sum += weight[k] * direction.dot(x[static_cast<std::size_t>(vertex[k])]);
    }
    return sum;
}

void BlockRows::set_pattern(const BlockMatrix& matrix) {
    const int n = matrix.size();
    start_.assign(static_cast<std::size_t>(n) + 1, 0);
    const auto column_start = matrix.column_start();
    const auto rows = matrix.rows();

    // Count the blocks of each row, then put them in, columns ascending.
    for (int j = 0; j < n; ++j) {
        for (int k = column_start[j]; k < column_start[j + 1]; ++k) {
            ++start_[static_cast<std::size_t>(rows[k]) + 1];
            if (rows[k] != j) ++start_[static_cast<std::size_t>(j) + 1];
        }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) start_[i + 1] += start_[i];
    std::vector<int> next(start_.begin(), start_.end() - 1);
    column_.resize(static_cast<std::size_t>(start_.back()));
    source_.resize(column_.size());
    own_.resize(static_cast<std::size_t>(n));
    const auto put = [&](int row, int column, int source) {
        const int place = next[static_cast<std::size_t>(row)]++;
        column_[static_cast<std::size_t>(place)] = column;
        source_[static_cast<std::size_t>(place)] = source;
        if (row == column) own_[static_cast<std::size_t>(row)] = place;
    };
    for (int j = 0; j < n; ++j) {
        for (int k = column_start[j]; k < column_start[j + 1]; ++k) put(rows[k], j, k);
        // Blocks to the right of the diagonal come from the column below it.
        for (int k = column_start[j] + 1; k < column_start[j + 1]; ++k) put(j, rows[k], ~k);
    }
    value_.assign(9 * column_.size() + 1, 0);
}

void BlockRows::load(const BlockMatrix& matrix, std::span<const RankOneRow> rows) {
    const auto blocks = matrix.blocks();
    parallel_for(column_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            Eigen::Map<Mat3> block(&value_[9 * k]);
            if (source_[k] < 0) {
                const int mirrored = ~source_[k];
                block = blocks[static_cast<std::size_t>(mirrored)].transpose();
            } else {
                block = blocks[static_cast<std::size_t>(source_[k])];
            }
        }
    });
    set_rows(rows);
}

void BlockRows::set_rows(std::span<const RankOneRow> rows) {
    rows_.assign(rows.begin(), rows.end());
    places_ = {};
    if (rows_.empty()) return;
    std::vector<int> members;
    for (const RankOneRow& row : rows_) {
        // Places without a vertex are sent behind the last one.
        for (const int v : row.vertex) members.push_back(v >= 0 ? v : size());
    }
    places_ = places_of_vertices(size() + 1, members);
}

void BlockRows::multiply(ConstPoints x, PointsView y) const {
    std::vector<double> pull(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) pull[r] = rows_[r].factor * rows_[r].dot(x);
    parallel_for(
        x.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                Lanes<double> lanes = {};
                const double* value = value_.data() + 9 * static_cast<std::size_t>(start_[i]);
                for (int k = start_[i]; k < start_[i + 1]; ++k, value += 9) {
                    const Vec3& from = x[static_cast<std::size_t>(column_[static_cast<std::size_t>(k)])];
                    lanes += lanes_at(value) * from[0];
                    lanes += lanes_at(value + 3) * from[1];
                    lanes += lanes_at(value + 6) * from[2];
                }
                Vec3 sum(lanes[0], lanes[1], lanes[2]);
                if (!rows_.empty()) {
                    for (const int place : places_.of(i)) {
                        const RankOneRow& row = rows_[static_cast<std::size_t>(place) / 4];
                        sum += (row.weight[static_cast<std::size_t>(place) % 4] *
                                pull[static_cast<std::size_t>(place) / 4]) *
                               row.direction;
                    }
                }
                y[i] = sum;
            }
        },
        row_block);
}

Mat3 BlockRows::diagonal(std::size_t i) const {
    Mat3 block = this->block(static_cast<std::size_t>(own_[i]));
    if (rows_.empty()) return block;
    for (const int place : places_.of(i)) {
        const RankOneRow& row = rows_[static_cast<std::size_t>(place) / 4];
        // A vertex may have several places in a row.
        double all = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            if (row.vertex[k] == static_cast<int>(i)) all += row.weight[k];
        }
        const double own = row.weight[static_cast<std::size_t>(place) % 4];
        block += row.factor * own * all * row.direction * row.direction.transpose();
    }
    return block;
}

}  // namespace taut::linalg

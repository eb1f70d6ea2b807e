// A symmetric matrix of 3 x 3 blocks over the vertices with a fixed pattern, lower triangle in
// compressed block columns: Hessians of forces and constraints, which unlike the scalar matrices of the
// house differ in x, y and z.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::linalg {

class SymmetricCsr;

class BlockMatrix {
public:
    // n diagonal blocks and one block for every pair, given in any order, repeated or not.
    void set_pattern(int n, std::span<const std::array<int, 2>> pairs);

    void clear();                                               // all values to zero
    void scale(double factor);                                  // all values by a factor
    void add(int i, int j, const Mat3& block);                  // to block (i, j), and by symmetry to (j, i)
    void add_pair(int a, int b, const Mat3& block);             // [[B, -B], [-B, B]], B symmetric
    void add_scalar(const SymmetricCsr& matrix, double scale);  // scale * matrix (x) I3; pattern included

    int size() const { return static_cast<int>(start_.size()) - 1; }
    std::span<const int> column_start() const { return start_; }
    std::span<const int> rows() const { return row_; }  // ascending in a column, the diagonal first
    std::span<const Mat3> blocks() const { return block_; }
    std::span<Mat3> blocks() { return block_; }
    int place(int row, int column) const;  // of block (row, column), row >= column, among the blocks

private:
    Mat3& at(int row, int column);

    std::vector<int> start_{0};
    std::vector<int> row_;
    std::vector<Mat3> block_;
};

// Pairs (i, j) of the entries of a scalar matrix, for set_pattern.
void append_pairs(const SymmetricCsr& matrix, std::vector<std::array<int, 2>>& pairs);

}  // namespace taut::linalg

// Sparse matrices of the house: SymmetricCsr, a scalar n x n matrix that acts alike on x, y
// and z, and RowBlocks, constraint Jacobians whose entries are gradients in 3-space.
#pragma once

#include <span>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::linalg {

struct Triplet {
    int row, col;
    double value;
};

// Full (both triangles) symmetric matrix in compressed rows, columns ascending, duplicates summed.
class SymmetricCsr {
public:
    SymmetricCsr() = default;
    SymmetricCsr(int n, std::span<const Triplet> triplets);  // triplets hold both triangles

    int size() const { return static_cast<int>(start_.size()) - 1; }
    bool empty() const { return start_.size() <= 1 || col_.empty(); }
    std::span<const int> row_start() const { return start_; }
    std::span<const int> columns() const { return col_; }
    std::span<const double> values() const { return value_; }
    std::span<double> values() { return value_; }

    // y += scale * A x, for n x 3 arrays.
    void add_product(double scale, ConstPoints x, PointsView y) const;
    std::vector<double> diagonal() const;
    double coupling(int i, int j) const;  // entry (i, j), 0 where none is stored

private:
    std::vector<int> start_{0};
    std::vector<int> col_;
    std::vector<double> value_;
};

// m rows, each a few vertices with a gradient: C_i depends on vertex[start[i]..start[i+1]).
struct RowBlocks {
    std::vector<int> start{0};
    std::vector<int> vertex;
    std::vector<Vec3> gradient;

    int rows() const { return static_cast<int>(start.size()) - 1; }
    void multiply(ConstPoints x, std::span<double> y) const;             // y = J x
    void add_transposed(std::span<const double> y, PointsView x) const;  // x += J^T y, serial order
};

}  // namespace taut::linalg

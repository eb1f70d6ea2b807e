// Sparse Cholesky factorisation of a BlockMatrix in 3n unknowns, pinned vertices left out: for the
// positive definite systems of a minimisation, where the matrix is not the same for x, y and z.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "taut/linalg/block_matrix.hpp"

namespace taut::linalg {

class BlockCholesky {
public:
    BlockCholesky();
    ~BlockCholesky();
    BlockCholesky(const BlockCholesky&) = delete;
    BlockCholesky& operator=(const BlockCholesky&) = delete;

    // Orders the unknowns for the pattern of the matrix and these pins (n flags).
    void analyse(const BlockMatrix& matrix, std::span<const std::uint8_t> pinned);
    bool factor(const BlockMatrix& matrix);           // false: not positive definite
    void solve(ConstPoints rhs, PointsView x) const;  // x = A^-1 rhs, zero where pinned

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace taut::linalg

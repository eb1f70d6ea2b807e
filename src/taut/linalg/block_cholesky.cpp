#include "taut/linalg/block_cholesky.hpp"

#include <Eigen/SparseCholesky>

namespace taut::linalg {

struct BlockCholesky::Data {
    std::vector<int> unknown;  // number of each free vertex, -1 where pinned
    int count = 0;
    Eigen::SparseMatrix<double> matrix;  // lower triangle
    Eigen::VectorXd right, solution;
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>> factor;

    // Writes the scalar lower triangle, column by column; the pattern is the same every time.
    void fill(const BlockMatrix& blocks);
};

BlockCholesky::BlockCholesky() : data_(std::make_unique<Data>()) {}
BlockCholesky::~BlockCholesky() = default;

void BlockCholesky::Data::fill(const BlockMatrix& blocks) {
    matrix.resize(3 * count, 3 * count);
    matrix.reserve(Eigen::Index(9 * blocks.rows().size()));
    for (int j = 0; j < blocks.size(); ++j) {
        if (unknown[j] < 0) continue;
        for (int c = 0; c < 3; ++c) {
            matrix.startVec(3 * unknown[j] + c);
            for (int k = blocks.column_start()[j]; k < blocks.column_start()[j + 1]; ++k) {
                const int i = blocks.rows()[k];
                if (unknown[i] < 0) continue;
                for (int r = i == j ? c : 0; r < 3; ++r) {
                    matrix.insertBack(3 * unknown[i] + r, 3 * unknown[j] + c) = blocks.blocks()[k](r, c);
                }
            }
        }
    }
    matrix.finalize();
}

void BlockCholesky::analyse(const BlockMatrix& matrix, std::span<const std::uint8_t> pinned) {
    data_->unknown.assign(pinned.size(), -1);
    data_->count = 0;
    for (std::size_t i = 0; i < pinned.size(); ++i) {
        if (!pinned[i]) data_->unknown[i] = data_->count++;
    }
    data_->fill(matrix);
    data_->factor.analyzePattern(data_->matrix);
}

bool BlockCholesky::factor(const BlockMatrix& matrix) {
    data_->fill(matrix);
    data_->factor.factorize(data_->matrix);
    return data_->factor.info() == Eigen::Success;
}

void BlockCholesky::solve(ConstPoints rhs, PointsView x) const {
    Eigen::VectorXd& b = data_->right;
    b.resize(3 * data_->count);
    for (std::size_t i = 0; i < rhs.size(); ++i) {
        if (data_->unknown[i] >= 0) b.segment<3>(3 * data_->unknown[i]) = rhs[i];
    }
    data_->solution = data_->factor.solve(b);
    for (std::size_t i = 0; i < rhs.size(); ++i) {
        x[i] = data_->unknown[i] >= 0 ? Vec3(data_->solution.segment<3>(3 * data_->unknown[i]))
                                      : Vec3(Vec3::Zero());
    }
}

}  // namespace taut::linalg

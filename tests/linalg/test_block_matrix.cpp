// Block matrices and their Cholesky factor against dense ones.
#include "taut/linalg/block_matrix.hpp"

#include <gtest/gtest.h>

#include "linalg/saddle_problems.hpp"
#include "taut/linalg/block_cholesky.hpp"

namespace taut::linalg {
namespace {

Mat3 some_block(int k) {
    Mat3 b;
    for (int i = 0; i < 9; ++i) b(i / 3, i % 3) = std::sin(1.7 * k + i);
    return b;
}

// A small matrix and the same one dense; diagonally dominant unless `shift` takes that away.
Eigen::MatrixXd fill(BlockMatrix& m, double shift) {
    const std::vector<std::array<int, 2>> pairs{{0, 3}, {2, 1}, {3, 1}, {3, 0}};
    m.set_pattern(4, pairs);
    m.clear();
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(12, 12);
    for (int i = 0; i < 4; ++i) {
        const Mat3 b = some_block(i) + some_block(i).transpose() + shift * Mat3::Identity();
        m.add(i, i, b);
        dense.block<3, 3>(3 * i, 3 * i) += b;
    }
    for (const auto& [i, j] : {std::pair{0, 3}, {2, 1}, {1, 3}}) {
        m.add(i, j, some_block(10 * i + j));
        dense.block<3, 3>(3 * i, 3 * j) += some_block(10 * i + j);
        dense.block<3, 3>(3 * j, 3 * i) += some_block(10 * i + j).transpose();
    }
    const Mat3 b = some_block(5) + some_block(5).transpose();
    m.add_pair(1, 2, b);
    dense.block<3, 3>(3, 3) += b;
    dense.block<3, 3>(6, 6) += b;
    dense.block<3, 3>(3, 6) -= b;
    dense.block<3, 3>(6, 3) -= b;
    const std::vector<Triplet> triplets{{0, 0, 2}, {1, 2, 0.5}, {2, 1, 0.5}, {3, 3, 1}};
    const SymmetricCsr scalar(4, triplets);
    m.add_scalar(scalar, 3);
    for (int c = 0; c < 3; ++c) {
        dense(c, c) += 6;
        dense(9 + c, 9 + c) += 3;
        dense(3 + c, 6 + c) += 1.5;
        dense(6 + c, 3 + c) += 1.5;
    }
    return dense;
}

TEST(BlockCholesky, SolvesAsDenseDoes) {
    BlockMatrix m;
    const Eigen::MatrixXd dense = fill(m, 20);
    BlockCholesky cholesky;
    const std::vector<std::uint8_t> none(4, 0);
    cholesky.analyse(m, none);
    ASSERT_TRUE(cholesky.factor(m));
    const Points rhs = testing::random_points(4, 1, 3);
    Points x(4);
    cholesky.solve(rhs, x);
    Eigen::MatrixXd b(12, 1);
    for (int i = 0; i < 4; ++i) b.block<3, 1>(3 * i, 0) = rhs[std::size_t(i)];
    const Eigen::MatrixXd expected = testing::dense_solve(dense, b);
    for (int i = 0; i < 4; ++i) {
        EXPECT_LT((x[std::size_t(i)] - expected.block<3, 1>(3 * i, 0)).norm(), 1e-13);
    }
}

TEST(BlockCholesky, PinnedVerticesStayOut) {
    BlockMatrix m;
    const Eigen::MatrixXd dense = fill(m, 20);
    BlockCholesky cholesky;
    const std::vector<std::uint8_t> pinned{0, 1, 0, 1};
    cholesky.analyse(m, pinned);
    ASSERT_TRUE(cholesky.factor(m));
    const Points rhs = testing::random_points(4, 1, 3);
    Points x(4, Vec3(7, 7, 7));
    cholesky.solve(rhs, x);
    EXPECT_EQ(x[1], Vec3(0, 0, 0));
    EXPECT_EQ(x[3], Vec3(0, 0, 0));
    const Mat3 first = dense.block<3, 3>(0, 0), third = dense.block<3, 3>(6, 6);
    EXPECT_LT((first * x[0] - rhs[0]).norm(), 1e-13);
    EXPECT_LT((third * x[2] - rhs[2]).norm(), 1e-13);
}

TEST(BlockCholesky, SaysWhatIsNotPositiveDefinite) {
    BlockMatrix m;
    fill(m, -20);
    BlockCholesky cholesky;
    cholesky.analyse(m, std::vector<std::uint8_t>(4, 0));
    EXPECT_FALSE(cholesky.factor(m));
    fill(m, 20);
    EXPECT_TRUE(cholesky.factor(m));
}

}  // namespace
}  // namespace taut::linalg

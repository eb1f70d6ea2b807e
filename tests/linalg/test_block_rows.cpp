// Matrices in whole rows, with rank-one rows besides, and sums over elements: against dense ones.
#include "taut/linalg/block_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <random>

#include "base/random_points.hpp"
#include "taut/base/parallel.hpp"
#include "taut/linalg/element_blocks.hpp"

namespace taut::linalg::block_rows_tests {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using taut::testing::random_points;

Mat3 block(const std::function<double()>& number) {
    Mat3 b;
    for (int k = 0; k < 9; ++k) b(k / 3, k % 3) = number();
    return b;
}

struct Problem {
    BlockMatrix matrix;
    MatrixXd dense;  // without rows
    std::vector<RankOneRow> rows;

    MatrixXd with_rows() const {
        MatrixXd sum = dense;
        for (const RankOneRow& row : rows) {
            VectorXd g = VectorXd::Zero(dense.rows());
            for (std::size_t k = 0; k < 4; ++k) {
                if (row.vertex[k] >= 0) g.segment<3>(3 * row.vertex[k]) += row.weight[k] * row.direction;
            }
            sum += row.factor * g * g.transpose();
        }
        return sum;
    }
};

// Blocks at random places, and rows of one to four vertices.
Problem random_problem(int n, int pairs, int rows, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> vertex(0, n - 1);
    std::uniform_real_distribution<double> value(-1, 1);
    const auto number = [&] { return value(random); };
    Problem p;
    std::vector<std::array<int, 2>> pattern;
    for (int k = 0; k < pairs; ++k) pattern.push_back({vertex(random), vertex(random)});
    p.matrix.set_pattern(n, pattern);
    p.matrix.clear();
    p.dense = MatrixXd::Zero(3 * n, 3 * n);
    for (const auto& [i, j] : pattern) {
        Mat3 b = block(number);
        if (i == j) b = Mat3(b + b.transpose());
        p.matrix.add(i, j, b);
        p.dense.block<3, 3>(3 * i, 3 * j) += b;
        if (i != j) p.dense.block<3, 3>(3 * j, 3 * i) += b.transpose();
    }
    for (int r = 0; r < rows; ++r) {
        RankOneRow row;
        row.direction = Vec3(number(), number(), number());
        row.factor = number();
        int last = -1;
        for (std::size_t k = 0; k < 1 + std::size_t(r) % 4; ++k) {
            row.vertex[k] = last = (last + 1 + r) % n;
            row.weight[k] = number();
        }
        p.rows.push_back(row);
    }
    return p;
}

VectorXd vector_of(const Points& x) {
    VectorXd q(3 * x.size());
    for (std::size_t i = 0; i < x.size(); ++i) q.segment<3>(3 * Eigen::Index(i)) = x[i];
    return q;
}

void expect_same(const BlockRows& rows, const MatrixXd& dense, unsigned seed) {
    const auto n = std::size_t(rows.size());
    const Points x = random_points(n, 1, seed);
    Points y(n);
    rows.multiply(x, y);
    EXPECT_LT((vector_of(y) - dense * vector_of(x)).cwiseAbs().maxCoeff(), 1e-13);
    for (std::size_t i = 0; i < n; ++i) {
        const auto k = 3 * Eigen::Index(i);
        EXPECT_LT((rows.diagonal(i) - dense.block<3, 3>(k, k)).cwiseAbs().maxCoeff(), 1e-14);
    }
}

TEST(BlockRows, MultiplyAsDenseDoesWithAndWithoutRows) {
    for (unsigned seed = 1; seed < 5; ++seed) {
        const Problem p = random_problem(11, 25, 9, seed);
        BlockRows rows;
        rows.set_pattern(p.matrix);
        rows.load(p.matrix);
        expect_same(rows, p.dense, seed);
        rows.load(p.matrix, p.rows);
        expect_same(rows, p.with_rows(), seed);
        // Rows go again; the values stay.
        rows.set_rows({});
        expect_same(rows, p.dense, seed);
        rows.set_rows(p.rows);
        expect_same(rows, p.with_rows(), seed);
    }
}

TEST(BlockRows, NewValuesNeedNoNewPattern) {
    Problem p = random_problem(6, 10, 0, 3);
    BlockRows rows;
    rows.set_pattern(p.matrix);
    rows.load(p.matrix);
    p.matrix.scale(-2);
    rows.load(p.matrix);
    expect_same(rows, -2 * p.dense, 1);
}

TEST(BlockRows, NoVertexAndOneVertex) {
    BlockMatrix matrix;
    matrix.set_pattern(0, {});
    BlockRows rows;
    rows.set_pattern(matrix);
    rows.load(matrix);
    EXPECT_EQ(rows.size(), 0);
    Points none;
    rows.multiply(none, none);
    const Problem p = random_problem(1, 2, 3, 8);
    rows.set_pattern(p.matrix);
    rows.load(p.matrix, p.rows);
    expect_same(rows, p.with_rows(), 2);
}

TEST(BlockRows, SameBitsForAnyThreadCount) {
    const Problem p = random_problem(1500, 5000, 700, 4);
    const Points x = random_points(1500, 1, 5);
    Points expected;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        BlockRows rows;
        rows.set_pattern(p.matrix);
        rows.load(p.matrix, p.rows);
        Points y(x.size());
        rows.multiply(x, y);
        if (threads == 1) expected = y;
        EXPECT_EQ(y, expected) << threads;
    }
}

// A symmetric matrix of an element: the same for element and corners in any order of sums.
Mat3 element_block(std::size_t e, int row, int column) {
    Mat3 b;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double p = 3 * row + i, q = 3 * column + j;
            b(i, j) = std::sin(double(e) + p * q + 0.3 * (p + q));
        }
    }
    return b;
}

// Elements that meet, one of which has a vertex at two corners: two triangles glued back to back.
TEST(ElementBlocks, SumAsDenseDoes) {
    ElementBlocks<4> elements;
    elements.prepare(8, {{0, 1, 2, 3}, {3, 2, 6, 1}, {7, 0, 3, 4}, {5, 4, 1, 1}});
    EXPECT_EQ(elements.size(), 4u);
    ASSERT_EQ(elements.places(3).size(), 3u);
    EXPECT_EQ(elements.places(3)[1], 4);
    std::vector<std::array<int, 2>> pairs;
    elements.add_pattern(pairs);
    BlockMatrix matrix;
    matrix.set_pattern(8, pairs);
    matrix.clear();
    elements.add([](std::size_t e) { return double(e); },
                 [](std::size_t e, double made, int row, int column) {
                     EXPECT_EQ(made, double(e));
                     return element_block(e, row, column);
                 },
                 matrix);
    MatrixXd dense = MatrixXd::Zero(24, 24);
    for (std::size_t e = 0; e < 4; ++e) {
        for (int a = 0; a < 4; ++a) {
            for (int b = 0; b < 4; ++b)
                dense.block<3, 3>(3 * elements.vertices(e)[a], 3 * elements.vertices(e)[b]) +=
                    element_block(e, a, b);
        }
    }
    BlockRows rows;
    rows.set_pattern(matrix);
    rows.load(matrix);
    expect_same(rows, dense, 6);
}

}  // namespace
}  // namespace taut::linalg::block_rows_tests

// Edge lengths as a constraint: residual and Jacobian against differences in all three forms,
// geometric stiffness against the exact Hessian, the chains, and the strain they promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "dense_spectrum.hpp"
#include "derivative_check.hpp"
#include "sim/cloths.hpp"
#include "taut/constraints/edge_length.hpp"

namespace taut::constraints {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Points points_of(const VectorXd& q) {
    Points x(std::size_t(q.size()) / 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = q.segment<3>(Index(3 * i));
    return x;
}

VectorXd vector_of(const Points& x) {
    VectorXd q(Index(3 * x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) q.segment<3>(Index(3 * i)) = x[i];
    return q;
}

MatrixXd dense_of(const linalg::RowBlocks& rows, std::size_t n) {
    MatrixXd j = MatrixXd::Zero(rows.rows(), Index(3 * n));
    for (int r = 0; r < rows.rows(); ++r) {
        for (int k = rows.start[std::size_t(r)]; k < rows.start[std::size_t(r) + 1]; ++k) {
            const Vec3& g = rows.gradient[std::size_t(k)];
            for (int c = 0; c < 3; ++c) j(r, 3 * rows.vertex[std::size_t(k)] + c) += g[c];
        }
    }
    return j;
}

class EdgeLengthForm : public ::testing::TestWithParam<const char*> {
protected:
    EdgeLengthForm() : constraint({GetParam()}), model(testing::sheet(4, 3)) { constraint.prepare(model); }
    VectorXd residual(const VectorXd& q) const {
        VectorXd c(constraint.rows());
        constraint.residual(points_of(q), {c.data(), std::size_t(c.size())});
        return c;
    }
    EdgeLength constraint;
    Model model;
};

TEST_P(EdgeLengthForm, JacobianMatchesDifferences) {
    linalg::RowBlocks rows;
    for (unsigned seed : {1u, 2u}) {
        const Points x = testing::shaken(model.rest, 0.1, seed);
        constraint.jacobian(x, rows);
        const auto f = [&](const VectorXd& q) { return residual(q); };
        const auto e = testing::jacobian_error(f, vector_of(x), dense_of(rows, x.size()), 1e-4);
        EXPECT_TRUE(testing::agrees(e, 1e-8)) << e.error << " " << e.estimate;
    }
}

TEST_P(EdgeLengthForm, VanishesAtRestAndGrowsWithStretch) {
    EXPECT_LT(testing::largest(residual(vector_of(model.rest))), 1e-15);
    EXPECT_LT(constraint.violation(model.rest), 1e-15);
    Points x = model.rest;
    for (Vec3& p : x) p *= 1.01;
    const VectorXd c = residual(vector_of(x));
    for (Index r = 0; r < c.size(); ++r) EXPECT_GT(c[r], 0);
    EXPECT_NEAR(constraint.violation(x), 0.01, 1e-13);
}

// w [[1,-1],[-1,1]] bounds lambda times the Hessian of each row from above, for either sign of lambda.
TEST_P(EdgeLengthForm, GeometricStiffnessBoundsTheHessian) {
    const Points x = testing::shaken(model.rest, 0.1, 5);
    const std::size_t m = std::size_t(constraint.rows());
    const std::vector<double> lambda = testing::random_numbers(m, -2, 2, 6);
    std::vector<double> w(m);
    constraint.geometric_stiffness(x, lambda, w);
    MatrixXd hessian = MatrixXd::Zero(Index(3 * x.size()), Index(3 * x.size())), bound = hessian;
    linalg::RowBlocks rows;
    const double step = 1e-6;
    for (Index k = 0; k < hessian.cols(); ++k) {
        VectorXd plus = vector_of(x), minus = plus;
        plus[k] += step;
        minus[k] -= step;
        constraint.jacobian(points_of(plus), rows);
        MatrixXd difference = dense_of(rows, x.size());
        constraint.jacobian(points_of(minus), rows);
        difference -= dense_of(rows, x.size());
        for (std::size_t r = 0; r < m; ++r) {
            for (Index i = 0; i < hessian.rows(); ++i) {
                hessian(i, k) += lambda[r] * difference(Index(r), i) / (2 * step);
            }
        }
    }
    for (std::size_t r = 0; r < m; ++r) {
        const auto [a, b] = constraint.ends(int(r));
        for (int c = 0; c < 3; ++c) {
            bound(3 * a + c, 3 * a + c) += w[r];
            bound(3 * b + c, 3 * b + c) += w[r];
            bound(3 * a + c, 3 * b + c) -= w[r];
            bound(3 * b + c, 3 * a + c) -= w[r];
        }
    }
    const MatrixXd gap = bound - 0.5 * (hessian + hessian.transpose());
    EXPECT_GE(testing::symmetric_eigenvalues(gap).front(), -1e-6 * testing::largest(bound));
    if (std::string(GetParam()) != "relative") {
        EXPECT_LT(testing::largest(gap), 1e-6 * testing::largest(bound));
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, EdgeLengthForm, ::testing::Values("goldenthal", "squared", "relative"),
                         [](const auto& form) { return std::string(form.param); });

// A sheet whose first and last columns are sewn together, 0.4 s into closing.
class SeamForm : public EdgeLengthForm {
protected:
    SeamForm() {
        seam = {"back", {{0, 3}, {4, 7}, {8, 11}}, {1, 1.1, 1.2}, 0.3, 0, 1};
        model.seams.push_back(seam);
        constraint.prepare(model);
        constraint.advance(0.4);
    }
    Seam seam;
};

TEST_P(SeamForm, RowsComeBehindTheEdges) {
    EXPECT_EQ(constraint.edge_rows(), model.edge_count());
    EXPECT_EQ(constraint.rows(), model.edge_count() + 3);
    for (int k = 0; k < 3; ++k) {
        const int row = constraint.edge_rows() + k;
        EXPECT_EQ(constraint.ends(row), seam.pairs[std::size_t(k)]);
        EXPECT_EQ(constraint.rest_length(row), seam.distance(std::size_t(k), 0.4));
        EXPECT_EQ(constraint.seam_of(row), "back");
    }
}

TEST_P(SeamForm, JacobianMatchesDifferences) {
    linalg::RowBlocks rows;
    const Points x = testing::shaken(model.rest, 0.1, 3);
    constraint.jacobian(x, rows);
    const auto f = [&](const VectorXd& q) { return residual(q); };
    const auto e = testing::jacobian_error(f, vector_of(x), dense_of(rows, x.size()), 1e-4);
    EXPECT_TRUE(testing::agrees(e, 1e-8)) << e.error << " " << e.estimate;
}

TEST_P(SeamForm, RateMatchesDifferencesInTime) {
    const Points x = testing::shaken(model.rest, 0.1, 4);
    const auto f = [&](const VectorXd& time) {
        constraint.advance(time[0]);
        return residual(vector_of(x));
    };
    std::vector<double> rate(std::size_t(constraint.rows()), 0.0);
    constraint.add_rate(x, rate);
    MatrixXd derivative(constraint.rows(), 1);
    for (Index r = 0; r < derivative.rows(); ++r) derivative(r, 0) = rate[std::size_t(r)];
    const auto e = testing::jacobian_error(f, VectorXd::Constant(1, 0.4), derivative, 1e-4);
    EXPECT_TRUE(testing::agrees(e, 1e-7)) << e.error << " " << e.estimate;
}

TEST_P(SeamForm, SquaredGradientIsThatAtTheRightLength) {
    linalg::RowBlocks rows;
    Points x = model.rest;
    const int row = constraint.edge_rows();
    x[3] = x[0] + constraint.rest_length(row) * Vec3(0.6, 0, 0.8);
    constraint.jacobian(x, rows);
    EXPECT_NEAR(constraint.squared_gradient(row) / rows.gradient[std::size_t(2 * row)].squaredNorm(), 1,
                1e-12);
}

TEST_P(SeamForm, ViolationIsRelativeToTheLengthAtThatTime) {
    Points x = model.rest;
    const double worst = std::abs(1 / seam.distance(2, 0.4) - 1);
    EXPECT_NEAR(constraint.violation(x), std::max(worst, std::abs(1 / seam.distance(0, 0.4) - 1)), 1e-12);
    EXPECT_GE(constraint.worst_row(x), constraint.edge_rows());
    constraint.advance(0);
    EXPECT_NEAR(constraint.violation(x), 1 - 1 / 1.2, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Forms, SeamForm, ::testing::Values("goldenthal", "squared", "relative"),
                         [](const auto& form) { return std::string(form.param); });

TEST(EdgeLength, ChainsCoverEveryRowOnceAndAreConnected) {
    Model sewn = testing::sheet(6, 5);
    sewn.seams.push_back({"back", {{0, 5}, {6, 11}}, {1, 1}, 0.1, 0, 1});
    for (const Model& model : {testing::sheet(6, 5), testing::sleeve(7, 4), testing::chain(9), sewn}) {
        EdgeLength constraint;
        constraint.prepare(model);
        std::vector<int> visits(std::size_t(constraint.rows()), 0);
        std::set<std::pair<int, int>> inner;
        for (const linalg::RowChain& chain : constraint.chains()) {
            const std::size_t rows = chain.row.size();
            ASSERT_EQ(chain.vertex.size(), chain.closed ? rows : rows + 1);
            for (std::size_t k = 0; k < rows; ++k) {
                ++visits[std::size_t(chain.row[k])];
                const int from = chain.vertex[k], to = chain.vertex[(k + 1) % chain.vertex.size()];
                const auto [a, b] = constraint.ends(chain.row[k]);
                EXPECT_TRUE((a == from && b == to) || (a == to && b == from));
            }
            // Chains of one family share no inner vertex.
            const std::size_t trim = chain.closed ? 0 : 1;
            for (std::size_t k = trim; k + trim < chain.vertex.size(); ++k) {
                EXPECT_TRUE(inner.insert({chain.family, chain.vertex[k]}).second);
            }
        }
        for (int v : visits) EXPECT_EQ(v, 1);
    }
}

TEST(EdgeLength, EdgesOfNoDirectionAreFree) {
    Model model = testing::sheet(3, 3);
    model.edges[0].direction = mesh::Direction::none;
    model.yarns.clear();
    EdgeLength constraint;
    constraint.prepare(model);
    EXPECT_EQ(constraint.rows(), model.edge_count() - 1);
    for (int r = 0; r < constraint.rows(); ++r) {
        EXPECT_NE(constraint.ends(r), (std::array<int, 2>{model.edges[0].a, model.edges[0].b}));
    }
}

// Locking: in a shape without symmetry every kept length takes a degree of freedom, so that what is left is
// what counting says: 3 n less 2 N (N - 1) edges of quads, or 3 N^2 - 4 N + 1 of triangles.
TEST(EdgeLength, CountsOfDegreesOfFreedomAreExact) {
    const int side = 6, n = side * side;
    mesh::MadeMesh triangles = mesh::make_grid(side, side, 1, 1);
    mesh::split_quads(triangles);
    const auto free = [&](const Model& model) {
        EdgeLength constraint({"goldenthal", "all"});
        constraint.prepare(model);
        linalg::RowBlocks rows;
        constraint.jacobian(testing::shaken(model.rest, 0.05, 3), rows);
        const MatrixXd j = dense_of(rows, std::size_t(n));
        const std::vector<double> values = testing::symmetric_eigenvalues(j.lazyProduct(j.transpose()));
        const auto rank =
            std::count_if(values.begin(), values.end(), [](double value) { return value > 1e-9; });
        return 3 * n - int(rank);
    };
    EXPECT_EQ(free(testing::sheet(side, side)), 3 * n - 2 * side * (side - 1));
    EXPECT_EQ(free(testing::model_of(triangles)), 3 * n - (3 * side * side - 4 * side + 1));
}

TEST(EdgeLength, ViolationIsTheLargestStrainAndNamesItsEdge) {
    const Model model = testing::chain(5);
    EdgeLength constraint;
    constraint.prepare(model);
    Points x = model.rest;
    x[4].x() += 0.05;   // stretches the last link of 0.25 m by 20 %
    x[0].x() += 0.025;  // compresses the first by 10 %
    EXPECT_NEAR(constraint.violation(x), 0.2, 1e-12);
    EXPECT_EQ(constraint.ends(constraint.worst_row(x)), (std::array<int, 2>{3, 4}));
    x[2].y() = std::nan("");
    EXPECT_TRUE(std::isnan(constraint.violation(x)));
}

TEST(EdgeLength, EmptyModelHasNoRows) {
    EdgeLength constraint;
    constraint.prepare(Model{});
    EXPECT_EQ(constraint.rows(), 0);
    EXPECT_EQ(constraint.violation({}), 0);
    EXPECT_TRUE(constraint.chains().empty());
}

}  // namespace
}  // namespace taut::constraints

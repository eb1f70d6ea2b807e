// Groups of vertices as a second level: who is grouped with whom, and its correction against dense algebra.
#include "taut/linalg/coarse_space.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "linalg/constrained_problems.hpp"
#include "taut/base/parallel.hpp"

namespace taut::linalg::coarse_space_tests {
namespace {

using namespace taut::testing;

// Contacts: between vertices far from each other, within one group, of one vertex alone.
std::vector<RankOneRow> contacts(int n) {
    const auto last = n - 1;
    return {{{0, 1, last, last - 1}, {0.5, 0.5, -0.25, -0.75}, Vec3(1, 2, 2) / 3, 40},
            {{0, 1, 2, -1}, {1, -0.5, -0.5, 0}, Vec3::UnitZ(), 25},
            {{last, -1, -1, -1}, {1, 0, 0, 0}, Vec3(2, -1, 2) / 3, 10},
            {{n / 2, -1, 3, -1}, {1, 0, -1, 0}, Vec3::UnitY(), 60}};
}

MatrixXd dense_rows(int n, std::span<const RankOneRow> rows) {
    MatrixXd sum = MatrixXd::Zero(3 * n, 3 * n);
    for (const RankOneRow& row : rows) {
        VectorXd g = VectorXd::Zero(3 * n);
        for (std::size_t k = 0; k < 4; ++k) {
            if (row.vertex[k] >= 0) g.segment<3>(3 * row.vertex[k]) += row.weight[k] * row.direction;
        }
        sum += row.factor * g * g.transpose();
    }
    return sum;
}

// Motions of groups as columns, filtered by the freedom of each vertex.
MatrixXd motions(const CoarseSpace& coarse, const std::vector<Mat3>& freedom) {
    MatrixXd p = MatrixXd::Zero(3 * Eigen::Index(freedom.size()), 3 * Eigen::Index(coarse.group_count()));
    for (std::size_t i = 0; i < freedom.size(); ++i)
        p.block<3, 3>(3 * Eigen::Index(i), 3 * coarse.groups()[i]) = freedom[i];
    return p;
}

Points filtered(Points r, const std::vector<Mat3>& freedom) {
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = freedom[i] * r[i];
    return r;
}

Points correction(CoarseSpace& coarse, const ConstrainedProblem& p, const Points& r) {
    EXPECT_TRUE(coarse.factor(p.rows, p.freedom));
    Points s(r.size(), Vec3::Zero());
    coarse.add_correction(r, p.freedom, s);
    return s;
}

TEST(CoarseSpace, GroupsAreNeighboursAndTakeEveryVertex) {
    const ConstrainedProblem p(30, 20, 1);
    CoarseSpace coarse;
    EXPECT_TRUE(coarse.empty());
    coarse.analyse(p.rows);
    ASSERT_EQ(coarse.groups().size(), 600u);
    std::map<int, std::set<int>> members;
    for (int i = 0; i < 600; ++i) members[coarse.groups()[std::size_t(i)]].insert(i);
    EXPECT_EQ(members.size(), coarse.group_count());
    EXPECT_EQ(members.begin()->first, 0);
    EXPECT_EQ(members.rbegin()->first, int(coarse.group_count()) - 1);
    // Seven vertices see each other in a sheet of right triangles.
    EXPECT_LT(coarse.group_count(), 600u / 5);
    EXPECT_GT(coarse.group_count(), 600u / 14);
    for (const auto& [group, own] : members) {
        for (const int i : own) {
            for (const int j : own) {
                EXPECT_LE(std::abs(i % 30 - j % 30), 4) << group;
                EXPECT_LE(std::abs(i / 30 - j / 30), 4) << group;
            }
        }
    }
}

TEST(CoarseSpace, LoneVerticesAreGroupsOfTheirOwn) {
    BlockMatrix matrix;
    const std::vector<std::array<int, 2>> pairs{{1, 2}};
    matrix.set_pattern(4, pairs);
    BlockRows rows;
    rows.set_pattern(matrix);
    CoarseSpace coarse;
    coarse.analyse(rows);
    EXPECT_EQ(std::vector<int>(coarse.groups().begin(), coarse.groups().end()), (std::vector{0, 1, 1, 2}));
}

TEST(CoarseSpace, CorrectsAsDenseAlgebraDoes) {
    for (const int kind : {0, 1}) {
        for (const bool touching : {false, true}) {
            ConstrainedProblem p(12, 9, 3, kind);
            MatrixXd a = p.dense();
            if (touching) {
                p.rows.set_rows(contacts(108));
                a += dense_rows(108, contacts(108));
            }
            CoarseSpace coarse;
            coarse.analyse(p.rows);
            const Points r = filtered(random_points(108, 1, 7), p.freedom);
            const VectorXd s = flat(correction(coarse, p, r));
            const MatrixXd m = motions(coarse, p.freedom);
            const VectorXd expected =
                m * (m.transpose() * a * m).completeOrthogonalDecomposition().solve(m.transpose() * flat(r));
            // What is held weighs a millionth, so that the small matrix can be factored.
            EXPECT_LT((s - expected).norm(), (kind == 0 ? 1e-12 : 1e-5) * expected.norm()) << kind;
        }
    }
}

// The second level is exact for motions of groups: G A_c^-1 G^T A G = G.
TEST(CoarseSpace, SolvesWhatMovesInGroups) {
    const ConstrainedProblem p(12, 9, 5, 0);
    CoarseSpace coarse;
    coarse.analyse(p.rows);
    const Points way = random_points(coarse.group_count(), 1, 2);
    Points moved(108), r(108);
    for (std::size_t i = 0; i < 108; ++i) moved[i] = way[std::size_t(coarse.groups()[i])];
    p.rows.multiply(moved, r);
    const Points s = correction(coarse, p, r);
    EXPECT_LT((flat(s) - flat(moved)).norm(), 1e-11);
}

// What it returns is the product with what it adds, even where r has a little across what is free.
TEST(CoarseSpace, ReturnsTheProductWithWhatItAdds) {
    for (const double across : {0.0, 1e-12}) {
        const ConstrainedProblem p(12, 9, 3, 1);
        CoarseSpace coarse;
        coarse.analyse(p.rows);
        ASSERT_TRUE(coarse.factor(p.rows, p.freedom));
        const Points any = random_points(108, 1, 7);
        Points r = filtered(any, p.freedom), s(108, Vec3::Zero());
        for (std::size_t i = 0; i < r.size(); ++i)
            r[i] = 1e-12 * r[i] + across * (any[i] - p.freedom[i] * any[i]);
        const double product = coarse.add_correction(r, p.freedom, s);
        EXPECT_NEAR(product, flat(r).dot(flat(s)), 1e-12 * flat(r).norm() * flat(s).norm());
    }
}

// Whole groups that are held: on parallel planes at an angle, or fixed.
TEST(CoarseSpace, GroupsWithoutFreedomStay) {
    ConstrainedProblem p(10, 10, 2, 0);
    CoarseSpace coarse;
    coarse.analyse(p.rows);
    const Vec3 normal = Vec3(1, 2, -3).normalized();
    for (std::size_t i = 0; i < 100; ++i) {
        if (coarse.groups()[i] == 2) p.freedom[i] = fixed_vertex();
        if (coarse.groups()[i] == 3) p.freedom[i] = on_plane(normal);
    }
    const Points s = correction(coarse, p, filtered(random_points(100, 1, 4), p.freedom));
    for (std::size_t i = 0; i < 100; ++i) {
        EXPECT_TRUE(s[i].allFinite());
        EXPECT_LT(s[i].norm(), 10);
        if (coarse.groups()[i] == 2) {
            EXPECT_EQ(s[i], Vec3(0, 0, 0));
        }
        if (coarse.groups()[i] == 3) {
            EXPECT_LT(std::abs(s[i].dot(normal)), 1e-15);
        }
    }
}

// Contacts come and go: what is left behind by others changes no bit.
TEST(CoarseSpace, DependsOnThePresentMatrixAlone) {
    ConstrainedProblem p(12, 9, 6);
    const Points r = filtered(random_points(108, 1, 1), p.freedom);
    CoarseSpace used;
    used.analyse(p.rows);
    for (const int count : {0, 4, 1, 2, 0}) {
        auto rows = contacts(108);
        rows.resize(std::size_t(count));
        p.rows.set_rows(rows);
        CoarseSpace fresh;
        fresh.analyse(p.rows);
        EXPECT_EQ(correction(used, p, r), correction(fresh, p, r)) << count;
    }
}

TEST(CoarseSpace, SaysWhereItIsNotDefinite) {
    ConstrainedProblem p(6, 6, 1, 0);
    CoarseSpace coarse;
    coarse.analyse(p.rows);
    EXPECT_TRUE(coarse.factor(p.rows, p.freedom));
    p.matrix.scale(-1);
    p.rows.load(p.matrix);
    EXPECT_FALSE(coarse.factor(p.rows, p.freedom));
}

TEST(CoarseSpace, SameBitsForAnyThreadCount) {
    ConstrainedProblem p(90, 60, 8);
    p.rows.set_rows(contacts(5400));
    const Points r = filtered(random_points(5400, 1, 1), p.freedom);
    Points expected;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        CoarseSpace coarse;
        coarse.analyse(p.rows);
        const Points s = correction(coarse, p, r);
        if (threads == 1) expected = s;
        EXPECT_EQ(s, expected) << threads;
    }
}

}  // namespace
}  // namespace taut::linalg::coarse_space_tests

// The modified conjugate gradients: constraints at every iterate, the solution and the iterations of the
// reduced system, the multipliers of the saddle system, and what is reported where there is no solution.
#include "taut/linalg/modified_pcg.hpp"

#include <gtest/gtest.h>

#include "linalg/constrained_problems.hpp"
#include "taut/base/parallel.hpp"

namespace taut::linalg::modified_pcg_tests {
namespace {

using namespace taut::testing;

struct Outcome {
    PcgReport report;
    Points x, reaction;
};

Outcome solved(const ConstrainedProblem& p, double tolerance, const Points& start, int limit = 10000,
               std::function<void(ConstPoints)> watch = {}, bool second_level = false) {
    ModifiedPcg pcg;
    if (second_level) pcg.add_second_level(p.rows);
    Outcome run{{}, start, {}};
    run.report = pcg.solve(p.rows, p.b, p.freedom, p.z, {tolerance, limit, std::move(watch), {}}, run.x);
    run.reaction.assign(pcg.reaction().begin(), pcg.reaction().end());
    return run;
}

Outcome solved(bool second_level, const ConstrainedProblem& p, double tolerance) {
    return solved(p, tolerance, Points(p.b.size(), Vec3::Zero()), 10000, {}, second_level);
}

// What holds with one level and with two.
class Levels : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(ModifiedPcg, Levels, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "two" : "one"; });

Points zero(const ConstrainedProblem& p) { return Points(p.b.size(), Vec3::Zero()); }

TEST_P(Levels, ConstraintsHoldAtEveryIterate) {
    double deviation = 0;
    for (unsigned seed = 1; seed < 6; ++seed) {
        const ConstrainedProblem p(9, 8, seed);
        const MatrixXd c = p.fixed_basis();
        const VectorXd wanted = c.transpose() * flat(p.z);
        int seen = 0;
        const Outcome run = solved(
            p, 1e-10, random_points(p.b.size(), 1, seed), 10000,
            [&](ConstPoints x) {
                deviation = std::max(deviation, (c.transpose() * flat(x) - wanted).cwiseAbs().maxCoeff());
                ++seen;
            },
            GetParam());
        EXPECT_TRUE(run.report.converged);
        EXPECT_EQ(seen, run.report.iterations + 1);
    }
    RecordProperty("deviation", std::to_string(deviation * 1e15) + "e-15");
    EXPECT_LT(deviation, 1e-12);
}

TEST_P(Levels, SolvesTheReducedSystem) {
    for (unsigned seed = 1; seed < 6; ++seed) {
        const ConstrainedProblem p(7, 6, seed);
        const MatrixXd a = p.dense(), f = p.free_basis();
        const VectorXd z = p.prescribed();
        const VectorXd y = (f.transpose() * a * f).llt().solve(f.transpose() * (flat(p.b) - a * z));
        const VectorXd expected = z + f * y;
        for (const Points& start : {zero(p), random_points(p.b.size(), 2, seed)}) {
            const Outcome run = solved(p, 1e-13, start, 10000, {}, GetParam());
            EXPECT_TRUE(run.report.converged);
            EXPECT_LT((flat(run.x) - expected).norm(), 1e-11 * expected.norm());
        }
    }
}

// Constraints cost nothing: as many iterations as with the constrained unknowns taken out.
TEST_P(Levels, TakesTheIterationsOfTheReducedSystem) {
    double worst = 0;
    for (unsigned seed = 1; seed < 11; ++seed) {
        const ConstrainedProblem p(14, 13, seed);
        const MatrixXd a = p.dense(), f = p.free_basis(), reduced = f.transpose() * a * f;
        const VectorXd right = f.transpose() * (flat(p.b) - a * p.prescribed());
        const MatrixXd preconditioner = p.preconditioner(GetParam());
        for (const double tolerance : {1e-2, 1e-4, 1e-8}) {
            // Its first residual, where that is larger, as it starts at what is prescribed.
            const double given =
                std::max(p.weighed(flat(p.b), GetParam()), right.dot(preconditioner * right));
            const int plain = plain_iterations(reduced, right, preconditioner, given, tolerance);
            const Outcome run = solved(GetParam(), p, tolerance);
            worst = std::max(worst, double(run.report.iterations) / plain);
            EXPECT_NEAR(run.report.iterations, plain, 1) << seed << " " << tolerance;
        }
    }
    RecordProperty("iterations_over_plain", std::to_string(worst));
    EXPECT_LE(worst, 1.2);
}

// Against the saddle system  A x - C lambda = b, C^T x = C^T z.
TEST_P(Levels, TheReactionIsTheMultiplierOfTheSaddleSystem) {
    for (unsigned seed = 1; seed < 5; ++seed) {
        const ConstrainedProblem p(6, 5, seed);
        const MatrixXd a = p.dense(), c = p.fixed_basis(), f = p.free_basis();
        const Eigen::Index n = a.rows(), m = c.cols();
        MatrixXd saddle = MatrixXd::Zero(n + m, n + m);
        saddle.topLeftCorner(n, n) = a;
        saddle.topRightCorner(n, m) = -c;
        saddle.bottomLeftCorner(m, n) = c.transpose();
        VectorXd right(n + m);
        right << flat(p.b), c.transpose() * flat(p.z);
        const VectorXd lambda = saddle.fullPivLu().solve(right).tail(m);
        const Outcome run = solved(GetParam(), p, 1e-13);
        const VectorXd reaction = flat(run.reaction);
        EXPECT_LT((f.transpose() * reaction).cwiseAbs().maxCoeff(), 1e-10);
        EXPECT_LT((c.transpose() * reaction - lambda).cwiseAbs().maxCoeff(),
                  1e-10 * lambda.cwiseAbs().maxCoeff());
        // A loose solution leaves along what is free what its residual says.
        const Outcome loose = solved(GetParam(), p, 1e-2);
        const double first =
            std::max(p.weighed(flat(p.b), GetParam()), p.weighed(flat(p.b) - a * p.prescribed(), GetParam()));
        EXPECT_LE(loose.report.residual, 1e-2);
        EXPECT_NEAR(std::sqrt(p.weighed(flat(loose.reaction), GetParam()) / first), loose.report.residual,
                    1e-12);
    }
}

TEST(ModifiedPcg, StartsAtASolutionAndAtNothing) {
    const ConstrainedProblem p(6, 6, 3);
    const Outcome first = solved(p, 1e-12, zero(p));
    EXPECT_EQ(solved(p, 1e-8, first.x).report.iterations, 0);

    ConstrainedProblem none(6, 6, 3);
    none.b = none.z = zero(p);
    const Outcome run = solved(none, 1e-4, zero(p));
    EXPECT_TRUE(run.report.converged);
    EXPECT_EQ(run.report.iterations, 0);
    EXPECT_EQ(run.report.residual, 0);
    for (const Vec3& x : run.x) EXPECT_EQ(x, Vec3(0, 0, 0));
}

// Lone vertices on lines, moved across them, with nothing along: rounding is all that is left to solve for.
TEST_P(Levels, NothingPullsAlongALine) {
    BlockMatrix mass;
    mass.set_pattern(8, {});
    for (int i = 0; i < 8; ++i) mass.add(i, i, 0.1 * Mat3::Identity());
    BlockRows rows;
    rows.set_pattern(mass);
    rows.load(mass);
    const Points direction = random_points(8, 1, 3), z = random_points(8, 1, 4), none(8, Vec3::Zero());
    std::vector<Mat3> freedom;
    for (const Vec3& d : direction) freedom.push_back(on_line(d.normalized()));
    ModifiedPcg pcg;
    if (GetParam()) pcg.add_second_level(rows);
    for (const double tolerance : {1e-3, 1e-12}) {
        Points x = none;
        const PcgReport report = pcg.solve(rows, none, freedom, z, {tolerance, 1000, {}, {}}, x);
        EXPECT_TRUE(report.converged);
        EXPECT_EQ(report.iterations, 0);
        for (std::size_t i = 0; i < 8; ++i) EXPECT_LT((x[i] - (z[i] - freedom[i] * z[i])).norm(), 1e-15);
    }
}

// All fixed: what is prescribed, with a reaction that balances everything.
TEST(ModifiedPcg, AllFixedIsWhatIsPrescribed) {
    const ConstrainedProblem p(5, 4, 1, 2);
    const Outcome run = solved(p, 1e-4, random_points(p.b.size(), 1, 5));
    EXPECT_TRUE(run.report.converged);
    EXPECT_EQ(run.report.iterations, 0);
    EXPECT_EQ(run.x, p.z);
    EXPECT_LT((flat(run.reaction) - (p.dense() * flat(p.z) - flat(p.b))).norm(), 1e-12);
}

TEST_P(Levels, AnIndefiniteMatrixIsReported) {
    // A coupling far beyond the diagonal: blocks are definite, the matrix is not.
    ConstrainedProblem coupled(4, 4, 1, 0);
    coupled.matrix.add(1, 0, 1e4 * Mat3::Identity());
    coupled.rows.load(coupled.matrix);
    Outcome run = solved(GetParam(), coupled, 1e-8);
    EXPECT_FALSE(run.report.definite);
    EXPECT_FALSE(run.report.converged);
    for (const Vec3& x : run.x) EXPECT_TRUE(x.allFinite());

    // Blocks that are negative, or nothing at all.
    for (const double factor : {-1.0, 0.0}) {
        ConstrainedProblem turned(4, 4, 1, 0);
        turned.matrix.scale(factor);
        turned.rows.load(turned.matrix);
        run = solved(GetParam(), turned, 1e-8);
        EXPECT_FALSE(run.report.definite);
        EXPECT_FALSE(run.report.converged);
        EXPECT_TRUE(std::isfinite(run.report.residual));
    }
}

// What a constraint holds may be anything: a block that is negative only there is sound.
TEST(ModifiedPcg, OnlyWhatIsFreeNeedsToBeDefinite) {
    ConstrainedProblem p(5, 5, 2, 0);
    p.freedom[7] = on_plane(Vec3::UnitX());
    p.basis[7] = ConstrainedProblem::plane_basis(Vec3::UnitX());
    p.across[7] = MatrixXd(Vec3(Vec3::UnitX()));
    for (const double extra : {-1e6, 1e9}) {
        ConstrainedProblem q = p;
        q.matrix.add(7, 7, extra * Vec3::UnitX() * Vec3::UnitX().transpose());
        q.rows.load(q.matrix);
        const Outcome run = solved(q, 1e-12, zero(q));
        EXPECT_TRUE(run.report.converged);
        const Outcome plain = solved(p, 1e-12, zero(p));
        EXPECT_NEAR(run.report.iterations, plain.report.iterations, 1);
        EXPECT_LT((flat(run.x) - flat(plain.x)).norm(), 1e-9);
    }
}

TEST(ModifiedPcg, StopsWhenAsked) {
    const ConstrainedProblem p(8, 8, 3);
    const Outcome few = solved(p, 1e-12, zero(p), 3);
    EXPECT_EQ(few.report.iterations, 3);
    EXPECT_FALSE(few.report.converged);
    EXPECT_GT(few.report.residual, 1e-12);
    ModifiedPcg pcg;
    Points x = zero(p);
    int asked = 0;
    const PcgReport report =
        pcg.solve(p.rows, p.b, p.freedom, p.z, {1e-12, 1000, {}, [&] { return ++asked > 5; }}, x);
    EXPECT_EQ(report.iterations, 5);
    EXPECT_FALSE(report.converged);
}

TEST_P(Levels, SameBitsForAnyThreadCount) {
    const ConstrainedProblem p(70, 60, 4);
    Outcome expected;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        const Outcome run = solved(GetParam(), p, 1e-6);
        EXPECT_TRUE(run.report.converged);
        if (threads == 1) expected = run;
        EXPECT_EQ(run.x, expected.x) << threads;
        EXPECT_EQ(run.reaction, expected.reaction) << threads;
        EXPECT_EQ(run.report.iterations, expected.report.iterations) << threads;
    }
}

// Strips of eight cells across: with one level iterations grow with the length, 1048 and 1858 here; with two
// they do not any more, 93 and 91.
TEST(ModifiedPcg, ASecondLevelSavesIterationsOnLongSheets) {
    const auto iterations = [](int length, bool second_level) {
        const ConstrainedProblem p(length, 8, 1, 0, 1e3);
        return solved(second_level, p, 1e-6).report.iterations;
    };
    const int short_one = iterations(100, false), long_one = iterations(400, false);
    const int short_two = iterations(100, true), long_two = iterations(400, true);
    EXPECT_GT(long_one, 1.5 * short_one);
    EXPECT_LT(long_two, 1.1 * short_two);
    EXPECT_LT(long_two, 0.1 * long_one);
}

}  // namespace
}  // namespace taut::linalg::modified_pcg_tests

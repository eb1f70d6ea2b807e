// Every saddle solver against dense factorisations, on cloths open and closed, pinned, taut, weighted
// and stiff; what they report when they do not succeed.
#include <gtest/gtest.h>

#include "linalg/saddle_problems.hpp"
#include "taut/linalg/cholesky.hpp"
#ifdef TAUT_HAVE_CHOLMOD
#include "taut/linalg/cholmod.hpp"
#endif
#include "taut/linalg/ldlt.hpp"
#include "taut/linalg/lu.hpp"
#include "taut/linalg/yarn_cg.hpp"

namespace taut::linalg {
namespace {

using testing::relative_gap;
using testing::SaddleProblem;
using testing::Solution;

std::vector<SaddleProblem> problems() {
    std::vector<SaddleProblem> list;
    const std::vector<int> edge{0, 1, 2, 3, 4, 5, 6};
    const auto add = [&](auto... args) -> SaddleProblem& { return list.emplace_back(args...); };
    add("free grid", testing::sheet(7, 5), std::vector<int>{}, 0.01);
    add("corner", testing::sheet(7, 5), std::vector<int>{0}, 0.01).weigh(10);
    add("two corners", testing::sheet(7, 5), std::vector<int>{0, 6}, 0.01).bend(1e-5).weigh(10);
    add("edge", testing::sheet(7, 5), edge, 0.01).bend(1e-4).weigh(1);
    add("inner pins", testing::sheet(7, 5), std::vector<int>{9, 10, 17, 24}, 0.01).bend(1e-5).weigh(100);
    add("stiff", testing::sheet(7, 6), std::vector<int>{0, 6}, 0.01).bend(1e-2).weigh(5);
    add("sleeve", testing::sleeve(8, 5), std::vector<int>{}, 0.01).bend(1e-5).weigh(10);
    add("pinned sleeve", testing::sleeve(9, 4), std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}, 0.01).weigh(10);
    add("sleeve with pins on a ring", testing::sleeve(7, 4), std::vector<int>{0, 1, 3, 13}, 0.01).bend(1e-5);
    add("sleeve of triangles", testing::sleeve(3, 3), std::vector<int>{0}, 0.005).weigh(1);
    add("chain", testing::chain(20), std::vector<int>{0}, 0.005).bend(1e-5).weigh(50);
    add("chain between pins", testing::chain(20), std::vector<int>{0, 19}, 0.005).weigh(50);
    add("one edge", testing::chain(2), std::vector<int>{}, 0.1);
    add("strip", testing::sheet(40, 3), std::vector<int>{0, 39}, 0.01).bend(1e-2).weigh(5);
    add("edge", testing::sheet(7, 5), edge, 0.01).bend(1e-4).weigh(1).shear(1.4);
    add("taut row", testing::sheet(7, 5), std::vector<int>{0, 6}, 0.0).weigh(10);
    add("taut chain", testing::chain(12), std::vector<int>{0, 11}, 0.0).weigh(10);
    return list;
}

bool taut_between_pins(const SaddleProblem& p) { return p.name.starts_with("taut"); }

// Multipliers of rows without full rank are arbitrary in the null space: compare their forces then.
void expect_same(const SaddleProblem& p, const Solution& a, const Solution& b, double tolerance,
                 const char* solver) {
    EXPECT_LT(relative_gap(a.dx, b.dx), tolerance) << solver << " on " << p.name;
    if (!taut_between_pins(p)) {
        EXPECT_LT(relative_gap(a.dmu, b.dmu), tolerance) << solver << " on " << p.name;
        return;
    }
    Points pull_a(a.dx.size(), Vec3::Zero()), pull_b = pull_a;
    p.rows.add_transposed(a.dmu, pull_a);
    p.rows.add_transposed(b.dmu, pull_b);
    for (std::size_t i = 0; i < pull_a.size(); ++i) {
        if (p.pinned[i]) pull_a[i] = pull_b[i] = Vec3::Zero();
    }
    EXPECT_LT(relative_gap(pull_a, pull_b), tolerance) << solver << " on " << p.name;
}

void expect_solves_all(LinearSolver& solver, double linear_tolerance, double tolerance, const char* label) {
    for (SaddleProblem& p : problems()) {
        if (!solver.general_metric() && (p.scale > 0 || !p.weight.empty())) {
            p.scale = 0;
            p.weight.clear();
            p.stiffness_matrix = {};
        }
        solver.analyse(p.pattern());
        SolveReport report;
        const Solution s = p.solve(solver, linear_tolerance, &report);
        EXPECT_TRUE(report.converged) << label << " on " << p.name;
        EXPECT_GE(report.iterations, 1);
        expect_same(p, s, p.dense(), tolerance, label);
        for (std::size_t i = 0; i < s.dx.size(); ++i) {
            if (p.pinned[i]) {
                EXPECT_EQ(s.dx[i], Vec3(Vec3::Zero()));
            }
        }
        // A second solve starts from nothing the first left behind.
        const Solution again = p.solve(solver, linear_tolerance);
        EXPECT_EQ(s.dmu, again.dmu) << label << " on " << p.name;
    }
}

TEST(Ldlt, MatchesDense) {
    Ldlt solver;
    expect_solves_all(solver, 0.1, 1e-8, "ldlt");
}

TEST(Lu, MatchesDense) {
    Lu solver;
    expect_solves_all(solver, 0.1, 1e-8, "lu");
}

TEST(Cholesky, MatchesDenseForDiagonalMetrics) {
    Cholesky solver;
    EXPECT_FALSE(solver.general_metric());
    expect_solves_all(solver, 0.1, 1e-8, "cholesky");
}

#ifdef TAUT_HAVE_CHOLMOD
TEST(Cholmod, MatchesDenseForDiagonalMetrics) {
    Cholmod solver;
    EXPECT_FALSE(solver.general_metric());
    expect_solves_all(solver, 0.1, 1e-8, "cholmod");
}
#endif

TEST(YarnCg, MatchesDenseInDoublePrecision) {
    YarnCg solver({2000, 1e-12, 2000, "double"});
    expect_solves_all(solver, 1e-9, 1e-6, "yarn_cg double");
}

TEST(YarnCg, MatchesDenseInSinglePrecision) {
    YarnCg solver({500, 1e-6, 500, "single"});
    expect_solves_all(solver, 1e-4, 1e-2, "yarn_cg single");
}

// A loose solve is still a descent: most of the violation goes.
// Rows beside J pull as forces do: with what they pull put into f, the system without them has the same
// solution. And each gives way by a tenth of its own compliance.
TEST(YarnCg, ExtraRowsAreForcesThatGiveWayALittle) {
    SaddleProblem p("extra", testing::sheet(7, 6), {0}, 0.02);
    YarnCgParams params;
    params.precision = "double";
    YarnCg solver(params);
    RowBlocks extra;
    const Points gradients = testing::random_points(12, 1, 21);
    for (int k = 0; k < 6; ++k) {
        for (int side = 0; side < 2; ++side) {
            extra.vertex.push_back(7 * k + 3 * side);
            extra.gradient.push_back(gradients[std::size_t(2 * k + side)]);
        }
        extra.start.push_back(int(extra.vertex.size()));
    }
    const std::vector<double> residual = testing::random_numbers(6, -1e-3, 1e-3, 22);
    std::vector<double> pull(6), rate(6);
    solver.analyse(p.pattern());
    SaddleSystem system = p.system(1e-12);
    system.extra = &extra;
    system.extra_c = residual;
    system.extra_dmu = pull;
    Solution with{std::vector<double>(p.c.size()), Points(p.f.size())};
    EXPECT_TRUE(solver.solve(system, with.dmu, with.dx).converged);

    extra.multiply(with.dx, rate);
    for (std::size_t k = 0; k < 6; ++k) {
        double compliance = 0;
        for (std::size_t e = 2 * k; e < 2 * k + 2; ++e) {
            const auto i = std::size_t(extra.vertex[e]);
            if (!p.pinned[i]) compliance += extra.gradient[e].squaredNorm() / p.diagonal[i];
        }
        EXPECT_NEAR(rate[k] + residual[k], 0.1 * compliance * pull[k], 1e-9) << k;
    }
    SaddleProblem other = p;
    extra.add_transposed(pull, other.f);
    const Solution without = other.solve(solver, 1e-12);
    double gap = 0, size = 0;
    for (std::size_t i = 0; i < with.dx.size(); ++i) {
        gap = std::max(gap, (with.dx[i] - without.dx[i]).norm());
        size = std::max(size, with.dx[i].norm());
    }
    EXPECT_LT(gap, 1e-6 * size);
}

TEST(YarnCg, LooseSolveTakesMostOfTheResidual) {
    for (SaddleProblem& p : problems()) {
        YarnCg solver({200, 0.1, 50, "single"});
        solver.analyse(p.pattern());
        SolveReport report;
        const Solution s = p.solve(solver, 0.1, &report);
        EXPECT_TRUE(report.converged) << p.name;
        EXPECT_LE(report.iterations, 40) << p.name;
        EXPECT_LT(relative_gap(s.dx, p.dense().dx), 0.5) << p.name;
    }
}

// Straight open yarns that cross nothing else: the preconditioner is the inverse.
TEST(YarnCg, SolvesAChainInVeryFewIterations) {
    SaddleProblem p("chain", testing::chain(200), {0}, 0.001);
    YarnCg solver({200, 1e-12, 200, "double"});
    solver.analyse(p.pattern());
    SolveReport report;
    p.solve(solver, 1e-6, &report);
    EXPECT_LE(report.iterations, 3);
}

// A crumpled sheet has cells that are sheared flat; yarns alone take 35 to 45 iterations here.
TEST(YarnCg, FlatCellsCostLittle) {
    for (double stiffness : {0.0, 1e-3, 0.1}) {
        SaddleProblem p("crumpled", testing::sheet(20, 20), {0, 19}, 0);
        if (stiffness > 0) p.bend(stiffness);
        p.at(testing::shaken(p.model.rest, 0.048, 5));
        YarnCg solver({200, 1e-6, 200, "double"});
        solver.analyse(p.pattern());
        SolveReport report;
        const Solution s = p.solve(solver, 1e-3, &report);
        EXPECT_TRUE(report.converged);
        EXPECT_LE(report.iterations, 28) << stiffness;
        Ldlt direct;
        direct.analyse(p.pattern());
        if (stiffness < 0.1) {  // else one cycle stands for the solve with H, and forces balance later
            EXPECT_LT(relative_gap(s.dx, p.solve(direct, 0.1).dx), 5e-3) << stiffness;
        }
    }
}

// A sheet sheared flat to rounding, in single precision and with next to no regularisation: C falls at least
// tenfold.
TEST(YarnCg, SurvivesCellsWithoutAnyWidth) {
    for (double regularization : {1e-9, 0.0}) {
        SaddleProblem p("flat", testing::sheet(9, 9), {0, 8}, 0);
        Points x = p.model.rest;
        for (Vec3& point : x) point = Vec3(point.x() + point.y(), 0, 0);
        p.at(x).regularization = regularization;
        YarnCg solver({200, 0.1, 50, "single"});
        solver.analyse(p.pattern());
        SolveReport report;
        const Solution s = p.solve(solver, 1e-3, &report);
        EXPECT_TRUE(report.converged) << regularization;
        std::vector<double> change(p.c.size());
        p.rows.multiply(s.dx, change);
        double before = 0, after = 0;
        for (std::size_t r = 0; r < change.size(); ++r) {
            before += p.c[r] * p.c[r];
            after += (p.c[r] + change[r]) * (p.c[r] + change[r]);
        }
        EXPECT_LT(after, 1e-2 * before) << regularization << ", " << report.iterations << " iterations";
    }
}

// Which end of a row is named first is a matter of numbering.
TEST(YarnCg, FlippedRowsChangeNothing) {
    std::vector<SaddleProblem> list;
    list.emplace_back("open", testing::sheet(12, 9), std::vector<int>{0, 11}, 0.01);
    list.emplace_back("crumpled", testing::sheet(12, 9), std::vector<int>{0, 11}, 0.05);
    list.emplace_back("sleeve", testing::sleeve(12, 9), std::vector<int>{0}, 0.01);
    for (SaddleProblem& p : list) {
        p.bend(0.1).weigh(10);
        YarnCg solver({200, 1e-8, 200, "double"});
        SolveReport plain, flipped;
        solver.analyse(p.pattern());
        const Solution a = p.solve(solver, 1e-6, &plain);
        for (std::size_t r = 0; r < p.c.size(); r += 3) {
            std::swap(p.rows.vertex[2 * r], p.rows.vertex[2 * r + 1]);
            std::swap(p.rows.gradient[2 * r], p.rows.gradient[2 * r + 1]);
        }
        solver.analyse(p.pattern());
        const Solution b = p.solve(solver, 1e-6, &flipped);
        EXPECT_LE(std::abs(plain.iterations - flipped.iterations), 1) << p.name;
        EXPECT_LT(relative_gap(a.dx, b.dx), 1e-4) << p.name;
        EXPECT_LT(relative_gap(a.dmu, b.dmu), 1e-4) << p.name;
    }
}

TEST(YarnCg, CapIsReported) {
    SaddleProblem p("grid", testing::sheet(15, 15), {0, 14}, 0.01);
    YarnCg solver({2, 0.1, 50, "single"});
    solver.analyse(p.pattern());
    SolveReport report;
    const Solution s = p.solve(solver, 1e-6, &report);
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.iterations, 2);
    for (const Vec3& d : s.dx) EXPECT_TRUE(d.allFinite());
}

// Weights and stiffness may come and go between two solves with one pattern.
TEST(Ldlt, FollowsAChangingMetric) {
    SaddleProblem plain("grid", testing::sheet(6, 5), {0}, 0.01), full = plain;
    full.bend(1e-4).weigh(10);
    plain.stiffness_matrix = full.stiffness_matrix;
    Ldlt solver;
    solver.analyse(full.pattern());
    for (const SaddleProblem* p : {&plain, &full, &plain}) {
        const Solution s = p->solve(solver, 0.1);
        expect_same(*p, s, p->dense(), 1e-8, "ldlt");
    }
}

// Pushing edges make H indefinite; the saddle system stays solvable.
TEST(Lu, TakesWeightsOfEitherSign) {
    SaddleProblem p("grid", testing::sheet(6, 5), {0}, 0.01);
    p.bend(1e-4).weigh(10);
    for (std::size_t r = 0; r < p.weight.size(); r += 2) p.weight[r] *= -0.7;
    Lu lu;
    Ldlt ldlt;
    for (LinearSolver* solver : {static_cast<LinearSolver*>(&lu), static_cast<LinearSolver*>(&ldlt)}) {
        EXPECT_TRUE(solver->signed_weights());
        solver->analyse(p.pattern());
        const Solution s = p.solve(*solver, 0.1);
        expect_same(p, s, p.dense(), 1e-6, "signed");
    }
}

// H dx + Jf^T dmu = -F and J dx - E dmu = -C with two different Jacobians.
TEST(Lu, SolvesWithOtherForceRows) {
    for (bool general : {false, true}) {
        SaddleProblem p("grid", testing::sheet(6, 5), {0}, 0.02);
        if (general) p.bend(1e-4).weigh(2);
        p.regularization = 0;
        RowBlocks force = p.rows;
        for (std::size_t k = 0; k < force.gradient.size(); k += 2) {
            force.gradient[k] += 0.3 * Vec3(0.1, -0.2, double(k % 3));
            force.gradient[k + 1] = -force.gradient[k];
        }
        Lu solver;
        EXPECT_TRUE(solver.unsymmetric());
        solver.analyse(p.pattern());
        SaddleSystem system = p.system(0.1);
        system.force_rows = &force;
        Solution s{std::vector<double>(p.c.size()), Points(p.f.size())};
        for (bool same : {false, true}) {
            system.same_matrix = same;
            EXPECT_TRUE(solver.solve(system, s.dmu, s.dx).converged);
            std::vector<double> left(p.c.size());
            p.rows.multiply(s.dx, left);
            for (std::size_t r = 0; r < left.size(); ++r) EXPECT_NEAR(left[r], -p.c[r], 1e-8);
            Points balance(p.f.size(), Vec3::Zero());
            force.add_transposed(s.dmu, balance);
            const Eigen::MatrixXd h = p.dense_metric();
            for (Eigen::Index i = 1; i < h.rows(); ++i) {
                Vec3 sum = balance[std::size_t(i)] + p.f[std::size_t(i)];
                for (Eigen::Index j = 0; j < h.cols(); ++j) sum += h(i, j) * s.dx[std::size_t(j)];
                EXPECT_LT(sum.norm(), 1e-9);
            }
            // The same matrix serves another right-hand side.
            for (double& c : p.c) c *= -2;
            system.c = p.c;
        }
    }
}

// Factors that are kept give what new ones give.
TEST(Solvers, KeepTheirFactorsWhereAsked) {
    SaddleProblem p("grid", testing::sheet(6, 5), {0}, 0.01);
    Cholesky cholesky;
    Ldlt ldlt;
    Lu lu;
    for (LinearSolver* solver : {static_cast<LinearSolver*>(&cholesky), static_cast<LinearSolver*>(&ldlt),
                                 static_cast<LinearSolver*>(&lu)}) {
        solver->analyse(p.pattern());
        p.solve(*solver, 0.1);
        SaddleProblem other = p;
        for (double& c : other.c) c += 1e-4;
        SaddleSystem system = other.system(0.1);
        system.same_matrix = true;
        Solution kept{std::vector<double>(p.c.size()), Points(p.f.size())};
        solver->solve(system, kept.dmu, kept.dx);
        EXPECT_EQ(kept.dmu, other.solve(*solver, 0.1).dmu) << solver->name();
    }
}

// A straight chain of two links between pins without regularisation: the second pivot is zero.
TEST(Cholesky, SingularSystemIsReported) {
    SaddleProblem p("taut chain", testing::chain(3), {0, 2}, 0);
    p.regularization = 0;
    p.diagonal.assign(3, 1.0);
    p.c = {1e-3, 1e-3};
    Cholesky solver;
    solver.analyse(p.pattern());
    SolveReport report;
    const Solution s = p.solve(solver, 0.1, &report);
    EXPECT_FALSE(report.converged);
    for (double d : s.dmu) EXPECT_EQ(d, 0);
    for (const Vec3& d : s.dx) EXPECT_EQ(d, Vec3(Vec3::Zero()));
}

TEST(Lu, SingularSystemIsReported) {
    SaddleProblem p("one edge", testing::chain(2), {0}, 0);
    p.regularization = 0;
    RowBlocks across = p.rows;
    for (Vec3& g : across.gradient) g = Vec3(0, g.x(), 0);
    Lu solver;
    solver.analyse(p.pattern());
    SaddleSystem system = p.system(0.1);
    system.force_rows = &across;
    Solution s{std::vector<double>(1, 7.0), Points(2, Vec3(7, 7, 7))};
    EXPECT_FALSE(solver.solve(system, s.dmu, s.dx).converged);
    EXPECT_EQ(s.dmu[0], 0);
    EXPECT_EQ(s.dx[1], Vec3(Vec3::Zero()));
}

}  // namespace
}  // namespace taut::linalg

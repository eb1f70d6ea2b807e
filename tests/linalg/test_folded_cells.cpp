#include "taut/linalg/folded_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <numeric>

#include "linalg/saddle_problems.hpp"
#include "taut/base/parallel.hpp"

namespace taut::linalg::folded_cells_tests {
namespace {

using testing::SaddleProblem;

// Rows in their own order; `known` is what the preconditioner is said to have on its diagonal.
struct Folding {
    explicit Folding(const SaddleProblem& problem, double known = 0.01) {
        const std::size_t m = problem.c.size();
        std::vector<int> place(m);
        std::iota(place.begin(), place.end(), 0);
        for (std::size_t r = 0; r < m; ++r) {
            const auto [a, b] = problem.constraint.ends(int(r));
            if (problem.pinned[std::size_t(a)] && problem.pinned[std::size_t(b)]) place[r] = -1;
        }
        folded.analyse(problem.pattern(), place);
        folded.assemble(problem.system(0.1), 1, std::vector<double>(m, known), std::vector<double>(m, 0.0));
    }
    std::vector<double> apply(const std::vector<double>& r) const {
        std::vector<double> z(r.size(), 0.0);
        folded.add(r, z);
        return z;
    }
    FoldedCells<double> folded;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// One square cell of unit masses, sheared until its corners are `open` radians wide.
SaddleProblem one_cell(double open) {
    SaddleProblem p("cell", testing::sheet(2, 2), {}, 0);
    std::fill(p.diagonal.begin(), p.diagonal.end(), 1.0);
    Points x = p.model.rest;
    for (Vec3& point : x) {
        point = Vec3(point.x() + std::cos(open) * point.y(), std::sin(open) * point.y(), 0);
    }
    return p.at(x);
}

}  // namespace

TEST(FoldedCells, FindsEveryCellOnce) {
    const auto cells = [](const SaddleProblem& p) { return Folding(p).folded.cells(); };
    EXPECT_EQ(cells(SaddleProblem("sheet", testing::sheet(7, 5), {}, 0.01)), 24u);
    EXPECT_EQ(cells(SaddleProblem("sleeve", testing::sleeve(8, 5), {}, 0.01)), 32u);
    EXPECT_EQ(cells(SaddleProblem("chain", testing::chain(9), {}, 0.01)), 0u);
    // Rows between pins are left out, and no tension goes round a cell that lacks one.
    EXPECT_EQ(cells(SaddleProblem("pins", testing::sheet(7, 5), {0, 1}, 0.01)), 23u);
}

TEST(FoldedCells, OpenCellsAddNothing) {
    EXPECT_EQ(Folding(SaddleProblem("sheet", testing::sheet(9, 9), {0}, 0.01)).folded.folded(), 0u);
    EXPECT_EQ(Folding(one_cell(1.0)).folded.folded(), 0u);
    EXPECT_EQ(Folding(one_cell(0.1)).folded.folded(), 1u);
    EXPECT_EQ(Folding(one_cell(std::numbers::pi - 0.1)).folded.folded(), 1u);
    // Nor do cells whose tension is known well enough.
    EXPECT_EQ(Folding(one_cell(0.1), 1e6).folded.folded(), 0u);
}

// Four tensions of 1/2 each: two pull on every corner, with |g|/2 each, `open` radians apart.
TEST(FoldedCells, OneCellHasItsClosedForm) {
    for (double open : {0.3, 0.03, std::numbers::pi - 0.05}) {
        const SaddleProblem p = one_cell(open);
        const double g2 = p.rows.gradient[0].squaredNorm();
        const double response = 4 * g2 / 4 * 2 * (1 - std::abs(std::cos(open))), known = 0.1 / response;
        const std::vector<double> z = Folding(p, known).apply({1, 0, 0, 0});
        for (double entry : z) {
            EXPECT_NEAR(std::abs(entry), 0.25 * (1 / response - 4 * known), 1e-6 / response) << open;
        }
        // What it adds pulls on nothing as the cell closes: the force of the tension against its size.
        Points force(4, Vec3::Zero());
        p.rows.add_transposed(z, force);
        double pull = 0;
        for (const Vec3& one : force) pull += one.squaredNorm();
        EXPECT_NEAR(pull / dot(z, z), response, 1e-6 * g2) << open;
    }
}

TEST(FoldedCells, WhatIsFlatToRoundingIsLimited) {
    for (double open : {1e-6, 1e-12, 0.0}) {
        for (double entry : Folding(one_cell(open), 0.2).apply({1, 0, 0, 0})) {
            EXPECT_NEAR(std::abs(entry), 0.25 * (30 - 4) * 0.2, 1e-6) << open;
        }
    }
}

// A sheet large enough that loops are cut into several blocks.
TEST(FoldedCells, TheSameBitsForAnyThreadCount) {
    SaddleProblem p("sheet", testing::sheet(90, 70), {0, 89}, 0.01);
    std::fill(p.diagonal.begin(), p.diagonal.end(), 1.0);
    p.weigh(3).shear(1.5);
    const auto r = testing::random_numbers(p.c.size(), -1, 1, 4);
    std::vector<double> z[2];
    for (int threads : {1, 2}) {
        ThreadLimit limit(threads);
        const Folding folding(p);
        EXPECT_GT(folding.folded.folded(), 4096u);
        z[threads - 1] = folding.apply(r);
    }
    EXPECT_EQ(z[0], z[1]);
}

// Tension and stiffness hold the corners, as a heavy plate does where it is stiff.
TEST(FoldedCells, HeldCornersHaveTheirClosedForm) {
    for (double stiff : {0.0, 0.5, 100.0}) {
        SaddleProblem p = one_cell(0.3);
        p.weight.assign(4, 1.5);  // two rows meet at each corner
        std::vector<Triplet> triplets;
        for (int i = 0; i < 4 && stiff > 0; ++i) triplets.push_back({i, i, stiff / 0.1});
        if (stiff > 0) p.stiffness_matrix = SymmetricCsr(4, triplets);
        p.scale = 0.1;
        const double held = 1 + 2 * 1.5 + std::min(stiff, 1.8 * std::sqrt(stiff));
        const double response = 2 * p.rows.gradient[0].squaredNorm() * (1 - std::cos(0.3)) / held,
                     known = 0.1 / response;
        const std::vector<double> z = Folding(p, known).apply({1, 0, 0, 0});
        EXPECT_NEAR(std::abs(z[0]), 0.25 * (1 / response - 4 * known), 1e-9 / response) << stiff;
    }
}

TEST(FoldedCells, IsSymmetricAndNeverNegative) {
    SaddleProblem p("pins", testing::sheet(9, 7), {0, 1, 12}, 0.01);
    p.bend(1e-4).weigh(3).shear(1.45);
    const Folding folding(p);
    ASSERT_GT(folding.folded.folded(), 0u);
    const auto a = testing::random_numbers(p.c.size(), -1, 1, 21),
               b = testing::random_numbers(p.c.size(), -1, 1, 22);
    const auto za = folding.apply(a), zb = folding.apply(b);
    EXPECT_NEAR(dot(a, zb), dot(b, za), 1e-9 * (dot(a, za) + dot(b, zb)));
    EXPECT_GT(dot(a, za), 0);
    EXPECT_GT(dot(b, zb), 0);
}

}  // namespace taut::linalg::folded_cells_tests

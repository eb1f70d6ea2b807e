#include "taut/linalg/cross_yarns.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "linalg/saddle_problems.hpp"

namespace taut::linalg {
namespace {

using testing::SaddleProblem;

// Rows in their own order, masses alike unless asked otherwise.
struct Crossing {
    explicit Crossing(SaddleProblem problem_) : problem(std::move(problem_)) {
        const std::size_t m = problem.c.size();
        std::vector<int> place(m);
        std::iota(place.begin(), place.end(), 0);
        cross.analyse(problem.pattern(), place);
        cross.assemble(problem.system(0.1), unit());
        gradient.resize(m);
        for (std::size_t r = 0; r < m; ++r) {
            const Vec3& g = problem.rows.gradient[std::size_t(problem.rows.start[r] + 1)];
            gradient[r] = Lanes<double>{g.x(), g.y(), g.z(), 0};
        }
    }
    double unit() const {
        return std::accumulate(problem.diagonal.begin(), problem.diagonal.end(), 0.0) /
               double(problem.diagonal.size());
    }
    std::vector<double> apply(const std::vector<double>& y) {
        std::vector<double> t(y.size(), 7.0);
        cross.apply(gradient, y, t);
        return t;
    }

    SaddleProblem problem;
    CrossYarns<double> cross;
    LaneVector<double> gradient;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Several stretches each way, of no like length.
SaddleProblem flat_sheet() {
    SaddleProblem p("flat", testing::sheet(40, 37), {}, 0);
    std::fill(p.diagonal.begin(), p.diagonal.end(), 1e-3);
    return p.bend(1e-2);
}

}  // namespace

TEST(CrossYarns, IsSymmetricAndNeverNegative) {
    std::vector<SaddleProblem> problems;
    problems.push_back(SaddleProblem("pins", testing::sheet(37, 21), {0, 36, 300}, 0.01).bend(1e-3));
    problems.push_back(SaddleProblem("sleeve", testing::sleeve(24, 37), {0, 5}, 0.01).bend(1e-3));
    for (SaddleProblem& p : problems) {
        Crossing crossing(p);
        ASSERT_FALSE(crossing.cross.empty());
        const auto a = testing::random_numbers(p.c.size(), -1, 1, 21),
                   b = testing::random_numbers(p.c.size(), -1, 1, 22);
        const auto ta = crossing.apply(a), tb = crossing.apply(b);
        EXPECT_NEAR(dot(a, tb), dot(b, ta), 1e-9 * (std::abs(dot(a, ta)) + std::abs(dot(b, tb)))) << p.name;
        EXPECT_GT(dot(a, ta), 0) << p.name;
        EXPECT_GT(dot(b, tb), 0) << p.name;
    }
}

TEST(CrossYarns, YarnsThatMoveAlikeDoNotBend) {
    Crossing crossing(flat_sheet());
    const auto& chains = crossing.problem.constraint.chains();
    std::vector<double> alike(crossing.problem.c.size(), 0.0), alone = alike;
    const RowChain* first = nullptr;
    for (const RowChain& chain : chains) {
        if (chain.family != chains.front().family) continue;
        if (!first) first = &chain;
        for (std::size_t k = 0; k < chain.row.size(); ++k) {
            alike[std::size_t(chain.row[k])] = std::sin(0.1 * double(k));
        }
    }
    for (int r : first->row) alone[std::size_t(r)] = alike[std::size_t(r)];
    const double together = dot(alike, crossing.apply(alike)), single = dot(alone, crossing.apply(alone));
    EXPECT_GT(single, 0);
    EXPECT_LT(std::abs(together), 1e-9 * single);
}

// A yarn feels its neighbours as far as a bending stencil reaches, and none of the yarns that cross it.
TEST(CrossYarns, ReachesTwoYarnsToEachSide) {
    Crossing crossing(flat_sheet());
    const auto& chains = crossing.problem.constraint.chains();
    std::vector<const RowChain*> family;
    for (const RowChain& chain : chains) {
        if (chain.family == chains.front().family) family.push_back(&chain);
    }
    const std::size_t middle = family.size() / 2;
    std::vector<double> y(crossing.problem.c.size(), 0.0);
    for (std::size_t k = 0; k < family[middle]->row.size(); ++k) {
        y[std::size_t(family[middle]->row[k])] = std::sin(0.1 * double(k));
    }
    std::vector<double> t = crossing.apply(y);
    for (std::size_t j = 0; j < family.size(); ++j) {
        double most = 0;
        for (int r : family[j]->row) {
            most = std::max(most, std::abs(t[std::size_t(r)]));
            t[std::size_t(r)] = 0;
        }
        const std::size_t apart = j > middle ? j - middle : middle - j;
        EXPECT_EQ(most > 0, apart <= 2) << apart;
    }
    for (double other : t) EXPECT_EQ(other, 0);
}

// One row alone, between two stretches inside the sheet: each moves by gradient over mass and bends the
// hinges it is part of, in the middle of one and at the end of two for every yarn that crosses.
TEST(CrossYarns, OneRowHasItsClosedForm) {
    Crossing crossing(flat_sheet());
    const SaddleProblem& p = crossing.problem;
    const auto& chains = p.constraint.chains();
    const int along = chains.front().family;
    std::vector<const RowChain*> family;
    for (const RowChain& chain : chains) {
        if (chain.family == along) family.push_back(&chain);
    }
    const RowChain& yarn = *family[family.size() / 2];
    const int length = int(yarn.vertex.size()), parts = (length + 8) / 16;
    ASSERT_GE(parts, 2);
    const int cut = length / parts;  // vertices of the first stretch
    const std::vector<int> sizes{cut, length * 2 / parts - cut};

    // The stiffness of one crossing hinge, from the matrix.
    const RowChain& next = *family[family.size() / 2 + 1];
    const RowChain& before = *family[family.size() / 2 - 1];
    const double hinge = p.stiffness_matrix.coupling(before.vertex[10], next.vertex[10]);
    double mean = 0;
    for (double k : p.stiffness_matrix.diagonal()) mean += k / double(p.diagonal.size());
    const double share = std::min(1.0, 1.7 / std::sqrt(p.scale * mean / 1e-3));

    const auto row = std::size_t(yarn.row[std::size_t(cut - 1)]);
    std::vector<double> y(p.c.size(), 0.0);
    y[row] = 1;
    double expected = 0;
    const double g2 = p.rows.gradient[std::size_t(p.rows.start[row])].squaredNorm();
    for (int size : sizes) expected += g2 * share * p.scale / 1e-3 * 6 * hinge * size / double(size * size);
    // Hinges on the two outer yarns of the crossing family are softer: within a tenth.
    EXPECT_NEAR(crossing.apply(y)[row], expected, 0.1 * expected);
}

// An even tension pushes a stretch from both ends alike and does not move it: only at the ends of a yarn,
// 17 vertices long out of 70, does anything bend.
TEST(CrossYarns, EvenTensionMovesNoInnerStretch) {
    SaddleProblem p("flat", testing::sheet(70, 9), {}, 0);
    std::fill(p.diagonal.begin(), p.diagonal.end(), 1e-3);
    Crossing crossing(p.bend(1e-2));
    int yarns = 0;
    for (const RowChain& chain : p.constraint.chains()) {
        if (chain.row.size() != 69) continue;
        ++yarns;
        std::vector<double> y(p.c.size(), 0.0);
        for (int r : chain.row) y[std::size_t(r)] = 1;
        const std::vector<double> t = crossing.apply(y);
        const double end = std::abs(t[std::size_t(chain.row[16])]);
        EXPECT_GT(end, 0);
        EXPECT_LT(std::abs(t[std::size_t(chain.row[34])]), 1e-9 * end);
    }
    EXPECT_EQ(yarns, 9);
}

TEST(CrossYarns, NothingWithoutBendingOrCrossing) {
    for (SaddleProblem p : {SaddleProblem("grid", testing::sheet(9, 9), {0}, 0.01),
                            SaddleProblem("chain", testing::chain(20), {0}, 0.01).bend(1e-3)}) {
        std::vector<int> place(p.c.size(), 0);
        CrossYarns<float> cross;
        cross.analyse(p.pattern(), place);
        EXPECT_TRUE(cross.empty()) << p.name;
    }
}

}  // namespace taut::linalg

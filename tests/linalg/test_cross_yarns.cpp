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

// 37 is no multiple of the length of a stretch.
SaddleProblem flat_sheet() {
    SaddleProblem p("flat", testing::sheet(37, 21), {}, 0);
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

TEST(CrossYarns, NothingWithoutBending) {
    SaddleProblem p("grid", testing::sheet(9, 9), {0}, 0.01);
    std::vector<int> place(p.c.size(), 0);
    CrossYarns<float> cross;
    cross.analyse(p.pattern(), place);
    EXPECT_TRUE(cross.empty());
}

}  // namespace taut::linalg

// Sparse matrices and nested conjugate gradients against dense ones: products, grids and general
// graphs with pins, weights and stiffness, indefinite line blocks, and the multilevel correction.
#include <gtest/gtest.h>

#include <algorithm>

#include "linalg/saddle_problems.hpp"
#include "taut/linalg/line_cg.hpp"
#include "taut/linalg/multilevel.hpp"

namespace taut::linalg {
namespace {

using testing::random_numbers;
using testing::random_points;
using testing::relative_gap;
using testing::SaddleProblem;

Eigen::MatrixXd dense_of(const SymmetricCsr& a) {
    Eigen::MatrixXd d = Eigen::MatrixXd::Zero(a.size(), a.size());
    for (int i = 0; i < a.size(); ++i) {
        for (int k = a.row_start()[i]; k < a.row_start()[i + 1]; ++k) d(i, a.columns()[k]) = a.values()[k];
    }
    return d;
}

TEST(SymmetricCsr, MergesDuplicatesAndSortsColumns) {
    const std::vector<Triplet> triplets{{2, 0, 1.5}, {0, 2, 1.5}, {1, 1, 4},   {0, 0, 1},
                                        {1, 1, -1},  {0, 2, 0.5}, {2, 0, 0.5}, {3, 3, 2}};
    const SymmetricCsr a(4, triplets);
    EXPECT_EQ(a.size(), 4);
    EXPECT_EQ(a.values().size(), 5u);
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(4, 4);
    for (const Triplet& t : triplets) expected(t.row, t.col) += t.value;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) EXPECT_EQ(dense_of(a)(i, j), expected(i, j));
    }
    for (int i = 0; i < 4; ++i) {
        for (int k = a.row_start()[i] + 1; k < a.row_start()[i + 1]; ++k)
            EXPECT_LT(a.columns()[k - 1], a.columns()[k]);
    }
    EXPECT_EQ(a.diagonal(), (std::vector<double>{1, 3, 0, 2}));
    EXPECT_TRUE(SymmetricCsr().empty());
    EXPECT_TRUE(SymmetricCsr(3, {}).empty());
    EXPECT_EQ(SymmetricCsr(3, {}).size(), 3);
}

TEST(SymmetricCsr, ProductMatchesDense) {
    SaddleProblem p("grid", testing::sheet(7, 5), {}, 0);
    p.bend(1e-3);
    const auto n = p.f.size();
    const Points x = random_points(n, 1, 1);
    Points y = random_points(n, 1, 2), expected = y;
    const Eigen::MatrixXd k = dense_of(p.stiffness_matrix);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) expected[i] -= 0.7 * k(Eigen::Index(i), Eigen::Index(j)) * x[j];
    }
    p.stiffness_matrix.add_product(-0.7, x, y);
    EXPECT_LT(relative_gap(y, expected), 1e-14);
}

TEST(RowBlocks, ProductsAreAdjoint) {
    const SaddleProblem p("grid", testing::sheet(6, 4), {}, 0.02);
    const Points x = random_points(p.f.size(), 1, 1);
    const std::vector<double> y = random_numbers(p.c.size(), -1, 1, 2);
    std::vector<double> jx(p.c.size());
    Points jty(p.f.size(), Vec3::Zero());
    p.rows.multiply(x, jx);
    p.rows.add_transposed(y, jty);
    double left = 0, right = 0;
    for (std::size_t r = 0; r < y.size(); ++r) left += y[r] * jx[r];
    for (std::size_t i = 0; i < x.size(); ++i) right += x[i].dot(jty[i]);
    EXPECT_NEAR(left, right, 1e-12 * std::abs(left));
}

// A scalar system for LineCg: any graph, any lines.
struct LineSystem {
    int n = 0;
    std::vector<std::array<int, 2>> edges;
    std::vector<LineFamily> families;
    SymmetricCsr stiffness;
    std::vector<std::uint8_t> pinned;
    std::vector<double> diagonal, weight;
    double scale = 0;

    Eigen::MatrixXd dense() const {
        Eigen::MatrixXd h = Eigen::MatrixXd::Zero(n, n);
        if (!stiffness.empty()) h = scale * dense_of(stiffness);
        for (int i = 0; i < n; ++i) h(i, i) += diagonal[std::size_t(i)];
        for (std::size_t e = 0; e < weight.size(); ++e) {
            const auto [a, b] = edges[e];
            if (a == b) continue;
            h(a, a) += weight[e];
            h(b, b) += weight[e];
            h(a, b) -= weight[e];
            h(b, a) -= weight[e];
        }
        for (int i = 0; i < n; ++i) {
            if (!pinned[std::size_t(i)]) continue;
            h.row(i).setZero();
            h.col(i).setZero();
            h(i, i) = 1;
        }
        return h;
    }
};

// Solves for a random right-hand side; returns the relative error against a dense solve.
template <class Real>
double line_cg_error(const LineSystem& s, double tolerance, int* iterations = nullptr) {
    const double unit = 0.03;
    LineCg<Real> cg;
    cg.analyse(s.n, s.stiffness.empty() ? nullptr : &s.stiffness, s.edges, s.families, s.pinned);
    cg.assemble(s.diagonal, s.scale, s.weight, unit);
    const Points b = random_points(std::size_t(s.n), 1, 21);
    Eigen::MatrixXd rhs(s.n, 3);
    LaneVector<Real> lanes(std::size_t(s.n) + 1, Lanes<Real>{}), x = lanes;
    for (int i = 0; i < s.n; ++i) {
        const Vec3 p = s.pinned[std::size_t(i)] ? Vec3(Vec3::Zero()) : b[std::size_t(i)];
        rhs.row(i) = p.transpose();
        lanes[std::size_t(i)] = Lanes<Real>{Real(p.x()), Real(p.y()), Real(p.z()), 0};
    }
    const int used = cg.solve(lanes, x, tolerance, 2000);
    if (iterations) *iterations = used;
    const Eigen::MatrixXd expected = unit * testing::dense_solve(s.dense(), rhs);
    double gap = 0, size = 0;
    for (int i = 0; i < s.n; ++i) {
        for (int c = 0; c < 3; ++c) {
            gap = std::max(gap, std::abs(double(x[std::size_t(i)][c]) - expected(i, c)));
            size = std::max(size, std::abs(expected(i, c)));
        }
    }
    return gap / size;
}

LineSystem grid_system(int nu, int nv, double bending, double weights, const std::vector<int>& pins) {
    SaddleProblem p("grid", testing::sheet(nu, nv), pins, 0.01);
    if (bending > 0) p.bend(bending);
    if (weights > 0) p.weigh(weights);
    LineSystem s;
    s.n = nu * nv;
    s.families.resize(2);
    for (int r = 0; r < p.rows.rows(); ++r) s.edges.push_back(p.constraint.ends(r));
    for (const RowChain& chain : p.constraint.chains())
        s.families[std::size_t(chain.family)].push_back(chain.vertex);
    s.stiffness = p.stiffness_matrix;
    s.pinned = p.pinned;
    s.diagonal = p.diagonal;
    s.weight = p.weight;
    s.scale = p.scale;
    return s;
}

TEST(LineCg, MatchesDenseOnGrids) {
    const std::vector<int> corners{0, 8}, edge{0, 1, 2, 3, 4, 5, 6, 7, 8};
    for (double bending : {0.0, 1e-5, 1e-2}) {
        for (double weights : {0.0, 30.0}) {
            for (const auto& pins : {std::vector<int>{}, corners, edge}) {
                const LineSystem s = grid_system(9, 7, bending, weights, pins);
                EXPECT_LT(line_cg_error<double>(s, 1e-12), 1e-9)
                    << bending << " " << weights << " " << pins.size();
                EXPECT_LT(line_cg_error<float>(s, 1e-5), 2e-3)
                    << bending << " " << weights << " " << pins.size();
            }
        }
    }
}

TEST(LineCg, SolvesASingleLineExactlyInOneIteration) {
    LineSystem s = grid_system(30, 2, 0, 100, {});
    s.families.resize(1);
    std::erase_if(s.edges, [](const auto& e) { return std::abs(e[0] - e[1]) != 1; });
    s.weight.resize(s.edges.size());
    s.families[0].clear();
    for (int j = 0; j < 2; ++j) {
        s.families[0].emplace_back();
        for (int i = 0; i < 30; ++i) s.families[0].back().push_back(30 * j + i);
    }
    int iterations = 0;
    EXPECT_LT(line_cg_error<double>(s, 1e-10, &iterations), 1e-11);
    EXPECT_EQ(iterations, 1);
}

// Random graphs with repeated edges, loops, lines that follow no edge, and pins anywhere.
TEST(LineCg, MatchesDenseOnGeneralGraphs) {
    for (unsigned seed : {1u, 2u, 3u}) {
        std::mt19937 random(seed);
        LineSystem s;
        s.n = 60;
        const auto pick = [&] { return int(random() % 60); };
        for (int e = 0; e < 150; ++e) s.edges.push_back({pick(), pick()});
        s.edges.push_back(s.edges[0]);
        s.edges.push_back({s.edges[1][1], s.edges[1][0]});
        s.edges.push_back({5, 5});
        std::vector<Triplet> triplets;
        for (int t = 0; t < 120; ++t) {
            const int a = pick(), b = pick();
            triplets.insert(triplets.end(), {{a, a, 1}, {b, b, 1}, {a, b, -1}, {b, a, -1}});
        }
        s.stiffness = SymmetricCsr(s.n, triplets);
        s.scale = seed == 3 ? 5.0 : 0.01;  // the last is stiff enough for the multilevel correction
        s.diagonal = random_numbers(60, 0.01, 0.05, seed);
        s.weight = random_numbers(s.edges.size(), 0, 0.3, seed + 10);
        s.pinned.assign(60, 0);
        s.pinned[7] = s.pinned[30] = 1;
        std::vector<int> order(60);
        for (int i = 0; i < 60; ++i) order[std::size_t(i)] = i;
        std::shuffle(order.begin(), order.end(), random);
        s.families.resize(2);
        s.families[0] = {{order.begin(), order.begin() + 25}, {order.begin() + 25, order.begin() + 50}};
        s.families[1] = {{order.begin() + 10, order.begin() + 13}};
        EXPECT_LT(line_cg_error<double>(s, 1e-12), 1e-9) << seed;
        s.families.clear();
        EXPECT_LT(line_cg_error<double>(s, 1e-12), 1e-9) << seed << " without lines";
    }
}

TEST(LineCg, ZeroRightHandSideGivesZero) {
    const LineSystem s = grid_system(5, 5, 1e-5, 1, {0});
    LineCg<float> cg;
    cg.analyse(s.n, &s.stiffness, s.edges, s.families, s.pinned);
    cg.assemble(s.diagonal, s.scale, s.weight, 1);
    LaneVector<float> b(std::size_t(s.n) + 1, Lanes<float>{}), x(b.size(), Lanes<float>{3, 3, 3, 3});
    EXPECT_EQ(cg.solve(b, x, 0.1, 10), 0);
    for (const auto& lanes : x) EXPECT_EQ(lanes[0], 0);
}

TEST(Multilevel, CorrectionIsSymmetricAndPositive) {
    const LineSystem s = grid_system(21, 17, 1e-2, 10, {0, 20});
    Multilevel<double> levels;
    levels.analyse(s.n, s.edges, s.pinned, s.families, s.stiffness);
    levels.assemble(s.diagonal, s.scale, s.weight, 0.01);
    using V = Lanes<double>;
    const auto draw = [&](unsigned seed) {
        const Points p = random_points(std::size_t(s.n), 1, seed);
        LaneVector<double> r(std::size_t(s.n) + 1, V{});
        for (std::size_t i = 0; i < p.size(); ++i) r[i] = V{p[i].x(), p[i].y(), p[i].z(), 0};
        return r;
    };
    const auto correction = [&](const LaneVector<double>& r) {
        LaneVector<double> z(r.size(), V{});
        levels.add_correction(r, z);
        return z;
    };
    const auto dot = [](const LaneVector<double>& a, const LaneVector<double>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            sum += a[i][0] * b[i][0] + a[i][1] * b[i][1] + a[i][2] * b[i][2];
        return sum;
    };
    for (unsigned seed = 1; seed < 6; ++seed) {
        const auto a = draw(seed), b = draw(seed + 100);
        const auto ma = correction(a), mb = correction(b);
        EXPECT_GT(dot(ma, a), 0);
        EXPECT_NEAR(dot(ma, b), dot(mb, a), 1e-12 * std::sqrt(dot(ma, a) * dot(mb, b)));
        EXPECT_EQ(ma[0][0], 0);  // pinned
    }
}

// The cycle must contract in the norm of H: stiff bending alone, with tension, with one yarn pulled hard.
TEST(LineCg, CycleContracts) {
    using V = Lanes<double>;
    for (double bending : {1e-2, 1.0}) {
        for (double tension : {0.0, 100.0}) {
            for (double pull : {0.0, 1e4}) {
                LineSystem s = grid_system(41, 33, bending, tension, {0, 40});
                s.weight.resize(s.edges.size(), 0.0);
                for (std::size_t e = 0; e < s.edges.size(); ++e) {
                    if (s.edges[e][0] < 41 && s.edges[e][1] < 41) s.weight[e] += pull * s.diagonal[50];
                }
                LineCg<double> cg;
                cg.analyse(s.n, &s.stiffness, s.edges, s.families, s.pinned);
                cg.assemble(s.diagonal, s.scale, s.weight, s.diagonal[50]);
                ASSERT_TRUE(cg.stiff());

                // Let the error go to its slowest mode and see how fast that dies.
                const Points start = random_points(std::size_t(s.n), 1, 5);
                LaneVector<double> e(std::size_t(s.n) + 1, V{}), r = e, c = e;
                for (std::size_t i = 0; i < start.size(); ++i) {
                    if (!s.pinned[i]) e[i] = V{start[i].x(), 0, 0, 0};
                }
                double before = 0, factor = 0;
                for (int k = 0; k < 30; ++k) {
                    cg.matrix().apply(e, r);
                    double energy = 0;
                    for (std::size_t i = 0; i < start.size(); ++i) energy += e[i][0] * r[i][0];
                    if (k > 0) factor = std::sqrt(energy / before);
                    before = energy;
                    cg.precondition(r, c);
                    for (std::size_t i = 0; i < start.size(); ++i) e[i] -= c[i];
                }
                EXPECT_LT(factor, 0.9) << bending << " " << tension << " " << pull;
            }
        }
    }
}

// Bending stiff in one direction makes the blocks of single lines indefinite.
TEST(LineCg, SolvesStiffUnequalBending) {
    for (int n : {9, 21}) {
        for (double warp : {0.0, 1e-2, 1.0}) {
            LineSystem s = grid_system(n, n, 0, 0, {0, n - 1});
            Model model = testing::sheet(n, n);
            forces::IsometricBending bending({warp, 1e-1});
            bending.prepare(model);
            s.stiffness = bending.matrix();
            s.scale = 1.0 / 14400;
            int iterations = 0;
            EXPECT_LT(line_cg_error<double>(s, 1e-9, &iterations), 1e-4) << n << " " << warp;
            EXPECT_LT(iterations, 250) << n << " " << warp;
        }
    }
}

}  // namespace
}  // namespace taut::linalg

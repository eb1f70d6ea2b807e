// Bend springs: which pairs of vertices they join on grids, sleeves, triangles and mixed meshes; closed forms
// of bent, stretched and sheared sheets; derivatives, momentum, bounds.
#include "taut/forces/bend_springs.hpp"

#include <algorithm>
#include <set>

#include "forces/force_probe.hpp"
#include "forces/sheets.hpp"
#include "sim/cloths.hpp"
#include "taut/base/parallel.hpp"
#include "taut/integrators/backward_euler.hpp"
#include "taut/mesh/yarns.hpp"

namespace taut::forces::bend_springs_tests {
namespace {

using namespace taut::testing;
using Pairs = std::vector<std::array<int, 2>>;

BendSprings prepared(const Model& model, double stiffness) {
    BendSprings springs({stiffness});
    springs.prepare(model);
    return springs;
}

Pairs pairs_of(const Model& model) {
    Pairs pairs;
    prepared(model, 1).add_pattern(pairs);
    return pairs;
}

Model triangles(int nu, int nv, double width = 1, double height = 1) {
    mesh::MadeMesh made = mesh::make_grid(nu, nv, width, height);
    mesh::split_quads(made);
    return model_of(made);
}

// Triangles among quads, with the yarns that pass through them.
Model mixed() {
    Model model = mixed_sheet();
    model.yarns = mesh::trace_yarns(model.edges, model.rest);
    return model;
}

// A closed mesh of triangles around the origin.
Model solid(Points corners, std::vector<mesh::Face> faces) {
    Model model;
    model.rest = std::move(corners);
    model.faces = std::move(faces);
    add_edges(model, [](int, int) { return mesh::Direction::none; });
    model.mass.assign(model.rest.size(), 1.0);
    return model;
}

// Each pair once, lower vertex first, and no edge among them.
void expect_sound(const Model& model) {
    const Pairs pairs = pairs_of(model);
    std::set<std::pair<int, int>> edges;
    for (const mesh::Edge& e : model.edges) edges.insert(std::minmax(e.a, e.b));
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        EXPECT_LT(pairs[k][0], pairs[k][1]);
        EXPECT_EQ(edges.count({pairs[k][0], pairs[k][1]}), 0u);
        if (k > 0) {
            EXPECT_LT(pairs[k - 1], pairs[k]);
        }
    }
}

TEST(BendSprings, GridsHaveThePairsOfThePaper) {
    Pairs expected;
    for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) {
            const int p = 4 * j + i;
            if (i + 2 < 4) expected.push_back({p, p + 2});
            if (j + 2 < 4) expected.push_back({p, p + 8});
            if (i + 2 < 4 && j + 2 < 4) expected.push_back({p, p + 10});
            if (i >= 2 && j + 2 < 4) expected.push_back({p, p + 6});
        }
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(pairs_of(sheet(4, 4)), expected);

    for (int nu : {2, 3, 5, 8}) {
        for (int nv : {2, 3, 6}) {
            const int count = nu * (nv - 2) + nv * (nu - 2) + 2 * (nu - 2) * (nv - 2);
            EXPECT_EQ(int(pairs_of(sheet(nu, nv)).size()), count) << nu << " x " << nv;
        }
    }
    EXPECT_EQ(pairs_of(chain(5)), (Pairs{{0, 2}, {1, 3}, {2, 4}}));
}

// Rings of three have no pair but edges; in rings of four two ways lead to the same one.
TEST(BendSprings, SleevesCloseAround) {
    for (int around : {3, 4, 5, 9}) {
        const int along = 5, columns = around * (along - 2);
        const int rings = along * (around == 3 ? 0 : around == 4 ? 2 : around);
        const int diagonals = around == 4 ? columns : 2 * columns;
        const Model model = sleeve(around, along);
        expect_sound(model);
        EXPECT_EQ(int(pairs_of(model).size()), columns + rings + diagonals) << around;
    }
}

// Along yarns as before; over the diagonal of a cell its other one, over a side a knight's move.
TEST(BendSprings, TrianglesBendAcrossTheirEdges) {
    const int nu = 5, nv = 4;
    const Model model = triangles(nu, nv);
    expect_sound(model);
    const Pairs pairs = pairs_of(model);
    int straight = 0, diagonal = 0, knight = 0;
    for (const auto& [a, b] : pairs) {
        const int di = std::abs(a % nu - b % nu), dj = std::abs(a / nu - b / nu);
        straight += di * dj == 0 && di + dj == 2;
        diagonal += di == 1 && dj == 1;
        knight += di * dj == 2 && di + dj == 3;
    }
    EXPECT_EQ(straight, nu * (nv - 2) + nv * (nu - 2));
    EXPECT_EQ(diagonal, (nu - 1) * (nv - 1));
    EXPECT_EQ(knight, (nu - 1) * (nv - 2) + (nu - 2) * (nv - 1));
    EXPECT_EQ(straight + diagonal + knight, int(pairs.size()));
}

// Cells 8 9 15 14 and 14 15 21 20 are split; across their common side lies a pair that a yarn has as well.
TEST(BendSprings, MixedMeshesTakeWhatEachFaceAllows) {
    const Model model = mixed();
    expect_sound(model);
    const Pairs pairs = pairs_of(model);
    const auto has = [&](int a, int b) {
        return std::find(pairs.begin(), pairs.end(), std::array<int, 2>{a, b}) != pairs.end();
    };
    EXPECT_TRUE(has(9, 14) && has(14, 21));  // their other diagonals
    EXPECT_FALSE(has(8, 15) || has(15, 20));
    EXPECT_FALSE(has(1, 15));  // through vertex 8, which has triangles
    EXPECT_TRUE(has(6, 8) && has(2, 14) && has(8, 20));
    EXPECT_TRUE(has(21, 35) && has(23, 33));
}

TEST(BendSprings, ClosedSolidsRepeatNothing) {
    const Model tetrahedron = solid({Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)},
                                    {{{0, 1, 2, -1}}, {{0, 3, 1, -1}}, {{0, 2, 3, -1}}, {{1, 3, 2, -1}}});
    EXPECT_TRUE(pairs_of(tetrahedron).empty());
    Model octahedron =
        solid({Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)},
              {{{0, 2, 4, -1}},
               {{2, 1, 4, -1}},
               {{1, 3, 4, -1}},
               {{3, 0, 4, -1}},
               {{2, 0, 5, -1}},
               {{1, 2, 5, -1}},
               {{3, 1, 5, -1}},
               {{0, 3, 5, -1}}});
    EXPECT_EQ(pairs_of(octahedron), (Pairs{{0, 1}, {2, 3}, {4, 5}}));
}

// Nothing passes a vertex with three or five quads around it.
TEST(BendSprings, IrregularVerticesHaveNone) {
    for (int n : {3, 5}) EXPECT_TRUE(pairs_of(quad_star(n)).empty()) << n;
    EXPECT_EQ(pairs_of(quad_star(4)).size(), 2u);
}

TEST(BendSprings, RestIsAtRest) {
    for (const Model& model : {sheet(6, 5), sleeve(7, 5), triangles(5, 5), mixed()}) {
        const BendSprings springs = prepared(model, 3.0);
        EXPECT_LT(springs.energy(model.rest), 1e-28);
        for (const Vec3& f : force_at(springs, model.rest)) EXPECT_LT(f.norm(), 1e-14);
    }
}

// Rolled up along weft with all edges kept, pairs over two cells become chords, shorter by l angle^2 / 4.
TEST(BendSprings, CylinderHasTheClosedFormEnergy) {
    const int nu = 9, nv = 6;
    const double l = 0.1, k = 2;
    const Model model = sheet(nu, nv, l * (nu - 1), l * (nv - 1));
    const BendSprings springs = prepared(model, k);
    for (double angle : {0.5, 0.02}) {
        const double radius = 0.5 * l / std::sin(0.5 * angle), chord = 2 * l * std::cos(0.5 * angle);
        Points arc = model.rest;
        for (Vec3& p : arc) p.x() *= radius * angle / l;
        const double energy = springs.energy(roll(arc, radius, 0));
        const double straight = chord - 2 * l, diagonal = std::hypot(chord, 2 * l) - std::sqrt(8.0) * l;
        const double count = nv * (nu - 2), crossed = 2 * (nu - 2) * (nv - 2);
        EXPECT_NEAR(energy, 0.5 * k * (count * straight * straight + crossed * diagonal * diagonal),
                    1e-8 * energy);

        // Half of it along yarns, half across diagonals: k l^2 angle^4 / 16 at a vertex inside.
        const double small = k * l * l * std::pow(angle, 4) / 32 * (count + 0.5 * crossed);
        EXPECT_NEAR(energy, small, 0.1 * angle * angle * small);
    }
}

// Sheared with all edges kept, only the pairs across diagonals change: as shear springs four times as stiff.
TEST(BendSprings, TrellisedSheetHasTheClosedFormEnergy) {
    const double angle = 0.3, l = 0.1;
    const Model model = sheet(5, 4, 4 * l, 3 * l);
    Points x;
    for (const Vec3& p : model.rest)
        x.push_back({p.x() + p.y() * std::sin(angle), p.y() * std::cos(angle), 0});
    const double half = M_PI / 4 - angle / 2;
    const double longer = 4 * l * std::cos(half) - std::sqrt(8) * l,
                 shorter = 4 * l * std::sin(half) - std::sqrt(8) * l;
    EXPECT_NEAR(prepared(model, 2).energy(x), 6 * (longer * longer + shorter * shorter), 1e-13);
}

// Along yarns by twice the strain of a cell, across diagonals by what that is in their direction.
TEST(BendSprings, StretchedSheetHasTheClosedFormEnergy) {
    const int nu = 6, nv = 5;
    const double l = 0.1, k = 2, strain = 0.01;
    const Model model = sheet(nu, nv, l * (nu - 1), l * (nv - 1));
    Points x = model.rest;
    for (Vec3& p : x) p.x() *= 1 + strain;
    const double straight = 2 * l * strain,
                 diagonal = std::hypot(2 * l * (1 + strain), 2 * l) - std::sqrt(8) * l;
    const double count = nv * (nu - 2), crossed = 2 * (nu - 2) * (nv - 2);
    EXPECT_NEAR(prepared(model, k).energy(x),
                0.5 * k * (count * straight * straight + crossed * diagonal * diagonal), 1e-15);
    EXPECT_NEAR(diagonal, std::sqrt(2) * l * strain, strain * strain * l);
}

// What limits explicit steps: omega^2 m is below 8 k, and near it on a sheet of some size.
TEST(BendSprings, StiffestModeOfASheetAtRest) {
    const Model model = sheet(11, 11);
    const double stiffest = symmetric_eigenvalues(dense_hessian(prepared(model, 3), model.rest)).back();
    EXPECT_LT(stiffest, 8 * 3.0);
    EXPECT_GT(stiffest, 0.9 * 8 * 3.0);
}

TEST(BendSprings, ForceIsTheGradientAndInternal) {
    for (const Model& model : {sheet(5, 5), sleeve(7, 5), triangles(4, 5), mixed()}) {
        const BendSprings springs = prepared(model, 3.0);
        for (unsigned seed : {1u, 2u}) {
            const Points x = shaken(model.rest, 0.04, seed);
            expect_force_is_minus_gradient(springs, x, 1e-4, 1e-6);
            expect_internal(springs, x, 1e-12);
        }
    }
}

TEST(BendSprings, HessianIsExactWhereAllPull) {
    for (const Model& model : {sleeve(7, 5), mixed()}) {
        const BendSprings springs = prepared(model, 3.0);
        Points x = shaken(model.rest, 0.01, 4);
        for (Vec3& p : x) p *= 1.5;
        const MatrixXd hessian = dense_hessian(springs, x);
        const auto gradient = [&](const VectorXd& q) {
            return VectorXd(-vector_of(force_at(springs, points_of(q))));
        };
        EXPECT_TRUE(agrees(jacobian_error(gradient, vector_of(x), hessian, 1e-5), 1e-6));
    }
}

TEST(BendSprings, HessianIsPositiveAndBoundedByTheMajorant) {
    const Model model = mixed();
    const BendSprings springs = prepared(model, 3.0);
    const MatrixXd k = dense_stiffness(springs, model.vertex_count());
    EXPECT_EQ(largest(k - k.transpose()), 0);
    EXPECT_LT(largest(k.rowwise().sum()), 1e-12);
    for (unsigned seed : {4u, 5u}) {
        const Points x = shaken(model.rest, 0.08, seed);
        EXPECT_GE(symmetric_eigenvalues(dense_hessian(springs, x)).front(), -1e-9 * largest(k));
        EXPECT_GE(majorant_gap(springs, x, 1e-5), -1e-6 * largest(k));
    }
}

TEST(BendSprings, AllowNoStiffnessAndNoPairs) {
    const Model model = sheet(4, 4);
    const BendSprings none = prepared(model, 0);
    EXPECT_EQ(none.energy(shaken(model.rest, 0.1, 1)), 0);
    EXPECT_EQ(largest(dense_stiffness(none, 16)), 0);
    const Model quad = sheet(2, 2);
    EXPECT_EQ(prepared(quad, 3).energy(shaken(quad.rest, 0.1, 1)), 0);
}

TEST(BendSprings, SameBitsForAnyThreadCount) {
    const Model model = sheet(80, 60);
    const BendSprings springs = prepared(model, 5);
    const Points x = shaken(model.rest, 0.003, 6);
    const Points many = force_at(springs, x);
    const double energy = springs.energy(x);
    const ThreadLimit one(1);
    EXPECT_EQ(force_at(springs, x), many);
    EXPECT_EQ(springs.energy(x), energy);
}

// A folded strip opens under stiff springs at steps far beyond what an explicit method bears.
TEST(BendSprings, BackwardEulerIsStableAtLongSteps) {
    const Model model = sheet(9, 3, 0.8, 0.2);
    State start = at_rest(model);
    start.x = roll(model.rest, 0.15, 0);
    Simulation simulation(model, start,
                          pipeline(std::make_unique<integrators::BackwardEuler>(),
                                   std::make_unique<BendSprings>(BendSpringsParams{1000})),
                          {});
    double energy = simulation.totals().energy_start;
    EXPECT_GT(energy, 0);
    for (int n = 0; n < 60; ++n) {
        const StepResult r = step(simulation, 1.0 / 60);
        EXPECT_TRUE(r.report.held) << r.report.note;
        EXPECT_LE(r.report.energy(), energy * (1 + 1e-9) + 1e-9);
        energy = r.report.energy();
    }
    EXPECT_LT(energy, 0.01 * simulation.totals().energy_start);
}

}  // namespace
}  // namespace taut::forces::bend_springs_tests

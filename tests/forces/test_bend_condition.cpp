// Bend conditions: derivatives from flat to sharply folded, rest shapes, and the energy of cylinders against
// the stiffness that was asked for.
#include "taut/forces/bend_condition.hpp"

#include <numbers>

#include "forces/condition_checks.hpp"

namespace taut::forces::bend_condition_tests {
namespace {

using namespace taut::testing;

constexpr double pi = std::numbers::pi;

BendCondition with(const Model& model, const std::string& curvature, const std::string& rest = "flat") {
    return ready_force<BendCondition>(
        model, {.weft = 2e-4, .warp = 5e-4, .damping = 0.03, .rest = rest, .curvature = curvature});
}

TEST(BendCondition, DerivativesAndMomentum) {
    const Model model = skewed_sheet();
    for (unsigned seed : {1u, 2u, 3u}) {
        // From gentle to sharp folds.
        const Points x = shaken(model.rest, 0.02 * seed, seed), v = random_points(x.size(), 1, seed + 10);
        const BendCondition exact = with(model, "exact");
        expect_derivatives(exact, x, v, 1e-4);
        expect_keeps_momentum(exact, x, v);
        expect_damps_deformation_alone(exact, x, v);
        expect_positive(exact, with(model, "positive"), with(model, "none"), x, v);
    }
}

// Two triangles; a wing turned far up. In motion d k dC (d2C v)^T is left out, the rest is exact.
TEST(BendCondition, AClosedFoldInMotion) {
    Model model;
    model.rest = {{0, 0, 0}, {0.1, 0, 0}, {0.03, 0.08, 0}, {0.07, -0.06, 0}};
    model.faces = {{{0, 1, 2, -1}}, {{1, 0, 3, -1}}};
    model.mass.assign(4, 1);
    const BendCondition force = with(model, "exact");
    Points x = model.rest;
    x[3] = Vec3(0.07, 0.055, 0.02);
    const Points v = random_points(4, 1, 3);
    expect_derivatives(force, x, v, 1e-5);
    const elements::HingePoints hinge{x[0], x[1], x[2], x[3]};
    EXPECT_GT(std::abs(elements::dihedral_angle(hinge)), 2.7);
    const elements::HingeGradient g = elements::dihedral_gradient(hinge);
    const elements::HingeHessian h = elements::dihedral_hessian(hinge);
    // Weft runs along x or y here as the seed chose: read the stiffness off the energy.
    const double angle = elements::dihedral_angle(hinge), stiffness = 2 * force.energy(x) / (angle * angle);
    MatrixXd whole = dense_hessian(force, x, v);
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            Vec3 turn = Vec3::Zero();
            for (int k = 0; k < 4; ++k) turn += h[j][k] * v[k];
            whole.block<3, 3>(3 * i, 3 * j) += 0.03 * stiffness * g[i] * turn.transpose();
        }
    }
    const auto minus_force = [&](const VectorXd& q) {
        return VectorXd(-vector_of(force_at(force, points_of(q), v)));
    };
    EXPECT_TRUE(agrees(jacobian_error(minus_force, vector_of(x), whole, 1e-5), 1e-6));
}

// Where nothing is bent all forms of the Hessian are the same, and below the constant bound.
TEST(BendCondition, PositiveIsExactWhereFlat) {
    const Model model = skewed_sheet();
    const Points x = moved_rigidly(model.rest);
    const MatrixXd exact = dense_hessian(with(model, "exact"), x);
    EXPECT_GE(least_eigenvalue(exact), -1e-12);
    EXPECT_LT(largest(exact - dense_hessian(with(model, "positive"), x)), 1e-10 * largest(exact));
    EXPECT_LT(largest(exact - dense_hessian(with(model, "none"), x)), 1e-10 * largest(exact));
    const BendCondition force = with(model, "exact");
    EXPECT_GE(majorant_gap(force, x, 1e-5), -1e-6 * largest(dense_stiffness(force, model.vertex_count())));
}

TEST(BendCondition, RestsFlatOrInItsShape) {
    const Model flat = skewed_sheet();
    expect_no_force(with(flat, "none"), flat.rest, 1e-2);
    Model bent = flat;
    bent.rest = roll(flat.rest, 0.3, 0.4);
    expect_no_force(with(bent, "none", "shape"), bent.rest, 1e-2);
    EXPECT_GT(largest_of(force_at(with(bent, "none"), bent.rest)), 1e-4);
    EXPECT_LT(with(bent, "none", "shape").energy(bent.rest), 1e-30);
}

// A rest angle near half a turn: a little more is a little more, not a whole turn less.
TEST(BendCondition, FoldsBeyondHalfATurnGoOn) {
    Model model;
    model.rest = {{0, 0, 0}, {0.1, 0, 0}, {0.05, 0.08, 0.002}, {0.05, 0.08, -0.002}};
    model.faces = {{{0, 1, 2, -1}}, {{1, 0, 3, -1}}};
    model.mass.assign(4, 1);
    const BendCondition force = with(model, "none", "shape");
    Points x = model.rest;
    std::swap(x[2].z(), x[3].z());
    EXPECT_LT(force.energy(x), 1e-4);
    EXPECT_GT(force.energy(x), 0);
}

// Energy over 1/2 B A / R^2, without the rim that has no hinges.
double factor(const Model& flat, double weft, double warp, double angle, double inner) {
    const BendCondition force = ready_force<BendCondition>(flat, {.weft = weft, .warp = warp});
    const double radius = 1;
    return force.energy(roll(flat.rest, radius, angle)) / (0.5 * inner / (radius * radius));
}

// Bent along a side a grid of right triangles has exactly the energy asked for, weft and warp apart.
TEST(BendCondition, CylindersAlongTheSidesAreExact) {
    for (const int n : {6, 21}) {
        const Model model = flat_grid(n, 2 * n, 1, 0.8);
        const double own = 0.8 * (n - 2) / (n - 1), other = 0.8 * (2 * n - 2) / (2 * n - 1);
        EXPECT_NEAR(factor(model, 3, 7, 0, own), 3, 1e-9);
        EXPECT_NEAR(factor(model, 3, 7, pi / 2, other), 7, 1e-9);
    }
}

// Along and across the diagonals the factors are 3 and 1, as for every hinge model with one split.
TEST(BendCondition, CylindersAlongTheDiagonalsDependOnTheSplit) {
    const Model model = flat_grid(81, 81, 0.5, 0.5);
    const double along = factor(model, 1, 1, pi / 4, 0.25), across = factor(model, 1, 1, -pi / 4, 0.25);
    RecordProperty("along_the_split", std::to_string(along));
    RecordProperty("across_the_split", std::to_string(across));
    EXPECT_NEAR(along, 3, 0.09);
    EXPECT_NEAR(across, 1, 0.03);
}

// Equilateral triangles, rows along x.
Model equilateral(int n, double side) {
    Model model;
    const double height = side * std::sqrt(0.75);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) model.rest.push_back(Vec3(side * (i + 0.5 * (j % 2)), height * j, 0));
    }
    for (int j = 0; j + 1 < n; ++j) {
        for (int i = 0; i + 1 < n; ++i) {
            const int a = j * n + i, b = a + n;
            if (j % 2 == 0) {
                model.faces.push_back({{a, a + 1, b, -1}});
                model.faces.push_back({{a + 1, b + 1, b, -1}});
            } else {
                model.faces.push_back({{a, a + 1, b + 1, -1}});
                model.faces.push_back({{a, b + 1, b, -1}});
            }
        }
    }
    model.mass.assign(model.rest.size(), 1);
    return model;
}

// Every direction is alike on equilateral triangles, and has the stiffness asked for.
TEST(BendCondition, EquilateralTrianglesBendAlikeInAllDirections) {
    const int n = 81;
    const double side = 0.5 / n;
    const Model model = equilateral(n, side);
    const double area = total_area(model);
    for (const double angle : {0.0, pi / 12, pi / 6, pi / 4, pi / 3, pi / 2}) {
        const double f = factor(model, 1, 1, angle, area);
        RecordProperty("at_" + std::to_string(int(std::round(angle * 180 / pi))), std::to_string(f));
        EXPECT_NEAR(f, 1, 0.03) << angle;
    }
    // Where stiffness differs, edges askew mix it: a third of what bends along the rows is the other one.
    EXPECT_NEAR(factor(model, 1, 0, 0, area), 2.0 / 3, 0.02);
    EXPECT_NEAR(factor(model, 1, 0, pi / 2, area), 0, 1e-9);
    EXPECT_NEAR(factor(model, 0, 1, pi / 2, area), 1, 0.03);
}

TEST(BendCondition, SameBitsForAnyThreadCount) {
    const Model model = jittered_grid(80, 60, 1, 1, 0.2);
    const Points x = shaken(model.rest, 0.003, 6), v = random_points(x.size(), 1, 7);
    expect_same_bits(with(model, "none"), x, v);
    expect_same_bits(with(model, "positive"), x, v);
}

}  // namespace
}  // namespace taut::forces::bend_condition_tests

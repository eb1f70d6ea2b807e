// Shear springs: closed form for a trellised square, derivatives, momentum, and the majorant.
#include "taut/forces/shear_springs.hpp"

#include "forces/force_probe.hpp"
#include "forces/sheets.hpp"
#include "taut/base/parallel.hpp"

namespace taut::forces::shear_springs_tests {
namespace {

using namespace taut::testing;

ShearSprings prepared(const Model& model, double stiffness) {
    ShearSprings springs({stiffness});
    springs.prepare(model);
    return springs;
}

TEST(ShearSprings, TrellisedSheetHasTheClosedFormEnergy) {
    const Model model = flat_grid(5, 4, 0.4, 0.3);
    const ShearSprings springs = prepared(model, 2.0);
    EXPECT_NEAR(springs.energy(model.rest), 0, 1e-20);

    // Shear by an angle with all edges kept: diagonals become 2 l cos and 2 l sin of half angles.
    const double angle = 0.3, l = 0.1;
    Points x;
    for (const Vec3& p : model.rest)
        x.push_back({p.x() + p.y() * std::sin(angle), p.y() * std::cos(angle), 0});
    const double half = M_PI / 4 - angle / 2;
    const double longer = 2 * l * std::cos(half) - std::sqrt(2) * l,
                 shorter = 2 * l * std::sin(half) - std::sqrt(2) * l;
    EXPECT_NEAR(springs.energy(x), 12 * (longer * longer + shorter * shorter), 1e-14);
}

TEST(ShearSprings, ForceIsTheGradientAndInternal) {
    const Model model = mixed_sheet();
    const ShearSprings springs = prepared(model, 3.0);
    for (unsigned seed : {1u, 2u, 3u}) {
        const Points x = shaken(model.rest, 0.05, seed);
        expect_force_is_minus_gradient(springs, x, 1e-4, 1e-6);
        expect_internal(springs, x, 1e-13);
    }
}

TEST(ShearSprings, ConstantLaplacianBoundsTheHessian) {
    const Model model = mixed_sheet();
    const ShearSprings springs = prepared(model, 3.0);
    const MatrixXd k = dense_stiffness(springs, model.vertex_count());
    EXPECT_EQ(largest(k - k.transpose()), 0);
    for (unsigned seed : {4u, 5u}) {
        EXPECT_GE(majorant_gap(springs, shaken(model.rest, 0.08, seed), 1e-5), -1e-6 * largest(k));
    }
}

TEST(ShearSprings, IgnoreTrianglesAndAllowNone) {
    Model model = flat_grid(2, 2, 1, 1);
    model.faces = {{{0, 1, 3, -1}}, {{0, 3, 2, -1}}};
    const ShearSprings springs = prepared(model, 3.0);
    EXPECT_EQ(springs.energy(shaken(model.rest, 0.2, 1)), 0);
    EXPECT_EQ(largest(dense_stiffness(springs, 4)), 0);
    EXPECT_EQ(largest(dense_stiffness(prepared(flat_grid(3, 3, 1, 1), 0), 9)), 0);
}

TEST(ShearSprings, SameBitsForAnyThreadCount) {
    const Model model = flat_grid(80, 60, 1, 1);
    const ShearSprings springs = prepared(model, 0.05);
    const Points x = shaken(model.rest, 0.003, 6);
    const Points many = force_at(springs, x);
    const double energy = springs.energy(x);
    const ThreadLimit one(1);
    EXPECT_EQ(force_at(springs, x), many);
    EXPECT_EQ(springs.energy(x), energy);
}

}  // namespace
}  // namespace taut::forces::shear_springs_tests

// Shear conditions: derivatives, states without shear, and the force of simple shear whatever the mesh.
#include "taut/forces/shear_condition.hpp"

#include "forces/condition_checks.hpp"

namespace taut::forces::shear_condition_tests {
namespace {

using namespace taut::testing;

ShearCondition with(const Model& model, const std::string& curvature) {
    return ready_force<ShearCondition>(model, {.stiffness = 20, .damping = 0.03, .curvature = curvature});
}

TEST(ShearCondition, DerivativesAndMomentum) {
    const Model model = skewed_sheet();
    for (unsigned seed : {1u, 2u, 3u}) {
        const Points x = shaken(model.rest, 0.05, seed), v = random_points(x.size(), 1, seed + 10);
        const ShearCondition exact = with(model, "exact");
        expect_derivatives(exact, x, v, 1e-4);
        expect_keeps_momentum(exact, x, v);
        expect_damps_deformation_alone(exact, x, v);
        expect_positive(exact, with(model, "positive"), with(model, "none"), x, v);
    }
}

// Without shear all forms are the same, however far the cloth stretches.
TEST(ShearCondition, PositiveIsExactWithoutShear) {
    const Model model = flat_grid(5, 4, 1, 0.7);
    Points x = model.rest;
    for (Vec3& p : x) p = Vec3(1.3 * p.x(), 0.8 * p.y(), 0);
    x = moved_rigidly(x);
    expect_no_force(with(model, "exact"), x, 20);
    const MatrixXd exact = dense_hessian(with(model, "exact"), x);
    EXPECT_LT(largest(exact - dense_hessian(with(model, "positive"), x)), 1e-12 * largest(exact));
    EXPECT_LT(largest(exact - dense_hessian(with(model, "none"), x)), 1e-12 * largest(exact));
    EXPECT_GE(least_eigenvalue(exact), -1e-12);
}

TEST(ShearCondition, RestsInItsPattern) {
    const Model model = skewed_sheet();
    expect_no_force(with(model, "positive"), model.rest, 20);
}

// Simple shear by g: force per width is stiffness times g along the top, energy k g^2 / 2 an area.
TEST(ShearCondition, ForcePerWidthIsStiffnessTimesShear) {
    const double g = 0.2;
    for (const int n : {3, 5, 17}) {
        const Model model = flat_grid(2 * n - 1, n, 0.8, 0.5);
        const ShearCondition force = with(model, "positive");
        Points x = model.rest;
        for (Vec3& p : x) p.x() += g * p.y();
        const Points f = force_at(force, x);
        double pull = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (model.rest[i].y() > 0.5 - 1e-9) pull -= f[i].x();
        }
        // What the two ends bear across cancels at the corners.
        EXPECT_NEAR(pull, 20 * g * 0.8, 1e-12);
        EXPECT_NEAR(force.energy(x), 0.5 * 20 * g * g * 0.4, 1e-12);
    }
}

// The bound holds for cloth that shears and does not stretch: every quad a rhombus.
TEST(ShearCondition, TheConstantMatrixBoundsTheHessianOfShear) {
    for (const double angle : {0.1, 0.7, 1.2}) {
        const Model model = flat_grid(4, 4, 0.6, 0.6);
        const ShearCondition force = with(model, "exact");
        Points x = model.rest;
        for (Vec3& p : x) p = Vec3(p.x() + std::sin(angle) * p.y(), std::cos(angle) * p.y(), 0);
        EXPECT_GE(majorant_gap(force, x, 1e-5),
                  -1e-6 * largest(dense_stiffness(force, model.vertex_count())));
    }
}

TEST(ShearCondition, SameBitsForAnyThreadCount) {
    const Model model = jittered_grid(80, 60, 1, 1, 0.2);
    const Points x = shaken(model.rest, 0.003, 6);
    expect_same_bits(with(model, "positive"), x, random_points(x.size(), 1, 7));
}

}  // namespace
}  // namespace taut::forces::shear_condition_tests

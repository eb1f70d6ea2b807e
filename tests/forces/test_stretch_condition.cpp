// Stretch conditions: derivatives, rest states with any rest lengths, and tension per width whatever the
// mesh.
#include "taut/forces/stretch_condition.hpp"

#include <numbers>

#include "forces/condition_checks.hpp"

namespace taut::forces::stretch_condition_tests {
namespace {

using namespace taut::testing;

StretchConditionParams params(const std::string& curvature) {
    return {.weft = 30,
            .warp = 50,
            .bias = 12,
            .weft_rest = 1.05,
            .warp_rest = 0.95,
            .damping = 0.02,
            .curvature = curvature};
}

StretchCondition with(const Model& model, const std::string& curvature) {
    return ready_force<StretchCondition>(model, params(curvature));
}

TEST(StretchCondition, DerivativesAndMomentum) {
    const Model model = skewed_sheet();
    for (unsigned seed : {1u, 2u, 3u}) {
        const Points x = shaken(model.rest, 0.05, seed), v = random_points(x.size(), 1, seed + 10);
        const StretchCondition exact = with(model, "exact");
        expect_derivatives(exact, x, v, 1e-4);
        expect_keeps_momentum(exact, x, v);
        expect_damps_deformation_alone(exact, x, v);
        expect_positive(exact, with(model, "positive"), with(model, "none"), x, v);
    }
}

TEST(StretchCondition, PositiveIsExactWhereAllPull) {
    const Model model = skewed_sheet();
    Points x = shaken(model.rest, 0.01, 4);
    for (Vec3& p : x) p *= 1.5;
    const MatrixXd exact = dense_hessian(with(model, "exact"), x),
                   positive = dense_hessian(with(model, "positive"), x);
    EXPECT_LT(largest(exact - positive), 1e-13 * largest(exact));
    EXPECT_GT(largest(exact - dense_hessian(with(model, "none"), x)), 0.1 * largest(exact));
}

TEST(StretchCondition, TheConstantMatrixBoundsTheHessian) {
    const Model model = skewed_sheet();
    const StretchCondition force = with(model, "exact");
    for (unsigned seed : {1u, 2u}) {
        const Points x = shaken(model.rest, 0.1, seed);
        EXPECT_GE(majorant_gap(force, x, 1e-5),
                  -1e-6 * largest(dense_stiffness(force, model.vertex_count())));
    }
}

// The rest state is the pattern scaled by the rest lengths, the bias included.
TEST(StretchCondition, RestsWhereItsRestLengthsSay) {
    const Model model = skewed_sheet();
    expect_no_force(ready_force<StretchCondition>(model, {.weft = 30, .warp = 50, .bias = 12}), model.rest,
                    50);
    Points x = model.rest;
    Model straight = jittered_grid(5, 4, 1, 0.7, 0.2);
    // Straight sides: weft along x in every triangle.
    straight.pattern.assign(straight.faces.size(), {});
    for (std::size_t f = 0; f < straight.faces.size(); ++f) {
        for (int k = 0; k < 4; ++k)
            straight.pattern[f][k] = straight.rest[straight.faces[f].corner[k]].head<2>();
    }
    x = straight.rest;
    for (Vec3& p : x) p = Vec3(1.05 * p.x(), 0.95 * p.y(), 0);
    expect_no_force(with(straight, "positive"), x, 50);
    EXPECT_NEAR(with(straight, "positive").energy(x), 0, 1e-20);
    EXPECT_GT(with(straight, "positive").energy(straight.rest), 1e-2);
}

// Tension per width is stiffness times strain, for coarse and fine meshes, along weft and along warp.
TEST(StretchCondition, TensionPerWidthIsStiffnessTimesStrain) {
    for (const int n : {3, 5, 17}) {
        const Model model = flat_grid(n, 2 * n - 1, 0.8, 0.5);
        const StretchCondition force = ready_force<StretchCondition>(model, {.weft = 40, .warp = 90});
        for (const bool along_weft : {true, false}) {
            Points x = model.rest;
            for (Vec3& p : x) (along_weft ? p.x() : p.y()) *= 1.05;
            const Points f = force_at(force, x);
            double pull = 0, rest = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double at = along_weft ? model.rest[i].x() / 0.8 : model.rest[i].y() / 0.5;
                if (at > 1 - 1e-9) pull -= along_weft ? f[i].x() : f[i].y();
                if (at > 1e-9 && at < 1 - 1e-9) rest = std::max(rest, f[i].norm());
            }
            const double expected = along_weft ? 40 * 0.05 * 0.5 : 90 * 0.05 * 0.8;
            EXPECT_NEAR(pull, expected, 1e-12);
            EXPECT_LT(rest, 1e-12);
            EXPECT_NEAR(force.energy(x), 0.5 * (along_weft ? 40 : 90) * 0.0025 * 0.4, 1e-12);
        }
    }
}

// Threads along the bias are weft and warp of cloth cut at 45 degrees.
TEST(StretchCondition, BiasIsTheGrainTurnedByHalfARightAngle) {
    Model straight = flat_grid(5, 4, 1, 0.7), turned = straight;
    straight.cloths.push_back({.name = "a", .vertex_count = 20, .face_count = 12});
    turned.cloths.push_back(
        {.name = "a", .vertex_count = 20, .face_count = 12, .grain = std::numbers::pi / 4});
    const StretchCondition bias = ready_force<StretchCondition>(straight, {.weft = 0, .warp = 0, .bias = 30});
    const StretchCondition cut = ready_force<StretchCondition>(turned, {.weft = 30, .warp = 30});
    const Points x = shaken(straight.rest, 0.05, 3), v = random_points(20, 1, 4);
    EXPECT_LT(largest_of(difference(force_at(bias, x, v), force_at(cut, x, v))), 1e-12);
    EXPECT_NEAR(bias.energy(x), cut.energy(x), 1e-13);
}

TEST(StretchCondition, SameBitsForAnyThreadCount) {
    const Model model = jittered_grid(80, 60, 1, 1, 0.2);
    const Points x = shaken(model.rest, 0.003, 6);
    expect_same_bits(with(model, "positive"), x, random_points(x.size(), 1, 7));
}

}  // namespace
}  // namespace taut::forces::stretch_condition_tests

// Air drag on sheets: closed forms for a plate, dissipation relative to the wind, the damping
// diagonal as a bound on the slope, and stability of one implicit step of any length.
#include "taut/forces/air_drag.hpp"

#include "forces/force_probe.hpp"
#include "forces/sheets.hpp"
#include "taut/base/parallel.hpp"

namespace taut::forces {
namespace {

using namespace taut::testing;

Vec3 total(const Points& f) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : f) sum += p;
    return sum;
}

TEST(AirDrag, FlatSheetAcrossTheWindFeelsThePlateFormula) {
    const Model model = flat_grid(7, 5, 2, 1);
    AirDragParams params;
    params.wind = Vec3(0, 0, 3);
    AirDrag drag(params);
    drag.prepare(model);
    const Vec3 f = total(force_at(drag, model.rest));
    EXPECT_TRUE(f.isApprox(Vec3(0, 0, 0.5 * 1.2 * 1.0 * 2 * 9), 1e-12));
}

TEST(AirDrag, SheetAlongTheWindFeelsSkinFriction) {
    const Model model = flat_grid(7, 5, 2, 1);
    AirDragParams params;
    params.wind = Vec3(3, 0, 0);
    AirDrag drag(params);
    drag.prepare(model);
    EXPECT_TRUE(total(force_at(drag, model.rest)).isApprox(Vec3(0.5 * 1.2 * 0.02 * 2 * 9, 0, 0), 1e-12));
}

TEST(AirDrag, VanishesWhenTheSheetRidesTheWind) {
    const Model model = mixed_sheet();
    AirDragParams params;
    params.wind = Vec3(1, 2, -1);
    AirDrag drag(params);
    drag.prepare(model);
    const Points v(model.rest.size(), params.wind);
    for (const Vec3& f : force_at(drag, shaken(model.rest, 0.05, 3), v)) EXPECT_LT(f.norm(), 1e-14);
}

TEST(AirDrag, DissipatesRelativeToTheWind) {
    const Model model = mixed_sheet();
    AirDragParams params;
    params.wind = Vec3(4, -1, 2);
    AirDrag drag(params);
    drag.prepare(model);
    for (unsigned seed = 1; seed < 20; ++seed) {
        const Points x = shaken(model.rest, 0.1, seed);
        const Points v = shaken(Points(x.size(), Vec3::Zero()), 5, seed + 100);
        const Points f = force_at(drag, x, v);
        double power = 0;
        for (std::size_t i = 0; i < x.size(); ++i) power += f[i].dot(v[i] - params.wind);
        EXPECT_LT(power, 0);
    }
}

TEST(AirDrag, DampingBoundsTheSlope) {
    const Model model = mixed_sheet();
    AirDrag drag({});
    drag.prepare(model);
    const Points x = shaken(model.rest, 0.1, 8);
    const Points v = shaken(Points(x.size(), Vec3::Zero()), 5, 9);
    std::vector<double> diagonal(x.size(), 0.0);
    drag.add_damping({x, v, 0}, diagonal);

    // Take -df/dv by differences and look at the smallest eigenvalue of D - (-df/dv).
    const VectorXd q = vector_of(v);
    const auto n = q.size();
    MatrixXd gap(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
        VectorXd plus = q, minus = q;
        plus[k] += 1e-4;
        minus[k] -= 1e-4;
        gap.col(k) =
            (vector_of(force_at(drag, x, points_of(plus))) - vector_of(force_at(drag, x, points_of(minus)))) /
            2e-4;
        gap(k, k) += diagonal[static_cast<std::size_t>(k / 3)];
    }
    EXPECT_GE(symmetric_eigenvalues(0.5 * (gap + gap.transpose())).front(), -1e-9);
}

TEST(AirDrag, LinearlyImplicitStepsOfAnyLengthLoseEnergy) {
    Model model = flat_grid(4, 4, 1, 1);
    model.mass.assign(16, 1e-3);
    AirDrag drag({});
    drag.prepare(model);
    const auto squares = [](const Points& v) {
        double sum = 0;
        for (const Vec3& p : v) sum += p.squaredNorm();
        return sum;
    };
    for (double dt : {1e-3, 1e-1, 10.0, 1e4}) {
        Points v = shaken(Points(16, Vec3(2, 0, 30)), 20, 2);
        for (int step = 0; step < 20; ++step) {
            const double before = squares(v);
            std::vector<double> diagonal(16, 0.0);
            drag.add_damping({model.rest, v, 0}, diagonal);
            const Points f = force_at(drag, model.rest, v);
            for (int i = 0; i < 16; ++i) v[i] += dt / (model.mass[i] + dt * diagonal[i]) * f[i];
            EXPECT_LT(squares(v), before) << dt << " " << step;
        }
    }
}

TEST(AirDrag, SameBitsForAnyThreadCount) {
    const Model model = jittered_grid(80, 60, 1, 1, 0.2);
    AirDrag drag({});
    drag.prepare(model);
    const Points v = shaken(Points(model.rest.size(), Vec3::Zero()), 5, 9);
    const Points many = force_at(drag, model.rest, v);
    const ThreadLimit one(1);
    EXPECT_EQ(force_at(drag, model.rest, v), many);
}

}  // namespace
}  // namespace taut::forces

// Trellising: closed forms of a sheared sheet, derivatives, momentum, redundant local energies, slip and
// friction.
#include "taut/forces/trellis.hpp"

#include "forces/force_probe.hpp"
#include "forces/sheets.hpp"
#include "sim/cloths.hpp"

namespace taut::forces::trellis_tests {
namespace {

using namespace taut::testing;

Trellis prepared(const Model& model, TrellisParams params = {}) {
    Trellis trellis(std::move(params));
    trellis.prepare(model);
    return trellis;
}

std::shared_ptr<Fabric> fabric() {
    auto f = std::make_shared<Fabric>();
    f->shear = elements::straight(20);
    f->shear.yielding[0] = {1.5, 0.01};
    return f;
}

// Warp yarns lean over by an angle, all lengths kept.
Points sheared(const Points& flat, double angle) {
    Points x;
    for (const Vec3& p : flat) x.push_back({p.x() + std::sin(angle) * p.y(), std::cos(angle) * p.y(), 0});
    return x;
}

TEST(Trellis, ShearedSheetsHaveTheEnergyOfTheirAngle) {
    const Model model = sheet(9, 7, 0.6, 0.4);
    for (const double angle : {0.02, -0.3, 0.9})
        EXPECT_NEAR(prepared(model, {30}).energy(sheared(model.rest, angle)), 0.5 * 30 * angle * angle * 0.24,
                    1e-12);
    EXPECT_NEAR(prepared(model, {30, "shape", false, 0, "corners"}).energy(sheared(model.rest, 0.4)),
                0.5 * 30 * 0.16 * 0.24, 1e-12);
    Model woven = model;
    woven.cloths[0].fabric = fabric();
    EXPECT_NEAR(prepared(woven).energy(sheared(model.rest, 0.1)),
                elements::load_at(fabric()->shear, 0.1).energy * 0.24, 1e-12);
}

TEST(Trellis, ForceIsMinusTheGradient) {
    for (const std::string angles : {"crossings", "corners"}) {
        for (const bool hysteresis : {false, true}) {
            Model model = sheet(6, 5);
            model.cloths[0].fabric = fabric();
            Trellis trellis = prepared(model, {0, "shape", hysteresis, 0, angles});
            trellis.remember({shaken(model.rest, 0.03, 5), {}, 0});
            const Points x = shaken(model.rest, 0.04, 3);
            expect_force_is_minus_gradient(trellis, x, 1e-5, 1e-6);
            expect_internal(trellis, x, 1e-10);
        }
    }
}

// On a skewed sheet the rest shape has no load, and with rest angles of 90 degrees it has.
TEST(Trellis, RestsInItsShapeOrSquare) {
    Model model = sheet(6, 5);
    model.rest = sheared(model.rest, 0.3);
    EXPECT_NEAR(prepared(model).energy(model.rest), 0, 1e-20);
    EXPECT_NEAR(prepared(model, {2, "square", false, 0, "crossings"}).energy(model.rest),
                0.5 * 2 * 0.09 * total_area(model), 1e-12);
}

TEST(Trellis, HessianIsPositiveAndExactAtRest) {
    const Model model = sheet(5, 4);
    const Trellis trellis = prepared(model, {20});
    const auto force = [&](const VectorXd& q) {
        return VectorXd(-vector_of(force_at(trellis, points_of(q))));
    };
    EXPECT_LE(jacobian_error(force, vector_of(model.rest), dense_hessian(trellis, model.rest), 1e-4).error,
              1e-5);
    const auto eigen = symmetric_eigenvalues(dense_hessian(trellis, shaken(model.rest, 0.1, 9)));
    EXPECT_GT(eigen.front(), -1e-9 * eigen.back());
    for (const double angle : {0.0, 0.5})
        EXPECT_GT(majorant_gap(trellis, sheared(model.rest, angle), 1e-6),
                  -1e-6 * dense_stiffness(trellis, 20).norm());
}

// The four angles around the neighbours of a particle: four times the whole in all, its derivative for each.
TEST(Trellis, LocalEnergiesHaveTheDerivativeOfTheWhole) {
    const Model model = sheet(7, 6);
    const Trellis trellis = prepared(model, {20});
    const Points x = shaken(model.rest, 0.03, 3);
    const auto local = [&](const Points& at, int i) {
        double sum = 0;
        int angles = 0;
        for (std::size_t c = 0; c < trellis.size(); ++c) {
            const auto& v = trellis.vertices(c);
            if (std::find(v.begin(), v.end(), i) == v.end()) continue;
            sum += trellis.energy_of(c, at);
            ++angles;
        }
        return std::pair(sum, angles);
    };
    const Points f = force_at(trellis, x);
    for (int i = 0; i < model.vertex_count(); ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            Points low = x, high = x;
            low[std::size_t(i)][axis] -= 1e-6;
            high[std::size_t(i)][axis] += 1e-6;
            const double slope = (local(high, i).first - local(low, i).first) / 2e-6;
            EXPECT_NEAR(slope, -f[std::size_t(i)][axis], 1e-5 * (1e-3 + f[std::size_t(i)].norm()));
        }
    }
    EXPECT_EQ(local(x, 7 * 3 + 3).second, 4);
}

// Rows sheared to and fro have no angle over two cells, and in corners they have.
TEST(Trellis, CornersSeeWhatCrossingsMiss) {
    const Model model = sheet(7, 7);
    Points x = model.rest;
    for (int j = 0; j < 7; ++j) {
        for (int i = 0; i < 7; ++i) x[std::size_t(7 * j + i)].x() += j % 2 == 0 ? 0 : 0.05;
    }
    const double across = prepared(model, {20}).energy(x);  // at both ends of warp yarns only
    EXPECT_GT(prepared(model, {20, "shape", false, 0, "corners"}).energy(x), 4 * across);
}

// Beyond the bound the rest angle follows; back at a right angle the cloth pulls the other way.
TEST(Trellis, RestAnglesSlipUnderLoad) {
    const Model model = sheet(5, 5);
    Trellis trellis = prepared(model, {20, "shape", false, 2, "crossings"});
    trellis.remember({sheared(model.rest, 0.05), {}, 0});
    EXPECT_EQ(trellis.rest_angle(12), 0);
    trellis.remember({sheared(model.rest, 0.4), {}, 0});
    EXPECT_NEAR(trellis.rest_angle(12), 0.3, 1e-9);
    EXPECT_NEAR(trellis.energy(sheared(model.rest, 0.3)), 0, 1e-12);
    ASSERT_EQ(trellis.memory().size(), 1u);
}

TEST(Trellis, FrictionHoldsAnAngleAgainstItsReturn) {
    Model model = sheet(5, 5);
    model.cloths[0].fabric = fabric();
    Trellis trellis = prepared(model, {0, "shape", true, 0, "crossings"});
    for (int k = 0; k <= 20; ++k) trellis.remember({sheared(model.rest, 0.01 * k), {}, 0});
    for (int k = 20; k >= 0; --k) trellis.remember({sheared(model.rest, 0.01 * k), {}, 0});
    // What is left at a right angle is friction alone, against the last way.
    const double e = trellis.energy(sheared(model.rest, 1e-4));
    EXPECT_NEAR(e / 1e-4, -1.5 * (1 - 2 * std::exp(-20.0)), 0.05);
}

}  // namespace
}  // namespace taut::forces::trellis_tests

// Bending of yarns: closed forms of a bent sheet and of fabrics, derivatives, momentum, redundant local
// energies, what friction remembers.
#include "taut/forces/yarn_bend.hpp"

#include "forces/force_probe.hpp"
#include "forces/sheets.hpp"
#include "sim/cloths.hpp"
#include "taut/base/parallel.hpp"

namespace taut::forces::yarn_bend_tests {
namespace {

using namespace taut::testing;

std::shared_ptr<Fabric> fabric() {
    auto f = std::make_shared<Fabric>();
    f->bend_weft = elements::straight(4e-6);
    f->bend_weft.yielding[0] = {3e-4, 20};
    f->bend_warp = elements::straight(1e-5);
    f->bend_warp.yielding[0] = {1e-3, 30};
    return f;
}

YarnBend prepared(const Model& model, YarnBendParams params = {2e-5, 5e-5, false}) {
    YarnBend bend(params);
    bend.prepare(model);
    return bend;
}

// A sheet on a cylinder: weft yarns, along x, bend.
TEST(YarnBend, BentSheetsHaveTheEnergyOfTheirCurvature) {
    const double width = 0.6, height = 0.4, radius = 0.2;
    const Model model = sheet(41, 41, width, height);
    const Points x = roll(model.rest, radius, 0);
    // The patches of the two end columns are half as wide, and resist nothing.
    const double bent = width - 0.6 / 40;
    EXPECT_NEAR(prepared(model).energy(x), 0.5 * 2e-5 / (radius * radius) * bent * height, 2e-3 * 2e-5);
    const Points other = roll(model.rest, radius, M_PI / 2);
    EXPECT_NEAR(prepared(model).energy(other), 0.5 * 5e-5 / (radius * radius) * width * (height - 0.01),
                2e-3 * 5e-5);
}

TEST(YarnBend, FabricsTakeThePlaceOfStiffnesses) {
    Model model = sheet(41, 11, 0.6, 0.4);
    model.cloths[0].fabric = fabric();
    const double radius = 0.1, bent = 0.6 - 0.6 / 40;
    const Points x = roll(model.rest, radius, 0);
    const double density = elements::load_at(fabric()->bend_weft, 1 / radius).energy;
    EXPECT_NEAR(prepared(model).energy(x), density * bent * 0.4, 2e-3 * density * 0.24);
}

TEST(YarnBend, ForceIsMinusTheGradient) {
    for (const bool with_fabric : {false, true}) {
        for (const bool hysteresis : {false, true}) {
            Model model = sheet(6, 5);
            if (with_fabric) model.cloths[0].fabric = fabric();
            YarnBend bend = prepared(model, {2e-5, 5e-5, hysteresis});
            bend.remember({shaken(model.rest, 0.04, 5), {}, 0});
            const Points x = shaken(model.rest, 0.05, 3);
            expect_force_is_minus_gradient(bend, x, 1e-5, 1e-6);
            expect_internal(bend, x, 1e-10);
        }
    }
}

TEST(YarnBend, FlatClothRestsHoweverTurned) {
    const Model model = sheet(7, 6);
    const Points x = roll(model.rest, 1e9, 0.4);
    for (const Vec3& f : force_at(prepared(model), x)) EXPECT_LT(f.norm(), 1e-12);
}

// For straight yarns the Hessian is exact.
TEST(YarnBend, HessianIsThatOfTheEnergyAndPositive) {
    Model model = sheet(5, 4);
    model.cloths[0].fabric = fabric();
    const YarnBend bend = prepared(model);
    const auto force = [&](const VectorXd& q) { return VectorXd(-vector_of(force_at(bend, points_of(q)))); };
    EXPECT_LE(jacobian_error(force, vector_of(model.rest), dense_hessian(bend, model.rest), 1e-5).error,
              1e-4);
    const auto eigen = symmetric_eigenvalues(dense_hessian(bend, shaken(model.rest, 0.1, 9)));
    EXPECT_GT(eigen.front(), -1e-9 * eigen.back());
    EXPECT_GT(majorant_gap(bend, model.rest, 1e-6), -1e-6 * dense_stiffness(bend, 20).norm());
}

// Energies around each particle count every angle of the six it is part of: thrice in all, and yet the
// derivative of a particle's own sum is that of the whole.
TEST(YarnBend, LocalEnergiesHaveTheDerivativeOfTheWhole) {
    const Model model = sheet(7, 6);
    const YarnBend bend = prepared(model);
    const Points x = shaken(model.rest, 0.04, 3);
    const auto local = [&](const Points& at, int i) {
        double sum = 0;
        int angles = 0;
        for (std::size_t b = 0; b < bend.size(); ++b) {
            const auto& v = bend.vertices(b);
            if (v[0] != i && v[1] != i && v[2] != i) continue;
            sum += bend.energy_of(b, at);
            ++angles;
        }
        return std::pair(sum, angles);
    };
    const Points f = force_at(bend, x);
    double total = 0;
    for (int i = 0; i < model.vertex_count(); ++i) {
        total += local(x, i).first;
        for (int axis = 0; axis < 3; ++axis) {
            Points low = x, high = x;
            low[std::size_t(i)][axis] -= 1e-6;
            high[std::size_t(i)][axis] += 1e-6;
            const double slope = (local(high, i).first - local(low, i).first) / 2e-6;
            EXPECT_NEAR(slope, -f[std::size_t(i)][axis], 1e-5 * (1e-3 + f[std::size_t(i)].norm()));
        }
    }
    EXPECT_NEAR(total, 3 * bend.energy(x), 1e-12);
    EXPECT_EQ(local(x, 7 * 3 + 3).second, 6);
}

// Bent to a curvature and back to flat, a sheet keeps the moment that its friction holds.
TEST(YarnBend, FrictionHoldsAMomentInFlatCloth) {
    Model model = sheet(21, 5, 0.4, 0.1);
    model.cloths[0].fabric = fabric();
    YarnBend bend = prepared(model, {0, 0, true});
    ASSERT_EQ(bend.memory().size(), 1u);
    const double radius = 0.01;
    for (int k = 0; k <= 40; ++k) bend.remember({roll(model.rest, radius * 40 / std::max(k, 1), 0), {}, 0});
    for (int k = 40; k >= 0; --k) bend.remember({roll(model.rest, radius * 40 / std::max(k, 1), 0), {}, 0});
    bend.remember({model.rest, {}, 0});

    // A further bend by little costs the remaining moment.
    const double kappa = 0.01, l = 0.4 / 20;
    const Points x = roll(model.rest, 1 / kappa, 0);
    const double held = -3e-4 * (1 - 2 * std::exp(-100 / 20.0));
    EXPECT_NEAR(bend.energy(x) / (kappa * (0.4 - l) * 0.1), held, 2e-2 * 3e-4);
    const std::vector<double> memory = *bend.memory()[0].data;
    *bend.memory()[0].data = std::vector<double>(memory.size(), 0.0);
    EXPECT_GT(bend.energy(x), 0);
}

TEST(YarnBend, SameBitsForAnyThreadCount) {
    const Model model = sheet(80, 70);
    const YarnBend bend = prepared(model);
    const Points x = shaken(model.rest, 0.002, 3);
    Points f[2];
    for (int threads : {1, 2}) {
        ThreadLimit limit(threads);
        f[threads - 1] = force_at(bend, x);
    }
    EXPECT_EQ(f[0], f[1]);
}

}  // namespace
}  // namespace taut::forces::yarn_bend_tests

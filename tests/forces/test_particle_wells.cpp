// Repelling and stretching of particles: closed forms, derivatives, who is found to be near, momentum.
#include <algorithm>

#include "forces/force_probe.hpp"
#include "forces/sheets.hpp"
#include "sim/cloths.hpp"
#include "taut/base/parallel.hpp"
#include "taut/forces/near_particles.hpp"
#include "taut/forces/repel.hpp"
#include "taut/forces/stretch_well.hpp"

namespace taut::forces::particle_well_tests {
namespace {

using namespace taut::testing;

template <class F>
F prepared(const Model& model, typename F::Params params = {}) {
    F force(params);
    force.prepare(model);
    return force;
}

Points scaled(Points x, double factor) {
    for (Vec3& p : x) p *= factor;
    return x;
}

TEST(NearParticles, FindsWhatBruteForceFinds) {
    for (const double distance : {0.05, 0.3, 5.0}) {
        const Points x = random_points(300, 1, 4);
        const NearParticles near(x, distance);
        for (std::size_t i = 0; i < x.size(); ++i) {
            std::vector<int> found, expected;
            near.around(i, [&](int j) { found.push_back(j); });
            std::sort(found.begin(), found.end());
            for (std::size_t j = 0; j < x.size(); ++j) {
                if (j != i && (x[j] - x[i]).norm() < distance) expected.push_back(int(j));
            }
            EXPECT_EQ(found, expected);
        }
    }
}

TEST(NearParticles, PlacesThatAreNoneAreNobodysNeighbours) {
    Points x(3, Vec3::Zero());
    x[1].x() = std::numeric_limits<double>::quiet_NaN();
    x[2].x() = 1e300;
    const NearParticles near(x, 1);
    for (std::size_t i = 0; i < 3; ++i) near.around(i, [](int) { FAIL(); });
}

// A sheet stretched both ways: each edge stands for its patch, the patches of weft and warp edges each for
// the sheet.
TEST(StretchWell, StretchedSheetsHaveTheEnergyPerArea) {
    const Model model = sheet(21, 31, 0.4, 0.6);
    const double e = prepared<StretchWell>(model).energy(scaled(model.rest, 1.02));
    EXPECT_NEAR(e, 2 * 1e6 * std::pow(0.02, 5) * 0.24, 1e-3 * e);
    EXPECT_EQ(prepared<StretchWell>(model).energy(scaled(model.rest, 0.9)), 0);
}

TEST(StretchWell, ForceIsMinusTheGradient) {
    for (const Model& model : {sheet(5, 4), chain(6)}) {
        const StretchWell well = prepared<StretchWell>(model);
        const Points x = scaled(shaken(model.rest, 0.02, 3), 1.05);
        expect_force_is_minus_gradient(well, x, 1e-5, 1e-6);
        expect_internal(well, x, 1e-10);
        const auto force = [&](const VectorXd& q) {
            return VectorXd(-vector_of(force_at(well, points_of(q))));
        };
        EXPECT_LE(jacobian_error(force, vector_of(x), dense_hessian(well, x), 1e-5).error, 1e-5);
    }
}

TEST(Repel, ForceIsMinusTheGradient) {
    const Model model = sheet(5, 4);
    const Repel repel = prepared<Repel>(model);
    EXPECT_NEAR(repel.distance(), 0.25, 1e-12);
    EXPECT_EQ(repel.energy(model.rest), 0);
    const Points x = scaled(shaken(model.rest, 0.03, 3), 0.6);
    expect_force_is_minus_gradient(repel, x, 1e-5, 1e-5);
    expect_internal(repel, x, 1e-10);
}

// The Hessian bounds that of the energy, which is exact where edges alone push.
TEST(Repel, HessianBoundsTheSecondDerivative) {
    const Model model = sheet(5, 4);
    const Repel repel = prepared<Repel>(model);
    const Points x = scaled(shaken(model.rest, 0.03, 3), 0.6);
    const auto force = [&](const VectorXd& q) { return VectorXd(-vector_of(force_at(repel, points_of(q)))); };
    const VectorXd q = vector_of(x);
    MatrixXd gap = dense_hessian(repel, x);
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        VectorXd low = q, high = q;
        low[k] -= 1e-6;
        high[k] += 1e-6;
        gap.col(k) -= (force(high) - force(low)) / 2e-6;
    }
    const auto eigen = symmetric_eigenvalues(0.5 * (gap + gap.transpose()));
    EXPECT_GT(eigen.front(), -1e-6 * eigen.back());
}

// Two layers closer than the distance are pushed apart; in one place nothing is pushed, and all stays finite.
TEST(Repel, PushesLayersApart) {
    Model model = sheet(6, 6);
    append(model, {"above", mesh::make_grid(6, 6, 1, 1).mesh, mesh::make_grid(6, 6, 1, 1).net,
                   mesh::make_grid(6, 6, 1, 1).rest, std::vector<double>(36, 1e-3)});
    Points x = model.rest;
    for (std::size_t i = 36; i < 72; ++i) x[i].z() += 0.1;
    const Repel repel = prepared<Repel>(model);
    const Points f = force_at(repel, x);
    for (std::size_t i = 0; i < 72; ++i) EXPECT_GT(i < 36 ? -f[i].z() : f[i].z(), 0);
    for (const Vec3& each : force_at(repel, model.rest)) EXPECT_TRUE(each.allFinite());
    EXPECT_TRUE(std::isfinite(repel.energy(model.rest)));
}

TEST(Repel, SameBitsForAnyThreadCount) {
    const Model model = sheet(80, 70);
    const Repel repel = prepared<Repel>(model);
    const Points x = scaled(shaken(model.rest, 0.002, 3), 0.9);
    Points f[2];
    double e[2];
    for (int threads : {1, 2}) {
        ThreadLimit limit(threads);
        f[threads - 1] = force_at(repel, x);
        e[threads - 1] = repel.energy(x);
    }
    EXPECT_EQ(f[0], f[1]);
    EXPECT_EQ(e[0], e[1]);
}

}  // namespace
}  // namespace taut::forces::particle_well_tests

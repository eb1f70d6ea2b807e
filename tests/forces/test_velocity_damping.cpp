// Velocity damping: its law, and its slope as the integrators are told.
#include "taut/forces/velocity_damping.hpp"

#include "forces/force_probe.hpp"
#include "forces/sheets.hpp"

namespace taut::forces {
namespace {

using namespace taut::testing;

TEST(VelocityDamping, OpposesMomentumAtItsRate) {
    Model model = flat_grid(2, 2, 1, 1);
    model.mass = {1, 2, 3, 4};
    VelocityDamping damping({0.5});
    damping.prepare(model);
    const Points v = shaken(Points(4, Vec3::Zero()), 2, 4);
    const Points f = force_at(damping, model.rest, v);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(f[i].isApprox(-0.5 * (i + 1) * v[i]));
    EXPECT_FALSE(damping.has_energy());
}

TEST(VelocityDamping, DiagonalIsItsExactSlope) {
    Model model = flat_grid(2, 2, 1, 1);
    model.mass = {1, 2, 3, 4};
    VelocityDamping damping({0.5});
    damping.prepare(model);
    std::vector<double> diagonal(4, 1.0);
    damping.add_damping({model.rest, model.rest, 0}, diagonal);
    EXPECT_EQ(diagonal, (std::vector<double>{1.5, 2, 2.5, 3}));
}

}  // namespace
}  // namespace taut::forces

// Gravity: weight, energy, and their agreement.
#include "taut/forces/gravity.hpp"

#include "forces/force_probe.hpp"
#include "forces/sheets.hpp"

namespace taut::forces {
namespace {

using namespace taut::testing;

TEST(Gravity, PullsEveryMassDown) {
    Model model = flat_grid(3, 2, 1, 1);
    model.mass = {1, 2, 3, 4, 5, 6};
    Gravity gravity({});
    gravity.prepare(model);
    const Points f = force_at(gravity, model.rest);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(f[i], Vec3(0, 0, -9.81 * (i + 1)));
}

TEST(Gravity, EnergyMatchesForce) {
    Model model = flat_grid(3, 3, 1, 1);
    Gravity gravity({Vec3(1, -2, -9)});
    gravity.prepare(model);
    expect_force_is_minus_gradient(gravity, shaken(model.rest, 0.3, 1), 1e-2, 1e-9);
    EXPECT_DOUBLE_EQ(gravity.energy(Points(9, Vec3(0, 0, 2))), 9 * 9 * 2.0);
}

TEST(Gravity, AddsToWhatIsThere) {
    const Model model = flat_grid(2, 2, 1, 1);
    Gravity gravity({});
    gravity.prepare(model);
    Points f(4, Vec3(1, 0, 0));
    gravity.add_force({model.rest, model.rest, 0}, f);
    EXPECT_EQ(f[3], Vec3(1, 0, -9.81));
}

TEST(Gravity, ActsFromItsStartOn) {
    const Model model = flat_grid(2, 2, 1, 1);
    GravityParams params;
    params.start = 0.5;
    Gravity gravity(params);
    gravity.prepare(model);
    Points f(4, Vec3::Zero());
    gravity.add_force({model.rest, model.rest, 0.49}, f);
    EXPECT_EQ(f[3], Vec3(0, 0, 0));
    gravity.add_force({model.rest, model.rest, 0.5}, f);
    EXPECT_EQ(f[3], Vec3(0, 0, -9.81 * model.mass[3]));
}

TEST(Gravity, DescribesItsParameters) {
    GravityParams params;
    ParamList list;
    describe(list, params);
    ASSERT_EQ(list.names(), (std::vector<std::string>{"acceleration", "start"}));
}

}  // namespace
}  // namespace taut::forces

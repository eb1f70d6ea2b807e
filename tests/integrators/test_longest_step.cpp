// The longest stable step that integrators promise: one stiff spring just below it and just above it.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/cloths.hpp"
#include "taut/forces/stiff_springs.hpp"
#include "taut/integrators/position_verlet.hpp"
#include "taut/scene/registry.hpp"

namespace taut::integrators::longest_step_tests {
namespace {

using scene::Kind;

// As registered, but without a medium that takes velocity away.
std::unique_ptr<Integrator> make(const std::string& name) {
    const scene::Entry* entry = scene::find_entry(Kind::integrator, name);
    const scene::Settings settings = entry->settings();
    if (const Param* viscosity = settings.list().find("viscosity")) *std::get<double*>(viscosity->target) = 0;
    return std::get<scene::IntegratorFactory>(entry->factory)(settings, {});
}

constexpr double omega = 300, start_offset = 1e-6;

// The largest offset in so many steps of a mass on a spring that swings at omega.
double largest_offset(std::unique_ptr<Integrator> integrator, double dt) {
    Model model = testing::chain(2);
    model.pins.push_back(testing::pin({0}, model.rest));
    State start = testing::at_rest(model);
    start.x[1].x() += start_offset;
    auto spring =
        std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{model.mass[1] * omega * omega});
    Simulation simulation(model, start, testing::pipeline(std::move(integrator), std::move(spring)), {});
    double most = 0;
    for (int n = 0; n < 500; ++n) {
        const double offset = testing::step(simulation, dt).state.x[1].x() - 1;
        most = std::max(most, std::abs(offset));
        if (!(most < 1)) break;
    }
    return most;
}

TEST(LongestStep, ExplicitIntegratorsAreStableBelowAndNotAbove) {
    int bounded = 0;
    for (const std::string& name : scene::names_of(Kind::integrator)) {
        const double longest = make(name)->longest_step(omega);
        if (!std::isfinite(longest)) continue;
        ++bounded;
        EXPECT_NEAR(make(name)->longest_step(2 * omega), 0.5 * longest, 1e-12 * longest) << name;
        EXPECT_LT(largest_offset(make(name), 0.99 * longest), 20 * start_offset) << name;
        EXPECT_GT(largest_offset(make(name), 1.01 * longest), 1e3 * start_offset) << name;
    }
    EXPECT_EQ(bounded, 4);
    for (const char* name : {"implicit_euler", "backward_euler", "midpoint", "bdf2"})
        EXPECT_FALSE(std::isfinite(make(name)->longest_step(omega))) << name;
}

// Damping shortens it, in every step or per time.
TEST(LongestStep, PositionVerletCountsItsDamping) {
    for (const PositionVerletParams& params : {PositionVerletParams{1, 0},
                                               {0.999, 0},
                                               {0.5, 0},
                                               {0, 0},
                                               {1, 0.01},
                                               {0.9, 0.001},
                                               {0.5, 0.01},
                                               {0.1, 0.001},
                                               {0, 0.01}}) {
        const auto verlet = [&] { return std::make_unique<PositionVerlet>(params); };
        const double longest = verlet()->longest_step(omega);
        EXPECT_LE(longest, 2 / omega);
        EXPECT_GE(longest, std::sqrt(2) / omega * (1 - 1e-12));
        EXPECT_LT(largest_offset(verlet(), 0.99 * longest), 20 * start_offset)
            << params.multiplier << " per " << params.per;
        EXPECT_GT(largest_offset(verlet(), 1.01 * longest), 1e3 * start_offset)
            << params.multiplier << " per " << params.per;
    }
}

}  // namespace
}  // namespace taut::integrators::longest_step_tests

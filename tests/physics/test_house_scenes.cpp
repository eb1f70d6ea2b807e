// Scenes of House et al. 1996: the fall over spheres and a cube ends in free fall, outside of them all the
// way; a chain follows its end at once; nails hold what hangs out of line.
#include <gtest/gtest.h>

#include "physics/named_scene.hpp"

namespace taut {
namespace {

class Worst final : public Observer {
public:
    void step(const Simulation&, const StepReport& report) override {
        depth = std::max(depth, report.filters[0].depth);
        contacts = std::max(contacts, report.filters[0].contacts);
        height = report.center_of_mass[2];
    }
    double depth = 0, height = 0;
    int contacts = 0;
};

TEST(HouseScenes, ThePatchFallsOverTheObstaclesAndSlidesOff) {
    for (const char* filter : {"hierarchical_corrected", "hierarchical"}) {
        const auto simulation = named("house_fall", {std::string("filters=[\"") + filter + "\"]"});
        Worst worst;
        EXPECT_EQ(simulation->run({&worst}), RunOutcome::finished) << filter;
        EXPECT_GT(worst.contacts, 10) << filter;
        EXPECT_LT(worst.depth, 1e-3) << filter;
        EXPECT_LT(worst.height, 0.1) << filter;
    }
}

TEST(HouseScenes, TheChainFollowsAtOnce) {
    const auto simulation = named("pulled_chain");
    const StepResult result = simulation->try_step(simulation->settings().dt);
    const double pull = result.state.v.back().x();
    EXPECT_GT(pull, 0);
    EXPECT_NEAR(result.state.v.front().x(), pull, 1e-6 * pull);
}

TEST(HouseScenes, NailsHoldWhatHangsOutOfLine) {
    const auto simulation = named("nails");
    const double dt = simulation->settings().dt;
    const StepResult first = simulation->try_step(dt);
    EXPECT_NEAR(first.state.v[1].z(), -9.81 * dt, 1e-9);
    EXPECT_NEAR(first.state.v[4].z(), 0, 1e-9);
    EXPECT_EQ(simulation->run({}), RunOutcome::finished);
}

}  // namespace
}  // namespace taut

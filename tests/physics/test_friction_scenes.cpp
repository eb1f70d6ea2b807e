// What friction does in whole scenes, small: a tablecloth stays on a table that is pulled slowly and is left
// behind by a fast one; trousers hang on the hips by their band alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "physics/named_scene.hpp"
#include "taut/sim/step_statistics.hpp"

namespace taut::friction_scenes_tests {
namespace {

const Settings coarse{"cloths/0/nu=16", "cloths/0/nv=18"};

Vec3 middle(const Simulation& simulation) { return center_of_mass(simulation.model(), simulation.state().x); }

// Runs the scene to an end [s].
std::unique_ptr<Simulation> run_to(const std::string& name, Settings settings, double end) {
    settings.push_back("run/duration=" + std::to_string(end));
    auto simulation = named(name, settings);
    EXPECT_EQ(simulation->run({}), RunOutcome::finished) << simulation->failure();
    EXPECT_TRUE(simulation->certified());
    EXPECT_EQ(simulation->totals().intersections, 0);
    return simulation;
}

TEST(Tablecloth, StaysOnATableThatIsPulledSlowly) {
    // From 1 s on at 0.1 m/s: it catches up within v^2 / 2 mu g = 1.7 mm.
    const auto before = run_to("tablecloth", coarse, 1), after = run_to("tablecloth", coarse, 2);
    const Vec3 way = middle(*after) - middle(*before);
    EXPECT_NEAR(way.x(), 0.1, 0.005);
    EXPECT_NEAR(way.z(), 0, 0.002);
}

TEST(Tablecloth, IsLeftBehindByATableThatIsPulledFast) {
    // The table moves by 1.5 m within half a second.
    const auto before = run_to("tablecloth_fast", coarse, 1), after = run_to("tablecloth_fast", coarse, 1.6);
    const Vec3 way = middle(*after) - middle(*before);
    EXPECT_GT(way.x(), 0) << "friction takes it along a little";
    EXPECT_LT(way.x(), 0.25) << "mu g for the time the table needs to leave, and the fall after it";
    EXPECT_LT(middle(*after).z(), 0.05) << "on the floor";
}

TEST(Trousers, HangOnTheHips) {
    // Heights of the band below the top of the head, for the walk raises and lowers the body.
    const Settings settings{"cloths/0/vertices=800"};
    const auto body = scene::make_obstacles(named_scene("pants", settings)).at(0);
    const auto band_below_head = [&](double time) {
        const auto simulation = run_to("pants", settings, time);
        const Points skin = collision::points_at(body, time);
        double head = skin[0].z(), height = 0;
        for (const Vec3& p : skin) head = std::max(head, p.z());
        const Points& rest = simulation->model().rest;
        double top = rest[0].z();
        for (const Vec3& p : rest) top = std::max(top, p.z());
        int count = 0;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            if (rest[i].z() < top - 1e-3) continue;
            height += simulation->state().x[i].z();
            ++count;
        }
        return head - height / count;
    };
    const double early = band_below_head(0.25), late = band_below_head(0.75);
    EXPECT_NEAR(early, 0.715, 0.01) << "it has sunk by 15 mm and fits";
    EXPECT_NEAR(late, early, 0.005) << "and stays";
}

}  // namespace
}  // namespace taut::friction_scenes_tests

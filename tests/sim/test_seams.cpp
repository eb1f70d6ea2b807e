// Two panels sewn along their facing edges: the seam closes in time and holds within the promised strain,
// sewn vertices included; a run goes on bitwise after a restored state; seams that close in a jump are
// stepped finer.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/cloths.hpp"
#include "taut/filters/stable_projection.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/isometric_bending.hpp"
#include "taut/forces/shear_springs.hpp"
#include "taut/integrators/bdf2.hpp"
#include "taut/linalg/yarn_cg.hpp"

namespace taut {
namespace {

constexpr double tolerance = 1e-3;
constexpr int side = 11;  // vertices along each side of a panel of 0.5 m

// Upright panels, `gap` apart and turned a little towards each other, each held by its outer upper corner.
Simulation panels(double gap, const Seam& closing, double duration) {
    Model model = testing::sheet(side, side, 0.5, 0.5);
    const mesh::MadeMesh right = mesh::make_grid(side, side, 0.5, 0.5);
    append(model,
           {"right", right.mesh, right.net, right.rest, mesh::lumped_mass(right.mesh, right.rest, 0.2, 0.1)});
    State start = testing::at_rest(model);
    const int n = side * side;
    for (int v = 0; v < 2 * n; ++v) {
        const Vec3 rest = model.rest[std::size_t(v)];
        const double from_hinge = v < n ? rest.x() : 0.5 - rest.x(), turn = 0.45;
        const double x = std::cos(turn) * from_hinge, width = std::cos(turn) + gap;
        start.x[std::size_t(v)] = {v < n ? x : width - x, std::sin(turn) * from_hinge, -rest.y()};
    }
    model.pins.push_back(testing::pin({0, n + side - 1}, start.x));
    Seam seam = closing;
    for (int j = 0; j < side; ++j) seam.pairs.push_back({j * side + side - 1, n + j * side});
    seam.gap.assign(side, gap);
    model.seams.push_back(seam);

    Pipeline pipeline = testing::pipeline(
        std::make_unique<integrators::Bdf2>(), std::make_unique<forces::Gravity>(forces::GravityParams{}),
        std::make_unique<forces::ShearSprings>(forces::ShearSpringsParams{0.5}),
        std::make_unique<forces::IsometricBending>(forces::IsometricBendingParams{1e-5, 1e-5}));
    filters::StableProjectionParams params;
    params.tolerance = tolerance;
    pipeline.filters.push_back(std::make_unique<filters::StableProjection>(
        params, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})));
    RunSettings settings;
    settings.duration = duration;
    return Simulation(std::move(model), std::move(start), std::move(pipeline), settings);
}

// Largest error of a pair's distance, relative to what it should be.
double worst_error(const Simulation& simulation) {
    double worst = 0;
    const Points& x = simulation.state().x;
    for (const Seam& seam : simulation.model().seams) {
        for (std::size_t k = 0; k < seam.pairs.size(); ++k) {
            const auto [a, b] = seam.pairs[k];
            const double apart = (x[std::size_t(b)] - x[std::size_t(a)]).norm();
            worst = std::max(worst, std::abs(apart / seam.distance(k, simulation.state().t) - 1));
        }
    }
    return worst;
}

class Watch final : public Observer {
public:
    void step(const Simulation& simulation, const StepReport& report) override {
        worst = std::max(worst, worst_error(simulation));
        retries += report.retries;
        if (simulation.totals().steps == stop_at) stop = true;
    }
    double worst = 0;
    int retries = 0;
    long stop_at = -1;
    bool stop = false;
};

Seam closing(double length, double start, double end) { return {"side", {}, {}, length, start, end}; }

TEST(Seams, CloseInTimeAndHold) {
    Simulation simulation = panels(0.06, closing(0.002, 0, 0.5), 1);
    Watch watch;
    EXPECT_EQ(simulation.run({&watch}), RunOutcome::finished) << simulation.failure();
    EXPECT_TRUE(simulation.certified());
    EXPECT_LE(watch.worst, tolerance * (1 + 1e-9));
    EXPECT_LE(watch.retries, 2);
    EXPECT_NEAR(simulation.model().seams[0].distance(0, simulation.state().t), 0.002, 1e-12);
}

// Closed as it is, a seam asks for no shorter steps; later the panels snap taut, which may.
TEST(Seams, HoldFromTheStart) {
    for (const double duration : {0.2, 0.5}) {
        Simulation simulation = panels(0.002, closing(0.002, 0, 0), duration);
        Watch watch;
        EXPECT_EQ(simulation.run({&watch}), RunOutcome::finished) << simulation.failure();
        EXPECT_LE(watch.worst, tolerance * (1 + 1e-9));
        EXPECT_LE(watch.retries, duration < 0.3 ? 0 : 2);
    }
}

TEST(Seams, KeepTheirGapUntilTheyClose) {
    Simulation simulation = panels(0.06, closing(0.01, 10, 11), 0.2);
    Watch watch;
    EXPECT_EQ(simulation.run({&watch}), RunOutcome::finished) << simulation.failure();
    EXPECT_LE(watch.worst, tolerance * (1 + 1e-9));
}

// A panel without a pin of its own hangs on the seam, and falls no further.
TEST(Seams, CarryAPanel) {
    Simulation simulation = panels(0.002, closing(0.002, 0, 0), 1);
    Model model = simulation.model();
    State start = simulation.state();
    Pipeline pipeline;
    pipeline.integrator = std::make_unique<integrators::Bdf2>();
    pipeline.forces.push_back(std::make_unique<forces::Gravity>(forces::GravityParams{}));
    pipeline.filters.push_back(std::make_unique<filters::StableProjection>(
        filters::StableProjectionParams{}, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})));
    model.pins[0] = testing::pin({0, side - 4}, start.x);
    Simulation carried(std::move(model), std::move(start), std::move(pipeline), simulation.settings());
    EXPECT_EQ(carried.run({}), RunOutcome::finished) << carried.failure();
    EXPECT_TRUE(carried.certified());
    for (const Vec3& p : carried.state().x) EXPECT_GT(p.z(), -1.6);
}

TEST(Seams, AreSteppedFinerWhereTheyJump) {
    Simulation simulation = panels(0.09, closing(0.01, 0.1, 0.105), 0.2);
    Watch watch;
    EXPECT_EQ(simulation.run({&watch}), RunOutcome::finished) << simulation.failure();
    EXPECT_LE(watch.worst, tolerance * (1 + 1e-9));
    EXPECT_GT(watch.retries, 0);
}

TEST(Seams, ContinueBitwise) {
    const auto make = [] { return panels(0.06, closing(0.004, 0, 0.2), 0.3); };
    Simulation whole = make();
    EXPECT_EQ(whole.run({}), RunOutcome::finished);
    for (const long at : {1L, 11L, 30L}) {
        Simulation first = make(), second = make();
        Watch watch;
        watch.stop_at = at;
        EXPECT_EQ(first.run({&watch}, [&watch] { return watch.stop; }), RunOutcome::interrupted);
        const auto saved = first.memory(), target = second.memory();
        for (std::size_t b = 0; b < saved.size(); ++b) *target[b].data = *saved[b].data;
        second.restore(first.state(), first.progress(), first.totals());
        EXPECT_EQ(second.run({}), RunOutcome::finished);
        EXPECT_EQ(second.state_hash(), whole.state_hash()) << at;
    }
}

TEST(Seams, AMissSaysWhichSeam) {
    Simulation simulation = panels(0.3, closing(0.01, 0, 0), 0.2);
    // Hold both sides of the first pair: nothing can close it.
    Model model = simulation.model();
    model.pins[0] = testing::pin({side - 1, side * side}, simulation.state().x);
    Pipeline pipeline;
    pipeline.integrator = std::make_unique<integrators::Bdf2>();
    pipeline.filters.push_back(std::make_unique<filters::StableProjection>(
        filters::StableProjectionParams{}, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})));
    Simulation held(std::move(model), simulation.state(), std::move(pipeline), simulation.settings());
    const StepResult result = held.try_step(0.001);
    EXPECT_FALSE(result.report.held);
    EXPECT_NE(result.report.note.find("seam 'side' misses its distance by"), std::string::npos)
        << result.report.note;
}

}  // namespace
}  // namespace taut

// Stopping within a step: the attempt at hand leaves no trace, and the run goes on from where it stands.
#include <gtest/gtest.h>

#include "sim/cloths.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/shear_springs.hpp"
#include "taut/integrators/bdf2.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::stop_tests {
namespace {

enum class Place { nowhere, start, round, retry };

// What the filters below share: where to ask for a stop, whether it was, and how often they were applied.
struct Watch {
    Place place = Place::nowhere;
    bool stop = false;
    int applied = 0;
};

constexpr double longest_step = 1.0 / 32;

// Asks for a stop at its place, changes whatever it gets hold of, and holds short steps only.
class StoppingFilter final : public VelocityFilter {
public:
    explicit StoppingFilter(Watch& watch) : watch_(watch) {}
    std::string_view name() const override { return "stopping"; }
    std::vector<MemoryBlock> memory() override { return {{"stopping.calls", &calls_}}; }
    void prepare(const Model&) override { calls_ = {0}; }
    std::string mend_start(const StepContext&, State& start) override {
        if (watch_.place != Place::start) return {};
        start.x[0].z() += 1;
        watch_.stop = true;
        return "half of it";
    }
    void apply(const StepContext& context, Candidate& c, FilterReport&) override {
        calls_[0] += 1;
        ++watch_.applied;
        c.v[0].z() += 1;
        const bool again = context.halvings > 0;
        if (watch_.place == (again ? Place::retry : Place::round)) watch_.stop = true;
    }
    void measure(const StepContext& context, const Candidate&, FilterReport& report) const override {
        report.held = context.dt <= longest_step;
    }
    Promise promise() const override { return Promise::other; }

private:
    Watch& watch_;
    std::vector<double> calls_;
};

Simulation sheet(Watch& first, Watch& second) {
    Model model = testing::sheet(3, 3);
    Pipeline pipeline = testing::pipeline(
        std::make_unique<integrators::Bdf2>(), std::make_unique<forces::Gravity>(forces::GravityParams{}),
        std::make_unique<forces::ShearSprings>(forces::ShearSpringsParams{0.5}));
    for (Watch* watch : {&first, &second})
        pipeline.filters.push_back(std::make_unique<StoppingFilter>(*watch));
    RunSettings settings;
    settings.duration = 0.5;
    settings.fps = 8;
    settings.dt = 1.0 / 8;
    settings.max_halvings = 4;
    State start = testing::at_rest(model);
    return Simulation(std::move(model), std::move(start), std::move(pipeline), settings);
}

class Counter final : public Observer {
public:
    void step(const Simulation&, const StepReport&) override { ++steps; }
    void frame(const Simulation&, int) override { ++frames; }
    void end(const Simulation&) override { ++ends; }
    int steps = 0, frames = 0, ends = 0;
};

TEST(Stop, LeavesTheStartAsItWasAndGoesOnBitwise) {
    Watch none, nobody;
    Simulation whole = sheet(none, nobody);
    const std::string start = whole.state_hash();
    EXPECT_EQ(whole.run({}), RunOutcome::finished) << whole.failure();
    for (const Place place : {Place::start, Place::round, Place::retry}) {
        Watch watch{place}, behind;
        Simulation simulation = sheet(watch, behind);
        Counter counter;
        EXPECT_EQ(simulation.run({&counter}, [&watch] { return watch.stop; }), RunOutcome::interrupted);

        // No step was made, none has failed, and nothing remembers the attempts.
        EXPECT_EQ(simulation.state_hash(), start);
        EXPECT_EQ(simulation.totals().steps, 0);
        EXPECT_EQ(simulation.totals().retries, 0);
        EXPECT_EQ(simulation.totals().failed_steps, 0);
        EXPECT_EQ(simulation.progress().halvings, 0);
        EXPECT_EQ(simulation.failure(), "");
        EXPECT_EQ(simulation.start_note(), "");
        for (const MemoryBlock& block : simulation.memory()) {
            for (const double value : *block.data) EXPECT_EQ(value, 0) << block.name;
        }
        EXPECT_EQ(counter.steps, 0);
        EXPECT_EQ(counter.frames, 1);
        EXPECT_EQ(counter.ends, 1);

        // The filter behind was not asked any more.
        EXPECT_EQ(watch.applied, behind.applied + (place == Place::start ? 0 : 1));

        // Without the stop the same run is the whole one.
        watch.place = Place::nowhere;
        EXPECT_EQ(simulation.run({}), RunOutcome::finished) << simulation.failure();
        EXPECT_EQ(simulation.state_hash(), whole.state_hash());
        EXPECT_EQ(simulation.totals().steps, whole.totals().steps);
        EXPECT_EQ(simulation.totals().retries, whole.totals().retries);
    }
}

TEST(Stop, EndsAtTheLastCommittedStep) {
    Watch watch, behind;
    Simulation simulation = sheet(watch, behind);
    // Two attempts are too long, three steps are made, and the fourth is not finished.
    EXPECT_EQ(simulation.run({}, [&watch] { return watch.applied > 5; }), RunOutcome::interrupted);
    EXPECT_EQ(simulation.totals().steps, 3);
    EXPECT_EQ(simulation.state().t, 3 * longest_step);
    EXPECT_EQ(behind.applied, 5);
    for (const MemoryBlock& block : simulation.memory()) {
        if (block.name != "stopping.calls") continue;
        EXPECT_EQ((*block.data)[0], 3);
    }
}

}  // namespace
}  // namespace taut::stop_tests

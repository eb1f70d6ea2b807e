// The run around the step: halving and growth of dt, memory rolled back, failures reported, frames
// hit exactly, and the same bits for any thread count and after a restored state.
#include "taut/sim/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "sim/cloths.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/filters/stable_projection.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/isometric_bending.hpp"
#include "taut/forces/shear_springs.hpp"
#include "taut/integrators/bdf2.hpp"
#include "taut/linalg/yarn_cg.hpp"

namespace taut {
namespace {

// Holds where `holds(t_start, dt)` says so; counts its applications in a memory.
class PickyFilter final : public VelocityFilter {
public:
    using Rule = std::function<bool(double, double)>;
    explicit PickyFilter(Rule holds) : holds_(std::move(holds)) {}
    std::string_view name() const override { return "picky"; }
    std::vector<MemoryBlock> memory() override { return {{"picky.calls", &calls_}}; }
    void prepare(const Model&) override { calls_ = {0}; }
    void apply(const StepContext&, Candidate&, FilterReport& report) override {
        calls_[0] += 1;
        ++attempts;
        report.iterations += 2;
        report.linear_iterations += 3;
        report.inner_iterations += 5;
    }
    void measure(const StepContext& context, const Candidate&, FilterReport& report) const override {
        report.held = holds_(context.start->t, context.dt);
        if (!report.held) report.note = "step too long for my taste";
    }
    Promise promise() const override { return Promise::other; }
    int attempts = 0;

private:
    Rule holds_;
    std::vector<double> calls_;
};

class Recorder final : public Observer {
public:
    void begin(const Simulation&) override { ++begins; }
    void step(const Simulation&, const StepReport& report) override { steps.push_back(report); }
    void frame(const Simulation& simulation, int frame) override {
        frames.emplace_back(frame, simulation.state().t);
    }
    void end(const Simulation&) override { ++ends; }
    std::vector<StepReport> steps;
    std::vector<std::pair<int, double>> frames;
    int begins = 0, ends = 0;
};

std::unique_ptr<Force> gravity() { return std::make_unique<forces::Gravity>(forces::GravityParams{}); }
std::unique_ptr<Force> shear() {
    return std::make_unique<forces::ShearSprings>(forces::ShearSpringsParams{0.5});
}

// A shaken quad under springs and gravity with BDF2, whose memory matters; powers of two keep times exact.
Simulation picky(PickyFilter::Rule rule, double dt, PickyFilter** filter = nullptr,
                 bool stop_on_failure = true) {
    Model model = testing::sheet(3, 3);
    State start = testing::at_rest(model);
    start.x = testing::shaken(model.rest, 0.05, 3);
    Pipeline pipeline = testing::pipeline(std::make_unique<integrators::Bdf2>(), gravity(), shear());
    if (rule) {
        pipeline.filters.push_back(std::make_unique<PickyFilter>(std::move(rule)));
        if (filter) *filter = static_cast<PickyFilter*>(pipeline.filters.back().get());
    }
    RunSettings settings;
    settings.duration = 1;
    settings.fps = 8;
    settings.dt = dt;
    settings.max_halvings = 4;
    settings.stop_on_failure = stop_on_failure;
    return Simulation(std::move(model), std::move(start), std::move(pipeline), settings);
}

TEST(Run, RetriesLeaveNoTraceInAnyMemory) {
    PickyFilter* filter = nullptr;
    Simulation retried = picky([](double, double dt) { return dt <= 1.0 / 32; }, 1.0 / 8, &filter);
    Recorder recorder;
    EXPECT_EQ(retried.run({&recorder}), RunOutcome::finished);
    EXPECT_EQ(retried.totals().steps, 32);
    EXPECT_GT(retried.totals().retries, 2);
    EXPECT_EQ(filter->attempts, 32 + retried.totals().retries);
    // The filter's memory counts committed steps only, and BDF2 saw no rejected state.
    EXPECT_EQ((*filter->memory()[0].data)[0], 32);
    Simulation straight = picky({}, 1.0 / 32);
    EXPECT_EQ(straight.run({}), RunOutcome::finished);
    EXPECT_EQ(retried.state_hash(), straight.state_hash());
    EXPECT_EQ(recorder.steps[0].retries, 2);
    EXPECT_EQ(recorder.steps[0].dt, 1.0 / 32);
    EXPECT_EQ(retried.totals().failed_steps, 0);
}

TEST(Run, IterationsCountRejectedAttemptsToo) {
    PickyFilter* filter = nullptr;
    Simulation simulation = picky([](double, double dt) { return dt <= 1.0 / 32; }, 1.0 / 8, &filter);
    Recorder recorder;
    EXPECT_EQ(simulation.run({&recorder}), RunOutcome::finished);
    const RunTotals& totals = simulation.totals();
    EXPECT_GT(totals.retries, 2);
    EXPECT_EQ(recorder.steps[0].filters[0].iterations, 3 * 2);  // two attempts thrown away, one kept
    EXPECT_EQ(totals.projection_iterations, 2 * filter->attempts);
    EXPECT_EQ(totals.linear_solves, 2 * filter->attempts);
    EXPECT_EQ(totals.linear_iterations, 3 * filter->attempts);
    EXPECT_EQ(totals.inner_iterations, 5 * filter->attempts);
}

TEST(Run, HalvedStepsGrowBack) {
    // One bad moment: only short steps pass between 0.25 s and 0.3 s.
    Simulation simulation =
        picky([](double t, double dt) { return t < 0.25 || t >= 0.3 || dt <= 1.0 / 64; }, 1.0 / 8);
    Recorder recorder;
    EXPECT_EQ(simulation.run({&recorder}), RunOutcome::finished);
    EXPECT_EQ(recorder.steps.front().dt, 1.0 / 8);
    EXPECT_EQ(recorder.steps.back().dt, 1.0 / 8);
    double shortest = 1;
    for (const StepReport& r : recorder.steps) shortest = std::min(shortest, r.dt);
    EXPECT_EQ(shortest, 1.0 / 64);
    EXPECT_EQ(simulation.progress().halvings, 0);

    // Steps end on every frame exactly, whatever their length.
    ASSERT_EQ(recorder.frames.size(), 9u);
    for (int k = 0; k <= 8; ++k) EXPECT_EQ(recorder.frames[std::size_t(k)], std::make_pair(k, k / 8.0));
    EXPECT_EQ(recorder.begins, 1);
    EXPECT_EQ(recorder.ends, 1);
}

TEST(Run, StepThatCannotBeSavedEndsTheRun) {
    PickyFilter* filter = nullptr;
    Simulation simulation = picky([](double t, double) { return t < 0.5; }, 1.0 / 8, &filter);
    Recorder recorder;
    EXPECT_EQ(simulation.run({&recorder}), RunOutcome::failed);
    EXPECT_EQ(simulation.totals().failed_steps, 1);
    EXPECT_EQ(simulation.totals().steps, 4);
    EXPECT_EQ(simulation.state().t, 0.5);
    EXPECT_EQ((*filter->memory()[0].data)[0], 4);
    EXPECT_FALSE(simulation.certified());
    EXPECT_NE(simulation.failure().find("t = 0.5 s"), std::string::npos) << simulation.failure();
    EXPECT_NE(simulation.failure().find("picky: step too long for my taste"), std::string::npos);
    EXPECT_NE(simulation.failure().find("0.0078125"), std::string::npos);  // dt / 2^4
    EXPECT_EQ(recorder.ends, 1);
}

TEST(Run, GoesOnOverFailuresWhenAsked) {
    Simulation simulation =
        picky([](double t, double) { return t < 0.5 || t >= 0.625; }, 1.0 / 8, nullptr, false);
    EXPECT_EQ(simulation.run({}), RunOutcome::finished);
    EXPECT_EQ(simulation.state().t, 1);
    EXPECT_GE(simulation.totals().failed_steps, 1);
    EXPECT_FALSE(simulation.certified());
}

// A force that is no number from some time on.
class BrokenForce final : public Force {
public:
    std::string_view name() const override { return "broken"; }
    void prepare(const Model&) override {}
    void add_force(const ForceInput& in, PointsView f) const override {
        if (in.t > 0.4) f[0].x() = std::numeric_limits<double>::quiet_NaN();
    }
};

TEST(Run, NeverCommitsWhatIsNotFinite) {
    for (bool stop_on_failure : {true, false}) {
        Model model = testing::sheet(3, 3);
        RunSettings settings;
        settings.stop_on_failure = stop_on_failure;
        settings.max_halvings = 3;
        Simulation simulation(
            model, testing::at_rest(model),
            testing::pipeline(std::make_unique<integrators::Bdf2>(), std::make_unique<BrokenForce>()),
            settings);
        EXPECT_EQ(simulation.run({}), RunOutcome::failed);
        EXPECT_NE(simulation.failure().find("not finite"), std::string::npos) << simulation.failure();
        for (const Vec3& x : simulation.state().x) EXPECT_TRUE(x.allFinite());
        EXPECT_EQ(simulation.totals().failed_steps, 1);
    }
}

TEST(Run, ShortensDtToDivideTheFrame) {
    Model model = testing::chain(3);
    RunSettings settings;
    settings.duration = 0.1;
    settings.fps = 30;
    settings.dt = 0.012;
    Simulation simulation(model, testing::at_rest(model),
                          testing::pipeline(std::make_unique<integrators::Bdf2>(), gravity()), settings);
    Recorder recorder;
    simulation.run({&recorder});
    EXPECT_EQ(simulation.frame_count(), 3);
    ASSERT_EQ(recorder.steps.size(), 9u);
    for (const StepReport& r : recorder.steps) EXPECT_NEAR(r.dt, 1.0 / 90, 1e-15);
}

TEST(Run, StopsBetweenStepsWhenTold) {
    Simulation simulation = picky({}, 1.0 / 8);
    EXPECT_EQ(simulation.run({}, [] { return true; }), RunOutcome::interrupted);
    EXPECT_EQ(simulation.totals().steps, 0);
}

TEST(Simulation, NeedsAnIntegrator) {
    Model model = testing::chain(3);
    EXPECT_THROW(Simulation(model, testing::at_rest(model), Pipeline{}, {}), InputError);
}

// A sheet large enough that loops are cut into several blocks.
Simulation hanging(int nu, int nv, double duration, double tolerance = 1e-3) {
    Model model = testing::sheet(nu, nv);
    State start = testing::at_rest(model);
    const Points row = mesh::sag_profile(nu - 1, model.rest_length[0], 0.98);
    for (int j = 0; j < nv; ++j) {
        for (int i = 0; i < nu; ++i)
            start.x[std::size_t(j * nu + i)] =
                row[std::size_t(i)] + Vec3(0, model.rest[std::size_t(j * nu)].y(), 0);
    }
    model.pins.push_back(testing::pin({0, nu - 1}, start.x));
    Pipeline pipeline = testing::pipeline(
        std::make_unique<integrators::Bdf2>(), gravity(), shear(),
        std::make_unique<forces::IsometricBending>(forces::IsometricBendingParams{1e-5, 1e-5}));
    filters::StableProjectionParams params;
    params.tolerance = tolerance;
    pipeline.filters.push_back(std::make_unique<filters::StableProjection>(
        params, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})));
    RunSettings settings;
    settings.duration = duration;
    return Simulation(std::move(model), std::move(start), std::move(pipeline), settings);
}

TEST(StateHash, IsTheSameForAnyThreadCountAndEveryRun) {
    std::string hash[3];
    for (int run = 0; run < 3; ++run) {
        ThreadLimit limit(run == 0 ? 1 : 2);
        Simulation simulation = hanging(61, 51, 5 / 60.0);
        EXPECT_EQ(simulation.run({}), RunOutcome::finished) << simulation.failure();
        EXPECT_TRUE(simulation.certified());
        hash[run] = simulation.state_hash();
    }
    EXPECT_EQ(hash[0], hash[1]);
    EXPECT_EQ(hash[1], hash[2]);
}

TEST(StateHash, SeesEveryBit) {
    Simulation simulation = hanging(5, 5, 0.1);
    const std::string before = simulation.state_hash();
    State state = simulation.state();
    state.v[7].y() = std::nextafter(state.v[7].y(), 1);
    simulation.restore(state, simulation.progress(), simulation.totals());
    EXPECT_NE(simulation.state_hash(), before);
}

class StopAt final : public Observer {
public:
    explicit StopAt(long steps) : steps_(steps) {}
    void step(const Simulation& simulation, const StepReport&) override {
        if (simulation.totals().steps == steps_) stop = true;
    }
    bool stop = false;

private:
    long steps_;
};

// Copies everything a checkpoint would hold into a simulation that has just been built.
void resume(Simulation& from, Simulation& to) {
    const auto saved = from.memory(), target = to.memory();
    ASSERT_EQ(saved.size(), target.size());
    for (std::size_t b = 0; b < saved.size(); ++b) {
        EXPECT_EQ(saved[b].name, target[b].name);
        *target[b].data = *saved[b].data;
    }
    to.restore(from.state(), from.progress(), from.totals());
}

TEST(Restore, ContinuesBitwiseAsIfNeverInterrupted) {
    Simulation whole = hanging(11, 11, 0.5);
    EXPECT_EQ(whole.run({}), RunOutcome::finished);
    for (long at : {1L, 2L, 23L, 59L}) {
        Simulation first = hanging(11, 11, 0.5), second = hanging(11, 11, 0.5);
        StopAt observer(at);
        EXPECT_EQ(first.run({&observer}, [&observer] { return observer.stop; }), RunOutcome::interrupted);
        EXPECT_EQ(first.totals().steps, at);
        resume(first, second);
        EXPECT_EQ(second.run({}), RunOutcome::finished);
        EXPECT_EQ(second.state_hash(), whole.state_hash()) << at;
        EXPECT_EQ(second.totals().steps, whole.totals().steps);
        EXPECT_EQ(second.totals().projection_iterations, whole.totals().projection_iterations);
        EXPECT_EQ(second.totals().energy_max, whole.totals().energy_max);
        EXPECT_EQ(second.certified(), whole.certified());
    }
}

TEST(Restore, ContinuesInTheMiddleOfHalvedSteps) {
    const PickyFilter::Rule rule = [](double t, double dt) { return t < 0.25 || dt <= 1.0 / 64; };
    Simulation whole = picky(rule, 1.0 / 8);
    EXPECT_EQ(whole.run({}), RunOutcome::finished);
    Simulation first = picky(rule, 1.0 / 8), second = picky(rule, 1.0 / 8);
    StopAt observer(9);
    EXPECT_EQ(first.run({&observer}, [&observer] { return observer.stop; }), RunOutcome::interrupted);
    EXPECT_GT(first.progress().halvings, 0);
    EXPECT_GT(first.progress().tick, 0);
    resume(first, second);
    EXPECT_EQ(second.run({}), RunOutcome::finished);
    EXPECT_EQ(second.state_hash(), whole.state_hash());
    EXPECT_EQ(second.totals().retries, whole.totals().retries);
}

TEST(StepReport, MeasuresStrainEnergyAndCentre) {
    Simulation simulation = hanging(9, 9, 0.2, 1e-4);
    Recorder recorder;
    EXPECT_EQ(simulation.run({&recorder}), RunOutcome::finished);
    const StepReport& last = recorder.steps.back();
    const State& state = simulation.state();
    double warp = 0, weft = 0, kinetic = 0, mass = 0;
    Vec3 centre = Vec3::Zero();
    const Model& model = simulation.model();
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        const auto& edge = model.edges[e];
        const double strain = std::abs(
            (state.x[std::size_t(edge.b)] - state.x[std::size_t(edge.a)]).norm() / model.rest_length[e] - 1);
        double& largest = edge.direction == mesh::Direction::warp ? warp : weft;
        largest = std::max(largest, strain);
    }
    for (std::size_t i = 0; i < state.x.size(); ++i) {
        kinetic += 0.5 * model.mass[i] * state.v[i].squaredNorm();
        centre += model.mass[i] * state.x[i];
        mass += model.mass[i];
    }
    EXPECT_NEAR(mass, 0.2, 1e-12);
    EXPECT_NEAR(last.warp.max, warp, 1e-15);
    EXPECT_NEAR(last.weft.max, weft, 1e-15);
    EXPECT_LE(last.max_strain(), 1e-4);
    EXPECT_NEAR(last.kinetic, kinetic, 1e-14);
    EXPECT_NEAR(last.center_of_mass[2], centre.z() / mass, 1e-14);
    EXPECT_EQ(simulation.tolerance(), 1e-4);
    EXPECT_EQ(last.step, simulation.totals().steps);
    EXPECT_EQ(simulation.totals().energy_end, last.energy());
}

}  // namespace
}  // namespace taut

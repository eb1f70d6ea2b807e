// What an integrator tells of its steps, in reports and totals: solves of every attempt, contacts of
// committed ones, and whose fault a retry was.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "scene/scene_text.hpp"
#include "sim/cloths.hpp"
#include "taut/scene/build.hpp"

namespace taut::integrator_report {
namespace {

// Refuses steps longer than `longest` [s]; tells of two solves, seven iterations and a contact made.
class FussyIntegrator final : public Integrator {
public:
    explicit FussyIntegrator(double longest) : longest_(longest) {}
    std::string_view name() const override { return "fussy"; }
    void prepare(const Model&, std::span<const std::unique_ptr<Force>>) override {}
    void candidate(StepContext& context, Candidate& c) override {
        c.v = context.start->v;
        c.integrator = {2, 7, 1e-5, 1.25, 0.5 * context.dt, 3, 2, 1, 1};
        if (context.dt > longest_) c.note = "fussy: too long";
    }
    State accept(const StepContext& context, const Candidate& c) override {
        return {context.start->x, c.v, context.time_end()};
    }

private:
    double longest_;
};

// Holds steps up to `longest` [s].
class ShortStepsFilter final : public VelocityFilter {
public:
    explicit ShortStepsFilter(double longest) : longest_(longest) {}
    std::string_view name() const override { return "short_steps"; }
    void prepare(const Model&) override {}
    void apply(const StepContext&, Candidate&, FilterReport& report) override { report.iterations += 1; }
    void measure(const StepContext& context, const Candidate&, FilterReport& report) const override {
        report.held = context.dt <= longest_;
        if (!report.held) report.note = "too long for me";
    }
    Promise promise() const override { return Promise::other; }

private:
    double longest_;
};

class StepRecorder final : public Observer {
public:
    void step(const Simulation&, const StepReport& report) override { steps.push_back(report); }
    std::vector<StepReport> steps;
};

Simulation fussy(double integrator_longest, double filter_longest, int max_halvings = 4,
                 bool stop_on_failure = true) {
    Model model = testing::sheet(3, 3);
    State start = testing::at_rest(model);
    Pipeline pipeline = testing::pipeline(std::make_unique<FussyIntegrator>(integrator_longest));
    pipeline.filters.push_back(std::make_unique<ShortStepsFilter>(filter_longest));
    RunSettings settings;
    settings.duration = 0.5;
    settings.fps = 8;
    settings.dt = 1.0 / 8;
    settings.max_halvings = max_halvings;
    settings.stop_on_failure = stop_on_failure;
    return Simulation(std::move(model), std::move(start), std::move(pipeline), settings);
}

TEST(IntegratorReport, CountsTheWorkOfEveryAttempt) {
    Simulation simulation = fussy(1.0 / 32, 1);
    StepRecorder recorder;
    ASSERT_EQ(simulation.run({&recorder}), RunOutcome::finished);
    const RunTotals& totals = simulation.totals();
    const long attempts = totals.steps + totals.retries;
    EXPECT_GT(totals.retries, 2);
    EXPECT_EQ(totals.integrator.refused, totals.retries);
    EXPECT_EQ(totals.integrator.solves, 2 * attempts);
    EXPECT_EQ(totals.integrator.iterations, 7 * attempts);
    EXPECT_EQ(totals.projection_iterations, attempts);

    // Contacts are those of committed steps.
    EXPECT_EQ(totals.integrator.made, totals.steps);
    EXPECT_EQ(totals.integrator.released, totals.steps);
    EXPECT_EQ(totals.integrator.held, 3);
    EXPECT_EQ(totals.integrator.stretch, 1.25);
    EXPECT_EQ(totals.integrator.stretch_change, 0.5 / 32);
    EXPECT_EQ(totals.least_dt, 1.0 / 32);

    const StepReport& first = recorder.steps.front();
    EXPECT_EQ(first.retries, 2);
    EXPECT_EQ(first.refused, 2);
    EXPECT_EQ(first.integrator.solves, 6);
    EXPECT_EQ(first.integrator.iterations, 21);
    EXPECT_EQ(first.integrator.residual, 1e-5);
    EXPECT_EQ(first.integrator.sticking, 2);
    EXPECT_EQ(first.integrator.made, 1);
    EXPECT_EQ(first.note, "retried: fussy: too long");
}

TEST(IntegratorReport, TellsWhoseFaultARetryWas) {
    Simulation filter = fussy(1, 1.0 / 32);
    ASSERT_EQ(filter.run({}), RunOutcome::finished);
    EXPECT_GT(filter.totals().retries, 0);
    EXPECT_EQ(filter.totals().integrator.refused, 0);

    // The integrator refuses 1/8 s, the filter 1/16 s as well.
    Simulation both = fussy(1.0 / 16, 1.0 / 32);
    StepRecorder recorder;
    ASSERT_EQ(both.run({&recorder}), RunOutcome::finished);
    EXPECT_EQ(recorder.steps.front().retries, 2);
    EXPECT_EQ(recorder.steps.front().refused, 1);
    EXPECT_EQ(recorder.steps.front().integrator.solves, 6);
    long retries = 0, refused = 0;
    for (const StepReport& step : recorder.steps) retries += step.retries, refused += step.refused;
    EXPECT_EQ(both.totals().retries, retries);
    EXPECT_EQ(both.totals().integrator.refused, refused);
}

// Attempts that are kept for want of shorter ones are failed steps, not refused ones.
TEST(IntegratorReport, RefusalsNeverExceedRetries) {
    Simulation onward = fussy(0, 1, 2, false);
    ASSERT_EQ(onward.run({}), RunOutcome::finished);
    EXPECT_GE(onward.totals().retries, 2);
    EXPECT_EQ(onward.totals().integrator.refused, onward.totals().retries);
    EXPECT_EQ(onward.totals().failed_steps, onward.totals().steps);
    EXPECT_EQ(onward.totals().least_dt, 1.0 / 32);
    Simulation ended = fussy(0, 1, 2);
    ASSERT_EQ(ended.run({}), RunOutcome::failed);
    EXPECT_EQ(ended.totals().integrator.refused, 2);
    EXPECT_EQ(ended.totals().least_dt, std::numeric_limits<double>::infinity());
}

// A sheet held by two corners that falls until it is taut.
TEST(IntegratorReport, BaraffWitkinRefusesDrasticStretch) {
    const std::string text = scene::small_scene(
        R"("preset": "baraff_witkin1998", "integrator": {"type": "baraff_witkin", "stretch_change": 0.003},
           "run": {"duration": 0.25, "fps": 20, "dt": 0.05})");
    const auto simulation = scene::build(scene::parse(text));
    StepRecorder recorder;
    ASSERT_EQ(simulation->run({&recorder}), RunOutcome::finished) << simulation->failure();
    const RunTotals& totals = simulation->totals();
    EXPECT_GT(totals.retries, 0);
    EXPECT_EQ(totals.integrator.refused, totals.retries);
    EXPECT_LT(totals.least_dt, 0.049);
    EXPECT_LE(totals.integrator.stretch_change, 0.003);
    EXPECT_GT(totals.integrator.stretch, 1);
    long solves = 0, iterations = 0;
    bool told = false;
    for (const StepReport& step : recorder.steps) {
        solves += step.integrator.solves;
        iterations += step.integrator.iterations;
        EXPECT_GE(step.integrator.solves, 1 + step.retries);
        EXPECT_LE(step.integrator.residual, 1e-3);
        told = told || step.note.find("retried: baraff_witkin: a") == 0;
        EXPECT_EQ(step.refused > 0, step.note.find("stretches by") != std::string::npos) << step.note;
    }
    EXPECT_TRUE(told);
    EXPECT_EQ(totals.integrator.solves, solves);
    EXPECT_EQ(totals.integrator.iterations, iterations);
    EXPECT_EQ(totals.integrator.made, 0);
}

TEST(IntegratorReport, BaraffWitkinTellsOfItsContacts) {
    const std::string text = scene::one_cloth(
        R"("type": "grid", "nu": 7, "nv": 7, "width": 0.3, "height": 0.3, "place": {"translate": [0, 0, 0.02]})",
        R"("preset": "baraff_witkin1998", "obstacles": [{"type": "plane"}],
           "run": {"duration": 0.25, "fps": 20, "dt": 0.01})");
    const auto simulation = scene::build(scene::parse(text));
    StepRecorder recorder;
    ASSERT_EQ(simulation->run({&recorder}), RunOutcome::finished) << simulation->failure();
    const IntegratorTotals& totals = simulation->totals().integrator;
    EXPECT_GE(totals.made, 49);
    EXPECT_EQ(totals.held, 49);
    EXPECT_EQ(totals.made - totals.released, recorder.steps.back().integrator.held);
    EXPECT_LE(recorder.steps.back().integrator.sticking, 49);
    EXPECT_EQ(recorder.steps.front().integrator.held, 0);
}

}  // namespace
}  // namespace taut::integrator_report

// The step and the run. try_step is the whole physics of one step on one page; run drives it,
// halves dt when a promise was missed, and tells observers about every committed step.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "taut/model/interfaces.hpp"
#include "taut/sim/step_report.hpp"

namespace taut {

struct SettleSettings;
struct SettleReport;

// Forces of the group `step` are the integrator's, those of `relax` are for filters that relax the cloth;
// some are in both. They stand in this order: step alone, both, relax alone.
struct Pipeline {
    std::vector<std::unique_ptr<Force>> forces;
    std::size_t relax_alone = 0;  // so many at the end
    std::size_t shared = 0;       // so many before them are in both groups
    std::unique_ptr<Integrator> integrator;
    std::vector<std::unique_ptr<VelocityFilter>> filters;
    int rounds = 1;             // the filter chain is repeated until every filter holds, at most so often
    bool judge_before = false;  // strain is judged as the projection left it, not after the whole step

    std::span<const std::unique_ptr<Force>> step_forces() const;
    std::span<const std::unique_ptr<Force>> relax_forces() const;
};

// Told about every committed step and frame; never changes anything.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void begin(const class Simulation&) {}
    virtual void step(const class Simulation&, const StepReport&) {}
    virtual void frame(const class Simulation&, int frame) { (void)frame; }
    virtual void end(const class Simulation&) {}
};

// Of integrators that solve systems and know contacts, besides `refused`, which counts for all.
struct IntegratorTotals {
    long refused = 0;                        // attempts thrown away because the integrator was not content
    long solves = 0, iterations = 0;         // linear systems, and iterations over all; rejected attempts too
    long held = 0, made = 0, released = 0;   // contacts with solids: most at the end of a step, and in all
    double stretch = 0, stretch_change = 0;  // of a triangle, and in one step; max over steps
    double seconds = 0;                      // of solves
};

// Running totals over all committed steps: what report.json is made of; saved in checkpoints.
struct RunTotals {
    long steps = 0, retries = 0, failed_steps = 0;
    long projection_iterations = 0, projection_max = 0;
    long linear_iterations = 0, linear_solves = 0, inner_iterations = 0;
    StrainStats warp, weft;  // max over steps; mean: mean over steps; p999: max over steps
    double shear_max = 0, shear_mean = 0;
    double energy_start = 0, energy_end = 0, energy_max = 0;    // [J]
    double strain_before = 0;                                   // before later filters, max over steps
    double penetration = 0;                                     // [m], max over steps
    double distance = std::numeric_limits<double>::infinity();  // [m], least over steps
    long intersections = 0, contacts = 0;                       // max over steps
    long intersections_end = 0;                                 // of the last step
    long corrections = 0, maps = 0;                             // of single springs; correction maps built
    double least_dt = std::numeric_limits<double>::infinity();  // [s], of committed steps
    IntegratorTotals integrator;
    double wall_s = 0;
    std::map<std::string, double> stages;  // seconds per stage
};

struct RunSettings {
    double duration = 2;          // [s]
    double fps = 60;              // frames per second
    double dt = 1.0 / 120;        // [s], shortened to divide the frame
    int max_halvings = 10;        // a missed step is retried down to dt / 2^max_halvings
    bool stop_on_failure = true;  // end the run when a step cannot be saved; false: go on, reported
};

// Where a run stands between two steps. Time is counted in whole ticks of dt / 2^max_halvings,
// so that halved steps end on frames exactly and a resumed run repeats the same bits.
struct RunProgress {
    long frame = 0;      // frames completed
    long tick = 0;       // ticks completed within the current frame
    int halvings = 0;    // current step = dt / 2^halvings
    int good_steps = 0;  // successes since the last halving or growth
};

enum class RunOutcome { finished, interrupted, failed };

class Simulation {
public:
    Simulation(Model model, State start, Pipeline pipeline, RunSettings settings);

    // One attempt; commits nothing.
    StepResult try_step(double dt);

    // Runs from `progress()` to the end of the duration, or until `stop` says so: it is asked often, on this
    // thread, and once true must stay so. The step at hand is then thrown away, and the run stands where the
    // last committed one left it.
    RunOutcome run(const std::vector<Observer*>& observers, std::function<bool()> stop = {});

    // Brings the system to rest: pins and obstacles stop where they are at a time of the scene, and the cloth
    // is damped until nothing is unbalanced any more. `stop` as in `run`.
    SettleReport settle(const SettleSettings& settings, const std::vector<Observer*>& observers = {},
                        std::function<bool()> stop = {});

    const Model& model() const { return model_; }
    const State& state() const { return state_; }
    const RunSettings& settings() const { return settings_; }
    const RunTotals& totals() const { return totals_; }
    const RunProgress& progress() const { return progress_; }
    const Pipeline& pipeline() const { return pipeline_; }
    const StepReport& last_report() const { return report_; }
    const std::string& failure() const { return failure_; }                   // why the run failed, in words
    const std::vector<int>& failure_faces() const { return failure_faces_; }  // and where, if known
    const std::string& start_note() const { return start_note_; }  // how the start was mended, in words
    double clock() const { return state_.t + settled_time_; }  // of the motion, where the scene's stands [s]
    long frame_count() const;                                  // frames of the whole run
    double tolerance() const;                                  // strain promised, or infinity
    bool certified() const;          // every step so far held the strain tolerance after all filters
    std::string state_hash() const;  // of final positions and velocities

    // For checkpoints: every memory of the pipeline, and restoring what was saved.
    std::vector<MemoryBlock> memory();
    void restore(State state, RunProgress progress, RunTotals totals);

private:
    void mend_start();
    void place_pins(double dt, StepContext& context);
    void begin_attempt(double dt);
    bool measure_filters(const Candidate& c, bool thorough, StepReport& report);
    double& stage_of(std::size_t filter, const char* part);  // seconds
    void part_velocity(const Points& before, std::span<FilterReport> reports, Candidate& c);
    void fill_report(const StepContext& context, const Candidate& c, StepResult& result);
    void begin_run(const std::vector<Observer*>& observers);
    std::optional<RunOutcome> save_step(double longest, StepResult& result, double& taken);
    std::optional<RunOutcome> run_until(double time, const std::vector<Observer*>& observers);
    bool settle_step(double dt, const std::vector<Observer*>& observers, SettleReport& report);
    void come_to_rest(const SettleSettings& settings, const std::vector<Observer*>& observers,
                      SettleReport& report);
    void show_frame(const std::vector<Observer*>& observers);
    // Commits one step, or says how the run ends.
    std::optional<RunOutcome> advance(const std::vector<Observer*>& observers);
    void commit(StepResult result);

    Model model_;
    State state_;
    Pipeline pipeline_;
    RunSettings settings_;
    RunTotals totals_;
    RunProgress progress_;
    StepContext context_;
    StepReport report_;        // of the last committed step
    double settled_time_ = 0;  // spent while the clock of the scene stood [s]
    std::string failure_, start_note_;
    std::vector<int> failure_faces_;
};

}  // namespace taut

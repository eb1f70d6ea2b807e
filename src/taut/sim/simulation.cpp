#include "taut/sim/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "taut/base/error.hpp"
#include "taut/base/hash.hpp"
#include "taut/sim/patience.hpp"
#include "taut/sim/stage_timer.hpp"
#include "taut/sim/step_statistics.hpp"

namespace taut {
namespace {

using Clock = std::chrono::steady_clock;

// After so many steps without a miss a halved step is doubled again.
constexpr int steps_before_growth = 4;

// So often filters take turns on the velocity at the end of a step.
constexpr int velocity_turns = 12;

// The memories of a pipeline as they are now.
class SavedMemories {
public:
    explicit SavedMemories(std::vector<MemoryBlock> blocks) : blocks_(std::move(blocks)) {
        saved_.reserve(blocks_.size());
        for (const MemoryBlock& block : blocks_) saved_.push_back(*block.data);
    }
    void put_back() const {
        for (std::size_t b = 0; b < blocks_.size(); ++b) *blocks_[b].data = saved_[b];
    }

private:
    std::vector<MemoryBlock> blocks_;
    std::vector<std::vector<double>> saved_;
};

bool all_finite(const State& state) {
    const auto finite = [](const Points& points) {
        return std::all_of(points.begin(), points.end(), [](const Vec3& p) { return p.allFinite(); });
    };
    return finite(state.x) && finite(state.v);
}

}  // namespace

std::span<const std::unique_ptr<Force>> Pipeline::step_forces() const {
    return std::span(forces).first(forces.size() - relax_alone);
}

std::span<const std::unique_ptr<Force>> Pipeline::relax_forces() const {
    return std::span(forces).last(relax_alone + shared);
}

Simulation::Simulation(Model model, State start, Pipeline pipeline, RunSettings settings)
    : model_(std::move(model)),
      state_(std::move(start)),
      pipeline_(std::move(pipeline)),
      settings_(settings) {
    if (!pipeline_.integrator) throw InputError({}, "a simulation needs an integrator");
    for (const auto& force : pipeline_.relax_forces()) {
        if (force->has_energy()) continue;
        throw InputError({}, "a force without an energy cannot be relaxed", std::string(force->name()),
                         "leave it in the group 'step'");
    }
    for (auto& force : pipeline_.forces) force->prepare(model_);
    pipeline_.integrator->prepare(model_, pipeline_.step_forces());
    for (auto& filter : pipeline_.filters) filter->prepare(model_);
    totals_.energy_start = total_energy(model_, state_, pipeline_.forces);
    totals_.energy_end = totals_.energy_max = totals_.energy_start;
}

void Simulation::place_pins(double dt, StepContext& context) {
    const std::size_t n = model_.rest.size();
    context.pinned.assign(n, 0);
    context.pin_target.resize(n);
    for (const PinGroup& pin : model_.pins) {
        if (!pin.holds(state_.t)) continue;
        const Points targets = pin.targets(context.stands ? state_.t : state_.t + dt);
        for (std::size_t k = 0; k < pin.vertices.size(); ++k) {
            context.pinned[std::size_t(pin.vertices[k])] = 1;
            context.pin_target[std::size_t(pin.vertices[k])] = targets[k];
        }
    }
}

double& Simulation::stage_of(std::size_t filter, const char* part) {
    return totals_.stages[std::string(pipeline_.filters[filter]->name()) + part];
}

// Says what of the way and of the velocity came after the first filter.
void Simulation::part_velocity(const Points& before, std::span<FilterReport> reports, Candidate& c) {
    if (before.empty()) return;
    const StepContext& context = context_;
    const std::size_t n = c.v.size();
    c.jump.resize(n);
    c.way.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        c.jump[i] = c.v[i] - before[i];
        c.way[i] = context.dt * c.jump[i];
    }
    c.settled = std::any_of(pipeline_.filters.begin(), pipeline_.filters.end(),
                            [](const auto& filter) { return filter->settles_velocity(); });
    if (!c.settled) return;
    Points x(n), first(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = context.start->x[i] + context.dt * before[i];
    pipeline_.integrator->end_velocity(context, x, first);
    Points v = first;
    bool changed = true;
    for (int turn = 0; turn < velocity_turns && changed && !context.stopping(); ++turn) {
        changed = false;
        for (std::size_t f = 0; f < reports.size(); ++f) {
            StageTimer timer(stage_of(f, ".velocity"));
            changed = pipeline_.filters[f]->settle_velocity(context, first, c, v, reports[f]) || changed;
        }
    }
    for (std::size_t i = 0; i < n; ++i) c.jump[i] = v[i] - first[i];
}

// The last filter may undo the first: measures them all on the final velocity; true if one is disturbed. Once
// one is, `thorough` alone makes the others look at what costs much.
bool Simulation::measure_filters(const Candidate& c, bool thorough, StepReport& report) {
    report.held = true;
    bool disturbed = false;
    for (std::size_t f = 0; f < pipeline_.filters.size(); ++f) {
        FilterReport& own = report.filters[f];
        own.note.clear();
        context_.promising = thorough || !disturbed;
        StageTimer timer(stage_of(f, ".measure"));
        pipeline_.filters[f]->measure(context_, c, own);
        if (pipeline_.judge_before) pipeline_.filters[f]->judge_before(own);
        report.held = report.held && own.held;
        disturbed = disturbed || !(own.residual <= own.tolerance);
    }
    return disturbed;
}

// Moves the pins to the end of the step; obstacles are moved by the filter that knows them.
void Simulation::begin_attempt(double dt) {
    context_.model = &model_;
    context_.start = &state_;
    context_.dt = dt;
    context_.force_at = 1;
    context_.inertia = 1;
    context_.halvings = progress_.halvings;
    context_.last_try = progress_.halvings == settings_.max_halvings;
    context_.forces = pipeline_.step_forces();
    context_.relax = pipeline_.relax_forces();
    context_.strain_limit = tolerance();
    place_pins(dt, context_);
}

StepResult Simulation::try_step(double dt) {
    StepResult result;
    StepContext& context = context_;
    Candidate c;
    Points before;  // the step velocity as the first filter left it
    const auto stopped = [&] { return result.stopped = context.stopping(); };
    if (stopped()) return result;
    begin_attempt(dt);
    c.impacted.assign(model_.rest.size(), 0);

    // Let forces and inertia propose a velocity, then make it admissible.
    {
        StageTimer timer(totals_.stages["candidate"]);
        pipeline_.integrator->candidate(context, c);
        if (stopped()) return result;
    }
    auto& reports = result.report.filters;
    reports.resize(pipeline_.filters.size());
    Patience patient;
    for (context.round = 0; context.round < pipeline_.rounds; ++context.round) {
        for (std::size_t f = 0; f < pipeline_.filters.size(); ++f) {
            StageTimer timer(stage_of(f, ""));
            reports[f].name = pipeline_.filters[f]->name();
            if (context.round == 0 && before.empty() && (f > 0 || pipeline_.filters[f]->settles_velocity()))
                before = c.v;
            pipeline_.filters[f]->apply(context, c, reports[f]);
            if (stopped()) return result;
        }

        // Only a filter undone by another gains from a further round.
        const bool disturbed = measure_filters(c, context.last_try, result.report);
        if (!disturbed || pipeline_.filters.size() < 2 || !patient.round(reports)) break;
    }
    part_velocity(before, reports, c);
    if (stopped()) return result;

    // Turn the step velocity into the state at the end of the step.
    {
        StageTimer timer(totals_.stages["accept"]);
        result.state = pipeline_.integrator->accept(context, c);
    }
    for (std::size_t f = 0; f < pipeline_.filters.size(); ++f) {
        StageTimer timer(stage_of(f, ".velocity"));
        pipeline_.filters[f]->apply_end_velocity(context, c, result.state);
    }
    StageTimer timer(totals_.stages["measure"]);
    result.finite = all_finite(result.state);
    if (result.finite) {
        for (auto& force : pipeline_.forces) force->remember(result.state);
    }
    fill_report(context, c, result);
    return result;
}

void Simulation::fill_report(const StepContext& context, const Candidate& c, StepResult& result) {
    StepReport& report = result.report;
    report.note = c.note;
    report.held = report.held && c.note.empty();
    report.integrator = c.integrator;
    result.refused = !c.note.empty();
    report.t = result.state.t;
    report.dt = context.dt;
    if (!result.finite) {
        report.held = false;
        report.note = "positions or velocities are not finite";
        return;
    }
    measure_strain(model_, result.state.x, report);
    report.kinetic = kinetic_energy(model_, result.state.v);
    report.potential = potential_energy(result.state.x, pipeline_.forces);
    Eigen::Map<Vec3>(report.center_of_mass.data()) = center_of_mass(model_, result.state.x);
    for (std::size_t f = 0; f < report.filters.size(); ++f) {
        const FilterReport& filter = report.filters[f];
        if (!filter.note.empty())
            report.note += (report.note.empty() ? "" : "; ") + filter.name + ": " + filter.note;
        if (!report.held && !filter.hint.empty()) report.note += "; " + filter.hint;
        const Promise promise = pipeline_.filters[f]->promise();
        if (promise == Promise::strain) report.strain_before = std::max(report.strain_before, filter.reached);
        if (promise != Promise::penetration) continue;
        report.penetration = std::max({report.penetration, filter.residual, filter.depth});
        report.distance = std::min(report.distance, filter.distance);
        report.intersections += filter.intersections;
        report.contacts += filter.contacts;
    }
}

std::vector<MemoryBlock> Simulation::memory() {
    std::vector<MemoryBlock> blocks;
    const auto collect = [&](Component& component) {
        for (MemoryBlock& block : component.memory()) blocks.push_back(block);
    };
    for (auto& force : pipeline_.forces) collect(*force);
    collect(*pipeline_.integrator);
    for (auto& filter : pipeline_.filters) collect(*filter);
    return blocks;
}

void Simulation::restore(State state, RunProgress progress, RunTotals totals) {
    state_ = std::move(state);
    progress_ = progress;
    totals_ = std::move(totals);
}

double Simulation::tolerance() const {
    double tightest = std::numeric_limits<double>::infinity();
    for (const auto& filter : pipeline_.filters) {
        if (filter->certifies_strain()) tightest = std::min(tightest, filter->strain_tolerance());
    }
    return tightest;
}

bool Simulation::certified() const {
    const double promised = tolerance();
    const double reached =
        pipeline_.judge_before ? totals_.strain_before : std::max(totals_.warp.max, totals_.weft.max);
    return totals_.steps > 0 && totals_.failed_steps == 0 && std::isfinite(promised) && reached <= promised;
}

std::string Simulation::state_hash() const {
    const std::uint64_t positions = hash_bytes(state_.x.data(), state_.x.size() * sizeof(Vec3));
    return hash_text(hash_bytes(state_.v.data(), state_.v.size() * sizeof(Vec3), positions));
}

long Simulation::frame_count() const {
    return std::lround(std::ceil(settings_.duration * settings_.fps - 1e-9));
}

// Tries a step of this length; on a miss rolls every memory back and halves it. Says how the run ends, if so;
// else `result` is what to commit and `taken` its length.
std::optional<RunOutcome> Simulation::save_step(double longest, StepResult& result, double& taken) {
    const RunProgress before = progress_;
    const auto stages = totals_.stages;
    const SavedMemories memories(memory());
    StepReport rejected;  // of the last attempt thrown away, with the work of all
    for (;;) {
        taken = std::ldexp(longest, -progress_.halvings);
        result = try_step(taken);
        if (result.stopped) {
            memories.put_back();
            progress_ = before;
            totals_.stages = stages;
            return RunOutcome::interrupted;
        }
        if (result.report.held && result.finite) break;
        if (progress_.halvings == settings_.max_halvings) break;
        memories.put_back();
        add_rejected(rejected, result.report);
        rejected = std::move(result.report);
        ++rejected.retries;
        if (result.refused) ++rejected.refused;
        ++progress_.halvings;
        progress_.good_steps = 0;
    }
    add_rejected(rejected, result.report);
    totals_.retries += result.report.retries;
    totals_.integrator.refused += result.report.refused;
    if (!result.finite || (!result.report.held && settings_.stop_on_failure)) {
        memories.put_back();
        ++totals_.failed_steps;
        failure_ = "step at t = " + number_text(state_.t) + " s could not be saved by halving dt to " +
                   number_text(taken) + " s: " + result.report.note;
        for (const FilterReport& report : result.report.filters)
            failure_faces_.insert(failure_faces_.end(), report.faces.begin(), report.faces.end());
        return RunOutcome::failed;
    }

    if (!rejected.note.empty())
        result.report.note =
            "retried: " + rejected.note + (result.report.note.empty() ? "" : "; ") + result.report.note;
    return {};
}

std::optional<RunOutcome> Simulation::advance(const std::vector<Observer*>& observers) {
    const auto start = Clock::now();

    // Cut the frame into equal steps, each into 2^max_halvings ticks.
    const double frame_time = 1 / settings_.fps;
    const long steps = std::max(1L, std::lround(std::ceil(frame_time / settings_.dt * (1 - 1e-6))));
    const long ticks_per_step = 1L << settings_.max_halvings;
    const double tick_time = frame_time / double(steps * ticks_per_step);

    StepResult result;
    double taken = 0;
    if (const auto outcome = save_step(double(ticks_per_step) * tick_time, result, taken)) return outcome;

    // Commit: the state becomes current, and observers are told.
    const long ticks = ticks_per_step >> progress_.halvings;
    progress_.tick += ticks;
    const double frame_start = double(progress_.frame) / settings_.fps;
    result.state.t = progress_.tick == steps * ticks_per_step
                         ? double(progress_.frame + 1) / settings_.fps
                         : frame_start + double(progress_.tick) * tick_time;
    result.report.t = result.state.t;
    result.report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    commit(std::move(result));
    if (progress_.tick == steps * ticks_per_step) {
        progress_.tick = 0;
        ++progress_.frame;
    }
    if (progress_.halvings > 0 && ++progress_.good_steps >= steps_before_growth &&
        progress_.tick % (ticks_per_step >> (progress_.halvings - 1)) == 0) {
        --progress_.halvings;
        progress_.good_steps = 0;
    }
    StageTimer timer(totals_.stages["output"]);
    for (Observer* observer : observers) observer->step(*this, report_);
    if (progress_.tick == 0) {
        for (Observer* observer : observers) observer->frame(*this, int(progress_.frame));
    }
    return {};
}

void Simulation::commit(StepResult result) {
    ++totals_.steps;
    result.report.step = totals_.steps;
    add_to_totals(result.report, totals_);
    state_ = std::move(result.state);
    report_ = std::move(result.report);
}

// Lets filters mend the start before anybody sees it; half a mending counts as none.
void Simulation::mend_start() {
    const State given = state_;
    StepContext context;
    context.stop_requested = context_.stop_requested;
    context.model = &model_;
    context.start = &state_;
    context.strain_limit = tolerance();
    place_pins(0, context);
    for (auto& filter : pipeline_.filters) {
        const std::string note = filter->mend_start(context, state_);
        if (!note.empty())
            start_note_ += (start_note_.empty() ? "" : "; ") + std::string(filter->name()) + ": " + note;
    }
    if (context.stopping()) {
        state_ = given;
        start_note_.clear();
    }
    if (start_note_.empty()) return;
    totals_.energy_start = total_energy(model_, state_, pipeline_.forces);
    totals_.energy_end = totals_.energy_max = totals_.energy_start;
}

void Simulation::begin_run(const std::vector<Observer*>& observers) {
    const bool start = totals_.steps == 0 && progress_.frame == 0 && progress_.tick == 0;
    if (start) mend_start();
    for (Observer* observer : observers) observer->begin(*this);
    if (!start) return;
    for (Observer* observer : observers) observer->frame(*this, 0);
}

RunOutcome Simulation::run(const std::vector<Observer*>& observers, std::function<bool()> stop) {
    context_.stop_requested = std::move(stop);
    const struct Forget {  // also where an observer throws
        StepContext& context;
        ~Forget() { context.stop_requested = {}; }
    } forget{context_};
    begin_run(observers);
    std::optional<RunOutcome> outcome;
    while (!outcome && progress_.frame < frame_count()) outcome = advance(observers);
    for (Observer* observer : observers) observer->end(*this);
    return outcome.value_or(RunOutcome::finished);
}

}  // namespace taut

// Bringing a system to rest: the steps of a run, with the motion taken out of the cloth.
#include "taut/sim/settle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "taut/sim/simulation.hpp"
#include "taut/sim/stage_timer.hpp"
#include "taut/sim/step_statistics.hpp"

namespace taut {
namespace {

using Clock = std::chrono::steady_clock;

// What accelerations are compared with, whatever gravity a scene has [m/s^2].
constexpr double unit_acceleration = 9.81;

// A halved step is doubled again after so many steps, as in a run.
constexpr int good_steps_before_growth = 4;

// Peaks of the kinetic energy that come after no more steps than this mean that nothing swings any more: so
// many steps from rest follow, and twice as many the next time.
constexpr int soon = 3, fewest_from_rest = 2, most_from_rest = 32;

// Steps from rest grow by this factor: slow enough for contacts to follow, fast enough to be long soon.
constexpr double step_growth = 1.2;

double mean_edge(const Model& model) {
    double sum = 0;
    for (double length : model.rest_length) sum += length;
    return model.rest_length.empty() ? 1 : sum / double(model.rest_length.size());
}

// Takes the motion out of the cloth after every step, and says how long the next may be.
class Descent {
public:
    Descent(const Model& model, const SettleSettings& settings, double dt, double longest)
        : model_(&model),
          settings_(&settings),
          dt_(std::min(dt, longest)),
          longest_(longest),
          before_(model.cloths.size(), 0.0),
          stopped_(model.cloths.size(), 0) {}

    double dt() const { return dt_; }
    bool from_rest() const { return from_rest_; }  // the next step starts at rest
    bool longest() const { return dt_ >= longest_; }
    long stops() const { return stops_; }

    void stop(Points& v) {
        std::fill(v.begin(), v.end(), Vec3::Zero());
        std::fill(before_.begin(), before_.end(), 0.0);
        std::fill(stopped_.begin(), stopped_.end(), 0);
        since_stop_ = 0;
        from_rest_ = true;
    }

    // `little`: a step from rest moved next to nothing; the next shall start at rest as well. `held`: at the
    // first attempt. True where velocities were changed.
    bool damp(bool little, bool held, Points& v) {
        if (from_rest_ && held) dt_ = std::min(step_growth * dt_, longest_);
        const bool quiet = quiet_left_ > 0;
        if (quiet) --quiet_left_;
        if (little || quiet) {
            stop(v);
            return true;
        }
        ++since_stop_;
        from_rest_ = false;
        if (settings_->damping == SettleDamping::viscous) return fade(v);
        const bool changed = stop_slowing(v);
        if (std::find(stopped_.begin(), stopped_.end(), 0) != stopped_.end()) return changed;
        quiet_ = since_stop_ > soon ? fewest_from_rest : std::min(2 * quiet_, most_from_rest);
        quiet_left_ = since_stop_ > soon ? 0 : quiet_;
        stop(v);
        return true;
    }

private:
    bool fade(Points& v) {
        double sum = 0, mass = 0;
        for (std::size_t i = 0; i < v.size(); ++i) {
            sum += model_->mass[i] * v[i].squaredNorm();
            mass += model_->mass[i];
            v[i] /= 1 + settings_->rate * dt_;
        }
        // What creeps is moved by forces of this size: look at them from rest once they are small enough.
        if (settings_->rate * std::sqrt(sum / mass) <= settings_->tolerance * unit_acceleration) stop(v);
        return true;
    }

    // Stops every cloth that has become slower.
    bool stop_slowing(Points& v) {
        bool any = false;
        for (std::size_t k = 0; k < before_.size(); ++k) {
            const Cloth& cloth = model_->cloths[k];
            const auto first = std::size_t(cloth.first_vertex), count = std::size_t(cloth.vertex_count);
            double now = 0;
            for (std::size_t i = first; i < first + count; ++i) now += model_->mass[i] * v[i].squaredNorm();
            const bool slower = now <= before_[k];
            before_[k] = slower ? 0 : now;
            if (!slower) continue;
            for (std::size_t i = first; i < first + count; ++i) v[i].setZero();
            any = true;
            stopped_[k] = 1;
            ++stops_;
        }
        return any;
    }

    const Model* model_;
    const SettleSettings* settings_;
    double dt_, longest_;
    std::vector<double> before_;         // kinetic energy of every cloth after the last step, twice
    std::vector<std::uint8_t> stopped_;  // since all were at rest
    bool from_rest_ = true;
    int since_stop_ = 0, quiet_ = fewest_from_rest, quiet_left_ = 0;
    long stops_ = 0;
};

// How far a step led, against what free fall would have made of it: the way of a constant acceleration a is
// h^2 a, with h the effective step of the integrator.
void measure_step(const StepContext& context, const State& end, SettleReport& report) {
    const Model& model = *context.model;
    double sum = 0, mass = 0, moved = 0, speed = 0;
    int vertex = -1;
    for (std::size_t i = 0; i < end.x.size(); ++i) {
        if (context.pinned[i]) continue;
        const double way2 = (end.x[i] - context.start->x[i]).squaredNorm();
        sum += model.mass[i] * way2;
        mass += model.mass[i];
        if (vertex < 0 || way2 > moved) moved = way2, vertex = int(i);
        speed = std::max(speed, end.v[i].squaredNorm());
    }
    const double fall = unit_acceleration * context.h * context.h;
    report.residual = mass > 0 ? std::sqrt(sum / mass) / fall : 0;
    report.moved = std::sqrt(moved);
    report.residual_most = report.moved / fall;
    report.residual_vertex = vertex;
    report.speed = std::sqrt(speed);
}

}  // namespace

// Follows the scene until its clock is to stand.
std::optional<RunOutcome> Simulation::run_until(double time, const std::vector<Observer*>& observers) {
    const long frames = std::lround(std::ceil(time * settings_.fps - 1e-9));
    std::optional<RunOutcome> outcome;
    while (!outcome && progress_.frame < frames) outcome = advance(observers);
    return outcome;
}

// One step from rest or on the way, halved where it misses; false: the way ends here.
bool Simulation::settle_step(double dt, const std::vector<Observer*>& observers, SettleReport& report) {
    const auto start = Clock::now();
    StepResult result;
    double taken = 0;
    const std::optional<RunOutcome> end = save_step(dt, result, taken);
    if (end) {
        report.outcome = *end == RunOutcome::interrupted ? SettleOutcome::interrupted : SettleOutcome::failed;
        report.note = *end == RunOutcome::interrupted ? "interrupted" : failure_;
        return false;
    }
    if (progress_.halvings > 0 && ++progress_.good_steps >= good_steps_before_growth) {
        --progress_.halvings;
        progress_.good_steps = 0;
    }
    if (getenv("TR"))
        fprintf(stderr, "%ld dt %g r %.4g moved %.4g KE %g U %.10g\n", report.steps, taken, report.residual,
                report.moved, result.report.kinetic, result.report.potential);
    measure_step(context_, result.state, report);
    ++report.steps;
    report.retries += result.report.retries;
    report.time += taken;
    settled_time_ += taken;
    result.state.t = state_.t;
    result.report.t = clock();
    result.report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    commit(std::move(result));
    StageTimer timer(totals_.stages["output"]);
    for (Observer* observer : observers) observer->step(*this, report_);
    return true;
}

// The damped way down, until steps from rest hardly move anything.
void Simulation::come_to_rest(const SettleSettings& settings, const std::vector<Observer*>& observers,
                              SettleReport& report) {
    const auto began = Clock::now();
    const bool implicit = !std::isfinite(pipeline_.integrator->longest_step(1));
    Descent descent(model_, settings, settings_.dt, implicit ? settings.longest_dt : settings_.dt);
    const double still = settings.still * mean_edge(model_);
    descent.stop(state_.v);
    pipeline_.integrator->forget_motion();
    for (int calm = 0; calm < settings.calm;) {
        report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
        if (report.steps >= settings.max_steps || report.seconds >= settings.max_seconds ||
            report.time >= settings.max_time) {
            report.note =
                fmt::format("not at rest after {} steps, {:.4g} s of motion", report.steps, report.time);
            break;
        }
        if (!settle_step(descent.dt(), observers, report)) break;
        if (report.steps % settings.frame_steps == 0) show_frame(observers);

        // Count the long steps from rest in a row that leave the cloth alone.
        const bool little =
            descent.from_rest() && report.residual <= settings.tolerance && report.moved <= still;
        const bool held = report_.retries == 0 && progress_.halvings == 0;
        calm = little && (descent.longest() || !held) ? calm + 1 : 0;
        if (calm == settings.calm) report.outcome = SettleOutcome::at_rest;
        if (descent.damp(little, held, state_.v)) pipeline_.integrator->forget_motion();
    }
    report.stops = descent.stops();
    report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    descent.stop(state_.v);
    pipeline_.integrator->forget_motion();
}

void Simulation::show_frame(const std::vector<Observer*>& observers) {
    ++progress_.frame;
    for (Observer* observer : observers) observer->frame(*this, int(progress_.frame));
}

SettleReport Simulation::settle(const SettleSettings& settings, const std::vector<Observer*>& observers,
                                std::function<bool()> stop) {
    SettleReport report;
    context_.stop_requested = std::move(stop);
    const struct Forget {  // also where an observer throws
        StepContext& context;
        ~Forget() {
            context.stop_requested = {};
            context.stands = false;
        }
    } forget{context_};
    begin_run(observers);
    const std::optional<RunOutcome> before = run_until(settings.at, observers);
    if (before) {
        report.outcome =
            *before == RunOutcome::interrupted ? SettleOutcome::interrupted : SettleOutcome::failed;
        report.note = *before == RunOutcome::interrupted ? "interrupted before its clock stood" : failure_;
    } else {
        context_.stands = true;
        come_to_rest(settings, observers, report);
        show_frame(observers);
    }
    report.strain = report_.max_strain();
    report.kinetic = report_.kinetic;
    report.energy = total_energy(model_, state_, pipeline_.forces);
    for (Observer* observer : observers) observer->end(*this);
    return report;
}

}  // namespace taut

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

// Where nothing swings any more, and where the energy rises by itself, so many steps from rest follow, and
// twice as many the next time.
constexpr int soon = 3, fewest_from_rest = 2, most_from_rest = 1024;

// A rise of the energy by this part of it is rounding.
constexpr double energy_noise = 1e-10;

// Steps from rest grow by this factor: slow enough for contacts to follow, fast enough to be long soon.
constexpr double step_growth = 1.2;

double mean_edge(const Model& model) {
    double sum = 0;
    for (double length : model.rest_length) sum += length;
    return model.rest_length.empty() ? 1 : sum / double(model.rest_length.size());
}

// How far the cloth goes when it is let go from rest, until a time has passed or its kinetic energy has a
// peak.
class Probe {
public:
    Probe(const Model& model, double time) : model_(&model), time_(time) {}

    void begin(const Points& x) {
        start_ = x;
        passed_ = fall_ = fall_speed_ = 0;
    }
    // The way of free fall in such steps goes along: h^2 in the first of them, h the effective step.
    void step(double dt, double h) {
        fall_ += dt * fall_speed_ + h * h;
        fall_speed_ += dt;
        passed_ += dt;
    }
    bool over() const { return passed_ >= time_ * (1 - 1e-6); }

    // Against free fall. A way that ends early is measured as it is, where the cloth turned back, or goes on
    // as it began.
    void measure(const std::vector<std::uint8_t>& pinned, const Points& x, bool goes_on,
                 SettleReport& report) const {
        double sum = 0, mass = 0, most = 0;
        int vertex = -1;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (pinned[i]) continue;
            const double way2 = (x[i] - start_[i]).squaredNorm();
            sum += model_->mass[i] * way2;
            mass += model_->mass[i];
            if (vertex < 0 || way2 > most) most = way2, vertex = int(i);
        }
        const double whole = over() ? fall_ : 0.5 * time_ * time_;
        const double longer = goes_on ? whole / fall_ : 1, fall = unit_acceleration * whole;
        report.residual = mass > 0 ? longer * std::sqrt(sum / mass) / fall : 0;
        report.moved = longer * std::sqrt(most);
        report.residual_most = report.moved / fall;
        report.residual_vertex = vertex;
    }

private:
    const Model* model_;
    double time_;
    Points start_;
    double passed_ = 0, fall_ = 0, fall_speed_ = 0;  // [s], [s^2], [s]: of a unit acceleration
};

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
    long stops() const { return stops_; }
    bool quiet() const { return quiet_left_ > 0; }
    bool longest() const { return dt_ >= longest_; }
    // After a step from rest of length dt: the next may be longer, but never again as long as one that
    // missed.
    void adapt(double dt, bool missed) {
        if (missed) longest_ = dt;
        dt_ = std::min(step_growth * dt, longest_);
    }

    void stop(Points& v, double potential) {
        std::fill(v.begin(), v.end(), Vec3::Zero());
        std::fill(before_.begin(), before_.end(), 0.0);
        std::fill(stopped_.begin(), stopped_.end(), 0);
        since_stop_ = 0;
        quiet_left_ = std::max(quiet_left_ - 1, 0);
        potential_ = potential;
    }

    // True where the kinetic energy of all cloths has passed a peak since they were at rest, or where it is
    // time to look what moves them. Slower cloths have been stopped; `changed` says whether any was.
    bool peaked(const StepReport& report, bool long_ago, Points& v, bool& changed) {
        ++since_stop_;
        if (settings_->damping == SettleDamping::viscous) {
            changed = true;
            return fade(v) && long_ago;
        }
        changed = stop_slowing(v);
        const bool rising = report.energy() > potential_ + energy_noise * std::abs(potential_);
        const bool all = std::find(stopped_.begin(), stopped_.end(), 0) == stopped_.end();
        if (!all && !rising) return false;
        if (rising || since_stop_ <= soon) {
            quiet_left_ = quiet_ = std::min(2 * quiet_, most_from_rest);
        } else {
            quiet_ = fewest_from_rest;
        }
        return true;
    }

private:
    // What creeps at a speed is moved by forces of rate times it.
    bool fade(Points& v) {
        double sum = 0, mass = 0;
        for (std::size_t i = 0; i < v.size(); ++i) {
            sum += model_->mass[i] * v[i].squaredNorm();
            mass += model_->mass[i];
            v[i] /= 1 + settings_->rate * dt_;
        }
        return settings_->rate * std::sqrt(sum / mass) <= settings_->tolerance * unit_acceleration;
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
    int since_stop_ = 0, quiet_ = fewest_from_rest / 2, quiet_left_ = 0;
    long stops_ = 0;
    double potential_ = 0;  // when all were at rest [J]
};

double fastest(const Points& v) {
    double most = 0;
    for (const Vec3& one : v) most = std::max(most, one.squaredNorm());
    return std::sqrt(most);
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
    Descent descent(model_, settings, settings_.dt, implicit ? settings.probe : settings_.dt);
    Probe probe(model_, settings.probe);
    const double still = settings.still * mean_edge(model_);
    const auto stop = [&] {
        descent.stop(state_.v, potential_energy(state_.x, pipeline_.forces));
        probe.begin(state_.x);
        pipeline_.integrator->forget_motion();
    };
    stop();
    int calm = 0;
    bool let_go = false;  // nothing is stopped until the probe is over
    for (;;) {
        report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
        if (report.steps >= settings.max_steps || report.seconds >= settings.max_seconds ||
            report.time >= settings.max_time) {
            report.note =
                fmt::format("not at rest after {} steps, {:.4g} s of motion", report.steps, report.time);
            break;
        }
        if (!settle_step(descent.dt(), observers, report)) break;
        if (report.steps % settings.frame_steps == 0) show_frame(observers);
        probe.step(report_.dt, context_.h);
        bool changed = false;
        const bool quiet = descent.quiet();
        bool due = quiet || (!let_go && descent.peaked(report_, probe.over(), state_.v, changed));

        // Look how far the cloth went: short ways in a row are rest. Where it turned back early, and where
        // steps from rest may still become longer, that has to be looked at again.
        const bool whole = probe.over() || (quiet && descent.longest());
        if (whole || (due && !quiet)) {
            SettleReport glance;
            SettleReport& look = whole ? report : glance;
            probe.measure(context_.pinned, state_.x, quiet, look);
            const bool little = look.residual <= settings.tolerance && look.moved <= still;
            calm = little && whole ? calm + 1 : 0;
            if (calm == settings.calm) {
                report.outcome = SettleOutcome::at_rest;
                break;
            }
            due = due || let_go || little;
            let_go = little && !quiet;
        }
        if (due) {
            descent.adapt(quiet ? report_.dt : descent.dt(), quiet && report_.retries > 0);
            if (quiet) progress_.halvings = progress_.good_steps = 0;
            stop();
        } else if (changed) {
            pipeline_.integrator->forget_motion();
        }
    }
    report.stops = descent.stops();
    report.speed = fastest(state_.v);
    report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    stop();
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
        if (report.steps % settings.frame_steps != 0) show_frame(observers);
    }
    report.strain = report_.max_strain();
    report.kinetic = report_.kinetic;
    report.energy = total_energy(model_, state_, pipeline_.forces);
    for (Observer* observer : observers) observer->end(*this);
    return report;
}

}  // namespace taut

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
constexpr int settle_steps_before_growth = 4;

// Kinetic energies of the cloths: says which of them have passed a peak.
class Peaks {
public:
    explicit Peaks(const Model& model) : model_(&model), before_(model.cloths.size(), 0.0) {}

    // Stops every cloth that has become slower; returns how many.
    int stop_slowing(PointsView v) {
        int stopped = 0;
        for (std::size_t k = 0; k < before_.size(); ++k) {
            const Cloth& cloth = model_->cloths[k];
            const auto first = std::size_t(cloth.first_vertex), count = std::size_t(cloth.vertex_count);
            double now = 0;
            for (std::size_t i = first; i < first + count; ++i) now += model_->mass[i] * v[i].squaredNorm();
            const bool slower = now < before_[k];
            before_[k] = slower ? 0 : now;
            if (!slower) continue;
            for (std::size_t i = first; i < first + count; ++i) v[i].setZero();
            ++stopped;
        }
        return stopped;
    }
    void forget() { std::fill(before_.begin(), before_.end(), 0.0); }

private:
    const Model* model_;
    std::vector<double> before_;
};

double mean_edge(const Model& model) {
    double sum = 0;
    for (double length : model.rest_length) sum += length;
    return model.rest_length.empty() ? 1 : sum / double(model.rest_length.size());
}

void stop(Points& v) { std::fill(v.begin(), v.end(), Vec3::Zero()); }

// What changed in a step of length dt, from one velocity to another: the acceleration, root mean square by mass
// and the largest, over free vertices.
void measure_step(const Model& model, const std::vector<std::uint8_t>& pinned, const State& start,
                  const State& end, double dt, SettleReport& report) {
    double sum = 0, mass = 0, most = 0, moved = 0, speed = 0;
    int vertex = -1;
    for (std::size_t i = 0; i < end.x.size(); ++i) {
        if (pinned[i]) continue;
        const double a2 = (end.v[i] - start.v[i]).squaredNorm();
        sum += model.mass[i] * a2;
        mass += model.mass[i];
        if (vertex < 0 || a2 > most) most = a2, vertex = int(i);
        moved = std::max(moved, (end.x[i] - start.x[i]).squaredNorm());
        speed = std::max(speed, end.v[i].squaredNorm());
    }
    const double unit = unit_acceleration * dt;
    report.residual = mass > 0 ? std::sqrt(sum / mass) / unit : 0;
    report.residual_most = std::sqrt(most) / unit;
    report.residual_vertex = vertex;
    report.moved = std::sqrt(moved);
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
    if (progress_.halvings > 0 && ++progress_.good_steps >= settle_steps_before_growth) {
        --progress_.halvings;
        progress_.good_steps = 0;
    }
    measure_step(model_, context_.pinned, state_, result.state, taken, report);
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
    const bool kinetic = settings.damping == SettleDamping::kinetic;
    const double dt = settings.dt > 0 ? settings.dt : settings_.dt;
    const double edge = mean_edge(model_);
    Peaks peaks(model_);
    const auto stop_all = [&] {
        stop(state_.v);
        pipeline_.integrator->forget_motion();
        peaks.forget();
    };
    stop_all();
    bool from_rest = true;
    int calm = 0;
    for (;;) {
        report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
        if (report.steps >= settings.max_steps || report.seconds >= settings.max_seconds ||
            report.time >= settings.max_time) {
            report.note = fmt::format("not at rest after {} steps, {:.3g} s", report.steps, report.time);
            break;
        }
        if (!settle_step(dt, observers, report)) break;
        if (report.steps % settings.frame_steps == 0) show_frame(observers);

        // Count what steps from rest in a row leave alone; look from rest again where little is unbalanced.
        const bool little = report.residual <= settings.tolerance && report.moved <= settings.still * edge;
        calm = from_rest && little ? calm + 1 : 0;
        if (calm >= settings.calm) {
            report.outcome = SettleOutcome::at_rest;
            break;
        }
        from_rest = false;
        if (little) {
            stop_all();
            from_rest = true;
        } else if (kinetic) {
            const int stopped = peaks.stop_slowing(state_.v);
            report.stops += stopped;
            if (stopped > 0) pipeline_.integrator->forget_motion();
            from_rest = stopped == int(model_.cloths.size());
        } else {
            for (Vec3& v : state_.v) v /= 1 + settings.rate * dt;
            pipeline_.integrator->forget_motion();
        }
    }
    report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    stop(state_.v);
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

// What ends a run early.
#include "stop.hpp"

#include <csignal>

namespace taut::cli {

namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set only a lock-free flag");

extern "C" void request_stop(int) { stop_requested.store(true); }

}  // namespace

const std::atomic<bool>& stop_on_signals() {
    struct sigaction action {};
    action.sa_handler = request_stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    return stop_requested;
}

void StopSwitch::step(const Simulation& simulation, const StepReport& report) {
    by_strict_ = by_strict_ || (rules_.strict && !report.held);
    by_steps_ = by_steps_ || (rules_.steps > 0 && simulation.totals().steps >= rules_.steps);
    by_time_ = by_time_ || (rules_.seconds > 0 && simulation.totals().wall_s >= rules_.seconds);
}

bool StopSwitch::requested() {
    by_signal_ = by_signal_ || (rules_.signal != nullptr && rules_.signal->load());
    return by_signal_ || by_strict_ || by_steps_ || by_time_;
}

}  // namespace taut::cli

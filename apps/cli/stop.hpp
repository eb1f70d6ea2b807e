// What ends a run early: Ctrl-C or a polite kill, which throw the step at hand away; a number of steps, a
// time, a missed promise, which end the run after a step. A second signal ends the program at once, as usual.
#pragma once

#include <atomic>

#include "taut/sim/simulation.hpp"

namespace taut::cli {

// Installs the handlers and returns the flag they set.
const std::atomic<bool>& stop_on_signals();

struct StopRules {
    const std::atomic<bool>* signal = nullptr;
    long steps = 0;       // end after so many steps of the whole run; 0: never
    bool strict = false;  // end at the first step that misses a promise
    double seconds = 0;   // end after so long a time of computing; 0: never [s]
};

class StopSwitch final : public Observer {
public:
    explicit StopSwitch(StopRules rules) : rules_(rules) {}
    void step(const Simulation& simulation, const StepReport& report) override;

    bool requested();  // for the run to ask
    bool by_signal() const { return by_signal_; }
    bool by_strict() const { return by_strict_; }
    bool by_steps() const { return by_steps_; }
    bool by_time() const { return by_time_; }

private:
    StopRules rules_;
    bool by_signal_ = false, by_strict_ = false, by_steps_ = false, by_time_ = false;
};

}  // namespace taut::cli

// The progress line of a run: how far, how long to go, steps per second, strain of the last step.
// On a terminal it redraws one line; in a pipe it prints a line every few seconds.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "taut/sim/simulation.hpp"

namespace taut::cli {

class ProgressLine final : public Observer {
public:
    // label: what runs. max_steps: the run ends after so many steps if that comes first; 0: never.
    ProgressLine(std::FILE* stream, std::string label, long max_steps = 0);
    ~ProgressLine() override;

    void begin(const Simulation& simulation) override;
    void step(const Simulation& simulation, const StepReport& report) override;
    void end(const Simulation& simulation) override;

private:
    using Clock = std::chrono::steady_clock;
    double done(const Simulation& simulation) const;  // 0 to 1
    void draw(const Simulation& simulation, const StepReport& report, Clock::time_point now);
    void clear();

    std::FILE* stream_;
    std::string label_;
    long max_steps_;
    bool redraws_;
    bool drawn_ = false;
    Clock::time_point start_, last_draw_;
    double done_at_start_ = 0;
    long steps_at_start_ = 0;
};

}  // namespace taut::cli

// Seconds that a part of the step takes, for the report.
#pragma once

#include <chrono>

namespace taut {

// Adds the time until it dies to a stage.
class StageTimer {
public:
    explicit StageTimer(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
    ~StageTimer() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    Clock::time_point start_;
};

}  // namespace taut

// The progress line of a run.
#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text.hpp"

namespace taut::cli {

namespace {

// Often enough to look alive, seldom enough to cost nothing.
constexpr std::chrono::milliseconds redraw_interval{100};
// A log file stays readable.
constexpr std::chrono::seconds line_interval{5};
constexpr int bar_width = 16;

}  // namespace

ProgressLine::ProgressLine(std::FILE* stream, std::string label, long max_steps)
    : stream_(stream), label_(std::move(label)), max_steps_(max_steps), redraws_(is_terminal(stream)) {}

ProgressLine::~ProgressLine() { clear(); }

double ProgressLine::done(const Simulation& simulation) const {
    double part = simulation.state().t / simulation.settings().duration;
    if (max_steps_ > 0) {
        part =
            std::max(part, static_cast<double>(simulation.totals().steps) / static_cast<double>(max_steps_));
    }
    return std::clamp(part, 0.0, 1.0);
}

void ProgressLine::begin(const Simulation& simulation) {
    start_ = last_draw_ = Clock::now();
    done_at_start_ = done(simulation);
    steps_at_start_ = simulation.totals().steps;
}

void ProgressLine::step(const Simulation& simulation, const StepReport& report) {
    const auto now = Clock::now();
    const bool due = redraws_ ? now - last_draw_ >= redraw_interval : now - last_draw_ >= line_interval;
    if (!due) return;
    last_draw_ = now;
    draw(simulation, report, now);
}

void ProgressLine::end(const Simulation&) { clear(); }

void ProgressLine::draw(const Simulation& simulation, const StepReport& report, Clock::time_point now) {
    // Estimate the rest from the pace since the start.
    const double part = done(simulation);
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    const double gained = part - done_at_start_;
    const double rest = gained > 0 ? elapsed * (1 - part) / gained : INFINITY;
    const double speed =
        elapsed > 0 ? static_cast<double>(simulation.totals().steps - steps_at_start_) / elapsed : 0;

    const int full = static_cast<int>(std::lround(part * bar_width));
    const std::string bar = std::string(static_cast<std::size_t>(full), '#') +
                            std::string(static_cast<std::size_t>(bar_width - full), '.');
    std::string line =
        fmt::format("{} [{}] {:3.0f} %  ETA {}  {:.3g} steps/s  strain {:.3g} %  t {:.2f}/{:g} s", label_,
                    bar, std::floor(100 * part), clock_text(rest), speed, 100 * report.max_strain(), report.t,
                    simulation.settings().duration);
    if (simulation.totals().retries > 0) line += fmt::format("  retries {}", simulation.totals().retries);

    // Redraw in place without wrapping, or add a line.
    if (redraws_) {
        const auto width = static_cast<std::size_t>(std::max(terminal_width(stream_) - 1, 10));
        if (line.size() > width) line.resize(width);
        fmt::print(stream_, "\r\x1b[K{}", line);
        drawn_ = true;
    } else {
        fmt::print(stream_, "{}\n", line);
    }
    std::fflush(stream_);
}

void ProgressLine::clear() {
    if (!drawn_) return;
    fmt::print(stream_, "\r\x1b[K");
    std::fflush(stream_);
    drawn_ = false;
}

}  // namespace taut::cli

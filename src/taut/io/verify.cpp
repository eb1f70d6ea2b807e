// The frames of a run one after the other, then its steps: each is read, checked by itself and, as a step,
// on the way from the one before.
#include "taut/io/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "taut/base/error.hpp"
#include "taut/io/verify_series.hpp"

namespace taut::io {
namespace verify {
namespace {

// The number of frames that the scene inside the header asks for, the start included; -1 where it does
// not say.
long frames_asked(const CacheHeader& header) {
    const auto scene = nlohmann::json::parse(header.effective_scene, nullptr, false);
    if (!scene.is_object() || !scene.contains("run") || !scene["run"].is_object()) return -1;
    const auto& run = scene["run"];
    if (!run.contains("duration") || !run["duration"].is_number()) return -1;
    const double frames = std::ceil(run["duration"].get<double>() * header.fps - 1e-9);
    return frames >= 0 && frames < 1e15 ? std::lround(frames) + 1 : -1;
}

bool same_run(const CacheHeader& a, const CacheHeader& b) {
    return a.vertices == b.vertices && a.rest_length == b.rest_length && a.faces.size() == b.faces.size() &&
           a.cloths.size() == b.cloths.size() && a.obstacles.size() == b.obstacles.size() && a.fps == b.fps;
}

// First step at or after a time, of a file whose times grow.
long first_step_at(CacheReader& reader, double t) {
    long low = 0, high = reader.frames();
    while (low < high) {
        const long middle = low + (high - low) / 2;
        if (reader.read_any(middle).t < t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool same_state(const CacheFrame& a, const CacheFrame& b) {
    return a.x == b.x && a.deformed == b.deformed &&
           std::ranges::equal(a.obstacles, b.obstacles, [](const auto& p, const auto& q) {
               return p.rotation == q.rotation && p.translation == q.translation;
           });
}

// Holds the frames against the steps: every frame is a step.
class FrameMatch {
public:
    FrameMatch(CacheReader& frames, long first, long last) : frames_(frames), next_(first), last_(last) {}

    void see(const CacheFrame& step, Findings& findings) {
        while (next_ <= last_) {
            if (!frame_) frame_ = frames_.read_any(next_);
            if (step.t < frame_->t) return;
            if (step.t > frame_->t)
                findings.add(Check::complete, {}, {}, 0, fmt::format("no step ends at frame {}", next_));
            else if (!same_state(step, *frame_))
                findings.add(Check::complete, {}, {}, 0, fmt::format("frame {} is not this step", next_));
            frame_.reset();
            ++next_;
        }
    }
    void end(Findings& findings) const {
        if (next_ <= last_)
            findings.add(Check::complete, {}, {}, 0, fmt::format("the steps end before frame {}", next_));
    }

private:
    CacheReader& frames_;
    long next_, last_;
    std::optional<CacheFrame> frame_;
};

struct FrameRange {
    long first, last;
};

FrameRange frame_range(const CacheReader& reader, const VerifyOptions& options, const std::string& file) {
    const long last = options.last < 0 ? reader.frames() - 1 : options.last;
    if (reader.frames() == 0) {
        throw InputError({file, ""}, "the run has no frames yet", "",
                         "wait for its first frame, or run the scene again");
    }
    if (options.first < 0 || options.first > last || last >= reader.frames()) {
        throw InputError({file, "--frames"}, "there are no such frames",
                         fmt::format("{}..{}", options.first, last),
                         fmt::format("the cache holds frames 0 to {}", reader.frames() - 1));
    }
    return {options.first, last};
}

// Refuses files in each other's place. Those without a mark are from before it: steps are then not to be
// told from frames, frames only by their number.
void check_contents(const CacheReader& frames, const std::string& file) {
    const std::string remedy = "run the scene again";
    check_cache_content(frames.header(), CacheContent::frames, file, remedy);
    const long asked = frames_asked(frames.header());
    if (frames.header().content == CacheContent::unmarked && asked >= 0 && frames.frames() > asked) {
        throw InputError({file, ""}, fmt::format("holds more than the {} frames of its scene", asked),
                         std::to_string(frames.frames()), remedy);
    }
}

void check_step_contents(const CacheHeader& frames, const CacheHeader& steps, const std::string& file) {
    const std::string remedy =
        "run the scene again with --cache-steps, or delete the file to check frames only";
    check_cache_content(steps, CacheContent::steps, file, remedy);
    if (steps.content == CacheContent::unmarked) {
        throw InputError({file, "header"}, "does not say whether it holds steps or frames", "", remedy);
    }
    if (!same_run(frames, steps))
        throw InputError({file, "header"}, "the steps belong to another run", "", remedy);
}

// Refuses to skip everything that this run could be judged by.
void check_skips(const CacheHeader& header, const FrameRange& range, bool steps, const VerifyOptions& options,
                 const std::string& file) {
    const std::vector<std::string> skipped = skipped_checks(options);
    const bool pairs =
        header.cloths.size() > 1 || options.self || (options.obstacles && !header.obstacles.empty());
    const bool strain = options.strain && header.tolerance > 0 && !header.judged_before && range.last > 0;
    const bool pins = options.pins && header.pins && !header.pins->empty();
    const bool ways = options.crossings && steps && range.last > range.first;
    if (skipped.empty() || strain || pins || (pairs && (options.intersections || ways))) return;
    throw InputError({file, "--skip"}, "leaves nothing to check of this run",
                     fmt::format("{}", fmt::join(skipped, ",")), "skip less");
}

void check_frames(CacheReader& reader, const FrameRange& range, const VerifyOptions& options,
                  SeriesCheck& series) {
    for (long k = range.first; k <= range.last; ++k) {
        if (options.progress) options.progress(false, k - range.first, range.last - range.first + 1);
        series.look_at(k, reader.read_any(k));
    }

    // Judge the file as a whole where all of it was asked for.
    if (!options.whole()) return;
    if (reader.cut())
        series.findings.add(Check::complete, {}, {}, 0,
                            fmt::format("the file ends within frame {}", reader.frames()));
    const long asked = frames_asked(reader.header());
    if (asked >= 0 && reader.frames() < asked)
        series.findings.add(Check::complete, {}, {}, 0,
                            fmt::format("the scene asks for frames 0 to {}", asked - 1));
}

void check_steps(CacheReader& frames, const FrameRange& range, CacheReader& steps,
                 const VerifyOptions& options, SeriesCheck& series) {
    const bool whole = options.whole();
    const double t_last = frames.read_any(range.last).t;
    long first = 0, last = steps.frames() - 1;
    if (!whole) {
        first = first_step_at(steps, frames.read_any(range.first).t);
        last = std::min(last, first_step_at(steps, t_last));
    }
    FrameMatch match(frames, range.first, range.last);
    for (long k = first; k <= last; ++k) {
        if (options.progress) options.progress(true, k - first, last - first + 1);
        CacheFrame step = steps.read_any(k);
        series.findings.begin(k, step.t);
        match.see(step, series.findings);
        series.look_at(k, std::move(step));
    }
    match.end(series.findings);
    if (whole && steps.cut())
        series.findings.add(Check::complete, {}, {}, 0,
                            fmt::format("the file ends within step {}", steps.frames()));
}

void take(const SeriesCheck& series, SeriesReport& into, VerifyReport& report) {
    into = series.report;
    if (series.start_strain) {
        report.start_strain = series.start_strain;
        report.start_edge = series.start_edge;
    }
    for (std::size_t c = 0; c < check_count; ++c) report.offences[c] += series.findings.counts[c];
    report.list.insert(report.list.end(), series.findings.list.begin(), series.findings.list.end());
}

// Puts offences in order of time, frames before steps, and keeps those of the first moment.
void sort_offences(VerifyReport& report, bool all) {
    std::stable_sort(report.list.begin(), report.list.end(), [](const Offence& a, const Offence& b) {
        return std::tuple(a.t, a.step, a.index, a.check) < std::tuple(b.t, b.step, b.index, b.check);
    });
    if (all || report.list.empty()) return;
    const Offence first = report.list.front();
    std::erase_if(report.list,
                  [&](const Offence& o) { return o.step != first.step || o.index != first.index; });
}

}  // namespace
}  // namespace verify

bool VerifyReport::good() const {
    return std::all_of(offences.begin(), offences.end(), [](long count) { return count == 0; });
}

VerifyReport verify_run(const std::filesystem::path& cache, const std::filesystem::path& steps,
                        const VerifyOptions& options) {
    VerifyReport report;
    CacheReader frames(cache);
    const CacheHeader& header = frames.header();
    report.judged_before = header.judged_before;
    report.tolerance = header.judged_before ? 0 : header.tolerance;
    report.pins_recorded = header.pins.has_value();
    verify::check_contents(frames, cache.string());
    const verify::FrameRange range = verify::frame_range(frames, options, cache.string());
    verify::check_skips(header, range, !steps.empty(), options, cache.string());
    std::optional<CacheReader> step_reader;
    if (!steps.empty()) {
        step_reader.emplace(steps);
        verify::check_step_contents(header, step_reader->header(), steps.string());
    }
    const CacheFrame start = frames.read_any(0);
    {
        verify::SeriesCheck series(header, start, options, false);
        verify::check_frames(frames, range, options, series);
        verify::take(series, report.frames, report);
        report.frames.recorded = frames.frames();
    }
    if (step_reader) {
        report.steps_recorded = true;
        verify::SeriesCheck series(step_reader->header(), start, options, true);
        verify::check_steps(frames, range, *step_reader, options, series);
        verify::take(series, report.steps, report);
        report.steps.recorded = step_reader->frames();
    }
    verify::sort_offences(report, options.all);
    return report;
}

}  // namespace taut::io

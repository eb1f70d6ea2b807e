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
#include "taut/io/verify_pins.hpp"
#include "taut/io/verify_surface.hpp"

namespace taut::io {
namespace verify {
namespace {

// Collects offences: all of them, or those of the first frame or step that has any.
class Findings {
public:
    Findings(bool all, bool step) : all_(all), step_(step) {}

    // A time that is not finite counts as that of the frame before.
    void begin(long index, double t) {
        index_ = index;
        if (std::isfinite(t)) t_ = t;
    }
    void add(Check check, const BodyPart& first = {}, const BodyPart& second = {}, double value = 0,
             std::string note = {}) {
        Offence offence{check, step_, index_, t_, first, second, value};
        offence.note = std::move(note);
        add(std::move(offence));
    }
    void add(Check check, const Meeting& m) {
        Offence offence{check, step_, index_, t_, m.first, m.second, m.value};
        offence.through = m.through;
        offence.sure = m.sure;
        add(std::move(offence));
    }

    std::vector<Offence> list;
    std::array<long, check_count> counts{};

private:
    void add(Offence offence) {
        ++counts[static_cast<std::size_t>(offence.check)];
        if (all_ || list.empty() || list.front().index == offence.index) list.push_back(std::move(offence));
    }

    bool all_, step_;
    long index_ = 0;
    double t_ = 0;
};

// One series of frames or steps under check.
class SeriesCheck {
public:
    SeriesCheck(const CacheHeader& header, const CacheFrame& start, const VerifyOptions& options, bool steps)
        : header_(header),
          options_(options),
          surface_(make_surface(header, options)),
          pin_places_(header, start),
          steps_(steps),
          findings(options.all, steps) {}

    void look_at(long index, CacheFrame frame);

private:
    bool check_finite();
    void check_pins();
    void check_strain();
    void check_meetings();
    void check_crossings();
    bool surely_holds(const PinGroup& pin) const;
    int cloth_of(int vertex) const;
    BodyPart local(BodyPart::Kind kind, int a, int b = -1) const;

    const CacheHeader& header_;
    const VerifyOptions& options_;
    Surface surface_;
    PinPlaces pin_places_;
    bool steps_;
    long index_ = 0;
    CacheFrame frame_;
    std::optional<double> t_before_;
    Points x_, x_before_;  // of all points; empty where they were not finite [m]

public:
    Findings findings;
    SeriesReport report;
};

void SeriesCheck::look_at(long index, CacheFrame frame) {
    index_ = index;
    frame_ = std::move(frame);
    findings.begin(index, frame_.t);
    if (report.count++ == 0) {
        report.first = index;
        report.t_first = frame_.t;
    }
    report.t_last = frame_.t;
    x_before_.swap(x_);
    x_.clear();
    if (t_before_ && !(frame_.t > *t_before_))
        findings.add(Check::times, {}, {}, frame_.t - *t_before_,
                     fmt::format("the time before was {} s", *t_before_));
    if (check_finite()) {
        place(surface_, frame_, x_);
        if (options_.pins && header_.pins) check_pins();
        check_strain();
        if (options_.intersections) check_meetings();
        if (steps_ && options_.crossings && !x_before_.empty()) check_crossings();
    }
    t_before_ = frame_.t;
}

bool SeriesCheck::check_finite() {
    bool finite = true;
    const auto refuse = [&](const BodyPart& part, const char* note) {
        findings.add(Check::finite, part, {}, 0, note);
        finite = false;
    };
    if (!std::isfinite(frame_.t)) refuse({}, "the time is not finite");
    for (std::size_t v = 0; v < frame_.x.size(); ++v) {
        if (!frame_.x[v].allFinite()) refuse(local(BodyPart::Kind::vertex, static_cast<int>(v)), "");
    }
    const int cloths = static_cast<int>(header_.cloths.size());
    for (std::size_t k = 0; k < frame_.obstacles.size(); ++k) {
        const RigidTransform& at = frame_.obstacles[k];
        bool good = at.rotation.allFinite() && at.translation.allFinite();
        if (k < frame_.deformed.size()) {
            for (const Vec3& p : frame_.deformed[k]) good = good && p.allFinite();
        }
        if (!good) refuse(solid_part(cloths + static_cast<int>(k)), "");
    }
    return finite;
}

// A pin acts in steps that start before its release; between two frames the last one that does is not known.
bool SeriesCheck::surely_holds(const PinGroup& pin) const {
    if (!t_before_) return pin.holds(frame_.t);
    return steps_ ? pin.holds(*t_before_) : frame_.t <= pin.release;
}

void SeriesCheck::check_pins() {
    const auto& pins = *header_.pins;
    const double t = frame_.t, moment = 4 * std::numeric_limits<double>::epsilon() * std::abs(t);
    for (std::size_t p = 0; p < pins.size(); ++p) {
        const PinGroup& pin = pins[p];
        if (!surely_holds(pin)) continue;
        const Points places = pin_places_.targets(p, frame_);
        for (std::size_t k = 0; k < pin.vertices.size(); ++k) {
            const auto v = static_cast<std::size_t>(pin.vertices[k]);
            const double error = (frame_.x[v] - places[k]).norm();
            ++report.pinned;
            report.pin_error = std::max(report.pin_error, error);
            if (error <= pin_allowance) continue;

            // Allow for a time that is rounded: a fast pin goes further in it.
            double gone = 0;
            if (pin.body < 0) gone = (pin.target(k, t + moment) - pin.target(k, t - moment)).norm();
            if (error <= pin_allowance + gone) continue;
            findings.add(Check::pins, local(BodyPart::Kind::vertex, pin.vertices[k]), {}, error, pin.name);
        }
    }
}

void SeriesCheck::check_strain() {
    const bool judged = options_.strain && header_.tolerance > 0 && !header_.judged_before;
    for (std::size_t e = 0; e < header_.edges.size(); ++e) {
        const mesh::Edge& edge = header_.edges[e];
        if (edge.direction == mesh::Direction::none) continue;
        const double length =
            (frame_.x[static_cast<std::size_t>(edge.a)] - frame_.x[static_cast<std::size_t>(edge.b)]).norm();
        const double strain = std::abs(length / header_.rest_length[e] - 1);
        if (strain > report.max_strain || report.strain_index < 0) {
            report.max_strain = strain;
            report.strain_index = index_;
            report.strain_edge = local(BodyPart::Kind::edge, edge.a, edge.b);
        }
        if (judged && strain > header_.tolerance + strain_allowance)
            findings.add(Check::strain, local(BodyPart::Kind::edge, edge.a, edge.b), {}, strain);
    }
}

void SeriesCheck::check_meetings() {
    const Meetings meetings = find_meetings(surface_, frame_, x_);
    if (meetings.clearance < report.clearance) {
        report.clearance = meetings.clearance;
        report.clearance_index = index_;
    }
    report.intersections += static_cast<long>(meetings.list.size());
    report.intersecting += meetings.list.empty() ? 0 : 1;
    for (const Meeting& meeting : meetings.list) {
        report.depth = std::max(report.depth, meeting.value);
        findings.add(Check::intersections, meeting);
    }
}

void SeriesCheck::check_crossings() {
    for (const Meeting& meeting : find_crossings(surface_, x_before_, x_)) {
        ++report.crossings;
        report.unsure += meeting.sure ? 0 : 1;
        findings.add(Check::crossings, meeting);
    }
}

int SeriesCheck::cloth_of(int vertex) const {
    for (std::size_t c = 0; c < header_.cloths.size(); ++c) {
        const int first = header_.cloths[c].first_vertex;
        if (vertex >= first && vertex < first + header_.cloths[c].vertex_count) return static_cast<int>(c);
    }
    return -1;
}

BodyPart SeriesCheck::local(BodyPart::Kind kind, int a, int b) const {
    const int cloth = cloth_of(a);
    const int first = cloth < 0 ? 0 : header_.cloths[static_cast<std::size_t>(cloth)].first_vertex;
    return {kind, cloth, b < 0 ? a - first : -1, {a - first, b < 0 ? -1 : b - first, -1, -1}};
}

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
    if (reader.frames() == 0) throw InputError({file, ""}, "the run has no frames yet");
    if (options.first < 0 || options.first > last || last >= reader.frames()) {
        throw InputError({file, "--frames"}, "there are no such frames",
                         fmt::format("{}..{}", options.first, last),
                         fmt::format("the cache holds frames 0 to {}", reader.frames() - 1));
    }
    return {options.first, last};
}

void check_frames(CacheReader& reader, const FrameRange& range, const VerifyOptions& options,
                  SeriesCheck& series) {
    for (long k = range.first; k <= range.last; ++k) {
        if (options.progress) options.progress(false, k - range.first, range.last - range.first + 1);
        series.look_at(k, reader.read_any(k));
    }

    // Judge the file as a whole where all of it was asked for.
    if (options.first > 0 || options.last >= 0) return;
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
    const bool whole = options.first == 0 && options.last < 0;
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
    const verify::FrameRange range = verify::frame_range(frames, options, cache.string());
    const CacheFrame start = frames.read_any(0);
    {
        verify::SeriesCheck series(header, start, options, false);
        verify::check_frames(frames, range, options, series);
        verify::take(series, report.frames, report);
    }
    if (!steps.empty()) {
        CacheReader reader(steps);
        if (!verify::same_run(header, reader.header())) {
            throw InputError({steps.string(), "header"}, "the steps belong to another run", "",
                             "run the scene again, or delete the file to check frames only");
        }
        report.steps_recorded = true;
        verify::SeriesCheck series(reader.header(), start, options, true);
        verify::check_steps(frames, range, reader, options, series);
        verify::take(series, report.steps, report);
    }
    verify::sort_offences(report, options.all);
    return report;
}

}  // namespace taut::io

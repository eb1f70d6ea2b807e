// One series of frames or steps under check: what is found in each by itself and, of steps, on the way from
// the one before. Number 0 is the start of the run, which no step has made: its strain is told, not judged.
// Private to the verify files.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/io/verify_pins.hpp"
#include "taut/io/verify_surface.hpp"

namespace taut::io::verify {

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
    std::optional<double> start_strain;  // see VerifyReport
    BodyPart start_edge;
};

}  // namespace taut::io::verify

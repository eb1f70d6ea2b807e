#include "taut/io/verify_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace taut::io::verify {

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
    const bool start = index_ == 0;
    const bool judged = !start && options_.strain && header_.tolerance > 0 && !header_.judged_before;
    for (std::size_t e = 0; e < header_.edges.size(); ++e) {
        const mesh::Edge& edge = header_.edges[e];
        if (edge.direction == mesh::Direction::none) continue;
        const double length =
            (frame_.x[static_cast<std::size_t>(edge.a)] - frame_.x[static_cast<std::size_t>(edge.b)]).norm();
        const double strain = std::abs(length / header_.rest_length[e] - 1);
        if (start) {
            if (start_strain && !(strain > *start_strain)) continue;
            start_strain = strain;
            start_edge = local(BodyPart::Kind::edge, edge.a, edge.b);
            continue;
        }
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
}  // namespace taut::io::verify

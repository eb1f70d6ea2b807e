// Offences in words, and as marks for a picture.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "taut/io/verify.hpp"

namespace taut::io {
namespace {

constexpr std::array<const char*, check_count> check_names{"complete", "finite",        "times",    "pins",
                                                           "strain",   "intersections", "crossings"};

std::string body_text(const CacheHeader& header, int body) {
    if (body < 0) return "no cloth";
    const auto index = static_cast<std::size_t>(body);
    const bool cloth = index < header.cloths.size();
    const std::size_t own = cloth ? index : index - header.cloths.size();
    const std::string& name = cloth ? header.cloths[own].name : header.obstacles[own].name;
    const char* kind = cloth ? "cloth" : "obstacle";
    return name.empty() ? fmt::format("{} {}", kind, own) : fmt::format("{} '{}'", kind, name);
}

std::string place_text(const Offence& offence) {
    if (offence.check == Check::crossings)
        return fmt::format("between steps {} and {}, before {:.6g} s", offence.index - 1, offence.index,
                           offence.t);
    return fmt::format("{} {}, {:.6g} s", offence.step ? "step" : "frame", offence.index, offence.t);
}

std::string crossing_text(const CacheHeader& header, const Offence& offence) {
    const char* verb = !offence.sure     ? "comes too close to call to"
                       : offence.through ? "passes through"
                                         : "meets";
    return fmt::format("{} {} {}, at {:.3g} of the step", describe(header, offence.first), verb,
                       describe(header, offence.second), offence.value);
}

std::string what_text(const CacheHeader& header, double tolerance, const Offence& offence) {
    const std::string first = describe(header, offence.first);
    switch (offence.check) {
        case Check::complete:
            return offence.note;
        case Check::finite:
            return offence.note.empty() ? first + " is not finite" : offence.note;
        case Check::times:
            return "time does not grow: " + offence.note;
        case Check::pins:
            return fmt::format("{} is {:.3g} m from where pin '{}' holds it", first, offence.value,
                               offence.note);
        case Check::strain:
            return fmt::format("{} is strained by {:.7g} %, {:.7g} % promised", first, 100 * offence.value,
                               100 * tolerance);
        case Check::intersections:
            if (offence.second.kind == BodyPart::Kind::solid)
                return fmt::format("{} is {:.3g} m inside {}", first, offence.value,
                                   describe(header, offence.second));
            return fmt::format("{} intersects {}", first, describe(header, offence.second));
        case Check::crossings:
            return crossing_text(header, offence);
    }
    return {};
}

// Global index of the vertices of a part of a cloth; empty for obstacles.
std::vector<int> cloth_vertices(const CacheHeader& header, const BodyPart& part) {
    std::vector<int> list;
    if (part.body < 0 || static_cast<std::size_t>(part.body) >= header.cloths.size()) return list;
    const int first = header.cloths[static_cast<std::size_t>(part.body)].first_vertex;
    for (const int v : part.vertex) {
        if (v >= 0) list.push_back(first + v);
    }
    return list;
}

}  // namespace

const char* check_name(Check check) { return check_names[static_cast<std::size_t>(check)]; }

std::vector<std::string> skipped_checks(const VerifyOptions& options) {
    std::vector<std::string> words;
    const auto add = [&](bool checked, const char* word) {
        if (!checked) words.emplace_back(word);
    };
    add(options.strain, "strain");
    add(options.pins, "pins");
    add(options.intersections, "intersections");
    add(options.crossings, "crossings");
    add(options.self, "self");
    add(options.obstacles, "obstacles");
    return words;
}

std::string describe(const CacheHeader& header, const BodyPart& part) {
    std::string body = body_text(header, part.body);
    const auto& v = part.vertex;
    switch (part.kind) {
        case BodyPart::Kind::vertex:
            return fmt::format("vertex {} of {}", v[0], body);
        case BodyPart::Kind::edge:
            return fmt::format("edge {}-{} of {}", v[0], v[1], body);
        case BodyPart::Kind::face:
            return fmt::format("face {} of {}", part.index, body);
        case BodyPart::Kind::solid:
            return body;
        case BodyPart::Kind::none:
            break;
    }
    return {};
}

std::string describe(const CacheHeader& header, double tolerance, const Offence& offence) {
    return place_text(offence) + ": " + what_text(header, tolerance, offence);
}

PictureMarks marks_of(const CacheHeader& header, const std::vector<Offence>& offences) {
    // Collect the corners of every part; a face or edge is marked where it has them all.
    std::vector<std::vector<int>> parts;
    for (const Offence& offence : offences) {
        for (const BodyPart* part : {&offence.first, &offence.second}) {
            std::vector<int> vertices = cloth_vertices(header, *part);
            std::sort(vertices.begin(), vertices.end());
            if (!vertices.empty()) parts.push_back(std::move(vertices));
        }
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());

    // Look parts up by their first vertex.
    const auto touches = [&](std::vector<int> corners) {
        std::sort(corners.begin(), corners.end());
        for (const int corner : corners) {
            auto part = std::lower_bound(parts.begin(), parts.end(), std::vector{corner});
            for (; part != parts.end() && part->front() == corner; ++part) {
                if (std::includes(corners.begin(), corners.end(), part->begin(), part->end())) return true;
            }
        }
        return false;
    };
    PictureMarks marks;
    for (std::size_t f = 0; f < header.faces.size(); ++f) {
        std::vector<int> corners;
        std::copy_if(header.faces[f].corner.begin(), header.faces[f].corner.end(),
                     std::back_inserter(corners), [](int v) { return v >= 0; });
        if (touches(std::move(corners))) marks.faces.push_back(static_cast<int>(f));
    }
    for (std::size_t e = 0; e < header.edges.size(); ++e) {
        const mesh::Edge& edge = header.edges[e];
        if (edge.face[0] < 0 && edge.face[1] < 0 && touches({edge.a, edge.b}))
            marks.edges.push_back(static_cast<int>(e));
    }
    return marks;
}

}  // namespace taut::io

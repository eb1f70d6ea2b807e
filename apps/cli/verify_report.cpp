// What `taut verify` found.
#include "verify_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "text.hpp"

namespace taut::cli {

namespace {

using io::BodyPart;
using io::Check;
using io::SeriesReport;
using scene::Json;

// Offences told without --all: enough to see a pattern on one screen.
constexpr std::size_t most_lines = 8;

long count_of(const VerifyTold& told, Check check) {
    return told.report.offences[static_cast<std::size_t>(check)];
}

std::string clearance_cell(const SeriesReport& series) {
    if (!std::isfinite(series.clearance)) return "-";
    return fmt::format("{:.4g} mm", 1e3 * series.clearance);
}

std::string pins_cell(const VerifyTold& told, const SeriesReport& series) {
    if (!told.report.pins_recorded) return "not recorded";
    if (!told.options.pins) return "skipped";
    return series.pinned == 0 ? "none" : fmt::format("{:.2g} m off", series.pin_error);
}

std::string crossings_cell(const VerifyTold& told, const SeriesReport& series, bool steps) {
    if (!steps) return "-";
    if (!told.options.crossings) return "skipped";
    if (series.count < 2) return "-";
    return count_text(series.crossings) +
           (series.unsure > 0 ? fmt::format(", {} unsure", series.unsure) : std::string());
}

// The cells of one column, from the count down.
std::vector<std::string> column(const VerifyTold& told, const SeriesReport& series, bool steps) {
    const bool meetings = told.options.intersections;
    const bool part = series.count < series.recorded;
    return {count_text(series.count) + (part ? " of " + count_text(series.recorded) : std::string()),
            fmt::format("{:.4g} to {:.4g} s", series.t_first, series.t_last),
            series.strain_index < 0 ? "-" : percent_text(series.max_strain),
            meetings ? count_text(series.intersections) : "skipped",
            meetings ? clearance_cell(series) : "skipped",
            pins_cell(told, series),
            crossings_cell(told, series, steps)};
}

std::string table_text(const VerifyTold& told) {
    const std::vector<std::string> names{"looked at", "time", "max strain", "intersections",
                                         "clearance", "pins", "crossings"};
    const auto frames = column(told, told.report.frames, false);
    const auto steps = column(told, told.report.steps, true);
    Table table;
    if (told.report.steps_recorded) {
        table.row({"", "frames", "steps"});
        for (std::size_t k = 0; k < names.size(); ++k) table.row({names[k], frames[k], steps[k]});
    } else {
        table.row({"", "frames"});
        for (std::size_t k = 0; k + 1 < names.size(); ++k) table.row({names[k], frames[k]});
    }
    return table.text();
}

std::string strain_text(const VerifyTold& told) {
    const SeriesReport& frames = told.report.frames;
    const bool in_steps = told.report.steps.max_strain > frames.max_strain;
    const SeriesReport& worst = in_steps ? told.report.steps : frames;
    std::string where;
    if (worst.strain_index >= 0)
        where = fmt::format(": largest at {} {}, {}", in_steps ? "step" : "frame", worst.strain_index,
                            io::describe(told.header, worst.strain_edge));
    if (told.report.judged_before) return "strain was promised before contact only" + where;
    if (!(told.report.tolerance > 0)) return "no strain was promised" + where;
    if (!told.options.strain) return "strain is not judged" + where;
    if (worst.strain_index < 0) return "no step was looked at whose strain is promised";
    return fmt::format("strain {} promised {}{}",
                       count_of(told, Check::strain) == 0 ? "holds the" : "misses the",
                       percent_text(told.report.tolerance), where);
}

// The start, where it is strained beyond the promise or, where none was given, beyond what steps have made.
std::string start_text(const VerifyTold& told) {
    const io::VerifyReport& report = told.report;
    if (!report.start_strain || !told.options.strain) return {};
    const double limit =
        report.tolerance > 0 ? report.tolerance : std::max(report.frames.max_strain, report.steps.max_strain);
    if (*report.start_strain <= limit + io::strain_allowance) return {};
    return fmt::format("The start itself is strained by {}, {}; no step has made it.\n",
                       percent_text(*report.start_strain), io::describe(told.header, report.start_edge));
}

// "every frame", "frame 2", "frames 2 to 4".
std::string range_text(const VerifyTold& told, const SeriesReport& series, const std::string& thing) {
    if (told.options.whole()) return "every " + thing;
    if (series.count == 1) return fmt::format("{} {}", thing, series.first);
    return fmt::format("{}s {} to {}", thing, series.first, series.first + series.count - 1);
}

// True if the ways between steps were looked at: there are two steps at least.
bool saw_ways(const VerifyTold& told) { return told.options.crossings && told.report.steps.count > 1; }

// True if the verdict is about all frames and steps and every check.
bool saw_all(const VerifyTold& told) {
    return told.options.whole() && io::skipped_checks(told.options).empty();
}

// What the verdict is about, and what was left out.
std::string scope_text(const VerifyTold& told) {
    std::vector<std::string> seen{range_text(told, told.report.frames, "frame")};
    if (told.report.steps.count > 0) seen.push_back(range_text(told, told.report.steps, "step"));
    if (saw_ways(told)) seen.emplace_back("the way between");
    std::string text = seen.front();
    for (std::size_t k = 1; k < seen.size(); ++k) text += (k + 1 < seen.size() ? ", " : " and ") + seen[k];
    text += " checked";
    const std::vector<std::string> skipped = io::skipped_checks(told.options);
    if (!skipped.empty()) text += fmt::format("; skipped: {}", fmt::join(skipped, ", "));
    return text;
}

// "1 intersection", "12 edges strained beyond the promise".
std::string tally_text(Check check, long count) {
    switch (check) {
        case Check::complete:
            return "frames or steps missing or wrong";
        case Check::finite:
            return count_text(count) + " not finite";
        case Check::times:
            return counted(count, "time that does not grow", "times that do not grow");
        case Check::pins:
            return counted(count, "pinned vertex off its path", "pinned vertices off their paths");
        case Check::strain:
            return counted(count, "edge strained beyond the promise", "edges strained beyond the promise");
        case Check::intersections:
            return counted(count, "intersection");
        case Check::crossings:
            return counted(count, "crossing");
    }
    return {};
}

// True if a filter of the scene inside the header keeps cloth apart from everything.
bool keeps_cloth_apart(const io::CacheHeader& header) {
    const Json json = Json::parse(header.effective_scene, nullptr, false);
    if (!json.is_object() || !json.contains("filters") || !json["filters"].is_array()) return false;
    for (const Json& filter : json["filters"]) {
        if (filter.is_object() && filter.contains("type") && filter["type"] == "collision") return true;
    }
    return false;
}

// The words of --skip that leave out all of this check that is listed; none where nothing is. Two cloths
// have no word of their own: the whole check goes.
std::vector<std::string> words_to_skip(const VerifyTold& told, Check check) {
    const auto cloths = static_cast<int>(told.header.cloths.size());
    bool self = false, obstacles = false;
    for (const io::Offence& offence : told.report.list) {
        if (offence.check != check) continue;
        const int a = offence.first.body, b = offence.second.body;
        if (a < cloths && b < cloths && a != b) return {io::check_name(check)};
        (a == b ? self : obstacles) = true;
    }
    std::vector<std::string> words;
    if (self) words.emplace_back("self");
    if (obstacles) words.emplace_back("obstacles");
    return words;
}

// How to mend cloth that meets something, where no filter looks after that.
std::string hint_text(const VerifyTold& told) {
    if (count_of(told, Check::intersections) + count_of(told, Check::crossings) == 0 ||
        keeps_cloth_apart(told.header)) {
        return {};
    }
    std::string text =
        "This scene has no filter collision, which keeps cloth apart from itself, other cloths and "
        "obstacles:\n"
        "add \"filters\": {\"collision\": {}}, or \"collision\" to its list of filters, and run it again.\n";
    for (const Check check : {Check::intersections, Check::crossings}) {
        const std::vector<std::string> words = words_to_skip(told, check);
        if (!words.empty())
            text += fmt::format("--skip {} leaves out the {} listed.\n", fmt::join(words, ","),
                                io::check_name(check));
    }
    return text;
}

std::string verdict_text(const VerifyTold& told) {
    if (told.report.good()) {
        const bool no_steps = !told.report.steps_recorded && told.options.crossings;
        return fmt::format("VERIFIED: {}{}\n{}", scope_text(told),
                           no_steps ? "; the way between needs `taut run --cache-steps`" : "",
                           start_text(told));
    }
    std::string text = "NOT VERIFIED:";
    for (std::size_t c = 0; c < io::check_count; ++c) {
        const long count = told.report.offences[c];
        if (count > 0) text += fmt::format(" {},", tally_text(static_cast<Check>(c), count));
    }
    text.back() = '\n';
    const std::size_t shown =
        told.options.all ? told.report.list.size() : std::min(told.report.list.size(), most_lines);
    for (std::size_t k = 0; k < shown; ++k)
        text += "  " + io::describe(told.header, told.report.tolerance, told.report.list[k]) + "\n";
    if (shown < told.report.list.size())
        text += fmt::format("  and {} more of that moment; --all lists everything\n",
                            count_text(static_cast<long>(told.report.list.size() - shown)));
    if (!saw_all(told)) text += "Only " + scope_text(told) + ".\n";
    return text + start_text(told) + hint_text(told);
}

Json part_json(const io::CacheHeader& header, const BodyPart& part) {
    const char* kinds[] = {"none", "vertex", "edge", "face", "solid"};
    const auto body = static_cast<std::size_t>(part.body);
    Json json{{"kind", kinds[static_cast<std::size_t>(part.kind)]}};
    if (part.body >= 0 && body < header.cloths.size()) json["cloth"] = header.cloths[body].name;
    if (part.body >= 0 && body >= header.cloths.size())
        json["obstacle"] = header.obstacles[body - header.cloths.size()].name;
    if (part.index >= 0) json["index"] = part.index;
    json["vertices"] = Json::array();
    for (const int v : part.vertex) {
        if (v >= 0) json["vertices"].push_back(v);
    }
    return json;
}

Json offence_json(const VerifyTold& told, const io::Offence& offence) {
    Json json{{"check", io::check_name(offence.check)},
              {offence.step ? "step" : "frame", offence.index},
              {"t", offence.t},
              {"value", offence.value},
              {"sure", offence.sure},
              {"parts", Json::array()},
              {"text", io::describe(told.header, told.report.tolerance, offence)}};
    if (offence.check == Check::crossings) json["through"] = offence.through;
    for (const BodyPart* part : {&offence.first, &offence.second}) {
        if (part->kind != BodyPart::Kind::none) json["parts"].push_back(part_json(told.header, *part));
    }
    return json;
}

Json series_json(const VerifyTold& told, const SeriesReport& series, bool steps) {
    Json json{{"first", series.first},
              {"last", series.first + series.count - 1},
              {"count", series.count},
              {"recorded", series.recorded},
              {"t_first", series.t_first},
              {"t_last", series.t_last},
              {"max_strain", series.strain_index < 0 ? Json() : Json(series.max_strain)}};
    if (series.strain_index >= 0) {
        json["max_strain_at"] = {{"index", series.strain_index},
                                 {"edge", part_json(told.header, series.strain_edge)}};
    }

    // What was not looked at is null.
    const auto seen = [](bool looked, auto value) { return looked ? Json(value) : Json(); };
    const bool meetings = told.options.intersections;
    const bool pins = told.options.pins && told.report.pins_recorded;
    json["intersections"] = seen(meetings, series.intersections);
    json["intersecting"] = seen(meetings, series.intersecting);
    json["depth"] = seen(meetings, series.depth);
    json["clearance"] = seen(std::isfinite(series.clearance), series.clearance);
    json["pins"] = seen(pins, series.pinned);
    json["pin_error"] = seen(pins, series.pin_error);
    if (steps) {
        json["crossings"] = seen(saw_ways(told), series.crossings);
        json["unsure"] = seen(saw_ways(told), series.unsure);
    }
    return json;
}

}  // namespace

std::string verify_text(const VerifyTold& told) {
    return fmt::format("{}: {}\n\n{}\n{}checked in {}\n", told.header.scene_name, strain_text(told),
                       table_text(told), verdict_text(told), seconds_text(told.seconds));
}

Json verify_json(const VerifyTold& told) {
    const io::VerifyReport& report = told.report;
    Json json{{"scene", told.header.scene_name},
              {"verified", report.good()},
              {"whole", told.options.whole()},
              {"skipped", io::skipped_checks(told.options)},
              {"tolerance", report.tolerance},
              {"strain_judged", report.judged_before ? "before_contact" : "end"},
              {"pins_recorded", report.pins_recorded}};
    json["start_strain"] = report.start_strain ? Json(*report.start_strain) : Json();
    json["frames"] = series_json(told, report.frames, false);
    json["steps"] = report.steps_recorded ? series_json(told, report.steps, true) : Json();
    for (std::size_t c = 0; c < io::check_count; ++c)
        json["offences"][io::check_name(static_cast<Check>(c))] = report.offences[c];
    json["list"] = Json::array();
    for (const io::Offence& offence : report.list) json["list"].push_back(offence_json(told, offence));
    if (!told.picture.empty()) json["picture"] = told.picture;
    json["seconds"] = told.seconds;
    return json;
}

}  // namespace taut::cli

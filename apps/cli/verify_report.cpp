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
    return count_text(series.crossings) +
           (series.unsure > 0 ? fmt::format(", {} unsure", series.unsure) : std::string());
}

// The cells of one column, from the count down.
std::vector<std::string> column(const VerifyTold& told, const SeriesReport& series, bool steps) {
    const bool meetings = told.options.intersections;
    return {count_text(series.count),
            fmt::format("{:.4g} to {:.4g} s", series.t_first, series.t_last),
            percent_text(series.max_strain),
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
    return fmt::format("strain {} promised {}{}",
                       count_of(told, Check::strain) == 0 ? "holds the" : "misses the",
                       percent_text(told.report.tolerance), where);
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

std::string verdict_text(const VerifyTold& told) {
    if (told.report.good()) {
        return fmt::format(
            "VERIFIED: {} checked{}\n",
            told.report.steps_recorded ? "every frame, every step and the way between" : "every frame",
            told.report.steps_recorded ? "" : "; the way between needs `taut run --cache-steps`");
    }
    std::string text = "NOT VERIFIED:";
    for (std::size_t c = 0; c < io::check_count; ++c) {
        const long count = told.report.offences[c];
        if (count > 0)
            text += fmt::format(" {} {},", count_text(count), io::check_name(static_cast<Check>(c)));
    }
    text.back() = '\n';
    const std::size_t shown =
        told.options.all ? told.report.list.size() : std::min(told.report.list.size(), most_lines);
    for (std::size_t k = 0; k < shown; ++k)
        text += "  " + io::describe(told.header, told.report.tolerance, told.report.list[k]) + "\n";
    if (shown < told.report.list.size())
        text += fmt::format("  and {} more of that moment; --all lists everything\n",
                            count_text(static_cast<long>(told.report.list.size() - shown)));
    if (count_of(told, Check::intersections) + count_of(told, Check::crossings) > 0 &&
        !keeps_cloth_apart(told.header)) {
        text +=
            "No filter of this scene keeps cloth apart; --skip self or --skip obstacles leaves these out.\n";
    }
    return text;
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
              {"count", series.count},
              {"t_first", series.t_first},
              {"t_last", series.t_last},
              {"max_strain", series.max_strain}};
    if (series.strain_index >= 0) {
        json["max_strain_at"] = {{"index", series.strain_index},
                                 {"edge", part_json(told.header, series.strain_edge)}};
    }
    json["intersections"] = series.intersections;
    json["intersecting"] = series.intersecting;
    json["depth"] = series.depth;
    json["clearance"] = std::isfinite(series.clearance) ? Json(series.clearance) : Json();
    json["pins"] = series.pinned;
    json["pin_error"] = series.pin_error;
    if (steps) {
        json["crossings"] = series.crossings;
        json["unsure"] = series.unsure;
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
              {"tolerance", report.tolerance},
              {"strain_judged", report.judged_before ? "before_contact" : "end"},
              {"pins_recorded", report.pins_recorded}};
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

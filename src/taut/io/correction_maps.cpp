#include "taut/io/correction_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"
#include "taut/io/atomic_file.hpp"

namespace taut::io {
namespace {

using Json = nlohmann::json;
using Change = CorrectionMaps::Change;

constexpr int format_version = 1;
constexpr const char* version_key = "taut_correction_maps";
// Larger files are refused [bytes]; one within the limits has a quarter of that.
constexpr std::uintmax_t largest_file = std::uintmax_t{128} << 20;
constexpr std::string_view kind_letters = "hvs";  // in the order of SpringKind

std::string quoted_text(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::size_t weight(const CorrectionMap& map) { return map.list.size() + map.fixed.size(); }

bool same_map(const CorrectionMap& a, const CorrectionMap& b) {
    return a.name == b.name && a.fixed == b.fixed &&
           std::ranges::equal(a.list, b.list, [](const Correction& p, const Correction& q) {
               return p.from == q.from && p.to == q.to && p.kind == q.kind;
           });
}

// Reads the file's JSON; every complaint names the place.
class MapsReader {
public:
    MapsReader(const Json& json, const std::string& file, int vertices)
        : json_(json), file_(file), vertices_(vertices) {}

    CorrectionMaps read() const {
        if (!json_.is_object()) refuse("", "is not a JSON object", json_);
        const Json& version = member(json_, "", version_key);
        if (version != format_version) {
            refuse(fmt::format("/{}", version_key), "has a version that this program does not read", version,
                   fmt::format("allowed: {}", format_version));
        }
        CorrectionMaps maps;
        maps.vertices = vertices_;
        const Json& count = member(json_, "", "vertices");
        if (count != vertices_) {
            refuse("/vertices", "belongs to another run: its cloth has another number of vertices", count,
                   fmt::format("allowed: {}; {}", vertices_, remedy));
        }
        const Json& whole = member(json_, "", "whole");
        if (!whole.is_boolean()) refuse("/whole", "is neither true nor false", whole);
        maps.whole = whole.get<bool>();
        const Json& list = array(json_, "", "maps");
        for (std::size_t k = 0; k < list.size(); ++k) {
            maps.maps.push_back(map(list[k], fmt::format("/maps/{}", k)));
            maps.maps.back().number = static_cast<long>(k);
        }
        const Json& active = array(json_, "", "active");
        for (std::size_t k = 0; k < active.size(); ++k) {
            const std::string place = fmt::format("/active/{}", k);
            maps.changes.push_back(change(active[k], place, maps.maps.size()));
            if (k > 0 && maps.changes[k].t < maps.changes[k - 1].t)
                refuse(place, "is earlier than the one before it", active[k]);
        }
        return maps;
    }

private:
    static constexpr const char* remedy = "remove the file, or run the scene again";

    [[noreturn]] void refuse(const std::string& place, const std::string& problem, const Json& value,
                             const std::string& help = remedy) const {
        std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
        if (text.size() > 60) text = text.substr(0, 60) + "...";
        throw InputError({file_, place}, problem, text, help);
    }

    const Json& member(const Json& object, const std::string& place, const char* key) const {
        const auto found = object.find(key);
        if (found == object.end())
            throw InputError({file_, place}, fmt::format("\"{}\" is missing", key), "", remedy);
        return *found;
    }

    const Json& array(const Json& object, const std::string& place, const char* key) const {
        const Json& value = member(object, place, key);
        if (!value.is_array()) refuse(place + "/" + key, "is not a list", value);
        return value;
    }

    int vertex(const Json& value, const std::string& list, std::size_t k) const {
        const bool good = value.is_number_integer() && value.get<std::int64_t>() >= 0 &&
                          value.get<std::int64_t>() < vertices_;
        if (!good) {
            refuse(fmt::format("{}/{}", list, k), "is no vertex of the run", value,
                   fmt::format("allowed: 0 to {}; {}", vertices_ - 1, remedy));
        }
        return value.get<int>();
    }

    CorrectionMap map(const Json& value, const std::string& place) const {
        if (!value.is_object()) refuse(place, "is not a JSON object", value);
        CorrectionMap made;
        const Json& name = member(value, place, "name");
        if (!name.is_string()) refuse(place + "/name", "is not a text", name);
        made.name = name.get<std::string>();
        const Json& fixed = array(value, place, "fixed");
        for (std::size_t k = 0; k < fixed.size(); ++k)
            made.fixed.push_back(vertex(fixed[k], place + "/fixed", k));

        const Json& ends = array(value, place, "corrections");
        const Json& kinds = member(value, place, "kinds");
        if (!kinds.is_string()) refuse(place + "/kinds", "is not a text", kinds);
        const auto& letters = kinds.get_ref<const std::string&>();
        if (ends.size() != 2 * letters.size()) {
            refuse(place + "/corrections", "does not have two vertices for every letter of \"kinds\"",
                   fmt::format("{} vertices, {} letters", ends.size(), letters.size()));
        }
        const std::string list = place + "/corrections";
        for (std::size_t k = 0; k < letters.size(); ++k) {
            const std::size_t kind = kind_letters.find(letters[k]);
            if (kind == std::string_view::npos) {
                refuse(fmt::format("{}/kinds, letter {}", place, k), "is no kind of spring",
                       std::string(1, letters[k]), fmt::format("allowed: h, v, s; {}", remedy));
            }
            made.list.push_back({vertex(ends[2 * k], list, 2 * k), vertex(ends[2 * k + 1], list, 2 * k + 1),
                                 static_cast<SpringKind>(kind)});
            if (made.list.back().from == made.list.back().to)
                refuse(fmt::format("{}/{}", list, 2 * k + 1), "is the vertex it is corrected from",
                       ends[2 * k]);
        }
        return made;
    }

    Change change(const Json& value, const std::string& place, std::size_t maps) const {
        if (!value.is_array() || value.size() != 2) refuse(place, "is not a pair of time and map", value);
        const Json &time = value[0], &which = value[1];
        if (!time.is_number() || !std::isfinite(time.get<double>()))
            refuse(place + "/0", "is not a time", time);
        const double t = time.get<double>();
        if (which.is_null()) return {t, CorrectionMaps::none, {}};
        if (which.is_string()) return {t, CorrectionMaps::left_out, which.get<std::string>()};
        const bool good = which.is_number_integer() && which.get<std::int64_t>() >= 0 &&
                          which.get<std::int64_t>() < static_cast<std::int64_t>(maps);
        if (!good) refuse(place + "/1", "is no place in the list of maps", which);
        return {t, which.get<int>(), {}};
    }

    const Json& json_;
    const std::string& file_;
    int vertices_;
};

void append_map(std::string& text, const CorrectionMap& map) {
    auto out = std::back_inserter(text);
    fmt::format_to(out, "{{\"name\":{},\"fixed\":[{}],\n\"kinds\":\"", quoted_text(map.name),
                   fmt::join(map.fixed, ","));
    for (const Correction& c : map.list) text += kind_letters[static_cast<std::size_t>(c.kind)];
    text += "\",\n\"corrections\":[";
    for (std::size_t k = 0; k < map.list.size(); ++k)
        fmt::format_to(out, "{}{},{}", k > 0 ? "," : "", map.list[k].from, map.list[k].to);
    text += "]}";
}

}  // namespace

const CorrectionMap* CorrectionMaps::at(double t) const {
    if (changes.empty()) return nullptr;
    auto next = std::ranges::upper_bound(changes, t, {}, &Change::t);
    if (next == changes.begin()) ++next;
    const int map = std::prev(next)->map;
    return map >= 0 ? &maps[static_cast<std::size_t>(map)] : nullptr;
}

const CorrectionMap* CorrectionMaps::named(const std::string& name, double t) const {
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
        if (change->t > t || change->map < 0) continue;
        const CorrectionMap& map = maps[static_cast<std::size_t>(change->map)];
        if (map.name == name) return &map;
    }
    const auto found = std::ranges::find(maps, name, &CorrectionMap::name);
    return found != maps.end() ? &*found : nullptr;
}

std::vector<std::string> CorrectionMaps::names() const {
    std::vector<std::string> list;
    for (const CorrectionMap& map : maps) {
        if (std::ranges::find(list, map.name) == list.end()) list.push_back(map.name);
    }
    return list;
}

void CorrectionMaps::cut(double t) {
    const auto later = std::ranges::upper_bound(changes, t, {}, &Change::t);
    if (later == changes.end()) return;
    changes.erase(later, changes.end());

    // Maps stand in the order of their first use: those of later changes alone are the last ones.
    std::size_t used = 0;
    for (const Change& change : changes)
        used = std::max(used, static_cast<std::size_t>(std::max(change.map + 1, 0)));
    maps.resize(used);
    whole = std::ranges::none_of(changes, [](const Change& change) { return change.map == left_out; });
}

std::string correction_maps_text(const CorrectionMaps& maps) {
    std::string text = fmt::format("{{\"{}\":{},\"vertices\":{},\"whole\":{},\n\"active\":[", version_key,
                                   format_version, maps.vertices, maps.whole);
    for (std::size_t k = 0; k < maps.changes.size(); ++k) {
        const Change& change = maps.changes[k];
        const std::string map = change.map >= 0                          ? std::to_string(change.map)
                                : change.map == CorrectionMaps::left_out ? quoted_text(change.name)
                                                                         : "null";
        text += fmt::format("{}[{},{}]", k > 0 ? "," : "", number_text(change.t), map);
    }
    text += "],\n\"maps\":[";
    for (std::size_t k = 0; k < maps.maps.size(); ++k) {
        text += k > 0 ? ",\n" : "\n";
        append_map(text, maps.maps[k]);
    }
    return text + "\n]}\n";
}

CorrectionMaps parse_correction_maps(const std::string& text, const std::string& file, int vertices) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw InputError({file, fmt::format("byte {}", error.byte)}, "is not valid JSON", text.substr(0, 40),
                         "remove the file, or run the scene again");
    }
    return MapsReader(json, file, vertices).read();
}

CorrectionMaps read_correction_maps(const std::filesystem::path& file, int vertices) {
    return parse_correction_maps(read_file(file, largest_file), file.string(), vertices);
}

CorrectionMapRecorder::CorrectionMapRecorder(std::filesystem::path file, int vertices, int every_frames,
                                             std::optional<double> keep_until,
                                             const CorrectionMapLimits& limits)
    : file_(std::move(file)), every_frames_(every_frames), limits_(limits) {
    std::error_code error;
    if (keep_until && std::filesystem::exists(file_, error)) {
        maps_ = read_correction_maps(file_, vertices);
        maps_.cut(*keep_until);
        written_ = false;
    }
    maps_.vertices = vertices;
    for (const CorrectionMap& map : maps_.maps) corrections_ += weight(map);
}

void CorrectionMapRecorder::step(const Simulation& simulation, const StepReport&) { note(simulation); }

void CorrectionMapRecorder::frame(const Simulation& simulation, int frame) {
    note(simulation);
    if (every_frames_ > 0 && frame > 0 && frame % every_frames_ == 0) write();
}

void CorrectionMapRecorder::end(const Simulation&) { write(); }

void CorrectionMapRecorder::note(const Simulation& simulation) {
    // Look whether any filter has another map than before.
    const auto& filters = simulation.pipeline().filters;
    asked_.clear();
    for (std::size_t k = 0; k < filters.size(); ++k) {
        if (const CorrectionMap* map = filters[k]->correction_map()) asked_.push_back({k, map->number});
    }
    if (asked_before_ && asked_ == in_use_) return;
    asked_before_ = true;
    in_use_ = asked_;
    const double t = simulation.state().t;
    if (in_use_.empty()) {
        add_change({t, CorrectionMaps::none, {}});
        return;
    }

    // Join the maps of all filters.
    CorrectionMap joined = *filters[in_use_.front().filter]->correction_map();
    for (std::size_t k = 1; k < in_use_.size(); ++k) {
        const CorrectionMap& map = *filters[in_use_[k].filter]->correction_map();
        joined.name += ", " + map.name;
        joined.fixed.insert(joined.fixed.end(), map.fixed.begin(), map.fixed.end());
        joined.list.insert(joined.list.end(), map.list.begin(), map.list.end());
    }
    Change change = place_of(joined);
    change.t = t;
    add_change(std::move(change));
}

Change CorrectionMapRecorder::place_of(const CorrectionMap& map) {
    const auto known =
        std::ranges::find_if(maps_.maps, [&](const CorrectionMap& other) { return same_map(map, other); });
    if (known != maps_.maps.end()) return {0, static_cast<int>(known->number), {}};
    if (maps_.changes.size() + 1 >= limits_.changes || maps_.maps.size() >= limits_.maps ||
        corrections_ + weight(map) > limits_.corrections) {
        return {0, CorrectionMaps::left_out, map.name};
    }
    const auto place = static_cast<int>(maps_.maps.size());
    corrections_ += weight(map);
    maps_.maps.push_back(map);
    maps_.maps.back().number = place;
    return {0, place, {}};
}

void CorrectionMapRecorder::add_change(Change change) {
    // Pass over what is in use already: nothing at first.
    const Change before = maps_.changes.empty() ? Change{} : maps_.changes.back();
    if (before.map == change.map && before.name == change.name) return;
    if (maps_.changes.size() >= limits_.changes) return;
    if (change.map == CorrectionMaps::left_out) maps_.whole = false;

    // Let the last place tell that nothing is known from there on.
    if (maps_.changes.size() + 1 == limits_.changes) {
        change = {change.t, CorrectionMaps::none, {}};
        maps_.whole = false;
    }
    maps_.changes.push_back(std::move(change));
    written_ = false;
}

void CorrectionMapRecorder::write() {
    if (written_) return;
    written_ = true;
    if (!maps_.changes.empty()) {
        write_file(file_, correction_maps_text(maps_));
        return;
    }
    std::error_code none;
    std::filesystem::remove(file_, none);
}

}  // namespace taut::io

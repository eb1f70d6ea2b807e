// The cases of a benchmark: a workload is a scene of the program, changed by the choices made.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "scene_source.hpp"
#include "taut/base/error.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

using scene::Json;
using scene::Kind;

bool is_known(Kind kind, const std::string& name) { return scene::find_entry(kind, name) != nullptr; }

// The place of the first filter that holds strain; none: the end.
std::size_t find_projection(const Json& filters) {
    std::size_t at = 0;
    for (; at < filters.size(); ++at) {
        const scene::Entry* entry =
            scene::find_entry(Kind::filter, filters[at].at("type").get<std::string>());
        if (entry != nullptr && entry->holds_strain) break;
    }
    return at;
}

void require_name(Kind kind, const std::string& option, const std::string& name) {
    if (name.empty() || is_known(kind, name)) return;
    const std::string near = nearest_name(name, scene::names_of(kind));
    std::string known;
    for (const std::string& each : scene::names_of(kind)) known += (known.empty() ? "" : ", ") + each;
    throw InputError({"", option}, fmt::format("there is no such {}", scene::kind_name(kind)), name,
                     near.empty() ? "allowed: " + known : "did you mean '" + near + "'?");
}

void require_projection(const std::string& name) {
    require_name(Kind::filter, "--filter", name);
    if (!name.empty() && !scene::find_entry(Kind::filter, name)->holds_strain) {
        throw InputError({"", "--filter"}, "this filter holds no strain", name,
                         "choose stable_projection, fast_projection or another that `taut info` says does");
    }
}

// Stable and fast projection may share a solver; the others come with their own.
bool keeps_solver(const std::string& filter, const Json& old) {
    return (filter == "stable_projection" || filter == "fast_projection") && old.contains("solver");
}

// Another projection keeps the tolerance and perhaps the solver; another solver keeps the projection.
void change_projection(Json& root, const Choices& choices) {
    Json& filters = root["filters"];
    const std::size_t at = find_projection(filters);
    if (at == filters.size()) {
        throw InputError({"", "--filter"}, "the workload has no projection to change");
    }
    Json& filter = filters[at];
    if (!choices.filter.empty() && filter["type"] != choices.filter) {
        Json other = Json::object();
        other["type"] = choices.filter;
        other["tolerance"] = filter["tolerance"];
        if (keeps_solver(choices.filter, filter)) other["solver"] = filter["solver"];
        filter = std::move(other);
    }
    if (!choices.solver.empty() &&
        filter.value("solver", Json::object()).value("type", "") != choices.solver) {
        filter["solver"] = Json::object({{"type", choices.solver}});
    }
    if (choices.strain) filter["tolerance"] = *choices.strain;
}

void change_size(Json& cloth, int size) {
    if (cloth["type"] == "polyline") {
        cloth["vertices"] = size + 1;
    } else {
        cloth["nu"] = size;
        cloth["nv"] = size;
    }
}

void change(Json& root, const Choices& choices) {
    if (choices.size) change_size(root["cloths"][0], *choices.size);
    if (!choices.filter.empty() || !choices.solver.empty() || choices.strain)
        change_projection(root, choices);
    if (!choices.integrator.empty() && root["integrator"]["type"] != choices.integrator) {
        root["integrator"] = Json::object({{"type", choices.integrator}});
    }
    if (choices.dt) root["run"]["dt"] = *choices.dt;
    if (choices.seconds) root["run"]["duration"] = *choices.seconds;
}

void describe_case(const Json& effective, BenchCase& result) {
    const Json& cloth = effective["cloths"][0];
    result.size = cloth["type"] == "polyline" ? cloth["vertices"].get<int>() - 1 : cloth["nu"].get<int>();
    result.dt = result.scene.run.dt;
    const double frame = 1 / result.scene.run.fps;
    result.step = frame / std::max(1.0, std::ceil(frame / result.dt * (1 - 1e-12)));
    const Json& filters = effective["filters"];
    const std::size_t at = find_projection(filters);
    result.filter = at < filters.size() ? filters[at]["type"].get<std::string>() : "none";
    result.solver = at < filters.size() && filters[at].contains("solver")
                        ? filters[at]["solver"]["type"].get<std::string>()
                        : "none";
}

// Reads "key=value"; a key with a slash or a dot is a path into the scene.
void read_assignment(Choices& choices, const std::string& key, const std::string& value) {
    if (key.find_first_of("/.") != std::string::npos) {
        choices.overrides.push_back(key + "=" + value);
    } else if (key == "strain") {
        choices.strain = read_fraction("--compare strain", value);
    } else if (key == "dt") {
        choices.dt = read_number("--compare dt", value);
    } else if (key == "size") {
        choices.size = read_count("--compare size", value);
    } else if (key == "seconds") {
        choices.seconds = read_number("--compare seconds", value);
    } else {
        const std::string near = nearest_name(key, {"strain", "dt", "size", "seconds"});
        throw InputError({"", "--compare"}, "this cannot be set", key,
                         near.empty() ? "allowed: strain, dt, size, seconds, or a path such as run/rounds"
                                      : "did you mean '" + near + "'?");
    }
}

}  // namespace

const std::vector<std::string>& workload_names() {
    static const std::vector<std::string> names{"hang",        "hang_taut", "hang_edge",
                                                "hang_corner", "drape",     "chain"};
    return names;
}

Choices read_choices(const Choices& common, const std::string& item) {
    Choices choices = common;
    std::vector<std::string> known;
    for (const Kind kind : {Kind::filter, Kind::solver, Kind::integrator}) {
        for (const std::string& name : scene::names_of(kind)) known.push_back(name);
    }
    for (const std::string& part : split(item, '+')) {
        const std::size_t equal = part.find('=');
        if (equal != std::string::npos) {
            read_assignment(choices, part.substr(0, equal), part.substr(equal + 1));
        } else if (is_known(Kind::filter, part)) {
            choices.filter = part;
        } else if (is_known(Kind::solver, part)) {
            choices.solver = part;
        } else if (is_known(Kind::integrator, part)) {
            choices.integrator = part;
        } else {
            const std::string near = nearest_name(part, known);
            throw InputError(
                {"", "--compare"}, "neither a filter, a solver, an integrator nor a setting", part,
                near.empty() ? "write names joined by +, or settings such as strain=0.01 and dt=1/120"
                             : "did you mean '" + near + "'?");
        }
    }
    return choices;
}

BenchCase make_case(const std::string& workload, const Choices& choices, const std::string& label) {
    const auto& names = workload_names();
    if (std::find(names.begin(), names.end(), workload) == names.end()) {
        std::string known;
        for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
        const std::string near = nearest_name(workload, names);
        throw InputError({"", "WORKLOAD"}, "there is no such workload", workload,
                         near.empty() ? "allowed: " + known : "did you mean '" + near + "'?");
    }
    require_projection(choices.filter);
    require_name(Kind::solver, "--solver", choices.solver);
    require_name(Kind::integrator, "--integrator", choices.integrator);

    // Change the effective scene, read it again, and let paths have the last word.
    Json root = scene::effective_json(open_scene(workload, {}));
    change(root, choices);
    BenchCase result;
    result.label = label;
    result.workload = workload;
    result.choices = choices;
    result.scene = scene::parse_scene(root.dump(), workload, ".", with_fractions(choices.overrides));
    describe_case(scene::effective_json(result.scene), result);
    return result;
}

}  // namespace taut::cli

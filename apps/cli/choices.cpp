// What may be chosen for a run of a scene: methods, step, tolerance, size, and any value by its path.
#include "choices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scene_source.hpp"
#include "taut/base/error.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

using scene::Json;
using scene::Kind;

bool is_known(Kind kind, const std::string& name) { return scene::find_entry(kind, name) != nullptr; }

// Filters that keep lengths: by a bound on strain, or one by one without any.
bool keeps_lengths(const scene::Entry& entry) { return entry.holds_strain || entry.takes_maps; }

// The place of the first filter that keeps lengths; none: the end.
std::size_t find_projection(const Json& filters) {
    std::size_t at = 0;
    for (; at < filters.size(); ++at) {
        const scene::Entry* entry =
            scene::find_entry(Kind::filter, filters[at].at("type").get<std::string>());
        if (entry != nullptr && keeps_lengths(*entry)) break;
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
    if (name == springs_method) return;
    require_name(Kind::filter, "--filter", name);
    if (!name.empty() && !keeps_lengths(*scene::find_entry(Kind::filter, name))) {
        throw InputError({"", "--filter"}, "this filter keeps no lengths", name,
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
        throw InputError({"", "--filter"},
                         "the scene has no filter that keeps lengths, so there is none to change");
    }
    Json& filter = filters[at];
    if (!choices.filter.empty() && filter["type"] != choices.filter) {
        Json other = Json::object();
        other["type"] = choices.filter;
        const bool promises = scene::find_entry(Kind::filter, choices.filter)->holds_strain;
        const char* const bound = filter.contains("tolerance") ? "tolerance" : "threshold";
        other[promises ? "tolerance" : "threshold"] = filter[bound];
        if (keeps_solver(choices.filter, filter)) other["solver"] = filter["solver"];
        filter = std::move(other);
    }
    if (!choices.solver.empty() &&
        filter.value("solver", Json::object()).value("type", "") != choices.solver) {
        filter["solver"] = Json::object({{"type", choices.solver}});
    }
    // What promises nothing has a threshold beyond which it acts.
    if (choices.strain) filter[filter.contains("tolerance") ? "tolerance" : "threshold"] = *choices.strain;
}

// Takes the filter that holds strain away and puts springs in its place.
void change_to_springs(Json& root, double stiffness) {
    Json& filters = root["filters"];
    const std::size_t at = find_projection(filters);
    if (at < filters.size()) filters.erase(filters.begin() + static_cast<Json::difference_type>(at));
    Json& forces = root["forces"];
    const std::size_t soft = forces.size();
    forces.erase(std::remove_if(forces.begin(), forces.end(),
                                [](const Json& force) { return force.at("type") == springs_method; }),
                 forces.end());
    forces.push_back(Json::object({{"type", springs_method}, {"stiffness", stiffness}}));
    // Springs that were there already have their integrator.
    if (forces.size() == soft + 1) root["integrator"] = Json::object({{"type", "backward_euler"}});
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
    if (choices.filter == springs_method) {
        change_to_springs(root, choices.stiffness);
    } else if (!choices.filter.empty() || !choices.solver.empty() || choices.strain) {
        change_projection(root, choices);
    }
    if (!choices.integrator.empty() && root["integrator"]["type"] != choices.integrator) {
        root["integrator"] = Json::object({{"type", choices.integrator}});
    }
    if (choices.dt) root["run"]["dt"] = *choices.dt;
    if (choices.seconds) root["run"]["duration"] = *choices.seconds;
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
        } else if (is_known(Kind::filter, part) || part == springs_method) {
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

scene::Scene with_choices(const scene::Scene& scene, const Choices& choices) {
    require_projection(choices.filter);
    require_name(Kind::solver, "--solver", choices.solver);
    require_name(Kind::integrator, "--integrator", choices.integrator);

    // Change the effective scene, read it again, and let paths have the last word.
    Json root = scene::effective_json(scene);
    change(root, choices);
    return scene::parse_scene(root.dump(), scene.file, ".", with_fractions(choices.overrides));
}

StrainFilter strain_filter(const scene::Scene& scene) {
    for (const scene::Piece& piece : scene.filters) {
        if (!piece.entry->holds_strain) continue;
        const Param* tolerance = piece.settings.list().find("tolerance");
        return {piece.entry->name, piece.solver ? piece.solver->entry->name : "none",
                *std::get<double*>(tolerance->target)};
    }
    for (const scene::Piece& piece : scene.filters) {
        if (piece.entry->takes_maps) return {piece.entry->name, "none", 0};
    }
    for (const scene::Piece& force : scene.forces) {
        if (force.entry->name == springs_method) return {springs_method, "none", 0};
    }
    return {};
}

double wanted_strain(const scene::Scene& scene, const std::string& option) {
    const double strain = option.empty() ? strain_filter(scene).tolerance : read_fraction("--strain", option);
    if (option.empty() && !(strain > 0)) {
        throw InputError({scene.file, "--strain"},
                         "the scene promises no strain that methods could be held to", "",
                         "say which one: --strain 1%");
    }
    if (!(strain >= 1e-9 && strain <= 0.5)) {
        throw InputError({"", "--strain"}, "out of range", option, "allowed: 1e-9 to 0.5, or 1e-7% to 50%");
    }
    return strain;
}

}  // namespace taut::cli

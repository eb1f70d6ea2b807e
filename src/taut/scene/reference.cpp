#include "taut/scene/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "taut/scene/sections.hpp"

namespace taut::scene {
namespace {

// Text inside a table: bars would end the cell.
std::string cell(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '|') result += '\\';
        result += c;
    }
    return result;
}

std::string default_text(const Param& param, bool required) {
    if (required) return "required";
    const std::string value = param.value_text();
    if (value == "inf" || value == "-inf") return "never";
    return value == "\"\"" ? std::string() : fmt::format("`{}`", value);
}

std::string key_table(const std::vector<FormatKey>& keys) {
    std::string text = "| key | type | meaning |\n|---|---|---|\n";
    for (const FormatKey& key : keys) {
        text += fmt::format("| `{}` | {} | {}{} |\n", key.name, key.type, cell(key.text),
                            key.required ? " Required." : "");
    }
    return text + "\n";
}

// All entries of a kind, one paragraph and table each.
std::string kind_section(Kind kind, int level) {
    std::string text;
    for (const Entry& entry : registry()) {
        if (entry.kind != kind || entry.optional) continue;
        text += fmt::format("{} `{}`\n\n{}\n\n", std::string(static_cast<std::size_t>(level), '#'),
                            entry.name, entry.text);
        const Settings settings = entry.settings();
        if (!settings.list().entries().empty()) text += parameter_table(settings.list(), entry.required);
        if (!entry.default_solver.empty()) {
            text +=
                fmt::format("`solver` chooses the linear solver; `{}` by default.\n\n", entry.default_solver);
        }
        if (!entry.pieces.empty()) {
            text += fmt::format("```json\n{}\n```\n\n", entry.pieces);
        }
    }
    return text;
}

// How the reference introduces a part of a scene; other parts come under the one before, by their name.
std::string introduction(const std::string& part) {
    static const std::map<std::string, std::string> texts{
        {"scene", "## Top level\n\n"},
        {"cloths",
         "## Cloths\n\nThe type gives the rest shape, which fixes all lengths; where it lies does not "
         "matter. Where the cloth starts\nis said by `initial` and `place`. Besides the parameters of its "
         "type every cloth has:\n\n"},
        {"materials", "A material:\n\n"},
        {"groups",
         "## Groups\n\nA group is the union of its selectors, in their order here; an empty one is an "
         "error. Positions are those at the\nstart.\n\n"},
        {"pins",
         "## Pins\n\nA pin holds its vertices exactly on its anchors; a pinned vertex starts on its pin. No "
         "vertex may belong to two\npins. With `on` the vertices are held on a curve or surface instead, "
         "and free along it.\n\n"},
        {"on",
         "What the vertices of a pin stay on. Lines, planes and cylinders have no ends; polylines have.\n\n"},
        {"motion",
         "## Motions\n\nA rigid motion by keyframes, of the anchors of a pin or of an obstacle: a rotation "
         "about `center`, then a\ntranslation, each number interpolated by itself.\n\n"},
        {"keyframes", "A keyframe:\n\n"},
        {"seams",
         "## Seams\n\nVertex k of one side is sewn to vertex k of the other, in the order of the selectors. "
         "Filters that keep lengths\nhold the distance of every pair like that of an edge.\n\n"},
        {"obstacles", "## Obstacles\n\nBesides the parameters of its type every obstacle has:\n\n"},
        {"friction",
         "## Friction\n\nWhat the filter `collision` takes between two things in place of their own "
         "coefficients:\n\n"},
        {"correction_maps",
         "## Correction maps\n\nFor the filter `directional`. Of several maps the first is used whose "
         "conditions "
         "all hold, contact and time; where none\ndoes, corrections start from pins alone.\n\n"},
    };
    const auto found = texts.find(part);
    return found == texts.end() ? fmt::format("`{}`:\n\n", part) : found->second;
}

// Registered types that are shown behind a part of a scene.
std::string types_behind(const std::string& part) {
    if (part == "materials") {
        return "### Types of cloth\n\n" + kind_section(Kind::cloth, 4) + "### Initial shapes\n\n" +
               kind_section(Kind::initial, 4);
    }
    return part == "obstacles" ? "### Types of obstacle\n\n" + kind_section(Kind::obstacle, 4) : "";
}

std::string part_section(const Section& section) {
    std::string text = introduction(section.name);
    if (!section.keys.empty()) text += key_table(section.keys);
    const ParamList& list = section.settings.list();
    if (!list.entries().empty()) text += parameter_table(list, section.required);
    return text + types_behind(section.name);
}

std::string pieces_section() {
    return "## Forces\n\nBesides its own parameters every force has a `group`: `\"step\"`, the default, for "
           "the "
           "integrator, `\"relax\"` for filters\nthat relax the cloth, or `\"both\"`.\n\n" +
           kind_section(Kind::force, 3) + "## Integrators\n\n" + kind_section(Kind::integrator, 3) +
           "## Filters\n\nThe chain runs in the order given, projections before contact. `contact` and "
           "`collision` exclude each other:\nadding one to a preset's list takes the other away. A mesh "
           "among the obstacles, or a second\ncloth, puts `collision` in place of the preset's `contact`; "
           "where cloths never meet, `\"collision\": null` undoes that.\nWithout either and without "
           "obstacles `contact` drops out.\n\n" +
           kind_section(Kind::filter, 3) +
           "## Solvers\n\nBuilds with CHOLMOD have `cholmod` as well; `taut info cholmod` shows it.\n\n" +
           kind_section(Kind::solver, 3) + "## Presets\n\n" + kind_section(Kind::preset, 3);
}

}  // namespace

std::string parameter_table(const ParamList& list, const std::vector<std::string>& required) {
    std::string text =
        "| parameter | type | unit | default | allowed | meaning |\n|---|---|---|---|---|---|\n";
    for (const Param& param : list.entries()) {
        const bool needed = std::find(required.begin(), required.end(), param.name) != required.end();
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", param.name, param.type_name(),
                            param.unit == "1" ? "" : param.unit, default_text(param, needed),
                            param.allowed_text("`"), cell(param.text));
    }
    return text + "\n";
}

std::string scene_reference() {
    std::string text =
        "# Scene reference\n\n"
        "Generated from the parameter lists by `taut info --markdown`; do not edit.\n\n"
        "A scene is one JSON object. Comments (`//` and `/* */`) are allowed; unknown and repeated keys are "
        "errors. All "
        "numbers are in\nSI units, z is up, angles are in degrees, paths are relative to the folder of the "
        "scene. "
        "Wherever an object needs\nonly its `type`, the name alone will do. `--set path=value` changes any "
        "value: "
        "`--set run/dt=0.01`,\n`--set cloths/sheet/nu=101`, `--set "
        "filters/stable_projection/tolerance=0.01`.\n\n";
    for (const Section& section : scene_sections()) text += part_section(section);
    text += pieces_section();
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

}  // namespace taut::scene

// taut info: everything a scene can be made of, with every parameter, unit, default and range.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "command.hpp"
#include "taut/base/error.hpp"
#include "taut/scene/fabric_file.hpp"
#include "taut/scene/library.hpp"
#include "taut/scene/reference.hpp"
#include "taut/scene/registry.hpp"
#include "taut/scene/schema.hpp"
#include "taut/scene/sections.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

using scene::Entry;
using scene::Kind;
using scene::Section;

struct InfoOptions {
    std::string name;
    bool markdown = false;
    bool schema = false;
};

void print_list(Kind kind) {
    fmt::print("{}\n", scene::kind_plural(kind));
    for (const Entry& entry : scene::registry()) {
        if (entry.kind == kind) fmt::print("  {:<20} {}\n", entry.name, entry.text);
    }
}

void print_sections() {
    fmt::print("parts of a scene\n");
    for (const Section& section : scene::scene_sections())
        fmt::print("  {:<20} {}\n", section.name, section.text);
}

void print_scenes() {
    fmt::print("built-in scenes\n");
    for (const scene::NamedScene& entry : scene::built_in_scenes()) {
        fmt::print("  {:<20} {}\n", entry.name, entry.description());
    }
}

void print_fabrics() {
    fmt::print("built-in fabrics\n");
    for (const std::string& name : scene::built_in_fabrics())
        fmt::print("  {:<20} {}\n", name, scene::open_fabric(name).description);
}

// The default, or that there is none.
std::string default_text(const Param& param, const std::vector<std::string>& required) {
    const bool needed = std::find(required.begin(), required.end(), param.name) != required.end();
    return needed ? "(required)" : param.value_text();
}

// A parameter or key, with its sentence on a line of its own. place: "of the filter 'collision'", or empty.
void print_param(const Param& param, const std::vector<std::string>& required,
                 const std::string& place = {}) {
    fmt::print("\n  {}{}: {}{}, default {}\n", param.name, place, param.type_name(),
               param.unit.empty() ? "" : " [" + param.unit + "]", default_text(param, required));
    const std::string allowed = param.allowed_text();
    if (!allowed.empty()) fmt::print("      allowed: {}\n", allowed);
    fmt::print("      {}\n", param.text);
}

void print_key(const scene::FormatKey& key, const std::string& place = {}) {
    fmt::print("\n  {}{}: {}{}\n      {}\n", key.name, place, key.type, key.required ? " (required)" : "",
               key.text);
}

void print_section(const Section& section) {
    fmt::print("{} (part of a scene)\n  {}\n", section.name, section.text);
    for (const scene::FormatKey& key : section.keys) print_key(key);
    for (const Param& param : section.settings.list().entries()) print_param(param, section.required);
}

void print_entry(const Entry& entry) {
    fmt::print("{} ({})\n  {}\n", entry.name, scene::kind_name(entry.kind), entry.text);
    if (!entry.default_solver.empty()) {
        fmt::print("  Takes a \"solver\"; the default is {}.\n", entry.default_solver);
    }
    if (entry.kind == scene::Kind::force) fmt::print("  Takes a \"group\": step (default), relax or both.\n");
    if (entry.takes_fabric) fmt::print("  Takes the stiffness of the fabric, where a cloth has one.\n");
    if (!entry.pieces.empty()) fmt::print("  Stands for:\n{}\n", entry.pieces);
    if (!entry.settings) return;

    const scene::Settings settings = entry.settings();
    for (const Param& param : settings.list().entries()) print_param(param, entry.required);
    if (settings.list().entries().empty()) fmt::print("  No parameters.\n");
}

// Shows where a parameter or key of that name occurs. more: something else has been shown before.
bool print_parameter(const std::string& name, bool more) {
    bool found = false;
    const auto head = [&] {
        if (!found) fmt::print("{}{} (parameter)\n", more ? "\n" : "", name);
        found = true;
    };
    for (const Section& section : scene::scene_sections()) {
        if (more && section.name == "scene") continue;
        const std::string place = fmt::format(" of '{}'", section.name);
        for (const scene::FormatKey& key : section.keys) {
            if (key.name != name) continue;
            head();
            print_key(key, place);
        }
        const Param* param = section.settings.list().find(name);
        if (!param) continue;
        head();
        print_param(*param, section.required, place);
    }
    for (const Entry& entry : scene::registry()) {
        if (!entry.settings) continue;
        const scene::Settings settings = entry.settings();
        const Param* param = settings.list().find(name);
        if (!param) continue;
        head();
        print_param(*param, entry.required,
                    fmt::format(" of the {} '{}'", scene::kind_name(entry.kind), entry.name));
    }
    return found;
}

// Shows what goes by that name: parts of a scene, a kind, registered things, built-in scenes, parameters.
bool print_named(const std::string& name) {
    bool found = false;
    for (const Section& section : scene::scene_sections()) {
        if (name != section.name && name + "s" != section.name) continue;
        print_section(section);
        found = true;
    }
    for (const Kind kind : scene::all_kinds()) {
        if (name != scene::kind_name(kind) && name != scene::kind_plural(kind)) continue;
        for (const Entry& entry : scene::registry()) {
            if (entry.kind != kind) continue;
            if (found) fmt::print("\n");
            print_entry(entry);
            found = true;
        }
    }
    for (const Entry& entry : scene::registry()) {
        if (entry.name != name) continue;
        if (found) fmt::print("\n");
        print_entry(entry);
        found = true;
    }
    for (const scene::NamedScene& entry : scene::built_in_scenes()) {
        if (entry.name != name) continue;
        if (found) fmt::print("\n");
        fmt::print("{} (built-in scene)\n  {}\n\n{}\n", entry.name, entry.description(), entry.text);
        found = true;
    }
    for (const std::string& fabric : scene::built_in_fabrics()) {
        if (fabric != name) continue;
        const scene::FabricFile file = scene::open_fabric(name);
        fmt::print("{}{} (built-in fabric)\n  {}\n  Source: {}\n  Numbers and charts: taut fabric {}\n",
                   found ? "\n" : "", name, file.description, file.source, name);
        found = true;
    }
    return print_parameter(name, found) || found;
}

std::vector<std::string> known_names() {
    std::vector<std::string> names;
    const auto add = [&](const std::vector<std::string>& more) {
        names.insert(names.end(), more.begin(), more.end());
    };
    for (const Entry& entry : scene::registry()) names.push_back(entry.name);
    for (const Kind kind : scene::all_kinds()) names.emplace_back(scene::kind_plural(kind));
    for (const Section& section : scene::scene_sections()) names.push_back(section.name);
    for (const scene::NamedScene& entry : scene::built_in_scenes()) names.push_back(entry.name);
    add(scene::built_in_fabrics());

    // Parameters come last: of names equally near the first wins.
    for (const Section& section : scene::scene_sections()) {
        add(scene::names_in(section.keys));
        add(section.settings.list().names());
    }
    for (const Entry& entry : scene::registry()) {
        if (entry.settings) add(entry.settings().list().names());
    }
    return names;
}

int info(const InfoOptions& options) {
    if (options.markdown) {
        fmt::print("{}", scene::scene_reference());
    } else if (options.schema) {
        fmt::print("{}\n", scene::scene_schema().dump(2));
    } else if (options.name.empty()) {
        for (const Kind kind : scene::all_kinds()) {
            print_list(kind);
            fmt::print("\n");
        }
        print_sections();
        fmt::print("\n");
        print_scenes();
        fmt::print("\n");
        print_fabrics();
        fmt::print(
            "\nParameters of one of them: taut info NAME. The whole scene format: taut info --markdown.\n");
    } else if (!print_named(options.name)) {
        const std::string near = nearest_name(options.name, known_names());
        throw InputError({"", "NAME"}, "nothing goes by this name", options.name,
                         near.empty() ? "`taut info` lists all names" : "did you mean '" + near + "'?");
    }
    return exit_good;
}

}  // namespace

void add_info(CLI::App& app, Task& task) {
    auto options = std::make_shared<InfoOptions>();
    CLI::App* command = app.add_subcommand("info", "List what scenes can be made of, with every parameter");
    command
        ->add_option("NAME", options->name,
                     "A name that `taut info` lists, a kind such as filters, or a parameter")
        ->type_name("");
    CLI::Option* markdown =
        command->add_flag("--markdown", options->markdown, "Print the whole scene reference");
    command->add_flag("--schema", options->schema, "Print the JSON Schema of scenes")->excludes(markdown);
    command->footer(
        "Examples:\n"
        "  taut info                        all names, one sentence each\n"
        "  taut info stable_projection      its parameters with unit, default and range\n"
        "  taut info forces                 all forces with their parameters\n"
        "  taut info pins                   what a pin can have\n"
        "  taut info thickness              where a parameter of that name occurs\n"
        "  taut info --schema > scene.schema.json");
    command->callback([&task, options] { task = [options] { return info(*options); }; });
}

}  // namespace taut::cli

// taut info: everything a scene can be made of, with every parameter, unit, default and range.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "command.hpp"
#include "taut/base/error.hpp"
#include "taut/scene/library.hpp"
#include "taut/scene/reference.hpp"
#include "taut/scene/registry.hpp"
#include "taut/scene/schema.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

using scene::Entry;
using scene::Kind;

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

void print_scenes() {
    fmt::print("built-in scenes\n");
    for (const scene::NamedScene& entry : scene::built_in_scenes()) {
        fmt::print("  {:<20} {}\n", entry.name, entry.description());
    }
}

// The default, or that there is none.
std::string default_text(const Entry& entry, const Param& param) {
    for (const std::string& name : entry.required) {
        if (name == param.name) return "(required)";
    }
    return param.value_text();
}

std::string allowed_text(const Param& param) {
    if (param.choices.empty())
        return param.type_name() == "number" || param.type_name() == "integer" ? param.range.text()
                                                                               : std::string();
    std::string text;
    for (const std::string& choice : param.choices) text += (text.empty() ? "" : ", ") + choice;
    return text;
}

void print_entry(const Entry& entry) {
    fmt::print("{} ({})\n  {}\n", entry.name, scene::kind_name(entry.kind), entry.text);
    if (!entry.default_solver.empty()) {
        fmt::print("  Takes a \"solver\"; the default is {}.\n", entry.default_solver);
    }
    if (!entry.pieces.empty()) fmt::print("  Stands for:\n{}\n", entry.pieces);
    if (!entry.settings) return;

    // List the parameters, each with its sentence on a line of its own.
    const scene::Settings settings = entry.settings();
    for (const Param& param : settings.list().entries()) {
        fmt::print("\n  {}: {}{}, default {}\n", param.name, param.type_name(),
                   param.unit.empty() ? "" : " [" + param.unit + "]", default_text(entry, param));
        const std::string allowed = allowed_text(param);
        if (!allowed.empty()) fmt::print("      allowed: {}\n", allowed);
        fmt::print("      {}\n", param.text);
    }
    if (settings.list().entries().empty()) fmt::print("  No parameters.\n");
}

// Shows what goes by that name: a kind, registered things, built-in scenes.
bool print_named(const std::string& name) {
    bool found = false;
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
    return found;
}

std::vector<std::string> known_names() {
    std::vector<std::string> names;
    for (const Entry& entry : scene::registry()) names.push_back(entry.name);
    for (const Kind kind : scene::all_kinds()) names.emplace_back(scene::kind_plural(kind));
    for (const scene::NamedScene& entry : scene::built_in_scenes()) names.push_back(entry.name);
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
        print_scenes();
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
        ->add_option("NAME", options->name, "A registered name, a kind such as filters, or a built-in scene")
        ->type_name("");
    CLI::Option* markdown =
        command->add_flag("--markdown", options->markdown, "Print the whole scene reference");
    command->add_flag("--schema", options->schema, "Print the JSON Schema of scenes")->excludes(markdown);
    command->footer(
        "Examples:\n"
        "  taut info                        all names, one sentence each\n"
        "  taut info stable_projection      its parameters with unit, default and range\n"
        "  taut info forces                 all forces with their parameters\n"
        "  taut info --schema > scene.schema.json");
    command->callback([&task, options] { task = [options] { return info(*options); }; });
}

}  // namespace taut::cli

// taut new: writes a commented scene to start from.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "command.hpp"
#include "taut/base/error.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/scene/library.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;

struct NewOptions {
    std::string name, file;
    bool force = false;
};

int list_templates() {
    fmt::print("templates\n");
    for (const scene::NamedScene& entry : scene::templates()) {
        fmt::print("  {:<12} {}\n", entry.name, entry.description());
    }
    fmt::print("\nWrite one with: taut new TEMPLATE -o my.json\n");
    return exit_good;
}

void refuse_existing(const fs::path& file) {
    if (fs::exists(file)) {
        throw InputError({file.string(), ""}, "this file exists already", "",
                         "choose another name with -o, or add --force");
    }
}

int write_template(const NewOptions& options) {
    const auto all = scene::templates();
    const scene::NamedScene& chosen = scene::find_scene(all, options.name);
    if (options.file == "-") {
        std::fwrite(chosen.text.data(), 1, chosen.text.size(), stdout);
        return exit_good;
    }

    // Look at every file before the first is written.
    const fs::path file = options.file.empty() ? fs::path(chosen.name + ".json") : fs::path(options.file);
    if (!options.force) {
        refuse_existing(file);
        for (const scene::NamedFile& extra : chosen.files) refuse_existing(file.parent_path() / extra.path);
    }
    if (file.has_parent_path()) io::make_folder(file.parent_path());
    io::write_file(file, chosen.text);
    for (const scene::NamedFile& extra : chosen.files) {
        const fs::path place = file.parent_path() / extra.path;
        if (place.has_parent_path()) io::make_folder(place.parent_path());
        io::write_file(place, extra.text);
    }
    fmt::print("wrote {}\nnext:  taut check {}\n       taut run {}\n", file.string(), file.string(),
               file.string());
    return exit_good;
}

}  // namespace

void add_new(CLI::App& app, Task& task) {
    auto options = std::make_shared<NewOptions>();
    CLI::App* command = app.add_subcommand("new", "Write a commented scene to start from");
    command->add_option("TEMPLATE", options->name, "Which one; without it the templates are listed")
        ->type_name("");
    command->add_option("-o,--output", options->file, "File to write; - for the terminal [TEMPLATE.json]")
        ->type_name("FILE");
    command->add_flag("--force", options->force, "Overwrite files that exist");
    command->footer(
        "Examples:\n"
        "  taut new                    list the templates\n"
        "  taut new sheet -o my.json   write one of them");
    command->callback([&task, options] {
        task = [options] { return options->name.empty() ? list_templates() : write_template(*options); };
    });
}

}  // namespace taut::cli

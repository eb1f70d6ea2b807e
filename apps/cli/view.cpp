// taut view: writes the page that shows a run, from its folder.
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "command.hpp"
#include "run_folder.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;

struct ViewCommand {
    std::string folder, file;
};

int view(const ViewCommand& options) {
    const RunFolder folder = existing_run(options.folder);
    const fs::path file = options.file.empty() ? folder.view() : fs::path(options.file);
    const io::ViewPageSummary page = write_view(folder, file);
    fmt::print("wrote {} ({}, {} of {} frames)\n", file.string(), bytes_text(static_cast<double>(page.bytes)),
               page.frames, page.cache_frames);
    return exit_good;
}

}  // namespace

void add_view(CLI::App& app, Task& task) {
    auto options = std::make_shared<ViewCommand>();
    CLI::App* command = app.add_subcommand("view", "Write view.html from a run, to be opened in a browser");
    command->add_option("DIR", options->folder, "Folder of a run")->type_name("")->required();
    command->add_option("-o,--output", options->file, "File to write [DIR/view.html]")->type_name("FILE");
    command->footer(
        "The page holds everything it needs and opens from disk, without a network.\n"
        "\n"
        "Examples:\n"
        "  taut view out/hang\n"
        "  taut view out/hang -o hang.html");
    command->callback([&task, options] { task = [options] { return view(*options); }; });
}

}  // namespace taut::cli

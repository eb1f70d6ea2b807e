// The program `taut`: reads the command line, runs one subcommand, returns its exit code:
// 0 good, 1 failed run, 2 bad input.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "build_info.hpp"
#include "command.hpp"
#include "errors.hpp"

namespace {

using taut::cli::Task;

constexpr const char* examples =
    "A first run:\n"
    "  taut run hang                 simulate a built-in scene into out/hang\n"
    "  taut new sheet -o my.json     write a commented scene to start from\n"
    "  taut check my.json            see whether it would run\n"
    "  taut info                     what scenes can be made of\n"
    "\n"
    "Units are SI (m, kg, s), z is up. Exit codes: 0 good, 1 failed run, 2 bad input.";

void add_commands(CLI::App& app, Task& task) {
    app.require_subcommand(1);
    app.set_version_flag("--version", taut::cli::version_text());
    app.footer(examples);
    taut::cli::add_run(app, task);
    taut::cli::add_settle(app, task);
    taut::cli::add_check(app, task);
    taut::cli::add_info(app, task);
    taut::cli::add_new(app, task);
    taut::cli::add_view(app, task);
    taut::cli::add_render(app, task);
    taut::cli::add_verify(app, task);
    taut::cli::add_bench(app, task);
    taut::cli::add_compare(app, task);
    taut::cli::add_calibrate(app, task);
    taut::cli::add_fabric(app, task);
}

// The subcommand the user meant, for "see taut run --help"; empty where none was read.
std::string chosen_command(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? std::string() : chosen.front()->get_name() + " ";
}

// What is wrong with the command line: an unknown word gets the nearest known one.
void print_parse_error(const CLI::App& app, const CLI::ParseError& error, const std::string& first_word) {
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
    std::string text = error.what();
    if (chosen_command(app).empty() && !first_word.empty() && first_word[0] != '-') {
        text = fmt::format("there is no command '{}'", first_word);
        const std::string near = taut::nearest_name(first_word, commands);
        if (!near.empty()) text += fmt::format("; did you mean '{}'?", near);
    }
    taut::cli::print_error(text);
    fmt::print(stderr, "  help:  taut {}--help\n", chosen_command(app));
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Cloth that does not stretch.", "taut");
    Task task;
    add_commands(app, task);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& request) {
        return app.exit(request);
    } catch (const CLI::ParseError& error) {
        print_parse_error(app, error, argc > 1 ? argv[1] : "");
        return taut::cli::exit_bad_input;
    }
    return taut::cli::run_guarded(task);
}

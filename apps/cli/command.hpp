// The subcommands of `taut`. Each add_ function puts one subcommand with its options, examples and
// help into the program; parsing it stores in `task` what is then to be done. A task returns the
// exit code, or throws InputError (exit code 2) or any other exception (exit code 1).
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace taut::cli {

inline constexpr int exit_good = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_input = 2;

using Task = std::function<int()>;

// The values an option with a count takes, said in errors and not again in the help.
inline CLI::Validator count_between(long min, long max) {
    CLI::Validator validator = CLI::Range(min, max);
    return validator.description("");
}

// Refuses an empty name of a picture, and one that promises another format than PNG.
inline CLI::Validator picture_name() {
    return CLI::Validator(
        [](std::string& text) -> std::string {
            if (text.empty()) return "the name of the file is empty";
            return text.ends_with(".png") || text.ends_with(".PNG")
                       ? ""
                       : fmt::format("pictures are PNG files: '{}' should end in .png", text);
        },
        "");
}

// Options that several commands share.
inline void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
    command.add_option("--set", overrides, "Change a value of the scene: path=value; may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
}
inline void add_threads(CLI::App& command, int& threads) {
    command.add_option("--threads", threads, "Threads; results do not depend on it [one per core]")
        ->type_name("N")
        ->check(count_between(1, 4096));
}

void add_run(CLI::App& app, Task& task);
void add_check(CLI::App& app, Task& task);
void add_info(CLI::App& app, Task& task);
void add_new(CLI::App& app, Task& task);
void add_view(CLI::App& app, Task& task);
void add_render(CLI::App& app, Task& task);
void add_verify(CLI::App& app, Task& task);
void add_bench(CLI::App& app, Task& task);
void add_compare(CLI::App& app, Task& task);
void add_settle(CLI::App& app, Task& task);
void add_calibrate(CLI::App& app, Task& task);
void add_fabric(CLI::App& app, Task& task);

}  // namespace taut::cli

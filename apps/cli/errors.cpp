// How the command line speaks about trouble.
#include "errors.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "command.hpp"

namespace taut::cli {

void print_error(const InputError& error) {
    // Say where, what, and how to mend it, a line each.
    fmt::print(stderr, "taut: error: {}\n", error.problem());
    if (!error.where().file.empty()) fmt::print(stderr, "  file:  {}\n", error.where().file);
    if (!error.where().place.empty()) fmt::print(stderr, "  at:    {}\n", error.where().place);
    if (!error.value().empty()) fmt::print(stderr, "  value: {}\n", error.value());
    if (!error.remedy().empty()) fmt::print(stderr, "  help:  {}\n", error.remedy());
}

void print_error(const std::string& problem) { fmt::print(stderr, "taut: error: {}\n", problem); }

void print_warning(const std::string& warning) { fmt::print(stderr, "taut: warning: {}\n", warning); }

int run_guarded(const std::function<int()>& task) {
    try {
        return task();
    } catch (const InputError& error) {
        print_error(error);
        return exit_bad_input;
    } catch (const std::bad_alloc&) {
        print_error("not enough memory for this scene");
        return exit_failed;
    } catch (const std::exception& error) {
        print_error(error.what());
        return exit_failed;
    }
}

}  // namespace taut::cli

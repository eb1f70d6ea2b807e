// How the command line speaks about trouble: one block on stderr, and the exit code that goes with it.
#pragma once

#include <functional>
#include <string>

#include "taut/base/error.hpp"

namespace taut::cli {

void print_error(const InputError& error);
void print_error(const std::string& problem);
void print_warning(const std::string& warning);

// Runs the task and turns what it throws into a message and an exit code.
int run_guarded(const std::function<int()>& task);

}  // namespace taut::cli

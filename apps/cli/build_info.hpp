// What this program was built from.
#pragma once

#include <string>

namespace taut::cli {

std::string library_version();  // "0.1.0"
std::string version_text();     // "taut 0.1.0 (commit 1a2b3c4)"
std::string commit_text();      // short commit, "-dirty" added where files differ; empty outside a checkout

}  // namespace taut::cli

// What this program was built from. taut_commit.hpp is written at build time.
#include "build_info.hpp"

#include "taut_commit.hpp"

namespace taut::cli {

std::string library_version() { return TAUT_VERSION; }

std::string commit_text() { return TAUT_COMMIT; }

std::string version_text() {
    const std::string commit = commit_text();
    return std::string("taut ") + TAUT_VERSION + (commit.empty() ? "" : " (commit " + commit + ")");
}

}  // namespace taut::cli

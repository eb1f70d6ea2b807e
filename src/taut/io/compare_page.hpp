// The page that compares runs of one scene, say by different filters: one HTML file that opens from
// disk with no network and plays all runs side by side, in step, above a table and plots. Like the
// view page it is a template built in apps/viewer with the runs put in place of its marker; runs are
// written as in the view page, and JSON beside them holds the texts. apps/viewer/src/compare.js
// reads what this file writes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "taut/io/cache.hpp"
#include "taut/io/view_page.hpp"

namespace taut::io {

struct CompareRun {
    std::string name;              // "fast_projection"
    CacheReader* cache = nullptr;  // null where the run left none: its panel says so
    std::string report_json;       // text of report.json, or empty
    std::string verdict;           // "certified 0.1 %", "reached 3.2 %", "failed at t = 0.3 s: ..."
    bool reached = true;           // false: the run could not hold the tolerance, and is marked
};

// All texts are shown as texts, never as markup, but for the plots. These are SVG, put in as they
// are, each closed off from the page's ids and styles; `currentColor`, `var(--soft)`, `var(--line)` and
// `var(--run-1)` to `var(--run-12)`, the colours of the runs in their order, follow light and dark.
struct ComparePage {
    std::string title, subtitle;
    std::vector<CompareRun> runs;
    std::vector<std::vector<std::string>> table;  // the first row is the header; a row whose first cell
                                                  // is the name of a run is marked as that run is
    std::vector<std::string> plots;               // SVG texts
    std::vector<std::string> notes;               // sentences below the table
};

// Writes the page in one go (temporary file, then rename). The size of the options is shared out
// among the runs, which keep the same frame numbers; a run that ended early keeps its last frame too,
// and a frame that cannot be read, since the run blew up, ends it. The summary counts the frames of the
// longest run. Throws InputError as write_view_page does for all else, and for a page without runs.
ViewPageSummary write_compare_page(const std::filesystem::path& file, std::string_view page_template,
                                   const ComparePage& page, const ViewOptions& options = {});

}  // namespace taut::io

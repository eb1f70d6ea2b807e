// Writes the compare page: blocks taut-0-..., taut-1-... of the runs (view_run.hpp), and taut-compare,
// JSON with the texts of the page and what is said about every run.
#include "taut/io/compare_page.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "taut/base/error.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/view_run.hpp"

namespace taut::io {

namespace {

using Json = nlohmann::json;

// The strictest strain that a run has promised, so that one scale of colours serves all; 0 where none has.
double common_tolerance(const std::vector<ViewRun>& runs) {
    double least = 0;
    for (const ViewRun& run : runs) {
        const double tolerance = run.header().tolerance;
        if (tolerance > 0 && (least == 0 || tolerance < least)) least = tolerance;
    }
    return least;
}

// The texts of the page; a run without a cache has no block to name.
Json describe_page(const ComparePage& page, const std::vector<ViewRun>& runs) {
    Json list = Json::array();
    int blocks = 0;
    for (const CompareRun& run : page.runs) {
        Json entry = {{"name", run.name}, {"verdict", run.verdict}, {"reached", run.reached}};
        if (run.cache != nullptr) entry["block"] = "taut-" + std::to_string(blocks++);
        list.push_back(std::move(entry));
    }
    return {{"format", 1},
            {"taut_version", runs.empty() ? "" : runs.front().header().taut_version},
            {"title", page.title},
            {"subtitle", page.subtitle},
            {"tolerance", common_tolerance(runs)},
            {"runs", std::move(list)},
            {"table", page.table},
            {"plots", page.plots},
            {"notes", page.notes}};
}

// For every run the first one of the same topology: what they share is written once.
std::vector<std::size_t> topology_owners(const std::vector<ViewRun>& runs) {
    std::vector<std::size_t> owners;
    for (const ViewRun& run : runs) {
        const auto same = [&](const ViewRun& other) { return run.same_topology(other); };
        owners.push_back(static_cast<std::size_t>(std::ranges::find_if(runs, same) - runs.begin()));
    }
    return owners;
}

}  // namespace

ViewPageSummary write_compare_page(const std::filesystem::path& file, std::string_view page_template,
                                   const ComparePage& page, const ViewOptions& options) {
    const TemplateParts parts = split_template(page_template);
    if (page.runs.empty()) {
        throw InputError({"compare page", ""}, "has no runs", "", "name at least one method");
    }

    // Check the runs and encode what their frames share.
    std::vector<ViewRun> runs;
    runs.reserve(page.runs.size());
    for (const CompareRun& run : page.runs) {
        if (run.cache != nullptr) runs.emplace_back(*run.cache, run.report_json);
    }
    const std::vector<std::size_t> owners = topology_owners(runs);
    const StrainScale scale(common_tolerance(runs));

    // Write the texts, and see how many frames fit beside them.
    std::string out(parts.before);
    append_json(out, "taut-compare", describe_page(page, runs));
    std::size_t fixed = out.size() + parts.after.size();
    for (std::size_t k = 0; k < runs.size(); ++k) {
        fixed += runs[k].text_bytes() + (owners[k] == k ? runs[k].topology_bytes() : 0);
    }
    ViewPlan plan = plan_frames(runs, fixed, options);
    plan.forgiving = true;

    // Write the runs and the rest of the template.
    const auto block = [](std::size_t k) { return "taut-" + std::to_string(k); };
    long cache_frames = 0;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        runs[k].append(out, block(k), block(owners[k]), plan, scale);
        cache_frames = std::max(cache_frames, runs[k].frames());
    }
    out += parts.after;
    write_file(file, out);
    return {static_cast<long>(plan.frames.size()), cache_frames, out.size(), plan.packed};
}

}  // namespace taut::io

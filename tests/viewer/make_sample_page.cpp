// Writes the pages that the browser test opens: make_sample_page FOLDER [SIZE FRAMES]
//   sample.html  a run with all that the viewer can show
//   maps.html    the same run with correction maps
//   thin.html    the same run, thinned to a third of its bytes, without a report
//   empty.html   a run whose cache holds no frame
//   compare.html the sample scene by five methods side by side, of half the SIZE
//   uneven.html  runs that end early, are thinned, or hold nothing, side by side
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>

#include "sample_compare.hpp"
#include "sample_run.hpp"
#include "taut/io/compare_page.hpp"
#include "taut/io/view_page.hpp"
#include "viewer/page_template.hpp"

using namespace taut;
namespace fs = std::filesystem;

namespace {

fs::path write_cache(const fs::path& file, const viewer_test::SampleOptions& options, int frames) {
    const io::CacheHeader header = viewer_test::sample_header(options);
    io::CacheWriter writer(file, header);
    for (int k = 0; k < frames; ++k) writer.append(viewer_test::sample_frame(options, header, k));
    return file;
}

void tell(const char* page, const io::ViewPageSummary& summary) {
    std::printf("%s: %ld of %ld frames, %ju bytes%s\n", page, summary.frames, summary.cache_frames,
                summary.bytes, summary.packed ? ", packed" : "");
}

// Writes a run per method, each a little different, and the page that compares them.
void write_comparison(const fs::path& folder, viewer_test::SampleOptions options) {
    io::ComparePage page = viewer_test::sample_comparison();
    std::deque<io::CacheReader> caches;
    for (const viewer_test::SampleMethod& method : viewer_test::sample_methods()) {
        options.stretch = method.stretch;
        options.pace = method.pace;
        const int frames = static_cast<int>(method.length * (options.frames - 1)) + 1;
        const auto file = folder / ("compare_" + std::to_string(caches.size()) + ".taut");
        caches.emplace_back(write_cache(file, options, frames));
        page.runs.push_back({method.name, &caches.back(),
                             viewer_test::sample_report(caches.back().header(), options), method.verdict,
                             method.reached});
    }
    tell("compare.html", io::write_compare_page(folder / "compare.html", viewer::compare_template(), page));
}

// Compares runs that do not go together well, thinned: one has half the frames a second and blows up
// after 1 s, one has left no cache.
void write_uneven_comparison(const fs::path& folder, const viewer_test::SampleOptions& options) {
    const io::CacheHeader header = viewer_test::sample_header(options);
    io::CacheReader even(write_cache(folder / "even.taut", options, options.frames));
    {
        io::CacheWriter writer(folder / "odd.taut", header);
        for (int k = 0; k < options.frames; k += 2) {
            io::CacheFrame frame = viewer_test::sample_frame(options, header, k);
            if (k > options.frames / 2) frame.x[header.vertices / 3][1] = std::nan("");
            writer.append(frame);
        }
    }
    io::CacheReader odd(folder / "odd.taut");
    io::ComparePage page;
    page.runs = {{"even", &even, "", "certified 0.1 %", true},
                 {"odd", &odd, "", "blew up after t = 1 s", false},
                 {"none", nullptr, "", "failed before its first frame", false}};
    io::ViewOptions thin;
    thin.max_bytes = viewer::compare_template().size() + 800'000;
    tell("uneven.html",
         io::write_compare_page(folder / "uneven.html", viewer::compare_template(), page, thin));
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 2 && argc != 4) {
        std::fprintf(stderr, "usage: make_sample_page FOLDER [SIZE FRAMES]\n");
        return 2;
    }
    const fs::path folder = argv[1];
    viewer_test::SampleOptions options;
    if (argc == 4) options = {std::atoi(argv[2]), std::atoi(argv[3])};
    fs::create_directories(folder);
    const auto page_template = viewer::page_template();

    io::CacheReader full(write_cache(folder / "sample.taut", options, options.frames));
    const std::string report = viewer_test::sample_report(full.header(), options);
    tell("sample.html", io::write_view_page(folder / "sample.html", page_template, full, report));

    const io::CorrectionMaps maps = viewer_test::sample_maps(options, full.header());
    tell("maps.html", io::write_view_page(folder / "maps.html", page_template, full, report, maps));

    io::ViewOptions thin;
    thin.max_bytes = page_template.size() + 1'500'000;
    thin.precision = io::ViewPrecision::packed;
    tell("thin.html", io::write_view_page(folder / "thin.html", page_template, full, "", {}, thin));

    io::CacheReader none(write_cache(folder / "empty.taut", options, 0));
    tell("empty.html", io::write_view_page(folder / "empty.html", page_template, none, ""));
    options.size = options.size / 2 + 1;
    write_comparison(folder, options);
    write_uneven_comparison(folder, options);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

// Writes the pages that the browser test opens: make_sample_page FOLDER [SIZE FRAMES]
//   sample.html  a run with all that the viewer can show
//   thin.html    the same run, thinned to a third of its bytes, without a report
//   empty.html   a run whose cache holds no frame
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "sample_run.hpp"
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

    io::ViewOptions thin;
    thin.max_bytes = page_template.size() + 1'500'000;
    thin.precision = io::ViewPrecision::packed;
    tell("thin.html", io::write_view_page(folder / "thin.html", page_template, full, "", thin));

    io::CacheReader none(write_cache(folder / "empty.taut", options, 0));
    tell("empty.html", io::write_view_page(folder / "empty.html", page_template, none, ""));
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

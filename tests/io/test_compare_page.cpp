// The compare page: every run comes back as in its own view page, all runs keep the same frames, texts
// cannot break out of their script element, sizes hold for all runs together, and bad input is refused.
#include "taut/io/compare_page.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/small_run.hpp"
#include "taut/io/view_blocks.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

Json json_of(const std::string& page, const std::string& id) { return Json::parse(block_text(page, id)); }

// Frame numbers of a run in a page.
std::vector<long> frames_of(const std::string& page, const std::string& run) {
    std::vector<long> numbers;
    const Json frames = json_of(page, run)["frames"];
    for (const Json& frame : frames) numbers.push_back(frame["frame"]);
    return numbers;
}

// Two runs of the small scene, the second of other length, and a third that left no cache.
struct Sample {
    explicit Sample(int first_frames = 5, int second_frames = 3)
        : first(small_cache(folder, small_header(), first_frames, "first.taut")),
          second(small_cache(folder, small_header(), second_frames, "second.taut")) {
        page.title = "A </script><!-- title";
        page.subtitle = "one & two";
        page.runs = {{"fast_projection", &first, R"({"certified": true})", "certified 0.1 %", true},
                     {"springs", &second, "", "failed at t = 0.5 s: </script>", false},
                     {"none", nullptr, "", "refused the scene", false}};
        page.table = {{"method", "time"}, {"fast_projection", "1.5 s"}};
        page.plots = {"<svg viewBox=\"0 0 1 1\"><path d=\"M0,0\"/></svg>"};
        page.notes = {"A sentence."};
    }
    std::string write(const ViewOptions& options = {}) {
        summary = write_compare_page(folder / "compare.html", small_template, page, options);
        return bytes_of(folder / "compare.html");
    }

    TemporaryFolder folder;
    CacheReader first, second;
    ComparePage page;
    ViewPageSummary summary;
};

TEST(ComparePage, TellsTextsAndRuns) {
    Sample sample;
    const std::string page = sample.write();
    EXPECT_TRUE(page.starts_with("<html>before<script"));
    EXPECT_TRUE(page.ends_with("</script>\nafter</html>"));
    EXPECT_EQ(sample.summary.bytes, page.size());
    EXPECT_EQ(sample.summary.frames, 5);
    EXPECT_EQ(sample.summary.cache_frames, 5);
    EXPECT_FALSE(sample.summary.packed);

    const Json compare = json_of(page, "taut-compare");
    EXPECT_EQ(compare["title"], sample.page.title);
    EXPECT_EQ(compare["subtitle"], "one & two");
    EXPECT_EQ(compare["taut_version"], "1.2.3");
    EXPECT_EQ(compare["tolerance"], 1e-3);
    EXPECT_EQ(compare["table"], Json(sample.page.table));
    EXPECT_EQ(compare["plots"][0], sample.page.plots[0]) << "plots go in as they are";
    EXPECT_EQ(compare["notes"][0], "A sentence.");
    ASSERT_EQ(compare["runs"].size(), 3u);
    EXPECT_EQ(compare["runs"][0]["reached"], true);
    EXPECT_EQ(compare["runs"][0]["block"], "taut-0");
    EXPECT_EQ(compare["runs"][1]["verdict"], "failed at t = 0.5 s: </script>");
    EXPECT_EQ(compare["runs"][1]["reached"], false);
    EXPECT_EQ(compare["runs"][1]["block"], "taut-1");
    EXPECT_FALSE(compare["runs"][2].contains("block")) << "no cache, no blocks";
    EXPECT_EQ(json_of(page, "taut-0-run")["report"]["certified"], true);
    EXPECT_TRUE(json_of(page, "taut-1-run")["report"].is_null());
}

TEST(ComparePage, TextsStayInsideTheirScript) {
    Sample sample;
    const std::string page = sample.write();
    for (const char* id : {"taut-compare", "taut-0-run", "taut-1-run"}) {
        EXPECT_EQ(block_text(page, id).find('<'), std::string::npos) << id;
    }
}

TEST(ComparePage, FramesAreThoseOfTheViewPage) {
    Sample sample;
    const std::string page = sample.write();
    write_view_page(sample.folder / "view.html", small_template, sample.second, "");
    const std::string view = bytes_of(sample.folder / "view.html");
    for (const char* block : {"frame-0", "frame-1", "frame-2"}) {
        EXPECT_EQ(block_text(page, std::string("taut-1-") + block),
                  block_text(view, std::string("taut-") + block));
    }
    EXPECT_EQ(block_text(page, "taut-0-faces"), block_text(view, "taut-faces"));
    EXPECT_EQ(block_text(page, "taut-0-edges"), block_text(view, "taut-edges"));
}

TEST(ComparePage, WritesATopologyOnce) {
    Sample sample;
    const std::string page = sample.write();
    EXPECT_EQ(json_of(page, "taut-1-run")["topology"], "taut-0");
    EXPECT_EQ(page.find("taut-1-faces"), std::string::npos);

    // A run of other faces brings its own.
    CacheHeader other = small_header();
    std::swap(other.faces[0].corner[1], other.faces[0].corner[3]);
    CacheReader turned(small_cache(sample.folder, other, 2, "turned.taut"));
    sample.page.runs[2].cache = &turned;
    const std::string mixed = sample.write();
    EXPECT_EQ(json_of(mixed, "taut-2-run")["topology"], "taut-2");
    EXPECT_FALSE(block_text(mixed, "taut-2-faces").empty());
}

TEST(ComparePage, ColoursAllRunsByTheStrictestPromise) {
    Sample sample;
    CacheHeader lax = small_header(), free = small_header();
    lax.tolerance = 1e-2;
    free.tolerance = 0;
    CacheReader lax_cache(small_cache(sample.folder, lax, 2, "lax.taut"));
    CacheReader free_cache(small_cache(sample.folder, free, 2, "free.taut"));
    sample.page.runs[0].cache = &free_cache;
    sample.page.runs[2].cache = &lax_cache;
    const std::string page = sample.write();
    EXPECT_EQ(json_of(page, "taut-compare")["tolerance"], 1e-3);
    for (const char* id : {"taut-0-run", "taut-1-run", "taut-2-run"}) {
        EXPECT_EQ(json_of(page, id)["strain_scale"]["reference"], 1e-3) << id;
    }
    EXPECT_EQ(json_of(page, "taut-2-run")["tolerance"], 1e-2) << "its own promise stays";
}

TEST(ComparePage, ThinsAllRunsAlike) {
    Sample sample(200, 121);
    ViewOptions options;
    options.max_bytes = 90'000;
    const std::string page = sample.write(options);
    EXPECT_TRUE(sample.summary.packed);
    EXPECT_LE(page.size(), options.max_bytes);
    const std::vector<long> longer = frames_of(page, "taut-0-run"), shorter = frames_of(page, "taut-1-run");
    EXPECT_EQ(sample.summary.frames, static_cast<long>(longer.size()));
    EXPECT_LT(longer.size(), 200u);
    EXPECT_EQ(longer.back(), 199);
    ASSERT_GT(shorter.size(), 10u);
    EXPECT_EQ(shorter.back(), 120) << "a run that ended early keeps its last frame";
    for (std::size_t k = 0; k + 1 < shorter.size(); ++k) ASSERT_EQ(shorter[k], longer[k]);
}

TEST(ComparePage, RunThatEndedAtOnceLeavesTheRoomToTheOthers) {
    Sample alone(200, 0), both(200, 1);
    ViewOptions options;
    options.max_bytes = 60'000;
    alone.write(options);
    both.write(options);
    EXPECT_EQ(alone.summary.cache_frames, 200);
    EXPECT_GT(alone.summary.frames, 20);
    EXPECT_GE(both.summary.frames, alone.summary.frames - 4);
    EXPECT_LE(both.summary.bytes, options.max_bytes);
}

TEST(ComparePage, AFrameThatHoldsNoNumbersEndsItsRun) {
    Sample sample;
    {
        CacheWriter writer(sample.folder / "wild.taut", small_header());
        for (int k = 0; k < 5; ++k) {
            CacheFrame frame = small_frame(k);
            if (k == 2) frame.x[1][0] = std::nan("");
            writer.append(frame);
        }
    }
    CacheReader wild(sample.folder / "wild.taut");
    sample.page.runs[1].cache = &wild;
    const std::string page = sample.write();
    EXPECT_EQ(frames_of(page, "taut-1-run"), (std::vector<long>{0, 1}));
    EXPECT_EQ(json_of(page, "taut-1-run")["cache_frames"], 2);
    EXPECT_EQ(frames_of(page, "taut-0-run").size(), 5u);
}

TEST(ComparePage, RunsWithoutAnyFrame) {
    Sample sample(0, 0);
    const std::string page = sample.write();
    EXPECT_EQ(sample.summary.frames, 0);
    EXPECT_TRUE(frames_of(page, "taut-0-run").empty());

    // Even without any cache the texts are written.
    for (CompareRun& run : sample.page.runs) run.cache = nullptr;
    EXPECT_EQ(json_of(sample.write(), "taut-compare")["runs"].size(), 3u);
}

TEST(ComparePage, RefusesBadInputAndLeavesTheOldPage) {
    Sample sample;
    const auto file = sample.folder / "compare.html";
    put_bytes(file, "old");
    const auto refusal = [&](const std::string& page_template, const ComparePage& page) {
        return input_error([&] { write_compare_page(file, page_template, page); });
    };
    EXPECT_NE(refusal("no marker", sample.page).find("marker"), std::string::npos);
    EXPECT_NE(refusal(small_template, {}).find("no runs"), std::string::npos);
    ComparePage broken = sample.page;
    broken.runs[1].report_json = "{broken";
    EXPECT_NE(refusal(small_template, broken).find("report.json"), std::string::npos);
    EXPECT_EQ(bytes_of(file), "old");
}

}  // namespace
}  // namespace taut::io

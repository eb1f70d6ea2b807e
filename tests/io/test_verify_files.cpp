// Verification refuses, in words: files in each other's place, of before they said what they hold, cut files,
// and options that leave nothing to check.
#include "io/reforged_cache.hpp"
#include "io/verify_told.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

// What is said against a run of these two files; nothing where it was not refused.
std::string refusal(const std::filesystem::path& cache, const std::filesystem::path& steps,
                    const VerifyOptions& options = {}) {
    return input_error([&] { verify_run(cache, steps, options); });
}

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
}

struct Files {
    Files() {
        run.write(cache);
        run.write(steps, CacheContent::steps);
    }
    void forget_marks(const std::filesystem::path& file) const {
        put_bytes(file, reforge(bytes_of(file), [](auto& j) { j.erase("holds"); }));
    }

    TemporaryFolder folder;
    PlantedRun run;
    std::filesystem::path cache = folder / "cache.taut", steps = folder / "steps.taut";
};

TEST(VerifyFiles, FramesAndStepsAreNotTakenForEachOther) {
    const Files files;
    EXPECT_TRUE(verify_run(files.cache, files.steps, {}).good());
    expect_words(refusal(files.cache, files.cache),
                 {"cache.taut", "holds frames where steps belong", "--cache-steps", "delete"});
    expect_words(refusal(files.steps, files.steps),
                 {"steps.taut", "holds steps where frames belong", "run the scene again"});
    expect_words(input_error([&] { CacheWriter(files.steps, files.run.header, 2); }),
                 {"holds steps where frames belong"});
    put_bytes(files.folder / "forged",
              reforge(bytes_of(files.cache), [](auto& j) { j["holds"] = "moments"; }));
    expect_words(refusal(files.folder / "forged", {}), {"neither frames nor steps"});
}

TEST(VerifyFiles, FilesWithoutAMarkAreReadAsFramesOnly) {
    const Files files;
    files.forget_marks(files.cache);
    files.forget_marks(files.steps);
    EXPECT_EQ(CacheReader(files.cache).header().content, CacheContent::unmarked);
    EXPECT_TRUE(verify_run(files.cache, {}, {}).good());
    expect_words(refusal(files.cache, files.steps), {"steps.taut", "does not say", "--cache-steps"});

    // A run that goes on in such a file marks it.
    CacheHeader header = files.run.header;
    header.content = CacheContent::steps;
    CacheWriter(files.steps, header, 8);
    EXPECT_EQ(CacheReader(files.steps).header().content, CacheContent::steps);
    EXPECT_TRUE(verify_run(files.cache, files.steps, {}).good());

    // More frames than the scene has are steps.
    PlantedRun run;
    run.header.effective_scene = R"({"run": {"duration": 0.3}})";
    run.write(files.cache);
    EXPECT_TRUE(verify_run(files.cache, {}, {}).good());
    files.forget_marks(files.cache);
    expect_words(refusal(files.cache, {}), {"more than the 4 frames", "8"});
}

TEST(VerifyFiles, CutFilesAreRefusedWithARemedy) {
    const Files files;
    const std::string cache = bytes_of(files.cache), steps = bytes_of(files.steps);
    std::uint64_t header = 0;
    std::memcpy(&header, cache.data() + 16, 8);
    for (const std::size_t size : {3, 8, 50, 56, 1000}) {
        put_bytes(files.folder / "cut", cache.substr(0, size));
        expect_words(refusal(files.folder / "cut", files.steps),
                     {"the file ends within its header", "run the scene again"});
        put_bytes(files.folder / "cut", steps.substr(0, size));
        expect_words(refusal(files.cache, files.folder / "cut"),
                     {"the file ends within its header", "run the scene again"});
    }
    put_bytes(files.folder / "cut", cache.substr(0, header));
    expect_words(refusal(files.folder / "cut", {}), {"no frames yet", "run the scene again"});
}

TEST(VerifyFiles, SkippingEverythingIsRefused) {
    const Files files;
    VerifyOptions options;
    EXPECT_TRUE(skipped_checks(options).empty());
    options.strain = options.pins = options.intersections = false;
    EXPECT_EQ(skipped_checks(options), (std::vector<std::string>{"strain", "pins", "intersections"}));
    EXPECT_TRUE(verify_run(files.cache, files.steps, options).good());

    // The way between needs steps, two at least; strain is promised of steps only.
    expect_words(refusal(files.cache, {}, options), {"--skip", "strain,pins,intersections", "nothing"});
    options.first = options.last = 2;
    refusal(files.cache, files.steps, options);
    options = {.crossings = false};
    options.strain = options.pins = options.intersections = false;
    refusal(files.cache, files.steps, options);
    options.strain = true;
    EXPECT_TRUE(verify_run(files.cache, files.steps, options).good());
    options.last = 0;
    refusal(files.cache, files.steps, options);

    // Cloths remain where neither themselves nor obstacles are looked at.
    options = {.self = false, .obstacles = false};
    options.strain = options.pins = false;
    EXPECT_TRUE(verify_run(files.cache, files.steps, options).good());
}

TEST(VerifyFiles, WhatWasLookedAtIsCounted) {
    const Files files;
    const VerifyReport all = verify_run(files.cache, files.steps, {});
    EXPECT_EQ(all.frames.recorded, 8);
    EXPECT_EQ(all.steps.recorded, 8);
    const VerifyOptions options{.first = 2, .last = 4};
    EXPECT_FALSE(options.whole());
    const VerifyReport part = verify_run(files.cache, files.steps, options);
    EXPECT_EQ(part.frames.first, 2);
    EXPECT_EQ(part.frames.count, 3);
    EXPECT_EQ(part.frames.recorded, 8);
    EXPECT_EQ(part.steps.count, 3);
    EXPECT_EQ(part.steps.recorded, 8);
}

}  // namespace
}  // namespace taut::io

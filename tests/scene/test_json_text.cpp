// Parsing with guards: places of errors, comments, duplicate keys, depth, size and numbers.
#include "taut/scene/json_text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"

namespace taut::scene {
namespace {

TEST(JsonText, KeepsOrderAndValues) {
    const Json json = parse_json(R"({"b": 1, "a": [true, null, -2, 2.5, "x"], "c": {"d": {}}})", "f");
    EXPECT_EQ(json.dump(), R"({"b":1,"a":[true,null,-2,2.5,"x"],"c":{"d":{}}})");
}

TEST(JsonText, AllowsCommentsAndByteOrderMark) {
    const Json json = parse_json("\xEF\xBB\xBF// first\n{\"a\": /* inside */ 1 // last\n}", "f");
    EXPECT_EQ(json["a"], 1);
}

TEST(JsonText, SyntaxErrorHasLineAndColumn) {
    const InputError error = error_of([] { parse_json("{\n  \"a\": 1,\n  \"b\" 2\n}", "f.json"); });
    EXPECT_EQ(error.where().file, "f.json");
    EXPECT_EQ(error.where().place, "line 3, column 7");
    EXPECT_NE(error.problem().find("not valid JSON"), std::string::npos);
}

TEST(JsonText, TruncatedTextPointsToItsEnd) {
    const InputError error = error_of([] { parse_json("{\"a\": [1, 2", "f"); });
    EXPECT_EQ(error.where().place, "line 1, column 12");
}

TEST(JsonText, DuplicateKeyIsNamedByPointer) {
    const InputError error = error_of([] { parse_json(R"({"a": [0, {"x/y": 1, "x/y": 2}]})", "f"); });
    EXPECT_EQ(error.where().place, "/a/1/x~1y");
    EXPECT_NE(error.problem().find("twice"), std::string::npos);
}

TEST(JsonText, NumbersBeyondDoubleAreRefused) {
    const InputError error = error_of([] { parse_json("{\"a\": 1e999}", "f"); });
    EXPECT_EQ(error.value(), "1e999");
    EXPECT_NE(error.where().place.find("line 1"), std::string::npos);
}

TEST(JsonText, DepthIsLimited) {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_NO_THROW(parse_json(nested(max_depth), "f"));
    const InputError error = error_of([&] { parse_json(nested(max_depth + 1), "f"); });
    EXPECT_NE(error.problem().find("deep"), std::string::npos);
    EXPECT_THROW(parse_json(std::string(1'000'000, '['), "f"), InputError);
}

TEST(JsonText, KeysPerObjectAreLimited) {
    std::string text = "{";
    for (std::size_t i = 0; i <= max_keys; ++i) text += (i ? "," : "") + ("\"k" + std::to_string(i)) + "\":0";
    EXPECT_NE(error_of([&] { parse_json(text + "}", "f"); }).problem().find("too many keys"),
              std::string::npos);
}

TEST(JsonText, RefusesWhatIsNotUtf8) { EXPECT_THROW(parse_json("{\"a\": \"\xFF\"}", "f"), InputError); }

TEST(JsonText, RefusesTooLargeTexts) {
    const std::string text(max_text_bytes + 1, ' ');
    EXPECT_NE(error_of([&] { parse_json(text, "f"); }).problem().find("too large"), std::string::npos);
}

TEST(JsonText, ReadsFilesAndRefusesFoldersAndMissingOnes) {
    const auto folder = std::filesystem::temp_directory_path() / "taut_test_json_text";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "a.json") << "{}";
    EXPECT_EQ(read_text_file(folder / "a.json", "a.json"), "{}");
    EXPECT_NE(error_of([&] { read_text_file(folder / "b.json", "b.json"); }).problem().find("not exist"),
              std::string::npos);
    EXPECT_NE(error_of([&] { read_text_file(folder, "folder"); }).problem().find("folder"),
              std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST(JsonText, ShortTextCutsLongValues) {
    EXPECT_EQ(short_text(Json(3)), "3");
    EXPECT_LE(short_text(Json(std::string(500, 'x'))).size(), 70u);
    EXPECT_EQ(short_text(Json(std::vector<int>(500, 1))), "an array of 500 values");
}

TEST(JsonText, PointersEscape) { EXPECT_EQ(child_pointer("/a", "b/c~d"), "/a/b~1c~0d"); }

}  // namespace
}  // namespace taut::scene

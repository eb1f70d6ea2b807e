// Parameter lists from JSON and back: types, ranges, choices, names, required keys, null for never.
#include "taut/scene/json_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/scene_text.hpp"

namespace taut::scene {
namespace {

struct SampleParams {
    double number = 1.5;
    int integer = 3;
    bool flag = false;
    std::string text = "t";
    std::string choice = "one";
    Vec3 vector{1, 2, 3};
    double never = std::numeric_limits<double>::infinity();
};

void describe(ParamList& list, SampleParams& params) {
    list.number("number", params.number, "m", between(0, 10), "A number.");
    list.integer("integer", params.integer, "1", between(0, 100), "An integer.");
    list.flag("flag", params.flag, "A flag.");
    list.text("text", params.text, "A text.");
    list.choice("choice", params.choice, {"one", "two"}, "A choice.");
    list.vector("vector", params.vector, "m", "A vector.");
    list.number("never", params.never, "s", non_negative(), "A time.");
}

SampleParams read(const std::string& text, const std::vector<std::string>& required = {}) {
    const Json json = parse_json(text, "f");
    SampleParams params;
    ParamList list;
    describe(list, params);
    JsonReader(json, "f", "/at").read(list, {"other"}, required);
    return params;
}

TEST(JsonReader, ReadsEveryType) {
    const SampleParams p = read(R"({"number": 2, "integer": 7.0, "flag": true, "text": "x", "choice": "two",
                                    "vector": [0, -1, 2.5], "never": 4, "other": {}})");
    EXPECT_EQ(p.number, 2);
    EXPECT_EQ(p.integer, 7);
    EXPECT_TRUE(p.flag);
    EXPECT_EQ(p.text, "x");
    EXPECT_EQ(p.choice, "two");
    EXPECT_EQ(p.vector, Vec3(0, -1, 2.5));
    EXPECT_EQ(p.never, 4);
}

TEST(JsonReader, KeepsDefaultsAndTakesNullForNever) {
    const SampleParams p = read(R"({"never": null})");
    EXPECT_EQ(p.number, 1.5);
    EXPECT_TRUE(std::isinf(p.never));
    EXPECT_THROW(read(R"({"number": null})"), InputError);
}

TEST(JsonReader, UnknownKeyNamesTheNearest) {
    const InputError error = error_of([] { read(R"({"nubmer": 1})"); });
    EXPECT_EQ(error.where().place, "/at/nubmer");
    EXPECT_NE(error.remedy().find("did you mean 'number'"), std::string::npos);
}

TEST(JsonReader, OutOfRangeSaysWhatIsAllowed) {
    const InputError error = error_of([] { read(R"({"number": -1})"); });
    EXPECT_EQ(error.where().place, "/at/number");
    EXPECT_EQ(error.value(), "-1");
    EXPECT_EQ(error.remedy(), "allowed: a number 0 to 10");
}

TEST(JsonReader, IntegersMustBeWholeAndFit) {
    EXPECT_THROW(read(R"({"integer": 1.5})"), InputError);
    EXPECT_THROW(read(R"({"integer": 101})"), InputError);
    EXPECT_THROW(read(R"({"integer": 18446744073709551615})"), InputError);
    const Json big = 3e9;
    EXPECT_NE(error_of([&] { JsonReader(big, "f").integer(); }).problem().find("too large"),
              std::string::npos);
}

TEST(JsonReader, WrongTypesAreErrors) {
    for (const char* text :
         {R"({"number": "1"})", R"({"flag": 1})", R"({"text": 1})", R"({"choice": "three"})",
          R"({"vector": [1, 2]})", R"({"vector": [1, 2, "3"]})", R"({"integer": true})"}) {
        EXPECT_THROW(read(text), InputError) << text;
    }
}

TEST(JsonReader, RequiredKeys) {
    const InputError error = error_of([] { read("{}", {"text"}); });
    EXPECT_EQ(error.where().place, "/at");
    EXPECT_NE(error.problem().find("'text' is missing"), std::string::npos);
    EXPECT_NE(error.remedy().find("A text."), std::string::npos);
}

TEST(JsonReader, WritingAndReadingGivesTheSameBits) {
    SampleParams params;
    params.number = 1.0 / 3;
    params.vector = {0.1, -1e-300, 1e17};
    ParamList list;
    describe(list, params);
    Json object = Json::object();
    write(object, list);
    EXPECT_TRUE(object["never"].is_null());
    const SampleParams again = read(object.dump());
    EXPECT_EQ(again.number, params.number);
    EXPECT_EQ(again.vector, params.vector);
    EXPECT_EQ(again.choice, params.choice);
}

}  // namespace
}  // namespace taut::scene

// Malformed scenes, one row each: what must be said about them, and where. Rows are instantiated in several
// files; the test itself is in test_malformed_scenes.cpp.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "scene/scene_text.hpp"

namespace taut::scene {

struct Malformed {
    const char* name;
    std::string text;
    const char* place;   // exact place of the error
    const char* words;   // in the problem
    const char* value;   // in the value; empty: not looked at
    const char* remedy;  // in the remedy; empty: not looked at
};

inline void PrintTo(const Malformed& malformed, std::ostream* out) { *out << malformed.name; }

inline std::string row_name(const testing::TestParamInfo<Malformed>& info) { return info.param.name; }

// A sheet of 5 x 4 vertices with these pins.
inline std::string pins(const std::string& list) {
    return R"({"taut": 1, "cloths": [{"type": "grid", "nu": 5, "nv": 4}], "pins": [)" + list + "]}";
}

class MalformedScenes : public testing::TestWithParam<Malformed> {
protected:
    static void SetUpTestSuite();
    static void TearDownTestSuite();
    static std::filesystem::path& folder();
};

}  // namespace taut::scene

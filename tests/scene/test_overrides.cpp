// --set path=value: pointers, names, types, numbers, values, and errors that name the override.
#include "taut/scene/overrides.hpp"

#include <gtest/gtest.h>

#include "scene/scene_text.hpp"

namespace taut::scene {
namespace {

Json base() {
    return parse_json(R"({"taut": 1, "cloths": [{"name": "sheet", "type": "grid"}, {"type": "polyline"}],
                          "forces": ["gravity", {"type": "air_drag"}], "integrator": "bdf2", "run": {"dt": 0.1}})",
                      "f");
}

std::string pointer_of(Json& root, const std::string& text) { return apply_override(root, text).pointer; }

TEST(Overrides, PathsInAllForms) {
    Json root = base();
    EXPECT_EQ(pointer_of(root, "/run/dt=0.5"), "/run/dt");
    EXPECT_EQ(root["run"]["dt"], 0.5);
    EXPECT_EQ(pointer_of(root, "run.fps=30"), "/run/fps");
    EXPECT_EQ(pointer_of(root, "run/duration=3"), "/run/duration");
    EXPECT_EQ(pointer_of(root, "cloths.sheet.nu=101"), "/cloths/0/nu");
    EXPECT_EQ(pointer_of(root, "cloths/polyline/vertices=7"), "/cloths/1/vertices");
    EXPECT_EQ(pointer_of(root, "cloths/1/length=2"), "/cloths/1/length");
    EXPECT_EQ(root["cloths"][0]["nu"], 101);
}

TEST(Overrides, ShorthandsBecomeObjectsToHoldMore) {
    Json root = base();
    pointer_of(root, "forces/gravity/acceleration=[0, 0, -1]");
    EXPECT_EQ(root["forces"][0].dump(), R"({"type":"gravity","acceleration":[0,0,-1]})");
    pointer_of(root, "integrator/type=implicit_euler");
    EXPECT_EQ(root["integrator"]["type"], "implicit_euler");
}

TEST(Overrides, MissingPartsAreMade) {
    Json root = base();
    EXPECT_EQ(pointer_of(root, "filters/stable_projection/solver/type=ldlt"),
              "/filters/stable_projection/solver/type");
    EXPECT_EQ(root["filters"].dump(), R"({"stable_projection":{"solver":{"type":"ldlt"}}})");
}

TEST(Overrides, ValuesAreJsonOrText) {
    Json root = base();
    apply_override(root, "name=a b");
    EXPECT_EQ(root["name"], "a b");
    apply_override(root, "name=\"7\"");
    EXPECT_EQ(root["name"], "7");
    apply_override(root, "run={\"dt\": 1}");
    EXPECT_EQ(root["run"]["dt"], 1);
    apply_override(root, "description=a=b");
    EXPECT_EQ(root["description"], "a=b");
    apply_override(root, "description=");
    EXPECT_EQ(root["description"], "");
}

TEST(Overrides, PathsThatLeadNowhere) {
    const auto remedy = [](const std::string& text) {
        Json root = base();
        return error_of([&] { apply_override(root, text); }).what() + std::string();
    };
    EXPECT_NE(remedy("rnu/dt=1").find("did you mean 'run'"), std::string::npos);
    EXPECT_NE(remedy("cloths/shet/nu=1").find("did you mean 'sheet'"), std::string::npos);
    EXPECT_NE(remedy("cloths/7/nu=1").find("2 elements"), std::string::npos);
    EXPECT_NE(remedy("taut/x=1").find("plain value"), std::string::npos);
    EXPECT_NE(remedy("run").find("path=value"), std::string::npos);
    EXPECT_NE(remedy("=1").find("path=value"), std::string::npos);
    EXPECT_NE(remedy("run//dt=1").find("empty part"), std::string::npos);
    EXPECT_NE(remedy("run/dt=1e999").find("double"), std::string::npos);
    EXPECT_NE(remedy("run/dt=[1,").find("JSON"), std::string::npos);
}

TEST(Overrides, AmbiguousTypesAskForANumber) {
    Json root = parse_json(R"({"cloths": [{"type": "grid"}, {"type": "grid"}]})", "f");
    EXPECT_NE(error_of([&] { apply_override(root, "cloths/grid/nu=3"); }).remedy().find("number"),
              std::string::npos);
}

TEST(Overrides, ChangeTheSceneThatIsRead) {
    const Scene scene =
        parse(small_scene(), {"cloths/sheet/nu=9", "filters/stable_projection/tolerance=0.01",
                              "filters/stable_projection/solver=ldlt", "run.dt=0.004",
                              "forces/air_drag/wind=[1, 0, 0]", "forces/velocity_damping=null"});
    const Json json = effective_json(scene);
    EXPECT_EQ(json["cloths"][0]["nu"], 9);
    EXPECT_EQ(json["filters"][0]["tolerance"], 0.01);
    EXPECT_EQ(json["filters"][0]["solver"]["type"], "ldlt");
    EXPECT_EQ(json["run"]["dt"], 0.004);
    EXPECT_EQ(json["forces"].size(), 4u);
    EXPECT_EQ(json["forces"][1]["type"], "air_drag");
}

TEST(Overrides, FaultsNameTheOverride) {
    const InputError error = error_of([] { parse(small_scene(), {"run/dtt=1"}); });
    EXPECT_EQ(error.where().place, "/run/dtt");
    EXPECT_NE(error.remedy().find("did you mean 'dt'"), std::string::npos);
    EXPECT_NE(error.remedy().find("--set run/dtt=1"), std::string::npos);
}

}  // namespace
}  // namespace taut::scene

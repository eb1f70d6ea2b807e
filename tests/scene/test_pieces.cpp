// Presets and how scenes change them: arrays replace, objects change by type, null removes.
#include <gtest/gtest.h>

#include "scene/scene_text.hpp"
#include "taut/scene/build.hpp"

namespace taut::scene::pieces_tests {
namespace {

std::vector<std::string> types(const std::vector<Piece>& pieces) {
    std::vector<std::string> names;
    for (const Piece& piece : pieces) names.push_back(piece.entry->name);
    return names;
}

using Names = std::vector<std::string>;

const char* const ball = R"("obstacles": [{"type": "sphere", "radius": 0.1, "center": [9, 9, 9]}])";

TEST(Pieces, ContactComesWithObstacles) {
    EXPECT_EQ(types(parse(small_scene()).filters), (Names{"stable_projection"}));
    EXPECT_EQ(types(parse(small_scene(ball)).filters), (Names{"stable_projection", "contact"}));
}

TEST(Pieces, ArraysReplaceTheWholeList) {
    const Scene scene = parse(small_scene(R"("forces": ["gravity"], "filters": [])"));
    EXPECT_EQ(types(scene.forces), (Names{"gravity"}));
    EXPECT_TRUE(scene.filters.empty());
}

TEST(Pieces, ObjectsChangeByType) {
    const Scene scene = parse(small_scene(
        R"("forces": {"gravity": {"acceleration": [0, 0, -1]}, "isometric_bending": null, "air_drag": {}})"));
    EXPECT_EQ(types(scene.forces), (Names{"gravity", "air_drag", "velocity_damping", "shear_springs"}));
    const Json json = effective_json(scene);
    EXPECT_EQ(json["forces"][0]["acceleration"].dump(), "[0.0,0.0,-1.0]");
}

TEST(Pieces, NewProjectionsComeBeforeContact) {
    const Scene scene = parse(small_scene(
        std::string(ball) + R"(, "filters": {"stable_projection": null, "fast_projection": {}})"));
    EXPECT_EQ(types(scene.filters), (Names{"fast_projection", "contact"}));
    EXPECT_EQ(scene.filters[0].solver->entry->name, "cholesky");
}

TEST(Pieces, ChangesKeepWhatTheyDoNotName) {
    const Scene scene = parse(
        small_scene(R"("preset": "goldenthal2007", "filters": {"fast_projection": {"max_iterations": 9}})"));
    const Json filter = effective_json(scene)["filters"][0];
    EXPECT_EQ(filter["tolerance"], 0.01);
    EXPECT_EQ(filter["max_iterations"], 9);
    EXPECT_EQ(filter["solver"]["type"], "cholesky");
    EXPECT_EQ(scene.integrator.entry->name, "symplectic_euler");
}

TEST(Pieces, AnotherSolverStartsFromItsOwnDefaults) {
    const Scene scene = parse(small_scene(R"("filters": {"stable_projection": {"solver": "ldlt"}})"));
    EXPECT_EQ(scene.filters[0].solver->entry->name, "ldlt");
    EXPECT_EQ(effective_json(scene)["filters"][0]["solver"].dump(), R"({"type":"ldlt"})");
}

TEST(Pieces, ForcesOfTheStepStandBeforeThoseThatRelax) {
    const std::string forces =
        R"("forces": [{"type": "isometric_bending", "group": "relax"}, {"type": "gravity", "group": "both"}, "air_drag"])";
    const Scene scene = parse(small_scene(forces));
    EXPECT_EQ(effective_json(scene)["forces"][0]["group"], "relax");
    const auto simulation = build(scene);
    const auto names = [](auto span) {
        Names list;
        for (const auto& force : span) list.emplace_back(force->name());
        return list;
    };
    EXPECT_EQ(names(simulation->pipeline().step_forces()), (Names{"air_drag", "gravity"}));
    EXPECT_EQ(names(simulation->pipeline().relax_forces()), (Names{"gravity", "isometric_bending"}));
}

TEST(Pieces, OtherGroupsOfForcesAreRefused) {
    const InputError error =
        error_of([] { parse(small_scene(R"("forces": {"gravity": {"group": "relaxed"}})")); });
    EXPECT_EQ(error.where().place, "/forces/gravity/group");
    EXPECT_NE(error.remedy().find("relax"), std::string::npos);
}

TEST(Pieces, EveryPresetBuildsAndSteps) {
    for (const std::string& preset : names_of(Kind::preset)) {
        const auto simulation = build(parse(small_scene("\"preset\": \"" + preset + "\"")));
        EXPECT_TRUE(simulation->try_step(0.001).finite) << preset;
    }
}

TEST(Pieces, EveryRegisteredPieceCanBeMade) {
    for (const Entry& entry : registry()) {
        EXPECT_FALSE(entry.text.empty()) << entry.name;
        EXPECT_EQ(entry.text.back(), '.') << entry.name;
        const Settings settings = entry.settings();
        for (const Param& param : settings.list().entries()) {
            EXPECT_FALSE(param.text.empty()) << entry.name << " " << param.name;
            if (const auto* number = std::get_if<double*>(&param.target)) {
                EXPECT_TRUE(param.range.contains(**number)) << entry.name << " " << param.name;
            }
        }
        for (const std::string& required : entry.required) EXPECT_NE(settings.list().find(required), nullptr);
        std::string made = entry.name;
        if (const auto* make = std::get_if<ForceFactory>(&entry.factory)) made = (*make)(settings)->name();
        if (const auto* make = std::get_if<IntegratorFactory>(&entry.factory))
            made = (*make)(settings, {})->name();
        if (const auto* make = std::get_if<SolverFactory>(&entry.factory)) made = (*make)(settings)->name();
        EXPECT_EQ(made, entry.name);
    }
}

TEST(Pieces, NamesAreUniqueWithinAKind) {
    for (const Kind kind : all_kinds()) {
        std::vector<std::string> names = names_of(kind);
        EXPECT_FALSE(names.empty());
        std::sort(names.begin(), names.end());
        EXPECT_EQ(std::unique(names.begin(), names.end()), names.end()) << kind_name(kind);
    }
}

}  // namespace
}  // namespace taut::scene::pieces_tests

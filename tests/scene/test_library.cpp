// Scenes inside the program: all of them load, check clean, take steps, and equal the files on disk.
#include "taut/scene/library.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"
#include "taut/scene/check.hpp"

namespace taut::scene {
namespace {

const std::filesystem::path scenes_folder = std::filesystem::path(TAUT_SOURCE_DIR) / "scenes";

std::size_t count_files(const std::filesystem::path& folder) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") ++count;
    }
    return count;
}

TEST(Library, HoldsEverySceneOfTheFolder) {
    const auto scenes = built_in_scenes();
    EXPECT_EQ(scenes.size(), count_files(scenes_folder));
    EXPECT_EQ(templates().size(), count_files(scenes_folder / "templates"));
    for (const NamedScene& scene : scenes) {
        const std::string file = (scenes_folder / (scene.name + ".json")).string();
        EXPECT_TRUE(scene.text == read_text_file(file, file)) << scene.name;
    }
}

TEST(Library, ScenesOfTheWorkloadsAreThere) {
    const auto scenes = built_in_scenes();
    for (const char* name : {"hang", "hang_taut", "hang_edge", "hang_corner", "drape", "chain", "flagship"}) {
        EXPECT_NO_THROW(find_scene(scenes, name)) << name;
    }
    EXPECT_NE(error_of([&] { find_scene(scenes, "hnag"); }).remedy().find("hang"), std::string::npos);
}

// Findings that are the point of their scene: a row pulled taut, a mesh with irregular vertices, triangles
// that lock beside quads, chains and sheets side by side, sheets through each other.
bool expected(const std::string& scene, const Finding& finding) {
    const auto says = [&](const char* words) { return finding.text.find(words) != std::string::npos; };
    return (scene == "hang_taut" && says("held rigid")) || (scene == "disc" && says("without a seam")) ||
           (scene == "locking" && (says("locks") || says("would pass through each other if they met"))) ||
           ((scene == "nails" || scene == "alignment" || scene == "table_cotton_wool") &&
            says("pass through each other")) ||
           (scene == "tangle" && (says("intersects") || says("start inside") || says("starts")));
}

TEST(Library, EverySceneChecksClean) {
    for (const NamedScene& named : built_in_scenes()) {
        const Scene scene = load_scene(scenes_folder / (named.name + ".json"));
        EXPECT_EQ(scene.name, named.name);
        EXPECT_FALSE(scene.description.empty()) << named.name;
        EXPECT_EQ(scene.description, named.description());
        for (const Finding& finding : run_check(scene)) {
            EXPECT_TRUE(expected(named.name, finding))
                << named.name << " " << finding.pointer << ": " << finding.text;
        }
    }
}

TEST(Library, TautPinsAreNamed) {
    const auto findings = run_check(load_scene(scenes_folder / "hang_taut.json"));
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].severity, Severity::warning);
    EXPECT_NE(findings[0].text.find("a row of 40 edges is held rigid"), std::string::npos);
}

TEST(Library, EveryBuiltInSceneTakesASmallStepFromAnywhere) {
    for (const NamedScene& named : built_in_scenes()) {
        const Scene scene = parse_scene(named.text, named.name, "/");
        const auto simulation = build(scene);
        const StepResult result = simulation->try_step(1.0 / 240);
        EXPECT_TRUE(result.finite) << named.name;
        EXPECT_LE(result.report.max_strain(), simulation->tolerance()) << named.name;

        // What a run writes down reads back to the same start.
        const Scene again = parse_scene(effective_json(scene).dump(), named.name, "/");
        EXPECT_EQ(build(again)->state_hash(), simulation->state_hash()) << named.name;
    }
}

TEST(Library, TemplatesWithTheirFilesCheckClean) {
    const auto folder = std::filesystem::temp_directory_path() / "taut_test_library";
    for (const NamedScene& starter : templates()) {
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "s.json", std::ios::binary) << starter.text;
        for (const NamedFile& file : starter.files)
            std::ofstream(folder / file.path, std::ios::binary) << file.text;
        const auto findings = run_check(load_scene(folder / "s.json"));
        for (const Finding& finding : findings) ADD_FAILURE() << starter.name << ": " << finding.text;
        std::filesystem::remove_all(folder);
    }
}

TEST(Library, MeshesInsideTheProgram) {
    EXPECT_TRUE(built_in_file("meshes/disc.obj").has_value());
    EXPECT_FALSE(built_in_file("meshes/none.obj").has_value());
}

}  // namespace
}  // namespace taut::scene

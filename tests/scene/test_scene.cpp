// Reading scenes: defaults, names, sections, and the effective scene that reads back the same.
#include "taut/scene/scene.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"
#include "taut/scene/build.hpp"

namespace taut::scene {
namespace {

// A scene that uses every kind of key.
std::string rich_scene() {
    return R"({
        "taut": 1, "name": "rich", "description": "All keys.", "$schema": "scene.schema.json",
        "materials": {"wool": {"density": 0.3}},
        "cloths": [
            {"name": "a", "type": "grid", "nu": 6, "nv": 5, "width": 0.5, "material": "wool",
             "initial": {"type": "sag", "chord": 0.4}, "place": {"translate": [0, 0, 1], "rotate": [0, 30, 0]},
             "velocity": [0.1, 0, 0], "spin": [0, 0, 90]},
            {"type": "polyline", "vertices": 4, "density_per_vertex": [0.1, 0.2, 0.1, 0.3],
             "initial": {"type": "line", "angle": 20}},
            {"name": "c", "type": "cone", "around": 6, "along": 3, "material": {"density": 0.7}}
        ],
        "groups": {
            "g": {"cloth": "a", "indices": [0, -1], "row": 2, "column": [1, -1], "edge": "v1"},
            "h": {"groups": "g", "box": {"min": [-9, -9, -9], "max": [-8, 9, 9]}, "nearest": [0, 0, 1]}
        },
        "pins": [
            {"name": "p", "group": "h", "release": 0.5, "offset": [0, 0, 0.25]},
            {"group": {"cloth": "cloth1", "indices": 0}, "at": [0.5, 0, 0.125]},
            {"group": {"cloth": "c", "edge": "v0"},
             "motion": {"center": [0, 0, 1], "interpolation": "linear",
                        "keyframes": [{"time": 0.1}, {"time": 0.7, "rotate": [0, 0, 33], "translate": [0.1, 0, 0]}]}}
        ],
        "obstacles": [
            {"type": "plane", "normal": [0, 0, 2], "point": [0, 0, -1]},
            {"name": "ball", "type": "sphere", "radius": 0.1, "center": [3, 0, 0], "friction": 0.7},
            {"type": "capsule", "start": [4, 0, 0], "end": [4, 0, 1], "radius": 0.1},
            {"type": "box", "size": [0.1, 0.2, 0.3], "center": [5, 0, 0],
             "motion": {"keyframes": [{"time": 0}, {"time": 1, "translate": [0, 1, 0]}]}}
        ],
        "forces": {"air_drag": {"wind": [1, 2, 3]}, "shear_springs": null},
        "integrator": "implicit_euler",
        "filters": {"stable_projection": {"tolerance": 0.002, "solver": {"max_iterations": 77}}},
        "run": {"duration": 0.25, "fps": 30, "dt": 0.01, "rounds": 3},
        "output": {"pc2": true, "preview": {"frame": 2}}
    })";
}

TEST(Scene, DefaultsOfASmallScene) {
    const Scene scene = parse(small_scene());
    EXPECT_EQ(scene.name, "test");
    EXPECT_EQ(scene.preset, "inextensible");
    EXPECT_EQ(scene.cloths[0].initial.entry->name, "rest");
    EXPECT_EQ(scene.cloths[0].material.params.density, 0.2);
    EXPECT_EQ(scene.pins[0].params.name, "pin0");
    EXPECT_TRUE(std::isinf(scene.pins[0].params.release));
    EXPECT_EQ(scene.integrator.entry->name, "bdf2");
    ASSERT_EQ(scene.filters.size(), 1u);
    EXPECT_EQ(scene.filters[0].entry->name, "stable_projection");
    EXPECT_EQ(scene.filters[0].solver->entry->name, "yarn_cg");
    EXPECT_EQ(scene.run.duration, 2);
}

TEST(Scene, EffectiveSceneIsAFixedPoint) {
    const Json once = effective_json(parse(rich_scene()));
    const Json twice = effective_json(parse(once.dump(2)));
    EXPECT_EQ(once.dump(2), twice.dump(2));
    EXPECT_EQ(once["pins"][1]["release"], nullptr);
    EXPECT_EQ(once["filters"][0]["solver"]["max_iterations"], 77);
    EXPECT_EQ(once["cloths"][1]["name"], "cloth1");
}

TEST(Scene, EffectiveSceneGivesTheSameSimulation) {
    const Scene scene = parse(rich_scene());
    const Scene again = parse(effective_json(scene).dump());
    const auto first = build(scene), second = build(again);
    EXPECT_EQ(first->state_hash(), second->state_hash());
    EXPECT_EQ(first->model().mass, second->model().mass);
    EXPECT_EQ(first->model().rest_length, second->model().rest_length);
    for (int i = 0; i < 5; ++i) {
        first->try_step(0.01);
        second->try_step(0.01);
    }
    first->run({});
    second->run({});
    EXPECT_EQ(first->state_hash(), second->state_hash());
}

TEST(Scene, LoadsFilesRelativeToTheScene) {
    const auto folder = std::filesystem::temp_directory_path() / "taut_test_scene";
    std::filesystem::create_directories(folder / "sub");
    std::ofstream(folder / "sub" / "quad.obj") << "v 0 0 0\nv 100 0 0\nv 100 0 -100\nv 0 0 -100\nf 1 2 3 4\n";
    std::ofstream(folder / "sub" / "d.txt") << "0.1 0.2 # two\n0.3\n0.4\n";
    std::ofstream(folder / "s.json") << one_cloth(
        R"("type": "obj", "file": "sub/quad.obj", "up": "y", "scale": 0.01, "density_per_vertex": "sub/d.txt")");
    const Scene scene = load_scene(folder / "s.json");
    EXPECT_EQ(scene.name, "s");
    EXPECT_EQ(scene.cloths[0].density_per_vertex, (std::vector<double>{0.1, 0.2, 0.3, 0.4}));
    const Assembly assembly = assemble(scene);
    EXPECT_NEAR((assembly.start.x[2] - Vec3(1, 1, 0)).norm(), 0, 1e-12);

    // The effective scene finds the files from anywhere.
    const Json effective = effective_json(scene);
    EXPECT_TRUE(std::filesystem::path(effective["cloths"][0]["file"].get<std::string>()).is_absolute());
    const Scene again = parse_scene(effective.dump(), "elsewhere", "/");
    EXPECT_EQ(assemble(again).model.mass, assembly.model.mass);
    std::filesystem::remove_all(folder);
}

TEST(Scene, InfinitePinsNeverRelease) {
    const Scene scene = parse(small_scene(R"("run": {"duration": 0})"));
    EXPECT_TRUE(build(scene)->model().pins[0].holds(1e9));
}

}  // namespace
}  // namespace taut::scene

// Vertex groups: every selector, unions, counting from the end, several cloths, errors.
#include "taut/scene/selectors.hpp"

#include <gtest/gtest.h>

#include "scene/scene_text.hpp"

namespace taut::scene {
namespace {

// Vertices of the group on a 4 x 3 sheet of 0.3 m x 0.2 m at the origin.
std::vector<int> select(const std::string& group) {
    const Scene scene = parse(one_cloth(R"("type": "grid", "nu": 4, "nv": 3, "width": 0.3, "height": 0.2)",
                                        "\"groups\": {\"g\": {" + group + "}}"));
    return select_vertices(scene, assemble(scene), scene.groups.back());
}

using Indices = std::vector<int>;

TEST(Selectors, OfAGrid) {
    EXPECT_EQ(select(R"("indices": [5, -1, 5])"), (Indices{5, 11}));
    EXPECT_EQ(select(R"("corner": ["u1v1", "u0v0", "u1v0", "u0v1"])"), (Indices{11, 0, 3, 8}));
    EXPECT_EQ(select(R"("edge": "v0")"), (Indices{0, 1, 2, 3}));
    EXPECT_EQ(select(R"("edge": "u1")"), (Indices{3, 7, 11}));
    EXPECT_EQ(select(R"("row": 1)"), (Indices{4, 5, 6, 7}));
    EXPECT_EQ(select(R"("column": -2)"), (Indices{2, 6, 10}));
}

TEST(Selectors, ByPlace) {
    EXPECT_EQ(select(R"("box": {"min": [0.05, -1, -1], "max": [0.25, 0.05, 1]})"), (Indices{1, 2}));
    EXPECT_EQ(select(R"("sphere": {"center": [0, 0, 0], "radius": 0.11})"), (Indices{0, 1, 4}));
    EXPECT_EQ(select(R"("nearest": [9, 9, 0])"), (Indices{11}));
    EXPECT_EQ(select(R"("nearest": [[0, 0, 1], [0.3, 0, 0]])"), (Indices{0, 3}));
    EXPECT_EQ(select(R"("all": true)").size(), 12u);
}

TEST(Selectors, UnionsKeepOrderWithoutRepeats) {
    EXPECT_EQ(select(R"("indices": 7, "edge": "u1", "row": 0)"), (Indices{7, 3, 11, 0, 1, 2}));
    const Scene scene =
        parse(small_scene(R"("groups": {"a": {"indices": 2}, "b": {"indices": 1, "groups": ["a"]}})"));
    EXPECT_EQ(select_vertices(scene, assemble(scene), scene.groups[1]), (Indices{1, 2}));
}

TEST(Selectors, SeveralCloths) {
    const Scene scene = parse(R"({"taut": 1, "cloths": [
            {"name": "a", "type": "grid", "nu": 3, "nv": 2},
            {"name": "b", "type": "polyline", "vertices": 4, "place": {"translate": [0, 0, 5]}}],
        "groups": {"ends": {"cloth": "b", "indices": [0, -1]}, "high": {"box": {"min": [-1, -1, 4], "max": [9, 9, 9]}},
                   "near": {"cloth": "a", "nearest": [0, 0, 5]}, "last": {"cloth": "b", "edge": "u1"}}})");
    const Assembly assembly = assemble(scene);
    EXPECT_EQ(select_vertices(scene, assembly, scene.groups[0]), (Indices{6, 9}));
    EXPECT_EQ(select_vertices(scene, assembly, scene.groups[1]), (Indices{6, 7, 8, 9}));
    EXPECT_EQ(select_vertices(scene, assembly, scene.groups[2]), (Indices{0}));
    EXPECT_EQ(select_vertices(scene, assembly, scene.groups[3]), (Indices{9}));
}

TEST(Selectors, RingsOfACone) {
    const Scene scene = parse(one_cloth(R"("type": "cone", "around": 5, "along": 3)",
                                        R"("groups": {"top": {"edge": "v0"}, "seam": {"column": 0}})"));
    const Assembly assembly = assemble(scene);
    EXPECT_EQ(select_vertices(scene, assembly, scene.groups[0]), (Indices{0, 1, 2, 3, 4}));
    EXPECT_EQ(select_vertices(scene, assembly, scene.groups[1]), (Indices{0, 5, 10}));
}

TEST(Selectors, LookAtPlacedPositions) {
    const Scene scene =
        parse(one_cloth(R"("type": "grid", "nu": 2, "nv": 2, "place": {"rotate": [90, 0, 0]})",
                        R"("groups": {"high": {"box": {"min": [-1, -1, 0.9], "max": [2, 1, 1.1]}}})"));
    EXPECT_EQ(select_vertices(scene, assemble(scene), scene.groups[0]), (Indices{2, 3}));
}

}  // namespace
}  // namespace taut::scene

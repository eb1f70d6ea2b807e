// Cloths of irregular triangles in scenes, and the pattern that any cloth may be cut from.
#include "taut/scene/triangle_cloths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <numeric>

#include "scene/scene_text.hpp"
#include "taut/model/pattern.hpp"
#include "taut/scene/build.hpp"
#include "taut/scene/check.hpp"

namespace taut::scene::triangle_cloths_tests {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

Assembly assembled(const std::string& cloth, const std::string& more = "") {
    return assemble(parse(one_cloth(cloth, more)));
}

// A square of two triangles in the plane with texture coordinates that measure 2 x 3 units, in a file of its
// own; `uv` replaces the last of them.
class ObjCloth : public testing::Test {
protected:
    std::string cloth(const std::string& more, const std::string& uv = "0 3") {
        const auto file = std::filesystem::path(testing::TempDir()) / "taut_pattern.obj";
        std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 2 0\nvt 2 3\nvt " << uv
                            << "\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";
        return R"("type": "obj", "file": ")" + file.string() + "\"" + more;
    }
};

TEST(TriangleCloths, PartsCanBePinned) {
    const auto pinned = [](const std::string& cloth, const std::string& part) {
        const Assembly made = assembled(cloth, R"("pins": [{"group": {"part": ")" + part + R"("}}])");
        EXPECT_EQ(made.model.pins.size(), 1u);
        return made.model.pins.at(0).vertices.size();
    };
    const std::string sheet = R"("type": "irregular_sheet", "width": 1, "height": 0.5, "spacing": 0.1)";
    for (const char* part : {"u0", "u1"}) EXPECT_EQ(pinned(sheet, part), 6u);
    for (const char* part : {"v0", "v1"}) EXPECT_EQ(pinned(sheet, part), 11u);
    for (const char* part : {"u0v0", "u1v0", "u0v1", "u1v1"}) EXPECT_EQ(pinned(sheet, part), 1u);
    EXPECT_GT(pinned(R"("type": "disc", "spacing": 0.1)", "rim"), 25u);
    const std::string tube = R"("type": "triangle_tube", "spacing": 0.05)";
    EXPECT_EQ(pinned(tube, "hem"), pinned(tube, "top"));
    const std::string robe = R"("type": "robe", "spacing": 0.05)";
    for (const char* part : {"neck", "left_cuff", "right_cuff", "hem"}) EXPECT_GT(pinned(robe, part), 8u);

    const InputError error = error_of([&] { pinned(robe, "rim"); });
    EXPECT_NE(error.remedy().find("left_cuff"), std::string::npos);
}

TEST(TriangleCloths, EveryParameterComesBack) {
    const Scene scene = parse(one_cloth(
        R"("type": "robe", "spacing": 0.05, "seed": 9, "hem": 1.1, "pattern": "uv", "uv_scale": 1.5, "grain": 45)"));
    const Json effective = effective_json(scene);
    const Json& cloth = effective["cloths"][0];
    EXPECT_EQ(cloth["type"], "robe");
    EXPECT_EQ(cloth["hem"], 1.1);
    EXPECT_EQ(cloth["seed"], 9);
    EXPECT_EQ(cloth["pattern"], "uv");
    EXPECT_EQ(cloth["uv_scale"], 1.5);
    EXPECT_EQ(cloth["grain"], 45);
    const Scene again = parse(effective.dump());
    EXPECT_EQ(effective_json(again).dump(), effective.dump());
    const Assembly first = assemble(scene), second = assemble(again);
    EXPECT_EQ(first.model.rest, second.model.rest);
    EXPECT_EQ(first.model.mass, second.model.mass);
    EXPECT_EQ(first.model.rest_length, second.model.rest_length);
}

TEST(TriangleCloths, BadSizesNameTheirPlace) {
    for (const char* cloth :
         {R"("type": "irregular_sheet", "spacing": 2)", R"("type": "disc", "spacing": 0.0001)",
          R"("type": "triangle_tube", "radius": 0.001)", R"("type": "robe", "arm_radius": 0.2)"}) {
        const InputError error = error_of([&] { assembled(cloth); });
        EXPECT_EQ(error.where().place, "/cloths/0") << cloth;
        EXPECT_FALSE(error.value().empty()) << cloth;
        EXPECT_FALSE(error.remedy().empty()) << cloth;
    }
    const InputError error = error_of([] { parse(one_cloth(R"("type": "disc", "irregularity": 2)")); });
    EXPECT_EQ(error.where().place, "/cloths/0/irregularity");
}

TEST(TriangleCloths, NothingKeepsThemFromStretchingByDefault) {
    const auto warned = [](const std::string& cloth, const std::string& more) {
        const std::vector<Finding> findings = run_check(parse(one_cloth(cloth, more)));
        return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
            return finding.text.find("nothing keeps it from stretching") != std::string::npos;
        });
    };
    const std::string disc = R"("type": "disc", "spacing": 0.1)";
    EXPECT_TRUE(warned(disc, R"("preset": "inextensible")"));
    EXPECT_FALSE(warned(disc, R"("preset": "baraff_witkin1998")"));
    EXPECT_FALSE(warned(disc, R"("filters": {"stable_projection": {"edges": "all"}})"));
    EXPECT_FALSE(warned(R"("type": "grid")", R"("preset": "inextensible")"));
}

// A tube of irregular triangles weighs what its flat strip does, seam or not, and its edges are arcs.
TEST(Pattern, OfTheTubeIsTheStrip) {
    const std::string tube = R"("type": "triangle_tube", "radius": 0.2, "height": 0.5, "spacing": 0.06,
                                "material": {"density": 0.3})";
    const double area = 2 * std::numbers::pi * 0.2 * 0.5;
    const Assembly cut = assembled(tube), shape = assembled(tube + R"(, "pattern": "rest")");
    EXPECT_TRUE(cut.model.cloths[0].cut);
    EXPECT_FALSE(shape.model.cloths[0].cut);
    EXPECT_NEAR(sum(cut.model.mass), 0.3 * area, 1e-9);
    EXPECT_LT(sum(shape.model.mass), 0.3 * area * (1 - 1e-3));
    EXPECT_EQ(cut.start.x, shape.start.x);
    for (std::size_t e = 0; e < cut.model.edges.size(); ++e) {
        const mesh::Edge& edge = cut.model.edges[e];
        const double chord = (cut.model.rest[edge.b] - cut.model.rest[edge.a]).norm();
        EXPECT_DOUBLE_EQ(shape.model.rest_length[e], chord);
        EXPECT_GE(cut.model.rest_length[e], chord - 1e-12);
        EXPECT_LT(cut.model.rest_length[e], 1.02 * chord);
    }
}

TEST(Pattern, GrainTurnsTheThreads) {
    const std::string sheet = R"("type": "irregular_sheet", "spacing": 0.2)";
    const auto plain = pattern_triangles(assembled(sheet).model);
    const auto turned = pattern_triangles(assembled(sheet + R"(, "grain": 90)").model);
    ASSERT_EQ(plain.size(), turned.size());
    for (std::size_t t = 0; t < plain.size(); ++t) {
        // What ran along u now runs against v.
        const Vec2 before = plain[t].uv[1] - plain[t].uv[0], after = turned[t].uv[1] - turned[t].uv[0];
        EXPECT_NEAR((after - Vec2(before.y(), -before.x())).norm(), 0, 1e-14);
    }
}

TEST_F(ObjCloth, IsCutFromItsTextureCoordinatesWhereAsked) {
    const std::string weight = R"(, "material": {"density": 1})";
    EXPECT_NEAR(sum(assembled(cloth(weight)).model.mass), 1, 1e-14);  // auto: the rest shape
    const Assembly cut = assembled(cloth(weight + R"(, "pattern": "uv", "uv_scale": 0.1)"));
    EXPECT_NEAR(sum(cut.model.mass), 0.06, 1e-14);
    std::vector<double> lengths = cut.model.rest_length;
    std::sort(lengths.begin(), lengths.end());
    const std::vector<double> wanted{0.2, 0.2, 0.3, 0.3, std::sqrt(0.13)};
    ASSERT_EQ(lengths.size(), wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(lengths[k], wanted[k], 1e-14);
    EXPECT_EQ(cut.model.rest[2], Vec3(1, 1, 0));
}

TEST_F(ObjCloth, RefusesPatternsThatAreNone) {
    const InputError flat = error_of([&] { assembled(cloth(R"(, "pattern": "uv")", "4 6")); });
    EXPECT_EQ(flat.where().file, "test.json");
    EXPECT_EQ(flat.where().place, "/cloths/0/pattern");
    EXPECT_NE(flat.value().find("face 1"), std::string::npos);
    EXPECT_FALSE(flat.remedy().empty());
    assembled(cloth("", "4 6"));  // as directions they may be so

    for (const char* type : {R"("type": "grid")", R"("type": "polyline")"}) {
        const InputError none = error_of([&] { assembled(std::string(type) + R"(, "pattern": "uv")"); });
        EXPECT_EQ(none.where().place, "/cloths/0/pattern");
        EXPECT_NE(none.problem().find("no texture coordinates"), std::string::npos);
    }
    const InputError scale = error_of([&] { assembled(cloth(R"(, "uv_scale": 2)")); });
    EXPECT_EQ(scale.where().place, "/cloths/0/uv_scale");
    const InputError choice = error_of([&] { assembled(cloth(R"(, "pattern": "flat")")); });
    EXPECT_EQ(choice.where().place, "/cloths/0/pattern");
}

}  // namespace
}  // namespace taut::scene::triangle_cloths_tests

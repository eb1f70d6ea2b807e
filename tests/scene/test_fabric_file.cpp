// Files of fabrics: forms of curves and units, tables, the library, what is refused, and scenes that name
// them.
#include "taut/scene/fabric_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"
#include "taut/elements/load_path.hpp"
#include "taut/scene/build.hpp"
#include "taut/scene/check.hpp"
#include "taut/scene/fabric_csv.hpp"
#include "taut/scene/fabric_kes.hpp"
#include "taut/scene/fabric_units.hpp"

namespace taut::scene {
namespace {

const std::filesystem::path fabrics_folder = std::filesystem::path(TAUT_SOURCE_DIR) / "scenes" / "fabrics";

std::string fabric_text(const std::string& bending, const std::string& shear) {
    return R"({"taut_fabric": 1, "source": "synthetic: for a test", "density": 0.1, "bending": )" + bending +
           R"(, "shear": )" + shear + "}";
}

const char* const plain_shear = R"({"units": "KES", "slope": 1})";
const char* const plain_bending = R"({"units": "KES", "slope": 0.1})";

FabricFile read_fabric_text(const std::string& text, const std::filesystem::path& folder = ".") {
    return parse_fabric(text, "test.json", folder);
}

TEST(FabricUnits, ConversionsOfTheKawabataSystem) {
    EXPECT_DOUBLE_EQ(kes_bending, 9.80665e-5);
    EXPECT_DOUBLE_EQ(kes_moment, 9.80665e-3);
    EXPECT_DOUBLE_EQ(kes_force, 0.980665);
    EXPECT_NEAR(kes_shear, 56.18797, 1e-5);
    const auto pair = unit_pair(false, "gf.cm/cm over 1/cm");
    ASSERT_TRUE(pair);
    EXPECT_DOUBLE_EQ(pair->load / pair->deformation, kes_bending);
    EXPECT_DOUBLE_EQ(unit_pair(true, "N/m over deg")->deformation, degree);
    EXPECT_FALSE(unit_pair(true, "gf.cm/cm over 1/cm"));
    EXPECT_FALSE(unit_pair(false, "gf.cm/cm"));
    EXPECT_FALSE(unit_pair(false, " over "));
}

TEST(FabricFile, EveryFabricOfTheLibraryReadsAndFits) {
    const auto names = built_in_fabrics();
    EXPECT_EQ(names, (std::vector<std::string>{"cotton", "denim", "polyester_cotton", "silk", "wool"}));
    for (const std::string& name : names) {
        const FabricFile file = open_fabric(name);
        EXPECT_EQ(file.fabric.name, name);
        EXPECT_FALSE(file.description.empty());
        EXPECT_TRUE(file.source.starts_with("synthetic: ")) << name;
        for (const FabricTest* test : {&file.bend_warp, &file.bend_weft, &file.shear}) {
            EXPECT_EQ(test->form, CurveForm::points);
            EXPECT_LT(test->errors.out.rms, 0.03) << name;
            EXPECT_LT(test->errors.cycle.rms, 0.03) << name;
        }
        EXPECT_GT(file.fabric.bending_warp(), file.fabric.bending_weft());

        // The file on disk is the same, and read from there gives the same curves.
        const FabricFile disk = open_fabric((fabrics_folder / (name + ".json")).string());
        EXPECT_EQ(disk.fabric.bend_warp.slope, file.fabric.bend_warp.slope);
        EXPECT_EQ(disk.fabric.shear_stiffness(), file.fabric.shear_stiffness());
    }
}

TEST(FabricFile, CurvesByTheirParameters) {
    const FabricFile file = read_fabric_text(
        fabric_text(R"({"warp": {"units": "KES", "slope": 0.1, "yielding": [{"load": 0.02, "scale": 0.3}]},
                            "weft": {"units": "N over 1/m", "slope": 4e-6}})",
                    R"({"units": "gf/cm over deg", "slope": 0.5, "stiffening": 0.1, "start": 4, "end": 8})"));
    EXPECT_EQ(file.fabric.name, "test");
    EXPECT_DOUBLE_EQ(file.fabric.bend_warp.slope, 0.1 * kes_bending);
    EXPECT_DOUBLE_EQ(file.fabric.bend_warp.yielding[0].load, 0.02 * kes_moment);
    EXPECT_DOUBLE_EQ(file.fabric.bend_warp.yielding[0].scale, 30);
    EXPECT_DOUBLE_EQ(file.fabric.bend_weft.slope, 4e-6);
    EXPECT_DOUBLE_EQ(file.fabric.shear_stiffness(), 0.5 * kes_shear);
    EXPECT_NEAR(elements::load_at(file.fabric.shear, 6 * degree).load, (0.5 * 6 + 0.1 * 4) * kes_force,
                1e-12);
    EXPECT_DOUBLE_EQ(file.fabric.shear.end, 8 * degree);
}

TEST(FabricFile, KawabataParameters) {
    const FabricFile file =
        read_fabric_text(fabric_text(R"({"units": "KES", "B": 0.09, "2HB": 0.04})",
                                     R"({"warp": {"units": "KES", "G": 0.6, "2HG": 0.8, "2HG5": 0.8},
            "weft": {"units": "KES", "G": 0.8, "2HG": 1.0, "2HG5": 1.0}})"));
    EXPECT_EQ(file.shear.form, CurveForm::parameters);
    EXPECT_NEAR(file.fabric.bending_warp(), 0.09 * kes_bending, 1e-12);
    EXPECT_NEAR(file.fabric.bending_weft(), 0.09 * kes_bending, 1e-12);
    EXPECT_NEAR(file.fabric.shear_stiffness(), 0.7 * kes_shear, 1e-9);
    EXPECT_NEAR(kes_shear_of(file.fabric.shear).hysteresis, 0.9 * kes_force, 0.05 * kes_force);
}

// The same points in other units, here or in a table, are the same fabric.
TEST(FabricFile, PointsInAnyUnitsAndTables) {
    const auto folder = std::filesystem::temp_directory_path() / "taut_test_fabric_file";
    std::filesystem::create_directories(folder);
    elements::LoadCurve known;
    known.slope = 0.07;
    known.yielding[0] = {0.02, 0.3};
    const LoadPath path = cycle_of(known, 2.5, 10);
    Json kes{{"units", "gf.cm/cm over 1/cm"}, {"deformation", path.s}, {"load", path.load}}, si = kes;
    si["units"] = "N over 1/m";
    std::string rows = "direction,test,curvature [1/cm] , moment [mN]\r\n\r\n# a comment\r\n";
    for (std::size_t k = 0; k < path.s.size(); ++k) {
        si["deformation"][k] = 100 * path.s[k];
        si["load"][k] = gram_force * path.load[k];
        for (const char* direction : {"warp", "weft"})
            rows += std::string(direction) + ",bending," + number_text(path.s[k]) + "," +
                    number_text(1000 * gram_force * path.load[k]) + "\r\n";
    }
    std::ofstream(folder / "table.csv", std::ios::binary) << rows;
    const FabricFile a = read_fabric_text(fabric_text(kes.dump(), plain_shear)),
                     b = read_fabric_text(fabric_text(si.dump(), plain_shear));
    const FabricFile c = read_fabric_text(fabric_text(R"({"file": "table.csv"})", plain_shear), folder);
    for (const FabricFile* file : {&a, &b, &c}) {
        EXPECT_NEAR(file->fabric.bend_warp.slope, 0.07 * kes_bending, 1e-4 * kes_bending);
        EXPECT_NEAR(file->fabric.bend_weft.yielding[0].load, 0.02 * kes_moment, 1e-4 * kes_moment);
        EXPECT_NEAR(file->fabric.bend_weft.yielding[0].scale, 30, 0.3);
        EXPECT_LT(file->bend_warp.errors.cycle.largest, 1e-4);
    }
    std::filesystem::remove_all(folder);
}

struct MalformedFabric {
    const char* name;
    std::string text;
    const char* place;
    const char* words;
};

void PrintTo(const MalformedFabric& malformed, std::ostream* out) { *out << malformed.name; }

std::string points_text(const char* deformation, const char* load, const char* units = "KES") {
    return std::string(R"({"units": ")") + units + R"(", "deformation": )" + deformation + R"(, "load": )" +
           load + "}";
}

std::string bending_alone(const std::string& bending) { return fabric_text(bending, plain_shear); }

std::string with_density(const char* density) {
    return std::string(R"({"taut_fabric": 1, "source": "s", "density": )") + density + R"(, "bending": )" +
           plain_bending + R"(, "shear": )" + plain_shear + "}";
}

class MalformedFabrics : public testing::TestWithParam<MalformedFabric> {};

TEST_P(MalformedFabrics, AreRefusedWithPlaceAndRemedy) {
    const InputError error = error_of([] { read_fabric_text(GetParam().text); });
    EXPECT_EQ(error.where().place, GetParam().place);
    EXPECT_EQ(error.where().file, "test.json");
    EXPECT_NE(error.problem().find(GetParam().words), std::string::npos) << error.problem();
    EXPECT_FALSE(error.remedy().empty());
}

INSTANTIATE_TEST_SUITE_P(
    Rows, MalformedFabrics,
    testing::Values(
        MalformedFabric{"empty", "{}", "", "'taut_fabric' is missing"},
        MalformedFabric{"list", "[]", "", "must be an object"},
        MalformedFabric{"version", R"({"taut_fabric": 2})", "/taut_fabric", "does not know that version"},
        MalformedFabric{"unknown_key", R"({"taut_fabric": 1, "densty": 1})", "/densty", "unknown key"},
        MalformedFabric{"no_source", R"({"taut_fabric": 1, "density": 1})", "", "'source' is missing"},
        MalformedFabric{"blank_source", R"({"taut_fabric": 1, "source": " "})", "/source", "empty"},
        MalformedFabric{"negative_density", with_density("-0.1"), "/density", "out of range"},
        MalformedFabric{"grams", with_density("120"), "/density", "out of range"},
        MalformedFabric{"nan", with_density("NaN"), "line 1, column 46", "not valid JSON"},
        MalformedFabric{"thickness", R"({"taut_fabric": 1, "source": "s", "density": 1, "thickness": -1})",
                        "/thickness", "out of range"},
        MalformedFabric{"no_bending", R"({"taut_fabric": 1, "source": "s", "density": 1})", "",
                        "'bending' is missing"},
        MalformedFabric{"no_shear",
                        std::string(R"({"taut_fabric": 1, "source": "s", "density": 1, "bending": )") +
                            plain_bending + "}",
                        "", "'shear' is missing"},
        MalformedFabric{"a_number", bending_alone("3"), "/bending", "must be an object"},
        MalformedFabric{"nothing_said", bending_alone("{}"), "/bending", "does not say"},
        MalformedFabric{"one_direction", bending_alone(R"({"warp": {"units": "KES", "slope": 1}})"),
                        "/bending", "'weft' is missing"},
        MalformedFabric{"no_units", bending_alone(R"({"slope": 1})"), "/bending", "'units' is missing"},
        MalformedFabric{"unknown_units", bending_alone(R"({"units": "gf.cm/cm over 1/ft", "slope": 1})"),
                        "/bending/units", "unknown units"},
        MalformedFabric{"units_of_shear", bending_alone(R"({"units": "gf/cm over deg", "slope": 1})"),
                        "/bending/units", "unknown units of bending"},
        MalformedFabric{"few_points", bending_alone(points_text("[0, 1, 2]", "[0, 1, 2]")), "/bending",
                        "too few points"},
        MalformedFabric{"unlike", bending_alone(points_text("[0, 1, 2, 3]", "[0, 1, 2]")), "/bending",
                        "different numbers"},
        MalformedFabric{"text_point", bending_alone(points_text("[0, 1, 2, \"3\"]", "[0, 1, 2, 3]")),
                        "/bending/deformation/3", "must be a number"},
        MalformedFabric{"no_load", bending_alone(R"({"units": "KES", "deformation": [0, 1, 2, 3]})"),
                        "/bending", "'load' is missing"},
        MalformedFabric{"all_zero", bending_alone(points_text("[0, 1, 2, 3]", "[0, 0, 0, 0]")), "/bending",
                        "all loads are 0"},
        MalformedFabric{"in_place", bending_alone(points_text("[0, 0, 0, 0]", "[0, 1, 1, 1]")), "/bending",
                        "all deformations are 0"},
        MalformedFabric{"no_way_out",
                        bending_alone(points_text("[2.5, 2, 1, 0.5, 0]", "[1, 0.7, 0.3, 0.1, 0]")),
                        "/bending", "no loading branch"},
        MalformedFabric{"falls", bending_alone(points_text("[0, 1, 2, 3]", "[0, 1, 2, 1]")),
                        "/bending/load/3", "falls"},
        MalformedFabric{"wrong_sign", bending_alone(points_text("[0, 1, 2, 3]", "[0, -1, -2, -3]")),
                        "/bending/load/1", "falls"},
        MalformedFabric{"not_from_rest", bending_alone(points_text("[0, 1, 2, 3]", "[1, 1.5, 2, 3]")),
                        "/bending/load/0", "begin at rest"},
        MalformedFabric{"too_far", fabric_text(plain_bending, points_text("[0, 30, 60, 91]", "[0, 1, 2, 3]")),
                        "/shear/load/3", "angle is too large"},
        MalformedFabric{"overflow", bending_alone(points_text("[0, 1, 2, 1e308]", "[0, 1, 2, 3]")),
                        "/bending/deformation/3", "too large"},
        MalformedFabric{"half_parameters", bending_alone(R"({"units": "KES", "B": 0.1})"), "/bending",
                        "'2HB' is missing"},
        MalformedFabric{"zero_stiffness", bending_alone(R"({"units": "KES", "B": 0, "2HB": 0})"),
                        "/bending/B", "out of range"},
        MalformedFabric{"friction_alone", bending_alone(R"({"units": "KES", "B": 0.001, "2HB": 3})"),
                        "/bending", "2HB is too large for B"},
        MalformedFabric{"units_of_parameters", bending_alone(R"({"units": "cgs", "B": 0.1, "2HB": 0})"),
                        "/bending/units", "unknown units"},
        MalformedFabric{
            "mixed_forms",
            fabric_text(plain_bending, std::string(R"({"warp": )") + plain_shear +
                                           R"(, "weft": {"units": "KES", "G": 1, "2HG": 0, "2HG5": 0}})"),
            "/shear", "cannot be joined"},
        MalformedFabric{"five_parts", bending_alone(R"({"units": "SI", "yielding": [{"load": 1, "scale": 1},
                            {"load": 1, "scale": 1}, {"load": 1, "scale": 1}, {"load": 1, "scale": 1}, {"load": 1, "scale": 1}]})"),
                        "/bending/yielding", "too many"},
        MalformedFabric{"zero_scale",
                        bending_alone(R"({"units": "SI", "yielding": [{"load": 1, "scale": 0}]})"),
                        "/bending/yielding/0/scale", "out of range"},
        MalformedFabric{"no_resistance", bending_alone(R"({"units": "SI", "slope": 0})"), "/bending",
                        "no load anywhere"},
        MalformedFabric{"end_first", bending_alone(R"({"units": "SI", "slope": 1, "start": 2, "end": 1})"),
                        "/bending/end", "not beyond the start"},
        MalformedFabric{"no_table", bending_alone(R"({"file": "none.csv"})"), "/bending/file",
                        "does not exist"},
        MalformedFabric{"empty_name", bending_alone(R"({"file": ""})"), "/bending/file", "no name"}),
    [](const auto& info) { return std::string(info.param.name); });

struct MalformedTable {
    const char* name;
    const char* text;
    const char* place;
    const char* words;
};

void PrintTo(const MalformedTable& malformed, std::ostream* out) { *out << malformed.name; }

class MalformedTables : public testing::TestWithParam<MalformedTable> {};

TEST_P(MalformedTables, AreRefusedWithLineAndColumn) {
    const InputError error = error_of([] { read_fabric_csv(GetParam().text, "t.csv"); });
    EXPECT_EQ(error.where().place, GetParam().place);
    EXPECT_EQ(error.where().file, "t.csv");
    EXPECT_NE(error.problem().find(GetParam().words), std::string::npos) << error.problem();
    EXPECT_FALSE(error.remedy().empty());
}

#define TAUT_HEADER "test,direction,curvature [1/cm],moment [gf.cm/cm]\n"
INSTANTIATE_TEST_SUITE_P(
    Rows, MalformedTables,
    testing::Values(
        MalformedTable{"empty", "", "line 1", "empty"},
        MalformedTable{"comments", "# a\n\n", "line 1", "empty"},
        MalformedTable{"no_header", "bending,warp,0,0\n", "line 1, column 1", "unknown column"},
        MalformedTable{"no_test", "direction,curvature [1/cm],moment [gf.cm/cm]\n", "line 1",
                       "'test' is missing"},
        MalformedTable{"no_moment", "test,direction,curvature [1/cm]\n", "line 1", "'moment' is missing"},
        MalformedTable{"no_unit", "test,direction,curvature,moment [N]\n", "line 1, column 3", "no unit"},
        MalformedTable{"unknown_unit", "test,direction,curvature [1/in],moment [N]\n", "line 1, column 3",
                       "unknown unit"},
        MalformedTable{"twice", "test,test\n", "line 1, column 2", "twice"},
        MalformedTable{"twice_a_number", "test,direction,moment [N],moment [N]\n", "line 1, column 4",
                       "twice"},
        MalformedTable{"short_row", TAUT_HEADER "bending,warp,1\n", "line 2", "another number of cells"},
        MalformedTable{"unknown_test", TAUT_HEADER "bend,warp,1,2\n", "line 2, column 1", "unknown test"},
        MalformedTable{"unknown_direction", TAUT_HEADER "bending,wrap,1,2\n", "line 2, column 2",
                       "unknown direction"},
        MalformedTable{"no_columns_for_it", TAUT_HEADER "shear,warp,1,2\n", "line 2, column 1",
                       "no columns for shear"},
        MalformedTable{"no_number", TAUT_HEADER "\nbending,warp,1,2x\n", "line 3, column 4",
                       "moment is no number"},
        MalformedTable{"nan", TAUT_HEADER "bending,warp,nan,2\n", "line 2, column 3", "no number"},
        MalformedTable{"blank_cell", TAUT_HEADER "bending,warp,,2\n", "line 2, column 3", "no number"},
        MalformedTable{
            "too_much",
            "test,direction,curvature [1/m],moment [N],angle [deg],force [N/m]\nshear,warp,1,,2,3\n",
            "line 2, column 3", "has no 'curvature'"}),
    [](const auto& info) { return std::string(info.param.name); });
#undef TAUT_HEADER

// A point that is wrong in a table is named by its line.
TEST(FabricFile, TablesAreJudgedLikePoints) {
    const auto folder = std::filesystem::temp_directory_path() / "taut_test_fabric_table";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "t.csv")
        << "test,direction,curvature [1/cm],moment [N]\nbending,warp,0,0\nbending,warp,1,1\n"
           "bending,warp,2,2\nbending,warp,3,0.5\n";
    const std::string text = fabric_text(R"({"file": "t.csv"})", plain_shear);
    InputError error = error_of([&] { read_fabric_text(text, folder); });
    EXPECT_EQ(error.where().file, (folder / "t.csv").string());
    EXPECT_EQ(error.where().place, "line 5");
    std::ofstream(folder / "t.csv")
        << "test,direction,curvature [1/cm],moment [N]\nbending,warp,0,0\nbending,warp,1,1\n"
           "bending,warp,2,2\nbending,warp,3,3\n";
    error = error_of([&] { read_fabric_text(text, folder); });
    EXPECT_EQ(error.where().place, "/bending/file");
    EXPECT_NE(error.remedy().find("along weft"), std::string::npos);
    std::filesystem::remove_all(folder);
}

std::string scene_of(const std::string& material, const std::string& more = "") {
    return R"({"taut": 1, "cloths": [{"type": "grid", "nu": 5, "nv": 5, "material": )" + material + "}]" +
           more + "}";
}

TEST(FabricInScenes, GivesDensityUnlessOneIsGiven) {
    const Scene scene = parse_scene(scene_of(R"({"fabric": "denim"})"), "s.json");
    EXPECT_EQ(scene.cloths[0].material.params.density, 0.42);
    const Assembly assembly = assemble(scene);
    ASSERT_TRUE(assembly.model.cloths[0].fabric);
    EXPECT_EQ(assembly.model.cloths[0].fabric->name, "denim");
    double mass = 0;
    for (const double m : assembly.model.mass) mass += m;
    EXPECT_NEAR(mass, 0.42, 1e-12);
    const Scene light = parse_scene(scene_of(R"({"fabric": "denim", "density": 0.3})"), "s.json");
    EXPECT_EQ(light.cloths[0].material.params.density, 0.3);
    EXPECT_FALSE(assemble(parse_scene(scene_of("{}"), "s.json")).model.cloths[0].fabric);
}

// By name or from a file, inside a cloth or among the materials: the effective scene runs the same.
TEST(FabricInScenes, EffectiveScenesReadAgain) {
    for (const std::string& material :
         {std::string(R"({"fabric": "silk"})"),
          R"({"fabric": ")" + (fabrics_folder / "wool.json").string() + R"("})", std::string(R"("m")")}) {
        const Scene scene = parse_scene(
            scene_of(material, R"(, "materials": {"m": {"fabric": "./wool.json", "density": 0.25}})"),
            "s.json", fabrics_folder);
        const Json effective = effective_json(scene);
        const Scene again = parse_scene(effective.dump(), "e.json", "/");
        EXPECT_EQ(effective_json(again)["materials"], effective["materials"]);
        EXPECT_EQ(effective_json(again)["cloths"], effective["cloths"]);
        auto one = build(scene), two = build(again);
        one->try_step(0.01), two->try_step(0.01);
        EXPECT_EQ(one->state_hash(), two->state_hash());
        EXPECT_EQ(one->model().cloths[0].fabric->bending_warp(),
                  two->model().cloths[0].fabric->bending_warp());
    }
    const Json plain = effective_json(parse_scene(scene_of("{}"), "s.json"));
    EXPECT_FALSE(plain["cloths"][0]["material"].contains("fabric"));
}

TEST(FabricInScenes, FaultsHaveTheirPlace) {
    const InputError unknown = error_of([] { parse_scene(scene_of(R"({"fabric": "woll"})"), "s.json"); });
    EXPECT_EQ(unknown.where().place, "/cloths/0/material/fabric");
    EXPECT_NE(unknown.remedy().find("did you mean 'wool'?"), std::string::npos);
    const InputError missing = error_of([] { parse_scene(scene_of(R"({"fabric": "my.json"})"), "s.json"); });
    EXPECT_EQ(missing.where().place, "/cloths/0/material/fabric");
    const InputError inside =
        error_of([] { parse_scene(scene_of(R"({"fabric": "../hang.json"})"), "s.json", fabrics_folder); });
    EXPECT_TRUE(inside.where().file.ends_with("hang.json"));
}

TEST(FabricInScenes, ChecksTellWhatNoForceTakes) {
    const auto findings_of = [](const std::string& text) { return run_check(parse_scene(text, "s.json")); };
    const std::string pin = R"(, "pins": [{"group": {"corner": "u0v0"}}])";
    EXPECT_TRUE(findings_of(scene_of(R"({"fabric": "cotton"})", pin)).empty());
    const auto idle = findings_of(scene_of(R"({"fabric": "cotton"})", pin + R"(, "forces": ["gravity"])"));
    ASSERT_EQ(idle.size(), 1u);
    EXPECT_EQ(idle[0].pointer, "/forces");
    const auto chain =
        findings_of(R"({"taut": 1, "cloths": [{"type": "polyline", "material": {"fabric": "silk"}}]})");
    EXPECT_TRUE(std::any_of(chain.begin(), chain.end(), [](const Finding& finding) {
        return finding.text.find("is a chain") != std::string::npos;
    }));
}

}  // namespace
}  // namespace taut::scene

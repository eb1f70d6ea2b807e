// Malformed scenes, one row each: the error must stand at the right place, show the value and tell
// what is allowed. Reading, assembling and making the pipeline are all tried, as `taut check` does.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "scene/malformed_scenes.hpp"
#include "taut/scene/check.hpp"
#include "taut/scene/library.hpp"

namespace taut::scene {

void MalformedScenes::SetUpTestSuite() {
    folder() = std::filesystem::temp_directory_path() / ("taut_malformed_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder());
    const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\n";
    std::ofstream(folder() / "bad.obj") << square << "f 1 2 9\n";
    std::ofstream(folder() / "quad.obj") << square << "v 0 1 0\nf 1 2 3 4\n";
    std::ofstream(folder() / "twice.obj") << square << "f 1 2 3\nf 2 3 1\n";
    std::ofstream(folder() / "bad.txt") << "0.1\nx7 0.2\n";
}

void MalformedScenes::TearDownTestSuite() { std::filesystem::remove_all(folder()); }

std::filesystem::path& MalformedScenes::folder() {
    static std::filesystem::path path;
    return path;
}

namespace malformed_scenes_tests {
namespace {

std::string obj(const std::string& more = "") {
    return one_cloth(R"("type": "obj", "file": "bad.obj")" + more);
}

const std::vector<Malformed> text_faults{
    {"empty", "", "line 1, column 1", "not valid JSON", "", "commas"},
    {"only_comment", "// nothing", "line 1, column 11", "not valid JSON", "", ""},
    {"truncated", R"({"taut": 1, "cloths": [)", "line 1, column 24", "not valid JSON", "", ""},
    {"trailing_comma", "{\"taut\": 1,\n}", "line 2, column 1", "not valid JSON", "", "commas"},
    {"two_documents", "{} {}", "line 1, column 4", "not valid JSON", "", ""},
    {"bare_word", "{\"taut\": one}", "line 1, column 10", "not valid JSON", "", ""},
    {"nan", "{\"taut\": NaN}", "line 1, column 10", "not valid JSON", "", ""},
    {"huge_number", R"({"taut": 1, "run": {"dt": 1e999}})", "line 1, column 31", "does not fit a double",
     "1e999", "1.797e308"},
    {"not_utf8", "{\"name\": \"\xC3\x28\"}", "line 1, column 12", "not valid JSON", "", ""},
    {"control_character", "{\"name\": \"a\nb\"}", "line 1, column 12", "not valid JSON", "", ""},
    {"duplicate_key", R"({"taut": 1, "run": {"dt": 1, "dt": 2}})", "/run/dt", "twice", "dt", "keep one"},
    {"too_deep", std::string(R"({"taut": )") + std::string(100, '[') + std::string(100, ']') + "}",
     "/taut/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/"
     "0/0/0/0/0/"
     "0/0/0/0/0/0/0/0/0",
     "nested too deeply", "", "64 levels"},
};

const std::vector<Malformed> top_faults{
    {"not_an_object", "[1, 2]", "", "must be an object", "[1,2]", "{ ... }"},
    {"no_version", R"({"cloths": [{"type": "grid"}]})", "", "'taut' is missing", "", "\"taut\": 1"},
    {"future_version", R"({"taut": 2, "cloths": [{"type": "grid"}]})", "/taut", "version", "2", "allowed: 1"},
    {"version_as_text", R"({"taut": "1", "cloths": [{"type": "grid"}]})", "/taut", "integer", "\"1\"", ""},
    {"unknown_key", small_scene(R"("clots": [])"), "/clots", "unknown key", "[]", "did you mean 'cloths'?"},
    {"name_as_number", small_scene(R"("name": 3)"), "/name", "must be a text", "3", "quotes"},
    {"no_cloths", R"({"taut": 1})", "", "'cloths' is missing", "", "at least one"},
    {"empty_cloths", R"({"taut": 1, "cloths": []})", "/cloths", "too few", "[]", "at least 1"},
    {"cloths_as_object", R"({"taut": 1, "cloths": {}})", "/cloths", "must be an array", "{}", "[ ... ]"},
    {"unknown_preset", small_scene(R"("preset": "inextensble")"), "/preset", "unknown preset", "inextensble",
     "did you mean 'inextensible'?"},
    {"run_unknown_key", small_scene(R"("run": {"durration": 1})"), "/run/durration", "unknown key", "1",
     "did you mean 'duration'?"},
    {"zero_dt", small_scene(R"("run": {"dt": 0})"), "/run/dt", "out of range", "0", "1e-07 to 10"},
    {"negative_duration", small_scene(R"("run": {"duration": -1})"), "/run/duration", "out of range", "-1",
     "0 to"},
    {"fractional_rounds", small_scene(R"("run": {"rounds": 1.5})"), "/run/rounds", "integer", "1.5", ""},
    {"flag_as_text", small_scene(R"("run": {"stop_on_failure": "yes"})"), "/run/stop_on_failure",
     "true or false", "yes", "true, false"},
    {"preview_key", small_scene(R"("output": {"preview": {"widht": 9}})"), "/output/preview/widht",
     "unknown key", "9", "did you mean 'width'?"},
};

const std::vector<Malformed> cloth_faults{
    {"cloth_without_type", one_cloth(R"("nu": 3)"), "/cloths/0", "'type' is missing", "",
     "grid, woven_disc, polyline, cone, obj"},
    {"unknown_cloth", one_cloth(R"("type": "gird")"), "/cloths/0/type", "unknown cloth", "gird",
     "did you mean 'grid'?"},
    {"cloth_key", one_cloth(R"("type": "grid", "hieght": 1)"), "/cloths/0/hieght", "unknown key", "1",
     "did you mean 'height'?"},
    {"key_of_another_cloth", one_cloth(R"("type": "grid", "length": 1)"), "/cloths/0/length", "unknown key",
     "1", ""},
    {"too_few_vertices", one_cloth(R"("type": "grid", "nu": 1)"), "/cloths/0/nu", "out of range", "1",
     "2 to"},
    {"huge_count", one_cloth(R"("type": "grid", "nu": 1000000000000)"), "/cloths/0/nu", "out of range",
     "1000000000000", ""},
    {"too_many_in_all", one_cloth(R"("type": "grid", "nu": 100000, "nv": 100000)"), "/cloths/0",
     "too many vertices", "10000000000", "at most"},
    {"negative_width", one_cloth(R"("type": "grid", "width": -1)"), "/cloths/0/width", "out of range", "-1",
     ""},
    {"width_as_text", one_cloth(R"("type": "grid", "width": "1 m")"), "/cloths/0/width", "must be a number",
     "1 m", ""},
    {"negative_density", one_cloth(R"("type": "grid", "material": {"density": -0.2})"),
     "/cloths/0/material/density", "out of range", "-0.2", "> 0"},
    {"zero_density", one_cloth(R"("type": "grid", "material": {"density": 0})"), "/cloths/0/material/density",
     "out of range", "0", "> 0"},
    {"unknown_material",
     one_cloth(R"("type": "grid", "material": "coton")", R"("materials": {"cotton": {"density": 0.2}})"),
     "/cloths/0/material", "unknown material", "coton", "did you mean 'cotton'?"},
    {"material_key", small_scene(R"("materials": {"m": {"densty": 1}})"), "/materials/m/densty",
     "unknown key", "1", "did you mean 'density'?"},
    {"density_count", one_cloth(R"("type": "polyline", "vertices": 3, "density_per_vertex": [1, 2])"),
     "/cloths/0/density_per_vertex", "one density per vertex", "2", "allowed: 3"},
    {"density_sign", one_cloth(R"("type": "polyline", "vertices": 3, "density_per_vertex": [1, -2, 1])"),
     "/cloths/0/density_per_vertex/1", "out of range", "-2", "> 0"},
    {"density_file_missing", one_cloth(R"("type": "grid", "density_per_vertex": "none.txt")"),
     "/cloths/0/density_per_vertex", "does not exist", "none.txt", "none.txt"},
    {"density_file_bad", one_cloth(R"("type": "grid", "density_per_vertex": "bad.txt")"), "line 2",
     "not a density", "x7", "> 0"},
    {"same_name_twice",
     R"({"taut": 1, "cloths": [{"type": "grid", "name": "a"}, {"type": "grid", "name": "a"}]})",
     "/cloths/1/name", "same name", "\"a\"", "rename"},
    {"short_vector", one_cloth(R"("type": "grid", "place": {"translate": [1, 2]})"),
     "/cloths/0/place/translate", "must be a vector", "[1,2]", "three numbers"},
    {"vector_of_texts", one_cloth(R"("type": "grid", "velocity": [0, "1", 0])"), "/cloths/0/velocity/1",
     "must be a number", "\"1\"", ""},
    {"unknown_initial", one_cloth(R"("type": "grid", "initial": {"type": "sagg"})"), "/cloths/0/initial/type",
     "unknown initial shape", "sagg", "did you mean 'sag'?"},
    {"initial_as_number", one_cloth(R"("type": "grid", "initial": 7)"), "/cloths/0/initial",
     "must be an object", "7", "type"},
    {"chord_too_long", one_cloth(R"("type": "grid", "initial": {"type": "sag", "chord": 1.5})"),
     "/cloths/0/initial", "far apart", "1.5", "at most"},
    {"sag_of_a_cone", one_cloth(R"("type": "cone", "initial": "sag")"), "/cloths/0/initial", "no rows", "",
     "grid"},
    {"line_of_a_sheet", one_cloth(R"("type": "grid", "initial": "line")"), "/cloths/0/initial", "for chains",
     "", "polyline"},
    {"line_nowhere", one_cloth(R"("type": "polyline", "initial": {"type": "line", "direction": [0, 0, 0]})"),
     "/cloths/0/initial/direction", "no length", "[0,0,0]", "but zero"},
    {"mode_too_wide", one_cloth(R"("type": "polyline", "initial": {"type": "mode", "amplitude": 5})"),
     "/cloths/0/initial", "too large", "5", "small"},
};

const std::vector<Malformed> file_faults{
    {"obj_without_file", one_cloth(R"("type": "obj")"), "/cloths/0", "'file' is missing", "", "OBJ file"},
    {"obj_missing", one_cloth(R"("type": "obj", "file": "none.obj")"), "/cloths/0/file", "does not exist",
     "none.obj", "sought as"},
    {"obj_empty_name", one_cloth(R"("type": "obj", "file": "")"), "/cloths/0/file", "empty", "\"\"",
     "relative"},
    {"obj_is_a_folder", one_cloth(R"("type": "obj", "file": ".")"), "/cloths/0/file", "is a folder", "\".\"",
     ""},
    {"obj_axis", obj(R"(, "up": "upwards")"), "/cloths/0/up", "unknown value of 'up'", "upwards", "z, y"},
    {"obj_scale", obj(R"(, "scale": 0)"), "/cloths/0/scale", "out of range", "0", ""},
    {"obj_bad_index", obj(), "line 4", "", "", ""},
    {"obj_duplicate_face", one_cloth(R"("type": "obj", "file": "twice.obj")"), "", "", "", ""},
    {"initial_of_another_size",
     one_cloth(R"("type": "grid", "nu": 3, "nv": 3, "initial": {"type": "obj", "file": "quad.obj"})"), "",
     "another number of vertices", "4", "allowed: 9"},
};

const std::vector<Malformed> pin_faults{
    {"pin_without_group", pins("{}"), "/pins/0", "'group' is missing", "", "selectors"},
    {"pin_key", pins(R"({"group": {"all": true}, "realease": 1})"), "/pins/0/realease", "unknown key", "1",
     "did you mean 'release'?"},
    {"unknown_group",
     small_scene(R"("groups": {"left": {"indices": 0}})")
         .replace(small_scene().find("{\"corner\""), std::string(R"({"corner": ["u0v0", "u1v0"]})").size(),
                  "\"lefft\""),
     "/pins/0/group", "unknown group", "lefft", "did you mean 'left'?"},
    {"empty_selector", pins(R"({"group": {}})"), "/pins/0/group", "selects nothing", "{}", "corner"},
    {"no_vertex_in_box", pins(R"({"group": {"box": {"min": [8, 8, 8], "max": [9, 9, 9]}}})"), "/pins/0/group",
     "holds no vertex", "", "initial positions"},
    {"box_inside_out", pins(R"({"group": {"box": {"min": [1, 0, 0], "max": [0, 1, 1]}}})"),
     "/pins/0/group/box", "inside out", "", "at most"},
    {"index_too_large", pins(R"({"group": {"indices": [0, 20]}})"), "/pins/0/group/indices", "no such number",
     "20", "0 to 19"},
    {"row_too_large", pins(R"({"group": {"row": -5}})"), "/pins/0/group/row", "no such number", "-5",
     "0 to 3"},
    {"unknown_corner", pins(R"({"group": {"corner": "u2v0"}})"), "/pins/0/group/corner", "unknown corner",
     "u2v0", "u0v0"},
    {"corner_of_a_cone", one_cloth(R"("type": "cone")", R"("groups": {"g": {"corner": "u0v0"}})"),
     "/groups/g/corner", "no corners", "", "edge"},
    {"edge_of_an_obj",
     one_cloth(R"("type": "obj", "file": "quad.obj")", R"("groups": {"g": {"edge": "u0"}})"),
     "/groups/g/edge", "no rows and columns", "", "box"},
    {"group_of_which_cloth",
     R"({"taut": 1, "cloths": [{"type": "grid"}, {"type": "grid"}], "groups": {"g": {"indices": 0}}})",
     "/groups/g", "which cloth", "", "cloth0, cloth1"},
    {"group_of_unknown_cloth", small_scene(R"("groups": {"g": {"cloth": "sheat", "all": true}})"),
     "/groups/g/cloth", "unknown cloth", "sheat", "did you mean 'sheet'?"},
    {"group_of_itself", small_scene(R"("groups": {"g": {"groups": "g"}})"), "/groups/g/groups",
     "unknown group", "g", ""},
    {"pinned_twice",
     pins(R"({"name": "a", "group": {"indices": [1, 2]}}, {"name": "b", "group": {"indices": 2}})"),
     "/pins/1", "'a' and 'b'", "vertex 2", "one pin"},
    {"positions_count", pins(R"({"group": {"indices": [1, 2]}, "at": [[0, 0, 0]]})"), "/pins/0/at",
     "one position per vertex", "1", "allowed: 2"},
    {"pin_place", pins(R"({"group": {"indices": 1}, "at": "rest"})"), "/pins/0/at", "unknown place", "rest",
     "initial"},
    {"negative_release", pins(R"({"group": {"indices": 1}, "release": -1})"), "/pins/0/release",
     "out of range", "-1", ">= 0"},
    {"motion_without_keys", pins(R"({"group": {"indices": 1}, "motion": {}})"), "/pins/0/motion",
     "'keyframes' is missing", "", "keyframe"},
    {"no_keyframes", pins(R"({"group": {"indices": 1}, "motion": {"keyframes": []}})"),
     "/pins/0/motion/keyframes", "too few", "[]", "at least 1"},
    {"keyframe_order",
     pins(R"({"group": {"indices": 1}, "motion": {"keyframes": [{"time": 1}, {"time": 1}]}})"),
     "/pins/0/motion/keyframes/1/time", "must grow", "1", "> 1 s"},
    {"keyframe_without_time", pins(R"({"group": {"indices": 1}, "motion": {"keyframes": [{}]}})"),
     "/pins/0/motion/keyframes/0", "'time' is missing", "", ""},
    {"interpolation",
     pins(R"({"group": {"indices": 1}, "motion": {"interpolation": "cubic", "keyframes": [{"time": 0}]}})"),
     "/pins/0/motion/interpolation", "unknown value of 'interpolation'", "cubic", "smooth, linear"},
};

const std::vector<Malformed> piece_faults{
    {"unknown_obstacle", small_scene(R"("obstacles": [{"type": "shpere"}])"), "/obstacles/0/type",
     "unknown obstacle", "shpere", "did you mean 'sphere'?"},
    {"sphere_without_radius", small_scene(R"("obstacles": [{"type": "sphere"}])"), "/obstacles/0",
     "'radius' is missing", "", "Radius"},
    {"negative_radius", small_scene(R"("obstacles": [{"type": "sphere", "radius": -1}])"),
     "/obstacles/0/radius", "out of range", "-1", ""},
    {"plane_without_normal", small_scene(R"("obstacles": [{"type": "plane", "normal": [0, 0, 0]}])"),
     "/obstacles/0/normal", "no length", "[0,0,0]", ""},
    {"flat_box", small_scene(R"("obstacles": [{"type": "box", "size": [1, 0, 1]}])"), "/obstacles/0/size",
     "no volume", "[1,0,1]", "> 0"},
    {"polygon_sphere_without_radius", small_scene(R"("obstacles": [{"type": "polygon_sphere"}])"),
     "/obstacles/0", "'radius' is missing", "", ""},
    {"no_frequency", small_scene(R"("obstacles": [{"type": "polygon_sphere", "radius": 1, "frequency": 0}])"),
     "/obstacles/0/frequency", "out of range", "0", ""},
    {"great_frequency",
     small_scene(R"("obstacles": [{"type": "polygon_sphere", "radius": 1, "frequency": 33}])"),
     "/obstacles/0/frequency", "out of range", "33", ""},
    {"frequency_of_a_sphere",
     small_scene(R"("obstacles": [{"type": "sphere", "radius": 1, "frequency": 4}])"),
     "/obstacles/0/frequency", "", "", ""},
    {"friction", small_scene(R"("obstacles": [{"type": "plane", "friction": -0.1}])"),
     "/obstacles/0/friction", "out of range", "-0.1", ""},
    {"unknown_force", small_scene(R"("forces": ["gravty"])"), "/forces/0", "unknown force", "gravty",
     "did you mean 'gravity'?"},
    {"force_twice", small_scene(R"("forces": ["gravity", {"type": "gravity"}])"), "/forces/1",
     "appears twice", "", "keep one"},
    {"forces_as_text", small_scene(R"("forces": "gravity")"), "/forces", "array or an object", "gravity",
     "whole list"},
    {"changed_unknown_force", small_scene(R"("forces": {"airdrag": {}})"), "/forces/airdrag", "unknown force",
     "airdrag", "did you mean 'air_drag'?"},
    {"changed_type", small_scene(R"("forces": {"gravity": {"type": "air_drag"}})"), "/forces/gravity/type",
     "contradicts", "air_drag", "gravity"},
    {"force_key", small_scene(R"("forces": [{"type": "gravity", "acceleraton": [0, 0, 0]}])"),
     "/forces/0/acceleraton", "unknown key", "", "did you mean 'acceleration'?"},
    {"force_without_type", small_scene(R"("forces": [{}])"), "/forces/0", "'type' is missing", "", "gravity"},
    {"unknown_integrator", small_scene(R"("integrator": "bdf3")"), "/integrator", "unknown integrator",
     "bdf3", "did you mean 'bdf2'?"},
    {"unknown_filter", small_scene(R"("filters": [{"type": "fast_projecton"}])"), "/filters/0/type",
     "unknown filter", "fast_projecton", "did you mean 'fast_projection'?"},
    {"tolerance", small_scene(R"("filters": {"stable_projection": {"tolerance": 0}})"),
     "/filters/stable_projection/tolerance", "out of range", "0", "to"},
    {"form", small_scene(R"("filters": [{"type": "fast_projection", "form": "cubed"}])"), "/filters/0/form",
     "unknown value of 'form'", "cubed", "goldenthal"},
    {"unknown_solver", small_scene(R"("filters": [{"type": "stable_projection", "solver": "yarncg"}])"),
     "/filters/0/solver", "unknown solver", "yarncg", "did you mean 'yarn_cg'?"},
    {"solver_of_a_contact", small_scene(R"("filters": [{"type": "contact", "solver": "ldlt"}])"),
     "/filters/0/solver", "unknown key", "ldlt", ""},
    {"solver_key",
     small_scene(R"("filters": {"stable_projection": {"solver": {"type": "yarn_cg", "iterations": 1}}})"),
     "/filters/stable_projection/solver/iterations", "unknown key", "1", "max_iterations"},
    {"solver_that_does_not_fit",
     small_scene(R"("filters": [{"type": "stable_projection", "solver": "cholesky"}])"), "/filters/0",
     "solver", "cholesky", ""},
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_P(MalformedScenes, SayWhereAndWhatAndHow) {
    const Malformed& row = GetParam();
    const InputError error = error_of([&] { run_check(parse_scene(row.text, "bad.json", folder())); });
    EXPECT_EQ(error.where().place, row.place) << error.what();
    EXPECT_FALSE(error.where().file.empty()) << error.what();
    EXPECT_FALSE(error.problem().empty());
    EXPECT_TRUE(holds(error.problem(), row.words)) << error.what();
    EXPECT_TRUE(holds(error.value(), row.value)) << error.what();
    EXPECT_TRUE(holds(error.remedy(), row.remedy)) << error.what();
    EXPECT_FALSE(error.remedy().empty()) << error.what();
}

INSTANTIATE_TEST_SUITE_P(Text, MalformedScenes, testing::ValuesIn(text_faults), row_name);
INSTANTIATE_TEST_SUITE_P(Top, MalformedScenes, testing::ValuesIn(top_faults), row_name);
INSTANTIATE_TEST_SUITE_P(Cloths, MalformedScenes, testing::ValuesIn(cloth_faults), row_name);
INSTANTIATE_TEST_SUITE_P(Files, MalformedScenes, testing::ValuesIn(file_faults), row_name);
INSTANTIATE_TEST_SUITE_P(Pins, MalformedScenes, testing::ValuesIn(pin_faults), row_name);
INSTANTIATE_TEST_SUITE_P(Pieces, MalformedScenes, testing::ValuesIn(piece_faults), row_name);

// Damage at random places: what comes out is a scene or an InputError, nothing else.
TEST(DamagedScenes, AreReadOrRefused) {
    std::mt19937 dice(2007);
    int read = 0, refused = 0;
    for (const NamedScene& named : built_in_scenes()) {
        for (int round = 0; round < 150; ++round) {
            std::string text(named.text);
            const int wounds = 1 + static_cast<int>(dice() % 3);
            for (int w = 0; w < wounds && !text.empty(); ++w) {
                const std::size_t at = dice() % text.size();
                switch (dice() % 4) {
                    case 0:
                        text[at] = static_cast<char>(dice() % 256);
                        break;
                    case 1:
                        text.erase(at, 1 + dice() % 8);
                        break;
                    case 2:
                        text.insert(at, 1, "0123456789-.e[]{},:\"/"[dice() % 21]);
                        break;
                    default:
                        text.resize(at + 1);
                        break;
                }
            }
            try {
                effective_json(parse_scene(text, named.name, "/"));
                ++read;
            } catch (const InputError&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(read, 0);
    EXPECT_GT(refused, read);
}

}  // namespace
}  // namespace malformed_scenes_tests
}  // namespace taut::scene

// Malformed scenes with collisions, friction between pairs, bodies, seams and pins on obstacles: a row each.
#include "scene/malformed_scenes.hpp"

namespace taut::scene::malformed_collisions_tests {
namespace {

// A sheet, a ball and a box, with friction between pairs of them.
std::string friction(const std::string& list) {
    return small_scene(
        R"("obstacles": [{"name": "ball", "type": "sphere", "radius": 0.1, "center": [9, 9, 9]},
                                        {"name": "case", "type": "box", "size": [1, 1, 1]}],
                          "filters": {"collision": {}}, "friction": [)" +
        list + "]");
}

// A ball that moves within a second.
std::string moving(const std::string& key) {
    return small_scene(R"("obstacles": [{"type": "sphere", "radius": 0.1, "motion": {"keyframes":
                           [{"time": 0}, {"time": 1, )" +
                       key + "}]}}]");
}

const std::vector<Malformed> collision_faults{
    {"two_contacts", small_scene(R"("filters": ["contact", "collision"])"), "/filters/1",
     "both keep cloth out", "", "keep one"},
    {"two_contacts_changed", small_scene(R"("filters": {"collision": {}, "contact": {}})"),
     "/filters/contact", "both keep cloth out", "", "keep one"},
    {"friction_object", small_scene(R"("friction": {})"), "/friction", "must be an array", "", ""},
    {"friction_of_one", friction(R"({"between": ["sheet"], "coefficient": 1})"), "/friction/0/between",
     "too few", "", ""},
    {"friction_of_three", friction(R"({"between": ["sheet", "ball", "case"], "coefficient": 1})"),
     "/friction/0/between", "between two things", "", "two names"},
    {"friction_of_nobody", friction(R"({"between": ["sheet", "bal"], "coefficient": 1})"),
     "/friction/0/between/1", "unknown cloth or obstacle", "bal", "did you mean 'ball'?"},
    {"friction_without_names", friction(R"({"coefficient": 1})"), "/friction/0", "'between' is missing", "",
     "two things"},
    {"friction_without_number", friction(R"({"between": ["sheet", "ball"]})"), "/friction/0",
     "'coefficient' is missing", "", ""},
    {"friction_negative", friction(R"({"between": ["sheet", "ball"], "coefficient": -1})"),
     "/friction/0/coefficient", "out of range", "-1", "0"},
    {"friction_twice",
     friction(
         R"({"between": ["sheet", "ball"], "coefficient": 1}, {"between": ["ball", "sheet"], "coefficient": 2})"),
     "/friction/1/between", "twice", "ball", "keep one"},
    {"friction_of_obstacles", friction(R"({"between": ["case", "ball"], "coefficient": 1})"),
     "/friction/0/between", "neither", "", "sheet"},
    {"friction_of_two_names", small_scene(R"("obstacles": [{"name": "sheet", "type": "sphere", "radius": 1}],
                    "friction": [{"between": ["sheet", "sheet"], "coefficient": 1}])"),
     "/friction/0/between/0", "of a cloth and of an obstacle", "sheet", "rename"},
    {"thickness", one_cloth(R"("type": "grid", "thickness": -0.1)"), "/cloths/0/thickness", "out of range",
     "-0.1", "0"},
    {"thickness_of_collision", small_scene(R"("filters": {"collision": {"thickness": 1.5}})"),
     "/filters/collision/thickness", "out of range", "1.5", "<= 1"},
    {"thickness_of_contact", small_scene(R"("filters": [{"type": "contact", "thickness": 2}])"),
     "/filters/0/thickness", "out of range", "2", "0 to 1"},
    {"mannequin_action", small_scene(R"("obstacles": [{"type": "mannequin", "action": "wlk"}])"),
     "/obstacles/0/action", "unknown value of 'action'", "wlk", "did you mean 'walk'?"},
    {"mannequin_heading", small_scene(R"("obstacles": [{"type": "mannequin", "heading": 1e300}])"),
     "/obstacles/0/heading", "out of range", "1e+300", "-1000000 to 1000000"},
    {"mannequin_position", small_scene(R"("obstacles": [{"type": "mannequin", "position": [1e300, 0, 0]}])"),
     "/obstacles/0/position/0", "out of range", "1e+300", "-100000000 to 100000000"},
    {"mannequin_pace", small_scene(R"("obstacles": [{"type": "mannequin", "speed": 1e6}])"),
     "/obstacles/0/speed", "out of range", "", "> 0 and <= 1000"},
    {"keyframe_far", moving(R"("translate": [0, 0, 1e300])"), "/obstacles/0/motion/keyframes/1/translate/2",
     "out of range", "1e+300", "100000000"},
    {"keyframe_turned", moving(R"("rotate": [-1e7, 0, 0])"), "/obstacles/0/motion/keyframes/1/rotate/0",
     "out of range", "-1", "1000000"},
    {"sphere_far", small_scene(R"("obstacles": [{"type": "sphere", "radius": 1, "center": [0, 1e9, 0]}])"),
     "/obstacles/0/center/1", "out of range", "", "100000000"},
    {"box_huge", small_scene(R"("obstacles": [{"type": "box", "size": [1, 1, 1e9]}])"), "/obstacles/0/size/2",
     "out of range", "", "<= 100000000"},
};

// A sheet of 5 x 4 vertices with seams.
std::string seams(const std::string& list) {
    return one_cloth(R"("name": "sheet", "type": "grid", "nu": 5, "nv": 4)", R"("seams": [)" + list + "]");
}

// A pin with these keys beside an obstacle named body.
std::string attached(const std::string& keys) {
    return one_cloth(R"("type": "grid", "nu": 5, "nv": 4)",
                     R"("pins": [{"group": {"row": 0}, )" + keys +
                         R"(}], "obstacles": [{"name": "body", "type": "sphere", "radius": 1}])");
}

const std::string sides = R"("from": {"column": 0}, "to": {"column": 4})";

const std::vector<Malformed> seam_faults{
    {"seams_object", small_scene(R"("seams": {})"), "/seams", "must be an array", "", ""},
    {"seam_text", seams(R"("side")"), "/seams/0", "must be an object", "side", ""},
    {"seam_key", seams("{" + sides + R"(, "lenght": 1})"), "/seams/0/lenght", "unknown key", "", "length"},
    {"seam_without_side", seams(R"({"from": {"column": 0}})"), "/seams/0", "'to' is missing", "", "group"},
    {"seam_empty_side", seams(R"({"from": {}, "to": {"column": 4}})"), "/seams/0/from", "selects nothing", "",
     "selector"},
    {"seam_of_no_vertex",
     seams(R"({"from": {"box": {"min": [7, 7, 7], "max": [8, 8, 8]}}, "to": {"column": 4}})"),
     "/seams/0/from", "holds no vertex", "", ""},
    {"seam_unknown_cloth", seams(R"({"from": {"cloth": "shet", "column": 0}, "to": {"column": 4}})"),
     "/seams/0/from/cloth", "unknown cloth", "shet", "did you mean 'sheet'?"},
    {"seam_unknown_group", seams(R"({"from": "hem", "to": {"column": 4}})"), "/seams/0/from", "unknown group",
     "hem", ""},
    {"seam_unequal", seams(R"({"from": {"row": 0}, "to": {"column": 4}})"), "/seams/0", "different numbers",
     "5 and 4", "as many"},
    {"seam_of_one_vertex", seams(R"({"from": {"indices": [3, 1]}, "to": {"indices": [8, 1]}})"), "/seams/0",
     "sewn to itself", "vertex 1 of cloth 'sheet'", "select others"},
    {"seam_along_an_edge", seams(R"({"from": {"column": 0}, "to": {"column": 1}})"), "/seams/0",
     "an edge of the cloth", "vertices 0 and 1 of cloth 'sheet'", "other vertices"},
    {"seam_twice", seams("{" + sides + "}, " + R"({"from": {"indices": 19}, "to": {"indices": 15}})"),
     "/seams/1", "twice", "vertices 19 and 15", "other vertices"},
    {"seam_same_name", seams(R"({"name": "a", )" + sides + R"(}, {"name": "a", )" + sides + "}"),
     "/seams/1/name", "same name", "a", "rename"},
    {"seam_negative_time", seams("{" + sides + R"(, "close": [-1, 1]})"), "/seams/0/close/0", "out of range",
     "-1", "0"},
    {"seam_backwards", seams("{" + sides + R"(, "close": [1, 0.5]})"), "/seams/0/close/1", "no time", "0.5",
     "> 1 s"},
    {"seam_in_a_jump", seams("{" + sides + R"(, "close": [1, 1]})"), "/seams/0/close/1", "no time", "1",
     "[0, 0]"},
    {"seam_one_time", seams("{" + sides + R"(, "close": [1]})"), "/seams/0/close", "too few", "", ""},
    {"seam_three_times", seams("{" + sides + R"(, "close": [0, 1, 2]})"), "/seams/0/close", "two times", "",
     "[start, end]"},
    {"seam_time_text", seams("{" + sides + R"(, "close": [0, "soon"]})"), "/seams/0/close/1", "number",
     "soon", ""},
    {"seam_no_length", seams("{" + sides + R"(, "length": 0})"), "/seams/0/length", "out of range", "0",
     "1e-05"},
    {"seam_in_one_place",
     R"({"taut": 1, "cloths": [{"name": "a", "type": "grid"}, {"name": "b", "type": "grid"}],
         "seams": [{"from": {"cloth": "a", "edge": "u1"}, "to": {"cloth": "b", "edge": "u1"}}]})",
     "/seams/0", "same place", "vertex 40 of cloth 'a' and vertex 40 of cloth 'b'", "apart"},
    {"seam_too_long",
     R"({"taut": 1, "cloths": [{"name": "a", "type": "grid"},
                               {"name": "b", "type": "grid", "place": {"translate": [0, 0, 0.005]}}],
         "seams": [{"from": {"cloth": "a", "edge": "u1"}, "to": {"cloth": "b", "edge": "u1"}, "length": 1}]})",
     "/seams/0", "too close for the length", "0.005 m apart", "'length', 1 m"},
    {"attach_to_nothing", pins(R"({"group": {"row": 0}, "attach": "body"})"), "/pins/0/attach",
     "unknown obstacle", "body", ""},
    {"attach_to_another", attached(R"("attach": "bdy")"), "/pins/0/attach", "unknown obstacle", "bdy",
     "did you mean 'body'?"},
    {"attach_to_no_name", attached(R"("attach": "")"), "/pins/0/attach", "empty", "\"\"", "name one"},
    {"attach_and_motion", attached(R"("attach": "body", "motion": {"keyframes": [{"time": 0}]})"),
     "/pins/0/motion", "moves with its obstacle", "", "'attach' or 'motion'"},
    {"rigid_without_attach", attached(R"("rigid": true)"), "/pins/0/rigid", "not attached", "true", "attach"},
};

INSTANTIATE_TEST_SUITE_P(Collision, MalformedScenes, testing::ValuesIn(collision_faults), row_name);
INSTANTIATE_TEST_SUITE_P(Seams, MalformedScenes, testing::ValuesIn(seam_faults), row_name);

}  // namespace
}  // namespace taut::scene::malformed_collisions_tests

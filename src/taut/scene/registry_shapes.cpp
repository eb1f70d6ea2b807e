// Cloths, initial shapes and obstacles of the registry.
#include "taut/scene/registry_shapes.hpp"

#include "taut/scene/garments.hpp"
#include "taut/scene/params.hpp"
#include "taut/scene/shapes.hpp"
#include "taut/scene/triangle_cloths.hpp"

namespace taut::scene {
namespace {

template <class Params>
Entry cloth(const char* name, const char* text, MadeCloth (*make)(const Params&)) {
    Entry result = entry<Params>(Kind::cloth, name, text);
    result.factory = ClothFactory([make](const Settings& s) { return make(s.get<Params>()); });
    return result;
}

template <class Params>
Entry initial(const char* name, const char* text, Points (*make)(const Params&, const MadeCloth&)) {
    Entry result = entry<Params>(Kind::initial, name, text);
    result.factory = InitialFactory(
        [make](const Settings& s, const MadeCloth& made) { return make(s.get<Params>(), made); });
    return result;
}

template <class Params>
Entry obstacle(const char* name, const char* text, collision::Obstacle (*make)(const Params&)) {
    Entry result = entry<Params>(Kind::obstacle, name, text);
    result.factory = ObstacleFactory([make](const Settings& s) { return make(s.get<Params>()); });
    return result;
}

template <class Params>
Entry mesh_obstacle(const char* name, const char* text, collision::Obstacle (*make)(const Params&)) {
    Entry result = obstacle(name, text, make);
    result.takes_place = true;
    return result;
}

Entry with_required(Entry result, std::vector<std::string> required) {
    result.required = std::move(required);
    return result;
}

void add_garments(std::vector<Entry>& list) {
    list.push_back(
        cloth("skirt", "A skirt on the waist of the mannequin at rest, flared evenly.", make_skirt));
    list.push_back(cloth("dress",
                         "A strapless dress around the mannequin at rest: it follows her to the hip and "
                         "widens below.",
                         make_dress));
    list.push_back(
        cloth("pants", "Trousers around the mannequin at rest, from waist to ankles.", make_pants));
    list.push_back(
        cloth("shirt_panel",
              "The flat front or back of a shirt beside the mannequin at rest, to be sewn to the other.",
              make_shirt_panel));
}

void add_triangle_cloths(std::vector<Entry>& list) {
    list.push_back(
        cloth("irregular_sheet",
              "A rectangle of irregular triangles in the plane z = 0, its corner u0v0 at the origin.",
              make_irregular_sheet_cloth));
    list.push_back(
        cloth("disc", "A disc of irregular triangles in the plane z = 0 about the origin.", make_disc_cloth));
    list.push_back(cloth("triangle_tube",
                         "A tube of irregular triangles around the z axis, from z = 0 upwards.",
                         make_triangle_tube_cloth));
    list.push_back(
        cloth("robe",
              "A robe of two flat panels sewn together, shaped around a body with its arms stretched "
              "out along x.",
              make_robe_cloth));
}

}  // namespace

void add_shapes(std::vector<Entry>& list) {
    list.push_back(
        cloth("grid",
              "A rectangular sheet of quads or triangles in the plane z = 0, its corner u0v0 at the origin.",
              make_grid_cloth));
    list.push_back(
        cloth("polyline", "A chain of equal links along the x axis, from the origin.", make_polyline_cloth));
    list.push_back(cloth("cone",
                         "A closed net around the z axis: a cone, or a cylinder where the radii agree.",
                         make_cone_cloth));
    list.push_back(with_required(cloth("obj",
                                       "A mesh of quads with sparse triangles from an OBJ file; texture "
                                       "coordinates give warp and weft, else "
                                       "they are traced.",
                                       make_obj_cloth),
                                 {"file"}));
    list.push_back(
        cloth("woven_disc",
              "A disc of square cells in the plane z = 0 about the origin, weft along x, triangles "
              "at the rim.",
              make_woven_disc_cloth));
    add_triangle_cloths(list);
    add_garments(list);
    list.push_back(initial("rest", "The rest shape itself.", start_at_rest));
    list.push_back(initial(
        "sag",
        "Every row along an axis hangs as a parabola over a given chord, unstretched; straight across.",
        start_sagging));
    list.push_back(initial("line", "A chain as a straight line from the origin.", start_on_line));
    list.push_back(
        initial("mode", "A chain that hangs down from the origin, bent into one of its small normal modes.",
                start_in_mode));
    list.push_back(with_required(
        initial("obj", "Positions from another OBJ file with the same vertices in the same order.",
                start_from_obj),
        {"file"}));
    list.push_back(obstacle("plane", "A half space.", make_plane));
    list.push_back(with_required(obstacle("sphere", "A ball.", make_sphere), {"radius"}));
    list.push_back(with_required(obstacle("capsule", "All points near a segment.", make_capsule),
                                 {"start", "end", "radius"}));
    list.push_back(with_required(obstacle("box", "A box with edges along the axes.", make_box), {"size"}));
    list.push_back(with_required(
        obstacle("polygon_sphere",
                 "A convex model of a ball with flat faces: an icosahedron with split faces, an edge on top.",
                 make_polygon_sphere),
        {"radius"}));
    list.push_back(mesh_obstacle("mesh",
                                 "Triangles from an OBJ file, quads are split; at rest, moving, or deforming "
                                 "through recorded frames.",
                                 make_mesh_obstacle));
    list.push_back(mesh_obstacle("mannequin",
                                 "A dancer of 1.75 m who stands, walks, pirouettes or waves her arms; a mesh "
                                 "inside the program.",
                                 make_mannequin));
}

}  // namespace taut::scene

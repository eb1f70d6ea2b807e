#include "taut/scene/pin_params.hpp"

namespace taut::scene {

void describe(ParamList& list, PinParams& params) {
    list.text("name", params.name, "Name used by reports and --set; must be unique.");
    list.vector("offset", params.offset, "m", coordinates(),
                "Shift of the anchors from where `at` puts them.");
    list.number("release", params.release, "s", non_negative(),
                "Time at which the pin lets go; null: never.");
    list.text("attach", params.attach,
              "Obstacle that carries the vertices along; on a mesh that deforms each follows the triangle "
              "next to it.");
    list.flag(
        "rigid", params.rigid,
        "On a mesh that deforms: whether attached vertices move as one body, with their distances kept.");
}

void describe(ParamList& list, GuideParams& params) {
    list.choice("type", params.type, {"line", "circle", "polyline", "plane", "sphere", "cylinder"},
                "Shape of the guide.");
    list.vector(
        "point", params.point, "m", coordinates(),
        "A point of the line or plane, the centre of the circle or sphere, a point on the axis of the "
        "cylinder.");
    list.vector("axis", params.axis, "1", coordinates(),
                "Direction of the line, normal of the plane or of the circle, axis of the cylinder; of any "
                "length.");
    list.number("radius", params.radius, "m", between(1e-6, 1e6), "Of the circle, sphere or cylinder.");
    list.flag("closed", params.closed, "Whether the last point of a polyline is joined to the first.");
}

bool guide_has(std::string_view type, std::string_view key) {
    if (type == "polyline") return key == "points" || key == "closed" || key == "type";
    if (key == "axis") return type != "sphere";
    if (key == "radius") return type == "circle" || type == "sphere" || type == "cylinder";
    return key == "point" || key == "type";
}

void describe(ParamList& list, MotionParams& params) {
    list.vector("center", params.center, "m", coordinates(), "Point about which rotations turn.");
    list.choice("interpolation", params.interpolation, {"smooth", "linear"},
                "Cubic through the keyframes, at rest at both ends, or straight between them.");
}

void describe(ParamList& list, KeyframeParams& params) {
    list.number("time", params.time, "s", any_number(), "Time of the keyframe; strictly increasing.");
    list.vector("translate", params.translate, "m", coordinates(),
                "Translation at that time, after the rotation.");
    list.vector("rotate", params.rotate, "deg", turns(), "Rotation at that time: axis times angle.");
}

void describe(ParamList& list, SeamParams& params) {
    list.text("name", params.name, "Name used by reports and --set; must be unique.");
    list.number("length", params.length, "m", between(1e-5, 1),
                "Distance of sewn vertices when the seam is closed.");
    list.flag("reverse", params.reverse,
              "Whether the second side is taken from its last vertex to its first.");
}

void describe(ParamList& list, MapParams& params) {
    list.text("name", params.name, "Name used by reports, pictures and --set; must be unique.");
    list.number("from", params.from, "s", non_negative(), "Time before which the map is not called.");
    list.number("until", params.until, "s", positive(),
                "Time from which it is not called any more; null: never.");
    list.number("every", params.every, "s", non_negative(),
                "Times count anew after so long, as for steps of a walk; 0: they do not.");
}

void describe(ParamList& list, BoxSelector& params) {
    list.vector("min", params.min, "m", "Lowest corner.");
    list.vector("max", params.max, "m", "Highest corner.");
}

void describe(ParamList& list, SphereSelector& params) {
    list.vector("center", params.center, "m", "Centre.");
    list.number("radius", params.radius, "m", positive(), "Radius.");
}

}  // namespace taut::scene

// Reads vertex groups, pins and motions.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/scene/reading.hpp"

namespace taut::scene {
namespace {

std::vector<std::string> cloth_names(const Scene& scene) {
    std::vector<std::string> names;
    for (const ClothSpec& cloth : scene.cloths) names.push_back(cloth.params.name);
    return names;
}

std::vector<std::string> group_names(const Scene& scene) {
    std::vector<std::string> names;
    for (const GroupSpec& group : scene.groups) names.push_back(group.name);
    return names;
}

std::vector<int> read_integers(const JsonReader& reader, const std::string& what) {
    std::vector<int> values;
    for (const JsonReader& element : reader.one_or_more(what)) values.push_back(element.integer());
    return values;
}

std::vector<std::string> read_choices(const JsonReader& reader, const std::vector<std::string>& choices,
                                      const std::string& what) {
    std::vector<std::string> values;
    for (const JsonReader& element : reader.one_or_more(what))
        values.push_back(element.choice(choices, what));
    return values;
}

// A point or an array of points.
std::vector<Vec3> read_places(const JsonReader& reader, const std::string& what) {
    const bool many = reader.is_array() && !reader.json().empty() && reader.json().front().is_array();
    if (!many) return {reader.vector(coordinates())};
    std::vector<Vec3> points;
    for (const JsonReader& element : reader.elements(what, 1))
        points.push_back(element.vector(coordinates()));
    return points;
}

void read_index_selectors(const JsonReader& reader, GroupSpec& group) {
    if (const auto given = reader.find("indices")) group.indices = read_integers(*given, "'indices'");
    if (const auto given = reader.find("row")) group.rows = read_integers(*given, "'row'");
    if (const auto given = reader.find("column")) group.columns = read_integers(*given, "'column'");
    if (const auto given = reader.find("corner")) {
        group.corners = read_choices(*given, corner_names(), "corner");
    }
    if (const auto given = reader.find("edge")) {
        group.edges = read_choices(*given, edge_names(), "edge");
    }
    if (const auto given = reader.find("part")) {
        for (const JsonReader& element : given->one_or_more("'part'")) group.parts.push_back(element.text());
    }
}

void read_place_selectors(const JsonReader& reader, GroupSpec& group) {
    if (const auto given = reader.find("box")) {
        for (const JsonReader& box : given->one_or_more("'box'")) {
            group.boxes.push_back(read_params<BoxSelector>(box, "a box", {}, {"min", "max"}));
            const BoxSelector& b = group.boxes.back();
            if ((b.min.array() > b.max.array()).any()) {
                box.fail("the box is inside out", "every number of 'min' must be at most that of 'max'");
            }
        }
    }
    if (const auto given = reader.find("sphere")) {
        for (const JsonReader& sphere : given->one_or_more("'sphere'")) {
            group.spheres.push_back(
                read_params<SphereSelector>(sphere, "a sphere", {}, {"center", "radius"}));
        }
    }
    if (const auto given = reader.find("nearest")) group.nearest = read_places(*given, "'nearest'");
    if (const auto given = reader.find("all")) group.all = given->flag();
}

GroupSpec read_group(const JsonReader& reader, const Scene& scene) {
    reader.require_object("a group");
    reader.require_keys(names_in(group_keys()));
    GroupSpec group;
    group.pointer = reader.pointer();
    if (const auto cloth = reader.find("cloth")) group.cloth = cloth->choice(cloth_names(scene), "cloth");
    read_index_selectors(reader, group);
    read_place_selectors(reader, group);
    if (const auto given = reader.find("groups")) {
        group.groups = read_choices(*given, group_names(scene), "group; use groups written before this one");
    }
    if (reader.keys().size() == (group.cloth.empty() ? 0u : 1u)) {
        reader.fail("the group selects nothing",
                    "add a selector: indices, corner, edge, row, column, part, box, sphere, "
                    "nearest, all or groups");
    }
    return group;
}

PinSpec read_pin(const JsonReader& reader, const Scene& scene) {
    PinSpec pin;
    pin.pointer = reader.pointer();
    pin.params = read_params<PinParams>(reader, "a pin", names_in(pin_keys()));
    const JsonReader group = reader.at("group", "name a group or write its selectors here");
    pin.group = read_group_or_name(group, scene);
    check_attachment(reader, pin.params, scene);
    if (const auto at = reader.find("at")) {
        if (at->is_text()) {
            at->choice({"initial"}, "place of a pin");
        } else {
            pin.position = read_places(*at, "'at'");
        }
    }
    if (const auto motion = reader.find("motion")) pin.motion = read_motion(*motion);
    return pin;
}

}  // namespace

Motion MotionSpec::motion() const {
    if (keyframes.empty()) return {};
    constexpr double radians = std::numbers::pi / 180;
    std::vector<Keyframe> keys;
    for (const KeyframeParams& key : keyframes)
        keys.push_back({key.time, key.translate, radians * key.rotate});
    return Motion(std::move(keys), params.center,
                  params.interpolation == "linear" ? Interpolation::linear : Interpolation::smooth);
}

MotionSpec read_motion(const JsonReader& reader) {
    MotionSpec spec;
    spec.params = read_params<MotionParams>(reader, "a motion", names_in(motion_keys()));
    const JsonReader keys = reader.at("keyframes", "list at least one keyframe {\"time\": ..., ...}");
    for (const JsonReader& key : keys.elements("'keyframes'", 1)) {
        spec.keyframes.push_back(read_params<KeyframeParams>(key, "a keyframe", {}, {"time"}));
        if (spec.keyframes.size() < 2) continue;
        const double last = spec.keyframes[spec.keyframes.size() - 2].time;
        if (!(spec.keyframes.back().time > last)) {
            key.find("time")->fail("the times of keyframes must grow",
                                   "allowed: > " + number_text(last) + " s");
        }
    }
    return spec;
}

GroupSpec read_group_or_name(const JsonReader& reader, const Scene& scene) {
    if (!reader.is_text()) return read_group(reader, scene);
    GroupSpec group;
    group.name = reader.choice(group_names(scene), "group");
    group.pointer = reader.pointer();
    return group;
}

void check_attachment(const JsonReader& reader, const PinParams& pin, const Scene& scene) {
    const auto given = reader.find("attach");
    if (!given) {
        if (pin.rigid)
            reader.find("rigid")->fail("the pin is not attached", "add 'attach', or take 'rigid' away");
        return;
    }
    if (pin.attach.empty())
        given->fail("the name of the obstacle is empty", "name one, or take 'attach' away");
    std::vector<std::string> names;
    for (const ObstacleSpec& obstacle : scene.obstacles) names.push_back(obstacle.params.name);
    given->choice(names, "obstacle");
    if (const auto motion = reader.find("motion"))
        motion->fail("an attached pin moves with its obstacle", "keep 'attach' or 'motion'");
}

void read_groups(const JsonReader& top, Scene& scene) {
    const auto section = top.find("groups");
    if (!section) return;
    section->require_object("'groups'");
    for (const std::string& name : section->keys()) {
        if (name.empty()) section->fail("a group has an empty name", "name it");
        scene.groups.push_back(read_group(*section->find(name), scene));
        scene.groups.back().name = name;
    }
}

void read_pins(const JsonReader& top, Scene& scene) {
    const auto section = top.find("pins");
    if (!section) return;
    std::vector<std::string> taken;
    for (const JsonReader& reader : section->elements("'pins'")) {
        const auto add = [&](auto spec, auto& list) {
            settle_name(spec.params.name, "pin", taken.size(), taken, reader);
            taken.push_back(spec.params.name);
            list.push_back(std::move(spec));
        };
        reader.require_object("a pin");
        if (reader.find("on")) {
            add(read_guide(reader, scene), scene.guides);
        } else {
            add(read_pin(reader, scene), scene.pins);
        }
    }
}

}  // namespace taut::scene

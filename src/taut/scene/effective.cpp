// A scene back to JSON, with every default resolved. Each function writes what its namesake reads.

#include "taut/scene/json_reader.hpp"
#include "taut/scene/scene.hpp"

namespace taut::scene {
namespace {

template <class Params>
void write_params(Json& object, Params params) {
    ParamList list;
    describe(list, params);
    write(object, list);
}

Json points_json(const std::vector<Vec3>& points) {
    Json array = Json::array();
    for (const Vec3& point : points) array.push_back(vector_json(point));
    return array;
}

Json piece_json(const Piece& piece) {
    Json object = Json::object();
    object["type"] = piece.entry->name;
    write(object, piece.settings.list());
    if (piece.solver) object["solver"] = piece_json(*piece.solver);
    if (piece.entry->kind == Kind::force) object["group"] = piece.group;
    return object;
}

Json material_json(const MaterialSpec& material) {
    Json object = Json::object();
    write_params(object, material.params);
    if (material.params.fabric.empty()) object.erase("fabric");
    return object;
}

Json cloth_json(const ClothSpec& cloth) {
    Json object = Json::object();
    object["name"] = cloth.params.name;
    object.update(piece_json(cloth.maker));
    write_params(object, cloth.params);
    object["material"] =
        cloth.material.name.empty() ? material_json(cloth.material) : Json(cloth.material.name);
    if (!cloth.density_file.empty()) {
        object["density_per_vertex"] = cloth.density_file;
    } else if (!cloth.density_per_vertex.empty()) {
        object["density_per_vertex"] = cloth.density_per_vertex;
    }
    object["initial"] = piece_json(cloth.initial);
    object["place"] = Json::object();
    write_params(object["place"], cloth.place);
    return object;
}

Json group_json(const GroupSpec& group) {
    Json object = Json::object();
    if (!group.cloth.empty()) object["cloth"] = group.cloth;
    if (!group.indices.empty()) object["indices"] = group.indices;
    if (!group.corners.empty()) object["corner"] = group.corners;
    if (!group.edges.empty()) object["edge"] = group.edges;
    if (!group.rows.empty()) object["row"] = group.rows;
    if (!group.columns.empty()) object["column"] = group.columns;
    if (!group.parts.empty()) object["part"] = group.parts;
    for (const BoxSelector& box : group.boxes) {
        Json entry = Json::object();
        write_params(entry, box);
        object["box"].push_back(std::move(entry));
    }
    for (const SphereSelector& sphere : group.spheres) {
        Json entry = Json::object();
        write_params(entry, sphere);
        object["sphere"].push_back(std::move(entry));
    }
    if (!group.nearest.empty()) object["nearest"] = points_json(group.nearest);
    if (group.all) object["all"] = true;
    if (!group.groups.empty()) object["groups"] = group.groups;
    return object;
}

Json motion_json(const MotionSpec& motion) {
    Json object = Json::object();
    write_params(object, motion.params);
    object["keyframes"] = Json::array();
    for (const KeyframeParams& key : motion.keyframes) {
        Json entry = Json::object();
        write_params(entry, key);
        object["keyframes"].push_back(std::move(entry));
    }
    return object;
}

Json pin_json(const PinSpec& pin) {
    Json object = Json::object();
    write_params(object, pin.params);
    if (pin.params.attach.empty()) object.erase("attach");
    object["group"] = pin.group.name.empty() ? group_json(pin.group) : Json(pin.group.name);
    object["at"] = pin.position.empty() ? Json("initial") : points_json(pin.position);
    if (!pin.motion.keyframes.empty()) object["motion"] = motion_json(pin.motion);
    return object;
}

Json guide_json(const GuideSpec& guide) {
    Json object = Json::object();
    write_params(object, guide.params);
    for (const char* key : {"offset", "rigid"}) object.erase(key);
    if (guide.params.attach.empty()) object.erase("attach");
    object["group"] = guide.group.name.empty() ? group_json(guide.group) : Json(guide.group.name);
    Json on = Json::object();
    write_params(on, guide.on);
    for (const char* key : {"point", "axis", "radius", "closed"}) {
        if (!guide_has(guide.on.type, key)) on.erase(key);
    }
    if (!guide.points.empty()) {
        on["points"] = Json::array();
        for (const Vec3& p : guide.points) on["points"].push_back(vector_json(p));
    }
    object["on"] = std::move(on);
    if (!guide.motion.keyframes.empty()) object["motion"] = motion_json(guide.motion);
    return object;
}

Json seam_json(const SeamSpec& seam) {
    Json object = Json::object();
    write_params(object, seam.params);
    object["from"] = seam.from.name.empty() ? group_json(seam.from) : Json(seam.from.name);
    object["to"] = seam.to.name.empty() ? group_json(seam.to) : Json(seam.to.name);
    object["close"] = {seam.close_start, seam.close_end};
    return object;
}

Json obstacle_json(const ObstacleSpec& obstacle) {
    Json object = Json::object();
    object["name"] = obstacle.params.name;
    object.update(piece_json(obstacle.shape));
    write_params(object, obstacle.params);
    if (obstacle.place) {
        object["place"] = Json::object();
        write_params(object["place"], *obstacle.place);
    }
    if (!obstacle.motion.keyframes.empty()) object["motion"] = motion_json(obstacle.motion);
    return object;
}

Json friction_json(const FrictionSpec& friction) {
    Json object = Json::object();
    object["between"] = {friction.first, friction.second};
    write_params(object, friction.params);
    return object;
}

Json map_json(const MapSpec& map) {
    const auto group = [](const GroupSpec& g) { return g.name.empty() ? group_json(g) : Json(g.name); };
    Json object = Json::object();
    write_params(object, map.params);
    object["fixed"] = group(map.fixed);
    if (!map.touch.empty()) object["touch"] = map.touch;
    if (map.watch) object["watch"] = group(*map.watch);
    return object;
}

template <class List, class Writer>
Json array_json(const List& list, Writer writer) {
    Json array = Json::array();
    for (const auto& element : list) array.push_back(writer(element));
    return array;
}

}  // namespace

Json effective_json(const Scene& scene) {
    Json root = Json::object();
    root["taut"] = format_version;
    root["name"] = scene.name;
    root["description"] = scene.description;
    root["preset"] = scene.preset;
    root["materials"] = Json::object();
    for (const MaterialSpec& material : scene.materials)
        root["materials"][material.name] = material_json(material);
    root["cloths"] = array_json(scene.cloths, cloth_json);
    root["groups"] = Json::object();
    for (const GroupSpec& group : scene.groups) root["groups"][group.name] = group_json(group);
    root["pins"] = array_json(scene.pins, pin_json);
    for (Json& guide : array_json(scene.guides, guide_json)) root["pins"].push_back(std::move(guide));
    root["seams"] = array_json(scene.seams, seam_json);
    root["obstacles"] = array_json(scene.obstacles, obstacle_json);
    root["friction"] = array_json(scene.friction, friction_json);
    root["correction_maps"] = array_json(scene.maps, map_json);
    root["forces"] = array_json(scene.forces, piece_json);
    root["integrator"] = piece_json(scene.integrator);
    root["filters"] = array_json(scene.filters, piece_json);
    root["run"] = Json::object();
    write_params(root["run"], scene.run);
    root["output"] = Json::object();
    write_params(root["output"], scene.output);
    root["output"]["preview"] = Json::object();
    write_params(root["output"]["preview"], scene.preview);
    return root;
}

}  // namespace taut::scene

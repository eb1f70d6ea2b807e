// Reads correction maps: what is fixed, and the contacts and times that call for it.

#include "taut/scene/reading.hpp"

namespace taut::scene {
namespace {

MapSpec read_map(const JsonReader& reader, const Scene& scene) {
    MapSpec map;
    map.pointer = reader.pointer();
    map.params = read_params<MapParams>(reader, "a correction map", names_in(map_keys()));
    map.fixed = read_group_or_name(reader.at("fixed", "name a group or write its selectors here"), scene);
    if (const auto touch = reader.find("touch")) {
        std::vector<std::string> names{"any"};
        for (const ObstacleSpec& obstacle : scene.obstacles) names.push_back(obstacle.params.name);
        map.touch = touch->choice(names, "obstacle");
    }
    if (const auto watch = reader.find("watch")) {
        if (map.touch.empty())
            watch->fail("vertices are watched for no contact", "add 'touch', or take 'watch' away");
        map.watch = read_group_or_name(*watch, scene);
    }

    // Refuse times that never come.
    const MapParams& p = map.params;
    if (!(p.until > p.from))
        reader.find("until")->fail("the map is called at no time",
                                   "allowed: > " + number_text(p.from) + " s, or null: to the end");
    if (p.every > 0 && p.from >= p.every)
        reader.find("from")->fail("times count anew before this one comes",
                                  "allowed: < " + number_text(p.every) + " s");
    return map;
}

}  // namespace

void read_maps(const JsonReader& top, Scene& scene) {
    const auto section = top.find("correction_maps");
    if (!section) return;
    std::vector<std::string> taken;
    for (const JsonReader& reader : section->elements("'correction_maps'")) {
        MapSpec map = read_map(reader, scene);
        settle_name(map.params.name, "map", taken.size(), taken, reader);
        taken.push_back(map.params.name);
        scene.maps.push_back(std::move(map));
    }
}

}  // namespace taut::scene

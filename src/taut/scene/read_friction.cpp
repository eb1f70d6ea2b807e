// Reads friction between two things by name. A pair has at least one cloth: nothing else slides.

#include <fmt/format.h>

#include <algorithm>

#include "taut/scene/reading.hpp"

namespace taut::scene {
namespace {

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

FrictionSpec read_pair(const JsonReader& reader, const Names& cloths, const Names& obstacles) {
    FrictionSpec friction;
    friction.params =
        read_params<FrictionParams>(reader, "a pair", names_in(friction_keys()), {"coefficient"});
    const JsonReader between = reader.at("between", "name two things: [\"sheet\", \"ball\"]");
    const std::vector<JsonReader> names = between.elements("'between'", 2);
    if (names.size() != 2) between.fail("friction acts between two things", "allowed: two names");
    for (const JsonReader& name : names) {
        name.choice(joined(cloths, obstacles), "cloth or obstacle");
        if (holds(cloths, name.text()) && holds(obstacles, name.text()))
            name.fail("the name is that of a cloth and of an obstacle", "rename one of them");
    }
    friction.first = names[0].text(), friction.second = names[1].text();
    if (!holds(cloths, friction.first) && !holds(cloths, friction.second))
        between.fail("neither of the two is a cloth",
                     fmt::format("name a cloth: {}", fmt::join(cloths, ", ")));
    return friction;
}

}  // namespace

void read_friction(const JsonReader& top, Scene& scene) {
    const auto section = top.find("friction");
    if (!section) return;
    Names cloths, obstacles;
    for (const ClothSpec& cloth : scene.cloths) cloths.push_back(cloth.params.name);
    for (const ObstacleSpec& obstacle : scene.obstacles) obstacles.push_back(obstacle.params.name);
    for (const JsonReader& reader : section->elements("'friction'")) {
        FrictionSpec friction = read_pair(reader, cloths, obstacles);
        const auto same = [&](const FrictionSpec& other) {
            return (other.first == friction.first && other.second == friction.second) ||
                   (other.first == friction.second && other.second == friction.first);
        };
        if (std::any_of(scene.friction.begin(), scene.friction.end(), same))
            reader.find("between")->fail("the pair appears twice", "keep one of them");
        scene.friction.push_back(std::move(friction));
    }
}

}  // namespace taut::scene

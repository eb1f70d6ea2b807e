// Pins and guides of a scene.

#include <fmt/format.h>

#include <unordered_map>

#include "taut/collision/attached_points.hpp"
#include "taut/scene/build_parts.hpp"
#include "taut/scene/selectors.hpp"

namespace taut::scene {
namespace {

// Lets the obstacle carry what is pinned, from where it is at the start.
void attach(const std::vector<collision::Obstacle>& obstacles, std::size_t body, bool rigid, PinGroup& pin) {
    const collision::Obstacle& obstacle = obstacles[body];
    if (obstacle.mesh && obstacle.mesh->deformation) {
        pin.body = static_cast<int>(body);
        pin.rigid = rigid;
        pin.carrier = std::make_shared<collision::AttachedPoints>(obstacle, pin.anchor, 0, rigid);
        return;
    }
    const RigidTransform place = obstacle.motion.at(0);
    for (Vec3& p : pin.anchor) p = place.inverse(p);
    pin.motion = obstacle.motion;
}

PinGroup make_pin(const Scene& scene, const PinSpec& spec, const Assembly& assembly) {
    PinGroup pin;
    pin.name = spec.params.name;
    pin.vertices = select_vertices(scene, assembly, group_of(scene, spec.group));
    pin.release = spec.params.release;
    const std::size_t given = spec.position.size(), count = pin.vertices.size();
    if (given > 0 && given != count) {
        throw InputError({scene.file, spec.pointer + "/at"},
                         "there must be one position per vertex of the group", std::to_string(given),
                         fmt::format("allowed: {}", count));
    }
    for (std::size_t k = 0; k < count; ++k) {
        const Vec3 base =
            given > 0 ? spec.position[k] : assembly.start.x[static_cast<std::size_t>(pin.vertices[k])];
        pin.anchor.push_back(base + spec.params.offset);
    }
    pin.motion = placed(scene, spec.pointer + "/motion", [&] { return spec.motion.motion(); });
    for (std::size_t body = 0; body < assembly.obstacles.size(); ++body) {
        if (assembly.obstacles[body].name == spec.params.attach)
            attach(assembly.obstacles, body, spec.params.rigid, pin);
    }
    return pin;
}

Guide make_guide(const Scene& scene, const GuideSpec& spec, const Assembly& assembly) {
    Guide guide;
    guide.name = spec.params.name;
    guide.vertices = select_vertices(scene, assembly, group_of(scene, spec.group));
    guide.release = spec.params.release;
    for (const GuideShape shape : {GuideShape::line, GuideShape::circle, GuideShape::polyline,
                                   GuideShape::plane, GuideShape::sphere, GuideShape::cylinder}) {
        if (spec.on.type == shape_name(shape)) guide.shape = shape;
    }
    guide.point = spec.on.point;
    guide.axis = spec.on.axis.normalized();
    guide.radius = spec.on.radius;
    guide.points = spec.points;
    guide.closed = spec.on.closed;
    guide.motion = placed(scene, spec.pointer + "/motion", [&] { return spec.motion.motion(); });
    for (const collision::Obstacle& obstacle : assembly.obstacles) {
        if (obstacle.name != spec.params.attach) continue;
        if (obstacle.mesh && obstacle.mesh->deformation) {
            throw InputError({scene.file, spec.pointer + "/attach"},
                             "a mesh that deforms cannot carry a curve or surface", "'" + obstacle.name + "'",
                             "attach it to an obstacle that moves rigidly, or give it a 'motion'");
        }
        // Shapes are given where they are at the start; carry them from there.
        const RigidTransform place = obstacle.motion.at(0);
        guide.point = place.inverse(guide.point);
        guide.axis = place.rotation.transpose() * guide.axis;
        for (Vec3& p : guide.points) p = place.inverse(p);
        guide.motion = obstacle.motion;
    }
    return guide;
}

}  // namespace

const GroupSpec& group_of(const Scene& scene, const GroupSpec& given) {
    for (const GroupSpec& group : scene.groups) {
        if (!given.name.empty() && group.name == given.name) return group;
    }
    return given;
}

void add_pins(const Scene& scene, Assembly& out) {
    // Make all pins on the untouched initial positions.
    std::unordered_map<int, std::size_t> owner;
    for (const PinSpec& spec : scene.pins) {
        PinGroup pin = make_pin(scene, spec, out);
        for (const int vertex : pin.vertices) {
            const auto [found, fresh] = owner.emplace(vertex, out.model.pins.size());
            if (fresh) continue;
            throw InputError({scene.file, spec.pointer},
                             fmt::format("two pins hold the same vertex, '{}' and '{}'",
                                         out.model.pins[found->second].name, pin.name),
                             vertex_name(out.model, vertex), "let every vertex belong to one pin");
        }
        out.model.pins.push_back(std::move(pin));
    }

    // Start every pinned vertex on its pin and with its velocity.
    constexpr double moment = 1e-6;  // [s], short against any step, long against rounding
    for (const PinGroup& pin : out.model.pins) {
        if (!pin.holds(0)) continue;
        const Points targets = pin.targets(0), soon = pin.moving() ? pin.targets(moment) : targets;
        for (std::size_t k = 0; k < pin.vertices.size(); ++k) {
            const auto v = static_cast<std::size_t>(pin.vertices[k]);
            out.start.x[v] = targets[k];
            out.start.v[v] = (soon[k] - targets[k]) / moment;
        }
    }
}

// Pins that leave their vertices free along something; those start on it and with its velocity.
void add_guides(const Scene& scene, Assembly& out) {
    std::unordered_map<int, std::string> owner;
    for (const PinGroup& pin : out.model.pins) {
        for (const int vertex : pin.vertices) owner.emplace(vertex, pin.name);
    }
    constexpr double moment = 1e-6;  // [s]
    for (const GuideSpec& spec : scene.guides) {
        Guide guide = make_guide(scene, spec, out);
        for (const int vertex : guide.vertices) {
            const auto [found, fresh] = owner.emplace(vertex, guide.name);
            if (!fresh) {
                throw InputError(
                    {scene.file, spec.pointer},
                    fmt::format("two pins hold the same vertex, '{}' and '{}'", found->second, guide.name),
                    vertex_name(out.model, vertex), "let every vertex belong to one pin");
            }
            if (!guide.holds(0)) continue;
            const auto v = static_cast<std::size_t>(vertex);
            out.start.x[v] = guide.nearest(out.start.x[v], 0);
            const GuideFoot foot = guide.foot(out.start.x[v], 0, moment);
            out.start.v[v] = foot.freedom * out.start.v[v] + foot.velocity - foot.freedom * foot.velocity;
        }
        out.model.guides.push_back(std::move(guide));
    }
}

}  // namespace taut::scene

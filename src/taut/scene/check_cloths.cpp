#include "taut/scene/check_cloths.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "taut/filters/collision.hpp"
#include "taut/filters/contact.hpp"
#include "taut/forces/gravity.hpp"

namespace taut::scene {
namespace {

using Box = Eigen::AlignedBox3d;

const Piece* filter_named(const Scene& scene, const char* name) {
    const auto found = std::find_if(scene.filters.begin(), scene.filters.end(),
                                    [&](const Piece& piece) { return piece.entry->name == name; });
    return found == scene.filters.end() ? nullptr : &*found;
}

Vec3 gravity_of(const Scene& scene) {
    Vec3 sum = Vec3::Zero();
    for (const Piece& piece : scene.forces) {
        if (piece.entry->name == forces::Gravity::type_name)
            sum += piece.settings.get<forces::GravityParams>().acceleration;
    }
    return sum;
}

template <class Pin>
bool pins_some_of(const Pin& pin, const Cloth& cloth) {
    return std::any_of(pin.vertices.begin(), pin.vertices.end(), [&](int v) {
        return v >= cloth.first_vertex && v < cloth.first_vertex + cloth.vertex_count;
    });
}

// The box from the origin to a point.
Box box_to(const Vec3& point) { return Box(point.cwiseMin(Vec3::Zero()), point.cwiseMax(Vec3::Zero())); }

// What the box covers when shifted by anything in `shifts`.
Box swept(const Box& box, const Box& shifts) {
    return Box(box.min() + shifts.min(), box.max() + shifts.max());
}

// Where pins carry the cloth over the run, as shifts from the start.
Box shifts_by_pins(const Scene& scene, const Model& model, const Cloth& cloth) {
    constexpr int looks = 16;  // times; what is missed between two is little against the size of cloth
    Box shifts = box_to(Vec3::Zero());
    for (const PinGroup& pin : model.pins) {
        if (!pin.moving() || !pins_some_of(pin, cloth)) continue;
        const Points start = pin.targets(0);
        for (int i = 1; i <= looks; ++i) {
            const double time = scene.run.duration * i / looks;
            if (!pin.holds(time)) break;
            const Points now = pin.targets(time);
            for (std::size_t k = 0; k < now.size(); ++k) shifts.extend(Vec3(now[k] - start[k]));
        }
    }
    return shifts;
}

// Where a cloth may come: from its start with its pins; where they hold it, down by its size at most, else
// falling, with the velocity it starts with, and a little to all sides. Wind and obstacles may take it
// farther.
Box way_of(const Scene& scene, const Assembly& assembly, std::size_t c) {
    constexpr double sway = 0.1;  // of its size: less misses curtains side by side, more finds sheets apart
    const Model& model = assembly.model;
    const Cloth& cloth = model.cloths[c];
    Box box;
    for (int v = cloth.first_vertex; v < cloth.first_vertex + cloth.vertex_count; ++v)
        box.extend(assembly.start.x[static_cast<std::size_t>(v)]);
    const double size = box.diagonal().norm(), duration = scene.run.duration;
    const auto holds = [&](const auto& pin) { return pin.holds(duration) && pins_some_of(pin, cloth); };
    const bool held = std::any_of(model.pins.begin(), model.pins.end(), holds) ||
                      std::any_of(model.guides.begin(), model.guides.end(), holds);

    // Let it hang, or fly and fall; follow its pins; let it sway.
    const Vec3 gravity = gravity_of(scene);
    if (held) {
        box = swept(box, box_to(size * gravity.stableNormalized()));
    } else {
        box = swept(box, box_to(0.5 * duration * duration * gravity));
        box = swept(box, box_to(duration * scene.cloths[c].params.velocity));
    }
    box = swept(box, shifts_by_pins(scene, model, cloth));
    const Vec3 margin = Vec3::Constant(sway * size);
    return swept(box, Box(-margin, margin));
}

// Pairs of cloths whose ways may cross: the first of them, and how many.
struct Crossing {
    std::size_t first = 0, second = 1;
    std::size_t count = 0;
};

Crossing crossing_ways(const Scene& scene, const Assembly& assembly) {
    std::vector<Box> ways;
    for (std::size_t c = 0; c < assembly.model.cloths.size(); ++c) ways.push_back(way_of(scene, assembly, c));
    Crossing crossing;
    for (std::size_t a = 0; a < ways.size(); ++a) {
        for (std::size_t b = a + 1; b < ways.size(); ++b) {
            if (!ways[a].intersects(ways[b])) continue;
            if (crossing.count++ == 0) crossing.first = a, crossing.second = b;
        }
    }
    return crossing;
}

// Whether the reader put the filter in, and no mesh asked for it: what a scene writes has a place of its own.
bool came_with_cloths(const Scene& scene, const Piece& collision) {
    return collision.pointer == "/filters" &&
           std::none_of(scene.obstacles.begin(), scene.obstacles.end(),
                        [](const ObstacleSpec& obstacle) { return obstacle.shape.entry->takes_place; });
}

}  // namespace

void check_cloths_apart(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    const std::size_t cloths = scene.cloths.size();
    const Piece* collision = filter_named(scene, filters::Collision::type_name);
    if (cloths < 2 || (collision && !came_with_cloths(scene, *collision))) return;
    const Crossing crossing = crossing_ways(scene, assembly);
    if (collision) {
        if (crossing.count > 0) return;
        findings.push_back(
            {Severity::note, "/filters",
             "collision came by itself with the second cloth, though the cloths start well apart",
             "\"filters\": {\"collision\": null} is faster, if no cloth meets another or itself"});
        return;
    }

    // Name one pair, and count the others of its kind.
    const std::size_t pairs = crossing.count > 0 ? crossing.count : cloths * (cloths - 1) / 2;
    std::string text = fmt::format(
        "cloths '{}' and '{}' {}: no filter keeps cloths apart", scene.cloths[crossing.first].params.name,
        scene.cloths[crossing.second].params.name,
        crossing.count > 0 ? "may pass through each other" : "would pass through each other if they met");
    if (pairs > 1) text += fmt::format(" (and {} more pair{})", pairs - 1, pairs > 2 ? "s" : "");
    const bool contact = filter_named(scene, filters::Contact::type_name) != nullptr;
    findings.push_back({crossing.count > 0 ? Severity::warning : Severity::note, "/filters", std::move(text),
                        fmt::format("put {{\"type\": \"collision\"}} {}",
                                    contact ? "in place of contact" : "at the end of 'filters'")});
}

void check_without_yarns(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    const auto has_force = [&](const char* name) {
        return std::any_of(scene.forces.begin(), scene.forces.end(),
                           [name](const Piece& piece) { return piece.entry->name == name; });
    };
    const bool springs = has_force("stiff_springs") || keeps_lengths(scene);
    for (std::size_t c = 0; c < assembly.model.cloths.size(); ++c) {
        const Cloth& cloth = assembly.model.cloths[c];
        if (cloth.face_count > 0 || springs || !has_force("stretch_condition")) continue;
        findings.push_back({Severity::warning, scene.cloths[c].pointer,
                            fmt::format("cloth '{}' is a chain, and stretch_condition holds triangles alone: "
                                        "nothing keeps its links from stretching",
                                        cloth.name),
                            "add \"stiff_springs\" to 'forces' or a projection to 'filters'"});
    }
    const bool held = has_force("stretch_condition") ||
                      std::any_of(scene.filters.begin(), scene.filters.end(), [](const Piece& piece) {
                          const Param* edges = piece.settings.list().find("edges");
                          return (edges && *std::get<std::string*>(edges->target) != "yarns") ||
                                 piece.entry->name == "directional";
                      });
    if (held) return;
    for (std::size_t c = 0; c < assembly.model.cloths.size(); ++c) {
        const Cloth& cloth = assembly.model.cloths[c];
        if (cloth.yarn_count > 0 || cloth.face_count == 0) continue;
        findings.push_back(
            {Severity::warning, scene.cloths[c].pointer,
             fmt::format("cloth '{}' has no warp and weft: nothing keeps it from stretching", cloth.name),
             "write \"preset\": \"baraff_witkin1998\", which is for any triangles"});
    }
}

void check_fabrics(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    const bool taken = std::any_of(scene.forces.begin(), scene.forces.end(),
                                   [](const Piece& piece) { return piece.entry->takes_fabric; });
    for (std::size_t c = 0; c < assembly.model.cloths.size(); ++c) {
        const Cloth& cloth = assembly.model.cloths[c];
        if (!cloth.fabric) continue;
        if (cloth.face_count == 0) {
            findings.push_back({Severity::warning, scene.cloths[c].pointer,
                                fmt::format("cloth '{}' is a chain: its fabric '{}' has no effect",
                                            cloth.name, cloth.fabric->name),
                                "give a chain its linear_density alone"});
        } else if (!taken) {
            findings.push_back({Severity::warning, "/forces",
                                fmt::format("no force takes the stiffness of the fabric '{}' of cloth '{}'",
                                            cloth.fabric->name, cloth.name),
                                "add \"isometric_bending\" and \"shear_springs\" to 'forces'"});
        }
    }
}

}  // namespace taut::scene

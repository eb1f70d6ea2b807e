#include "taut/scene/check_collision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/collision/intersections.hpp"
#include "taut/collision/place_names.hpp"
#include "taut/collision/shell_tree.hpp"
#include "taut/collision/solid_overlaps.hpp"
#include "taut/collision/surface.hpp"
#include "taut/filters/collision.hpp"
#include "taut/scene/check_pins.hpp"

namespace taut::scene {
namespace {

using collision::Body;
using collision::Surface;

const filters::CollisionParams* collision_params(const Scene& scene) {
    for (const Piece& piece : scene.filters) {
        if (piece.entry->name == filters::Collision::type_name)
            return &piece.settings.get<filters::CollisionParams>();
    }
    return nullptr;
}

// What the filter sees at the start.
struct Start {
    const Scene& scene;
    const Assembly& assembly;
    const filters::CollisionParams& params;
    Surface surface;
    Points x;  // of all points [m]

    ConstPoints points_of(const Body& body) const {
        return ConstPoints(x).subspan(static_cast<std::size_t>(body.first_point),
                                      static_cast<std::size_t>(body.point_count));
    }
    const std::string& pointer_of(std::size_t body) const {
        return body < scene.cloths.size()
                   ? scene.cloths[body].pointer
                   : scene.obstacles[static_cast<std::size_t>(surface.bodies[body].obstacle)].shape.pointer;
    }
};

Start start_of(const Scene& scene, const Assembly& assembly, const filters::CollisionParams& params) {
    Start start{scene, assembly, params,
                collision::make_surface(assembly.model, assembly.obstacles, params.thickness),
                assembly.start.x};
    start.x.resize(static_cast<std::size_t>(start.surface.points));
    collision::place_obstacles(start.surface, assembly.obstacles, 0, start.x);
    return start;
}

void check_thickness(const Start& start, std::vector<Finding>& findings) {
    for (std::size_t c = 0; c < start.scene.cloths.size(); ++c) {
        const double given = start.scene.cloths[c].params.thickness;
        const double wanted = given > 0 ? given : start.params.thickness;
        const double kept = start.surface.bodies[c].thickness;
        if (!(kept < wanted)) continue;
        findings.push_back(
            {given > 0 ? Severity::warning : Severity::note, start.scene.cloths[c].pointer,
             fmt::format("cloth '{}' is too thick for its edges: it keeps {:.3g} m of {:.3g} m, 0.4 of its "
                         "shortest edge",
                         start.scene.cloths[c].params.name, kept, wanted),
             "lower 'thickness' of the cloth or of the filter, or make the cloth coarser"});
    }
}

void note_close(const Start& start, std::size_t cloth, const std::string& other, double distance, double kept,
                std::vector<Finding>& findings) {
    if (!(distance >= 0 && distance < kept)) return;
    const double shown = std::abs(distance);  // no minus sign before nothing
    findings.push_back({Severity::note, start.scene.cloths[cloth].pointer,
                        fmt::format("cloth '{}' starts {:.3g} m from {}, where {:.3g} m are kept",
                                    start.scene.cloths[cloth].params.name, shown, other, kept),
                        "the first steps push them apart; start them further away if that shows"});
}

// Vertices of cloths that start close to obstacles; those inside are another finding.
void check_obstacle_distance(const Start& start, std::vector<Finding>& findings) {
    for (const collision::Obstacle& obstacle : start.assembly.obstacles) {
        const std::vector<double> distance = collision::distances(obstacle, 0, start.assembly.start.x);
        for (std::size_t c = 0; c < start.scene.cloths.size(); ++c) {
            const Body& body = start.surface.bodies[c];
            const auto first = distance.begin() + body.first_point;
            const double least = *std::min_element(first, first + body.point_count);
            const bool plane = obstacle.shape == collision::Shape::plane;
            const double kept = plane ? body.thickness : 0.5 * (body.thickness + start.params.thickness);
            note_close(start, c, fmt::format("obstacle '{}'", obstacle.name), least, kept, findings);
        }
    }
}

// Least distance of the vertices of a body from a surface, of those in its box widened by `within` [m].
double least_distance(const Start& start, const Body& body, const collision::ShellTree& tree, const Vec3& low,
                      const Vec3& high, double within) {
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3& p : start.points_of(body)) {
        const bool near = ((p - low).array() >= -within).all() && ((high - p).array() >= -within).all();
        if (near) least = std::min(least, tree.distance(p));
    }
    return least;
}

void check_cloth_distance(const Start& start, std::vector<Finding>& findings) {
    const std::size_t count = start.scene.cloths.size();
    std::vector<double> least(count * count, std::numeric_limits<double>::infinity());
    for (std::size_t c = 0; c < count && count > 1; ++c) {
        const Body& body = start.surface.bodies[c];
        std::vector<collision::Triangle> triangles;
        for (const auto& t : start.surface.triangles) {
            if (start.surface.body[static_cast<std::size_t>(t[0])] == static_cast<int>(c))
                triangles.push_back(t);
        }
        const collision::ShellTree tree(triangles, start.x);
        Vec3 low = start.points_of(body)[0], high = low;
        for (const Vec3& p : start.points_of(body)) low = low.cwiseMin(p), high = high.cwiseMax(p);
        for (std::size_t d = 0; d < count; ++d) {
            const Body& other = start.surface.bodies[d];
            if (d != c)
                least[c * count + d] =
                    least_distance(start, other, tree, low, high, 0.5 * (body.thickness + other.thickness));
        }
    }
    for (std::size_t c = 0; c < count; ++c) {
        for (std::size_t d = c + 1; d < count; ++d) {
            note_close(start, d, fmt::format("cloth '{}'", start.scene.cloths[c].params.name),
                       std::min(least[c * count + d], least[d * count + c]),
                       0.5 * (start.surface.bodies[c].thickness + start.surface.bodies[d].thickness),
                       findings);
        }
    }
}

// What a start that intersects means for the run.
struct TangleVerdict {
    Severity severity;
    bool refused;
    const char* remedy;
};

TangleVerdict verdict_on_tangles(const std::string& tangles) {
    if (tangles == "exempt") {
        return {Severity::warning, false,
                "they go on exempt until they part, as 'tangles' asks for, and intersect until then"};
    }
    if (tangles == "untangle") {
        return {Severity::warning, false,
                "they are pulled apart before the first step, as 'tangles' asks for"};
    }
    return {Severity::error, true,
            "move them apart by 'place', or set 'tangles' of the filter to \"untangle\" or \"exempt\"; "
            "`taut check SCENE --picture FILE` shows where"};
}

void check_start_intersections(const Start& start, std::vector<Finding>& findings) {
    const std::vector<int> group = collision::groups_of_triangles(start.surface);
    const std::vector<std::uint8_t> not_within(start.scene.cloths.size(), start.params.self ? 0 : 1);
    collision::IntersectionSkips skips;
    skips.group = group;
    skips.not_within = not_within;
    const auto pairs = collision::find_intersections(start.x, start.surface.triangles, skips);
    if (pairs.empty()) return;

    // Tell each pair of bodies once, with its first faces and their place.
    const std::size_t bodies = start.surface.bodies.size();
    const std::vector<int> face_of = collision::faces_of_triangles(start.surface, start.assembly.model);
    const TangleVerdict verdict = verdict_on_tangles(start.params.tangles);
    const auto body = [&](int t) {
        const int point = start.surface.triangles[static_cast<std::size_t>(t)][0];
        return static_cast<std::size_t>(start.surface.body[static_cast<std::size_t>(point)]);
    };
    std::vector<long> count(bodies * bodies, 0);
    std::vector<std::size_t> told(bodies * bodies, findings.size());
    for (const auto& pair : pairs) ++count[body(pair.a) * bodies + body(pair.b)];
    for (const auto& pair : pairs) {
        long& number = count[body(pair.a) * bodies + body(pair.b)];
        std::size_t& finding = told[body(pair.a) * bodies + body(pair.b)];
        if (number > 0) {
            const std::size_t cloth = std::min(body(pair.a), body(pair.b));
            const int corner = start.surface.triangles[static_cast<std::size_t>(pair.a)][0];
            finding = findings.size();
            findings.push_back(
                {verdict.severity,
                 start.pointer_of(cloth),
                 fmt::format(
                     "the start intersects: {} and {} near {}{}",
                     collision::triangle_name(start.surface, start.assembly.model, pair.a),
                     collision::triangle_name(start.surface, start.assembly.model, pair.b),
                     collision::place_name(start.x[static_cast<std::size_t>(corner)]),
                     number > 1 ? fmt::format(", {} pairs of triangles in all", number) : std::string()),
                 verdict.remedy,
                 {},
                 verdict.refused});
            number = 0;
        }
        for (const int t : {pair.a, pair.b}) {
            const int face = face_of[static_cast<std::size_t>(t)];
            if (face >= 0) findings[finding].faces.push_back(face);
        }
    }
}

// Cloth in balls, capsules and half spaces: each cloth and obstacle once, where it is deepest.
void check_start_overlaps(const Start& start, std::vector<Finding>& findings) {
    using Overlap = collision::SolidOverlap;
    auto overlaps = collision::find_solid_overlaps(start.surface, start.assembly.obstacles, 0, start.x);
    const std::vector<char> pinned = pinned_at(start.assembly.model, 0);
    const std::vector<std::uint8_t> held(pinned.begin(), pinned.end());
    std::erase_if(overlaps, [&](const Overlap& overlap) {  // the checks of pins tell about these
        return collision::is_held(start.surface, overlap, held);
    });
    const auto cloth_of = [&](const Overlap& overlap) {
        return static_cast<std::size_t>(start.surface.body[static_cast<std::size_t>(overlap.point)]);
    };
    std::stable_sort(overlaps.begin(), overlaps.end(),
                     [&](const Overlap& a, const Overlap& b) { return cloth_of(a) < cloth_of(b); });
    TangleVerdict verdict = verdict_on_tangles(start.params.tangles);
    if (start.params.tangles == "untangle")
        verdict.remedy = "contacts lead the cloth out, one thickness a step, and it intersects until then";
    const std::vector<int> face_of = collision::faces_of_triangles(start.surface, start.assembly.model);
    for (auto first = overlaps.begin(), last = first; first != overlaps.end(); first = last) {
        last = std::find_if(first, overlaps.end(), [&](const Overlap& overlap) {
            return cloth_of(overlap) != cloth_of(*first) || overlap.obstacle != first->obstacle;
        });
        const auto deepest = std::max_element(
            first, last, [](const Overlap& a, const Overlap& b) { return a.depth < b.depth; });
        Finding finding{
            verdict.severity, start.pointer_of(cloth_of(*first)),
            "the start intersects: " + collision::overlap_text(start.surface, start.assembly.model,
                                                               start.assembly.obstacles, *deepest, start.x),
            verdict.remedy};
        finding.refused = verdict.refused;
        if (last - first > 1)
            finding.text +=
                fmt::format(", {} {} in all", last - first, first->triangle >= 0 ? "triangles" : "vertices");
        for (auto overlap = first; overlap != last; ++overlap) {
            const int face =
                overlap->triangle >= 0 ? face_of[static_cast<std::size_t>(overlap->triangle)] : -1;
            if (face >= 0) finding.faces.push_back(face);
        }
        findings.push_back(std::move(finding));
    }
}

}  // namespace

bool integrator_sees_obstacles(const Scene& scene) {
    const Param* contacts =
        scene.integrator.entry->sees_obstacles ? scene.integrator.settings.list().find("contacts") : nullptr;
    return contacts && *std::get<bool*>(contacts->target);
}

bool judges_start_overlaps(const Scene& scene, const collision::Obstacle& obstacle) {
    return collision_params(scene) && !collision::as_mesh(obstacle);
}

void check_collision(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    const filters::CollisionParams* params = collision_params(scene);
    if (!params && !integrator_sees_obstacles(scene) && !scene.friction.empty()) {
        findings.push_back({Severity::warning, "/friction", "no filter asks for the friction of pairs",
                            "write \"filters\": {\"collision\": {}}, or set 'friction' of obstacles"});
    }
    if (!params) return;
    const Start start = start_of(scene, assembly, *params);
    check_thickness(start, findings);
    check_obstacle_distance(start, findings);
    check_cloth_distance(start, findings);
    check_start_intersections(start, findings);
    check_start_overlaps(start, findings);
}

}  // namespace taut::scene

#include "taut/scene/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "taut/base/error.hpp"
#include "taut/base/random.hpp"
#include "taut/filters/guide_filter.hpp"
#include "taut/scene/build_parts.hpp"
#include "taut/scene/cloth_pattern.hpp"
#include "taut/scene/selectors.hpp"
#include "taut/scene/shapes.hpp"

namespace taut::scene {
namespace {

constexpr double radians = std::numbers::pi / 180;

// All cloths together; more would not fit the memory of any machine taut is meant for.
constexpr std::size_t max_vertices = 50'000'000;

// Appends the initial positions, placed, and velocities.
void start_cloth(const ClothSpec& spec, const MadeCloth& cloth, const std::vector<double>& mass,
                 State& state) {
    Points x = std::get<InitialFactory>(spec.initial.entry->factory)(spec.initial.settings, cloth);
    const RigidTransform place = transform_of(spec.place);
    Vec3 center = Vec3::Zero();
    double total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = place(x[i]);
        if (!x[i].allFinite())
            throw InputError({}, "the initial positions are not finite", "", "check place and scale");
        center += mass[i] * x[i];
        total += mass[i];
    }
    center /= total;
    const Vec3 spin = radians * spec.params.spin;
    for (const Vec3& p : x) state.v.push_back(spec.params.velocity + spin.cross(p - center));
    state.x.insert(state.x.end(), x.begin(), x.end());
}

void add_cloth(const Scene& scene, const ClothSpec& spec, Assembly& out) {
    MadeCloth cloth = placed(scene, spec.pointer, [&] {
        return std::get<ClothFactory>(spec.maker.entry->factory)(spec.maker.settings);
    });
    if (out.model.rest.size() + cloth.made.rest.size() > max_vertices) {
        throw InputError({scene.file, spec.pointer}, "the scene has too many vertices",
                         std::to_string(out.model.rest.size() + cloth.made.rest.size()),
                         fmt::format("allowed: at most {}", max_vertices));
    }
    ClothPart part;
    part.name = spec.params.name;
    part.cut = cut_pattern(scene, spec, cloth);
    part.grain = radians * spec.params.grain;
    part.mass = placed(scene, spec.pointer, [&] { return cloth_masses(scene, spec, cloth, part.cut); });
    placed(scene, spec.initial.pointer, [&] { start_cloth(spec, cloth, part.mass, out.start); });
    part.mesh = std::move(cloth.made.mesh);
    part.net = std::move(cloth.made.net);
    part.rest = std::move(cloth.made.rest);
    placed(scene, spec.pointer, [&] { return append(out.model, part); });
    out.model.cloths.back().thickness = spec.params.thickness;
    out.model.cloths.back().friction = spec.params.friction;
    if (const auto& file = spec.material.fabric)
        out.model.cloths.back().fabric = std::shared_ptr<const Fabric>(file, &file->fabric);
    out.lattices.push_back(cloth.lattice);
    out.parts.push_back(std::move(cloth.parts));
    out.warnings.push_back(std::move(cloth.warnings));
    out.notes.push_back(std::move(cloth.notes));
}

// Random velocities; pins overwrite theirs.
void shake_start(const RunParams& run, Assembly& out) {
    if (!(run.jitter > 0)) return;
    auto state = static_cast<std::uint64_t>(run.seed);
    for (Vec3& v : out.start.v) {
        for (int axis = 0; axis < 3; ++axis) v[axis] += run.jitter * next_signed(state);
    }
}

// A pair in one place has no direction to be held in, and one far below its length hardly any.
void require_gap(const Scene& scene, const SeamSpec& spec, const Model& model, std::array<int, 2> pair,
                 double gap) {
    constexpr double share = 0.01, none = 1e-6;  // of the length of the seam
    const double length = spec.params.length;
    if (gap > share * length) return;
    const auto [a, b] = pair;
    const ErrorPlace place{scene.file, spec.pointer};
    if (a == b)
        throw InputError(place, "a vertex cannot be sewn to itself", vertex_name(model, a), "select others");
    const std::string names = vertex_names(model, a, b);
    if (!(gap > none * length)) {
        throw InputError(place, "sewn vertices start in the same place", names,
                         fmt::format("select others, or start them about {} m apart", length));
    }
    throw InputError(place, "sewn vertices start too close for the length of the seam",
                     fmt::format("{}, {:.3g} m apart", names, gap),
                     fmt::format("allowed: more than {:.3g} m, a hundredth of 'length', {} m; shorten that, "
                                 "or start them further apart",
                                 share * length, length));
}

// The pairs of a seam, with their distances at the start.
Seam make_seam(const Scene& scene, const SeamSpec& spec, const Assembly& assembly) {
    Seam seam;
    seam.name = spec.params.name;
    seam.length = spec.params.length;
    seam.close_start = spec.close_start, seam.close_end = spec.close_end;
    const std::vector<int> from = select_vertices(scene, assembly, group_of(scene, spec.from));
    std::vector<int> to = select_vertices(scene, assembly, group_of(scene, spec.to));
    if (from.size() != to.size()) {
        throw InputError({scene.file, spec.pointer}, "the sides of a seam have different numbers of vertices",
                         fmt::format("{} and {}", from.size(), to.size()),
                         "let 'from' and 'to' select as many vertices");
    }
    if (spec.params.reverse) std::reverse(to.begin(), to.end());
    for (std::size_t k = 0; k < from.size(); ++k) {
        const Points& x = assembly.start.x;
        const double gap = (x[static_cast<std::size_t>(to[k])] - x[static_cast<std::size_t>(from[k])]).norm();
        require_gap(scene, spec, assembly.model, {from[k], to[k]}, gap);
        seam.pairs.push_back({from[k], to[k]});
        seam.gap.push_back(gap);
    }
    return seam;
}

void add_seams(const Scene& scene, Assembly& out) {
    if (scene.seams.empty()) return;
    const auto key = [](int a, int b) { return std::pair(std::min(a, b), std::max(a, b)); };
    std::set<std::pair<int, int>> edges, sewn;
    for (const mesh::Edge& edge : out.model.edges) edges.insert(key(edge.a, edge.b));
    for (const SeamSpec& spec : scene.seams) {
        Seam seam = make_seam(scene, spec, out);
        for (const auto& [a, b] : seam.pairs) {
            const bool twice = !sewn.insert(key(a, b)).second;
            if (!twice && !edges.contains(key(a, b))) continue;
            throw InputError({scene.file, spec.pointer},
                             twice ? "two vertices are sewn together twice"
                                   : "an edge of the cloth joins two vertices of the seam",
                             vertex_names(out.model, a, b), "sew other vertices");
        }
        out.model.seams.push_back(std::move(seam));
    }
}

filters::MapRule make_map(const Scene& scene, const MapSpec& spec, const Assembly& assembly) {
    filters::MapRule rule;
    rule.name = spec.params.name;
    rule.fixed = select_vertices(scene, assembly, group_of(scene, spec.fixed));
    rule.watched = spec.watch ? select_vertices(scene, assembly, group_of(scene, *spec.watch)) : rule.fixed;
    if (!spec.touch.empty()) rule.obstacle = filters::MapRule::any_obstacle;
    for (std::size_t k = 0; k < assembly.obstacles.size(); ++k) {
        if (assembly.obstacles[k].name == spec.touch) rule.obstacle = static_cast<int>(k);
    }
    rule.from = spec.params.from, rule.until = spec.params.until, rule.every = spec.params.every;
    return rule;
}

SolidParts solid_parts(const Scene& scene, const Assembly& assembly) {
    SolidParts parts{assembly.obstacles, {}};
    for (const FrictionSpec& friction : scene.friction)
        parts.friction.push_back({friction.first, friction.second, friction.params.coefficient});
    return parts;
}

std::unique_ptr<VelocityFilter> make_filter(const Scene& scene, const Piece& piece,
                                            const Assembly& assembly) {
    FilterParts parts;
    if (piece.solver) {
        const Piece& solver = *piece.solver;
        parts.solver = std::get<SolverFactory>(solver.entry->factory)(solver.settings);
    }
    if (piece.entry->sees_obstacles) parts.solids = solid_parts(scene, assembly);
    if (piece.entry->takes_maps) {
        for (const MapSpec& map : scene.maps) parts.maps.push_back(make_map(scene, map, assembly));
        parts.start = assembly.start.x;
    }
    return std::get<FilterFactory>(piece.entry->factory)(piece.settings, std::move(parts));
}

}  // namespace

std::vector<collision::Obstacle> make_obstacles(const Scene& scene) {
    std::vector<collision::Obstacle> obstacles;
    for (const ObstacleSpec& spec : scene.obstacles) {
        collision::Obstacle obstacle = placed(scene, spec.shape.pointer, [&] {
            return std::get<ObstacleFactory>(spec.shape.entry->factory)(spec.shape.settings);
        });
        if (spec.place)
            placed(scene, spec.shape.pointer + "/place", [&] { place_mesh(obstacle, *spec.place); });
        obstacle.name = spec.params.name;
        obstacle.friction = spec.params.friction;
        obstacle.motion = placed(scene, spec.shape.pointer + "/motion", [&] { return spec.motion.motion(); });
        obstacles.push_back(std::move(obstacle));
    }
    return obstacles;
}

Assembly assemble(const Scene& scene) {
    Assembly out;
    for (const ClothSpec& cloth : scene.cloths) add_cloth(scene, cloth, out);

    // Refuse empty groups, used or not, then pin and sew.
    for (const GroupSpec& group : scene.groups) select_vertices(scene, out, group);
    out.obstacles = make_obstacles(scene);
    shake_start(scene.run, out);
    add_pins(scene, out);
    add_guides(scene, out);
    add_seams(scene, out);
    return out;
}

Pipeline make_pipeline(const Scene& scene, const Assembly& assembly) {
    Pipeline pipeline;
    for (const std::string group : {"step", "both", "relax"}) {
        for (const Piece& piece : scene.forces) {
            if (piece.group != group) continue;
            pipeline.forces.push_back(placed(scene, piece.pointer, [&] {
                return std::get<ForceFactory>(piece.entry->factory)(piece.settings);
            }));
            if (group == "both") ++pipeline.shared;
            if (group == "relax") ++pipeline.relax_alone;
        }
    }
    pipeline.integrator = placed(scene, scene.integrator.pointer, [&] {
        const Piece& piece = scene.integrator;
        return std::get<IntegratorFactory>(piece.entry->factory)(piece.settings,
                                                                 solid_parts(scene, assembly));
    });
    for (const Piece& piece : scene.filters) {
        pipeline.filters.push_back(
            placed(scene, piece.pointer, [&] { return make_filter(scene, piece, assembly); }));
    }
    if (!assembly.model.guides.empty()) pipeline.filters.push_back(std::make_unique<filters::GuideFilter>());
    pipeline.rounds = scene.run.rounds;
    pipeline.judge_before = scene.run.strain_judged == "before_contact";
    return pipeline;
}

RunSettings run_settings(const Scene& scene) {
    RunSettings settings;
    settings.duration = scene.run.duration;
    settings.fps = scene.run.fps;
    settings.dt = scene.run.dt;
    settings.max_halvings = scene.run.max_halvings;
    settings.stop_on_failure = scene.run.stop_on_failure;
    return settings;
}

std::unique_ptr<Simulation> build(const Scene& scene) { return build(scene, assemble(scene)); }

std::unique_ptr<Simulation> build(const Scene& scene, Assembly assembly) {
    Pipeline pipeline = make_pipeline(scene, assembly);
    return placed(scene, "", [&] {
        return std::make_unique<Simulation>(std::move(assembly.model), std::move(assembly.start),
                                            std::move(pipeline), run_settings(scene));
    });
}

}  // namespace taut::scene

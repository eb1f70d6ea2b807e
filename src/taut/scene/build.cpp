#include "taut/scene/build.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <unordered_map>

#include "taut/base/error.hpp"
#include "taut/mesh/mass.hpp"
#include "taut/scene/selectors.hpp"

namespace taut::scene {
namespace {

constexpr double radians = std::numbers::pi / 180;

// All cloths together; more would not fit the memory of any machine taut is meant for.
constexpr std::size_t max_vertices = 50'000'000;

// Runs `make`; an InputError without a place of its own gets this one.
template <class Make>
auto placed(const Scene& scene, const std::string& pointer, Make make) {
    try {
        return make();
    } catch (const InputError& error) {
        if (!error.where().file.empty()) throw;
        throw InputError({scene.file, pointer}, error.problem(), error.value(), error.remedy());
    }
}

std::vector<double> masses(const Scene& scene, const ClothSpec& spec, const MadeCloth& cloth) {
    const mesh::PolygonMesh& mesh = cloth.made.mesh;
    const MaterialParams& material = spec.material.params;
    const std::vector<double>& density = spec.density_per_vertex;
    if (density.empty()) {
        return mesh::lumped_mass(mesh, cloth.made.rest, material.density, material.linear_density);
    }
    if (density.size() != cloth.made.rest.size()) {
        throw InputError({scene.file, spec.pointer + "/density_per_vertex"},
                         "there must be one density per vertex", std::to_string(density.size()),
                         fmt::format("allowed: {}", cloth.made.rest.size()));
    }
    if (!mesh.faces.empty())
        return mesh::lumped_mass(mesh, cloth.made.rest, density, material.linear_density);

    // Weigh chains by the length that belongs to each vertex.
    std::vector<double> mass = mesh::vertex_lengths(mesh, cloth.made.rest);
    for (std::size_t i = 0; i < mass.size(); ++i) mass[i] *= density[i];
    return mass;
}

Mat3 rotation(const Vec3& degrees) {
    const double angle = degrees.norm();
    if (angle == 0) return Mat3::Identity();
    return Eigen::AngleAxisd(angle * radians, degrees / angle).toRotationMatrix();
}

// Appends the initial positions, placed, and velocities.
void start_cloth(const ClothSpec& spec, const MadeCloth& cloth, const std::vector<double>& mass,
                 State& state) {
    Points x = std::get<InitialFactory>(spec.initial.entry->factory)(spec.initial.settings, cloth);
    const Mat3 turn = rotation(spec.place.rotate);
    Vec3 center = Vec3::Zero();
    double total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = turn * x[i] + spec.place.translate;
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
    part.mass = placed(scene, spec.pointer, [&] { return masses(scene, spec, cloth); });
    placed(scene, spec.initial.pointer, [&] { start_cloth(spec, cloth, part.mass, out.start); });
    part.mesh = std::move(cloth.made.mesh);
    part.net = std::move(cloth.made.net);
    part.rest = std::move(cloth.made.rest);
    placed(scene, spec.pointer, [&] { return append(out.model, part); });
    out.lattices.push_back(cloth.lattice);
    out.warnings.push_back(std::move(cloth.warnings));
    out.notes.push_back(std::move(cloth.notes));
}

const GroupSpec& group_of(const Scene& scene, const PinSpec& pin) {
    for (const GroupSpec& group : scene.groups) {
        if (!pin.group.name.empty() && group.name == pin.group.name) return group;
    }
    return pin.group;
}

PinGroup make_pin(const Scene& scene, const PinSpec& spec, const Assembly& assembly) {
    PinGroup pin;
    pin.name = spec.params.name;
    pin.vertices = select_vertices(scene, assembly, group_of(scene, spec));
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
    return pin;
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
                             fmt::format("vertex {}", vertex), "let every vertex belong to one pin");
        }
        out.model.pins.push_back(std::move(pin));
    }

    // Start every pinned vertex on its pin and with its velocity.
    constexpr double moment = 1e-6;  // [s], short against any step, long against rounding
    for (const PinGroup& pin : out.model.pins) {
        if (!pin.holds(0)) continue;
        for (std::size_t k = 0; k < pin.vertices.size(); ++k) {
            const auto v = static_cast<std::size_t>(pin.vertices[k]);
            const Vec3 target = pin.target(k, 0);
            out.start.x[v] = target;
            out.start.v[v] =
                pin.motion.moving() ? Vec3((pin.target(k, moment) - target) / moment) : Vec3::Zero();
        }
    }
}

std::unique_ptr<VelocityFilter> make_filter(const Scene& scene, const Piece& piece) {
    FilterParts parts;
    if (piece.solver) {
        const Piece& solver = *piece.solver;
        parts.solver = std::get<SolverFactory>(solver.entry->factory)(solver.settings);
    }
    if (piece.entry->default_solver.empty()) parts.obstacles = make_obstacles(scene);
    return std::get<FilterFactory>(piece.entry->factory)(piece.settings, std::move(parts));
}

}  // namespace

std::vector<collision::Obstacle> make_obstacles(const Scene& scene) {
    std::vector<collision::Obstacle> obstacles;
    for (const ObstacleSpec& spec : scene.obstacles) {
        collision::Obstacle obstacle =
            std::get<ObstacleFactory>(spec.shape.entry->factory)(spec.shape.settings);
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

    // Refuse empty groups, used or not, then pin.
    for (const GroupSpec& group : scene.groups) select_vertices(scene, out, group);
    add_pins(scene, out);
    out.obstacles = make_obstacles(scene);
    return out;
}

Pipeline make_pipeline(const Scene& scene) {
    Pipeline pipeline;
    for (const Piece& piece : scene.forces) {
        pipeline.forces.push_back(placed(scene, piece.pointer, [&] {
            return std::get<ForceFactory>(piece.entry->factory)(piece.settings);
        }));
    }
    pipeline.integrator = placed(scene, scene.integrator.pointer, [&] {
        return std::get<IntegratorFactory>(scene.integrator.entry->factory)(scene.integrator.settings);
    });
    for (const Piece& piece : scene.filters) {
        pipeline.filters.push_back(placed(scene, piece.pointer, [&] { return make_filter(scene, piece); }));
    }
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
    Pipeline pipeline = make_pipeline(scene);
    return placed(scene, "", [&] {
        return std::make_unique<Simulation>(std::move(assembly.model), std::move(assembly.start),
                                            std::move(pipeline), run_settings(scene));
    });
}

}  // namespace taut::scene

#include "taut/scene/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/scene/check_cloths.hpp"
#include "taut/scene/check_collision.hpp"
#include "taut/scene/check_obstacles.hpp"
#include "taut/scene/check_pins.hpp"
#include "taut/scene/check_seams.hpp"
#include "taut/scene/check_steps.hpp"

namespace taut::scene {
namespace {

void add(std::vector<Finding>& findings, Severity severity, std::string pointer, std::string text,
         std::string remedy) {
    findings.push_back({severity, std::move(pointer), std::move(text), std::move(remedy)});
}

void check_meshes(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    for (std::size_t c = 0; c < scene.cloths.size(); ++c) {
        for (const mesh::MeshProblem& problem : assembly.warnings[c]) {
            const bool error = problem.severity == mesh::Severity::error;
            add(findings, error ? Severity::error : Severity::warning, scene.cloths[c].pointer, problem.text,
                problem.remedy);
        }
        for (const std::string& note : assembly.notes[c]) {
            add(findings, Severity::note, scene.cloths[c].pointer, note, "");
        }
    }
}

// Parts of cloth that nothing holds: no pin, and no obstacle to land on.
void check_support(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    const Model& model = assembly.model;
    std::vector<mesh::Edge> edges = model.edges;
    for (const Seam& seam : model.seams) {
        for (const auto& [a, b] : seam.pairs) edges.push_back({.a = a, .b = b});
    }
    const mesh::Components parts = mesh::connected_components(model.vertex_count(), edges);
    std::vector<char> pinned(static_cast<std::size_t>(parts.count), 0);
    const auto mark = [&](const auto& pins) {
        for (const auto& pin : pins) {
            for (const int v : pin.vertices)
                pinned[static_cast<std::size_t>(parts.of_vertex[static_cast<std::size_t>(v)])] = 1;
        }
    };
    mark(model.pins);
    mark(model.guides);
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        const Cloth& cloth = model.cloths[c];
        const auto begin = parts.of_vertex.begin() + cloth.first_vertex;
        const auto [low, high] = std::minmax_element(begin, begin + cloth.vertex_count);
        const auto loose = std::count(pinned.begin() + *low, pinned.begin() + *high + 1, 0);
        const auto count = *high - *low + 1;
        if (loose == 0 || !scene.obstacles.empty()) continue;
        const std::string what =
            count == 1
                ? fmt::format("cloth '{}' has no pins", cloth.name)
                : fmt::format("{} of {} separate parts of cloth '{}' have no pins", loose, count, cloth.name);
        add(findings, Severity::note, scene.cloths[c].pointer,
            what + " and there is no obstacle: it falls for ever",
            "add pins or an obstacle if that is not meant");
    }
}

// Whether a filter promises strain.
bool keeps_lengths(const Scene& scene) {
    return std::any_of(scene.filters.begin(), scene.filters.end(),
                       [](const Piece& piece) { return piece.entry->holds_strain; });
}

// Whether a filter keeps edges that no yarn has.
bool keeps_all_edges(const Scene& scene) {
    return std::any_of(scene.filters.begin(), scene.filters.end(), [](const Piece& piece) {
        const Param* edges = piece.entry->holds_strain ? piece.settings.list().find("edges") : nullptr;
        return edges && *std::get<std::string*>(edges->target) != "yarns";
    });
}

void check_chain(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    const auto any = [](const auto& list, const auto& holds) {
        return std::any_of(list.begin(), list.end(), holds);
    };
    if (!scene.obstacles.empty() && !integrator_sees_obstacles(scene) &&
        !any(scene.filters, [](const Piece& piece) { return piece.entry->sees_obstacles; })) {
        const bool mesh = any(assembly.obstacles, [](const collision::Obstacle& obstacle) {
            return obstacle.shape == collision::Shape::mesh;
        });
        add(findings, Severity::warning, "/obstacles",
            "no filter sees the obstacles: cloth passes through them",
            fmt::format("add {{\"type\": \"{}\"}} at the end of 'filters'", mesh ? "collision" : "contact"));
    }
    // Contacts of the integrator and of the filter behind must agree about where surfaces are.
    const Param* own =
        integrator_sees_obstacles(scene) ? scene.integrator.settings.list().find("thickness") : nullptr;
    for (const Piece& piece : scene.filters) {
        const Param* other = piece.entry->sees_obstacles ? piece.settings.list().find("thickness") : nullptr;
        if (!own || !other || scene.obstacles.empty()) continue;
        const double kept = *std::get<double*>(own->target), wanted = *std::get<double*>(other->target);
        if (kept == wanted) continue;
        add(findings, Severity::warning, "/integrator/thickness",
            fmt::format("the integrator keeps {:g} m from obstacles, the filter '{}' {:g} m: contacts are "
                        "let go and made "
                        "in every step",
                        kept, piece.entry->name, wanted),
            fmt::format("set the integrator's thickness to {:g}", wanted));
    }
    const bool springs = any(scene.forces, [](const Piece& piece) {
        const std::string& name = piece.entry->name;
        return name == "stiff_springs" || name == "stretch_condition" || name == "stretch_well";
    });
    const bool multipliers = any(scene.filters, [](const Piece& piece) {
        const std::string& name = piece.entry->name;
        return name == "constrained_dynamics" || name == "hierarchical" || name == "hierarchical_corrected";
    });
    if (!keeps_lengths(scene) && !springs && !multipliers) {
        add(findings, Severity::warning, "/filters", "no filter keeps warp and weft from stretching",
            "add {\"type\": \"stable_projection\"} to 'filters'");
    }
}

// Free vertices that start inside an obstacle, by cloth and obstacle.
void check_start_inside(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    constexpr double rounding = 1e-9;  // [m]
    const std::vector<char> held = pinned_at(assembly.model, 0);
    for (const collision::Obstacle& obstacle : assembly.obstacles) {
        if (judges_start_overlaps(scene, obstacle)) continue;
        const std::vector<double> distance = collision::distances(obstacle, 0, assembly.start.x);
        for (std::size_t c = 0; c < assembly.model.cloths.size(); ++c) {
            const Cloth& cloth = assembly.model.cloths[c];
            int inside = 0;
            double deepest = 0;
            const auto begin = static_cast<std::size_t>(cloth.first_vertex);
            const std::size_t end = begin + static_cast<std::size_t>(cloth.vertex_count);
            for (std::size_t v = begin; v < end; ++v) {
                if (held[v]) continue;
                if (distance[v] < -rounding) ++inside;
                deepest = std::max(deepest, -distance[v]);
            }
            if (inside == 0) continue;
            add(findings, Severity::warning, scene.cloths[c].pointer,
                fmt::format("{} vertices of cloth '{}' start inside obstacle '{}', up to {:.3g} m deep",
                            inside, cloth.name, obstacle.name, deepest),
                "move the cloth by 'place' or the obstacle");
        }
    }
}

// Cloths that keep edges of no yarn, with so few degrees of freedom left that they do not drape.
void check_locking(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    constexpr double least = 0.5;  // degrees of freedom a vertex; a net of quads keeps one
    const Model& model = assembly.model;
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        const Cloth& cloth = model.cloths[c];
        const auto begin = model.edges.begin() + cloth.first_edge;
        const bool crossed = std::any_of(begin, begin + cloth.edge_count, [](const mesh::Edge& edge) {
            return edge.direction == mesh::Direction::none;
        });
        const Freedom freedom = count_freedom(scene, assembly, cloth);
        if (!crossed || !keeps_all_edges(scene) || double(freedom.left()) >= least * cloth.vertex_count) {
            continue;
        }
        add(findings, Severity::warning, scene.cloths[c].pointer,
            fmt::format("cloth '{}' locks: of {} coordinates {} are pinned and {} taken by lengths, {} stay "
                        "free, where a net of quads keeps about {}",
                        cloth.name, freedom.coordinates, freedom.pinned, freedom.lengths, freedom.left(),
                        cloth.vertex_count),
            "set 'edges' of the filter to \"yarns\" unless the cloth is meant to be stiff");
    }
}

// Edges stretched or pressed at the start, by cloth; what both ends are pinned at stays so.
void check_start_strain(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    const Model& model = assembly.model;
    const double tolerance = promised_strain(scene);
    if (!std::isfinite(tolerance)) return;
    const std::vector<char> held = pinned_at(model, 0);
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        const Cloth& cloth = model.cloths[c];
        double worst = 0, worst_held = 0;
        int worst_edge = -1, worst_held_edge = -1;
        for (int e = cloth.first_edge; e < cloth.first_edge + cloth.edge_count; ++e) {
            const mesh::Edge& edge = model.edges[static_cast<std::size_t>(e)];
            if (edge.direction == mesh::Direction::none) continue;
            const auto a = static_cast<std::size_t>(edge.a), b = static_cast<std::size_t>(edge.b);
            const double length = (assembly.start.x[b] - assembly.start.x[a]).norm();
            const double strain = std::abs(length / model.rest_length[static_cast<std::size_t>(e)] - 1);
            const bool both = held[a] && held[b];
            double& most = both ? worst_held : worst;
            if (strain > most) {
                most = strain;
                (both ? worst_held_edge : worst_edge) = e;
            }
        }
        const auto ends = [&](int e) {
            const mesh::Edge& edge = model.edges[static_cast<std::size_t>(e)];
            return fmt::format("vertices {} and {}", edge.a - cloth.first_vertex,
                               edge.b - cloth.first_vertex);
        };
        if (worst_held > tolerance) {
            const auto [strain, promised] = distinct_texts(100 * worst_held, 100 * tolerance, 4);
            add(findings, Severity::error, scene.cloths[c].pointer,
                fmt::format("pins hold an edge of cloth '{}' at a strain of {} % ({}); {} % is promised",
                            cloth.name, strain, ends(worst_held_edge), promised),
                "pin vertices at their rest distances, or loosen the tolerance of the projection");
        }
        if (worst > tolerance) {
            const auto [strain, promised] = distinct_texts(100 * worst, 100 * tolerance, 4);
            add(findings, Severity::warning, scene.cloths[c].pointer,
                fmt::format("cloth '{}' starts with a strain of {} % ({}); {} % is promised", cloth.name,
                            strain, ends(worst_edge), promised),
                "the first step snaps it to its rest lengths: check 'initial' and the places of the pins");
        }
    }
}

}  // namespace

Freedom count_freedom(const Scene& scene, const Assembly& assembly, const Cloth& cloth) {
    const Model& model = assembly.model;
    const std::vector<char> held = pinned_at(model, 0);
    Freedom freedom;
    freedom.coordinates = 3L * cloth.vertex_count;
    const auto vertices = held.begin() + cloth.first_vertex;
    freedom.pinned = 3L * std::count(vertices, vertices + cloth.vertex_count, 1);
    if (!keeps_lengths(scene)) return freedom;
    const bool all = keeps_all_edges(scene);
    for (int e = cloth.first_edge; e < cloth.first_edge + cloth.edge_count; ++e) {
        const mesh::Edge& edge = model.edges[static_cast<std::size_t>(e)];
        const bool kept = all || edge.direction != mesh::Direction::none;
        const bool pinned = held[static_cast<std::size_t>(edge.a)] && held[static_cast<std::size_t>(edge.b)];
        freedom.lengths += kept && !pinned ? 1 : 0;
    }
    return freedom;
}

const char* severity_name(Severity severity) {
    static const char* const names[] = {"error", "warning", "note"};
    return names[static_cast<int>(severity)];
}

std::vector<Finding> run_check(const Scene& scene) { return run_check(scene, assemble(scene)); }

std::vector<Finding> run_check(const Scene& scene, const Assembly& assembly) {
    std::vector<Finding> findings;
    check_meshes(scene, assembly, findings);
    check_start_strain(scene, assembly, findings);
    check_start_inside(scene, assembly, findings);
    check_support(scene, assembly, findings);
    check_pin_reach(scene, assembly, findings);
    check_pins_inside(scene, assembly, findings);
    check_pins_attached(scene, assembly, findings);
    check_seams(scene, assembly, findings);
    check_locking(scene, assembly, findings);
    check_obstacles(scene, assembly, findings);
    check_chain(scene, assembly, findings);
    check_cloths_apart(scene, assembly, findings);
    check_without_yarns(scene, assembly, findings);
    check_fabrics(scene, assembly, findings);
    check_collision(scene, assembly, findings);

    check_maps(scene, assembly, findings);

    // Make the pipeline once: parts that refuse each other speak up here.
    Pipeline pipeline = make_pipeline(scene, assembly);
    check_explicit_step(scene, assembly, pipeline, findings);
    return findings;
}

bool has_errors(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& finding) { return finding.severity == Severity::error; });
}

}  // namespace taut::scene

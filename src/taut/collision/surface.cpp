#include "taut/collision/surface.hpp"

#include <algorithm>
#include <limits>

#include "taut/mesh/topology.hpp"

namespace taut::collision {
namespace {

// Points of one cloth keep at most this share of its shortest edge: opposite sides of a cell and second
// neighbours are hardly further apart than an edge, and must not push each other at rest.
constexpr double edge_share = 0.4;

void add_edges(std::span<const std::array<int, 3>> triangles, std::vector<std::array<int, 2>>& edges) {
    const std::size_t first = edges.size();
    for (const auto& t : triangles) {
        for (int k = 0; k < 3; ++k) {
            const int a = t[static_cast<std::size_t>(k)], b = t[static_cast<std::size_t>((k + 1) % 3)];
            if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
        }
    }
    std::sort(edges.begin() + static_cast<std::ptrdiff_t>(first), edges.end());
    edges.erase(std::unique(edges.begin() + static_cast<std::ptrdiff_t>(first), edges.end()), edges.end());
}

double shortest_edge(const Model& model, const Cloth& cloth) {
    double shortest = std::numeric_limits<double>::infinity();
    for (int e = cloth.first_edge; e < cloth.first_edge + cloth.edge_count; ++e) {
        shortest = std::min(shortest, model.rest_length[static_cast<std::size_t>(e)]);
    }
    return shortest;
}

void add_cloth(const Model& model, const Cloth& cloth, double thickness, Surface& surface) {
    Body body;
    body.name = cloth.name;
    body.thickness =
        std::min(cloth.thickness > 0 ? cloth.thickness : thickness, edge_share * shortest_edge(model, cloth));
    body.friction = cloth.friction;
    body.first_point = cloth.first_vertex;
    body.point_count = cloth.vertex_count;
    surface.bodies.push_back(body);
    surface.body.insert(surface.body.end(), static_cast<std::size_t>(cloth.vertex_count),
                        static_cast<int>(surface.bodies.size()) - 1);

    // Take its faces as triangles, and edges without faces as segments.
    const std::size_t first = surface.triangles.size();
    const auto faces =
        std::span(model.faces)
            .subspan(static_cast<std::size_t>(cloth.first_face), static_cast<std::size_t>(cloth.face_count));
    const auto triangles = mesh::split_faces(faces);
    surface.triangles.insert(surface.triangles.end(), triangles.begin(), triangles.end());
    for (int e = cloth.first_edge; e < cloth.first_edge + cloth.edge_count; ++e) {
        const mesh::Edge& edge = model.edges[static_cast<std::size_t>(e)];
        if (edge.face[0] < 0) surface.triangles.push_back({edge.a, edge.b, edge.b});
    }
    add_edges(std::span(surface.triangles).subspan(first), surface.edges);
}

// The core of an obstacle at rest: points, triangles, and edges where there are no triangles.
struct Core {
    Points points;
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::array<int, 2>> edges;
    double radius = 0;
};

Core core_of(const Obstacle& obstacle) {
    Core core;
    if (const auto shell = as_mesh(obstacle)) {
        core.points = shell->points;
        core.triangles = shell->triangles;
    } else if (obstacle.shape == Shape::sphere) {
        core.points = {obstacle.center};
        core.radius = obstacle.radius;
    } else if (obstacle.shape == Shape::capsule) {
        core.points = {obstacle.center, obstacle.end};
        core.edges = {{0, 1}};
        core.radius = obstacle.radius;
    }
    return core;
}

// Points of no cloth, a cloud of particles, are a body without a name.
void add_loose_points(double thickness, Surface& surface) {
    Body body;
    body.thickness = thickness;
    body.first_point = static_cast<int>(surface.body.size());
    body.point_count = surface.points - body.first_point;
    if (body.point_count <= 0) return;
    surface.bodies.push_back(body);
    surface.body.resize(static_cast<std::size_t>(surface.points),
                        static_cast<int>(surface.bodies.size()) - 1);
}

void add_obstacle(const Obstacle& obstacle, int index, double thickness, Surface& surface) {
    const Core core = core_of(obstacle);
    if (core.points.empty()) return;
    Body body;
    body.name = obstacle.name;
    body.cloth = false;
    body.radius = core.radius;
    body.thickness = thickness;
    body.friction = obstacle.friction;
    body.first_point = surface.points;
    body.point_count = static_cast<int>(core.points.size());
    body.obstacle = index;
    surface.bodies.push_back(body);
    surface.body.insert(surface.body.end(), core.points.size(), static_cast<int>(surface.bodies.size()) - 1);
    const int shift = surface.points;
    surface.points += body.point_count;
    const std::size_t first = surface.triangles.size();
    for (const auto& t : core.triangles) {
        surface.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
    }
    for (const auto& e : core.edges) surface.edges.push_back({e[0] + shift, e[1] + shift});
    add_edges(std::span(surface.triangles).subspan(first), surface.edges);
}

}  // namespace

Surface make_surface(const Model& model, std::span<const Obstacle> obstacles, double thickness) {
    Surface surface;
    for (const Cloth& cloth : model.cloths) add_cloth(model, cloth, thickness, surface);
    surface.cloth_points = surface.points = model.vertex_count();
    add_loose_points(thickness, surface);
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
        add_obstacle(obstacles[k], static_cast<int>(k), thickness, surface);
    }
    return surface;
}

std::vector<int> faces_of_triangles(const Surface& surface, const Model& model) {
    std::vector<int> list(surface.triangles.size(), -1);
    std::size_t next = 0;
    for (const Cloth& cloth : model.cloths) {
        // Behind the faces of a cloth come its links.
        const int past = cloth.first_vertex + cloth.vertex_count;
        for (int f = cloth.first_face; f < cloth.first_face + cloth.face_count; ++f) {
            for (int k = 2; k < model.faces[static_cast<std::size_t>(f)].size(); ++k) list[next++] = f;
        }
        while (next < list.size() && surface.triangles[next][0] < past) ++next;
    }
    return list;
}

std::vector<int> groups_of_triangles(const Surface& surface) {
    std::vector<int> list;
    for (const auto& t : surface.triangles) {
        list.push_back(surface.is_cloth(t[0]) ? surface.body[static_cast<std::size_t>(t[0])] : -1);
    }
    return list;
}

void place_obstacles(const Surface& surface, std::span<const Obstacle> obstacles, double time, PointsView x) {
    for (const Body& body : surface.bodies) {
        if (body.cloth) continue;
        const Obstacle& obstacle = obstacles[static_cast<std::size_t>(body.obstacle)];
        const PointsView own =
            x.subspan(static_cast<std::size_t>(body.first_point), static_cast<std::size_t>(body.point_count));
        if (obstacle.shape == Shape::mesh) {
            points_at(obstacle, time, own);
            continue;
        }
        const Points rest = core_of(obstacle).points;
        const RigidTransform place = obstacle.motion.at(time);
        for (std::size_t k = 0; k < rest.size(); ++k) own[k] = place(rest[k]);
    }
}

}  // namespace taut::collision

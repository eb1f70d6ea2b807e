// Obstacles of every shape, cloths put anywhere, and distances of pairs by brute force: what tests of contact
// have in common.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/cloths.hpp"
#include "taut/collision/broad_phase.hpp"
#include "taut/elements/closest_points.hpp"

namespace taut::testing {

using collision::Obstacle;
using collision::Shape;

inline Obstacle plane(const Vec3& center, const Vec3& normal, double friction = 0.3) {
    Obstacle o;
    o.name = "plane";
    o.center = center;
    o.normal = normal.normalized();
    o.friction = friction;
    return o;
}

inline Obstacle ball(const Vec3& center, double radius, double friction = 0.3) {
    Obstacle o;
    o.name = "ball";
    o.shape = Shape::sphere;
    o.center = center;
    o.radius = radius;
    o.friction = friction;
    return o;
}

inline Obstacle capsule(const Vec3& start, const Vec3& end, double radius, double friction = 0.3) {
    Obstacle o;
    o.name = "capsule";
    o.shape = Shape::capsule;
    o.center = start;
    o.end = end;
    o.radius = radius;
    o.friction = friction;
    return o;
}

inline Obstacle box(const Vec3& center, const Vec3& half, double friction = 0.3) {
    Obstacle o;
    o.name = "box";
    o.shape = Shape::box;
    o.center = center;
    o.half_size = half;
    o.friction = friction;
    return o;
}

inline Obstacle polygon_sphere(const Vec3& center, double radius, int frequency) {
    Obstacle o;
    o.name = "polygon_sphere";
    o.shape = Shape::polygon_sphere;
    o.center = center;
    o.radius = radius;
    o.frequency = frequency;
    return o;
}

inline Obstacle mesh_obstacle(Points points, std::vector<collision::Triangle> triangles,
                              std::shared_ptr<const Deformation> deformation = nullptr) {
    Obstacle o;
    o.name = "mesh";
    o.shape = Shape::mesh;
    o.mesh = std::make_shared<collision::ObstacleMesh>(
        collision::ObstacleMesh{std::move(triangles), std::move(points), std::move(deformation)});
    return o;
}

// Moves at one velocity [m/s] and one angular velocity [rad/s] about `center`, for `seconds`.
inline Motion steady(const Vec3& velocity, const Vec3& turn = Vec3::Zero(), const Vec3& center = Vec3::Zero(),
                     double seconds = 100) {
    return Motion({{0, Vec3::Zero(), Vec3::Zero()}, {seconds, seconds * velocity, seconds * turn}}, center,
                  Interpolation::linear);
}

// Puts a cloth into a model, its rest shape moved.
inline void add_cloth(Model& model, const std::string& name, mesh::MadeMesh made, const Vec3& shift,
                      double scale = 1) {
    for (Vec3& p : made.rest) p = scale * p + shift;
    append(model, {name, made.mesh, made.net, made.rest, mesh::lumped_mass(made.mesh, made.rest, 0.2, 0.1)});
}

inline Model cloth_at(mesh::MadeMesh made, const Vec3& shift) {
    Model model;
    add_cloth(model, "cloth", std::move(made), shift);
    return model;
}

// All points at the start of time: the cloth at rest, then obstacles.
inline Points all_points(const Model& model, const collision::Surface& surface,
                         const std::vector<Obstacle>& obstacles, double time = 0) {
    Points x = model.rest;
    x.resize(std::size_t(surface.points));
    place_obstacles(surface, obstacles, time, x);
    return x;
}

inline double vertex_face_distance(ConstPoints x, const collision::PairPoints& q) {
    return std::sqrt(elements::nearest_on_triangle(x[std::size_t(q[0])], x[std::size_t(q[1])],
                                                   x[std::size_t(q[2])], x[std::size_t(q[3])])
                         .squared);
}

inline double edge_edge_distance(ConstPoints x, const collision::PairPoints& q) {
    return std::sqrt(elements::nearest_on_segments(x[std::size_t(q[0])], x[std::size_t(q[1])],
                                                   x[std::size_t(q[2])], x[std::size_t(q[3])])
                         .squared);
}

// Every pair that may count: no neighbours, no two obstacles.
inline collision::Pairs every_pair(const collision::Surface& surface) {
    collision::Pairs pairs;
    for (int v = 0; v < surface.points; ++v) {
        for (const auto& t : surface.triangles) {
            if (v == t[0] || v == t[1] || v == t[2]) continue;
            if (surface.is_cloth(v) || surface.is_cloth(t[0]))
                pairs.vertex_face.push_back({v, t[0], t[1], t[2]});
        }
    }
    for (std::size_t e = 0; e < surface.edges.size(); ++e) {
        for (std::size_t f = 0; f < e; ++f) {
            const auto &p = surface.edges[e], &q = surface.edges[f];
            if (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1]) continue;
            if (surface.is_cloth(p[0]) || surface.is_cloth(q[0]))
                pairs.edge_edge.push_back({p[0], p[1], q[0], q[1]});
        }
    }
    return pairs;
}

// The same pair of edges whichever way round it is given; vertex-face pairs by corners in order.
inline collision::PairPoints sorted_edges(collision::PairPoints q) {
    if (q[0] > q[1]) std::swap(q[0], q[1]);
    if (q[2] > q[3]) std::swap(q[2], q[3]);
    if (q[0] > q[2]) q = {q[2], q[3], q[0], q[1]};
    return q;
}
inline collision::PairPoints sorted_face(collision::PairPoints q) {
    std::sort(q.begin() + 1, q.end());
    return q;
}

template <class Order>
std::vector<collision::PairPoints> sorted_pairs(std::vector<collision::PairPoints> pairs, Order&& order) {
    for (auto& q : pairs) q = order(q);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

}  // namespace taut::testing

// Obstacles: convex shapes (plane, sphere, capsule, box, polygonal sphere) and triangle meshes, at rest or
// moving rigidly; points of a mesh may move on their own besides. This room finds, it never moves
// anything: it answers where a point stands relative to an obstacle.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "taut/base/vec.hpp"
#include "taut/model/deformation.hpp"
#include "taut/model/motion.hpp"

namespace taut::collision {

enum class Shape { plane, sphere, capsule, box, polygon_sphere, mesh };

// Corners counter-clockwise seen from outside.
using Triangle = std::array<int, 3>;

struct TriangleShell {
    std::vector<Triangle> triangles;
    Points points;  // [m]
};

struct ObstacleMesh {
    std::vector<Triangle> triangles;
    Points rest;                                     // [m]
    std::shared_ptr<const Deformation> deformation;  // of rest.size() points; null: they stay at rest
};

// Shapes are given at rest of the motion. Plane: center on it, normal points out of the solid.
// Capsule: segment center to end, radius. Box: axis-aligned about center, half sizes. Polygon sphere:
// an icosahedron with an edge on top, faces split, corners at the radius from the center. Mesh: its
// points deform first, then the motion moves all of them.
struct Obstacle {
    std::string name;
    Shape shape = Shape::plane;
    Vec3 center = Vec3::Zero();            // [m]
    Vec3 normal = Vec3::UnitZ();           // plane only, unit length
    Vec3 end = Vec3::Zero();               // capsule only [m]
    Vec3 half_size = Vec3::Constant(0.5);  // box only [m]
    double radius = 0;                     // sphere, capsule and polygon sphere [m]
    int frequency = 4;                     // polygon sphere only: parts of an icosahedron's edge
    double friction = 0.3;                 // Coulomb coefficient
    Motion motion;
    std::shared_ptr<const ObstacleMesh> mesh;  // mesh only; shared by copies
};

// Where the points of a mesh obstacle are at a time [s]; x holds mesh->rest.size() points [m].
void points_at(const Obstacle& obstacle, double time, PointsView x);
Points points_at(const Obstacle& obstacle, double time);

// The surface of a box, a polygon sphere or a mesh at rest, in exact triangles; nothing for the others.
std::optional<TriangleShell> as_mesh(const Obstacle& obstacle);

struct Nearest {
    double distance = 0;          // signed: negative inside [m]
    Vec3 point = Vec3::Zero();    // closest surface point [m]
    Vec3 normal = Vec3::UnitZ();  // outward unit normal there
};

// Where p stands relative to the convex obstacle placed by `place` (= obstacle.motion.at(t)).
Nearest nearest(const Obstacle& obstacle, const RigidTransform& place, const Vec3& p);

// A lower bound of that distance [m], cheap: exact is needed only for points that may be close. Minus
// infinity for shapes whose distance is cheap itself.
double at_least_away(const Obstacle& obstacle, const RigidTransform& place, const Vec3& p);

// Where the segment from `from` to `to` first enters a convex solid, both in its own rest frame;
// where it started if `from` is inside already, as the nearest surface point; nothing if it stays out.
std::optional<Nearest> first_entry(const Obstacle& obstacle, const Vec3& from, const Vec3& to);

// How far each point is from any obstacle at a time [m]; negative inside, NaN where a position is. Inside
// a mesh is where its winding number is beyond one half, so an open one has hardly any inside.
std::vector<double> distances(const Obstacle& obstacle, double time, ConstPoints x);

// Depth of the deepest point below any obstacle's surface at a time [m]; 0 where all are outside,
// NaN where a position is. Points with a flag in `skip` (n flags, or empty) do not count.
double max_penetration(std::span<const Obstacle> obstacles, double time, ConstPoints x,
                       std::span<const std::uint8_t> skip = {});

// Throws InputError when a size or the friction is not positive and finite, a normal not of unit length,
// a frequency out of range, or a mesh empty, not finite or with corners that do not exist.
void validate(const Obstacle& obstacle);

const char* shape_name(Shape shape);

}  // namespace taut::collision

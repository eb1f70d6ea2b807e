// Convex obstacles: plane, sphere, capsule, box, polygonal sphere, at rest or moving rigidly. This room
// finds, it never moves anything: it answers where a point stands relative to an obstacle.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "taut/base/vec.hpp"
#include "taut/model/motion.hpp"

namespace taut::collision {

enum class Shape { plane, sphere, capsule, box, polygon_sphere };

// Shapes are given at rest of the motion. Plane: center on it, normal points out of the solid.
// Capsule: segment center to end, radius. Box: axis-aligned about center, half sizes. Polygon sphere:
// an icosahedron with an edge on top, faces split, corners at the radius from the center.
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
};

struct Nearest {
    double distance = 0;          // signed: negative inside [m]
    Vec3 point = Vec3::Zero();    // closest surface point [m]
    Vec3 normal = Vec3::UnitZ();  // outward unit normal there
};

// Where p stands relative to the obstacle placed by `place` (= obstacle.motion.at(t)).
Nearest nearest(const Obstacle& obstacle, const RigidTransform& place, const Vec3& p);

// A lower bound of that distance [m], cheap: exact is needed only for points that may be close. Minus
// infinity for shapes whose distance is cheap itself.
double at_least_away(const Obstacle& obstacle, const RigidTransform& place, const Vec3& p);

// Where the segment from `from` to `to` first enters the solid, both in the obstacle's own rest frame;
// where it started if `from` is inside already, as the nearest surface point; nothing if it stays out.
std::optional<Nearest> first_entry(const Obstacle& obstacle, const Vec3& from, const Vec3& to);

// Depth of the deepest point below any obstacle's surface at a time [m]; 0 where all are outside,
// NaN where a position is. Points with a flag in `skip` (n flags, or empty) do not count.
double max_penetration(std::span<const Obstacle> obstacles, double time, ConstPoints x,
                       std::span<const std::uint8_t> skip = {});

// Throws InputError when a size or the friction is not positive and finite, a normal not of unit length,
// or a frequency out of range.
void validate(const Obstacle& obstacle);

const char* shape_name(Shape shape);

}  // namespace taut::collision

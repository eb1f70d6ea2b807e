// Everything that can touch, as points, edges and triangles of one list: cloths first, with the indices of
// the model, then obstacles. Round shapes are their core with a radius: a ball is a point, a capsule a
// segment, so that every contact is that of a point with a triangle or of two segments. Half spaces have
// no part in it: a point is enough to meet them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "taut/collision/obstacle.hpp"
#include "taut/model/model.hpp"

namespace taut::collision {

// A cloth or an obstacle. Two bodies keep the sum of their radii and half the sum of their thicknesses.
struct Body {
    std::string name;
    bool cloth = true;
    double radius = 0;     // of a ball or capsule [m]
    double thickness = 0;  // [m]
    double friction = 0;   // Coulomb coefficient of its own
    int first_point = 0, point_count = 0;
    int obstacle = -1;  // index into the obstacles, or -1
};

struct Surface {
    int cloth_points = 0;                       // points below this index are unknowns of the model
    int points = 0;                             // all
    std::vector<int> body;                      // of each point
    std::vector<std::array<int, 3>> triangles;  // a segment without faces is {a, b, b}, a ball {a, a, a}
    std::vector<std::array<int, 2>> edges;      // of all triangles, diagonals of quads included
    std::vector<Body> bodies;

    bool is_cloth(int point) const { return point < cloth_points; }
    const Body& body_of(int point) const {
        return bodies[static_cast<std::size_t>(body[static_cast<std::size_t>(point)])];
    }
};

// Cloths keep `thickness`; within a cloth no more than a share of its shortest edge can be kept, which is
// what its body gets. Obstacles of the shape `plane` are left out.
Surface make_surface(const Model& model, std::span<const Obstacle> obstacles, double thickness);

// The face of the model that each triangle is part of; -1 for links and obstacles.
std::vector<int> faces_of_triangles(const Surface& surface, const Model& model);

// The cloth of each triangle, -1 for obstacles: groups for the exact check.
std::vector<int> groups_of_triangles(const Surface& surface);

// Writes the points of all obstacles at a time behind those of the cloth.
void place_obstacles(const Surface& surface, std::span<const Obstacle> obstacles, double time, PointsView x);

}  // namespace taut::collision

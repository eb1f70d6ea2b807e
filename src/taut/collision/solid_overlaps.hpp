// Cloth that reaches into balls, capsules and half spaces. The exact check of triangles does not know these:
// a ball is a point to it, a half space nothing. Distances are computed, as those of pairs are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "taut/collision/surface.hpp"

namespace taut::collision {

struct SolidOverlap {
    int obstacle = -1;  // index into the obstacles
    int triangle = -1;  // of the surface, for balls and capsules; -1 for half spaces
    int point = -1;     // the vertex, or that of the triangle which lies deepest
    double depth = 0;   // 0: touches a ball or capsule [m]
};

// x: all points of the surface at a time [s], with obstacles placed. Triangles that touch or reach into balls
// and capsules, then points below half spaces by more than rounding; in the order of obstacles.
std::vector<SolidOverlap> find_solid_overlaps(const Surface& surface, std::span<const Obstacle> obstacles,
                                              double time, ConstPoints x);

// True where a point p at this height above a half space through `center` is below it by more than rounding.
bool lies_below(double height, const Vec3& p, const Vec3& center);

// True where a pin holds a part of what overlaps (n flags): nobody else can mend that.
bool is_held(const Surface& surface, const SolidOverlap& overlap, std::span<const std::uint8_t> held);

// Points of the cloth whose triangles reach into two solids at once, or that are below two half spaces: one
// flag each; empty where there are none.
std::vector<std::uint8_t> squeezed_points(const Surface& surface, std::span<const SolidOverlap> overlaps);

// "face 3 of cloth 'sheet' reaches 0.02 m into obstacle 'ball' near (0, 0, 1)".
std::string overlap_text(const Surface& surface, const Model& model, std::span<const Obstacle> obstacles,
                         const SolidOverlap& overlap, ConstPoints x);

}  // namespace taut::collision

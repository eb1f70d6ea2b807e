// Flat regions filled with irregular triangles: a polygon, or a strip that closes on itself. Points start on
// a lattice of equilateral triangles, are shaken at random, and then drawn towards the middle of their
// neighbours, with a new Delaunay triangulation after each round (Persson and Strang 2004 do so with
// springs), until no angle is small. The same bits for the same numbers.
#pragma once

#include <span>
#include <vector>

#include "taut/mesh/delaunay.hpp"
#include "taut/mesh/section.hpp"

namespace taut::mesh {

struct FillParams {
    double spacing = 0.025;   // length of edges, about [m]
    double irregularity = 1;  // 0: the lattice; 1: no direction is preferred
    int seed = 1;
};

// Larger meshes are refused before any memory is asked for.
inline constexpr int max_filled_points = 2'000'000;

// Corners counterclockwise, so dense that sides measure at most 1.15 spacings. A rectangle starts at the
// origin and runs along x; a disc about the origin starts on the x axis, all its points on the circle; the
// sides of a polygon are divided evenly, its corners kept.
Loop rectangle_outline(double width, double height, double spacing);  // [m]
Loop disc_outline(double radius, double spacing);                     // [m]
Loop polygon_outline(std::span<const Vec2> corners, double spacing);  // [m]

// How many equal parts a length is divided into.
int parts_of(double length, double spacing);

struct Filling {
    std::vector<Vec2> points;  // those of the outline first [m]
    int fixed = 0;             // how many those are
    double period = 0;         // of a strip [m]; else 0, and no corner is shifted
    std::vector<StripTriangle> triangles;

    // Corner k of a triangle, moved by its shift [m].
    Vec2 corner(const StripTriangle& triangle, std::size_t k) const {
        return points[static_cast<std::size_t>(triangle.corner[k])] + Vec2(triangle.shift[k] * period, 0);
    }
};

// Fills the inside of a simple polygon, counterclockwise, whose corners are as dense as those above; every
// side becomes an edge. Throws InputError where that cannot be.
Filling fill_outline(const Loop& outline, const FillParams& params);

// Fills 0 <= y <= height for all x, repeated with the period: first the points of the lower rim from x = 0,
// then as many of the upper rim, then those between.
Filling fill_strip(double period, double height, const FillParams& params);

double least_angle(const Filling& filling);  // [rad]

}  // namespace taut::mesh

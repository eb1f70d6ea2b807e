// What tests ask of a closed surface of triangles: topology, volume, lengths, angles.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <span>

#include "taut/base/vec.hpp"

namespace taut::mesh::samples {

using Triangles = std::span<const std::array<int, 3>>;

struct SurfaceMeasures {
    double shortest = 1e300, longest = 0;  // edges [m]
    double least_angle = 180;              // [deg]
    double volume = 0, area = 0;           // [m^3], [m^2]
};

inline SurfaceMeasures measure_surface(ConstPoints x, Triangles triangles) {
    SurfaceMeasures measures;
    for (const auto& corner : triangles) {
        const auto at = [&](int k) -> const Vec3& { return x[static_cast<std::size_t>(corner[k % 3])]; };
        measures.volume += at(0).dot(at(1).cross(at(2))) / 6;
        measures.area += 0.5 * (at(1) - at(0)).cross(at(2) - at(0)).norm();
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = at(k + 1) - at(k), b = at(k + 2) - at(k);
            measures.shortest = std::min(measures.shortest, a.norm());
            measures.longest = std::max(measures.longest, a.norm());
            const double angle = std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / std::numbers::pi;
            measures.least_angle = std::min(measures.least_angle, angle);
        }
    }
    return measures;
}

// Every edge is run through once each way, and the triangles around each vertex are one fan.
inline bool is_closed_manifold(std::size_t vertices, Triangles triangles) {
    std::map<std::array<int, 2>, int> across;  // directed edge to the third corner
    std::vector<int> corners(vertices, 0);
    for (const auto& c : triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (!across.emplace(std::array{c[k], c[(k + 1) % 3]}, c[(k + 2) % 3]).second) return false;
            ++corners[static_cast<std::size_t>(c[k])];
        }
    }
    for (const auto& [edge, third] : across) {
        if (!across.contains({edge[1], edge[0]})) return false;
        int turn = edge[1], count = 0;
        do {
            turn = across.at({edge[0], turn});
            ++count;
        } while (turn != edge[1] && count <= corners[static_cast<std::size_t>(edge[0])]);
        if (count != corners[static_cast<std::size_t>(edge[0])]) return false;
    }
    return true;
}

// Two per closed part without holes through it.
inline int euler_characteristic(std::size_t vertices, Triangles triangles) {
    return static_cast<int>(vertices) - static_cast<int>(triangles.size()) / 2;
}

}  // namespace taut::mesh::samples

// Obstacles as triangle meshes: where their points are, and convex shapes that have exact triangles.

#include <algorithm>
#include <cassert>

#include "taut/collision/obstacle.hpp"
#include "taut/collision/polygon_sphere.hpp"

namespace taut::collision {
namespace {

// Corner k of a box is at +half along the axes whose bit is set in k.
constexpr std::array<Triangle, 12> box_triangles{{{0, 2, 1},
                                                  {1, 2, 3},
                                                  {4, 5, 6},
                                                  {5, 7, 6},  // z
                                                  {0, 1, 4},
                                                  {1, 5, 4},
                                                  {2, 6, 3},
                                                  {3, 6, 7},  // y
                                                  {0, 4, 2},
                                                  {2, 4, 6},
                                                  {1, 3, 5},
                                                  {3, 7, 5}}};  // x

TriangleShell box_shell(const Obstacle& o) {
    TriangleShell shell{{box_triangles.begin(), box_triangles.end()}, {}};
    for (int k = 0; k < 8; ++k) {
        const Vec3 sign(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
        shell.points.push_back(o.center + sign.cwiseProduct(o.half_size));
    }
    return shell;
}

TriangleShell polygon_sphere_shell(const Obstacle& o) {
    const PolygonSphere& unit = unit_polygon_sphere(o.frequency);
    TriangleShell shell;
    for (const PolygonSphere::Face& face : unit.faces()) shell.triangles.push_back(face.corner);
    for (const Vec3& corner : unit.corners()) shell.points.push_back(o.center + o.radius * corner);
    return shell;
}

}  // namespace

void points_at(const Obstacle& obstacle, double time, PointsView x) {
    assert(obstacle.mesh && x.size() == obstacle.mesh->rest.size());
    if (obstacle.mesh->deformation) {
        obstacle.mesh->deformation->at(time, x);
    } else {
        std::copy(obstacle.mesh->rest.begin(), obstacle.mesh->rest.end(), x.begin());
    }
    const RigidTransform place = obstacle.motion.at(time);
    for (Vec3& p : x) p = place(p);
}

Points points_at(const Obstacle& obstacle, double time) {
    Points x(obstacle.mesh->rest.size());
    points_at(obstacle, time, x);
    return x;
}

std::optional<TriangleShell> as_mesh(const Obstacle& obstacle) {
    switch (obstacle.shape) {
        case Shape::box:
            return box_shell(obstacle);
        case Shape::polygon_sphere:
            return polygon_sphere_shell(obstacle);
        case Shape::mesh:
            return TriangleShell{obstacle.mesh->triangles, obstacle.mesh->rest};
        case Shape::plane:
        case Shape::sphere:
        case Shape::capsule:
            break;
    }
    return {};
}

}  // namespace taut::collision

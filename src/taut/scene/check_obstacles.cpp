#include "taut/scene/check_obstacles.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

namespace taut::scene {
namespace {

mesh::PolygonMesh polygon_mesh(const collision::ObstacleMesh& shell) {
    mesh::PolygonMesh result;
    result.vertices = static_cast<int>(shell.rest.size());
    for (const auto& [a, b, c] : shell.triangles) result.faces.push_back({{a, b, c, -1}});
    return result;
}

// Volume with the sign of the triangles' orientation [m^3]; meaningful for closed meshes.
double volume(const collision::ObstacleMesh& shell) {
    const auto at = [&](int v) -> const Vec3& { return shell.rest[static_cast<std::size_t>(v)]; };
    double sum = 0;
    for (const auto& [a, b, c] : shell.triangles) {
        const Vec3& origin = shell.rest.front();
        sum += (at(a) - origin).dot((at(b) - origin).cross(at(c) - origin)) / 6;
    }
    return sum;
}

}  // namespace

void check_obstacles(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    for (std::size_t o = 0; o < assembly.obstacles.size(); ++o) {
        const collision::Obstacle& obstacle = assembly.obstacles[o];
        if (obstacle.shape != collision::Shape::mesh) continue;
        const mesh::PolygonMesh polygons = polygon_mesh(*obstacle.mesh);
        const auto warn = [&](const std::string& what, const char* remedy) {
            findings.push_back({Severity::warning, scene.obstacles[o].shape.pointer,
                                fmt::format("obstacle '{}': {}", obstacle.name, what), remedy});
        };

        // Take what is wrong with cloth as worth a look, and go on where indices can be trusted.
        bool oriented = true;
        for (const mesh::MeshProblem& problem : mesh::find_problems(polygons, obstacle.mesh->rest)) {
            oriented = oriented && problem.edges.empty();
            warn(problem.text, "mend the mesh: cloth may catch or slip through there");
        }
        const mesh::Topology topology = mesh::build_topology(polygons);
        const auto open = std::count(topology.edge_faces.begin(), topology.edge_faces.end(), 1);
        if (open > 0) {
            warn(fmt::format("the mesh is not closed: {} edges have one face only", open),
                 "close it, unless cloth is to reach both sides of its faces");
        } else if (oriented && volume(*obstacle.mesh) < 0) {
            warn("the triangles face inwards", "turn all faces round and export the mesh again");
        }
    }
}

}  // namespace taut::scene

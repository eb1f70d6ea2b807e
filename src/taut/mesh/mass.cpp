#include "taut/mesh/mass.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <string>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"

namespace taut::mesh {
namespace {

// Integrals of the four bilinear shape functions over the patch, by 2 x 2 Gauss points: exact for
// plane convex quads, since the area element is then linear in each parameter.
std::array<double, 4> quad_shares(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3) {
    std::array<double, 4> share{};
    const double near = 0.5 - std::sqrt(3.0) / 6, far = 0.5 + std::sqrt(3.0) / 6;
    for (const double s : {near, far})
        for (const double t : {near, far}) {
            const Vec3 along_s = (1 - t) * (p1 - p0) + t * (p2 - p3);
            const Vec3 along_t = (1 - s) * (p3 - p0) + s * (p2 - p1);
            const double area = along_s.cross(along_t).norm() / 4;
            share[0] += (1 - s) * (1 - t) * area;
            share[1] += s * (1 - t) * area;
            share[2] += s * t * area;
            share[3] += (1 - s) * t * area;
        }
    return share;
}

void require_density(double value, const char* what, const char* unit) {
    if (std::isfinite(value) && value > 0) return;
    throw InputError({}, std::string(what) + " must be positive", number_text(value),
                     std::string("allowed: > 0 ") + unit);
}

}  // namespace

std::vector<double> vertex_areas(const PolygonMesh& mesh, ConstPoints rest) {
    std::vector<double> area(mesh.vertices, 0);
    for (const Face& face : mesh.faces) {
        const auto& c = face.corner;
        if (face.size() == 3) {
            const double third = (rest[c[1]] - rest[c[0]]).cross(rest[c[2]] - rest[c[0]]).norm() / 6;
            for (int k = 0; k < 3; ++k) area[c[k]] += third;
        } else {
            const auto share = quad_shares(rest[c[0]], rest[c[1]], rest[c[2]], rest[c[3]]);
            for (int k = 0; k < 4; ++k) area[c[k]] += share[k];
        }
    }
    return area;
}

std::vector<double> pattern_areas(const PolygonMesh& mesh) {
    // Weigh every face by itself, with corners of its own.
    PolygonMesh apart;
    Points flat;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        Face face;
        for (int k = 0; k < mesh.faces[f].size(); ++k) {
            face.corner[k] = apart.vertices++;
            flat.emplace_back(mesh.corner_uv[f][k].x(), mesh.corner_uv[f][k].y(), 0);
        }
        apart.faces.push_back(face);
    }
    const std::vector<double> share = vertex_areas(apart, flat);
    std::vector<double> area(mesh.vertices, 0);
    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
        for (int k = 0; k < mesh.faces[f].size(); ++k)
            area[mesh.faces[f].corner[k]] += share[apart.faces[f].corner[k]];
    return area;
}

std::vector<double> vertex_lengths(const PolygonMesh& mesh, ConstPoints rest) {
    std::vector<double> length(mesh.vertices, 0);
    for (const auto& [a, b] : mesh.lines) {
        const double half = (rest[b] - rest[a]).norm() / 2;
        length[a] += half;
        length[b] += half;
    }
    return length;
}

std::vector<double> lumped_mass(const PolygonMesh& mesh, ConstPoints rest, double areal, double linear,
                                AreaOf area) {
    if (!mesh.faces.empty()) require_density(areal, "the areal density", "kg/m^2");
    const std::vector<double> same(mesh.vertices, mesh.faces.empty() ? 1.0 : areal);
    return lumped_mass(mesh, rest, same, linear, area);
}

std::vector<double> lumped_mass(const PolygonMesh& mesh, ConstPoints rest, std::span<const double> areal,
                                double linear, AreaOf area) {
    if (areal.size() != static_cast<std::size_t>(mesh.vertices))
        throw InputError({}, "areal densities must be one per vertex", std::to_string(areal.size()),
                         "expected " + std::to_string(mesh.vertices));
    for (const double density : areal) require_density(density, "the areal density", "kg/m^2");
    if (!mesh.lines.empty()) require_density(linear, "the linear density", "kg/m");

    std::vector<double> mass = area == AreaOf::pattern ? pattern_areas(mesh) : vertex_areas(mesh, rest);
    for (std::size_t v = 0; v < mass.size(); ++v) mass[v] *= areal[v];
    if (!mesh.lines.empty()) {
        const std::vector<double> length = vertex_lengths(mesh, rest);
        for (std::size_t v = 0; v < mass.size(); ++v) mass[v] += linear * length[v];
    }
    for (std::size_t v = 0; v < mass.size(); ++v)
        if (!(std::isfinite(mass[v]) && mass[v] > 0))
            throw InputError({}, "vertex " + std::to_string(v) + " has no finite positive mass",
                             number_text(mass[v]), "remove unused vertices and check sizes and densities");
    return mass;
}

}  // namespace taut::mesh

#include "taut/scene/cloth_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/mesh/mass.hpp"

namespace taut::scene {
namespace {

// Refuses triangles that are flat in the pattern, as forces see them: quads are cut from their first corner.
void require_pattern_areas(const ErrorPlace& place, const mesh::PolygonMesh& mesh) {
    constexpr double least = 1e-9;  // of the square of the longest side: thinner ones have no direction
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const auto& uv = mesh.corner_uv[f];
        for (std::size_t k = 1; k + 1 < static_cast<std::size_t>(mesh.faces[f].size()); ++k) {
            const Vec2 p = uv[k] - uv[0], q = uv[k + 1] - uv[0];
            const double twice = std::abs(p.x() * q.y() - p.y() * q.x());
            const double longest = std::max({p.squaredNorm(), q.squaredNorm(), (q - p).squaredNorm()});
            if (std::isfinite(twice) && twice > least * longest) continue;
            throw InputError(place, "a face has no area in the pattern of texture coordinates",
                             fmt::format("face {} (from 0), of {:.3g} m^2", f, 0.5 * twice),
                             "mend the texture coordinates, or set \"pattern\": \"rest\"");
        }
    }
}

}  // namespace

bool cut_pattern(const Scene& scene, const ClothSpec& spec, MadeCloth& cloth) {
    const ClothParams& params = spec.params;
    const bool cut = params.pattern == "uv" || (params.pattern == "auto" && cloth.flat_uv);
    if (!cut) {
        if (params.uv_scale != 1)
            throw InputError({scene.file, spec.pointer + "/uv_scale"},
                             "the cloth has no pattern that could be scaled", number_text(params.uv_scale),
                             "set \"pattern\": \"uv\", or leave uv_scale out");
        return false;
    }
    const ErrorPlace place{scene.file, spec.pointer + "/pattern"};
    mesh::PolygonMesh& mesh = cloth.made.mesh;
    if (mesh.faces.empty() || mesh.corner_uv.empty()) {
        throw InputError(place, fmt::format("cloth '{}' has no texture coordinates", params.name), "\"uv\"",
                         mesh.faces.empty()
                             ? "a chain has no pattern: set \"pattern\": \"rest\""
                             : "give every face of an OBJ file some, or set \"pattern\": \"rest\"");
    }
    for (auto& corners : mesh.corner_uv)
        for (Vec2& uv : corners) uv *= params.uv_scale;
    require_pattern_areas(place, mesh);
    return true;
}

std::vector<double> cloth_masses(const Scene& scene, const ClothSpec& spec, const MadeCloth& cloth,
                                 bool cut) {
    const mesh::PolygonMesh& mesh = cloth.made.mesh;
    const MaterialParams& material = spec.material.params;
    const std::vector<double>& density = spec.density_per_vertex;
    const mesh::AreaOf area = cut ? mesh::AreaOf::pattern : mesh::AreaOf::rest;
    if (density.empty()) {
        return mesh::lumped_mass(mesh, cloth.made.rest, material.density, material.linear_density, area);
    }
    if (density.size() != cloth.made.rest.size()) {
        throw InputError({scene.file, spec.pointer + "/density_per_vertex"},
                         "there must be one density per vertex", std::to_string(density.size()),
                         fmt::format("allowed: {}", cloth.made.rest.size()));
    }
    if (!mesh.faces.empty())
        return mesh::lumped_mass(mesh, cloth.made.rest, density, material.linear_density, area);

    // Weigh chains by the length that belongs to each vertex.
    std::vector<double> mass = mesh::vertex_lengths(mesh, cloth.made.rest);
    for (std::size_t i = 0; i < mass.size(); ++i) mass[i] *= density[i];
    return mass;
}

}  // namespace taut::scene

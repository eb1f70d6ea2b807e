// Spheres, capsules, tubes, boxes, polygonal spheres and plane patches as triangles with exact normals;
// meshes with normals averaged by area.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/collision/polygon_sphere.hpp"
#include "taut/io/picture_scene.hpp"

namespace taut::io::picture {
namespace {

constexpr float half_turn = std::numbers::pi_v<float>;

int add_vertex(Scene& scene, const Vec3f& p, const Vec3f& n, float strain) {
    scene.position.push_back(p);
    scene.normal.push_back(n);
    scene.strain.push_back(strain);
    return static_cast<int>(scene.position.size()) - 1;
}

// Two triangles for each cell of a rows x columns lattice of vertices that starts at `first`.
void add_lattice(Scene& scene, int first, int rows, int columns, std::uint8_t material) {
    for (int r = 0; r + 1 < rows; ++r) {
        for (int c = 0; c + 1 < columns; ++c) {
            const int a = first + r * columns + c, b = a + 1, d = a + columns, e = d + 1;
            scene.triangles.push_back({{a, b, e}, material, 0});
            scene.triangles.push_back({{a, e, d}, material, 0});
        }
    }
}

// Two unit vectors that complete `axis` to a right-handed frame.
std::array<Vec3f, 2> across(const Vec3f& axis) {
    const Vec3f other = std::abs(axis.z()) < 0.9f ? Vec3f::UnitZ() : Vec3f::UnitX();
    const Vec3f u = other.cross(axis).normalized();
    return {u, axis.cross(u)};
}

// A solid of revolution about axis: rows of (along the axis, radius, normal's axial and radial part).
struct Profile {
    float along, radius, normal_along, normal_radial;
};

void append_revolution(Scene& scene, const Vec3f& base, const Vec3f& axis, const std::vector<Profile>& rows,
                       int sides, std::uint8_t material, float strain) {
    const int first = static_cast<int>(scene.position.size());
    const auto [u, w] = across(axis);
    for (const Profile& row : rows) {
        for (int s = 0; s <= sides; ++s) {
            const float angle = 2 * half_turn * static_cast<float>(s % sides) / static_cast<float>(sides);
            const Vec3f out = std::cos(angle) * u + std::sin(angle) * w;
            add_vertex(scene, base + row.along * axis + row.radius * out,
                       row.normal_along * axis + row.normal_radial * out, strain);
        }
    }
    add_lattice(scene, first, static_cast<int>(rows.size()), sides + 1, material);
}

// Rows of a half circle from angle `from` to `to` (measured from the equator), shifted along the axis.
void add_arc(std::vector<Profile>& rows, float from, float to, int steps, float radius, float shift) {
    for (int k = 0; k <= steps; ++k) {
        const float angle = from + (to - from) * static_cast<float>(k) / static_cast<float>(steps);
        const float s = std::sin(angle), c = std::cos(angle);
        rows.push_back({shift + radius * s, radius * c, s, c});
    }
}

}  // namespace

void append_sphere(Scene& scene, const Vec3f& center, float radius, int sides, std::uint8_t material,
                   float strain) {
    std::vector<Profile> rows;
    add_arc(rows, -half_turn / 2, half_turn / 2, std::max(3, sides / 2), radius, 0);
    append_revolution(scene, center, Vec3f::UnitZ(), rows, sides, material, strain);
}

void append_capsule(Scene& scene, const Vec3f& a, const Vec3f& b, float radius, int sides,
                    std::uint8_t material) {
    const float length = (b - a).norm();
    const Vec3f axis = length > 0 ? Vec3f((b - a) / length) : Vec3f::UnitZ();
    std::vector<Profile> rows;
    add_arc(rows, -half_turn / 2, 0, std::max(2, sides / 4), radius, 0);
    add_arc(rows, 0, half_turn / 2, std::max(2, sides / 4), radius, length);
    append_revolution(scene, a, axis, rows, sides, material, 0);
}

void append_tube(Scene& scene, const Vec3f& a, const Vec3f& b, float radius, int sides, std::uint8_t material,
                 float strain) {
    const float length = (b - a).norm();
    if (!(length > 0)) return;
    append_revolution(scene, a, (b - a) / length, {{0, radius, 0, 1}, {length, radius, 0, 1}}, sides,
                      material, strain);
}

void append_box(Scene& scene, const Vec3f& center, const Eigen::Matrix3f& axes, const Vec3f& half_size,
                float rounding, std::uint8_t material) {
    const float round = std::clamp(rounding, 0.0f, half_size.minCoeff());
    const Vec3f core = half_size.array() - round;

    // Place lattice lines on the faces so that the rounded edge gets six facets, the flat part eight.
    constexpr int edge_steps = 3, flat_steps = 8;
    const auto lines = [&](float half) {
        std::vector<float> at;
        at.reserve(2 * edge_steps + flat_steps + 1);
        for (int k = 0; k < edge_steps; ++k) {
            at.push_back(-half +
                         round * (1 - std::tan(half_turn / 4 * (1 - static_cast<float>(k) / edge_steps))));
        }
        for (int k = 0; k <= flat_steps; ++k) {
            at.push_back((half - round) * (2 * static_cast<float>(k) / flat_steps - 1));
        }
        for (int k = edge_steps - 1; k >= 0; --k) at.push_back(-at[static_cast<std::size_t>(k)]);
        return at;
    };

    // Push every lattice point of the six faces out from the core by the rounding radius.
    for (int face = 0; face < 6; ++face) {
        const int k = face / 2, i = (k + 1) % 3, j = (k + 2) % 3;
        const int first = static_cast<int>(scene.position.size());
        const std::vector<float> rows = lines(half_size[i]), columns = lines(half_size[j]);
        for (float r : rows) {
            for (float c : columns) {
                Vec3f q, normal = Vec3f::Zero();
                q[k] = face % 2 == 0 ? half_size[k] : -half_size[k];
                q[i] = r;
                q[j] = c;
                const Vec3f inner = q.cwiseMax(-core).cwiseMin(core);
                normal[k] = face % 2 == 0 ? 1.0f : -1.0f;
                if (round > 0) normal = (q - inner).normalized();
                add_vertex(scene, center + axes * (inner + round * normal), axes * normal, 0);
            }
        }
        add_lattice(scene, first, static_cast<int>(rows.size()), static_cast<int>(columns.size()), material);
    }
}

void append_polygon_sphere(Scene& scene, const Vec3f& center, const Eigen::Matrix3f& axes, float radius,
                           int frequency, std::uint8_t material) {
    const collision::PolygonSphere& model = collision::unit_polygon_sphere(frequency);
    for (const collision::PolygonSphere::Face& face : model.faces()) {
        const Vec3f normal = axes * face.normal.cast<float>();
        std::array<int, 3> v{};
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3f corner = model.corners()[static_cast<std::size_t>(face.corner[k])].cast<float>();
            v[k] = add_vertex(scene, center + axes * (radius * corner), normal, 0);
        }
        scene.triangles.push_back({v, material, 0});
    }
}

void append_shell(Scene& scene, const std::vector<Vec3f>& points,
                  const std::vector<std::array<int, 3>>& triangles, float gap, std::uint8_t material) {
    const int first = static_cast<int>(scene.position.size());
    for (const Vec3f& p : points) add_vertex(scene, p, Vec3f::Zero(), 0);
    for (const auto& [a, b, c] : triangles) {
        const std::array<int, 3> v{first + a, first + b, first + c};
        const auto at = [&](std::size_t k) { return points[static_cast<std::size_t>(v[k] - first)]; };
        const Vec3f normal = (at(1) - at(0)).cross(at(2) - at(0));
        for (const int k : v) scene.normal[static_cast<std::size_t>(k)] += normal;
        scene.triangles.push_back({v, material, 0});
    }
    for (std::size_t k = static_cast<std::size_t>(first); k < scene.position.size(); ++k) {
        const float length = scene.normal[k].norm();
        scene.normal[k] = length > 0 ? Vec3f(scene.normal[k] / length) : Vec3f::UnitZ();
        if (length > 0) scene.position[k] -= gap * scene.normal[k];
    }
}

void append_patch(Scene& scene, const Vec3f& center, const Vec3f& normal, float half_size,
                  std::uint8_t material) {
    constexpr int cells = 32;
    const auto [u, w] = across(normal);
    const int first = static_cast<int>(scene.position.size());
    for (int r = 0; r <= cells; ++r) {
        for (int c = 0; c <= cells; ++c) {
            const float s = 2.0f * static_cast<float>(r) / cells - 1,
                        t = 2.0f * static_cast<float>(c) / cells - 1;
            add_vertex(scene, center + half_size * (s * u + t * w), normal, 0);
        }
    }
    add_lattice(scene, first, cells + 1, cells + 1, material);
}

}  // namespace taut::io::picture

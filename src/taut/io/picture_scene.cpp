// From a cache frame to triangles: quads are cut as collisions see them, from the first corner, edges without
// faces become tubes with a ball at every joint, obstacles are drawn a hair smaller than they
// are, so that cloth whose vertices touch them is not pierced between its vertices.
#include "taut/io/picture_scene.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "taut/collision/polygon_sphere.hpp"
#include "taut/io/picture_color.hpp"

namespace taut::io::picture {
namespace {

using mesh::Direction;

constexpr std::uint8_t signal = palette_size + 2;  // material of what is marked

// Flags for some of `count` things; what is beyond is left out.
std::vector<char> flags(const std::vector<int>& chosen, std::size_t count) {
    std::vector<char> list;
    if (!chosen.empty()) list.resize(count);
    for (const int k : chosen) {
        if (k >= 0 && static_cast<std::size_t>(k) < count) list[static_cast<std::size_t>(k)] = 1;
    }
    return list;
}

// Everything the steps below share.
struct Builder {
    const CacheHeader& header;
    const CacheFrame& frame;
    const Camera& camera;
    const PictureSettings& settings;
    std::vector<char> marked_face, marked_edge;
    Scene scene;
    std::vector<char> drawable;       // per cloth vertex
    std::vector<std::uint8_t> color;  // material per cloth vertex
    float spacing = 0;                // typical length of a cloth edge [m]
    float pixel = 0;                  // size of a pixel at the centre [m]

    Vec3f local(const Vec3& p) const { return (p - camera.center).cast<float>(); }
    bool has(int v) const {
        return v >= 0 && static_cast<std::size_t>(v) < drawable.size() &&
               drawable[static_cast<std::size_t>(v)];
    }
    bool marked(const std::vector<char>& list, std::size_t k) const { return k < list.size() && list[k]; }
    const Vec3f& at(int v) const { return scene.position[static_cast<std::size_t>(v)]; }
};

// Take over the positions; leave out what single precision or the picture cannot hold.
void place_vertices(Builder& b) {
    const std::size_t n = b.frame.x.size();
    const double reach = 1e4 * b.camera.radius;
    b.drawable.assign(n, 0);
    b.scene.position.assign(n, Vec3f::Zero());
    b.scene.normal.assign(n, Vec3f::Zero());
    b.scene.strain.assign(n, 0);
    b.scene.two_sided = n;
    for (std::size_t v = 0; v < n; ++v) {
        const Vec3 p = b.frame.x[v] - b.camera.center;
        if (!(p.cwiseAbs().maxCoeff() < reach)) continue;
        b.scene.position[v] = p.cast<float>();
        b.drawable[v] = 1;
    }
}

void choose_materials(Builder& b) {
    for (int k = 0; k < palette_size; ++k) {
        Material material = cloth_material(k);
        material.strained = b.settings.strain_colors;
        b.scene.materials.push_back(material);
    }
    b.scene.materials.push_back(obstacle_material());
    b.scene.materials.push_back(plane_material());
    b.scene.materials.push_back(signal_material());
    b.color.assign(b.frame.x.size(), 0);
    for (std::size_t c = 0; c < b.header.cloths.size(); ++c) {
        const Cloth& cloth = b.header.cloths[c];
        const auto count = static_cast<std::ptrdiff_t>(b.color.size());
        const std::ptrdiff_t first = std::clamp<std::ptrdiff_t>(cloth.first_vertex, 0, count);
        const std::ptrdiff_t last = std::clamp<std::ptrdiff_t>(first + cloth.vertex_count, first, count);
        std::fill(b.color.begin() + first, b.color.begin() + last,
                  static_cast<std::uint8_t>(c % palette_size));
    }
}

// Give every vertex the largest strain of the yarn edges that meet there, as a part of the scale.
void measure_edges(Builder& b) {
    double total = 0;
    std::size_t count = 0;
    const double scale = strain_scale(b.header, b.settings);
    const std::size_t edges = std::min(b.header.edges.size(), b.header.rest_length.size());
    for (std::size_t e = 0; e < edges; ++e) {
        const mesh::Edge& edge = b.header.edges[e];
        if (!b.has(edge.a) || !b.has(edge.b)) continue;
        const auto i = static_cast<std::size_t>(edge.a), j = static_cast<std::size_t>(edge.b);
        const double length = (b.frame.x[i] - b.frame.x[j]).norm(), rest = b.header.rest_length[e];
        if (edge.direction == Direction::none || !(rest > 0)) continue;
        total += rest;
        ++count;
        const float part = static_cast<float>(std::min(1.0, std::abs(length / rest - 1) / scale));
        b.scene.strain[i] = std::max(b.scene.strain[i], part);
        b.scene.strain[j] = std::max(b.scene.strain[j], part);
    }
    b.spacing = count > 0 ? static_cast<float>(total / static_cast<double>(count))
                          : 0.01f * static_cast<float>(b.camera.radius);
    b.spacing = std::min(b.spacing, 0.1f * static_cast<float>(b.camera.radius));
}

// Bit k of a face: its side from corner k to the next is a yarn edge.
std::vector<std::uint8_t> yarn_sides(const CacheHeader& header) {
    std::vector<std::uint8_t> sides(header.faces.size(), 0);
    for (const mesh::Edge& edge : header.edges) {
        if (edge.direction == Direction::none) continue;
        for (int f : edge.face) {
            if (f < 0 || static_cast<std::size_t>(f) >= sides.size()) continue;
            const mesh::Face& face = header.faces[static_cast<std::size_t>(f)];
            for (int k = 0; k < face.size(); ++k) {
                const int a = face.corner[static_cast<std::size_t>(k)];
                const int c = face.corner[static_cast<std::size_t>((k + 1) % face.size())];
                if (std::minmax(a, c) == std::minmax(edge.a, edge.b)) {
                    sides[static_cast<std::size_t>(f)] |= static_cast<std::uint8_t>(1 << k);
                }
            }
        }
    }
    return sides;
}

// Add corners i, i+1, i+2 of a face (steps of one: two sides of the face, then the diagonal).
void add_corner_triangle(Builder& b, std::size_t f, int i, std::uint8_t sides, bool closed) {
    const mesh::Face& face = b.header.faces[f];
    const int n = face.size();
    const auto side = [&](int k) { return (sides >> (k % n)) & 1; };
    const std::array<int, 3> v{face.corner[static_cast<std::size_t>(i % n)],
                               face.corner[static_cast<std::size_t>((i + 1) % n)],
                               face.corner[static_cast<std::size_t>((i + 2) % n)]};
    const int wire = side(i + 1) | ((closed ? side(i + 2) : 0) << 1) | (side(i) << 2);
    const Vec3f normal = (b.at(v[1]) - b.at(v[0])).cross(b.at(v[2]) - b.at(v[0]));
    for (int k : v) b.scene.normal[static_cast<std::size_t>(k)] += normal;
    const std::uint8_t material =
        b.marked(b.marked_face, f) ? signal : b.color[static_cast<std::size_t>(v[0])];
    b.scene.triangles.push_back({v, material, static_cast<std::uint8_t>(wire)});
}

void add_faces(Builder& b) {
    std::vector<std::uint8_t> sides;
    if (b.settings.wireframe) sides = yarn_sides(b.header);
    b.scene.triangles.reserve(2 * b.header.faces.size());
    for (std::size_t f = 0; f < b.header.faces.size(); ++f) {
        const mesh::Face& face = b.header.faces[f];
        const auto& c = face.corner;
        if (!b.has(c[0]) || !b.has(c[1]) || !b.has(c[2])) continue;
        const std::uint8_t yarn = sides.empty() ? 0 : sides[f];
        if (face.size() == 3) {
            add_corner_triangle(b, f, 0, yarn, true);
            continue;
        }
        if (!b.has(c[3])) continue;
        add_corner_triangle(b, f, 0, yarn, false);
        add_corner_triangle(b, f, 2, yarn, false);
    }
    for (Vec3f& normal : b.scene.normal) {
        const float length = normal.norm();
        normal = length > 0 ? Vec3f(normal / length) : Vec3f::UnitZ();
    }
}

// Draw edges without faces as tubes, their vertices as balls where there is room for them.
void add_chains(Builder& b) {
    std::vector<std::size_t> lines;
    double total = 0;
    const std::size_t edges = std::min(b.header.edges.size(), b.header.rest_length.size());
    for (std::size_t e = 0; e < edges; ++e) {
        const mesh::Edge& edge = b.header.edges[e];
        if (edge.face[0] >= 0 || edge.face[1] >= 0 || !b.has(edge.a) || !b.has(edge.b)) continue;
        lines.push_back(e);
        total += (b.at(edge.a) - b.at(edge.b)).norm();
    }
    if (lines.empty()) return;
    const float mean = static_cast<float>(total / static_cast<double>(lines.size()));
    const float thickest = 0.008f * static_cast<float>(b.camera.radius);
    const float radius = std::max(std::min(0.12f * mean, thickest), 1.1f * b.pixel);
    const float joint = 2.1f * radius < 0.3f * mean ? 2.1f * radius : radius;
    const auto facets = [&](float r) { return std::clamp(static_cast<int>(2.5f * r / b.pixel) + 5, 6, 32); };

    std::vector<char> balls(b.drawable.size(), 0);
    for (std::size_t e : lines) {
        const mesh::Edge& edge = b.header.edges[e];
        const auto i = static_cast<std::size_t>(edge.a), j = static_cast<std::size_t>(edge.b);
        const double rest = b.header.rest_length[e], length = (b.frame.x[i] - b.frame.x[j]).norm();
        const double strain = rest > 0 ? std::abs(length / rest - 1) : 0;
        const Vec3f from = b.at(edge.a), to = b.at(edge.b);
        append_tube(b.scene, from, to, radius, facets(radius),
                    b.marked(b.marked_edge, e) ? signal : b.color[i],
                    static_cast<float>(std::min(1.0, strain / strain_scale(b.header, b.settings))));
        balls[i] = balls[j] = 1;
    }
    for (std::size_t v = 0; v < balls.size(); ++v) {
        if (!balls[v]) continue;
        const Vec3f center = b.scene.position[v];
        append_sphere(b.scene, center, joint, facets(joint), b.color[v], b.scene.strain[v]);
    }
}

void add_mesh(Builder& b, std::size_t k) {
    const collision::ObstacleMesh& mesh = *b.header.obstacles[k].mesh;
    std::vector<Vec3f> points;
    double size = 0;
    for (const Vec3& p : obstacle_points(b.header, b.frame, k)) {
        points.push_back(b.local(p));
        size = std::max(size, (p - b.camera.center).norm());
    }

    // Leave out what single precision or the picture cannot hold, and shadows of what dwarfs the scene.
    if (!(size < 1e4 * b.camera.radius)) return;
    const std::uint8_t solid = size > 4 * b.camera.radius ? palette_size + 1 : palette_size;

    // Stay below the cloth by part of its cells, and by less where the mesh is finer.
    double edges = 0;
    for (const auto& t : mesh.triangles)
        edges += static_cast<double>(
            (points[static_cast<std::size_t>(t[0])] - points[static_cast<std::size_t>(t[1])]).norm());
    const auto mean = static_cast<float>(edges / static_cast<double>(mesh.triangles.size()));
    append_shell(b.scene, points, mesh.triangles, std::min(0.05f * b.spacing, 0.1f * mean), solid);
}

void add_obstacle(Builder& b, const collision::Obstacle& obstacle, const RigidTransform& place) {
    // Give solids that dwarf the scene no shadow of their own: it would coarsen all others.
    const double size = obstacle.shape == collision::Shape::box ? obstacle.half_size.norm()
                        : obstacle.shape == collision::Shape::capsule
                            ? (obstacle.end - obstacle.center).norm()
                            : obstacle.radius;
    constexpr std::uint8_t patch = palette_size + 1;
    const std::uint8_t solid = size > 3 * b.camera.radius ? patch : palette_size;
    const Vec3f center = b.local(place(obstacle.center));
    const float radius = static_cast<float>(obstacle.radius);

    // Keep facets of round shapes within a quarter of a pixel of the true outline.
    const int sides = std::clamp(static_cast<int>(4.5f * std::sqrt(radius / b.pixel)), 96, 640);

    // Stay below the chords of cloth edges: sagitta of a round surface, part of a cell at a sharp edge.
    const float round_gap =
        radius > 0 ? std::min(0.05f * b.spacing + 0.3f * b.spacing * b.spacing / radius, 0.05f * radius) : 0;
    switch (obstacle.shape) {
        case collision::Shape::sphere:
            append_sphere(b.scene, center, radius - round_gap, sides, solid);
            break;
        case collision::Shape::capsule:
            append_capsule(b.scene, center, b.local(place(obstacle.end)), radius - round_gap, sides, solid);
            break;
        case collision::Shape::box: {
            const Vec3f half = obstacle.half_size.cast<float>();
            const float gap = std::min(0.1f * b.spacing, 0.05f * half.minCoeff());
            const float rounding = std::min(0.6f * b.spacing, 0.1f * half.minCoeff());
            append_box(b.scene, center, place.rotation.cast<float>(), half.array() - gap, rounding, solid);
            break;
        }
        case collision::Shape::polygon_sphere: {
            // Add what a cloth edge cuts off where it bends over an edge between two faces.
            const float gap = round_gap + 0.25f * b.spacing / static_cast<float>(obstacle.frequency);
            append_polygon_sphere(b.scene, center, place.rotation.cast<float>(),
                                  radius - std::min(gap, 0.05f * radius), obstacle.frequency, solid);
            break;
        }
        case collision::Shape::mesh:
            break;
        case collision::Shape::plane: {
            // A level plane is the floor; others are drawn as a patch if the camera sees their face.
            const Vec3 normal = place.rotation * obstacle.normal;
            const double above = normal.dot(b.camera.eye - place(obstacle.center));
            if (normal.z() > 0.999 || !(above > 0)) break;
            const Vec3 middle =
                b.camera.center + normal * normal.dot(place(obstacle.center) - b.camera.center);
            append_patch(b.scene, b.local(middle - normal * (0.1 * static_cast<double>(b.spacing))),
                         normal.cast<float>(), 1.3f * static_cast<float>(b.camera.radius), patch);
        }
    }
}

bool drawable(const collision::Obstacle& obstacle, const RigidTransform& place) {
    const bool round = obstacle.shape == collision::Shape::sphere ||
                       obstacle.shape == collision::Shape::capsule ||
                       obstacle.shape == collision::Shape::polygon_sphere;
    return place.rotation.allFinite() && place.translation.allFinite() && obstacle.center.allFinite() &&
           obstacle.end.allFinite() && obstacle.normal.norm() > 0 && (!round || obstacle.radius > 0) &&
           std::isfinite(obstacle.radius) && obstacle.half_size.allFinite() &&
           obstacle.half_size.minCoeff() >= 0 && obstacle.frequency >= 1 &&
           obstacle.frequency <= collision::PolygonSphere::max_frequency;
}

}  // namespace

double strain_scale(const CacheHeader& header, const PictureSettings& settings) {
    if (settings.strain_limit > 0) return settings.strain_limit;
    return header.tolerance > 0 ? header.tolerance : 0.01;
}

Scene build_scene(const CacheHeader& header, const CacheFrame& frame, const Camera& camera,
                  const PictureSettings& settings, const PictureMarks& marks) {
    Builder b{header, frame, camera, settings, {}, {}, {}, {}, {}};
    b.marked_face = flags(marks.faces, header.faces.size());
    b.marked_edge = flags(marks.edges, header.edges.size());
    const double distance = std::max((camera.center - camera.eye).dot(camera.forward), camera.radius);
    b.pixel = static_cast<float>(2 * distance * std::tan(camera.fov * EIGEN_PI / 360) / settings.height);
    place_vertices(b);
    choose_materials(b);
    measure_edges(b);
    add_faces(b);
    add_chains(b);
    for (std::size_t k = 0; k < header.obstacles.size(); ++k) {
        const RigidTransform place = k < frame.obstacles.size() ? frame.obstacles[k] : RigidTransform{};
        if (header.obstacles[k].shape == collision::Shape::mesh) {
            add_mesh(b, k);
        } else if (drawable(header.obstacles[k], place)) {
            add_obstacle(b, header.obstacles[k], place);
        }
    }
    return std::move(b.scene);
}

}  // namespace taut::io::picture

#include "taut/io/verify_surface.hpp"

#include <algorithm>
#include <utility>

#include "taut/collision/surface.hpp"
#include "taut/mesh/topology.hpp"

namespace taut::io::verify {
namespace {

using Triangle = std::array<int, 3>;

void add_triangle(Surface& surface, const Triangle& triangle, int group, int body, int source) {
    surface.triangles.push_back(triangle);
    surface.group.push_back(group);
    surface.body.push_back(body);
    surface.source.push_back(source);
}

void add_cloth(const CacheHeader& header, int index, Surface& surface) {
    const Cloth& cloth = header.cloths[static_cast<std::size_t>(index)];
    surface.first_point.push_back(cloth.first_vertex);
    for (int f = 0; f < cloth.face_count; ++f) {
        const mesh::Face& face =
            header.faces[static_cast<std::size_t>(cloth.first_face) + static_cast<std::size_t>(f)];
        for (const Triangle& triangle : mesh::split_faces({&face, 1}))
            add_triangle(surface, triangle, index, index, f);
    }
    for (int e = 0; e < cloth.edge_count; ++e) {
        const mesh::Edge& edge =
            header.edges[static_cast<std::size_t>(cloth.first_edge) + static_cast<std::size_t>(e)];
        if (edge.face[0] < 0 && edge.face[1] < 0)
            add_triangle(surface, {edge.a, edge.b, edge.b}, index, index, -1);
    }
}

void add_obstacle(const collision::Obstacle& obstacle, int body, Surface& surface) {
    surface.first_point.push_back(surface.points);
    if (const auto shell = collision::as_mesh(obstacle)) {
        for (std::size_t k = 0; k < shell->triangles.size(); ++k) {
            const Triangle& t = shell->triangles[k];
            add_triangle(surface, {t[0] + surface.points, t[1] + surface.points, t[2] + surface.points}, -1,
                         body, static_cast<int>(k));
        }
        surface.points += static_cast<int>(shell->points.size());
    } else if (obstacle.shape == collision::Shape::plane) {
        surface.planes.push_back(body);
    } else {
        const bool capsule = obstacle.shape == collision::Shape::capsule;
        surface.rounds.push_back(
            {body, {surface.points, surface.points + (capsule ? 1 : 0)}, obstacle.radius});
        surface.points += capsule ? 2 : 1;
    }
}

// Gives every vertex and edge to the first triangle that has it.
void choose_owners(Surface& surface) {
    struct Side {
        std::pair<int, int> ends;
        std::size_t triangle, corner;
        auto operator<=>(const Side&) const = default;
    };
    std::vector<std::uint8_t> taken(static_cast<std::size_t>(surface.points), 0);
    std::vector<Side> sides;
    surface.owned.assign(surface.triangles.size(), 0);
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = surface.triangles[t][k], b = surface.triangles[t][(k + 1) % 3];
            std::uint8_t& owner = taken[static_cast<std::size_t>(a)];
            if (owner == 0) surface.owned[t] |= static_cast<std::uint8_t>(1u << k);
            owner = 1;
            if (a != b) sides.push_back({std::minmax({a, b}), t, k});
        }
    }
    std::sort(sides.begin(), sides.end());
    for (std::size_t s = 0; s < sides.size(); ++s) {
        if (s > 0 && sides[s].ends == sides[s - 1].ends) continue;
        surface.owned[sides[s].triangle] |= static_cast<std::uint8_t>(8u << sides[s].corner);
    }
}

}  // namespace

bool Surface::allowed_to_meet(int a, int b) const {
    const int group_a = group[static_cast<std::size_t>(a)], group_b = group[static_cast<std::size_t>(b)];
    return group_a == group_b && (group_a < 0 || no_self[static_cast<std::size_t>(group_a)] != 0);
}

Surface make_surface(const CacheHeader& header, const VerifyOptions& options) {
    Surface surface;
    surface.header = &header;
    surface.cloth_points = surface.points = header.vertices;
    const int cloths = static_cast<int>(header.cloths.size());
    for (int c = 0; c < cloths; ++c) add_cloth(header, c, surface);
    surface.no_self.assign(header.cloths.size(), options.self ? 0 : 1);
    surface.cloth_triangles = surface.triangles.size();
    for (std::size_t k = 0; options.obstacles && k < header.obstacles.size(); ++k)
        add_obstacle(header.obstacles[k], cloths + static_cast<int>(k), surface);
    choose_owners(surface);
    return surface;
}

void place(const Surface& surface, const CacheFrame& frame, Points& x) {
    x.assign(frame.x.begin(), frame.x.end());
    const std::size_t cloths = surface.header->cloths.size();
    for (std::size_t body = cloths; body < surface.first_point.size(); ++body) {
        const std::size_t k = body - cloths;
        const collision::Obstacle& obstacle = surface.header->obstacles[k];
        const RigidTransform& at = frame.obstacles[k];
        if (obstacle.shape == collision::Shape::mesh) {
            const Points points = obstacle_points(*surface.header, frame, k);
            x.insert(x.end(), points.begin(), points.end());
        } else if (const auto shell = collision::as_mesh(obstacle)) {
            for (const Vec3& p : shell->points) x.push_back(at(p));
        } else if (obstacle.shape != collision::Shape::plane) {
            x.push_back(at(obstacle.center));
            if (obstacle.shape == collision::Shape::capsule) x.push_back(at(obstacle.end));
        }
    }
}

BodyPart vertex_part(const Surface& surface, int body, int point) {
    const int local = point - surface.first_point[static_cast<std::size_t>(body)];
    return {BodyPart::Kind::vertex, body, local, {local, -1, -1, -1}};
}

BodyPart edge_part(const Surface& surface, int body, int a, int b) {
    const int first = surface.first_point[static_cast<std::size_t>(body)];
    return {BodyPart::Kind::edge, body, -1, {std::min(a, b) - first, std::max(a, b) - first, -1, -1}};
}

BodyPart triangle_part(const Surface& surface, int triangle) {
    const auto t = static_cast<std::size_t>(triangle);
    const int body = surface.body[t], first = surface.first_point[static_cast<std::size_t>(body)];
    const Triangle& corner = surface.triangles[t];
    if (surface.source[t] < 0) return edge_part(surface, body, corner[0], corner[1]);
    BodyPart part{BodyPart::Kind::face, body, surface.source[t], {-1, -1, -1, -1}};
    for (std::size_t k = 0; k < 3; ++k) part.vertex[k] = corner[k] - first;

    // Name the whole face where the triangle is half a quad.
    if (surface.group[t] >= 0) {
        const Cloth& cloth = surface.header->cloths[static_cast<std::size_t>(body)];
        const mesh::Face& face = surface.header->faces[static_cast<std::size_t>(cloth.first_face) +
                                                       static_cast<std::size_t>(surface.source[t])];
        for (std::size_t k = 0; k < 4; ++k) part.vertex[k] = face.corner[k] < 0 ? -1 : face.corner[k] - first;
    }
    return part;
}

BodyPart solid_part(int body) { return {BodyPart::Kind::solid, body, -1, {-1, -1, -1, -1}}; }

}  // namespace taut::io::verify

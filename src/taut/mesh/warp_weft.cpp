#include "taut/mesh/warp_weft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace taut::mesh {
namespace {

// An edge follows a texture axis within this angle; a diagonal of any quad of aspect up to 2:1 does not.
constexpr double axis_tolerance = 25 * std::numbers::pi / 180;

// Squared metres per squared texture unit along u and v, least squares over all sides; so that the
// diagonals of stretched textures stay oblique.
Vec2 texture_scale(const PolygonMesh& mesh, ConstPoints rest) {
    double uu = 0, uv = 0, vv = 0, lu = 0, lv = 0;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const Face& face = mesh.faces[f];
        for (int k = 0; k < face.size(); ++k) {
            const int m = k + 1 == face.size() ? 0 : k + 1;
            const Vec2 d = (mesh.corner_uv[f][m] - mesh.corner_uv[f][k]).cwiseAbs2();
            const double l = (rest[face.corner[m]] - rest[face.corner[k]]).squaredNorm();
            uu += d.x() * d.x(), uv += d.x() * d.y(), vv += d.y() * d.y();
            lu += d.x() * l, lv += d.y() * l;
        }
    }
    const double det = uu * vv - uv * uv;
    const Vec2 scale((lu * vv - lv * uv) / det, (lv * uu - lu * uv) / det);
    const bool usable = det > 1e-9 * uu * vv && scale.allFinite() && scale.minCoeff() > 0;
    return usable ? scale : Vec2(1, 1);
}

// What one face says about one of its edges.
struct SideClass {
    Direction direction = Direction::none;
    double deviation = std::numbers::pi;  // from the nearest texture axis [rad]; pi: the side is a point
};

SideClass classify_side(const Vec2& d, const Vec2& scale) {
    const double u = std::sqrt(scale.x()) * std::abs(d.x()), v = std::sqrt(scale.y()) * std::abs(d.y());
    if (!(std::max(u, v) > 0)) return {};
    SideClass side;
    side.deviation = std::atan2(std::min(u, v), std::max(u, v));
    if (side.deviation <= axis_tolerance) side.direction = u >= v ? Direction::weft : Direction::warp;
    return side;
}

// Gives every edge the word of the face that sees it closest to an axis; false if all texture
// coordinates coincide.
bool classify_by_texture(const PolygonMesh& mesh, const Topology& topology, ConstPoints rest,
                         WarpWeft& result) {
    const Vec2 scale = texture_scale(mesh, rest);
    std::vector<SideClass> best(topology.edges.size());
    std::vector<std::uint8_t> disputed(topology.edges.size(), 0);
    bool usable = false;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const int n = mesh.faces[f].size();
        for (int k = 0; k < n; ++k) {
            const auto& uv = mesh.corner_uv[f];
            const SideClass side = classify_side(uv[k + 1 == n ? 0 : k + 1] - uv[k], scale);
            const int e = topology.face_edge[f][k];
            usable = usable || side.deviation < std::numbers::pi;
            if (side.direction != Direction::none && best[e].direction != Direction::none &&
                side.direction != best[e].direction)
                disputed[e] = 1;

            // Prefer the closer side; on a seam cut at a slant one side may know what the other does not.
            if (side.deviation < best[e].deviation - 1e-9) best[e] = side;
        }
    }
    if (!usable) return false;
    for (std::size_t e = 0; e < best.size(); ++e) {
        result.direction[e] = best[e].direction;
        if (disputed[e]) result.conflicts.push_back(static_cast<int>(e));
    }
    return true;
}

// The parity of every quad edge: 0 and 1 are the two grid directions of its part.
struct Parities {
    std::vector<std::int8_t> of_edge;  // -1: no quad
    std::vector<int> part;             // of each edge, -1: no quad
    int parts = 0;
};

// Spreads over quads breadth first from the lowest face of each part. Edge k of a face has parity
// (k + turn) mod 2; the first face to reach an edge decides, a later one that disagrees is a conflict.
Parities trace_quads(const PolygonMesh& mesh, const Topology& topology, std::vector<int>& conflicts) {
    Parities p;
    p.of_edge.assign(topology.edges.size(), -1);
    p.part.assign(topology.edges.size(), -1);
    std::vector<std::int8_t> turn(mesh.faces.size(), -1);
    std::vector<int> queue;
    for (std::size_t seed = 0; seed < mesh.faces.size(); ++seed) {
        if (turn[seed] >= 0 || mesh.faces[seed].size() != 4) continue;
        turn[seed] = 0;
        queue.assign(1, static_cast<int>(seed));
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const int f = queue[head];
            for (int k = 0; k < 4; ++k) {
                const int e = topology.face_edge[f][k];
                const auto parity = static_cast<std::int8_t>((k + turn[f]) % 2);
                if (p.of_edge[e] < 0) p.of_edge[e] = parity, p.part[e] = p.parts;
                if (p.of_edge[e] != parity) conflicts.push_back(e);

                // Turn unseen neighbours so that they agree on this edge.
                for (const int g : topology.edges[e].face) {
                    if (g < 0 || turn[g] >= 0 || mesh.faces[g].size() != 4) continue;
                    const auto& sides = topology.face_edge[g];
                    const auto m = std::find(sides.begin(), sides.end(), e) - sides.begin();
                    turn[g] = static_cast<std::int8_t>((parity + m) % 2);
                    queue.push_back(g);
                }
            }
        }
        ++p.parts;
    }
    return p;
}

// For each part, which parity is warp: the one that rises more along z, then y.
std::vector<std::int8_t> warp_parity(const Topology& topology, ConstPoints rest, const Parities& p) {
    struct Rise {
        Vec3 extent = Vec3::Zero();  // sum of |edge| by coordinate
        double length = 0;
    };
    std::vector<std::array<Rise, 2>> rise(p.parts);
    for (std::size_t e = 0; e < topology.edges.size(); ++e) {
        if (p.part[e] < 0) continue;
        const Vec3 d = rest[topology.edges[e].b] - rest[topology.edges[e].a];
        Rise& r = rise[p.part[e]][p.of_edge[e]];
        r.extent += d.cwiseAbs();
        r.length += d.norm();
    }
    std::vector<std::int8_t> result(p.parts, 1);
    for (int part = 0; part < p.parts; ++part) {
        for (const int axis : {2, 1, 0}) {
            const auto& [zero, one] = rise[part];
            const double gap = one.extent[axis] * zero.length - zero.extent[axis] * one.length;
            if (!(std::abs(gap) > 1e-6 * zero.length * one.length)) continue;
            result[part] = gap > 0 ? 1 : 0;
            break;
        }
    }
    return result;
}

void classify_by_quads(const PolygonMesh& mesh, const Topology& topology, ConstPoints rest,
                       WarpWeft& result) {
    const Parities p = trace_quads(mesh, topology, result.conflicts);
    const std::vector<std::int8_t> warp = warp_parity(topology, rest, p);
    for (std::size_t e = 0; e < topology.edges.size(); ++e)
        if (p.part[e] >= 0)
            result.direction[e] = p.of_edge[e] == warp[p.part[e]] ? Direction::warp : Direction::weft;
    std::sort(result.conflicts.begin(), result.conflicts.end());
    result.conflicts.erase(std::unique(result.conflicts.begin(), result.conflicts.end()),
                           result.conflicts.end());
}

}  // namespace

WarpWeft classify_edges(const PolygonMesh& mesh, const Topology& topology, ConstPoints rest) {
    WarpWeft result;
    result.direction.assign(topology.edges.size(), Direction::none);
    result.triangles_only = !mesh.faces.empty() && std::all_of(mesh.faces.begin(), mesh.faces.end(),
                                                               [](const Face& f) { return f.size() == 3; });
    result.from_uv = !mesh.corner_uv.empty() && classify_by_texture(mesh, topology, rest, result);
    if (!result.from_uv) classify_by_quads(mesh, topology, rest, result);
    for (std::size_t e = 0; e < topology.edges.size(); ++e)
        if (topology.edge_faces[e] == 0) result.direction[e] = Direction::warp;
    return result;
}

std::vector<MeshProblem> find_problems(const PolygonMesh& mesh, const Topology& topology,
                                       const WarpWeft& classes) {
    std::vector<MeshProblem> problems;
    const auto kept =
        static_cast<std::size_t>(std::count_if(classes.direction.begin(), classes.direction.end(),
                                               [](Direction d) { return d != Direction::none; }));
    const std::size_t all = topology.edges.size();

    // Say what triangles mean for the lengths.
    if (classes.triangles_only && kept == 0)
        problems.push_back(
            {Severity::warning,
             "the mesh has only triangles and nothing tells warp from weft: no edge keeps its length",
             "join triangles to quads, or give texture coordinates that follow the yarns; keeping "
             "every edge of a triangle mesh would lock it against bending",
             {},
             {},
             {}});
    else if (classes.triangles_only)
        problems.push_back(
            {Severity::warning,
             fmt::format("the mesh has only triangles: {} of {} edges follow the texture and keep "
                         "their length, the others may stretch",
                         kept, all),
             "join triangles to quads along the yarns",
             {},
             {},
             {}});
    else if (2 * kept < all && !mesh.faces.empty())
        problems.push_back(
            {Severity::warning,
             fmt::format("only {} of {} edges are warp or weft: the others may stretch", kept, all),
             classes.from_uv ? "turn the texture coordinates so that they follow the edges"
                             : "use more quads, or give texture coordinates that follow the yarns",
             {},
             {},
             {}});

    // Name where the two directions run into each other.
    if (!classes.conflicts.empty()) {
        const Edge& e = topology.edges[classes.conflicts.front()];
        problems.push_back(
            {Severity::warning,
             fmt::format("warp and weft meet without a seam at {} edges, first at edge {}-{}, vertices "
                         "counted from 0",
                         classes.conflicts.size(), e.a, e.b),
             "no length is lost, but yarns end there; texture coordinates can say what is meant",
             {},
             classes.conflicts,
             {}});
    }
    return problems;
}

}  // namespace taut::mesh

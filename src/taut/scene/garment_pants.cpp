// Trousers. The ring at the end of the trunk has 2 m vertices; a crotch seam of g inner vertices joins its
// front to its back. Half of the ring with the seam is the upper end of a leg, a ring of m + 1 + g. All faces
// are quads; the seam is weft, and warp runs up the inside of one leg, across it and down the other.
// Trunk and legs take the outlines of the body; around the crotch the net is then relaxed, each vertex
// towards the middle of its neighbours, and kept outside.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "taut/base/parallel.hpp"
#include "taut/collision/mannequin.hpp"
#include "taut/mesh/topology.hpp"
#include "taut/mesh/yarns.hpp"
#include "taut/scene/garment_body.hpp"
#include "taut/scene/garments.hpp"

namespace taut::scene {
namespace {

// Cloth of either leg keeps this far from the middle [m]; the legs themselves are 16 mm from it.
constexpr double leg_gap = 0.004;
// Looser trousers keep this ease at the crotch [m]: the gap between the legs has room for no more.
constexpr double crotch_ease = 0.008;
// The trunk ends this far above the crotch [m]: the seam rises so much to front and back.
constexpr double crotch_rise = 0.045;
// Edges along weft at the hip against those along warp; the legs are narrower and even it out.
constexpr double hip_stretch = 1.25;
// From the crotch on, leg rings turn from half a trunk into the outline of a leg over this height [m].
constexpr double leg_turn = 0.1;
// Leg rings hang lower inside than outside, as the seam does; so far below the split they are level [m].
constexpr double level_legs = 0.35;

// Rows and rings, and the numbers of their vertices.
struct PantsNet {
    int half, seam;  // m: half of the trunk's ring; g: inner vertices of the seam
    int trunk, leg;  // rows below the first ring of the trunk; rows of each leg below its upper end

    int ring() const { return 2 * half; }
    int leg_ring() const { return half + 1 + seam; }
    int first_seam() const { return (trunk + 1) * ring(); }
    int first_leg(bool right) const { return first_seam() + seam + (right ? leg * leg_ring() : 0); }
    int vertices() const { return first_leg(true) + leg * leg_ring(); }

    int trunk_vertex(int i, int j) const { return j * ring() + i % ring(); }
    // Vertex i of ring k of a leg: from the front over the outside to the back, then along the seam to the
    // front. The legs are mirror images, so right ones run clockwise.
    int leg_vertex(bool right, int i, int k) const {
        i %= leg_ring();
        if (k > 0) return first_leg(right) + (k - 1) * leg_ring() + i;
        if (i > half) return first_seam() + i - half - 1;
        return trunk_vertex(right ? ring() - i : i, trunk);
    }
};

// Heights and lengths of the cut [m].
struct PantsCut {
    double top, split, hem, knee;  // split: where the trunk ends at the sides
    double hip_girth, seam_length;
};

PantsCut measure_pants(const PantsParams& params, const GarmentBody& body) {
    const collision::MannequinLandmarks& marks = collision::Mannequin::landmarks();
    PantsCut cut{};
    cut.top = params.top;
    cut.split = marks.crotch + crotch_rise;
    cut.hem = params.hem;
    cut.knee = collision::rest_joint(collision::Joint::left_knee).z();
    cut.hip_girth = mesh::loop_length(mesh::curve_of(body.trunk(marks.hip.center.z())));
    const mesh::Support split = body.trunk(cut.split);
    const std::size_t quarter = split.size() / 4;
    cut.seam_length = split[quarter] + split[3 * quarter] + crotch_rise;
    return cut;
}

PantsNet net_for_edges(const PantsCut& cut, double edge) {
    const auto parts = [](double length, double part, int least) {
        return std::max(least, static_cast<int>(std::lround(length / part)));
    };
    return {parts(0.5 * cut.hip_girth, hip_stretch * edge, 8),
            parts(cut.seam_length, hip_stretch * edge, 3) - 1, parts(cut.top - cut.split, edge, 3),
            parts(cut.split - cut.hem, edge, 3)};
}

// The net whose number of vertices is nearest to the wish, among those of even edges.
PantsNet choose_net(const PantsCut& cut, int wish) {
    PantsNet best = net_for_edges(cut, 0.05);
    for (double edge = 0.05; edge > 1e-4; edge *= 0.998) {
        const PantsNet net = net_for_edges(cut, edge);
        if (std::abs(net.vertices() - wish) < std::abs(best.vertices() - wish)) best = net;
        if (net.vertices() > 1.2 * wish) break;
    }
    return best;
}

mesh::PolygonMesh pants_faces(const PantsNet& net) {
    mesh::PolygonMesh mesh;
    mesh.vertices = net.vertices();
    for (int j = 0; j < net.trunk; ++j)
        for (int i = 0; i < net.ring(); ++i)
            mesh.faces.push_back({{net.trunk_vertex(i, j), net.trunk_vertex(i, j + 1),
                                   net.trunk_vertex(i + 1, j + 1), net.trunk_vertex(i + 1, j)}});
    for (const bool right : {false, true})
        for (int k = 0; k < net.leg; ++k)
            for (int i = 0; i < net.leg_ring(); ++i) {
                mesh::Face face{{net.leg_vertex(right, i, k), net.leg_vertex(right, i, k + 1),
                                 net.leg_vertex(right, i + 1, k + 1), net.leg_vertex(right, i + 1, k)}};
                if (right) std::swap(face.corner[1], face.corner[3]);
                mesh.faces.push_back(face);
            }
    return mesh;
}

void place_trunk(const PantsNet& net, const PantsCut& cut, const GarmentBody& body, Points& rest) {
    for (int j = 0; j <= net.trunk; ++j) {
        const double z = cut.top + (cut.split - cut.top) * j / net.trunk;
        const mesh::Loop curve = mesh::curve_of(body.trunk(z));
        const double front = mesh::length_to_ray(curve, Vec2::Zero(), -Vec2::UnitY());
        const mesh::LoopWalk walk(curve);
        for (int i = 0; i < net.ring(); ++i) {
            const Vec2 p = walk.point(front + walk.length() * i / net.ring());
            rest[static_cast<std::size_t>(net.trunk_vertex(i, j))] = {p.x(), p.y(), z};
        }
    }

    // Hang the seam between front and back, below the crotch in the middle.
    const Vec3 front = rest[static_cast<std::size_t>(net.leg_vertex(false, 0, 0))],
               back = rest[static_cast<std::size_t>(net.leg_vertex(false, net.half, 0))];
    for (int s = 1; s <= net.seam; ++s) {
        const double t = static_cast<double>(s) / (net.seam + 1);
        const double dip = (crotch_rise + body.ease()) * std::sin(std::numbers::pi * t);
        rest[static_cast<std::size_t>(net.leg_vertex(false, net.half + s, 0))] =
            back + t * (front - back) - dip * Vec3::UnitZ();
    }
}

void place_leg(const PantsNet& net, const PantsCut& cut, const PantsParams& params, const GarmentBody& body,
               Points& rest) {
    const double slope = std::tan(params.flare * std::numbers::pi / 180);
    for (int k = 1; k <= net.leg; ++k)
        for (int i = 0; i < net.leg_ring(); ++i) {
            // Go down from the upper end until rings are level; widen below the knee.
            const Vec3& upper = rest[static_cast<std::size_t>(net.leg_vertex(false, i, 0))];
            const double level = cut.split + (cut.hem - cut.split) * k / net.leg;
            const double tilt = std::max(0.0, 1 - (cut.split - level) / level_legs);
            const double z = level + tilt * tilt * (upper.z() - cut.split);
            mesh::Support support = body.left_leg(z);
            for (double& value : support) value += slope * std::max(0.0, cut.knee - z);

            // Count along the outline from its inmost point, where the middle of the seam comes down.
            const mesh::Loop curve = mesh::curve_of(support);
            const std::size_t n = support.size();
            const Vec2 middle(0.5 * (support[0] - support[n / 2]),
                              0.5 * (support[n / 4] - support[3 * n / 4]));
            const double inside = mesh::length_to_ray(curve, middle, -Vec2::UnitX());
            const mesh::LoopWalk walk(curve);
            const double turn = (i - net.half - 0.5 * (net.seam + 1)) / net.leg_ring();
            Vec2 p = walk.point(inside + walk.length() * turn);

            // Turn from the shape of the upper end into the outline.
            const double t = std::clamp((upper.z() - z) / leg_turn, 0.0, 1.0), share = t * t * (3 - 2 * t);
            p = (1 - share) * upper.head<2>() + share * p;
            rest[static_cast<std::size_t>(net.leg_vertex(false, i, k))] = {std::max(p.x(), leg_gap), p.y(),
                                                                           z};
        }
}

// Where a vertex is drawn by its neighbours: to their middle, less a push along short edges, without which
// rows crowd together where they turn over the seam.
Vec3 drawn(std::size_t v, const mesh::VertexEdges& around, const std::vector<mesh::Edge>& edges, double slack,
           ConstPoints x) {
    Vec3 sum = Vec3::Zero();
    const int first = around.start[v], last = around.start[v + 1];
    for (int k = first; k < last; ++k) {
        const mesh::Edge& e = edges[static_cast<std::size_t>(around.edge[static_cast<std::size_t>(k)])];
        const Vec3 d = x[static_cast<std::size_t>(e.a == static_cast<int>(v) ? e.b : e.a)] - x[v];
        sum += (1 - slack / (d.norm() + 1e-3 * slack)) * d;
    }
    return x[v] + sum / (last - first);
}

// Relaxes the net around the crotch, all vertices at once, and keeps it out of the body.
void relax_crotch(const PantsNet& net, const PantsCut& cut, const std::vector<mesh::Edge>& edges, double ease,
                  Points& rest) {
    const std::size_t n = rest.size();
    const mesh::VertexEdges around = mesh::edges_around_vertices(static_cast<int>(n), edges);
    std::vector<double> share(n);
    for (std::size_t v = 0; v < n; ++v) {
        constexpr double whole = 0.05, none = 0.16,
                         middle = -0.02;  // full and no effect so far from there [m]
        const double far = std::abs(rest[v].z() - cut.split - middle);
        const double t = std::clamp((none - far) / (none - whole), 0.0, 1.0);
        share[v] = t * t * (3 - 2 * t);
    }

    // Go on until it is smooth over 10 cm. Slack of a third of an edge leaves the net under tension all over;
    // from a half on it buckles at the seam.
    const double slack = 0.3 * (cut.split - cut.hem) / net.leg;
    const int rounds = static_cast<int>(std::ceil(2 * std::pow(0.1 * net.ring() / cut.hip_girth, 2)));
    Points next = rest;
    for (int round = 0; round < rounds; ++round) {
        const auto move = [&](std::size_t begin, std::size_t end) {
            for (std::size_t v = begin; v < end; ++v) {
                if (share[v] == 0) continue;
                const Vec3 way = drawn(v, around, edges, slack, rest) - rest[v];
                next[v] = pushed_out(rest[v] + 0.5 * share[v] * way, ease);
            }
        };
        parallel_for(n, move, 256);
        std::swap(rest, next);
    }
}

std::vector<NamedPart> pants_parts(const PantsNet& net) {
    std::vector<NamedPart> parts{{"top", {}}, {"left_hem", {}}, {"right_hem", {}}, {"seam", {}}};
    for (int i = 0; i < net.ring(); ++i) parts[0].vertices.push_back(net.trunk_vertex(i, 0));
    for (int i = 0; i < net.leg_ring(); ++i) {
        parts[1].vertices.push_back(net.leg_vertex(false, i, net.leg));
        parts[2].vertices.push_back(net.leg_vertex(true, i, net.leg));
    }
    for (int s = 0; s < net.seam; ++s) parts[3].vertices.push_back(net.first_seam() + s);
    return parts;
}

}  // namespace

MadeCloth make_pants(const PantsParams& params) {
    const GarmentBody body(params.ease, {params.band_ease, params.top});
    const PantsCut cut = measure_pants(params, body);
    const PantsNet net = choose_net(cut, params.vertices);

    // Place trunk, seam and left leg; the right leg is the mirror image.
    MadeCloth cloth;
    cloth.made.mesh = pants_faces(net);
    Points& rest = cloth.made.rest;
    rest.resize(static_cast<std::size_t>(net.vertices()));
    place_trunk(net, cut, body, rest);
    place_leg(net, cut, params, body, rest);
    for (int k = 1; k <= net.leg; ++k)
        for (int i = 0; i < net.leg_ring(); ++i) {
            const Vec3& p = rest[static_cast<std::size_t>(net.leg_vertex(false, i, k))];
            rest[static_cast<std::size_t>(net.leg_vertex(true, i, k))] = {-p.x(), p.y(), p.z()};
        }
    const double ease = std::min(params.ease, crotch_ease);
    for (Vec3& p : rest) p = pushed_out(p, std::min(ease, body.ease_at(p.z())));
    cloth.made.net = mesh::trace_net(cloth.made.mesh, rest, &cloth.warnings);
    relax_crotch(net, cut, cloth.made.net.edges, ease, rest);
    cloth.parts = pants_parts(net);
    return cloth;
}

}  // namespace taut::scene

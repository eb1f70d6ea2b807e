#include "taut/mesh/yarns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "taut/mesh/warp_weft.hpp"

namespace taut::mesh {
namespace {

// Two sides of one face are one yarn only up to this turn; cos 60 degrees.
constexpr double turn_cosine = 0.5;

// Ends of edges are numbered 2 * edge + (0 at a, 1 at b).
int edge_of(int end) { return end / 2; }
int other_end(int end) { return end ^ 1; }
int vertex_of(const std::vector<Edge>& edges, int end) {
    return end % 2 == 0 ? edges[end / 2].a : edges[end / 2].b;
}

bool share_face(const Edge& e, const Edge& f) {
    return (e.face[0] >= 0 && (e.face[0] == f.face[0] || e.face[0] == f.face[1])) ||
           (e.face[1] >= 0 && (e.face[1] == f.face[0] || e.face[1] == f.face[1]));
}

// Whether a yarn that arrives at the vertex by one end leaves it by the other.
bool continues(const std::vector<Edge>& edges, ConstPoints rest, int end, int next) {
    if (!share_face(edges[edge_of(end)], edges[edge_of(next)])) return true;
    const Vec3& at = rest[vertex_of(edges, end)];
    const Vec3 in = at - rest[vertex_of(edges, other_end(end))];
    const Vec3 out = rest[vertex_of(edges, other_end(next))] - at;
    return in.dot(out) >= turn_cosine * in.norm() * out.norm();
}

// For each edge end the end it continues at, or -1; `alone` marks ends whose direction has two edges there.
struct Links {
    std::vector<int> next;
    std::vector<std::uint8_t> alone;
};

Links link_ends(const std::vector<Edge>& edges, ConstPoints rest) {
    Links links{std::vector<int>(2 * edges.size(), -1), std::vector<std::uint8_t>(2 * edges.size(), 0)};
    const VertexEdges around = edges_around_vertices(static_cast<int>(rest.size()), edges);
    for (int v = 0; v < static_cast<int>(rest.size()); ++v)
        for (const Direction direction : {Direction::warp, Direction::weft}) {
            // Collect the first two ends of this direction and count them all.
            std::array<int, 2> end{};
            int count = 0;
            for (int k = around.start[v]; k < around.start[v + 1]; ++k) {
                const int e = around.edge[k];
                if (edges[e].direction != direction) continue;
                if (count < 2) end[count] = 2 * e + (edges[e].a == v ? 0 : 1);
                ++count;
            }
            if (count != 2) continue;
            links.alone[end[0]] = links.alone[end[1]] = 1;
            if (!continues(edges, rest, end[0], end[1])) continue;
            links.next[end[0]] = end[1];
            links.next[end[1]] = end[0];
        }
    return links;
}

// Follows the yarn of an edge: back from its end a until it stops or comes round, then forward.
Yarn follow(const std::vector<Edge>& edges, const Links& links, int edge) {
    Yarn yarn;
    yarn.direction = edges[edge].direction;
    int start = 2 * edge;
    while (links.next[start] >= 0) {
        start = other_end(links.next[start]);
        if (start == 2 * edge) break;
    }
    for (int end = start;;) {
        yarn.edge.push_back(edge_of(end));
        yarn.vertex.push_back(vertex_of(edges, end));
        const int next = links.next[other_end(end)];
        if (next == start) {
            yarn.closed = true;
            break;
        }
        if (next < 0) {
            yarn.vertex.push_back(vertex_of(edges, other_end(end)));
            break;
        }
        end = next;
    }
    return yarn;
}

// An open yarn that returns to where it began is closed if no other yarn of its direction comes
// there, else cut in two.
void settle_loop(std::vector<Yarn>& yarns, bool alone) {
    Yarn& yarn = yarns.back();
    if (yarn.closed || yarn.vertex.front() != yarn.vertex.back()) return;
    if (alone) {
        yarn.closed = true;
        yarn.vertex.pop_back();
        return;
    }
    const auto half = static_cast<std::ptrdiff_t>(yarn.edge.size() / 2);
    Yarn rest_of_it;
    rest_of_it.direction = yarn.direction;
    rest_of_it.edge.assign(yarn.edge.begin() + half, yarn.edge.end());
    rest_of_it.vertex.assign(yarn.vertex.begin() + half, yarn.vertex.end());
    yarn.edge.resize(half);
    yarn.vertex.resize(half + 1);
    yarns.push_back(std::move(rest_of_it));
}

}  // namespace

std::vector<Yarn> trace_yarns(const std::vector<Edge>& edges, ConstPoints rest) {
    const Links links = link_ends(edges, rest);
    std::vector<std::uint8_t> seen(edges.size(), 0);
    std::vector<Yarn> yarns;
    for (const Direction direction : {Direction::weft, Direction::warp})
        for (std::size_t e = 0; e < edges.size(); ++e) {
            if (seen[e] || edges[e].direction != direction) continue;
            yarns.push_back(follow(edges, links, static_cast<int>(e)));
            for (const int k : yarns.back().edge) seen[k] = 1;
            const int first = yarns.back().edge.front();
            const int end = 2 * first + (edges[first].a == yarns.back().vertex.front() ? 0 : 1);
            settle_loop(yarns, links.alone[end] != 0);
        }
    return yarns;
}

Net trace_net(const PolygonMesh& mesh, ConstPoints rest, std::vector<MeshProblem>* warnings) {
    std::vector<MeshProblem> problems = find_problems(mesh, rest);
    require_sound(problems);

    Topology topology = build_topology(mesh);
    const WarpWeft classes = classify_edges(mesh, topology, rest);
    if (warnings) {
        const std::vector<MeshProblem> more = find_problems(mesh, topology, classes);
        warnings->insert(warnings->end(), problems.begin(), problems.end());
        warnings->insert(warnings->end(), more.begin(), more.end());
    }
    for (std::size_t e = 0; e < topology.edges.size(); ++e)
        topology.edges[e].direction = classes.direction[e];

    Net net;
    net.yarns = trace_yarns(topology.edges, rest);
    net.edges = std::move(topology.edges);
    return net;
}

}  // namespace taut::mesh

// The search for crossings against brute force over all pairs of vertices and triangles and of edges.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "io/planted_run.hpp"
#include "taut/elements/continuous.hpp"
#include "taut/elements/triangle_overlap.hpp"
#include "taut/io/verify_surface.hpp"

namespace taut::io::verify {
namespace {

using tests::PlantedRun;
using Crossings = std::set<std::pair<BodyPart, BodyPart>>;

// All edges of triangles, and the body of each point.
struct Topology {
    std::set<std::pair<int, int>> edges;
    std::vector<int> body;

    explicit Topology(const Surface& surface) : body(static_cast<std::size_t>(surface.points), -1) {
        for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
            for (std::size_t k = 0; k < 3; ++k) {
                const int a = surface.triangles[t][k], b = surface.triangles[t][(k + 1) % 3];
                if (a != b) edges.insert(std::minmax({a, b}));
                body[static_cast<std::size_t>(a)] = surface.body[t];
            }
        }
    }
};

// Pairs are kept with the smaller part first, as which one asks is a matter of the search.
void add(Crossings& crossings, const BodyPart& a, const BodyPart& b) {
    crossings.insert({std::min(a, b), std::max(a, b)});
}

Crossings brute_force(const Surface& surface, const Points& x, const Points& y) {
    const Topology topology(surface);
    Crossings crossings;
    const auto at = [](const Points& points, int k) { return points[static_cast<std::size_t>(k)]; };
    const auto body = [&](int point) { return topology.body[static_cast<std::size_t>(point)]; };
    const auto cloth = [&](int point) { return point < surface.cloth_points; };
    for (int v = 0; v < surface.points; ++v) {
        if (body(v) < 0) continue;
        for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
            const auto& [a, b, c] = surface.triangles[t];
            if (v == a || v == b || v == c || (!cloth(v) && !cloth(a))) continue;
            if (elements::point_triangle_impact(at(x, v), at(y, v), {at(x, a), at(x, b), at(x, c)},
                                                {at(y, a), at(y, b), at(y, c)}, 0, 1e-9, 1e-9)
                    .hit)
                add(crossings, vertex_part(surface, body(v), v), triangle_part(surface, static_cast<int>(t)));
        }
    }
    for (auto e = topology.edges.begin(); e != topology.edges.end(); ++e) {
        for (auto f = std::next(e); f != topology.edges.end(); ++f) {
            const auto [a, b] = *e;
            const auto [c, d] = *f;
            if (a == c || a == d || b == c || b == d || (!cloth(a) && !cloth(c))) continue;
            if (elements::segment_segment_impact({at(x, a), at(x, b)}, {at(y, a), at(y, b)},
                                                 {at(x, c), at(x, d)}, {at(y, c), at(y, d)}, 0, 1e-9, 1e-9)
                    .hit)
                add(crossings, edge_part(surface, body(a), a, b), edge_part(surface, body(c), c, d));
        }
    }
    return crossings;
}

TEST(VerifyCrossings, AreThoseOfAllPairs) {
    PlantedRun run(1);
    run.header.obstacles.erase(run.header.obstacles.begin() + tests::ground);
    run.header.obstacles.erase(run.header.obstacles.begin(), run.header.obstacles.begin() + tests::block);
    const Surface surface = make_surface(run.header, {});
    ASSERT_TRUE(surface.rounds.empty());
    std::mt19937 random(7);
    std::uniform_real_distribution<double> jitter(-1, 1);
    for (const double amount : {0.02, 0.06, 0.15}) {
        // Lay both sheets, the chain and the solids close to each other, and shake everything.
        Points x = run.frames[0].x, y;
        for (std::size_t k = PlantedRun::upper; k < x.size(); ++k) x[k].z() *= 0.2;
        for (const auto& obstacle : run.header.obstacles) {
            const auto shell = collision::as_mesh(obstacle);
            for (const Vec3& p : shell->points) x.push_back(p - Vec3(0, 0, 0.6));
        }
        ASSERT_EQ(static_cast<int>(x.size()), surface.points);
        for (const Vec3& p : x)
            y.push_back(p + amount * Vec3(jitter(random), jitter(random), jitter(random)));
        ASSERT_TRUE(find_meetings(surface, run.frames[0], x).list.empty());
        Crossings found;
        for (const Meeting& meeting : find_crossings(surface, x, y)) {
            EXPECT_TRUE(meeting.sure);
            add(found, meeting.first, meeting.second);
        }
        const Crossings wanted = brute_force(surface, x, y);
        EXPECT_EQ(found.size(), wanted.size());
        EXPECT_TRUE(found == wanted);
        EXPECT_GT(found.size(), amount > 0.1 ? 100u : 1u);
    }
}

TEST(VerifyCrossings, EveryVertexAndEdgeHasOneOwner) {
    const PlantedRun run(1);
    const Surface surface = make_surface(run.header, {});
    const Topology topology(surface);
    std::multiset<int> vertices;
    std::multiset<std::pair<int, int>> edges;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = surface.triangles[t][k], b = surface.triangles[t][(k + 1) % 3];
            if ((surface.owned[t] >> k) & 1) vertices.insert(a);
            if ((surface.owned[t] >> (3 + k)) & 1) edges.insert(std::minmax({a, b}));
        }
    }
    EXPECT_EQ(edges.size(), topology.edges.size());
    EXPECT_TRUE(std::equal(edges.begin(), edges.end(), topology.edges.begin()));
    for (int v = 0; v < surface.points; ++v)
        EXPECT_EQ(vertices.count(v), topology.body[static_cast<std::size_t>(v)] < 0 ? 0u : 1u);
}

}  // namespace
}  // namespace taut::io::verify

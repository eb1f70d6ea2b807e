// The broad phase against brute force: every pair that comes close is found, once, and none that cannot
// count; for all shapes, sizes and places, with the same list on any number of threads.
#include "taut/collision/broad_phase.hpp"

#include <gtest/gtest.h>

#include <set>

#include "collision/touching.hpp"
#include "taut/base/parallel.hpp"

namespace taut::collision {
namespace {

using testing::sorted_edges;
using testing::sorted_face;
using PairSet = std::set<PairPoints>;

struct Scene {
    Scene(Model model_, std::vector<Obstacle> obstacles_, double thickness)
        : model(std::move(model_)),
          obstacles(std::move(obstacles_)),
          surface(make_surface(model, obstacles, thickness)),
          rest(testing::all_points(model, surface, obstacles)) {
        phase.prepare(surface, rest);
    }
    Model model;
    std::vector<Obstacle> obstacles;
    Surface surface;
    Points rest;
    BroadPhase phase;
};

// Two sheets, a chain and a sleeve among one obstacle of every shape; all of it `size` large at `place`.
Scene crowd(double size, const Vec3& place) {
    Model model;
    const auto at = [&](double x, double y, double z) { return Vec3(place + size * Vec3(x, y, z)); };
    testing::add_cloth(model, "low", mesh::make_grid(6, 5, 1, 1), at(0, 0, 0), size);
    testing::add_cloth(model, "high", mesh::make_grid(5, 6, 1, 1), at(0.1, 0, 0.05), size);
    testing::add_cloth(model, "chain", mesh::make_polyline(6, 1), at(0, 0.5, 0.1), size);
    testing::add_cloth(model, "sleeve", mesh::make_cone(5, 3, 0.1, 0.2, 0.3), at(0.5, 0.5, 0.1), size);
    std::vector<Obstacle> obstacles{
        testing::ball(at(0.2, 0.2, -0.1), 0.08 * size),
        testing::capsule(at(0.3, 0.9, -0.1), at(0.9, 0.1, -0.15), 0.05 * size),
        testing::box(at(0.5, 0.5, -0.1), size * Vec3(0.1, 0.2, 0.05)),
        testing::polygon_sphere(at(0.8, 0.8, -0.2), 0.15 * size, 1),
        testing::mesh_obstacle({at(0, 0, -0.02), at(1, 0, -0.02), at(0, 1, -0.02)}, {{0, 1, 2}}),
        testing::plane(at(0, 0, -1), Vec3::UnitZ())};
    return Scene(std::move(model), std::move(obstacles), 0.01 * size);
}

// Least distance on the way, at samples: never less than the true one.
template <class Distance>
double least(const Points& start, const Points& end, const PairPoints& q, Distance&& distance) {
    constexpr int samples = 16;
    Points x(4);
    double result = 1e300;
    for (int s = 0; s <= samples; ++s) {
        const double t = double(s) / samples;
        for (std::size_t k = 0; k < 4; ++k) {
            x[k] = (1 - t) * start[std::size_t(q[k])] + t * end[std::size_t(q[k])];
        }
        result = std::min(result, distance(x, PairPoints{0, 1, 2, 3}));
    }
    return result;
}

void expect_complete(const Surface& surface, const Points& start, const Points& end, double slack,
                     const Pairs& found) {
    const auto faces = testing::sorted_pairs(found.vertex_face, sorted_face);
    const auto edges = testing::sorted_pairs(found.edge_edge, sorted_edges);
    const PairSet face_set(faces.begin(), faces.end()), edge_set(edges.begin(), edges.end());
    EXPECT_EQ(face_set.size(), faces.size()) << "a pair twice";
    EXPECT_EQ(edge_set.size(), edges.size()) << "a pair twice";

    const Pairs all = testing::every_pair(surface);
    std::size_t faces_known = 0, edges_known = 0;
    int missing = 0;
    for (const PairPoints& q : all.vertex_face) {
        const bool is_found = face_set.contains(sorted_face(q));
        faces_known += is_found ? 1 : 0;
        if (is_found ||
            least(start, end, q, testing::vertex_face_distance) >= kept_distance(surface, q[0], q[1]) + slack)
            continue;
        ++missing;
    }
    for (const PairPoints& q : all.edge_edge) {
        const bool is_found = edge_set.contains(sorted_edges(q));
        edges_known += is_found ? 1 : 0;
        if (is_found ||
            least(start, end, q, testing::edge_edge_distance) >= kept_distance(surface, q[0], q[2]) + slack)
            continue;
        ++missing;
    }
    EXPECT_EQ(missing, 0);
    // Whatever is found is a pair that counts: no neighbours, no two obstacles.
    EXPECT_EQ(faces_known, face_set.size());
    EXPECT_EQ(edges_known, edge_set.size());
}

Points moved(const Points& x, double amount, const Vec3& common, unsigned seed) {
    Points end = testing::shaken(x, amount, seed);
    for (Vec3& p : end) p += common;
    return end;
}

TEST(BroadPhase, FindsEveryPairThatComesClose) {
    for (unsigned seed : {1u, 2u, 3u}) {
        Scene s = crowd(1, Vec3::Zero());
        const Points start = testing::shaken(s.rest, 0.03, seed);
        for (double amount : {0.0, 0.01, 0.2}) {
            for (double slack : {0.0, 0.02}) {
                Pairs pairs;
                const Points end = moved(start, amount, Vec3(0.1, -0.3, 0.2), seed + 10);
                s.phase.find(start, end, slack, pairs);
                expect_complete(s.surface, start, end, slack, pairs);
                EXPECT_GT(pairs.vertex_face.size(), 0u);
                EXPECT_GT(pairs.edge_edge.size(), 0u);
            }
        }
    }
}

TEST(BroadPhase, FindsThemAtAnySizeAndFarFromTheOrigin) {
    for (const auto& [size, place] : {std::pair{1e-6, Vec3(0, 0, 0)},
                                      {1e-6, Vec3(1, 1, 1)},
                                      {1e3, Vec3(0, 0, 0)},
                                      {1.0, Vec3(1e4, -1e4, 1e4)},
                                      {1e-2, Vec3(1e4, 0, 1e4)}}) {
        Scene s = crowd(size, place);
        const Points start = testing::shaken(s.rest, 0.03 * size, 4);
        const Points end = moved(start, 0.05 * size, size * Vec3(0.1, 0, -0.3), 5);
        Pairs pairs;
        s.phase.find(start, end, 0.01 * size, pairs);
        expect_complete(s.surface, start, end, 0.01 * size, pairs);
    }
}

TEST(BroadPhase, FindsWhatPassesThroughWithinTheStep) {
    // A ball, a needle and a capsule cross a sheet and end far on the other side.
    std::vector<Obstacle> obstacles{testing::ball(Vec3(0.3, 0.3, 10), 0.05),
                                    testing::box(Vec3(0.6, 0.6, 10), Vec3(1e-4, 1e-4, 0.5)),
                                    testing::capsule(Vec3(0.1, 0.8, 10), Vec3(0.9, 0.8, 11), 0.01)};
    Scene s(testing::sheet(8, 8), obstacles, 1e-3);
    Points end = s.rest;
    for (std::size_t p = std::size_t(s.surface.cloth_points); p < end.size(); ++p) end[p].z() -= 20;
    Pairs pairs;
    s.phase.find(s.rest, end, 0, pairs);
    expect_complete(s.surface, s.rest, end, 0, pairs);
    std::set<int> met;
    for (const auto& q : pairs.vertex_face)
        met.insert({s.surface.body[std::size_t(q[0])], s.surface.body[std::size_t(q[3])]});
    EXPECT_EQ(met, (std::set<int>{0, 1, 2, 3}));
}

TEST(BroadPhase, WithTheSlackPairsStayCompleteWhileEndsMoveByHalfOfIt) {
    Scene s = crowd(1, Vec3::Zero());
    const double slack = 0.04;
    const Points start = testing::shaken(s.rest, 0.02, 6), end = moved(start, 0.1, Vec3(0.2, 0, 0), 7);
    Pairs pairs;
    s.phase.find(start, end, slack, pairs);
    for (unsigned seed : {8u, 9u, 10u, 11u}) {
        Points shift = testing::random_points(end.size(), 1, seed), other = end;
        for (std::size_t p = 0; p < end.size(); ++p) other[p] += 0.5 * slack * shift[p].normalized();
        expect_complete(s.surface, start, other, 0, pairs);
    }
}

std::size_t count(const Pairs& pairs) { return pairs.vertex_face.size() + pairs.edge_edge.size(); }

TEST(BroadPhase, CommonMotionAddsNoPairs) {
    Scene s(testing::sheet(30, 30), {testing::box(Vec3(0.5, 0.5, -0.1), Vec3(0.5, 0.5, 0.05))}, 1e-3);
    Pairs still, fast, diagonal;
    s.phase.find(s.rest, s.rest, 2e-3, still);
    s.phase.find(s.rest, moved(s.rest, 0, Vec3(0, 0, -50), 1), 2e-3, fast);
    s.phase.find(s.rest, moved(s.rest, 0, Vec3(30, 40, -50), 1), 2e-3, diagonal);
    EXPECT_EQ(count(fast), count(still));
    EXPECT_EQ(count(diagonal), count(still));
}

TEST(BroadPhase, ASheetAtRestHasFewPairs) {
    // With edges far longer than what is kept only neighbours are close, and they do not count.
    Scene s(testing::sheet(30, 30), {}, 1e-3);
    Pairs pairs;
    s.phase.find(s.rest, s.rest, 2e-3, pairs);
    EXPECT_EQ(count(pairs), 0u);
    // Another sheet one thickness above: a few pairs per vertex and edge, not all with all.
    Model two = testing::sheet(30, 30);
    testing::add_cloth(two, "above", mesh::make_grid(30, 30, 1, 1), Vec3(0.01, 0.005, 1e-3));
    Scene layers(two, {}, 1e-3);
    layers.phase.find(layers.rest, layers.rest, 2e-3, pairs);
    EXPECT_GT(pairs.vertex_face.size(), 1600u);
    EXPECT_LT(pairs.vertex_face.size(), 4u * 1800u);
    EXPECT_LT(pairs.edge_edge.size(), 12u * 2600u);
}

TEST(BroadPhase, SameListForAnyThreadCount) {
    Model model = testing::sheet(60, 60);
    testing::add_cloth(model, "above", mesh::make_grid(50, 50, 1, 1), Vec3(0, 0, 2e-3));
    Scene s(model, {testing::polygon_sphere(Vec3(0.5, 0.5, -0.2), 0.2, 16)}, 1e-3);
    const Points start = testing::shaken(s.rest, 1e-3, 20), end = moved(start, 0.01, Vec3(0, 0, -0.1), 21);
    Pairs lists[3];
    int k = 0;
    for (int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        s.phase.find(start, end, 2e-3, lists[k++]);
    }
    EXPECT_GT(count(lists[0]), 10000u);
    for (int other : {1, 2}) {
        EXPECT_EQ(lists[0].vertex_face, lists[other].vertex_face);
        EXPECT_EQ(lists[0].edge_edge, lists[other].edge_edge);
    }
}

TEST(BroadPhase, OfChangedPointsItFindsTheSamePairs) {
    Scene scene = crowd(1, Vec3::Zero());
    const Points end = moved(scene.rest, 0.05, Vec3(0, 0, -0.1), 5);
    Pairs all, some;
    scene.phase.find(scene.rest, end, 0.02, all);
    for (const unsigned every : {1u, 3u, 17u, 1000u}) {
        std::vector<std::uint8_t> changed(scene.rest.size(), 0);
        for (std::size_t p = 2; p < changed.size(); p += every) changed[p] = scene.surface.is_cloth(int(p));
        scene.phase.find(scene.rest, end, 0.02, some, changed);
        const auto with_changed = [&](const std::vector<PairPoints>& pairs) {
            PairSet set;
            for (const PairPoints& q : pairs) {
                if (std::any_of(q.begin(), q.end(), [&](int p) { return changed[std::size_t(p)] != 0; }))
                    set.insert(q);
            }
            return set;
        };
        EXPECT_EQ(with_changed(all.vertex_face), PairSet(some.vertex_face.begin(), some.vertex_face.end()));
        EXPECT_EQ(with_changed(all.edge_edge), PairSet(some.edge_edge.begin(), some.edge_edge.end()));
        EXPECT_EQ(some.vertex_face.size(), with_changed(some.vertex_face).size()) << "a pair twice";
        EXPECT_EQ(some.edge_edge.size(), with_changed(some.edge_edge).size()) << "a pair twice";
    }
    EXPECT_FALSE(some.edge_edge.empty());
}

TEST(BroadPhase, FindsAgainWhatItFoundAfterAnotherStep) {
    Scene s = crowd(1, Vec3::Zero());
    Pairs first, other, again;
    const Points end = moved(s.rest, 0.1, Vec3::Zero(), 3);
    s.phase.find(s.rest, end, 0.01, first);
    s.phase.find(s.rest, moved(s.rest, 1, Vec3::Zero(), 4), 0.01, other);
    s.phase.find(s.rest, end, 0.01, again);
    EXPECT_EQ(first.vertex_face, again.vertex_face);
    EXPECT_EQ(first.edge_edge, again.edge_edge);
}

TEST(BroadPhase, EmptyClothsAndOneTriangle) {
    const std::vector<Obstacle> solids{testing::ball(Vec3::Zero(), 1), testing::ball(Vec3::Zero(), 2),
                                       testing::box(Vec3::Zero(), Vec3::Ones())};
    Pairs pairs;
    Scene nothing(Model(), {}, 1e-3);
    nothing.phase.find(nothing.rest, nothing.rest, 1, pairs);
    EXPECT_EQ(count(pairs), 0u);
    Scene only_solids(Model(), solids, 1e-3);
    only_solids.phase.find(only_solids.rest, only_solids.rest, 1, pairs);
    EXPECT_EQ(count(pairs), 0u);
    // One quad and one triangle of an obstacle under it: three vertices each way, edges crosswise.
    Scene pair(testing::sheet(2, 2),
               {testing::mesh_obstacle({Vec3(0.1, 0.1, -1e-3), Vec3(0.8, 0.1, -1e-3), Vec3(0.1, 0.8, -1e-3)},
                                       {{0, 1, 2}})},
               1e-3);
    pair.phase.find(pair.rest, pair.rest, 10, pairs);
    EXPECT_EQ(pairs.vertex_face.size(), 4u * 1 + 3u * 2 + 2u);
    EXPECT_EQ(pairs.edge_edge.size(), 5u * 3 + 2u);
}

TEST(BroadPhase, APointThatFliesAwayTakesNoPairWithIt) {
    Scene s = crowd(1, Vec3::Zero());
    Points end = s.rest;
    end[3] = Vec3(1e9, 0, 0);
    Pairs pairs;
    s.phase.find(s.rest, end, 0.01, pairs);
    expect_complete(s.surface, s.rest, end, 0.01, pairs);
}

}  // namespace
}  // namespace taut::collision

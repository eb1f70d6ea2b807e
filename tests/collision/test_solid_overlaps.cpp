// Cloth in balls, capsules and half spaces: which triangles and vertices, how deep, in words.
#include "taut/collision/solid_overlaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collision/touching.hpp"

namespace taut::collision {
namespace {

using testing::ball;
using testing::capsule;
using testing::cloth_at;
using testing::plane;

// A sheet of 0.4 m in 4 x 4 quads of 0.1 m about the origin, at a height.
Model sheet(double height) { return cloth_at(mesh::make_grid(5, 5, 0.4, 0.4), Vec3(-0.2, -0.2, height)); }

struct Found {
    Found(const Model& model_, std::vector<Obstacle> obstacles_, double time = 0)
        : model(model_), obstacles(std::move(obstacles_)), surface(make_surface(model, obstacles, 1e-3)) {
        x = model.rest;
        x.resize(std::size_t(surface.points));
        place_obstacles(surface, obstacles, time, x);
        list = find_solid_overlaps(surface, obstacles, time, x);
    }
    std::string text(std::size_t k) const { return overlap_text(surface, model, obstacles, list[k], x); }

    Model model;
    std::vector<Obstacle> obstacles;
    Surface surface;
    Points x;
    std::vector<SolidOverlap> list;
};

TEST(SolidOverlaps, AClearStartHasNone) {
    EXPECT_TRUE(Found(sheet(0.1001), {ball(Vec3::Zero(), 0.1)}).list.empty());
    EXPECT_TRUE(Found(sheet(0.1001), {capsule(Vec3(-1, 0, 0), Vec3(1, 0, 0), 0.1)}).list.empty());
    EXPECT_TRUE(Found(sheet(0), {plane(Vec3::Zero(), Vec3::UnitZ())}).list.empty()) << "on the floor";
}

TEST(SolidOverlaps, ABallReachesTheTrianglesAroundAVertex) {
    const Found found(sheet(0.08), {ball(Vec3::Zero(), 0.1)});
    // Within sqrt(0.1^2 - 0.08^2) = 0.06 m of the middle: the triangles at the middle vertex.
    EXPECT_EQ(found.list.size(), 6u);
    for (const SolidOverlap& overlap : found.list) {
        EXPECT_EQ(overlap.obstacle, 0);
        EXPECT_NEAR(overlap.depth, 0.02, 1e-15);
        EXPECT_EQ(overlap.point, 12) << "the middle vertex";
    }
    EXPECT_EQ(found.text(0).find("face 5 of cloth 'cloth' reaches 0.02 m into obstacle 'ball' near"), 0u)
        << found.text(0);
}

TEST(SolidOverlaps, ABallInTheMiddleOfAFaceIsSeen) {
    const Found found(sheet(0), {ball(Vec3(0.06, 0.03, 0), 0.01)});
    ASSERT_EQ(found.list.size(), 1u) << "no vertex is inside";
    EXPECT_NEAR(found.list[0].depth, 0.01, 1e-15);
}

TEST(SolidOverlaps, TouchingCounts) {
    const Found found(sheet(0.125), {ball(Vec3::Zero(), 0.125)});
    ASSERT_FALSE(found.list.empty());
    EXPECT_EQ(found.list[0].depth, 0);
    EXPECT_NE(found.text(0).find("touches obstacle 'ball'"), std::string::npos) << found.text(0);
}

TEST(SolidOverlaps, ACapsuleWhoseCorePassesThroughIsSeen) {
    // It pierces one triangle, far from its edges: no vertex and no edge is within the radius.
    const Found found(sheet(0), {capsule(Vec3(0.06, 0.03, -1), Vec3(0.06, 0.03, 1), 0.01)});
    ASSERT_EQ(found.list.size(), 1u);
    EXPECT_EQ(found.list[0].depth, 0.01) << "the core itself meets the triangle";
}

TEST(SolidOverlaps, HalfSpacesCountVertices) {
    const Found found(sheet(0), {ball(Vec3(0, 0, 5), 0.1), plane(Vec3(0.05, 0, 0), Vec3::UnitX())});
    ASSERT_EQ(found.list.size(), 15u) << "three columns of five";
    double deepest = 0;
    for (const SolidOverlap& overlap : found.list) {
        EXPECT_EQ(overlap.obstacle, 1);
        EXPECT_EQ(overlap.triangle, -1);
        deepest = std::max(deepest, overlap.depth);
    }
    EXPECT_NEAR(deepest, 0.25, 1e-15);
    EXPECT_EQ(found.text(0).find("vertex "), 0u) << found.text(0);
}

TEST(SolidOverlaps, ObstaclesCountWhereTheyAreAtTheTime) {
    Obstacle moving = ball(Vec3(0, 0, 1), 0.1);
    moving.motion = testing::steady(Vec3(0, 0, -0.92));
    EXPECT_TRUE(Found(sheet(0), {moving}, 0).list.empty());
    const Found found(sheet(0), {moving}, 1);
    ASSERT_FALSE(found.list.empty());
    EXPECT_NEAR(found.list[0].depth, 0.02, 1e-12);
}

TEST(SolidOverlaps, WhatPinsHoldIsTold) {
    const Found found(sheet(0.08), {ball(Vec3::Zero(), 0.1), plane(Vec3(0, -0.15, 0), Vec3::UnitY())});
    std::vector<std::uint8_t> held(25, 0);
    const auto count = [&] {
        return std::count_if(found.list.begin(), found.list.end(), [&](const SolidOverlap& overlap) {
            return is_held(found.surface, overlap, held);
        });
    };
    ASSERT_EQ(found.list.size(), 6u + 5u) << "six triangles in the ball, one row below the half space";
    EXPECT_EQ(count(), 0);
    held[12] = 1;
    EXPECT_EQ(count(), 6) << "they share the middle vertex";
    held[0] = 1;
    EXPECT_EQ(count(), 7) << "one vertex of the row";
}

TEST(SolidOverlaps, ClothInTwoSolidsIsSqueezed) {
    const auto squeezed = [](std::vector<Obstacle> obstacles) {
        const Found found(sheet(0), std::move(obstacles));
        return squeezed_points(found.surface, found.list);
    };
    const auto count = [](const std::vector<std::uint8_t>& flags) {
        return std::count(flags.begin(), flags.end(), 1);
    };
    const Obstacle left = ball(Vec3(-0.1, 0.03, 0), 0.01), right = ball(Vec3(0.06, 0.03, 0), 0.01),
                   beside = ball(Vec3(0.07, 0.03, 0), 0.01), low = plane(Vec3(0, 0, 0.1), Vec3::UnitZ()),
                   high = plane(Vec3(0, 0, -0.1), -Vec3::UnitZ());
    EXPECT_TRUE(squeezed({right}).empty());
    EXPECT_TRUE(squeezed({low}).empty());
    EXPECT_TRUE(squeezed({left, right}).empty()) << "two balls, but not in one triangle";
    EXPECT_EQ(count(squeezed({right, beside})), 3) << "the corners of one triangle";
    EXPECT_EQ(count(squeezed({right, low})), 3);
    EXPECT_EQ(count(squeezed({low, high})), 25);
}

}  // namespace
}  // namespace taut::collision

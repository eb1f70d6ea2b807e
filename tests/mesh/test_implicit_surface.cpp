// Meshes of zero sets against closed forms: balls, rings, several parts; the editable net under long
// sequences of flips, splits and collapses; refusals.
#include "taut/mesh/implicit_surface.hpp"

#include <gtest/gtest.h>

#include <random>

#include "mesh/surface_measures.hpp"
#include "taut/base/error.hpp"

namespace taut::mesh {
namespace {

using samples::euler_characteristic;
using samples::is_closed_manifold;
using samples::measure_surface;

Field ball(const Vec3& center, double radius) {
    return [=](const Vec3& p) { return (p - center).norm() - radius; };
}

Field ring(double radius, double thickness) {
    return [=](const Vec3& p) { return std::hypot(p.head<2>().norm() - radius, p.z()) - thickness; };
}

ImplicitSurfaceParams box(double half, double cell) {
    ImplicitSurfaceParams params;
    params.low = Vec3::Constant(-half);
    params.high = Vec3::Constant(half);
    params.cell = cell;
    return params;
}

TEST(ImplicitSurface, ABallIsRoundEvenAndClosed) {
    constexpr double radius = 1, length = 0.1;
    const TriangleSurface made = implicit_surface(ball({0.013, -0.02, 0.007}, radius), box(1.2, length));
    ASSERT_TRUE(is_closed_manifold(made.points.size(), made.triangles));
    EXPECT_EQ(euler_characteristic(made.points.size(), made.triangles), 2);
    for (const Vec3& p : made.points) EXPECT_NEAR((p - Vec3(0.013, -0.02, 0.007)).norm(), radius, 1e-6);
    const auto measures = measure_surface(made.points, made.triangles);
    EXPECT_NEAR(measures.volume, 4 * std::numbers::pi / 3, 0.02);
    EXPECT_GT(measures.shortest, 0.6 * length);
    EXPECT_LT(measures.longest, 1.5 * length);
    EXPECT_GT(measures.least_angle, 30);
}

TEST(ImplicitSurface, HolesAndPartsAreKept) {
    const TriangleSurface one = implicit_surface(ring(0.7, 0.25), box(1.1, 0.08));
    ASSERT_TRUE(is_closed_manifold(one.points.size(), one.triangles));
    EXPECT_EQ(euler_characteristic(one.points.size(), one.triangles), 0);
    EXPECT_NEAR(measure_surface(one.points, one.triangles).volume,
                2 * std::numbers::pi * std::numbers::pi * 0.7 * 0.25 * 0.25, 0.02);

    const Field left = ball({-0.5, 0, 0}, 0.4), right = ball({0.5, 0, 0}, 0.3);
    const TriangleSurface two =
        implicit_surface([&](const Vec3& p) { return std::min(left(p), right(p)); }, box(1, 0.07));
    ASSERT_TRUE(is_closed_manifold(two.points.size(), two.triangles));
    EXPECT_EQ(euler_characteristic(two.points.size(), two.triangles), 4);
}

TEST(ImplicitSurface, EdgesFollowTheWantedLength) {
    ImplicitSurfaceParams params = box(1.2, 0.06);
    params.edge_length = [](const Vec3& p) { return p.z() > 0 ? 0.06 : 0.06 + 0.09 * std::min(1.0, -p.z()); };
    const TriangleSurface made = implicit_surface(ball(Vec3::Zero(), 1), params);
    ASSERT_TRUE(is_closed_manifold(made.points.size(), made.triangles));
    for (const auto& c : made.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 &a = made.points[static_cast<std::size_t>(c[k])],
                       &b = made.points[static_cast<std::size_t>(c[(k + 1) % 3])];
            const double ratio = (a - b).norm() / params.edge_length(0.5 * (a + b));
            EXPECT_GT(ratio, 0.55);
            EXPECT_LT(ratio, 1.6);
        }
    }
    EXPECT_GT(measure_surface(made.points, made.triangles).least_angle, 25);
}

TEST(ImplicitSurface, GivesTheSameBits) {
    const TriangleSurface a = implicit_surface(ring(0.7, 0.2), box(1, 0.07));
    const TriangleSurface b = implicit_surface(ring(0.7, 0.2), box(1, 0.07));
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.triangles, b.triangles);
}

TEST(ImplicitSurface, RefusesBoxesWithoutTheWholeSurface) {
    EXPECT_THROW(implicit_surface(ball({5, 0, 0}, 1), box(1, 0.1)), InputError);
    EXPECT_THROW(implicit_surface(ball({0, 0, 0.5}, 0.7), box(1, 0.1)), InputError);
    EXPECT_THROW(implicit_surface(ball(Vec3::Zero(), 0.5), box(-1, 0.1)), InputError);
    EXPECT_THROW(implicit_surface(ball(Vec3::Zero(), 0.5), box(1, 0)), InputError);
    EXPECT_THROW(implicit_surface(ball(Vec3::Zero(), 0.5), box(1, 1e-9)), InputError);
}

TEST(TriangleNet, StaysClosedUnderRandomEdits) {
    TriangleNet net(implicit_surface(ring(0.7, 0.3), box(1.1, 0.2)));
    std::mt19937 random(7);
    for (int edit = 0; edit < 4000; ++edit) {
        const int h = static_cast<int>(random() % static_cast<unsigned>(net.half_edges()));
        if (!net.has(h)) continue;
        const unsigned dice = random() % 10;
        if (dice < 4 && net.can_flip(h)) net.flip(h);
        if (dice >= 4 && dice < 6) net.split(h);
        if (dice >= 6 && net.can_collapse(h)) net.collapse(h);
        if (edit % 100 != 0) continue;
        const TriangleSurface now = net.packed();
        ASSERT_TRUE(is_closed_manifold(now.points.size(), now.triangles)) << "edit " << edit;
        ASSERT_EQ(euler_characteristic(now.points.size(), now.triangles), 0);
    }
}

TEST(TriangleNet, RefusesOpenAndTouchingSurfaces) {
    const Points corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    const std::vector<std::array<int, 3>> one{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    EXPECT_NO_THROW(TriangleNet({{corners.begin(), corners.begin() + 4}, one}));
    EXPECT_THROW(TriangleNet({corners, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}}}), InputError);
    EXPECT_THROW(TriangleNet({corners, {{0, 2, 9}}}), InputError);
    std::vector<std::array<int, 3>> two = one;
    for (const auto& t : {std::array{0, 5, 4}, {0, 4, 6}, {0, 6, 5}, {4, 5, 6}}) two.push_back(t);
    EXPECT_THROW(TriangleNet({corners, two}), InputError);
}

}  // namespace
}  // namespace taut::mesh

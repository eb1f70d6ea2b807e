// Level cuts of closed surfaces: where they are, how they run, how many there are.
#include "taut/mesh/section.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "taut/mesh/implicit_surface.hpp"

namespace taut::mesh {
namespace {

double area(const Loop& loop) {
    double twice = 0;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vec2 &a = loop[k], &b = loop[(k + 1) % loop.size()];
        twice += a.x() * b.y() - a.y() * b.x();
    }
    return 0.5 * twice;
}

// The box from 0 to 1 in x and y, 0 to 2 in z.
struct Box {
    Points points;
    std::vector<std::array<int, 3>> triangles{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                              {0, 1, 5}, {0, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                              {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    Box() {
        for (int k = 0; k < 8; ++k) points.emplace_back(k % 2, k / 2 % 2, 2 * (k / 4));
    }
};

TEST(Section, OfABoxIsASquare) {
    const Box box;
    for (const double height : {0.3, 1.0, 2.0}) {
        const std::vector<Loop> loops = level_section(box.points, box.triangles, height);
        ASSERT_EQ(loops.size(), 1u);
        EXPECT_NEAR(area(loops[0]), 1, 1e-12);
    }
}

TEST(Section, MissesWhatIsAboveAndBelow) {
    const Box box;
    EXPECT_TRUE(level_section(box.points, box.triangles, -0.1).empty());
    EXPECT_TRUE(level_section(box.points, box.triangles, 0).empty());
    EXPECT_TRUE(level_section(box.points, box.triangles, 2.1).empty());
}

// A ring that lies flat: cut in the middle, the outer loop runs counter-clockwise and the inner one
// clockwise.
TEST(Section, OfARingIsTwoLoops) {
    const auto ring = [](const Vec3& p) { return std::hypot(p.head<2>().norm() - 0.5, p.z()) - 0.2; };
    ImplicitSurfaceParams params;
    params.low = {-0.8, -0.8, -0.3};
    params.high = {0.8, 0.8, 0.3};
    params.cell = 0.05;
    params.edge_length = [](const Vec3&) { return 0.06; };
    const TriangleSurface surface = implicit_surface(ring, params);
    const std::vector<Loop> loops = level_section(surface.points, surface.triangles, 0.01);
    ASSERT_EQ(loops.size(), 2u);
    const double a = area(loops[0]), b = area(loops[1]);
    EXPECT_NEAR(std::max(a, b), M_PI * 0.49, 0.02);
    EXPECT_NEAR(std::min(a, b), -M_PI * 0.09, 0.02);
}

}  // namespace
}  // namespace taut::mesh

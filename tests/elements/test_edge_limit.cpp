// One edge brought to a length: closed form, momentum, and an edge without direction.
#include "taut/elements/edge_limit.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace taut::elements {
namespace {

TEST(EdgeLimit, EndsMoveByInverseMassToTheWantedLength) {
    const Vec3 a(0.1, 0.2, 0.3), b(0.4, -0.2, 0.3);
    for (const auto& [w_a, w_b] : {std::pair{1.0, 1.0}, {3.0, 0.5}, {0.0, 2.0}}) {
        const Vec3 p = edge_pull(b - a, 0.45, w_a, w_b);
        const Vec3 a_end = a + w_a * p, b_end = b - w_b * p;
        EXPECT_NEAR((b_end - a_end).norm(), 0.45, 1e-15);
        EXPECT_LT((b_end - a_end).cross(b - a).norm(), 1e-15);
    }
}

TEST(EdgeLimit, CollapsedEdgeIsLeft) { EXPECT_EQ(edge_pull(Vec3::Zero(), 1, 1, 1).norm(), 0); }

}  // namespace
}  // namespace taut::elements

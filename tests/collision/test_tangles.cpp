// Tangles and the lines along which surfaces intersect: what is exempt, and that moving along the gradient is
// what makes lines shorter.
#include "taut/collision/tangles.hpp"

#include <gtest/gtest.h>

#include "collision/touching.hpp"
#include "taut/collision/contours.hpp"

namespace taut::collision {
namespace {

// A level sheet and one that stands in it, narrower below, turned, tilted and out of the middle.
struct TwoSheets {
    explicit TwoSheets(double depth, double tilt = 0.3, int n = 7) {
        model = testing::cloth_at(mesh::make_grid(n, n, 0.6, 0.6), Vec3(-0.3, -0.3, 0));
        testing::add_cloth(model, "other", mesh::make_grid(6, 6, 0.3, 0.3), Vec3::Zero());
        first = std::size_t(n * n);
        for (std::size_t i = first; i < model.rest.size(); ++i) {
            const Vec3 p = model.rest[i];
            const double across = (1 + 1.5 * p.y()) * (p.x() - 0.15) + 0.2 * p.y();
            model.rest[i] = Vec3(across, 0.013 + tilt * p.y() + 0.1 * p.x(), p.y() - depth);
        }
        surface = make_surface(model, {}, 1e-3);
        group = groups_of_triangles(surface);
        tangles.prepare(surface);
        find(model.rest);
    }
    void find(ConstPoints x) {
        IntersectionSkips skips;
        skips.group = group;
        tangles.set(find_intersections(x, surface.triangles, skips));
    }
    Model model;
    Surface surface;
    std::vector<int> group;
    Tangles tangles;
    std::size_t first = 0;  // point of the second sheet
};

TEST(Tangles, NothingIsExemptWhereNothingIntersects) {
    const TwoSheets sheets(-0.01);
    EXPECT_TRUE(sheets.tangles.empty());
    EXPECT_TRUE(sheets.tangles.exempt().empty());
    EXPECT_FALSE(sheets.tangles.exempts(PairKind::vertex_face, {0, 49, 50, 55}));
    EXPECT_TRUE(find_crossings(sheets.surface, sheets.tangles, sheets.model.rest).empty());
}

TEST(Tangles, PairsAndTheirNeighboursAreExemptAndNobodyElse) {
    const TwoSheets sheets(0.02);
    const auto exempt = sheets.tangles.exempt();
    ASSERT_FALSE(exempt.empty());
    const auto share = [&](int s, int t) {
        for (const int p : sheets.surface.triangles[std::size_t(s)]) {
            for (const int q : sheets.surface.triangles[std::size_t(t)]) {
                if (p == q) return true;
            }
        }
        return false;
    };
    const int count = int(sheets.surface.triangles.size());
    for (int a = 0; a < count; ++a) {
        for (int b = a + 1; b < count; ++b) {
            bool near = false;
            for (const TrianglePair& pair : sheets.tangles.pairs()) {
                near =
                    near || (share(a, pair.a) && share(b, pair.b)) || (share(a, pair.b) && share(b, pair.a));
            }
            EXPECT_EQ(near, std::binary_search(exempt.begin(), exempt.end(), TrianglePair{a, b}));
        }
    }
}

TEST(Tangles, PrimitivesAreExemptWithTheirTriangles) {
    const TwoSheets sheets(0.02);
    const TrianglePair pair = sheets.tangles.pairs()[0];
    const auto a = sheets.surface.triangles[std::size_t(pair.a)],
               b = sheets.surface.triangles[std::size_t(pair.b)];
    EXPECT_TRUE(sheets.tangles.exempts(PairKind::vertex_face, {a[0], b[0], b[1], b[2]}));
    EXPECT_TRUE(sheets.tangles.exempts(PairKind::vertex_face, {b[1], a[0], a[1], a[2]}));
    EXPECT_TRUE(sheets.tangles.exempts(PairKind::edge_edge, {a[0], a[1], b[1], b[2]}));
    // The far corner of the one with the same face.
    EXPECT_FALSE(sheets.tangles.exempts(PairKind::vertex_face, {0, b[0], b[1], b[2]}));
}

TEST(Contours, RigidMotionShortensThemAsTheGradientSays) {
    for (const double tilt : {0.1, 0.3, 0.7}) {
        for (const double depth : {0.02, 0.07, 0.13}) {
            TwoSheets sheets(depth, tilt);
            const auto crossings = find_crossings(sheets.surface, sheets.tangles, sheets.model.rest);
            ASSERT_FALSE(crossings.empty());
            // Of the second sheet against the first; one line, so one sum.
            Vec3 sum = Vec3::Zero();
            for (const EdgeCrossing& c : crossings) {
                const bool second = c.edge[0] >= int(sheets.first);
                sum += second ? c.shorter : Vec3(-c.shorter);
            }
            for (const EdgeCrossing& c : crossings) {
                const bool second = c.edge[0] >= int(sheets.first);
                EXPECT_LT((c.whole - (second ? sum : Vec3(-sum))).norm(), 1e-12 * (1 + sum.norm()));
            }
            for (int axis = 0; axis < 3; ++axis) {
                const double step = 1e-7;
                std::array<double, 2> length{};
                for (int side = 0; side < 2; ++side) {
                    Points x = sheets.model.rest;
                    for (std::size_t i = sheets.first; i < x.size(); ++i)
                        x[i][axis] += side == 0 ? -step : step;
                    TwoSheets moved(depth, tilt);
                    moved.find(x);
                    length[std::size_t(side)] = contour_length(moved.surface, moved.tangles, x);
                }
                EXPECT_NEAR(-(length[1] - length[0]) / (2 * step), sum[axis], 1e-5 * (1 + sum.norm()))
                    << tilt << ' ' << depth << ' ' << axis;
            }
        }
    }
}

TEST(Contours, ASheetThatIsNarrowerBelowIsPulledUpwards) {
    const TwoSheets sheets(0.02, 0.0);
    for (const EdgeCrossing& c : find_crossings(sheets.surface, sheets.tangles, sheets.model.rest)) {
        EXPECT_NEAR(c.weight.sum(), 1, 1e-12);
        EXPECT_GE(c.weight.minCoeff(), 0);
        EXPECT_GE(c.along, 0);
        EXPECT_LE(c.along, 1);
        const bool standing = c.edge[0] >= int(sheets.first);
        EXPECT_GT(standing ? c.whole.z() : -c.whole.z(), 0);
    }
    EXPECT_NEAR(contour_length(sheets.surface, sheets.tangles, sheets.model.rest), 0.31, 0.01);
}

}  // namespace
}  // namespace taut::collision

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/base/error.hpp"
#include "taut/mesh/makers.hpp"

namespace taut::mesh {
namespace {

double length(const MadeMesh& made, const Edge& e) { return (made.rest[e.b] - made.rest[e.a]).norm(); }

int count(const Net& net, Direction direction) {
    return static_cast<int>(std::count_if(net.edges.begin(), net.edges.end(),
                                          [&](const Edge& e) { return e.direction == direction; }));
}

TEST(Grid, HasTheCountsAndPlacesOfTheConvention) {
    const MadeMesh made = make_grid(5, 3, 2.0, 0.5);
    EXPECT_EQ(made.mesh.vertices, 15);
    EXPECT_EQ(made.rest.size(), 15u);
    EXPECT_EQ(made.mesh.faces.size(), 8u);
    EXPECT_EQ(count(made.net, Direction::weft), 4 * 3);
    EXPECT_EQ(count(made.net, Direction::warp), 5 * 2);
    EXPECT_EQ(made.net.yarns.size(), 3u + 5u);
    EXPECT_EQ(made.rest[2 * 5 + 3], Vec3(1.5, 0.5, 0));
    for (const Edge& e : made.net.edges)
        EXPECT_EQ(e.direction, e.b - e.a == 1 ? Direction::weft : Direction::warp);
}

TEST(Grid, FacesLookUpAndEdgesKnowTheirFaces) {
    const MadeMesh made = make_grid(4, 4, 3, 3);
    for (const Face& f : made.mesh.faces) {
        const Vec3 u = made.rest[f.corner[1]] - made.rest[f.corner[0]];
        const Vec3 v = made.rest[f.corner[3]] - made.rest[f.corner[0]];
        EXPECT_EQ(u.cross(v), Vec3(0, 0, 1));
    }
    for (const Edge& e : made.net.edges) {
        ASSERT_GE(e.face[0], 0);
        int found = 0;
        for (std::size_t f = 0; f < made.mesh.faces.size(); ++f) {
            const auto& c = made.mesh.faces[f].corner;
            const bool has = std::find(c.begin(), c.end(), e.a) != c.end() &&
                             std::find(c.begin(), c.end(), e.b) != c.end();
            if (!has) continue;
            ++found;
            EXPECT_TRUE(e.face[0] == static_cast<int>(f) || e.face[1] == static_cast<int>(f));
        }
        EXPECT_EQ(found, e.face[1] >= 0 ? 2 : 1);
    }
}

TEST(Grid, SplitQuadsKeepYarnsAndKnowTheirFaces) {
    const MadeMesh quads = make_grid(5, 4, 2, 1.5);
    MadeMesh made = quads;
    split_quads(made);
    EXPECT_EQ(made.mesh.faces.size(), 2 * quads.mesh.faces.size());
    EXPECT_EQ(count(made.net, Direction::none), 4 * 3);
    EXPECT_EQ(count(made.net, Direction::warp), count(quads.net, Direction::warp));
    EXPECT_EQ(made.net.yarns.size(), quads.net.yarns.size());
    for (const Face& f : made.mesh.faces) {
        ASSERT_EQ(f.size(), 3);
        const Vec3 u = made.rest[f.corner[1]] - made.rest[f.corner[0]];
        const Vec3 v = made.rest[f.corner[2]] - made.rest[f.corner[0]];
        EXPECT_NEAR(u.cross(v).z(), 0.25, 1e-12);
    }
    // Every edge names the faces that have it, and no others.
    for (const Edge& e : made.net.edges) {
        std::vector<int> found;
        for (int f = 0; f < static_cast<int>(made.mesh.faces.size()); ++f) {
            const auto& c = made.mesh.faces[static_cast<std::size_t>(f)].corner;
            if (std::count(c.begin(), c.end(), e.a) + std::count(c.begin(), c.end(), e.b) == 2)
                found.push_back(f);
        }
        std::vector<int> named;
        for (const int f : e.face) {
            if (f >= 0) named.push_back(f);
        }
        std::sort(named.begin(), named.end());
        EXPECT_EQ(named, found);
    }
    MadeMesh again = made;
    split_quads(again);
    EXPECT_EQ(again.net.edges.size(), made.net.edges.size()) << "triangles stay as they are";
}

TEST(Grid, RestLengthsAreTheSameDoubleEverywhere) {
    for (const int n : {3, 41, 71, 101, 317}) {
        const MadeMesh made = make_grid(n, n, 1.0, 0.7);
        double warp = 0, weft = 0;
        for (const Edge& e : made.net.edges) {
            double& first = e.direction == Direction::warp ? warp : weft;
            if (first == 0) first = length(made, e);
            ASSERT_EQ(length(made, e), first) << n;
        }
        EXPECT_NEAR(made.rest.back().x(), 1.0, 1e-15 * n);
        EXPECT_NEAR(made.rest.back().y(), 0.7, 1e-15 * n);
    }
}

TEST(Polyline, IsOneOpenWarpYarnOfEqualLinks) {
    const MadeMesh made = make_polyline(1001, 2.5);
    EXPECT_TRUE(made.mesh.faces.empty());
    EXPECT_EQ(made.mesh.lines.size(), 1000u);
    ASSERT_EQ(made.net.yarns.size(), 1u);
    EXPECT_FALSE(made.net.yarns[0].closed);
    EXPECT_EQ(made.net.yarns[0].edge.size(), 1000u);
    EXPECT_EQ(made.net.yarns[0].direction, Direction::warp);
    for (const Edge& e : made.net.edges) ASSERT_EQ(length(made, e), length(made, made.net.edges[0]));
    EXPECT_NEAR(made.rest.back().x(), 2.5, 1e-12);
}

TEST(Cone, HasClosedRingsAndOpenColumns) {
    const MadeMesh made = make_cone(12, 5, 0.2, 0.6, 0.9);
    EXPECT_EQ(made.mesh.vertices, 60);
    EXPECT_EQ(made.mesh.faces.size(), 48u);
    EXPECT_EQ(count(made.net, Direction::weft), 60);
    EXPECT_EQ(count(made.net, Direction::warp), 48);
    int closed = 0;
    for (const Yarn& y : made.net.yarns) {
        closed += y.closed;
        EXPECT_EQ(y.closed, y.direction == Direction::weft);
        EXPECT_EQ(y.edge.size(), y.closed ? y.vertex.size() : y.vertex.size() - 1);
    }
    EXPECT_EQ(closed, 5);
    EXPECT_NEAR(made.rest[0].head<2>().norm(), 0.2, 1e-15);
    EXPECT_EQ(made.rest[0].z(), 0.9);
    EXPECT_NEAR(made.rest[59].head<2>().norm(), 0.6, 1e-15);
    EXPECT_EQ(made.rest[59].z(), 0);
}

TEST(Cone, NormalsPointOutwards) {
    const MadeMesh made = make_cone(7, 4, 0.5, 0.5, 1);
    for (const Face& f : made.mesh.faces) {
        Vec3 center = Vec3::Zero();
        for (const int c : f.corner) center += made.rest[c] / 4;
        const Vec3 normal = (made.rest[f.corner[2]] - made.rest[f.corner[0]])
                                .cross(made.rest[f.corner[3]] - made.rest[f.corner[1]]);
        EXPECT_GT(normal.dot(Vec3(center.x(), center.y(), 0)), 0);
    }
}

TEST(Makers, RefuseSizesThatMakeNoCloth) {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinite = std::numeric_limits<double>::infinity();
    EXPECT_THROW(make_grid(1, 5, 1, 1), InputError);
    EXPECT_THROW(make_grid(5, -3, 1, 1), InputError);
    EXPECT_THROW(make_grid(5, 5, 0, 1), InputError);
    EXPECT_THROW(make_grid(5, 5, 1, nan), InputError);
    EXPECT_THROW(make_grid(5, 5, infinite, 1), InputError);
    EXPECT_THROW(make_grid(2'000'000'000, 2'000'000'000, 1, 1), InputError);
    EXPECT_THROW(make_polyline(1, 1), InputError);
    EXPECT_THROW(make_polyline(10, -1), InputError);
    EXPECT_THROW(make_cone(2, 5, 1, 1, 1), InputError);
    EXPECT_THROW(make_cone(8, 1, 1, 1, 1), InputError);
    EXPECT_THROW(make_cone(8, 5, 0, 1, 1), InputError);
}

// All links as long as asked, up to the rounding of coordinates; ends where they belong; symmetric.
void expect_profile(int links, double link, double chord) {
    SCOPED_TRACE(testing::Message() << links << " links of " << link << ", chord " << chord);
    const Points p = sag_profile(links, link, chord);
    ASSERT_EQ(p.size(), static_cast<std::size_t>(links) + 1);
    EXPECT_EQ(p.front(), Vec3(0, 0, 0));
    EXPECT_EQ(p.back(), Vec3(chord, 0, 0));
    for (int k = 0; k < links; ++k) ASSERT_NEAR((p[k + 1] - p[k]).norm(), link, 1e-15 * links * link);
    for (int k = 0; k <= links; ++k) {
        EXPECT_EQ(p[k].y(), 0);
        EXPECT_LE(p[k].z(), 0);
        EXPECT_NEAR(p[k].x() + p[links - k].x(), chord, 1e-15 * links * link);
    }
}

TEST(SagProfile, KeepsEveryLinkOverAllSlacks) {
    for (const int links : {2, 3, 4, 7, 40, 41, 100, 1000})
        for (const double slack : {0.0, 1e-16, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.02, 0.3, 0.6})
            expect_profile(links, 1.0 / links, 1 - slack);
    expect_profile(1, 0.3, 0.3);
    expect_profile(10, 1, 1e-9);
    expect_profile(10000, 1e-4, 0.01);
}

TEST(SagProfile, LiesOnAParabola) {
    const Points p = sag_profile(40, 0.025, 0.98);
    const double depth = -p[20].z();
    EXPECT_GT(depth, 0.08);
    for (const Vec3& q : p) {
        const double s = 2 * q.x() / 0.98 - 1;
        EXPECT_NEAR(q.z(), depth * (s * s - 1), 1e-14);
    }
}

TEST(SagProfile, IsStraightWhenTheChordIsTheLength) {
    for (const Vec3& q : sag_profile(1000, 0.001, 1.0)) EXPECT_EQ(q.z(), 0);
}

TEST(SagProfile, RefusesWhatCannotBe) {
    EXPECT_THROW(sag_profile(40, 0.025, 1.001), InputError);
    EXPECT_THROW(sag_profile(40, 0.025, 0), InputError);
    EXPECT_THROW(sag_profile(40, 0.025, -1), InputError);
    EXPECT_THROW(sag_profile(0, 0.025, 0.1), InputError);
    EXPECT_THROW(sag_profile(41, 0.025, 0.02), InputError);
    EXPECT_THROW(sag_profile(40, std::numeric_limits<double>::quiet_NaN(), 0.5), InputError);
    EXPECT_THROW(sag_profile(40, 0.025, std::numeric_limits<double>::quiet_NaN()), InputError);
}

}  // namespace
}  // namespace taut::mesh

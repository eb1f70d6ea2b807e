// Sheets, discs and tubes of irregular triangles: counts, angles, areas, parts, pattern against space.
#include "taut/mesh/triangle_makers.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "taut/base/error.hpp"
#include "taut/mesh/topology.hpp"

namespace taut::mesh::triangle_makers_tests {
namespace {

constexpr double degree = std::numbers::pi / 180;

double pattern_area(const MadeMesh& made) {
    double sum = 0;
    for (const auto& uv : made.mesh.corner_uv) {
        const Vec2 p = uv[1] - uv[0], q = uv[2] - uv[0];
        const double twice = p.x() * q.y() - p.y() * q.x();
        EXPECT_GT(twice, 0);
        sum += 0.5 * twice;
    }
    return sum;
}

// Sound, all triangles, with every edge and no direction in the net.
void expect_plain(const MadeMesh& made) {
    EXPECT_EQ(made.rest.size(), static_cast<std::size_t>(made.mesh.vertices));
    EXPECT_EQ(made.mesh.corner_uv.size(), made.mesh.faces.size());
    EXPECT_TRUE(find_problems(made.mesh, made.rest).empty());
    EXPECT_EQ(made.net.edges.size(), build_topology(made.mesh).edges.size());
    EXPECT_TRUE(made.net.yarns.empty());
    for (const Edge& e : made.net.edges) EXPECT_EQ(e.direction, Direction::none);
    for (const Face& f : made.mesh.faces) EXPECT_EQ(f.size(), 3);
}

const std::vector<int>& part(const MadePattern& cloth, const std::string& name) {
    const auto found = std::find_if(cloth.parts.begin(), cloth.parts.end(),
                                    [&](const MeshPart& p) { return p.name == name; });
    EXPECT_NE(found, cloth.parts.end()) << name;
    return found->vertices;
}

// All vertices of the border of a mesh are in the parts, and neighbours in a part share an edge.
void expect_border(const MadePattern& cloth, const std::vector<std::string>& names, bool closed) {
    std::vector<int> border, named;
    for (const Edge& e : cloth.made.net.edges)
        if (e.face[1] < 0) border.insert(border.end(), {e.a, e.b});
    for (const std::string& name : names) {
        const std::vector<int>& vertices = part(cloth, name);
        named.insert(named.end(), vertices.begin(), vertices.end());
        for (std::size_t k = 0; k + (closed ? 0 : 1) < vertices.size(); ++k) {
            const int a = vertices[k], b = vertices[(k + 1) % vertices.size()];
            const bool found =
                std::any_of(cloth.made.net.edges.begin(), cloth.made.net.edges.end(), [&](const Edge& e) {
                    return e.a == std::min(a, b) && e.b == std::max(a, b) && e.face[1] < 0;
                });
            EXPECT_TRUE(found) << name << ' ' << k;
        }
    }
    for (std::vector<int>* list : {&border, &named}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    EXPECT_EQ(border, named);
}

TEST(IrregularSheet, IsARectangle) {
    const MadePattern sheet = make_irregular_sheet(0.8, 0.5, {0.04, 1, 3});
    expect_plain(sheet.made);
    expect_border(sheet, {"u0", "u1", "v0", "v1"}, false);
    EXPECT_NEAR(pattern_area(sheet.made), 0.4, 1e-12);
    const auto at = [&](int v) { return sheet.made.rest[static_cast<std::size_t>(v)]; };
    for (const int v : part(sheet, "u0")) EXPECT_EQ(at(v).x(), 0);
    for (const int v : part(sheet, "u1")) EXPECT_EQ(at(v).x(), 0.8);
    for (const int v : part(sheet, "v0")) EXPECT_EQ(at(v).y(), 0);
    for (const int v : part(sheet, "v1")) EXPECT_EQ(at(v).y(), 0.5);
    for (const char* name : {"u0", "u1", "v0", "v1"}) {
        const std::vector<int>& edge = part(sheet, name);
        for (std::size_t k = 1; k < edge.size(); ++k)
            EXPECT_GT((at(edge[k]) - at(edge[k - 1])).sum(), 0) << name;
    }
    EXPECT_EQ(at(part(sheet, "u0v0")[0]), Vec3(0, 0, 0));
    EXPECT_EQ(at(part(sheet, "u1v0")[0]), Vec3(0.8, 0, 0));
    EXPECT_EQ(at(part(sheet, "u0v1")[0]), Vec3(0, 0.5, 0));
    EXPECT_EQ(at(part(sheet, "u1v1")[0]), Vec3(0.8, 0.5, 0));

    // The pattern is the sheet itself, and looks up.
    for (std::size_t f = 0; f < sheet.made.mesh.faces.size(); ++f)
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(sheet.made.mesh.corner_uv[f][k],
                      Vec2(at(sheet.made.mesh.faces[f].corner[k]).head<2>()));
}

TEST(Disc, IsRound) {
    const MadePattern disc = make_disc(0.5, {0.05, 1, 1});
    expect_plain(disc.made);
    expect_border(disc, {"rim"}, true);
    for (const int v : part(disc, "rim"))
        EXPECT_NEAR(disc.made.rest[static_cast<std::size_t>(v)].norm(), 0.5, 1e-15);
    const double n = static_cast<double>(part(disc, "rim").size());
    EXPECT_NEAR(pattern_area(disc.made), 0.125 * n * std::sin(2 * std::numbers::pi / n), 1e-12);
}

TEST(TriangleTube, ClosesWithoutASeam) {
    const double radius = 0.2, height = 0.6;
    const MadePattern tube = make_triangle_tube(radius, height, {0.04, 1, 1});
    expect_plain(tube.made);
    expect_border(tube, {"hem", "top"}, true);
    EXPECT_EQ(connected_components(tube.made.mesh.vertices, tube.made.net.edges).count, 1);
    EXPECT_NEAR(pattern_area(tube.made), 2 * std::numbers::pi * radius * height, 1e-10);
    for (const int v : part(tube, "hem")) EXPECT_EQ(tube.made.rest[static_cast<std::size_t>(v)].z(), 0);
    for (const int v : part(tube, "top")) EXPECT_EQ(tube.made.rest[static_cast<std::size_t>(v)].z(), height);

    // Normals look outwards. Chords are a little shorter than the arcs of the pattern, none by much.
    for (std::size_t f = 0; f < tube.made.mesh.faces.size(); ++f) {
        const auto& c = tube.made.mesh.faces[f].corner;
        const auto at = [&](std::size_t k) { return tube.made.rest[static_cast<std::size_t>(c[k])]; };
        const Vec3 middle = (at(0) + at(1) + at(2)) / 3;
        EXPECT_GT((at(1) - at(0)).cross(at(2) - at(0)).dot(Vec3(middle.x(), middle.y(), 0)), 0);
        for (std::size_t k = 0; k < 3; ++k) {
            const auto& uv = tube.made.mesh.corner_uv[f];
            const double ratio = (at((k + 1) % 3) - at(k)).norm() / (uv[(k + 1) % 3] - uv[k]).norm();
            EXPECT_LT(ratio, 1 + 1e-12);
            EXPECT_GT(ratio, 0.99);
        }
    }
}

TEST(Fillings, HaveNoSmallAngles) {
    double least = 90;
    for (int seed = 1; seed <= 8; ++seed) {
        for (const double irregularity : {0.0, 0.5, 1.0}) {
            const FillParams fill{0.05, irregularity, seed};
            least =
                std::min({least, least_angle(fill_outline(rectangle_outline(1, 0.7, 0.05), fill)) / degree,
                          least_angle(fill_outline(disc_outline(0.5, 0.05), fill)) / degree,
                          least_angle(fill_strip(1.3, 0.8, fill)) / degree});
        }
    }
    EXPECT_GT(least, 20);
    RecordProperty("least_angle", std::to_string(least));

    // Down to a handful of triangles.
    for (double spacing = 0.1; spacing < 0.7; spacing *= 1.1)
        EXPECT_GT(least_angle(fill_outline(rectangle_outline(1, 0.7, spacing), {spacing, 1, 1})) / degree,
                  20);
}

// At irregularity 1 edges point everywhere: none of twelve sectors has much more than its share.
TEST(Fillings, PreferNoDirection) {
    const Filling filling = fill_outline(rectangle_outline(1, 1, 0.02), {0.02, 1, 1});
    std::array<double, 12> share{};
    for (const StripTriangle& t : filling.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec2 way = filling.corner(t, (k + 1) % 3) - filling.corner(t, k);
            const double turn = std::atan2(way.y(), way.x()) / (2 * std::numbers::pi) + 1;
            share[static_cast<std::size_t>(24 * turn) % 12] +=
                1.0 / (3 * static_cast<double>(filling.triangles.size()));
        }
    for (const double part : share) EXPECT_NEAR(part, 1.0 / 12, 0.4 / 12);
}

TEST(Fillings, SameBitsForTheSameNumbers) {
    const FillParams fill{0.05, 1, 4};
    const MadePattern first = make_disc(0.4, fill), second = make_disc(0.4, fill);
    EXPECT_EQ(first.made.rest, second.made.rest);
    const MadePattern other = make_disc(0.4, {0.05, 1, 5});
    EXPECT_NE(first.made.rest, other.made.rest);
    EXPECT_EQ(make_triangle_tube(0.2, 0.4, fill).made.rest, make_triangle_tube(0.2, 0.4, fill).made.rest);
}

TEST(Fillings, RefuseWhatMakesNoMesh) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(make_irregular_sheet(0, 1, {0.1, 1, 1}), InputError);
    EXPECT_THROW(make_irregular_sheet(1, nan, {0.1, 1, 1}), InputError);
    EXPECT_THROW(make_irregular_sheet(1, 1, {0, 1, 1}), InputError);
    EXPECT_THROW(make_irregular_sheet(1, 1, {nan, 1, 1}), InputError);
    EXPECT_THROW(make_irregular_sheet(1, 1, {2, 1, 1}), InputError);
    EXPECT_THROW(make_irregular_sheet(1, 1, {0.1, 1.5, 1}), InputError);
    EXPECT_THROW(make_irregular_sheet(1, 1, {1e-6, 1, 1}), InputError);
    EXPECT_THROW(make_disc(-1, {0.1, 1, 1}), InputError);
    EXPECT_THROW(make_disc(1, {1e-5, 1, 1}), InputError);
    EXPECT_THROW(make_triangle_tube(0.01, 1, {0.1, 1, 1}), InputError);
    EXPECT_THROW(make_triangle_tube(1, 0.01, {0.1, 1, 1}), InputError);
    EXPECT_THROW(make_triangle_tube(1, 1, {1e-5, 1, 1}), InputError);
    EXPECT_THROW(fill_outline({{0, 0}, {0, 1}, {1, 1}}, {0.5, 1, 1}), InputError);
    EXPECT_THROW(fill_outline({}, {0.5, 1, 1}), InputError);
}

}  // namespace
}  // namespace taut::mesh::triangle_makers_tests

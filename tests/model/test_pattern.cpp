// Where triangles lie in the flat cloth: grids, directions from yarns and texture coordinates, turned grain,
// patterns cut apart, pieces that say nothing; and the edges between triangles.
#include "taut/model/pattern.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "taut/mesh/makers.hpp"
#include "taut/mesh/mass.hpp"

namespace taut::pattern_tests {
namespace {

ClothPart part(const mesh::MadeMesh& made) {
    return {"cloth", made.mesh, made.net, made.rest, mesh::lumped_mass(made.mesh, made.rest, 0.2, 0.1)};
}

Model model_of(const ClothPart& cloth) {
    Model model;
    append(model, cloth);
    return model;
}

// Edge k of a triangle, in the pattern and at rest.
Vec2 in_pattern(const PatternTriangle& t, int k) { return t.uv[(k + 1) % 3] - t.uv[k]; }
Vec3 at_rest(const Model& m, const PatternTriangle& t, int k) {
    return m.rest[t.vertex[(k + 1) % 3]] - m.rest[t.vertex[k]];
}

// Every triangle has its rest lengths in the pattern.
void expect_isometric(const Model& model, const std::vector<PatternTriangle>& triangles) {
    for (const PatternTriangle& t : triangles) {
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(in_pattern(t, k).norm(), at_rest(model, t, k).norm(), 1e-13);
    }
}

// Texture coordinates of all faces from positions at rest.
template <class Map>
void give_uv(ClothPart& cloth, Map&& map) {
    cloth.mesh.corner_uv.clear();
    for (const mesh::Face& face : cloth.mesh.faces) {
        std::array<Vec2, 4> uv{Vec2::Zero(), Vec2::Zero(), Vec2::Zero(), Vec2::Zero()};
        for (int k = 0; k < face.size(); ++k) uv[k] = map(cloth.rest[face.corner[k]]);
        cloth.mesh.corner_uv.push_back(uv);
    }
}

// u along x and v along y, up to half a turn.
void expect_turned(const Model& model, double angle) {
    const Vec2 u(std::cos(angle), std::sin(angle)), v(-std::sin(angle), std::cos(angle));
    for (const PatternTriangle& t : pattern_triangles(model)) {
        double sign = 0;
        for (int k = 0; k < 3; ++k) {
            const Vec2 e = at_rest(model, t, k).head<2>();
            const Vec2 expected(e.dot(u), e.dot(v));
            if (sign == 0) sign = in_pattern(t, k).dot(expected) < 0 ? -1 : 1;
            EXPECT_LT((in_pattern(t, k) - sign * expected).norm(), 1e-13);
        }
    }
}

TEST(Pattern, AGridLiesAlongItsYarns) {
    const Model model = model_of(part(mesh::make_grid(5, 4, 1, 2)));
    const auto triangles = pattern_triangles(model);
    EXPECT_EQ(triangles.size(), 24u);
    expect_isometric(model, triangles);
    expect_turned(model, 0);
}

TEST(Pattern, GrainTurnsFromWeftToWarp) {
    for (const double grain : {0.3, std::numbers::pi / 4, -1.2}) {
        ClothPart cloth = part(mesh::make_grid(4, 4, 1, 1));
        cloth.grain = grain;
        expect_turned(model_of(cloth), grain);
        // The same by texture coordinates of any length.
        give_uv(cloth, [](const Vec3& p) { return Vec2(3 * p.x(), 7 * p.y()); });
        for (mesh::Edge& e : cloth.net.edges) e.direction = mesh::Direction::none;
        expect_turned(model_of(cloth), grain);
        // And as the pattern itself.
        give_uv(cloth, [](const Vec3& p) { return Vec2(p.x(), p.y()); });
        cloth.cut = true;
        expect_turned(model_of(cloth), grain);
    }
}

// Yarns of a mirrored piece turn the other way round in space.
TEST(Pattern, AMirroredPatternTurnsItsGrainWithIt) {
    ClothPart cloth = part(mesh::make_grid(4, 4, 1, 1));
    cloth.grain = 0.3;
    give_uv(cloth, [](const Vec3& p) { return Vec2(p.x(), -p.y()); });
    const Model free = model_of(cloth);
    cloth.cut = true;
    const Model cut = model_of(cloth);
    const auto laid = pattern_triangles(free), given = pattern_triangles(cut);
    ASSERT_EQ(laid.size(), given.size());
    for (std::size_t t = 0; t < laid.size(); ++t) {
        for (int k = 0; k < 3; ++k)
            EXPECT_LT((in_pattern(laid[t], k) - in_pattern(given[t], k)).norm(), 1e-13);
    }
}

TEST(Pattern, ACutPatternIsTakenAsItIs) {
    ClothPart cloth = part(mesh::make_cone(8, 4, 0.2, 0.3, 0.5));
    give_uv(cloth, [](const Vec3& p) { return Vec2(1.5 * p.x() - 2, 0.5 * p.z() + p.y()); });
    cloth.cut = true;
    const Model model = model_of(cloth);
    for (const PatternTriangle& t : pattern_triangles(model)) {
        for (int k = 0; k < 3; ++k) {
            const Vec3& p = model.rest[t.vertex[k]];
            EXPECT_LT((t.uv[k] - Vec2(1.5 * p.x() - 2, 0.5 * p.z() + p.y())).norm(), 1e-14);
        }
    }
}

// A tube without yarns or coordinates: warp runs up everywhere, whatever unfolds from where.
TEST(Pattern, WithoutDirectionsWarpRunsUp) {
    ClothPart cloth = part(mesh::make_cone(9, 4, 0.3, 0.3, 0.6));
    for (mesh::Edge& e : cloth.net.edges) e.direction = mesh::Direction::none;
    cloth.net.yarns.clear();
    const Model model = model_of(cloth);
    const auto triangles = pattern_triangles(model);
    expect_isometric(model, triangles);
    for (const PatternTriangle& t : triangles) {
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(std::abs(in_pattern(t, k).y()), std::abs(at_rest(model, t, k).z()), 1e-12);
    }
}

// Pieces that do not touch are laid one by one, each by what it has.
TEST(Pattern, PiecesAreLaidEachByItself) {
    ClothPart grid = part(mesh::make_grid(3, 3, 1, 1)), plain = part(mesh::make_grid(4, 3, 1, 1)),
              cut = part(mesh::make_grid(3, 4, 1, 1));
    grid.grain = 0.5;
    for (mesh::Edge& e : plain.net.edges) e.direction = mesh::Direction::none;
    plain.net.yarns.clear();
    give_uv(cut, [](const Vec3& p) { return Vec2(p.y(), 2 * p.x()); });
    cut.cut = true;
    Model model;
    append(model, grid);
    append(model, plain);
    append(model, cut);
    const auto triangles = pattern_triangles(model);
    ASSERT_EQ(triangles.size(), 8u + 12u + 12u);
    Model alone;
    append(alone, grid);
    const auto first = pattern_triangles(alone);
    for (std::size_t t = 0; t < 8; ++t) EXPECT_EQ(triangles[t].uv, first[t].uv);
    // The second lies flat: warp along y.
    for (std::size_t t = 8; t < 20; ++t) {
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(std::abs(in_pattern(triangles[t], k).x()),
                        std::abs(at_rest(model, triangles[t], k).x()), 1e-13);
    }
    for (std::size_t t = 20; t < 32; ++t) {
        for (int k = 0; k < 3; ++k) {
            const Vec3& p = model.rest[triangles[t].vertex[k]];
            EXPECT_LT((triangles[t].uv[k] - Vec2(p.y(), 2 * p.x())).norm(), 1e-14);
        }
    }
}

// Triangles without area get no place, and keep nobody else from one.
TEST(Pattern, TrianglesWithoutAreaDoNoHarm) {
    for (const int flat : {0, 1, 2}) {
        Model model;
        model.rest = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}};
        model.faces = {{{0, 1, 3, -1}}, {{1, 4, 3, -1}}, {{1, 2, 4, -1}}};
        for (int f = 0; f <= flat; ++f) {
            // All corners on a line.
            for (const int v : {model.faces[f].corner[2]}) model.rest[v] = Vec3(0.3, 0, 0);
        }
        model.mass.assign(5, 1);
        const auto triangles = pattern_triangles(model);
        ASSERT_EQ(triangles.size(), 3u);
        for (const PatternTriangle& t : triangles) {
            for (const Vec2& uv : t.uv) EXPECT_TRUE(uv.allFinite());
        }
    }
}

TEST(PatternHinges, AreAllInnerEdgesWithDiagonals) {
    const Model model = model_of(part(mesh::make_grid(5, 4, 1, 1.5)));
    const auto hinges = pattern_hinges(model, pattern_triangles(model));
    EXPECT_EQ(hinges.size(), std::size_t(12 + 4 * 2 + 3 * 3));
    for (const PatternHinge& h : hinges) {
        const Vec3 e = model.rest[h.vertex[1]] - model.rest[h.vertex[0]];
        EXPECT_NEAR(h.along.norm(), e.norm(), 1e-14);
        EXPECT_NEAR(std::abs(h.along.x()), std::abs(e.x()), 1e-14);
        EXPECT_NEAR(h.area, 0.25 * 0.5, 1e-14);
        EXPECT_NEAR(h.rest_angle, 0, 1e-14);
        // The first triangle runs from a to b: its third corner lies to the left.
        EXPECT_GT(e.cross(model.rest[h.vertex[2]] - model.rest[h.vertex[0]]).z(), 0);
        EXPECT_LT(e.cross(model.rest[h.vertex[3]] - model.rest[h.vertex[0]]).z(), 0);
    }
}

// A tube of n flat sides turns by 2 pi / n at each, a ridge seen from outside; pieces share no edge.
TEST(PatternHinges, ATubeHasItsAnglesAtRest) {
    Model model = model_of(part(mesh::make_cone(8, 3, 0.3, 0.3, 0.6)));
    append(model, part(mesh::make_grid(2, 2, 1, 1)));
    const auto hinges = pattern_hinges(model, pattern_triangles(model));
    // Diagonals, rings inside, sides; and the diagonal of the sheet.
    EXPECT_EQ(hinges.size(), std::size_t(16 + 8 + 16 + 1));
    int folded = 0;
    for (const PatternHinge& h : hinges) {
        const bool upright = std::abs(h.along.x()) < 1e-12;
        if (upright) {
            EXPECT_NEAR(h.rest_angle, std::numbers::pi / 4, 1e-12);
            ++folded;
        } else {
            EXPECT_NEAR(h.rest_angle, 0, 1e-12);
        }
    }
    EXPECT_EQ(folded, 16);
}

}  // namespace
}  // namespace taut::pattern_tests

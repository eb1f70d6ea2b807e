#include <gtest/gtest.h>

#include "taut/base/error.hpp"
#include "taut/mesh/makers.hpp"
#include "taut/mesh/mass.hpp"
#include "taut/model/model.hpp"

namespace taut {
namespace {

ClothPart part(std::string name, const mesh::MadeMesh& made) {
    return {std::move(name), made.mesh, made.net, made.rest,
            mesh::lumped_mass(made.mesh, made.rest, 0.2, 0.1)};
}

TEST(Model, VerticesAreNamedByTheirCloth) {
    Model model;
    append(model, part("sheet", mesh::make_grid(4, 3, 1, 1)));
    append(model, part("rope", mesh::make_polyline(5, 2)));
    EXPECT_EQ(vertex_name(model, 11), "vertex 11 of cloth 'sheet'");
    EXPECT_EQ(vertex_name(model, 12), "vertex 0 of cloth 'rope'");
    EXPECT_EQ(vertex_name(model, 99), "vertex 99");
    EXPECT_EQ(vertex_names(model, 13, 15), "vertices 1 and 3 of cloth 'rope'");
    EXPECT_EQ(vertex_names(model, 3, 14), "vertex 3 of cloth 'sheet' and vertex 2 of cloth 'rope'");
}

TEST(Model, AppendShiftsEverythingIntoTheSharedArrays) {
    const std::vector<mesh::MadeMesh> made{mesh::make_grid(4, 3, 1, 1), mesh::make_polyline(5, 2),
                                           mesh::make_cone(6, 3, 0.2, 0.4, 1)};
    Model model;
    for (int k = 0; k < 3; ++k) EXPECT_EQ(append(model, part("cloth" + std::to_string(k), made[k])), k);
    ASSERT_EQ(model.cloths.size(), 3u);
    EXPECT_EQ(model.vertex_count(), 12 + 5 + 18);
    EXPECT_EQ(model.mass.size(), model.rest.size());
    EXPECT_EQ(model.rest_length.size(), model.edges.size());

    int vertex = 0, face = 0, edge = 0, yarn = 0;
    for (int k = 0; k < 3; ++k) {
        const Cloth& c = model.cloths[k];
        const mesh::MadeMesh& m = made[k];
        EXPECT_EQ(c.name, "cloth" + std::to_string(k));
        ASSERT_EQ(c.first_vertex, vertex);
        ASSERT_EQ(c.first_face, face);
        ASSERT_EQ(c.first_edge, edge);
        ASSERT_EQ(c.first_yarn, yarn);
        for (int v = 0; v < c.vertex_count; ++v) EXPECT_EQ(model.rest[vertex + v], m.rest[v]);
        for (int f = 0; f < c.face_count; ++f)
            for (int i = 0; i < 4; ++i)
                EXPECT_EQ(model.faces[face + f].corner[i], m.mesh.faces[f].corner[i] + vertex);
        for (int e = 0; e < c.edge_count; ++e) {
            const mesh::Edge &global = model.edges[edge + e], &local = m.net.edges[e];
            EXPECT_EQ(global.a, local.a + vertex);
            EXPECT_EQ(global.b, local.b + vertex);
            EXPECT_EQ(global.direction, local.direction);
            for (int i = 0; i < 2; ++i)
                EXPECT_EQ(global.face[i], local.face[i] < 0 ? -1 : local.face[i] + face);
            EXPECT_EQ(model.rest_length[edge + e], (m.rest[local.a] - m.rest[local.b]).norm());
        }
        for (int y = 0; y < c.yarn_count; ++y) {
            const mesh::Yarn &global = model.yarns[yarn + y], &local = m.net.yarns[y];
            EXPECT_EQ(global.closed, local.closed);
            EXPECT_EQ(global.direction, local.direction);
            for (std::size_t i = 0; i < local.edge.size(); ++i)
                EXPECT_EQ(global.edge[i], local.edge[i] + edge);
            for (std::size_t i = 0; i < local.vertex.size(); ++i)
                EXPECT_EQ(global.vertex[i], local.vertex[i] + vertex);
        }
        vertex += c.vertex_count, face += c.face_count, edge += c.edge_count, yarn += c.yarn_count;
    }
    EXPECT_EQ(vertex, model.vertex_count());
    EXPECT_EQ(edge, model.edge_count());
    EXPECT_EQ(face, static_cast<int>(model.faces.size()));
    EXPECT_EQ(yarn, static_cast<int>(model.yarns.size()));
}

TEST(Model, AppendKeepsTrianglesTriangles) {
    ClothPart triangle;
    triangle.mesh.vertices = 3;
    triangle.mesh.faces = {{{0, 1, 2, -1}}};
    triangle.rest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    triangle.mass = {1, 1, 1};
    Model model;
    append(model, part("first", mesh::make_grid(2, 2, 1, 1)));
    append(model, triangle);
    EXPECT_EQ(model.faces.back().size(), 3);
    EXPECT_EQ(model.faces.back().corner, (std::array<int, 4>{4, 5, 6, -1}));
}

TEST(Model, AppendRefusesArraysThatDisagree) {
    Model model;
    ClothPart bad = part("sheet", mesh::make_grid(3, 3, 1, 1));
    bad.mass.pop_back();
    EXPECT_THROW(append(model, bad), InputError);
    bad = part("sheet", mesh::make_grid(3, 3, 1, 1));
    bad.rest.push_back({0, 0, 0});
    EXPECT_THROW(append(model, bad), InputError);
    EXPECT_TRUE(model.cloths.empty());
    EXPECT_TRUE(model.rest.empty());
}

TEST(Model, PinsHoldUntilReleasedAndFollowTheirMotion) {
    PinGroup pins;
    pins.vertices = {3};
    pins.anchor = {{1, 0, 0}};
    pins.motion =
        Motion({{0, {0, 0, 0}, {0, 0, 0}}, {2, {0, 0, 4}, {0, 0, 0}}}, Vec3::Zero(), Interpolation::linear);
    EXPECT_TRUE(pins.holds(1e9));
    pins.release = 1;
    EXPECT_TRUE(pins.holds(0.999));
    EXPECT_FALSE(pins.holds(1));
    EXPECT_EQ(pins.target(0, 0.5), Vec3(1, 0, 1));
    EXPECT_EQ(pins.targets(0.5), (Points{{1, 0, 1}}));
    EXPECT_TRUE(pins.moving());
}

// Two points that rise, the second twice as fast.
class Rising final : public Deformation {
public:
    void at(double time, PointsView x) const override { x[0] = {0, 0, time}, x[1] = {1, 0, 2 * time}; }
};

TEST(Model, PinsMayBeCarried) {
    PinGroup pins;
    pins.vertices = {3, 5};
    pins.anchor = {{0, 0, 0}, {1, 0, 0}};
    EXPECT_FALSE(pins.moving());
    pins.carrier = std::make_shared<Rising>();
    EXPECT_TRUE(pins.moving());
    EXPECT_EQ(pins.targets(0.5), (Points{{0, 0, 0.5}, {1, 0, 1}}));
    EXPECT_EQ(pins.target(1, 2), Vec3(1, 0, 4));
}

TEST(Model, SeamsCloseSmoothlyAndStayClosed) {
    const Seam seam{"side", {{0, 4}, {1, 5}}, {0.1, 0.3}, 0.02, 0.5, 1.5};
    for (const double time : {-1.0, 0.0, 0.5}) {
        EXPECT_EQ(seam.distance(0, time), 0.1);
        EXPECT_EQ(seam.distance(1, time), 0.3);
        EXPECT_EQ(seam.rate(1, time), 0);
    }
    EXPECT_NEAR(seam.distance(1, 1), 0.16, 1e-15);
    for (const double time : {1.5, 2.0, 1e9}) {
        EXPECT_NEAR(seam.distance(1, time), 0.02, 1e-16);
        EXPECT_EQ(seam.rate(1, time), 0);
    }

    // The rate is the derivative, and vanishes towards both ends.
    for (double time = 0.45; time < 1.6; time += 0.05) {
        const double step = 1e-5;
        const double slope = (seam.distance(1, time + step) - seam.distance(1, time - step)) / (2 * step);
        EXPECT_NEAR(seam.rate(1, time), slope, 1e-8) << time;
        EXPECT_LE(seam.rate(1, time), 0);
    }
    EXPECT_NEAR(seam.rate(1, 0.5001), 0, 1e-6);
    EXPECT_NEAR(seam.rate(1, 1.4999), 0, 1e-6);
}

TEST(Model, SeamsWithoutTimesAreClosedFromTheStart) {
    const Seam seam{"side", {{0, 4}}, {0.1}, 0.02, 0, 0};
    for (const double time : {0.0, 1e-9, 1.0}) {
        EXPECT_NEAR(seam.distance(0, time), 0.02, 1e-16);
        EXPECT_EQ(seam.rate(0, time), 0);
    }
}

}  // namespace
}  // namespace taut

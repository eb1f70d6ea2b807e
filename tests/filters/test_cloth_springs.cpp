// The springs that corrections know: of quads, triangles, cloths without yarns and seams.
#include "taut/filters/cloth_springs.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "sim/cloths.hpp"

namespace taut::filters::cloth_springs_tests {
namespace {

TEST(ClothSprings, QuadsHaveBothDiagonals) {
    ClothSprings springs;
    const Model model = testing::sheet(5, 4, 0.4, 0.9);
    springs.prepare(model);
    ASSERT_EQ(springs.all().size(), model.edges.size() + 2 * model.faces.size());
    for (std::size_t s = 0; s < springs.all().size(); ++s) {
        const ClothSpring& spring = springs.all()[s];
        EXPECT_EQ(spring.shear, s >= model.edges.size());
        EXPECT_NEAR(spring.length, spring.shear ? std::hypot(0.1, 0.3) : model.rest_length[s], 1e-15);
        const int di = std::abs(spring.a % 5 - spring.b % 5), dj = std::abs(spring.a / 5 - spring.b / 5);
        EXPECT_EQ(di + dj, spring.shear ? 2 : 1);
        EXPECT_LE(std::max(di, dj), 1);
    }

    // A vertex within has eight springs, and each knows its other end.
    std::set<int> others;
    for (int end : springs.ends().of(7)) {
        const ClothSpring& spring = springs.all()[std::size_t(end) / 2];
        EXPECT_EQ(end % 2 == 0 ? spring.a : spring.b, 7);
        others.insert(springs.other(end));
    }
    EXPECT_EQ(others, (std::set<int>{1, 2, 3, 6, 8, 11, 12, 13}));
    EXPECT_EQ(springs.strain(model.rest), 0);
}

TEST(ClothSprings, TrianglesHaveTheirObliqueEdgesForShear) {
    mesh::MadeMesh made = mesh::make_grid(5, 4, 1, 1);
    split_quads(made);
    const Model model = testing::model_of(made);
    ClothSprings springs;
    springs.prepare(model);
    EXPECT_EQ(springs.all().size(), model.edges.size());
    long oblique = 0;
    for (const ClothSpring& spring : springs.all()) oblique += spring.shear;
    EXPECT_EQ(oblique, 12);
}

TEST(ClothSprings, WithoutYarnsAllEdgesStretch) {
    mesh::MadeMesh made = mesh::make_grid(5, 4, 1, 1);
    split_quads(made);
    Model model = testing::model_of(made);
    for (mesh::Edge& edge : model.edges) edge.direction = mesh::Direction::none;
    ClothSprings springs;
    springs.prepare(model);
    EXPECT_EQ(springs.all().size(), model.edges.size());
    for (const ClothSpring& spring : springs.all()) EXPECT_FALSE(spring.shear);
}

// Of two cloths one may be woven and the other not.
TEST(ClothSprings, EveryClothIsJudgedOnItsOwn) {
    mesh::MadeMesh made = mesh::make_grid(3, 3, 1, 1);
    split_quads(made);
    Model model = testing::model_of(made);
    const int first = int(model.edges.size());
    append(model, {"felt", made.mesh, made.net, made.rest, std::vector<double>(9, 1e-3)});
    for (std::size_t e = std::size_t(first); e < model.edges.size(); ++e)
        model.edges[e].direction = mesh::Direction::none;
    ClothSprings springs;
    springs.prepare(model);
    for (const ClothSpring& spring : springs.all()) {
        if (spring.a >= 9) {
            EXPECT_FALSE(spring.shear);
        }
    }
    EXPECT_EQ(std::count_if(springs.all().begin(), springs.all().end(),
                            [](const ClothSpring& spring) { return spring.shear; }),
              4);
}

TEST(ClothSprings, SeamsAreStretchSpringsThatFollowTheTime) {
    Model model = testing::sheet(3, 3);
    model.seams.push_back({"side", {{0, 2}, {6, 8}}, {1.0, 1.0}, 0.5, 1, 2});
    ClothSprings springs;
    springs.prepare(model);
    const std::size_t first = model.edges.size();
    const auto length = [&](std::size_t k) { return springs.all()[first + k].length; };
    EXPECT_EQ(springs.all().size(), first + 2 + 8);
    EXPECT_FALSE(springs.all()[first].shear);
    EXPECT_EQ(length(0), 1);
    EXPECT_FALSE(springs.advance(model, 0.9));
    EXPECT_TRUE(springs.advance(model, 1.5));
    EXPECT_EQ(length(1), model.seams[0].distance(1, 1.5));
    EXPECT_TRUE(springs.advance(model, 5));
    EXPECT_EQ(length(0), 0.5);
    EXPECT_FALSE(springs.advance(model, 6));
    EXPECT_EQ(springs.strain(model.rest), 0);  // a seam that is open is not strain
    EXPECT_TRUE(springs.advance(model, 0));
}

TEST(ClothSprings, StrainIsThatOfStretchSprings) {
    const Model model = testing::sheet(2, 2);
    ClothSprings springs;
    springs.prepare(model);
    Points x = model.rest;  // a rhombus: edges keep their lengths, diagonals do not
    for (std::size_t v : {2u, 3u}) x[v] += Vec3(0.6, -0.2, 0);
    EXPECT_NEAR(springs.strain(x), 0, 1e-15);
    x[3].x() += 0.5;
    EXPECT_NEAR(springs.strain(x), 0.5, 1e-15);
    x[3].x() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(springs.strain(x)));
}

}  // namespace
}  // namespace taut::filters::cloth_springs_tests

// Isometric bending: what the matrix annihilates, cylinders rolled in every direction, orthotropy,
// skewed, graded, jittered and mixed meshes, sparsity, and the absence of free modes.
#include "taut/forces/isometric_bending.hpp"

#include <algorithm>

#include "forces/force_probe.hpp"
#include "forces/sheets.hpp"
#include "taut/base/parallel.hpp"

namespace taut::forces {
namespace {

using namespace taut::testing;

IsometricBending prepared(const Model& model, double warp = 1e-5, double weft = 1e-5) {
    IsometricBending bending({warp, weft});
    bending.prepare(model);
    return bending;
}

// Energy of the sheet rolled up along `degrees` from weft, over the smooth value 1/2 B A / R^2.
double cylinder_ratio(const Model& model, double warp, double weft, double degrees, double radius = 0.4) {
    const double angle = degrees * M_PI / 180;
    const double b = weft * std::cos(angle) * std::cos(angle) + warp * std::sin(angle) * std::sin(angle);
    const double smooth = 0.5 * b * total_area(model) / (radius * radius);
    return prepared(model, warp, weft).energy(roll(model.rest, radius, angle)) / smooth;
}

int most_nonzeros(const IsometricBending& bending) {
    const auto start = bending.matrix().row_start();
    int most = 0;
    for (std::size_t i = 0; i + 1 < start.size(); ++i) most = std::max(most, start[i + 1] - start[i]);
    return most;
}

std::vector<Model> flat_sheets() {
    std::vector<Model> sheets{
        flat_grid(7, 6, 1, 0.7), jittered_grid(6, 6, 1, 1, 0.25), mixed_sheet(), quad_star(3), quad_star(5),
        flat_grid(2, 6, 0.2, 1)};
    sheets.push_back(grid(6, 6, [](int i, int j) { return Vec3(0.2 * i + 0.08 * j, 0.2 * j, 0); }));
    return sheets;
}

TEST(IsometricBending, AnnihilatesLinearFunctionsAndNothingElse) {
    for (const Model& model : flat_sheets()) {
        const IsometricBending bending = prepared(model);
        const MatrixXd k = dense_stiffness(bending, model.vertex_count());
        MatrixXd linear(model.vertex_count(), 3);
        for (int i = 0; i < model.vertex_count(); ++i)
            linear.row(i) << 1, model.rest[i].x(), model.rest[i].y();
        EXPECT_LT(largest(k.lazyProduct(linear)), 1e-13 * largest(k));
        EXPECT_EQ(largest(k - k.transpose()), 0);

        // Three zero eigenvalues and no more: no hourglass, no free corner.
        const auto spectrum = symmetric_eigenvalues(k);
        EXPECT_LT(std::abs(spectrum[0]) + std::abs(spectrum[1]) + std::abs(spectrum[2]),
                  1e-12 * spectrum.back());
        EXPECT_GT(spectrum[3], 1e-6 * spectrum.back());
    }
}

TEST(IsometricBending, ForceIsTheGradientAndInternal) {
    for (const Model& model : flat_sheets()) {
        const IsometricBending bending = prepared(model, 2e-5, 1e-5);
        const Points x = shaken(model.rest, 0.1, 5);
        expect_force_is_minus_gradient(bending, x, 1e-3, 1e-7);
        expect_internal(bending, x, 1e-12, false);
    }
}

TEST(IsometricBending, RigidMotionOfTheFlatSheetCostsNothing) {
    const Model model = mixed_sheet();
    const IsometricBending bending = prepared(model);
    const Eigen::AngleAxisd turn(1.1, Vec3(1, -2, 0.5).normalized());
    Points moved;
    for (const Vec3& p : model.rest) moved.push_back(turn * p + Vec3(5, -7, 3));
    EXPECT_LT(std::abs(bending.energy(moved)), 1e-17);
    for (const Vec3& f : force_at(bending, moved)) EXPECT_LT(f.norm(), 1e-16);
}

TEST(IsometricBending, CylindersConvergeAtSecondOrderInEveryDirection) {
    for (double degrees : {0.0, 22.5, 45.0, 67.5, 90.0, -45.0}) {
        double last = 0;
        for (int n : {6, 11, 21, 41}) {
            const double error = std::abs(cylinder_ratio(flat_grid(n, n, 1, 1), 1e-5, 1e-5, degrees) - 1);
            if (last > 0) {
                EXPECT_GT(last / error, 3.5) << degrees << " " << n;
            }
            last = error;
        }
        EXPECT_LT(last, 1e-3) << degrees;
    }
}

TEST(IsometricBending, OrthotropicCylindersFollowTheInterpolatedStiffness) {
    for (double degrees : {0.0, 30.0, 45.0, 60.0, 90.0, -30.0}) {
        EXPECT_NEAR(cylinder_ratio(flat_grid(21, 31, 1, 1), 1e-5, 6e-5, degrees), 1, 0.01) << degrees;
    }
    // Weft stiffness is felt when the weft yarns bend.
    const Model model = flat_grid(11, 11, 1, 1);
    const IsometricBending weft_only = prepared(model, 0, 1e-5);
    EXPECT_GT(weft_only.energy(roll(model.rest, 0.4, 0)), 1e-5);
    EXPECT_LT(weft_only.energy(roll(model.rest, 0.4, M_PI / 2)), 1e-18);
}

TEST(IsometricBending, OtherMeshesKeepTheEnergy) {
    const auto skewed = grid(17, 17, [](int i, int j) { return Vec3((i + 0.4 * j) / 16.0, j / 16.0, 0); });
    const auto graded = grid(17, 17, [](int i, int j) {
        const double u = i / 16.0, v = j / 16.0;
        return Vec3(u + 0.15 * std::sin(2 * u + v), v + 0.1 * u * v, 0);
    });
    const auto sector = grid(17, 17, [](int i, int j) {
        const double a = i / 16.0 - 0.5, r = 1 + j / 16.0;
        return Vec3(r * std::sin(a), -r * std::cos(a), 0);
    });
    for (double degrees : {0.0, 45.0, 90.0, -45.0}) {
        EXPECT_NEAR(cylinder_ratio(skewed, 1e-5, 1e-5, degrees), 1, 0.01) << degrees;
        EXPECT_NEAR(cylinder_ratio(graded, 1e-5, 1e-5, degrees), 1, 0.01) << degrees;
        EXPECT_NEAR(cylinder_ratio(sector, 1e-5, 1e-5, degrees), 1, 0.01) << degrees;
        EXPECT_NEAR(cylinder_ratio(jittered_grid(17, 17, 1, 1, 0.2), 1e-5, 1e-5, degrees), 1, 0.05)
            << degrees;
        EXPECT_NEAR(cylinder_ratio(mixed_sheet(), 1e-5, 1e-5, degrees, 1.0), 1, 0.08) << degrees;
    }
}

TEST(IsometricBending, EquilateralTrianglesKeepTheEnergy) {
    Model model =
        grid(41, 41, [](int i, int j) { return Vec3((i + 0.5 * j) / 40.0, std::sqrt(0.75) * j / 40.0, 0); });
    const auto quads = model.faces;
    model.faces.clear();
    model.edges.clear();
    model.rest_length.clear();
    for (const mesh::Face& f : quads) {
        const auto& c = f.corner;
        model.faces.push_back({{c[0], c[1], c[3], -1}});
        model.faces.push_back({{c[1], c[2], c[3], -1}});
    }
    add_edges(model, [](int, int) { return mesh::Direction::none; });
    for (double degrees : {0.0, 20.0, 45.0, 90.0}) {
        EXPECT_NEAR(cylinder_ratio(model, 1e-5, 1e-5, degrees), 1, 0.03) << degrees;
    }
}

TEST(IsometricBending, GridsNeedThirteenNonzerosARow) {
    EXPECT_EQ(most_nonzeros(prepared(flat_grid(9, 9, 1, 1))), 13);
    EXPECT_EQ(most_nonzeros(prepared(flat_grid(9, 17, 1, 1), 1e-5, 3e-5)), 13);
    const auto skewed = grid(9, 9, [](int i, int j) { return Vec3(i + 0.4 * j, j, 0); });
    EXPECT_EQ(most_nonzeros(prepared(skewed)), 21);
    // A row in the middle is the biharmonic stencil: 20, -8, 2, 1 times B / h^2.
    const IsometricBending bending = prepared(flat_grid(9, 9, 8, 8), 1, 1);
    const MatrixXd k = dense_stiffness(bending, 81);
    EXPECT_NEAR(k(40, 40), 20, 1e-12);
    EXPECT_NEAR(k(40, 41), -8, 1e-12);
    EXPECT_NEAR(k(40, 50), 2, 1e-12);
    EXPECT_NEAR(k(40, 58), 1, 1e-12);
}

TEST(IsometricBending, ConeWithClosedRingsWantsToBeFlat) {
    // A cone frustum unrolls into a sector; its own shape has curvature 1/(distance to the axis along
    // the normal) about the meridians, and that is the energy it must show, with 13 nonzeros a row.
    const int around = 96, along = 25;
    const double slope = 0.3, r0 = 0.5, length = 0.5;
    Model model = grid(around + 1, along, [&](int i, int j) {
        const double s = length * j / (along - 1.0), r = r0 + s * std::sin(slope), a = 2 * M_PI * i / around;
        return Vec3(r * std::cos(a), r * std::sin(a), -s * std::cos(slope));
    });
    // Weld the seam.
    const int nu = around + 1;
    const auto welded = [&](int v) { return v % nu == around ? v - around : v; };
    for (mesh::Face& f : model.faces) {
        for (int& c : f.corner) c = welded(c);
    }
    model.edges.clear();
    model.rest_length.clear();
    add_edges(model,
              [&](int p, int q) { return p / nu == q / nu ? mesh::Direction::weft : mesh::Direction::warp; });
    const IsometricBending bending = prepared(model);
    EXPECT_LE(most_nonzeros(bending), 13);
    const double r1 = r0 + length * std::sin(slope);
    const double smooth =
        0.5 * 1e-5 * 2 * M_PI * std::cos(slope) * std::cos(slope) / std::sin(slope) * std::log(r1 / r0);
    EXPECT_NEAR(bending.energy(model.rest) / smooth, 1, 0.01);
}

TEST(IsometricBending, TwistHasNoFreeHourglass) {
    // The checkerboard bends every yarn; the saddle u v twists every quad: both must cost.
    const Model model = flat_grid(9, 9, 1, 1);
    const IsometricBending bending = prepared(model);
    Points checker = model.rest, saddle = model.rest;
    for (int i = 0; i < 81; ++i) {
        checker[i].z() = 0.01 * ((i % 9 + i / 9) % 2);
        saddle[i].z() = 0.2 * saddle[i].x() * saddle[i].y();
    }
    EXPECT_GT(bending.energy(checker), 1e-6);
    EXPECT_NEAR(bending.energy(saddle), 0.5 * 2 * 1e-5 * 0.04, 1e-12);
}

TEST(IsometricBending, DegenerateFacesAreSkipped) {
    Model model = flat_grid(4, 4, 1, 1);
    model.rest[5] = model.rest[6];
    model.rest[9] = model.rest[10];
    const IsometricBending bending = prepared(model);
    EXPECT_TRUE(std::isfinite(bending.energy(shaken(model.rest, 0.1, 2))));
    for (const Vec3& f : force_at(bending, shaken(model.rest, 0.1, 2))) EXPECT_TRUE(f.allFinite());
    // A dart: one corner pulled inside beyond the diagonal.
    Model dart = flat_grid(2, 2, 1, 1);
    dart.rest[3] = Vec3(0.3, 0.3, 0);
    const auto spectrum = symmetric_eigenvalues(dense_stiffness(prepared(dart), 4));
    EXPECT_LT(std::abs(spectrum[2]), 1e-12 * spectrum[3]);
    EXPECT_GT(spectrum[3], 0);
}

TEST(IsometricBending, NoStiffnessNoMatrix) {
    const Model model = flat_grid(4, 4, 1, 1);
    const IsometricBending bending = prepared(model, 0, 0);
    EXPECT_EQ(bending.energy(shaken(model.rest, 0.1, 2)), 0);
    EXPECT_EQ(largest(dense_stiffness(bending, 16)), 0);
    Model chain;
    chain.rest = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)};
    chain.edges = {{0, 1}, {1, 2}};
    EXPECT_EQ(prepared(chain).energy(chain.rest), 0);
}

TEST(IsometricBending, SameBitsForAnyThreadCount) {
    const Model model = jittered_grid(70, 60, 1, 1, 0.1);
    const Points x = shaken(model.rest, 0.01, 6);
    const IsometricBending many = prepared(model);
    const double energy = many.energy(x);
    const ThreadLimit one(1);
    const IsometricBending single = prepared(model);
    EXPECT_TRUE(std::ranges::equal(single.matrix().values(), many.matrix().values()));
    EXPECT_EQ(single.energy(x), energy);
}

}  // namespace
}  // namespace taut::forces

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>
#include <numeric>

#include "mesh/sample_meshes.hpp"
#include "taut/base/error.hpp"
#include "taut/mesh/mass.hpp"

namespace taut::mesh {
namespace {

using samples::Sample;

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(Mass, GridsShareByQuarters) {
    const MadeMesh made = make_grid(11, 6, 1, 1);
    const std::vector<double> mass = lumped_mass(made.mesh, made.rest, 0.2, 0);
    const double cell = 0.2 * 0.1 * 0.2;
    EXPECT_NEAR(sum(mass), 0.2, 1e-15);
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 11; ++i) {
            const double cells = (i == 0 || i == 10 ? 0.5 : 1) * (j == 0 || j == 5 ? 0.5 : 1);
            EXPECT_NEAR(mass[j * 11 + i], cells * cell, 1e-14 * cell);
        }
}

TEST(Mass, TotalIsTheAreaOfAnyFlatMesh) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        Sample s = samples::ragged(seed);
        for (Vec3& p : s.rest) p.z() = 0;
        double area = 0;
        for (const Face& f : s.mesh.faces) {
            const Vec3 first = s.rest[f.corner[2]] - s.rest[f.corner[0]];
            area += first.cross(s.rest[f.corner[1]] - s.rest[f.corner[0]]).norm() / 2;
            if (f.size() == 4) area += first.cross(s.rest[f.corner[3]] - s.rest[f.corner[0]]).norm() / 2;
        }
        EXPECT_NEAR(sum(vertex_areas(s.mesh, s.rest)), area, 1e-12 * area);
        EXPECT_NEAR(sum(lumped_mass(s.mesh, s.rest, 0.3, 0)), 0.3 * area, 1e-12 * area);
    }
}

TEST(Mass, QuadCornersTakeTheIntegralOfTheirShapeFunction) {
    // A trapezoid of widths 3 below and 1 above, height 1: area element 3 - 2 t.
    Sample s = samples::grid(2, 2);
    s.rest = {{0, 0, 0}, {3, 0, 0}, {1, 1, 0}, {2, 1, 0}};
    const std::vector<double> area = vertex_areas(s.mesh, s.rest);
    EXPECT_NEAR(area[0], 0.5 * (3.0 / 2 - 2.0 / 6), 1e-15);
    EXPECT_NEAR(area[1], area[0], 1e-15);
    EXPECT_NEAR(area[2], 0.5 * (3.0 / 2 - 2.0 / 3), 1e-15);
    EXPECT_NEAR(area[3], area[2], 1e-15);
}

TEST(Mass, ChainsShareByHalves) {
    const MadeMesh made = make_polyline(5, 2);
    const std::vector<double> mass = lumped_mass(made.mesh, made.rest, 0, 0.4);
    const std::vector<double> expected{0.1, 0.2, 0.2, 0.2, 0.1};
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(mass[k], expected[k], 1e-16);
}

TEST(Mass, DensityMayVaryByVertex) {
    const MadeMesh made = make_grid(4, 4, 3, 3);
    std::vector<double> density(16);
    std::iota(density.begin(), density.end(), 1.0);
    const std::vector<double> mass = lumped_mass(made.mesh, made.rest, density, 0);
    const std::vector<double> area = vertex_areas(made.mesh, made.rest);
    for (int v = 0; v < 16; ++v) EXPECT_DOUBLE_EQ(mass[v], area[v] * (v + 1));
}

TEST(Mass, RefusesWhatGivesNoMass) {
    const MadeMesh made = make_grid(3, 3, 1, 1), chain = make_polyline(3, 1);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(lumped_mass(made.mesh, made.rest, 0.0, 1), InputError);
    EXPECT_THROW(lumped_mass(made.mesh, made.rest, -1.0, 1), InputError);
    EXPECT_THROW(lumped_mass(made.mesh, made.rest, nan, 1), InputError);
    EXPECT_THROW(lumped_mass(chain.mesh, chain.rest, 1.0, 0), InputError);
    EXPECT_THROW(lumped_mass(chain.mesh, chain.rest, 1.0, nan), InputError);
    std::vector<double> density(9, 1.0);
    density[4] = -1;
    EXPECT_THROW(lumped_mass(made.mesh, made.rest, density, 0), InputError);
    EXPECT_THROW(lumped_mass(made.mesh, made.rest, std::vector<double>(8, 1.0), 0), InputError);
    Sample lonely = samples::grid(3, 3);
    lonely.mesh.vertices += 1;
    lonely.rest.push_back({9, 9, 9});
    EXPECT_THROW(lumped_mass(lonely.mesh, lonely.rest, 1.0, 0), InputError);
}

// The pattern counts, corner by corner, whatever the shape in space; quads too.
TEST(Mass, OfThePattern) {
    MadeMesh made = make_grid(3, 3, 1, 1);
    for (const Face& face : made.mesh.faces) {
        made.mesh.corner_uv.push_back({});
        for (int k = 0; k < 4; ++k) {
            const Vec3& p = made.rest[face.corner[k]];
            made.mesh.corner_uv.back()[k] = Vec2(2 * p.x() + 7, 3 * p.y());
        }
    }
    const std::vector<double> area = vertex_areas(made.mesh, made.rest), pattern = pattern_areas(made.mesh);
    for (std::size_t v = 0; v < area.size(); ++v) EXPECT_NEAR(pattern[v], 6 * area[v], 1e-14);
    const std::vector<double> mass = lumped_mass(made.mesh, made.rest, 0.2, 0, AreaOf::pattern);
    EXPECT_NEAR(sum(mass), 1.2, 1e-14);
}

}  // namespace
}  // namespace taut::mesh

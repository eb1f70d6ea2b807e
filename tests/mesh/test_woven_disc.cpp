// Discs of woven cloth: area, symmetry, whole cells along warp and weft, the clamp and the rim.
#include "taut/mesh/woven_disc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/base/error.hpp"
#include "taut/mesh/mass.hpp"
#include "taut/mesh/topology.hpp"

namespace taut::mesh::woven_disc_tests {
namespace {

double area(const MadeMesh& made) {
    double sum = 0;
    for (const double a : vertex_areas(made.mesh, made.rest)) sum += a;
    return sum;
}

TEST(WovenDisc, HasTheAreaOfTheDiscAndWholeCells) {
    for (const int across : {8, 20, 30, 60, 120}) {
        const WovenDisc disc = make_woven_disc(0.15, across, 0.09);
        const double wanted = std::numbers::pi * 0.15 * 0.15, cell = 0.3 / across;
        EXPECT_NEAR(area(disc.made) / wanted, 1, 10.0 / across / across + 4e-3) << across;
        require_sound(find_problems(disc.made.mesh, disc.made.rest));
        for (const Edge& e : disc.made.net.edges) {
            const double length =
                (disc.made.rest[std::size_t(e.b)] - disc.made.rest[std::size_t(e.a)]).norm();
            EXPECT_NEAR(length, e.direction == Direction::none ? cell * std::sqrt(2) : cell, 1e-12);
        }
        EXPECT_EQ(disc.center.size(), 1u);
        EXPECT_EQ(disc.made.rest[std::size_t(disc.center[0])], Vec3::Zero());
    }
}

// Of faces with all corners under it.
TEST(WovenDisc, ClampHasItsArea) {
    for (const int across : {20, 30, 60, 120}) {
        const WovenDisc disc = make_woven_disc(0.15, across, 0.09);
        std::vector<bool> held(disc.made.rest.size(), false);
        for (const int v : disc.clamp) held[std::size_t(v)] = true;
        const double cell = 0.3 / across;
        double sum = 0;
        for (const Face& f : disc.made.mesh.faces) {
            int count = 0;
            for (int k = 0; k < f.size(); ++k) count += held[std::size_t(f.corner[std::size_t(k)])];
            sum += count == 4 ? 1 : count == 3 ? 0.5 : 0;
        }
        EXPECT_NEAR(sum * cell * cell / (std::numbers::pi * 0.09 * 0.09), 1, 0.02) << across;
    }
}

TEST(WovenDisc, YarnsRunFromRimToRim) {
    const WovenDisc disc = make_woven_disc(0.15, 20, 0);
    EXPECT_TRUE(disc.clamp.empty());
    std::vector<bool> rim(disc.made.rest.size(), false);
    for (const int v : disc.rim) rim[std::size_t(v)] = true;
    std::size_t longest = 0;
    for (const Yarn& yarn : disc.made.net.yarns) {
        EXPECT_TRUE(rim[std::size_t(yarn.vertex.front())] && rim[std::size_t(yarn.vertex.back())]);
        longest = std::max(longest, yarn.edge.size());
    }
    EXPECT_EQ(longest, 20u);
}

TEST(WovenDisc, RefusesWhatMakesNoDisc) {
    EXPECT_THROW(make_woven_disc(0, 20, 0), InputError);
    EXPECT_THROW(make_woven_disc(0.1, 21, 0), InputError);
    EXPECT_THROW(make_woven_disc(0.1, 2, 0), InputError);
    EXPECT_THROW(make_woven_disc(0.1, 20, 0.1), InputError);
}

}  // namespace
}  // namespace taut::mesh::woven_disc_tests

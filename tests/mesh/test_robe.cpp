// The robe: one closed surface with four openings, normals outwards, clear of its body, and nearly as long
// everywhere as its pattern.
#include "taut/mesh/robe.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "taut/base/error.hpp"
#include "taut/mesh/robe_shape.hpp"
#include "taut/mesh/topology.hpp"

namespace taut::mesh::robe_tests {
namespace {

RobeParams coarse() {
    RobeParams params;
    params.fill.spacing = 0.03;
    return params;
}

const MadePattern& robe() {
    static const MadePattern made = make_robe(coarse());
    return made;
}

Vec3 at(int v) { return robe().made.rest[static_cast<std::size_t>(v)]; }

double distance_to(const Capsule& limb, const Vec3& p) {
    const Vec3 axis = limb.end - limb.start;
    const double t = std::clamp((p - limb.start).dot(axis) / axis.squaredNorm(), 0.0, 1.0);
    return (p - limb.start - t * axis).norm() - limb.radius;
}

TEST(Robe, IsOneSoundSurfaceWithFourOpenings) {
    const MadeMesh& made = robe().made;
    EXPECT_TRUE(find_problems(made.mesh, made.rest).empty());
    EXPECT_EQ(connected_components(made.mesh.vertices, made.net.edges).count, 1);

    // A sphere with four holes: vertices - edges + faces = 2 - 4.
    EXPECT_EQ(made.mesh.vertices - static_cast<int>(made.net.edges.size()) +
                  static_cast<int>(made.mesh.faces.size()),
              -2);
    std::map<std::array<int, 2>, int> border;
    for (const Edge& e : made.net.edges)
        if (e.face[1] < 0) border[{e.a, e.b}] = 0;

    // Every opening is a closed ring of border edges, and together they are all of them.
    std::vector<std::string> names;
    std::size_t sides = 0;
    for (const MeshPart& part : robe().parts) {
        names.push_back(part.name);
        for (std::size_t k = 0; k < part.vertices.size(); ++k) {
            const int a = part.vertices[k], b = part.vertices[(k + 1) % part.vertices.size()];
            const auto found = border.find({std::min(a, b), std::max(a, b)});
            ASSERT_NE(found, border.end()) << part.name << ' ' << k;
            EXPECT_EQ(found->second++, 0);
            ++sides;
        }
    }
    EXPECT_EQ(sides, border.size());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"hem", "left_cuff", "neck", "right_cuff"}));
}

TEST(Robe, OpeningsLieWhereTheirNamesSay) {
    std::map<std::string, Vec3> middle;
    for (const MeshPart& part : robe().parts) {
        Vec3 sum = Vec3::Zero();
        for (const int v : part.vertices) sum += at(v);
        middle[part.name] = sum / static_cast<double>(part.vertices.size());
    }
    const RobeParams params = coarse();
    EXPECT_GT(middle["left_cuff"].x(), 0.45 * params.arm_span);
    EXPECT_LT(middle["right_cuff"].x(), -0.45 * params.arm_span);
    EXPECT_NEAR(middle["hem"].z(), params.shoulder - params.length, 0.15);
    EXPECT_NEAR(middle["neck"].z(), params.shoulder, 0.1);
    EXPECT_NEAR(middle["neck"].x(), 0, 0.02);
    EXPECT_NEAR(middle["left_cuff"].z(), params.shoulder - params.cuff / std::numbers::pi, 0.05);
}

// Seen from the nearest limb.
TEST(Robe, NormalsPointOutwards) {
    const RobeParams params = coarse();
    const std::vector<Capsule> body = robe_body(params);
    std::size_t inwards = 0, counted = 0;
    for (const Face& face : robe().made.mesh.faces) {
        const Vec3 p = at(face.corner[0]), q = at(face.corner[1]), r = at(face.corner[2]);
        const Vec3 normal = (q - p).cross(r - p).normalized(), middle = (p + q + r) / 3;
        const auto limb = std::min_element(body.begin(), body.end(), [&](const Capsule& a, const Capsule& b) {
            return distance_to(a, middle) < distance_to(b, middle);
        });
        const Vec3 axis = limb->end - limb->start;
        const double t = std::clamp((middle - limb->start).dot(axis) / axis.squaredNorm(), 0.0, 1.0);
        ++counted;
        if (normal.dot(middle - limb->start - t * axis) < 0) ++inwards;
    }
    EXPECT_LE(inwards, counted / 100);  // folds under the arms
}

TEST(Robe, FrontAndBackMirrorEachOther) {
    const MadeMesh& made = robe().made;
    const std::size_t half = made.mesh.faces.size() / 2;
    for (std::size_t f = 0; f < made.mesh.faces.size(); ++f) {
        const Face& face = made.mesh.faces[f];
        for (std::size_t k = 0; k < 3; ++k) {
            const double y = at(face.corner[k]).y();
            EXPECT_LE(f < half ? y : -y, 0);
            const Vec2& uv = made.mesh.corner_uv[f][k];
            if (std::abs(uv.x()) < 0.1) continue;
            EXPECT_GT((f < half ? uv.x() : -uv.x()) * at(face.corner[k]).x(), 0);
        }
        const auto& uv = made.mesh.corner_uv[f];
        const Vec2 p = uv[1] - uv[0], q = uv[2] - uv[0];
        EXPECT_GT(p.x() * q.y() - p.y() * q.x(), 0);
    }
}

TEST(Robe, KeepsClearOfItsBody) {
    const std::vector<Capsule> body = robe_body(coarse());
    double least = 1;
    for (const Vec3& p : robe().made.rest)
        for (const Capsule& limb : body) least = std::min(least, distance_to(limb, p));
    EXPECT_GT(least, robe_ease - 1e-3);

    // Middles of faces cut the corner a little.
    for (const Face& face : robe().made.mesh.faces) {
        const Vec3 middle = (at(face.corner[0]) + at(face.corner[1]) + at(face.corner[2])) / 3;
        for (const Capsule& limb : body) EXPECT_GT(distance_to(limb, middle), 0.5 * robe_ease);
    }
}

TEST(Robe, KeepsTheLengthsOfThePattern) {
    const PatternStretch stretch = stretch_of(robe().made);
    EXPECT_GT(stretch.least, -0.08);
    EXPECT_LT(stretch.most, 0.08);
    EXPECT_LT(stretch.mean, 0.005);
    EXPECT_GT(least_angle(cut_robe_panel(coarse(), 0.03).filling) * 180 / std::numbers::pi, 20);
}

TEST(Robe, OtherSizesFitToo) {
    RobeParams child = coarse();
    child.arm_span = 1.0, child.cuff = 0.2, child.armhole = 0.25, child.chest = 0.5, child.hem = 0.6;
    child.length = 0.7, child.neck = 0.22, child.neck_depth = 0.03, child.shoulder = 1.0;
    child.trunk_radius = 0.11, child.arm_radius = 0.035;
    const PatternStretch stretch = stretch_of(make_robe(child).made);
    EXPECT_GT(stretch.least, -0.15);
    EXPECT_LT(stretch.most, 0.15);
}

TEST(Robe, SameBitsForTheSameNumbers) {
    RobeParams params = coarse();
    params.fill.spacing = 0.05;
    EXPECT_EQ(make_robe(params).made.rest, make_robe(params).made.rest);
}

TEST(Robe, RefusesWhatIsNoRobe) {
    const auto refused = [](auto change) {
        RobeParams params = coarse();
        change(params);
        EXPECT_THROW(make_robe(params), InputError);
    };
    refused([](RobeParams& p) { p.arm_span = 0.7; });
    refused([](RobeParams& p) { p.cuff = 0.05; });
    refused([](RobeParams& p) { p.chest = std::nan(""); });
    refused([](RobeParams& p) { p.length = 0.35; });
    refused([](RobeParams& p) { p.neck = 0.6; });
    refused([](RobeParams& p) { p.neck = 0.12; });
    refused([](RobeParams& p) { p.neck_depth = 0.3; });
    refused([](RobeParams& p) { p.neck_depth = -0.1; });
    refused([](RobeParams& p) { p.shoulder = 1e6; });
    refused([](RobeParams& p) { p.trunk_radius = 0.3; });
    refused([](RobeParams& p) { p.arm_radius = 0.1; });
    refused([](RobeParams& p) { p.arm_radius = 0; });
    refused([](RobeParams& p) { p.fill.spacing = 0.2; });
    refused([](RobeParams& p) { p.fill.spacing = 1e-5; });
    refused([](RobeParams& p) { p.fill.spacing = -1; });
    refused([](RobeParams& p) { p.fill.irregularity = 2; });
}

}  // namespace
}  // namespace taut::mesh::robe_tests

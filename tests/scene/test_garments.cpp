// Garments around the mannequin: sound nets of well-shaped quads that touch neither her nor themselves, with
// the edges, yarns and named parts they promise, at several resolutions and eases.
#include "taut/scene/garments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "scene/scene_text.hpp"
#include "taut/collision/intersections.hpp"
#include "taut/collision/mannequin.hpp"
#include "taut/collision/shell_tree.hpp"
#include "taut/mesh/topology.hpp"
#include "taut/scene/selectors.hpp"

namespace taut::scene {
namespace {

const collision::ShellTree& body_tree() {
    static const collision::ShellTree tree = [] {
        const auto triangles = collision::Mannequin::triangles();
        const ConstPoints rest = collision::Mannequin::rest_points();
        return collision::ShellTree({triangles.begin(), triangles.end()}, {rest.begin(), rest.end()});
    }();
    return tree;
}

double least_distance(const MadeCloth& cloth) {
    double least = 1e300;
    for (const Vec3& p : cloth.made.rest) least = std::min(least, body_tree().signed_distance(p));
    return least;
}

// Pairs of triangles that meet, the cloths with the body, each other and themselves.
std::size_t crossings(const std::vector<const MadeCloth*>& cloths) {
    const ConstPoints rest = collision::Mannequin::rest_points();
    const auto body = collision::Mannequin::triangles();
    Points x(rest.begin(), rest.end());
    std::vector<std::array<int, 3>> triangles(body.begin(), body.end());
    for (const MadeCloth* cloth : cloths) {
        const int first = static_cast<int>(x.size());
        x.insert(x.end(), cloth->made.rest.begin(), cloth->made.rest.end());
        for (const mesh::Face& face : cloth->made.mesh.faces) {
            const auto& c = face.corner;
            triangles.push_back({first + c[0], first + c[1], first + c[2]});
            triangles.push_back({first + c[0], first + c[2], first + c[3]});
        }
    }
    std::vector<int> group(triangles.size(), 0);
    std::fill(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(body.size()), -1);
    return collision::count_intersections(x, triangles, {group, {}, {}});
}

struct Shape {
    double aspect = 0, least_angle = 180, most_angle = 0;  // [1], [deg]
    double longest = 0;                                    // [m]
};

Shape shape_of(const MadeCloth& cloth) {
    Shape shape;
    for (const mesh::Face& face : cloth.made.mesh.faces) {
        double shortest = 1e300, longest = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const auto at = [&](std::size_t c) -> const Vec3& {
                return cloth.made.rest[static_cast<std::size_t>(face.corner[(k + c) % 4])];
            };
            const Vec3 ahead = at(1) - at(0), back = at(3) - at(0);
            shortest = std::min(shortest, ahead.norm());
            longest = std::max(longest, ahead.norm());
            const double angle =
                std::atan2(ahead.cross(back).norm(), ahead.dot(back)) * 180 / std::numbers::pi;
            shape.least_angle = std::min(shape.least_angle, angle);
            shape.most_angle = std::max(shape.most_angle, angle);
        }
        shape.aspect = std::max(shape.aspect, longest / shortest);
        shape.longest = std::max(shape.longest, longest);
    }
    return shape;
}

int boundary_loops(const MadeCloth& cloth) {
    std::vector<mesh::Edge> border;
    std::set<int> vertices;
    for (const mesh::Edge& e : mesh::build_topology(cloth.made.mesh).edges) {
        if (e.face[1] >= 0) continue;
        border.push_back(e);
        vertices.insert({e.a, e.b});
    }
    const int inside = cloth.made.mesh.vertices - static_cast<int>(vertices.size());
    return mesh::connected_components(cloth.made.mesh.vertices, border).count - inside;
}

int count_yarns(const MadeCloth& cloth, mesh::Direction direction, bool closed) {
    return static_cast<int>(std::ranges::count_if(cloth.made.net.yarns, [&](const mesh::Yarn& yarn) {
        return yarn.direction == direction && yarn.closed == closed;
    }));
}

// Vertices inside with other than four edges, by their number of edges.
std::map<int, int> irregular_vertices(const MadeCloth& cloth) {
    std::vector<int> edges(cloth.made.rest.size(), 0);
    std::vector<bool> border(cloth.made.rest.size(), false);
    for (const mesh::Edge& e : mesh::build_topology(cloth.made.mesh).edges)
        for (const int v : {e.a, e.b}) {
            ++edges[static_cast<std::size_t>(v)];
            if (e.face[1] < 0) border[static_cast<std::size_t>(v)] = true;
        }
    std::map<int, int> irregular;
    for (std::size_t v = 0; v < edges.size(); ++v)
        if (!border[v] && edges[v] != 4) ++irregular[edges[v]];
    return irregular;
}

// Neighbours agree (find_problems), so most faces tell for all: a step along the normal goes away from the
// body, except where it nears a hand.
bool faces_outwards(const MadeCloth& cloth) {
    std::size_t away = 0;
    for (const mesh::Face& face : cloth.made.mesh.faces) {
        const auto at = [&](std::size_t k) {
            return cloth.made.rest[static_cast<std::size_t>(face.corner[k])];
        };
        const Vec3 normal = (at(2) - at(0)).cross(at(3) - at(1)).normalized();
        const Vec3 middle = 0.25 * (at(0) + at(1) + at(2) + at(3));
        away += body_tree().distance(middle + 0.002 * normal) > body_tree().distance(middle) ? 1 : 0;
    }
    return away > 3 * cloth.made.mesh.faces.size() / 4;
}

void expect_garment(const MadeCloth& cloth, double ease, int loops, const std::string& what) {
    SCOPED_TRACE(what);
    EXPECT_TRUE(mesh::find_problems(cloth.made.mesh, cloth.made.rest).empty());
    EXPECT_TRUE(cloth.warnings.empty());
    EXPECT_EQ(mesh::connected_components(cloth.made.mesh.vertices, cloth.made.net.edges).count, 1);
    EXPECT_EQ(boundary_loops(cloth), loops);
    EXPECT_EQ(crossings({&cloth}), 0u);
    EXPECT_GT(least_distance(cloth), 0.9 * ease);
    const Shape shape = shape_of(cloth);
    EXPECT_LT(shape.aspect, 3);
    EXPECT_GT(shape.least_angle, 45);
    EXPECT_LT(shape.most_angle, 135);
    for (const mesh::Edge& e : cloth.made.net.edges) ASSERT_NE(e.direction, mesh::Direction::none);
    for (const NamedPart& part : cloth.parts) {
        EXPECT_EQ(std::set<int>(part.vertices.begin(), part.vertices.end()).size(), part.vertices.size());
        EXPECT_LT(std::ranges::max(part.vertices), cloth.made.mesh.vertices);
    }
}

const std::vector<int>& part_of(const MadeCloth& cloth, const std::string& name) {
    for (const NamedPart& part : cloth.parts)
        if (part.name == name) return part.vertices;
    throw std::runtime_error("no part " + name);
}

TEST(Skirt, IsClosedAroundTheWaistAndFree) {
    for (const int fineness : {2, 1}) {
        SkirtParams params;
        params.around = 128 / fineness;
        params.along = 64 / fineness + 1;
        const MadeCloth cloth = make_skirt(params);
        expect_garment(cloth, params.band_ease, 2, std::to_string(fineness));
        EXPECT_EQ(cloth.made.mesh.vertices, params.around * params.along);
        EXPECT_EQ(count_yarns(cloth, mesh::Direction::weft, true), params.along);
        EXPECT_EQ(count_yarns(cloth, mesh::Direction::warp, false), params.around);
        EXPECT_TRUE(irregular_vertices(cloth).empty());
        EXPECT_TRUE(faces_outwards(cloth));
    }
}

TEST(Skirt, ClearsHipsAndHandsAtAllFlares) {
    for (const double flare : {0.0, 8.0, 50.0}) {
        SkirtParams params;
        params.around = 96;
        params.along = 60;
        params.flare = flare;
        const MadeCloth cloth = make_skirt(params);
        EXPECT_EQ(crossings({&cloth}), 0u) << flare;
        EXPECT_GT(least_distance(cloth), 0.9 * params.band_ease) << flare;
    }
}

// A cone around a convex waist: its girth grows by a circle of the slant length times the sine of the slope.
TEST(Skirt, WidensAsCutFromACircle) {
    SkirtParams params;
    params.top = collision::Mannequin::landmarks().waist.center.z();
    const MadeCloth cloth = make_skirt(params);
    const auto girth = [&](int row) {
        double length = 0;
        for (int i = 0; i < params.around; ++i)
            length +=
                (cloth.made.rest[static_cast<std::size_t>(cloth.lattice.vertex(i, row))] -
                 cloth.made
                     .rest[static_cast<std::size_t>(cloth.lattice.vertex((i + 1) % params.around, row))])
                    .norm();
        return length;
    };
    const double out = (params.top - params.hem) * std::tan(params.flare * std::numbers::pi / 180);
    EXPECT_NEAR(girth(params.along - 1) - girth(0), 2 * std::numbers::pi * out, 0.01);
    const double waist = collision::Mannequin::landmarks().waist.girth;
    EXPECT_NEAR(girth(0), waist + 2 * std::numbers::pi * params.band_ease, 0.01);
}

TEST(Dress, FollowsTheBodyAndIsFree) {
    for (const int fineness : {2, 1}) {
        for (const double ease : {0.008, 0.015}) {
            DressParams params;
            params.around = 128 / fineness;
            params.along = 84 / fineness;
            params.ease = ease;
            const MadeCloth cloth = make_dress(params);
            expect_garment(cloth, ease, 2, std::to_string(fineness));
            EXPECT_EQ(count_yarns(cloth, mesh::Direction::weft, true), params.along);
            EXPECT_TRUE(irregular_vertices(cloth).empty());
            EXPECT_TRUE(faces_outwards(cloth));

            // Above the bust in front, under the arms at the sides, held at the waist.
            const auto at = [&](int i, int j) -> const Vec3& {
                return cloth.made.rest[static_cast<std::size_t>(cloth.lattice.vertex(i, j))];
            };
            EXPECT_NEAR(at(0, 0).z(), params.top + params.rise, 2e-3);
            EXPECT_NEAR(at(params.around / 4, 0).z(), params.top, 5e-3);  // the armpit pushes it down
            EXPECT_LT(at(0, 0).y(), 0);
            EXPECT_GT(at(params.around / 4, 0).x(), 0);
        }
    }
}

TEST(Pants, HaveTwoLegsAndAreFree) {
    for (const int vertices : {2650, 10600}) {
        PantsParams params;
        params.vertices = vertices;
        const MadeCloth cloth = make_pants(params);
        expect_garment(cloth, params.band_ease, 3, std::to_string(vertices));
        EXPECT_NEAR(cloth.made.mesh.vertices, vertices, 0.02 * vertices);
        EXPECT_TRUE(faces_outwards(cloth));

        // The band is closer than the rest.
        for (const Vec3& p : cloth.made.rest) {
            if (p.z() < params.top - 0.07) {
                EXPECT_GT(body_tree().signed_distance(p), 0.9 * params.ease);
            }
        }

        // Two vertices of six edges; all weft yarns closed but those that end there: two halves and the seam.
        EXPECT_EQ(irregular_vertices(cloth), (std::map<int, int>{{6, 2}}));
        EXPECT_EQ(count_yarns(cloth, mesh::Direction::weft, false), 3);
        EXPECT_EQ(count_yarns(cloth, mesh::Direction::warp, true), 0);
        const auto edge = static_cast<std::size_t>(part_of(cloth, "top").size());
        EXPECT_GT(part_of(cloth, "left_hem").size(), edge / 2);
        EXPECT_EQ(part_of(cloth, "left_hem").size(), part_of(cloth, "right_hem").size());
    }
}

TEST(Pants, LooseAndShortOnes) {
    for (const double ease : {0.005, 0.015, 0.03}) {
        PantsParams params;
        params.vertices = 2600;
        params.ease = ease;
        params.hem = 0.55;
        const MadeCloth cloth = make_pants(params);
        expect_garment(cloth, params.band_ease, 3, std::to_string(ease));
    }
}

TEST(Pants, AreSymmetric) {
    PantsParams params;
    params.vertices = 2650;
    const MadeCloth cloth = make_pants(params);
    const std::vector<int>&left = part_of(cloth, "left_hem"), &right = part_of(cloth, "right_hem");
    for (std::size_t k = 0; k < left.size(); ++k) {
        const Vec3 &l = cloth.made.rest[static_cast<std::size_t>(left[k])],
                   &r = cloth.made.rest[static_cast<std::size_t>(right[k])];
        EXPECT_NEAR((l - Vec3(-r.x(), r.y(), r.z())).norm(), 0, 1e-9);
    }
    for (const int v : part_of(cloth, "seam"))
        EXPECT_NEAR(cloth.made.rest[static_cast<std::size_t>(v)].x(), 0, 1e-6);
}

TEST(ShirtPanel, IsFlatAndMatchesTheOther) {
    for (const double edge : {0.025, 0.0125}) {
        ShirtPanelParams params;
        params.edge = edge;
        const MadeCloth front = make_shirt_panel(params);
        params.side = "back";
        const MadeCloth back = make_shirt_panel(params);
        EXPECT_EQ(crossings({&front, &back}), 0u);
        for (const MadeCloth* cloth : {&front, &back}) {
            expect_garment(*cloth, params.gap, 1, params.side);
            EXPECT_TRUE(faces_outwards(*cloth));
            EXPECT_TRUE(irregular_vertices(*cloth).empty());
            for (const Vec3& p : cloth->made.rest) EXPECT_EQ(p.y(), cloth->made.rest[0].y());
        }
        if (edge == 0.0125) {
            EXPECT_GT(2 * front.made.mesh.vertices, 4000);
            EXPECT_LT(2 * front.made.mesh.vertices, 6000);
        }

        // Seams lie opposite each other, vertex by vertex, and share none.
        std::set<int> sewn;
        for (const std::string side : {"left_", "right_"}) {
            for (const std::string seam : {"shoulder", "underarm", "side"}) {
                const std::vector<int>&a = part_of(front, side + seam), &b = part_of(back, side + seam);
                ASSERT_EQ(a.size(), b.size());
                for (std::size_t k = 0; k < a.size(); ++k) {
                    const Vec3 gap = front.made.rest[static_cast<std::size_t>(a[k])] -
                                     back.made.rest[static_cast<std::size_t>(b[k])];
                    EXPECT_NEAR(std::hypot(gap.x(), gap.z()), 0, 1e-12);
                    EXPECT_TRUE(sewn.insert(a[k]).second);
                    EXPECT_EQ(side == "left_", front.made.rest[static_cast<std::size_t>(a[k])].x() > 0);
                }
            }
        }
    }
}

TEST(Garments, PartsAreSelectedByName) {
    const Scene scene = parse(one_cloth(R"("type": "pants", "vertices": 1200)",
                                        R"("groups": {"a": {"part": ["left_hem", "right_hem"]}})"));
    const Assembly assembly = assemble(scene);
    PantsParams params;
    params.vertices = 1200;
    std::vector<int> expected = part_of(make_pants(params), "left_hem");
    const std::vector<int> other = part_of(make_pants(params), "right_hem");
    expected.insert(expected.end(), other.begin(), other.end());
    EXPECT_EQ(select_vertices(scene, assembly, scene.groups[0]), expected);

    const Scene wrong = parse(small_scene(R"("groups": {"a": {"part": "hem"}})"));
    const InputError error = error_of([&] { select_vertices(wrong, assemble(wrong), wrong.groups[0]); });
    EXPECT_EQ(error.where().place, "/groups/a/part");
}

TEST(Garments, RefuseAHemAboveTheTop) {
    SkirtParams params;
    params.top = 1.02;
    params.hem = 0.95;
    EXPECT_THROW(make_skirt(params), InputError);
}

}  // namespace
}  // namespace taut::scene

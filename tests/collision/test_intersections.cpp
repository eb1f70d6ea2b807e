// The search against all pairs: soups, sheets, chains and floors; skipped pairs, limits, threads.
#include "taut/collision/intersections.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <random>
#include <utility>

#include "elements/exact_oracle.hpp"
#include "taut/base/parallel.hpp"
#include "taut/elements/triangle_overlap.hpp"

namespace taut::collision::intersections_tests {
namespace {

using Triangle = std::array<int, 3>;
using Pairs = std::vector<TrianglePair>;

struct Surface {
    Points x;
    std::vector<Triangle> triangles;
    std::vector<int> group;

    void add(const Triangle& corners, int of_group = 0) {
        triangles.push_back(corners);
        group.push_back(of_group);
    }

    // An n x n grid of quads over the unit square, cut into triangles.
    template <class Place>
    void add_sheet(int n, Place&& place, int of_group = 0) {
        const int first = static_cast<int>(x.size());
        for (int i = 0; i <= n; ++i) {
            for (int j = 0; j <= n; ++j)
                x.push_back(place(static_cast<double>(i) / n, static_cast<double>(j) / n));
        }
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                const int a = first + i * (n + 1) + j, b = a + n + 1;
                add({a, b, b + 1}, of_group);
                add({a, b + 1, a + 1}, of_group);
            }
        }
    }

    void add_floor(double half, double z) {
        const int first = static_cast<int>(x.size());
        for (const Vec2& p : {Vec2(-half, -half), Vec2(half, -half), Vec2(half, half), Vec2(-half, half)}) {
            x.emplace_back(p[0], p[1], z);
        }
        add({first, first + 1, first + 2}, -1);
        add({first, first + 2, first + 3}, -1);
    }

    // Triangles, links and points of many sizes.
    void add_soup(int count, double smallest, double room, std::mt19937& random) {
        std::uniform_real_distribution<double> u(-1, 1);
        for (int k = 0; k < count; ++k) {
            const int first = static_cast<int>(x.size());
            const Vec3 at = room * Vec3(u(random), u(random), u(random));
            const double size = std::pow(smallest, std::abs(u(random)));
            for (int corner = 0; corner < 3; ++corner)
                x.push_back(at + size * Vec3(u(random), u(random), u(random)));
            add(k % 7 == 0   ? Triangle{first, first + 1, first + 1}
                : k % 5 == 0 ? Triangle{std::max(0, first - 2), first, first + 1}
                             : Triangle{first, first + 1, first + 2},
                k % 3 - 1);
        }
    }

    Pairs all_pairs(const IntersectionSkips& skips) const {
        Pairs pairs;
        const int count = static_cast<int>(triangles.size());
        const auto of = [&](int k) {
            return skips.group.empty() ? 0 : skips.group[static_cast<std::size_t>(k)];
        };
        for (int a = 0; a < count; ++a) {
            for (int b = a + 1; b < count; ++b) {
                if (of(a) < 0 && of(b) < 0) continue;
                if (!skips.not_within.empty() && of(a) == of(b) &&
                    skips.not_within[static_cast<std::size_t>(of(a))]) {
                    continue;
                }
                if (std::find(skips.exempt.begin(), skips.exempt.end(), TrianglePair{a, b}) !=
                    skips.exempt.end()) {
                    continue;
                }
                if (elements::triangles_overlap(x, triangles[static_cast<std::size_t>(a)],
                                                triangles[static_cast<std::size_t>(b)])) {
                    pairs.push_back({a, b});
                }
            }
        }
        return pairs;
    }
};

Vec3 folds(double u, double v) {
    return {u + 0.01 * std::sin(40 * v + 3 * u), v + 0.012 * std::sin(37 * u + v),
            1.2 + 0.05 * std::sin(25 * u + 11 * v) + 0.03 * std::sin(31 * v - 14 * u)};
}

TEST(Intersections, SoupsOfManySizesAgainstAllPairs) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 12; ++trial) {
        Surface s;
        s.add_soup(400, trial % 2 == 0 ? 0.1 : 1e-5, trial < 6 ? 1.0 : 0.2, random);
        if (trial % 3 == 0) s.add_floor(10, 0.1);
        const std::vector<std::uint8_t> not_within{0, 1};
        IntersectionSkips skips;
        EXPECT_EQ(find_intersections(s.x, s.triangles), s.all_pairs({}));
        skips.group = s.group;
        const Pairs wanted = s.all_pairs(skips);
        EXPECT_GT(wanted.size(), 10u);
        EXPECT_EQ(find_intersections(s.x, s.triangles, skips), wanted);
        skips.not_within = not_within;
        EXPECT_EQ(find_intersections(s.x, s.triangles, skips), s.all_pairs(skips));
        EXPECT_EQ(count_intersections(s.x, s.triangles, skips), s.all_pairs(skips).size());
    }
}

TEST(Intersections, LatticesAgainstEnumeration) {
    std::mt19937 random(2);
    std::uniform_int_distribution<int> lattice(0, 4), corner(0, 39);
    for (int trial = 0; trial < 20; ++trial) {
        Surface s;
        std::vector<exact::Point<std::int64_t>> whole(40);
        const double scale = std::pow(10.0, trial % 13 - 6);
        for (auto& p : whole) {
            p = {lattice(random), lattice(random), trial % 4 == 0 ? 1 : lattice(random)};
            // Whole multiples of a double: no coordinate is rounded.
            const double unit = static_cast<float>(scale);
            s.x.emplace_back(static_cast<double>(p[0]) * unit, static_cast<double>(p[1]) * unit,
                             static_cast<double>(p[2]) * unit);
        }
        for (int k = 0; k < 40; ++k) s.add({corner(random), corner(random), corner(random)});
        Pairs wanted;
        for (int a = 0; a < 40; ++a) {
            for (int b = a + 1; b < 40; ++b) {
                if (exact::overlap(whole, s.triangles[static_cast<std::size_t>(a)],
                                   s.triangles[static_cast<std::size_t>(b)])) {
                    wanted.push_back({a, b});
                }
            }
        }
        EXPECT_GT(wanted.size(), 50u);
        EXPECT_EQ(find_intersections(s.x, s.triangles), wanted) << trial;
    }
}

TEST(Intersections, SheetsThatDoNotMeetThemselves) {
    const Mat3 turn = (Mat3() << 2, -1, 2, 2, 2, -1, -1, 2, 2).finished() / 3;
    const auto bare = [](double u, double v) { return Vec3(u, v, 0.3); };
    const auto tilted = [&](double u, double v) -> Vec3 { return turn * Vec3(u, v, 0.3); };
    for (int n : {1, 7, 30}) {
        Surface flat, turned, crumpled;
        flat.add_sheet(n, bare);
        turned.add_sheet(n, tilted);
        crumpled.add_sheet(n, folds);
        for (Surface* s : {&flat, &turned, &crumpled}) {
            s->add_floor(10, -2);
            EXPECT_EQ(count_intersections(s->x, s->triangles), 0u);
        }
        // Lower the floor into the flat sheet: now all of it touches.
        for (std::size_t k = flat.x.size() - 4; k < flat.x.size(); ++k) flat.x[k][2] = 0.3;
        IntersectionSkips skips;
        skips.group = flat.group;
        const Pairs touching = find_intersections(flat.x, flat.triangles, skips);
        EXPECT_GE(touching.size(), static_cast<std::size_t>(2 * n * n));
        EXPECT_EQ(touching, flat.all_pairs(skips));
    }
}

TEST(Intersections, ThinSheetsAlongEveryAxisAndEveryPlane) {
    for (int axis = 0; axis < 3; ++axis) {
        for (int layers : {1, 2}) {
            Surface s;
            for (int layer = 0; layer < layers; ++layer) {
                s.add_sheet(20, [&](double u, double v) {
                    Vec3 p;
                    p[axis] = layer * 1e-9;
                    p[(axis + 1) % 3] = u;
                    p[(axis + 2) % 3] = v * 1e-6;
                    return p;
                });
            }
            EXPECT_EQ(count_intersections(s.x, s.triangles), 0u);
            // Push one vertex of the first layer through the second.
            if (layers == 1) continue;
            s.x[200][axis] = 2e-9;
            EXPECT_GT(count_intersections(s.x, s.triangles), 0u);
            EXPECT_EQ(find_intersections(s.x, s.triangles), s.all_pairs({}));
        }
    }
}

TEST(Intersections, ALoopOfAChainThroughASheet) {
    Surface s;
    s.add_sheet(10, [](double u, double v) { return Vec3(u, v, 0); });
    const int first = static_cast<int>(s.x.size()), links = 40;
    for (int k = 0; k < links; ++k) {
        const double angle = 2 * M_PI * (k + 0.5) / links;
        s.x.emplace_back(0.52 + 0.3 * std::cos(angle), 0.53, 0.3 * std::sin(angle));
    }
    for (int k = 0; k < links; ++k) {
        const int a = first + k, b = first + (k + 1) % links;
        s.add({a, b, b}, 1);
    }
    const Pairs pairs = find_intersections(s.x, s.triangles);
    EXPECT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs, s.all_pairs({}));

    // Pairs that are exempt are not told, others are.
    IntersectionSkips skips;
    skips.exempt = std::span(pairs).first(1);
    EXPECT_EQ(find_intersections(s.x, s.triangles, skips), Pairs{pairs[1]});
    skips.exempt = pairs;
    EXPECT_TRUE(find_intersections(s.x, s.triangles, skips).empty());
    EXPECT_EQ(count_intersections(s.x, s.triangles, skips), 0u);
}

TEST(Intersections, SameOnAnyNumberOfThreadsAndWithALimit) {
    Surface s;
    s.add_sheet(90, folds);
    s.add_sheet(
        90, [](double u, double v) -> Vec3 { return folds(v, u) + Vec3(0, 0, 0.013); }, 1);
    s.add_floor(10, 1.2);
    IntersectionSkips skips;
    skips.group = s.group;
    Pairs all, some;
    for (int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        const Pairs found = find_intersections(s.x, s.triangles, skips);
        const Pairs first = find_intersections(s.x, s.triangles, skips, 100);
        if (threads == 1) {
            all = found;
            some = first;
            EXPECT_GT(all.size(), 1000u);
            EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
            EXPECT_EQ(some.size(), 100u);
            EXPECT_TRUE(std::includes(all.begin(), all.end(), some.begin(), some.end()));
        }
        EXPECT_EQ(found, all);
        EXPECT_EQ(first, some);
        EXPECT_EQ(count_intersections(s.x, s.triangles, skips), all.size());
    }
    EXPECT_EQ(find_intersections(s.x, s.triangles, skips, all.size()), all);
    EXPECT_EQ(find_intersections(s.x, s.triangles, skips, 1).size(), 1u);
    EXPECT_TRUE(find_intersections(s.x, s.triangles, skips, 0).empty());
}

// The cost that docs/theory/intersections.md quotes: 20,000 triangles of cloth above a body of 16,900 and a
// floor; the processor time of the best of ten runs on one thread is printed.
TEST(Intersections, CostOfACheck) {
    const ThreadLimit one(1);
    const Mat3 turn = (Mat3() << 2, -1, 2, 2, 2, -1, -1, 2, 2).finished() / 3;
    const std::array<std::pair<const char*, std::function<Vec3(double, double)>>, 3> sheets{
        {{"flat", [](double u, double v) { return Vec3(u, v, 1); }},
         {"flat, turned", [&](double u, double v) -> Vec3 { return turn * Vec3(u, v, 2); }},
         {"crumpled", folds}}};
    for (const auto& [name, place] : sheets) {
        Surface s;
        s.add_sheet(100, place);
        s.add_sheet(
            92,
            [](double u, double v) -> Vec3 {
                const double polar = 0.01 + 3.12 * u, around = 6.28 * v;
                return 0.99 * Vec3(std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around),
                                   std::cos(polar));
            },
            -1);
        s.add_floor(10, -2);
        IntersectionSkips skips;
        skips.group = s.group;
        double best = 1;
        for (int run = 0; run < 10; ++run) {
            const std::clock_t start = std::clock();
            EXPECT_EQ(count_intersections(s.x, s.triangles, skips), 0u);
            best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        }
        std::printf("%s: %.1f ms for %zu triangles\n", name, 1e3 * best, s.triangles.size());
    }
}

TEST(Intersections, OddInput) {
    EXPECT_TRUE(find_intersections({}, {}).empty());
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    Surface s;
    s.add_sheet(12, folds);
    s.add_sheet(12, [](double u, double v) -> Vec3 { return folds(v, u); });
    const Pairs before = find_intersections(s.x, s.triangles);
    EXPECT_TRUE(triangles_not_finite(s.x, s.triangles).empty());

    // Spoil a vertex: the triangles at it drop out, all others stay.
    const int spoiled = 84;
    Pairs rest;
    for (const TrianglePair& pair : before) {
        const auto has = [&](int k) {
            const Triangle& t = s.triangles[static_cast<std::size_t>(k)];
            return std::find(t.begin(), t.end(), spoiled) != t.end();
        };
        if (!has(pair.a) && !has(pair.b)) rest.push_back(pair);
    }
    EXPECT_LT(rest.size(), before.size());
    for (const double odd : {nan, inf, -inf}) {
        s.x[spoiled][1] = odd;
        EXPECT_EQ(find_intersections(s.x, s.triangles), rest);
        EXPECT_EQ(triangles_not_finite(s.x, s.triangles).size(), 6u);
    }

    // Throw it far away, further than signs are exact, and all points onto one.
    s.x[spoiled] = {1e50, -1e50, 1e40};
    EXPECT_EQ(find_intersections(s.x, s.triangles), s.all_pairs({}));
    s.x[spoiled] = {1e300, -1e300, 1e280};
    const Pairs far = find_intersections(s.x, s.triangles);
    EXPECT_TRUE(std::includes(far.begin(), far.end(), rest.begin(), rest.end()));
    for (Vec3& p : s.x) p = {0.1, 0.2, 0.3};
    EXPECT_EQ(find_intersections(s.x, s.triangles), s.all_pairs({}));
}

}  // namespace
}  // namespace taut::collision::intersections_tests

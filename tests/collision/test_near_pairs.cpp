// The pairs of a step and what becomes of them: crossing, close or clear; what is held or touches already is
// left out; and after ends have moved nothing is missing.
#include "taut/collision/near_pairs.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <set>

#include "collision/touching.hpp"

namespace taut::collision {
namespace {

constexpr double thickness = 1e-3;

// A model on its way from rest to given ends; obstacles move over one second.
struct Step {
    explicit Step(Model model_, std::vector<Obstacle> obstacles = {}, NearSettings settings = {})
        : model(std::move(model_)), held(model.rest.size(), 0), ends(model.rest) {
        near.prepare(model, std::move(obstacles), settings);
        begin();
    }
    void begin() { near.begin(model.rest, 0, 1, held); }
    void update() {
        near.set_ends(ends);
        near.update();
    }
    std::size_t count() const { return near.lists()[0].pairs.size() + near.lists()[1].pairs.size(); }
    int crossings() const {
        int crossing = 0;
        for (const PairList& list : near.lists()) {
            for (std::size_t k = 0; k < list.pairs.size(); ++k) crossing += near.judge(list, k, 1).crossing;
        }
        return crossing;
    }
    // The verdict on one vertex and one triangle.
    std::optional<PairVerdict> verdict(const PairPoints& q, double share = 1) const {
        const PairList& list = near.lists()[0];
        for (std::size_t k = 0; k < list.pairs.size(); ++k) {
            if (list.pairs[k] == q) return near.judge(list, k, share);
        }
        return {};
    }
    Model model;
    std::vector<std::uint8_t> held;
    Points ends;
    NearPairs near;
};

// A chain of two vertices above one large triangle: vertex 0 looks down from `height`, vertex 1 is far up.
Step over_triangle(double height, NearSettings settings = {}) {
    Model model = testing::chain(2, 1);
    model.rest = {Vec3(0, 0, height), Vec3(0, 0, height + 1)};
    return Step(model,
                {testing::mesh_obstacle({Vec3(-1, -1, 0), Vec3(2, -1, 0), Vec3(-1, 2, 0)}, {{0, 1, 2}})},
                settings);
}
constexpr PairPoints vertex_on_face{0, 2, 3, 4};

TEST(NearPairs, VerdictsOfOneVertexAboveATriangle) {
    struct Case {
        double start, end;
        bool found, crossing, close;
    };
    for (const Case& c : {Case{0.1, 0.1, false, false, false},
                          {0.1, 0.01, false, false, false},
                          {0.1, 0.95e-3, true, false, false},
                          {0.1, 0.85e-3, true, false, true},
                          {0.1, 0.2e-3, true, false, true},
                          {0.1, 0.05e-3, true, true, false},
                          {0.1, -0.05, true, true, false},
                          {0.1, -100.0, true, true, false},
                          {0.3e-3, 0.3e-3, true, false, true},
                          {0.5e-3, 0.5e-3, true, false, false},
                          {0.5e-3, 0.45e-3, true, false, true},
                          {0.5e-3, 0.7e-3, true, false, false}}) {
        Step s = over_triangle(c.start);
        s.ends[0].z() = c.end;
        s.ends[1].z() = c.end + 1;
        s.update();
        const auto v = s.verdict(vertex_on_face);
        if (!v) {
            EXPECT_FALSE(c.found || c.crossing || c.close) << c.start << " to " << c.end;
            continue;
        }
        EXPECT_EQ(v->crossing, c.crossing) << c.start << " to " << c.end;
        EXPECT_EQ(v->close, c.close) << c.start << " to " << c.end;
        EXPECT_NEAR(v->clearance, c.crossing ? 0 : c.end, 1e-12);
        EXPECT_LT((v->at.normal - Vec3::UnitZ()).norm(), 1e-9) << "it should stay on its side";
        // What starts too close may open by a twentieth of the thickness.
        EXPECT_NEAR(v->want, std::min(thickness, c.start + 0.05 * thickness), 1e-15);
        // Asked for half, it need not open.
        EXPECT_NEAR(s.verdict(vertex_on_face, 0.5)->want, std::min(0.5 * thickness, c.start), 1e-15);
    }
}

TEST(NearPairs, ThePairThatStartsBelowTheFloorMayLoseHalf) {
    for (const auto& [end, crossing] : {std::pair{0.03e-3, false}, {0.015e-3, true}}) {
        Step s = over_triangle(0.04e-3);
        s.ends[0].z() = end;
        s.update();
        EXPECT_EQ(s.verdict(vertex_on_face)->crossing, crossing);
        EXPECT_NE(s.verdict(vertex_on_face)->close, crossing);
    }
}

TEST(NearPairs, RadiiAreKeptBesidesTheThickness) {
    const double radius = 0.3;
    Step s(testing::cloth_at(mesh::make_grid(2, 2, 2, 2), Vec3(-1, -1, 0.5)),
           {testing::ball(Vec3::Zero(), radius)});
    for (Vec3& p : s.ends) p.z() = radius + 0.4e-3;
    s.update();
    int judged = 0;
    for (std::size_t k = 0; k < s.near.lists()[0].pairs.size(); ++k) {
        const PairVerdict v = s.near.judge(s.near.lists()[0], k, 1);
        ++judged;
        EXPECT_NEAR(s.near.lists()[0].clear[k], 0.2, 1e-12);
        EXPECT_FALSE(v.crossing);
        EXPECT_TRUE(v.close);
        EXPECT_NEAR(v.clearance, 0.4e-3, 1e-12);
        EXPECT_NEAR(v.want, radius + thickness, 1e-12);
    }
    EXPECT_EQ(judged, 2);
    for (Vec3& p : s.ends) p.z() = -5;
    s.update();
    EXPECT_GT(s.crossings(), 0);
}

TEST(NearPairs, ObstaclesThatMoveAreMetOnTheirWay) {
    Obstacle plate = testing::box(Vec3(0, 0, -2), Vec3(5, 5, 1e-4));
    plate.motion = testing::steady(Vec3(0, 0, 50));
    Step s(testing::sheet(4, 4), {plate});
    s.update();
    EXPECT_GT(s.crossings(), 0);
    // The sheet that flees as fast is left alone.
    for (Vec3& p : s.ends) p.z() += 50;
    s.update();
    EXPECT_EQ(s.crossings(), 0);
}

TEST(NearPairs, HeldPairsAndTheClothItselfCanBeLeftOut) {
    Model model = testing::sheet(4, 4);
    testing::add_cloth(model, "above", mesh::make_grid(4, 4, 1, 1), Vec3(0.05, 0.03, 0.5e-3));
    NearSettings alone;
    alone.self = false;
    Step s(model, {}, alone), free(model);
    s.update();
    free.update();
    EXPECT_GT(s.count(), 0u) << "two cloths still meet";
    EXPECT_EQ(s.count(), free.count());
    for (std::size_t p = 0; p < 16; ++p) s.held[p] = 1;
    s.begin();
    s.update();
    EXPECT_EQ(s.count(), free.count()) << "half of each pair can move";
    s.held.assign(32, 1);
    s.begin();
    s.update();
    EXPECT_EQ(s.count(), 0u);

    // A sheet folded onto itself, with and without.
    Model folded = testing::sheet(2, 9, 0.1, 1);
    for (Vec3& p : folded.rest) p = p.y() > 0.55 ? Vec3(p.x(), 1 - p.y(), 0.5e-3) : p;
    Step with(folded), without(folded, {}, alone);
    with.update();
    without.update();
    EXPECT_GT(with.count(), 0u);
    EXPECT_EQ(without.count(), 0u);
}

TEST(NearPairs, PairsThatTouchAtTheStartAreLeftOut) {
    Step s = over_triangle(0);
    s.model.rest[0] = Vec3(-1, -1, 0);
    s.begin();
    s.ends[0].z() = -1;
    s.update();
    EXPECT_FALSE(s.verdict(vertex_on_face)) << "it starts in a corner";
    // A vertex inside a ball is not asked to leave it.
    Step inside(testing::cloth_at(mesh::make_grid(2, 2, 0.1, 0.1), Vec3::Zero()),
                {testing::ball(Vec3::Zero(), 1)});
    inside.update();
    EXPECT_EQ(inside.count(), 0u);
}

// All pairs that come closer than what is kept on the way, by samples.
void expect_complete(Step& s) {
    std::set<PairPoints> faces, edges;
    for (const auto& q : s.near.lists()[0].pairs) faces.insert(testing::sorted_face(q));
    for (const auto& q : s.near.lists()[1].pairs) edges.insert(testing::sorted_edges(q));
    const Pairs all = testing::every_pair(s.near.surface());
    const ConstPoints start = s.near.starts(), end = s.near.ends();
    int missing = 0, wanted = 0;
    const auto ask = [&](PairKind kind, const PairPoints& q, const PairPoints& name,
                         const std::set<PairPoints>& known) {
        const double kept = kept_distance(s.near.surface(), q[0], q[3]);
        if (closeness(kind, q, start).distance <= kept) return;
        bool close = false;
        for (int t = 0; t <= 8; ++t)
            close = close || closeness_at(kind, q, start, end, t / 8.0).distance < kept;
        wanted += close;
        missing += close && !known.contains(name);
    };
    for (const auto& q : all.vertex_face) ask(PairKind::vertex_face, q, testing::sorted_face(q), faces);
    for (const auto& q : all.edge_edge) ask(PairKind::edge_edge, q, testing::sorted_edges(q), edges);
    EXPECT_EQ(missing, 0) << "of " << wanted;
}

// Verdicts are the same however little is asked for, and what does not cross keeps its gap on the way.
void expect_true_verdicts(Step& s) {
    for (const PairList& list : s.near.lists()) {
        for (std::size_t k = 0; k < list.pairs.size(); ++k) {
            const PairPoints& q = list.pairs[k];
            const PairVerdict whole = s.near.judge(list, k, 1), brief = s.near.judge(list, k, 1, 0);
            EXPECT_EQ(brief.crossing, whole.crossing);
            EXPECT_EQ(brief.close, whole.close);
            if (whole.crossing) continue;
            const double radius =
                s.near.surface().body_of(q[0]).radius + s.near.surface().body_of(q[3]).radius;
            const double gap = std::min(0.1e-3, 0.5 * list.clear[k]);
            for (int t = 0; t <= 8; ++t) {
                const Closeness at = closeness_at(list.kind, q, s.near.starts(), s.near.ends(), t / 8.0);
                ASSERT_GT(at.distance - radius, (1 - 1e-9) * gap);
            }
        }
    }
}

TEST(NearPairs, UpdateFindsWhatIsNewAfterEndsMoved) {
    Model model = testing::sheet(5, 5, 0.1, 0.1);
    testing::add_cloth(model, "above", mesh::make_grid(4, 4, 0.1, 0.1), Vec3(0, 0, 0.01));
    Step s(model, {testing::box(Vec3(0.05, 0.05, -0.02), Vec3(0.03, 0.03, 0.01)),
                   testing::ball(Vec3(0.02, 0.02, 0.03), 0.005)});
    s.update();
    const std::size_t before = s.count();
    // Walk there in steps smaller and larger than half of the slack; now and then far away and back.
    std::size_t most = 0;
    for (unsigned k = 0; k < 60; ++k) {
        const double amount = k % 3 ? 0.4e-3 : 3e-3;
        s.ends = testing::shaken(s.ends, amount, 300 + k);
        if (k % 20 == 10) {
            for (std::size_t p = 0; p < 25; ++p) s.ends[p].z() += k % 40 == 10 ? 0.03 : -0.06;
        }
        s.update();
        most = std::max(most, s.count());
        expect_complete(s);
        expect_true_verdicts(s);
    }
    EXPECT_GT(most, before);
}

TEST(NearPairs, ANewStepForgetsTheOld) {
    Step s(testing::sheet(4, 4), {testing::box(Vec3(0, 0, -1), Vec3(2, 2, 0.5))});
    s.update();
    EXPECT_EQ(s.count(), 0u);
    // The same ends, but the step starts elsewhere: below the box.
    for (Vec3& p : s.model.rest) p.z() = -3;
    s.begin();
    s.update();
    EXPECT_GT(s.crossings(), 0);
}

TEST(NearPairs, AfterEndsThatAreNoNumbersPairsAreSoughtAgain) {
    Step s(testing::cloth_at(mesh::make_grid(9, 9, 1, 1), Vec3(0, 0, 1)),
           {testing::box(Vec3(0.5, 0.5, 0), Vec3(2, 2, 0.01))});
    for (const double nowhere : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        s.ends[0] = Vec3::Constant(nowhere);
        s.update();
        EXPECT_GT(s.crossings(), 0);
    }
    s.ends[0] = Vec3(0, 0, -1);
    s.update();
    EXPECT_GT(s.crossings(), 0);
}

// Ends wander, some further than others: whatever crosses by a search from nothing crosses by the lists kept.
TEST(NearPairs, ListsMendedWhereEndsMovedMissNothing) {
    Model model;
    testing::add_cloth(model, "low", mesh::make_grid(9, 9, 0.1, 0.1), Vec3::Zero(), 1);
    testing::add_cloth(model, "high", mesh::make_grid(8, 8, 0.1, 0.1), Vec3(0.003, 0.002, 0.002), 1);
    Step kept(model);
    const auto crossing = [](const Step& step) {
        std::set<PairPoints> pairs;
        for (const PairList& list : step.near.lists()) {
            for (std::size_t k = 0; k < list.pairs.size(); ++k) {
                if (step.near.judge(list, k, 1).crossing) pairs.insert(list.pairs[k]);
            }
        }
        return pairs;
    };
    std::size_t most = 0;
    for (unsigned turn = 0; turn < 30; ++turn) {
        const Points way = testing::random_points(model.rest.size(), 0.004, turn);
        for (std::size_t i = turn % 7; i < way.size(); i += 7) kept.ends[i] = model.rest[i] + way[i];
        kept.update();
        Step fresh(model);
        fresh.ends = kept.ends;
        fresh.update();
        EXPECT_EQ(crossing(kept), crossing(fresh)) << turn;
        most = std::max(most, crossing(fresh).size());
    }
    EXPECT_GT(most, 20u);
}

TEST(NearPairs, HarmlessPairsArePassedOverUntilAnEndMoves) {
    Step s = over_triangle(0.1);
    s.ends[0].z() = 0.95e-3;
    s.ends[1].z() = 1;
    s.update();
    s.near.look_at_ends();
    const auto passed = [&] { return s.near.passes_over(s.near.lists()[0], 0); };
    ASSERT_FALSE(s.near.lists()[0].pairs.empty());
    EXPECT_FALSE(passed()) << "not judged yet";
    s.near.set_harmless(0, 0, true);
    EXPECT_FALSE(passed()) << "first look";
    s.near.look_at_ends();
    EXPECT_TRUE(passed());
    s.near.ends()[0].z() = 0.94e-3;
    s.near.look_at_ends();
    EXPECT_FALSE(passed());
    s.near.look_at_ends();
    EXPECT_TRUE(passed());
    s.near.set_harmless(0, 0, false);
    EXPECT_FALSE(passed());
}

}  // namespace
}  // namespace taut::collision

// Maps of directional enforcement that follow pins, time, touches and the pull from outside, maps that build
// themselves, and their memory.
#include "taut/filters/directional.hpp"

#include <gtest/gtest.h>

#include <set>

#include "filters/directional_rig.hpp"
#include "taut/forces/air_drag.hpp"

namespace taut::filters::directional_tests {
namespace {

TEST(Directional, PinsThatComeAndGoBuildTheMapAnew) {
    for (const char* maps : {"named", "automatic"}) {
        DirectionalParams params;
        params.maps = maps;
        params.change = 100;  // supports alone would never do
        Rig p(hanging(6, 6), params, {0, 5});
        EXPECT_EQ(p.apply(p.start.x).maps, 1);
        EXPECT_EQ(p.map().fixed, (std::vector<int>{0, 5}));
        EXPECT_EQ(p.map().name, std::string(maps) == "named" ? "pins" : "automatic");
        const long number = p.map().number;
        const auto both = p.list();
        EXPECT_EQ(p.apply(p.start.x).maps, 0);
        EXPECT_EQ(p.map().number, number);

        p.context.pinned[5] = 0;
        EXPECT_EQ(p.apply(p.start.x).maps, 1);
        EXPECT_EQ(p.map().fixed, std::vector<int>{0}) << maps;
        EXPECT_GT(p.map().number, number);
        EXPECT_EQ(p.apply(p.start.x).maps, 0);

        p.context.pinned[5] = 1;
        EXPECT_EQ(p.apply(p.start.x).maps, 1);
        EXPECT_EQ(p.list(), both);
        p.context.pinned.assign(36, 0);
        EXPECT_EQ(p.apply(p.start.x).maps, 1);
        EXPECT_TRUE(p.map().list.empty());
    }
}

// Named maps judge slopes by the shape at the start, automatic ones by that of the moment.
TEST(Directional, ShapesThatCount) {
    const Model model = testing::sheet(5, 5);  // flat at rest
    const Points hung = hanging(5, 5).rest;
    const auto verticals = [](const Rig& p) {
        return std::count_if(p.map().list.begin(), p.map().list.end(),
                             [](const Correction& c) { return c.kind == SpringKind::vertical; });
    };
    Rig flat(model, DirectionalParams{}, {0}), given(model, DirectionalParams{}, {0}, {}, hung);
    flat.start.x = given.start.x = hung;
    flat.apply(hung);
    given.apply(hung);
    EXPECT_EQ(verticals(flat), 0);
    EXPECT_GT(verticals(given), 10);
    DirectionalParams automatic;
    automatic.maps = "automatic";
    Rig moment(model, automatic, {0});
    moment.start.x = hung;
    moment.apply(hung);
    EXPECT_EQ(moment.list(), given.list());
}

// Springs along the wind count as vertical, those across it as horizontal; against it none is corrected.
TEST(Directional, DownIsThePullOfAllOuterForces) {
    for (bool drag : {false, true}) {
        for (const char* direction : {"gravity", "force"}) {
            DirectionalParams params;
            params.direction = direction;
            Rig p(hanging(7, 7), params, {21});
            if (drag) {
                p.pull(std::make_unique<forces::AirDrag>(forces::AirDragParams{Vec3(400, 0, 0)}));
            } else {
                p.pull(std::make_unique<SteadyPull>(Vec3(100, 0, 0)));
            }
            p.pull(
                std::make_unique<SteadyPull>(Vec3(-1e6, 0, 1e6), ForceSource::cloth));  // counts for nothing
            p.apply(p.start.x);
            const bool wind = std::string(direction) == "force";
            long along = 0;
            for (const Correction& c : p.map().list) {
                if (c.kind == SpringKind::shear) continue;
                EXPECT_EQ(c.kind == SpringKind::vertical, c.to == c.from + (wind ? 1 : 7));
                along += c.kind == SpringKind::vertical;
            }
            EXPECT_GT(along, 0);
            std::vector<int> seen(49, 0);
            for (const Correction& c : p.map().list) seen[std::size_t(c.to)] = 1;
            EXPECT_EQ(seen[0], wind) << "above what is held";
            EXPECT_EQ(seen[48], 1);
        }
    }
}

TEST(Directional, ATurnOfThePullBuildsTheMapAnew) {
    DirectionalParams params;
    params.direction = "force", params.turn = 30, params.response = 0;
    Rig p(hanging(5, 5), params, {0});
    SteadyPull& wind = p.pull(std::make_unique<SteadyPull>(Vec3::Zero()));
    const auto turn_to = [&](double degrees) {
        const double a = degrees * M_PI / 180;
        wind.pull = 1e3 * Vec3(std::sin(a), 0, -std::cos(a));
        return p.stay().maps;
    };
    EXPECT_EQ(turn_to(0), 1);
    EXPECT_EQ(turn_to(20), 0);
    EXPECT_EQ(turn_to(-29), 0);
    EXPECT_EQ(turn_to(31), 1);
    EXPECT_EQ(turn_to(5), 0);  // counted from where the last map was built
    EXPECT_EQ(turn_to(60), 0);
    EXPECT_EQ(turn_to(0), 1);
    EXPECT_EQ(turn_to(180), 1);
}

// A gust is averaged: short ones are none.
TEST(Directional, ThePullIsFollowedOverTheResponseTime) {
    DirectionalParams params;
    params.direction = "force", params.response = 0.1;
    Rig p(hanging(5, 5), params, {0});
    SteadyPull& wind = p.pull(std::make_unique<SteadyPull>(Vec3::Zero()));
    EXPECT_EQ(p.stay().maps, 1);
    const double weight = 9.81 * p.model.mass[12];
    wind.pull = Vec3(weight, 0, 0);  // about 45 degrees in the end
    EXPECT_EQ(p.stay().maps, 0);
    wind.pull.setZero();
    for (int n = 0; n < 50; ++n) EXPECT_EQ(p.stay().maps, 0);
    wind.pull = Vec3(weight, 0, 0);
    int built = -1;
    for (int n = 0; n < 50 && built < 0; ++n) {
        if (p.stay().maps > 0) built = n;
    }
    EXPECT_GT(built, 3);
    EXPECT_LT(built, 30);
}

// Also where turns hardly ever count, or gravity sets in later.
TEST(Directional, APullThatBeginsIsATurn) {
    DirectionalParams params;
    params.direction = "force", params.turn = 170;
    Rig p(hanging(5, 5), params, {0});
    p.outer.clear();
    SteadyPull& wind = p.pull(std::make_unique<SteadyPull>(Vec3::Zero()));
    EXPECT_EQ(p.stay().maps, 1);
    for (const Correction& c : p.map().list) EXPECT_NE(c.kind, SpringKind::vertical);
    wind.pull = Vec3(0, 0, -1);
    EXPECT_EQ(p.stay().maps, 1);
    EXPECT_EQ(p.map().list[1].kind, SpringKind::vertical);

    for (const char* maps : {"named", "automatic"}) {
        params = {};
        params.maps = maps;
        Rig late(hanging(5, 5), params, {0});
        late.outer.clear();
        late.pull(std::make_unique<forces::Gravity>(forces::GravityParams{Vec3(0, 0, -9.81), 0.5}));
        EXPECT_EQ(late.stay(0.0).maps, 1);
        EXPECT_EQ(late.stay(0.4).maps, 0);
        EXPECT_EQ(late.stay(0.6).maps, 1);
        EXPECT_EQ(late.stay(0.7).maps, 0);
        EXPECT_EQ(late.map().list[1].kind, SpringKind::vertical);
    }
}

TEST(Directional, TimesCallForMapsAndEachIsBuiltOnce) {
    MapRule left = named("left", {8}), right = named("right", {11});
    left.from = 0.25, left.until = 0.5, left.every = 1;
    right.from = 0.4, right.until = 0.75, right.every = 1;
    Rig p(hanging(4, 6), DirectionalParams{}, {0, 3}, {left, right});
    struct Moment {
        double t;
        const char* name;
        int built;
        std::vector<int> fixed;
    };
    for (const Moment& m : std::vector<Moment>{{0, "pins", 1, {0, 3}},
                                               {0.3, "left", 1, {0, 3, 8}},
                                               {0.45, "left", 0, {0, 3, 8}},
                                               {0.6, "right", 1, {0, 3, 11}},
                                               {0.8, "pins", 0, {0, 3}},
                                               {1.3, "left", 0, {0, 3, 8}},
                                               {7.6, "right", 0, {0, 3, 11}}}) {
        EXPECT_EQ(p.stay(m.t).maps, m.built) << m.t;
        EXPECT_EQ(p.map().name, m.name) << m.t;
        EXPECT_EQ(p.map().fixed, m.fixed) << m.t;
    }
}

TEST(Directional, TouchesCallForMaps) {
    MapRule knee = named("knee", {9, 10}), anything = named("anything", {5});
    knee.obstacle = 1, anything.obstacle = MapRule::any_obstacle;
    DirectionalParams params;
    params.response = 0;
    Rig p(hanging(4, 6), params, {0, 3}, {knee, anything});
    // What touches in one step counts in the next.
    const auto after = [&](const std::vector<Touch>& touches) {
        p.stay(touches);
        p.stay();
        return p.map().name;
    };
    EXPECT_EQ(after({}), "pins");
    EXPECT_EQ(after({{9, 1}}), "knee");
    EXPECT_EQ(after({{9, 0}}), "pins");
    EXPECT_EQ(after({{5, 0}}), "anything");
    EXPECT_EQ(after({{5, 1}}), "anything");
    EXPECT_EQ(after({{5, 0}, {10, 1}}), "knee");
    EXPECT_EQ(after({{4, 1}}), "pins");
}

TEST(Directional, TouchesCountForTheResponseTime) {
    MapRule knee = named("knee", {9});
    knee.obstacle = 0;
    DirectionalParams params;
    params.response = 0.025;  // two steps and a half
    Rig p(hanging(4, 6), params, {0}, {knee});
    p.stay(std::vector<Touch>{{9, 0}});
    EXPECT_EQ(p.map().name, "pins");  // seen at the end of this step
    std::vector<std::string> names;
    for (int n = 1; n <= 6; ++n) {
        p.stay();
        names.push_back(p.map().name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"knee", "knee", "knee", "knee", "pins", "pins"}));
}

// Automatic maps: so much must differ, in parts of what was fixed before.
TEST(Directional, AutomaticMapsFollowWhatSupportsTheCloth) {
    DirectionalParams params;
    params.maps = "automatic", params.response = 0, params.change = 0.25;
    Rig p(hanging(8, 8), params);
    const auto touching = [](std::vector<int> vertices) {
        std::vector<Touch> touches;
        for (int v : vertices) touches.insert(touches.end(), {{v, 0}, {v, 1}});
        return touches;
    };
    const auto after = [&](const std::vector<int>& vertices) {
        p.stay(touching(vertices));
        return p.stay(touching(vertices)).maps;
    };
    EXPECT_EQ(p.stay().maps, 1);
    EXPECT_TRUE(p.map().list.empty());
    EXPECT_EQ(after(row(0, 8)), 1);
    EXPECT_EQ(p.map().fixed, row(0, 8));
    EXPECT_EQ(after(row(0, 7)), 0);  // 1 of 8
    EXPECT_EQ(after(row(0, 6)), 0);  // 2 of 8, not more than a quarter
    EXPECT_EQ(p.map().fixed, row(0, 8));
    EXPECT_EQ(after(row(0, 5)), 1);
    EXPECT_EQ(p.map().fixed, row(0, 5));
    EXPECT_EQ(after(row(1, 5)), 1);  // as many, but others
    EXPECT_EQ(after({}), 1);
    EXPECT_TRUE(p.map().list.empty());
    EXPECT_EQ(after({3}), 1);
}

TEST(Directional, SupportLastsForTheResponseAtMost) {
    DirectionalParams params;
    params.maps = "automatic", params.change = 0;
    Rig p(hanging(4, 4), params, {0});
    int changes = 0;
    for (int n = 0; n < 200; ++n) {
        // Seen by two obstacles at once, two steps of three.
        changes += p.stay(n % 3 ? std::vector<Touch>{{2, 0}, {2, 1}} : std::vector<Touch>{}).maps;
        for (const MemoryBlock& block : p.filter->memory()) {
            if (block.name != "directional.support") continue;
            for (double support : *block.data)
                EXPECT_TRUE(support >= 0 && support <= params.response + p.context.dt) << support;
        }
    }
    EXPECT_LE(changes, 4);
    EXPECT_EQ(p.map().fixed, (std::vector<int>{0, 2}));
}

// A rejected step leaves nothing behind: the list is that of before, also after others were built.
TEST(Directional, MemoryPutBackGivesTheSameListAgain) {
    DirectionalParams params;
    params.maps = "automatic", params.response = 0.01, params.change = 0, params.direction = "force";
    Rig p(hanging(6, 6), params, {0});
    SteadyPull& wind = p.pull(std::make_unique<SteadyPull>(Vec3::Zero()));
    const std::vector<Touch> some{{7, 0}, {8, 0}};
    for (int n = 0; n < 5; ++n) p.stay(some);
    EXPECT_EQ(p.map().fixed, (std::vector<int>{0, 7, 8}));
    std::vector<std::vector<double>> saved;
    for (const MemoryBlock& block : p.filter->memory()) saved.push_back(*block.data);
    EXPECT_EQ(saved.size(), 5u);
    const auto list = p.list();

    // Go astray: other touches, another shape, another pull.
    const Points shape = p.start.x;
    p.start.x = testing::shaken(p.start.x, 0.1, 4);
    wind.pull = Vec3(1e3, 0, 0);
    for (int n = 0; n < 5; ++n) p.stay(std::vector<Touch>{{20, 0}});
    EXPECT_NE(p.list(), list);

    // Put back, here and in another filter that never saw any of it.
    p.start.x = shape;
    wind.pull.setZero();
    const auto put_back = [&saved](Rig& rig) {
        std::size_t k = 0;
        for (const MemoryBlock& block : rig.filter->memory()) *block.data = saved[k++];
        rig.apply(rig.start.x);
        return rig.list();
    };
    EXPECT_EQ(put_back(p), list);
    Rig fresh(hanging(6, 6), params, {0});
    fresh.start.x = testing::shaken(fresh.start.x, 0.1, 4);
    EXPECT_EQ(put_back(fresh), list);
    EXPECT_EQ(fresh.map().fixed, (std::vector<int>{0, 7, 8}));
}

// A pull that has turned since the map was built, but not for long enough to build another.
TEST(Directional, MemoryKeepsTheDirectionOfItsMap) {
    DirectionalParams params;
    params.maps = "automatic", params.response = 0.05, params.direction = "force";
    Rig p(hanging(6, 6), params, {0});
    p.pull(std::make_unique<SteadyPull>(Vec3::Zero())).pull = Vec3(0, 0, -1);
    p.stay();
    const auto list = p.list();
    SteadyPull& wind = p.pull(std::make_unique<SteadyPull>(Vec3(50, 0, 0)));
    for (int n = 0; n < 3; ++n) EXPECT_EQ(p.stay().maps, 0);
    EXPECT_EQ(p.list(), list);

    Rig fresh(hanging(6, 6), params, {0});
    fresh.pull(std::make_unique<SteadyPull>(Vec3(0, 0, -1) + wind.pull));
    fresh.start.t = p.start.t;
    const std::vector<MemoryBlock> from = p.filter->memory(), to = fresh.filter->memory();
    for (std::size_t k = 0; k < from.size(); ++k) *to[k].data = *from[k].data;
    p.stay();
    EXPECT_EQ(fresh.stay().maps, 0);
    EXPECT_EQ(p.list(), list);
    EXPECT_EQ(fresh.list(), list);
}

TEST(Directional, NamedMapsComeBackWithTheirMemory) {
    MapRule knee = named("knee", {9});
    knee.obstacle = 0;
    DirectionalParams params;
    Rig p(hanging(4, 6), params, {0}, {knee});
    for (int n = 0; n < 10; ++n) p.stay(std::vector<Touch>{{9, 0}});
    std::vector<std::vector<double>> saved;
    for (const MemoryBlock& block : p.filter->memory()) saved.push_back(*block.data);
    Rig fresh(hanging(4, 6), params, {0}, {knee});
    std::size_t k = 0;
    for (const MemoryBlock& block : fresh.filter->memory()) *block.data = saved[k++];
    fresh.stay();
    EXPECT_EQ(fresh.map().name, "knee");
    EXPECT_EQ(fresh.list(), p.list());
}

}  // namespace
}  // namespace taut::filters::directional_tests

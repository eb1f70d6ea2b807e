// Events that call for correction maps: times and their returns, touches of one obstacle or of any, contacts
// that count for a while, and who wins.
#include "taut/filters/map_events.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace taut::filters::map_events_tests {
namespace {

MapRule rule(int obstacle = MapRule::no_touch, std::vector<int> watched = {}) {
    MapRule result;
    result.watched = std::move(watched);
    result.obstacle = obstacle;
    return result;
}

MapRule at_times(double from, double until, double every = 0) {
    MapRule result;
    result.from = from, result.until = until, result.every = every;
    return result;
}

MapEvents events(std::vector<MapRule> rules) {
    MapEvents result(std::move(rules));
    result.prepare(10);
    return result;
}

TEST(MapEvents, ARuleWithoutConditionsIsAlwaysCalled) {
    EXPECT_EQ(events({rule()}).called(0), 0);
    EXPECT_EQ(events({rule()}).called(1e6), 0);
    EXPECT_EQ(events({}).called(0), -1);
}

TEST(MapEvents, TimesBeginWithTheFirstAndEndBeforeTheLast) {
    const MapRule once = at_times(0.5, 1);
    for (const auto& [t, wanted] :
         {std::pair{0.0, false}, {0.4999, false}, {0.5, true}, {0.9999, true}, {1.0, false}, {1.6, false}}) {
        EXPECT_EQ(once.is_time(t), wanted) << t;
    }
    const MapRule open = at_times(0.5, std::numeric_limits<double>::infinity());
    EXPECT_FALSE(open.is_time(0.4));
    EXPECT_TRUE(open.is_time(1e9));
}

TEST(MapEvents, TimesCountAnewAfterEvery) {
    const MapRule walk = at_times(0.25, 0.75, 1);
    for (int cycle = 0; cycle < 5; ++cycle) {
        EXPECT_FALSE(walk.is_time(cycle));
        EXPECT_TRUE(walk.is_time(cycle + 0.25));
        EXPECT_TRUE(walk.is_time(cycle + 0.7));
        EXPECT_FALSE(walk.is_time(cycle + 0.75));
    }
    // A window that is longer than the cycle lasts to its end.
    const MapRule rest = at_times(0.5, 7, 1);
    EXPECT_TRUE(rest.is_time(3.9));
    EXPECT_FALSE(rest.is_time(4.1));
}

TEST(MapEvents, TheFirstCalledWins) {
    const MapEvents e = events({at_times(2, 3), at_times(1, 4), rule()});
    EXPECT_EQ(e.called(0), 2);
    EXPECT_EQ(e.called(1), 1);
    EXPECT_EQ(e.called(2), 0);
    EXPECT_EQ(e.called(3), 1);
    EXPECT_EQ(e.called(4), 2);
}

TEST(MapEvents, TouchesOfTheObstacleAndOfWatchedVerticesCount) {
    const auto called = [](const MapRule& r, const std::vector<Touch>& touches) {
        MapEvents e = events({r});
        e.add(touches, 0.01, 0);
        return e.called(0) == 0;
    };
    const MapRule named = rule(2, {3, 4}), any = rule(MapRule::any_obstacle, {3, 4});
    EXPECT_FALSE(called(named, {}));
    EXPECT_TRUE(called(named, {{4, 2}}));
    EXPECT_FALSE(called(named, {{4, 1}}));
    EXPECT_FALSE(called(named, {{5, 2}}));
    EXPECT_FALSE(called(named, {{5, 2}, {3, 1}}));
    EXPECT_TRUE(called(named, {{5, 2}, {3, 1}, {3, 2}}));
    EXPECT_FALSE(called(any, {}));
    EXPECT_TRUE(called(any, {{4, 1}}));
    EXPECT_TRUE(called(any, {{5, 0}, {3, 0}}));
    EXPECT_FALSE(called(any, {{5, 2}}));
    EXPECT_FALSE(called(rule(0), {{0, 0}}));  // nothing is watched
}

TEST(MapEvents, AllConditionsMustHold) {
    MapRule both = rule(0, {1});
    both.from = 1;
    MapEvents e = events({both});
    EXPECT_EQ(e.called(2), -1);
    e.add(std::vector<Touch>{{1, 0}}, 0.01, 0);
    EXPECT_EQ(e.called(0.5), -1);
    EXPECT_EQ(e.called(2), 0);
}

TEST(MapEvents, ContactCountsForSomeTimeAfterItWasSeen) {
    const double dt = 0.004, response = 0.03;
    MapEvents e = events({rule(0, {1})});
    e.add(std::vector<Touch>{{1, 0}, {1, 0}}, dt, response);
    EXPECT_EQ(e.called(0), 0);
    for (int n = 1; n <= 12; ++n) {
        e.add({}, dt, response);
        EXPECT_EQ(e.called(0) == 0, n * dt < response + dt) << n;
    }
}

TEST(MapEvents, WithoutResponseOnlyTheLastStepCounts) {
    MapEvents e = events({rule(0, {1})});
    e.add(std::vector<Touch>{{1, 0}}, 0.01, 0);
    EXPECT_EQ(e.called(0), 0);
    e.add({}, 0.01, 0);
    EXPECT_EQ(e.called(0), -1);
}

TEST(MapEvents, FlickeringContactsDoNotFlicker) {
    MapEvents e = events({rule(0, {1})});
    const std::vector<Touch> touch{{1, 0}};
    for (int n = 0; n < 60; ++n) {
        e.add(n % 5 == 0 ? std::span<const Touch>(touch) : std::span<const Touch>(), 0.001, 0.01);
        EXPECT_EQ(e.called(0), 0) << n;
    }
}

TEST(MapEvents, MemoryIsOneTimeForEachRuleAndMayBePutBack) {
    MapEvents e = events({rule(), rule(0, {1}), rule(1, {2})});
    ASSERT_EQ(e.memory().size(), 3u);
    e.add(std::vector<Touch>{{2, 1}}, 0.25, 0.5);
    EXPECT_EQ(e.memory(), (std::vector<double>{0, 0, 0.75}));
    const std::vector<double> saved = e.memory();
    e.add({}, 1, 0.5);
    EXPECT_EQ(e.memory(), (std::vector<double>{0, 0, 0}));
    e.memory() = saved;
    EXPECT_EQ(e.called(0), 0);
    e.prepare(10);
    EXPECT_EQ(e.memory(), (std::vector<double>{0, 0, 0}));  // a new run forgets
}

}  // namespace
}  // namespace taut::filters::map_events_tests

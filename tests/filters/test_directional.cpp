// Directional enforcement: what one pass moves and what it leaves, seams, maps that follow pins, time,
// touches and the pull from outside, maps that build themselves, memory, and velocities drawn together.
#include "taut/filters/directional.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "filters/filter_probe.hpp"
#include "taut/base/parallel.hpp"
#include "taut/forces/air_drag.hpp"
#include "taut/forces/gravity.hpp"

namespace taut::filters::directional_tests {
namespace {

using testing::FilterProbe;

// A sheet whose rows hang below each other, row 0 on top.
Model hanging(int nu, int nv) {
    mesh::MadeMesh made = mesh::make_grid(nu, nv, 1, 1);
    for (Vec3& p : made.rest) p = Vec3(p.x(), 0, -p.y());
    return testing::model_of(made);
}

// The same force on every vertex, from the air unless something else is said.
class SteadyPull final : public Force {
public:
    explicit SteadyPull(Vec3 pull, ForceSource source = ForceSource::air)
        : pull(std::move(pull)), of(source) {}
    std::string_view name() const override { return "steady_pull"; }
    void prepare(const Model&) override {}
    void add_force(const ForceInput&, PointsView f) const override {
        for (Vec3& each : f) each += pull;
    }
    ForceSource source() const override { return of; }

    Vec3 pull;
    ForceSource of;
};

// Every spring on the list exactly as long as at rest.
DirectionalParams exact() {
    DirectionalParams params;
    params.threshold = 0, params.visits = 1, params.compression = true;
    return params;
}

struct Rig : FilterProbe {
    Rig(Model model_, const DirectionalParams& params, const std::vector<int>& pins = {},
        std::vector<MapRule> rules = {}, Points shape = {})
        : FilterProbe(std::move(model_),
                      std::make_unique<Directional>(params, std::move(rules), std::move(shape)), pins) {
        pull(std::make_unique<forces::Gravity>(forces::GravityParams{}));
    }
    template <class F>
    F& pull(std::unique_ptr<F> force) {
        F& added = *force;
        force->prepare(model);
        outer.push_back(std::move(force));
        context.forces = outer;
        return added;
    }
    const CorrectionMap& map() const { return *filter->correction_map(); }
    std::vector<std::array<int, 2>> list() const {
        std::vector<std::array<int, 2>> pairs;
        for (const Correction& c : map().list) pairs.push_back({c.from, c.to});
        return pairs;
    }

    // A whole step that goes nowhere: what touches is remembered, and time goes on.
    FilterReport stay(const std::vector<Touch>& touches = {}) {
        const FilterReport report = apply(start.x);
        candidate.touches = touches;
        State end = start;
        filter->apply_end_velocity(context, candidate, end);
        start.t += context.dt;
        return report;
    }
    FilterReport stay(double time, const std::vector<Touch>& touches = {}) {
        start.t = time;
        return stay(touches);
    }

    std::vector<std::unique_ptr<Force>> outer;
};

std::vector<int> row(int first, int count) {
    std::vector<int> vertices;
    for (int k = 0; k < count; ++k) vertices.push_back(first + k);
    return vertices;
}

TEST(Directional, OnePassOfOneVisitEachHoldsEverySpringOfTheList) {
    for (const char* expansion : {"synchronous", "one_by_one"}) {
        for (const char* order : {"horizontal_vertical_shear", "shear_vertical_horizontal"}) {
            DirectionalParams params = exact();
            params.order = order, params.expansion = expansion;
            Rig p(hanging(12, 11), params, {0, 11});
            const FilterReport report = p.apply(testing::blown(p.model, 0.05, 3));
            EXPECT_TRUE(report.held);
            EXPECT_EQ(report.iterations, 1);
            EXPECT_EQ(report.maps, 1);
            EXPECT_EQ(p.map().list.size(), 130u);  // all but the pins, once each
            EXPECT_EQ(report.corrections, 130);
            const Points x = p.end();
            for (const Correction& c : p.map().list) {
                const double rest =
                    (p.model.rest[std::size_t(c.to)] - p.model.rest[std::size_t(c.from)]).norm();
                EXPECT_NEAR((x[std::size_t(c.to)] - x[std::size_t(c.from)]).norm(), rest, 1e-13);
            }
        }
    }
}

// Each correction of the list in turn, by hand.
TEST(Directional, IsAWalkAlongItsList) {
    DirectionalParams params;
    params.threshold = 0.03, params.target = 0.4, params.compression = true;
    Rig p(hanging(8, 8), params, {0, 7});
    const Points wanted = testing::blown(p.model, 0.08, 5);
    const FilterReport report = p.apply(wanted);
    Points x = wanted;
    for (std::size_t v : {0u, 7u}) x[v] = p.model.rest[v];
    long count = 0;
    for (const Correction& c : p.map().list) {
        const auto a = std::size_t(c.from), b = std::size_t(c.to);
        const double rest = (p.model.rest[b] - p.model.rest[a]).norm(), now = (x[b] - x[a]).norm();
        const double strain = now / rest - 1;
        if (std::abs(strain) <= 0.03) continue;
        x[b] = x[a] + rest * (1 + std::copysign(0.4 * 0.03, strain)) / now * (x[b] - x[a]);
        ++count;
    }
    EXPECT_EQ(report.corrections, count);
    EXPECT_LT(testing::farthest(p.end(), x), 1e-13);
    EXPECT_NEAR(report.residual, p.strain(), 1e-12);
    EXPECT_EQ(report.tolerance, std::numeric_limits<double>::infinity());
}

// Far from the origin, where a way there and back would change the last bits.
TEST(Directional, WithinTheThresholdNoBitMoves) {
    Rig p(hanging(9, 9), DirectionalParams{}, {0, 8});
    for (Vec3& x : p.start.x) x += Vec3(11, -7, 23);
    p.context.pin_target = p.start.x;
    p.candidate.v = testing::shaken(Points(81, Vec3(0, 0, 0)), 0.3, 11);
    p.candidate.v[0] = p.candidate.v[8] = Vec3::Zero();
    const Points before = p.candidate.v;
    EXPECT_EQ(p.again().corrections, 0);
    EXPECT_GT(p.map().list.size(), 200u);
    EXPECT_GT(p.strain(), 0.01);
    EXPECT_EQ(p.candidate.v, before);

    // One vertex far away: the others keep every bit, but for those that follow it.
    p.candidate.v[80] = Vec3(0, 0, -20);
    const Points pulled = p.candidate.v;
    EXPECT_GT(p.again().corrections, 0);
    EXPECT_NE(p.candidate.v[80], pulled[80]);
    for (std::size_t i = 0; i < 63; ++i) EXPECT_EQ(p.candidate.v[i], pulled[i]) << i;
}

// The strain a spring is brought to: just inside the threshold where that is the target.
double aim(double target) { return DirectionalParams{}.threshold * std::min(target, 1 - 1e-6); }

TEST(Directional, OneStretchedSpringGoesToItsTarget) {
    for (double target : {0.0, 0.25, 1.0}) {
        for (double length : {1.09, 1.11, 3.0}) {
            DirectionalParams params;
            params.target = target;
            Rig p(testing::chain(2), params, {0});
            const Vec3 along = Vec3(1, 2, -2) / 3;
            const FilterReport report = p.apply({Vec3::Zero(), length * along});
            const double wanted = length > 1.1 ? 1 + aim(target) : length;
            EXPECT_LT((p.end()[1] - wanted * along).norm(), 1e-14) << length;
            EXPECT_EQ(report.corrections, length > 1.1 ? 1 : 0);
            EXPECT_EQ(p.end()[0], Vec3::Zero());
        }
    }
}

TEST(Directional, CompressedSpringsWaitForTheFlag) {
    for (bool compression : {false, true}) {
        DirectionalParams params;
        params.compression = compression;
        for (double target : {0.0, 1.0}) {
            params.target = target;
            Rig p(testing::chain(2), params, {0});
            EXPECT_EQ(p.apply({Vec3::Zero(), Vec3(0.4, 0, 0)}).corrections, compression ? 1 : 0);
            EXPECT_NEAR(p.end()[1].x(), compression ? 1 - aim(target) : 0.4, 1e-14);
            EXPECT_EQ(p.apply({Vec3::Zero(), Vec3(0.95, 0, 0)}).corrections, 0);
        }
    }
}

// What corrections start from stays to the bit, pinned or not.
TEST(Directional, OnlySecondVerticesMove) {
    MapRule shelf;
    shelf.name = "shelf", shelf.fixed = {24, 25, 30};
    Rig p(hanging(8, 8), exact(), {0}, {shelf});
    const Points end = testing::blown(p.model, 0.05, 9);
    Points before(end.size());
    for (std::size_t i = 0; i < end.size(); ++i)
        before[i] = ((i == 0 ? p.model.rest[i] : end[i]) - p.start.x[i]) / p.context.dt;
    p.apply(end);
    EXPECT_EQ(p.map().name, "shelf");
    EXPECT_EQ(p.map().fixed, (std::vector<int>{0, 24, 25, 30}));
    std::set<int> seconds;
    for (const Correction& c : p.map().list) seconds.insert(c.to);
    for (int fixed : {0, 24, 25, 30}) EXPECT_FALSE(seconds.contains(fixed));
    for (std::size_t i = 0; i < end.size(); ++i) {
        if (!seconds.contains(int(i))) {
            EXPECT_EQ(p.candidate.v[i], before[i]) << i;
        }
    }
}

TEST(Directional, OncePerStepWhateverTheRound) {
    Rig p(hanging(5, 5), exact(), {0});
    p.context.round = 1;
    FilterReport report;
    p.candidate.v.assign(25, Vec3(0, 0, -100));
    p.filter->apply(p.context, p.candidate, report);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(p.candidate.v[24], Vec3(0, 0, -100));
    EXPECT_EQ(p.filter->correction_map(), nullptr);
}

TEST(Directional, PromisesNothing) {
    const Directional filter{DirectionalParams{}};
    EXPECT_EQ(filter.promise(), Promise::other);
    EXPECT_FALSE(filter.certifies_strain());
    EXPECT_TRUE(filter.breaks().twice);
    EXPECT_TRUE(filter.breaks().momentum);
    EXPECT_FALSE(filter.breaks().passing);
}

// Two panels side by side that a seam draws together; the second hangs on it alone.
TEST(Directional, SeamsFollowTheirChangingLength) {
    Model model = hanging(4, 5);
    mesh::MadeMesh right = mesh::make_grid(4, 5, 1, 1);
    for (Vec3& p : right.rest) p = Vec3(p.x() + 1.3, 0, -p.y());
    append(model, {"right", right.mesh, right.net, right.rest, std::vector<double>(20, 1e-3)});
    Seam seam{"side", {}, std::vector<double>(5, 0.3), 0.01, 0.1, 1.1};
    for (int j = 0; j < 5; ++j) seam.pairs.push_back({4 * j + 3, 20 + 4 * j});
    model.seams.push_back(seam);
    DirectionalParams params = exact();
    params.visits = 1;
    Rig p(std::move(model), params, {0, 3});
    for (double time : {0.0, 0.3, 0.7, 0.5, 2.0}) {  // also backwards, as after a step taken back
        p.start.t = time;
        const FilterReport report = p.apply(testing::blown(p.model, 0.02, 3));
        EXPECT_EQ(report.maps, time == 0 ? 1 : 0);
        const Points x = p.end();
        int sewn = 0;
        for (const Correction& c : p.map().list) {
            const bool across = (c.from < 20) != (c.to < 20);
            const double rest =
                across ? seam.distance(0, time + p.context.dt)
                       : (p.model.rest[std::size_t(c.to)] - p.model.rest[std::size_t(c.from)]).norm();
            EXPECT_NEAR((x[std::size_t(c.to)] - x[std::size_t(c.from)]).norm(), rest, 1e-13) << time;
            sewn += across;
        }
        EXPECT_GT(sewn, 0);
        EXPECT_EQ(p.map().list.size(), 38u);
    }
}

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

MapRule named(const char* name, std::vector<int> fixed) {
    MapRule rule;
    rule.name = name;
    rule.watched = rule.fixed = std::move(fixed);
    return rule;
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

// The end of a step with these velocities.
State end_with(Rig& p, const Points& v) {
    p.apply(p.start.x);
    State end = p.start;
    end.v = v;
    p.filter->apply_end_velocity(p.context, p.candidate, end);
    return end;
}

double kinetic(const Model& model, const Points& v) {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 * model.mass[i] * v[i].squaredNorm();
    return sum;
}

TEST(Directional, ViscosityKeepsMomentumAndTakesEnergy) {
    for (double viscosity : {1.0, 60.0, 1e4}) {
        DirectionalParams params;
        params.viscosity = viscosity;
        Rig p(hanging(7, 6), params, {}, {named("top", row(0, 7))});
        p.model.mass = testing::random_numbers(42, 0.5e-3, 3e-3, 2);
        p.filter->prepare(p.model);
        for (unsigned seed : {1u, 2u, 3u}) {
            const Points v = testing::shaken(Points(42, Vec3(0.3, 0.1, -2)), 1, seed);
            const State end = end_with(p, v);
            const Vec3 before = testing::momentum(p.model, v);
            EXPECT_LT((testing::momentum(p.model, end.v) - before).norm(), 1e-13 * before.norm());
            EXPECT_LT(kinetic(p.model, end.v), kinetic(p.model, v));
            EXPECT_EQ(end.x, p.start.x);
        }
    }
}

TEST(Directional, ViscosityLeavesPinsAndOneVelocityAlone) {
    Rig p(hanging(7, 6), DirectionalParams{}, {0, 6});
    Points v = testing::shaken(Points(42, Vec3::Zero()), 1, 3);
    v[0] = v[6] = Vec3::Zero();
    const State end = end_with(p, v);
    EXPECT_EQ(end.v[0], Vec3::Zero());
    EXPECT_EQ(end.v[6], Vec3::Zero());
    EXPECT_LT(kinetic(p.model, end.v), kinetic(p.model, v));

    const Points uniform(42, Vec3(1, 2, 3));
    EXPECT_LT(testing::farthest(end_with(p, uniform).v, uniform), 1e-15);
}

TEST(Directional, ViscosityOfOneSpringHasItsClosedForm) {
    for (bool pinned : {false, true}) {
        DirectionalParams params;
        params.viscosity = 40;
        Rig p(testing::chain(2), params, pinned ? std::vector<int>{0} : std::vector<int>{},
              {named("end", {0})});
        p.model.mass = {0.03, 0.01};
        p.filter->prepare(p.model);
        const State end = end_with(p, {Vec3(0, 0, 1), Vec3(0, 0, 5)});
        const double left = 4 * std::exp(-0.01 * 40);
        EXPECT_NEAR(end.v[1].z() - end.v[0].z(), left, 1e-14);
        EXPECT_NEAR(end.v[0].z(), pinned ? 1 : 2 - 0.25 * left, 1e-14);
    }
    DirectionalParams params;
    params.viscosity = 0;
    Rig none(hanging(4, 4), params, {0});
    const Points v = testing::shaken(Points(16, Vec3::Zero()), 1, 3);
    EXPECT_EQ(end_with(none, v).v, v);
}

// Where two vertices meet no direction is left; nothing may become a number that is none.
TEST(Directional, CoincidentVerticesStayFinite) {
    for (const char* maps : {"named", "automatic"}) {
        DirectionalParams params = exact();
        params.maps = maps, params.visits = 3;
        Rig p(hanging(5, 5), params, {0, 4});
        Points pair = testing::blown(p.model, 0.05, 3);
        pair[1] = pair[0] = p.model.rest[0], pair[13] = pair[12];
        const Vec3 tiny(1e-170, 0, 0), small(0, 1e-150, 0);
        Points close = pair;
        close[13] += tiny, close[1] += small;
        for (const Points& end : {pair, close, Points(25, p.model.rest[0]), Points(25, Vec3::Zero())}) {
            p.start.x = end;  // so that automatic maps see it as well
            p.context.pinned[0] ^= 1;
            const FilterReport report = p.apply(end);
            EXPECT_FALSE(std::isnan(report.residual));
            for (const Vec3& v : p.candidate.v) EXPECT_TRUE(v.allFinite());
            State state = p.start;
            p.filter->apply_end_velocity(p.context, p.candidate, state);
            for (const Vec3& v : state.v) EXPECT_TRUE(v.allFinite());
        }
    }
}

TEST(Directional, SameBitsForAnyThreadCount) {
    Points ends[2], velocities[2];
    for (int threads : {1, 2}) {
        ThreadLimit limit(threads);
        DirectionalParams params;
        params.maps = "automatic", params.direction = "force";
        Rig p(hanging(60, 50), params, {0, 59});
        p.pull(std::make_unique<forces::AirDrag>(forces::AirDragParams{Vec3(3, 8, 0)}));
        p.apply(testing::blown(p.model, 0.02, 17));
        ends[threads - 1] = p.end();
        State state = p.start;
        state.v = p.candidate.v;
        p.filter->apply_end_velocity(p.context, p.candidate, state);
        velocities[threads - 1] = state.v;
    }
    EXPECT_EQ(ends[0], ends[1]);
    EXPECT_EQ(velocities[0], velocities[1]);
}

}  // namespace
}  // namespace taut::filters::directional_tests

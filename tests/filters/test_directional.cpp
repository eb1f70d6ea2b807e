// Directional enforcement: what one pass moves and what it leaves, seams, and velocities drawn together.
#include "taut/filters/directional.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "filters/directional_rig.hpp"
#include "taut/base/parallel.hpp"
#include "taut/forces/air_drag.hpp"

namespace taut::filters::directional_tests {
namespace {

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

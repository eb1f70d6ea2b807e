// The contract of velocity filters over everything registered, projections with every solver that
// suits them: v only, pins untouched, admissible velocities pass, twice is almost once, momentum is
// kept, and trouble is a report entry. What a method breaks by its nature it declares; the rest holds.
#include <gtest/gtest.h>

#include <limits>
#include <ostream>

#include "filters/filter_probe.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/scene/registry.hpp"

namespace taut {
namespace {

using scene::Entry;
using scene::Kind;
using testing::FilterProbe;

struct Variant {
    std::string filter, solver;
    std::string name() const { return solver.empty() ? filter : filter + "_with_" + solver; }
    friend void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name(); }
};

using Numbers = std::vector<std::pair<std::string, double>>;

std::unique_ptr<VelocityFilter> make(const Variant& variant, const Numbers& numbers = {}) {
    const Entry* entry = scene::find_entry(Kind::filter, variant.filter);
    const scene::Settings settings = entry->settings();
    for (const auto& [name, value] : numbers) {
        const Param* param = settings.list().find(name);
        if (!param) continue;
        if (auto* const* number = std::get_if<double*>(&param->target)) **number = value;
        if (auto* const* integer = std::get_if<int*>(&param->target)) **integer = int(value);
    }
    scene::FilterParts parts;
    if (!variant.solver.empty()) {
        const Entry* solver = scene::find_entry(Kind::solver, variant.solver);
        parts.solver = std::get<scene::SolverFactory>(solver->factory)(solver->settings());
    }
    return std::get<scene::FilterFactory>(entry->factory)(settings, std::move(parts));
}

// Every filter with every solver it does not refuse.
std::vector<Variant> variants() {
    std::vector<Variant> list;
    for (const std::string& filter : scene::names_of(Kind::filter)) {
        if (scene::find_entry(Kind::filter, filter)->default_solver.empty()) {
            list.push_back({filter, ""});
            continue;
        }
        for (const std::string& solver : scene::names_of(Kind::solver)) {
            try {
                make({filter, solver});
                list.push_back({filter, solver});
            } catch (const InputError&) {
            }
        }
    }
    return list;
}

class FilterContract : public ::testing::TestWithParam<Variant> {
protected:
    // A sheet in the metric of an implicit integrator.
    std::unique_ptr<FilterProbe> probe(const std::vector<int>& pins, const Numbers& numbers = {}) {
        return std::make_unique<FilterProbe>(testing::sheet(9, 8), make(GetParam(), numbers), pins, 1e-5);
    }
    static Points rough(const Model& model) { return testing::blown(model, 0.03, 17); }
};

TEST_P(FilterContract, DefaultSolverIsAmongTheVariants) {
    const Entry* entry = scene::find_entry(Kind::filter, GetParam().filter);
    ASSERT_NE(entry, nullptr);
    if (entry->default_solver.empty()) return;
    bool found = false;
    for (const Variant& v : variants()) found |= v.filter == entry->name && v.solver == entry->default_solver;
    EXPECT_TRUE(found);
}

TEST_P(FilterContract, HoldsItsPromiseOnASmallSheet) {
    for (const auto& pins : {std::vector<int>{}, std::vector<int>{0, 8}}) {
        auto p = probe(pins);
        const FilterReport report = p->apply(rough(p->model), p->model.rest);
        if (p->filter->breaks().promise) continue;
        EXPECT_TRUE(report.held) << report.note;
        EXPECT_TRUE(report.note.empty());
        EXPECT_LE(report.residual, report.tolerance);
        if (p->filter->certifies_strain()) {
            EXPECT_EQ(report.tolerance, p->filter->strain_tolerance());
            EXPECT_LE(p->strain(), report.tolerance * (1 + 1e-9));
        }
    }
}

// Two panels, sewn along an edge with a gap of 4 cm that is closing to 2 cm.
TEST_P(FilterContract, SeamsAreHeldLikeEdges) {
    Model model = testing::sheet(6, 7, 0.5, 0.6);
    mesh::MadeMesh right = mesh::make_grid(6, 7, 0.5, 0.6);
    for (Vec3& p : right.rest) p.x() += 0.54;
    append(model, {"right", right.mesh, right.net, right.rest, std::vector<double>(42, 1e-3)});
    Seam seam{"side", {}, std::vector<double>(7, 0.04), 0.02, 0, 0.2};
    for (int j = 0; j < 7; ++j) seam.pairs.push_back({6 * j + 5, 42 + 6 * j});
    model.seams.push_back(seam);
    FilterProbe p(std::move(model), make(GetParam()), {0}, 1e-5);
    p.start.t = 0.04;
    const FilterReport report = p.apply(testing::blown(p.model, 0.01, 17), p.model.rest);
    if (!p.filter->certifies_strain() || p.filter->breaks().promise) return;
    EXPECT_TRUE(report.held) << report.note;
    EXPECT_LE(p.strain(), report.tolerance * (1 + 1e-9));
    const Points x = p.end();
    for (const auto& [a, b] : p.model.seams[0].pairs) {
        const double apart = (x[std::size_t(b)] - x[std::size_t(a)]).norm();
        EXPECT_NEAR(apart / seam.distance(0, 0.05), 1, report.tolerance * (1 + 1e-9));
    }
}

TEST_P(FilterContract, PinnedVerticesAreUntouched) {
    auto p = probe({0, 8, 40});
    p->context.pin_target[8] += Vec3(-0.01, 0.003, 0.002);
    const Points end = rough(p->model);
    p->context.inertial = p->model.rest;
    Points before(end.size());
    for (std::size_t i = 0; i < end.size(); ++i) {
        before[i] =
            ((p->context.pinned[i] ? p->context.pin_target[i] : end[i]) - p->start.x[i]) / p->context.dt;
    }
    p->apply(end, p->model.rest);
    for (int v : {0, 8, 40}) EXPECT_EQ(p->candidate.v[std::size_t(v)], before[std::size_t(v)]) << v;
}

TEST_P(FilterContract, ChangesTheVelocityOnly) {
    auto p = probe({0});
    const Points rest = p->model.rest, start = p->start.x;
    p->apply(rough(p->model), p->model.rest);
    EXPECT_EQ(p->model.rest, rest);
    EXPECT_EQ(p->start.x, start);
    EXPECT_EQ(p->start.t, 0);
    EXPECT_EQ(p->candidate.v.size(), start.size());
    EXPECT_EQ(p->candidate.impacted, std::vector<std::uint8_t>(start.size(), 0));
}

// What a filter leaves when the run is to stop is thrown away: it has to end soon, not well.
TEST_P(FilterContract, EndsSoonWhenTheRunIsToStop) {
    auto p = probe({0});
    p->context.stop_requested = [] { return true; };
    EXPECT_LE(p->apply(rough(p->model), p->model.rest).iterations, 1);
}

// A rigid motion keeps every length: nothing is left to do.
TEST_P(FilterContract, AdmissibleVelocityPassesUnchanged) {
    auto p = probe({});
    const Points end = testing::turned(p->model.rest, Vec3(0.3, -0.2, 0.5), Vec3(0.1, 0, -0.2));
    const FilterReport report = p->apply(end);
    if (p->filter->breaks().passing) return;
    EXPECT_TRUE(report.held);
    EXPECT_LE(report.iterations, 1);
    EXPECT_LT(testing::farthest(p->end(), end), 1e-12);
}

TEST_P(FilterContract, TwiceIsAlmostOnce) {
    for (const auto& pins : {std::vector<int>{}, std::vector<int>{0, 8}}) {
        auto p = probe(pins);
        if (p->filter->breaks().twice) return;
        const Points wanted = rough(p->model);
        p->apply(wanted, p->model.rest);
        const Points once = p->end();
        p->context.inertial = once;
        EXPECT_TRUE(p->again().held || p->filter->breaks().promise);
        const double moved = testing::farthest(once, wanted), edge = p->model.rest_length[0];
        EXPECT_LT(testing::farthest(p->end(), once), 0.05 * moved + 2e-3 * edge);
    }
}

TEST_P(FilterContract, LinearMomentumIsKeptWithoutPins) {
    for (unsigned seed : {1u, 2u, 3u}) {
        auto p = probe({});
        const Points end =
            testing::turned(testing::blown(p->model, 0.03, seed), Vec3(0, 0.1, 0), Vec3(0.2, 0.1, 0));
        Points v(end.size());
        for (std::size_t i = 0; i < end.size(); ++i) v[i] = (end[i] - p->start.x[i]) / p->context.dt;
        const Vec3 before = testing::momentum(p->model, v);
        p->apply(end, p->model.rest);
        if (p->filter->breaks().momentum) return;
        EXPECT_LT((testing::momentum(p->model, p->candidate.v) - before).norm(), 1e-10 * before.norm());
    }
}

TEST_P(FilterContract, NotConvergingIsAReportEntry) {
    auto p = probe({0, 8}, {{"tolerance", 1e-9}, {"max_iterations", 1}});
    if (!p->filter->certifies_strain() || p->filter->breaks().promise) return;
    FilterReport report;
    EXPECT_NO_THROW(report = p->apply(rough(p->model), p->model.rest));
    EXPECT_FALSE(report.held);
    EXPECT_FALSE(report.note.empty());
    EXPECT_EQ(report.iterations, 1);
    EXPECT_GT(report.residual, 1e-9);
    for (const Vec3& v : p->candidate.v) EXPECT_TRUE(v.allFinite());
}

TEST_P(FilterContract, NumbersThatAreNoneAreReportedNotThrown) {
    for (double bad : {std::numeric_limits<double>::quiet_NaN(), 1e200}) {
        auto p = probe({0});
        Points end = rough(p->model);
        end[20].x() = bad;
        FilterReport report;
        EXPECT_NO_THROW(report = p->apply(end, p->model.rest));
        if (!p->filter->certifies_strain()) continue;
        EXPECT_FALSE(report.held) << bad;
        p->filter->judge_before(report);
        EXPECT_FALSE(report.held) << bad << " judged by what the filter left";
    }
}

TEST_P(FilterContract, SameBitsForAnyThreadCount) {
    Points ends[2];
    for (int threads : {1, 2}) {
        ThreadLimit limit(threads);
        // Two iterations show what there is to see; some of the solvers are slow.
        FilterProbe p(testing::sheet(60, 40), make(GetParam(), {{"max_iterations", 2}}), {0, 59}, 1e-5);
        p.apply(testing::blown(p.model, 0.003, 17), p.model.rest);
        ends[threads - 1] = p.end();
    }
    EXPECT_EQ(ends[0], ends[1]);
}

TEST_P(FilterContract, ClothWithoutEdgesPasses) {
    Model particles;
    particles.rest = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
    particles.mass = {1, 1};
    FilterProbe p(particles, make(GetParam()));
    const Points end = {Vec3(0, 0, 3), Vec3(5, 0, 0)};
    EXPECT_TRUE(p.apply(end).held);
    EXPECT_LT(testing::farthest(p.end(), end), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Registered, FilterContract, ::testing::ValuesIn(variants()),
                         [](const auto& variant) { return variant.param.name(); });

}  // namespace
}  // namespace taut

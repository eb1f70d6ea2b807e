// The four configurations of Figure 2 and Appendix A of Goldenthal et al. 2007, after Barth et al. 1994, as
// one step of every length filter in the registry: SHAKE fails in all four, methods that take the constraint
// direction at the end of the step fail only where the gradients there are rank-deficient (Q3), and a
// shorter step heals that. And none of them drifts.
#include <gtest/gtest.h>

#include "filters/filter_probe.hpp"
#include "taut/scene/registry.hpp"

namespace taut {
namespace {

using testing::FilterProbe;

std::unique_ptr<VelocityFilter> make(const std::string& name, double tolerance = 1e-4) {
    const scene::Entry* entry = scene::find_entry(scene::Kind::filter, name);
    const scene::Settings settings = entry->settings();
    *std::get<double*>(settings.list().find("tolerance")->target) = tolerance;
    // Position-based dynamics takes no more passes than it is told to.
    if (const Param* substeps = settings.list().find("substeps")) *std::get<int*>(substeps->target) = 1;
    if (const Param* passes = settings.list().find("iterations")) *std::get<int*>(passes->target) = 2000;
    scene::FilterParts parts;
    if (!entry->default_solver.empty()) {
        const scene::Entry* solver = scene::find_entry(scene::Kind::solver, entry->default_solver);
        parts.solver = std::get<scene::SolverFactory>(solver->factory)(solver->settings());
    }
    return std::get<scene::FilterFactory>(entry->factory)(settings, std::move(parts));
}

std::vector<std::string> length_filters() {
    std::vector<std::string> names;
    for (const std::string& name : scene::names_of(scene::Kind::filter)) {
        const Param* tolerance =
            scene::find_entry(scene::Kind::filter, name)->settings().list().find("tolerance");
        if (tolerance && make(name)->certifies_strain()) names.push_back(name);
    }
    return names;
}

// One step of one or two links of length 1: where they start, where they would end, and where pins go.
struct Configuration {
    int links;
    std::vector<int> pins;
    Points start, end;
};

// The only link turns and stretches so that its part across the start direction is longer than the link.
Configuration q1() { return {1, {0}, {Vec3(0, 0, 0), Vec3(1, 0, 0)}, {Vec3(0, 0, 0), Vec3(0.5, 1.5, 0)}}; }

// The link turns by a right angle: both gradients are of full rank, their product is zero.
Configuration q2() { return {1, {0}, {Vec3(0, 0, 0), Vec3(1, 0, 0)}, {Vec3(0, 0, 0), Vec3(0, 1.1, 0)}}; }

// The middle of two links between pins falls onto the line between them, or part of the way.
Configuration q3(double part) {
    return {2,
            {0, 2},
            {Vec3(0, 0, 0), Vec3(0.8, 0.6, 0), Vec3(1.6, 0, 0)},
            {Vec3(0, 0, 0), Vec3(0.8, 0.6 * (1 - part), 0), Vec3(1.6, 0, 0)}};
}

// Two links start straight between pins that come closer.
Configuration q4() {
    return {2,
            {0, 2},
            {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)},
            {Vec3(0, 0, 0), Vec3(1, -0.3, 0), Vec3(1.6, 0, 0)}};
}

FilterReport try_step(const std::string& filter, const Configuration& q) {
    FilterProbe p(testing::chain(q.links + 1, q.links), make(filter), q.pins);
    p.context.dt = p.context.h = 1.0 / 128;  // a power of two: no rounding on the way to `end` and back
    p.start.x = q.start;
    for (std::size_t i = 0; i < q.start.size(); ++i) p.start.v[i] = (q.end[i] - q.start[i]) / p.context.dt;
    p.context.pin_target = q.end;
    return p.apply(q.end);
}

bool explicit_direction(const std::string& filter) { return filter == "shake" || filter == "rattle"; }

class AppendixA : public ::testing::TestWithParam<std::string> {};

TEST_P(AppendixA, Q1NeedsADirectionThatTurnsWithTheEdge) {
    const FilterReport report = try_step(GetParam(), q1());
    EXPECT_EQ(report.held, !explicit_direction(GetParam())) << report.residual;
}

TEST_P(AppendixA, Q2NeedsADirectionThatTurnsWithTheEdge) {
    const FilterReport report = try_step(GetParam(), q2());
    EXPECT_EQ(report.held, !explicit_direction(GetParam())) << report.residual;
}

TEST_P(AppendixA, Q3FailsForAllAndIsHealedByAShorterStep) {
    const FilterReport report = try_step(GetParam(), q3(1));
    EXPECT_FALSE(report.held) << report.residual;
    EXPECT_FALSE(report.note.empty());
    EXPECT_TRUE(try_step(GetParam(), q3(0.5)).held);
}

TEST_P(AppendixA, Q4NeedsNoGradientsAtTheStart) {
    const FilterReport report = try_step(GetParam(), q4());
    EXPECT_EQ(report.held, !explicit_direction(GetParam())) << report.residual;
}

// A sheet whose vertices were pushed off the manifold is back on it after one step.
TEST_P(AppendixA, NoDrift) {
    for (double push : {1e-4, 1e-3, 4e-3}) {
        FilterProbe p(testing::sheet(8, 7), make(GetParam()), {0});
        for (std::size_t i = 0; i < p.start.x.size(); ++i) {
            if (!p.context.pinned[i]) p.start.x[i] += testing::random_points(i + 1, push, 3).back();
        }
        const FilterReport report = p.apply(p.start.x);
        EXPECT_TRUE(report.held) << push << " " << report.note;
        EXPECT_LE(p.strain(), 1e-4 * (1 + 1e-9)) << push;
    }
}

INSTANTIATE_TEST_SUITE_P(Registered, AppendixA, ::testing::ValuesIn(length_filters()),
                         [](const auto& filter) { return filter.param; });

}  // namespace
}  // namespace taut

// What tests of directional enforcement share: a hanging sheet under gravity and other pulls, and its filter.
#pragma once

#include <algorithm>

#include "filters/filter_probe.hpp"
#include "taut/filters/directional.hpp"
#include "taut/forces/gravity.hpp"

namespace taut::filters::directional_tests {

using testing::FilterProbe;

// A sheet whose rows hang below each other, row 0 on top.
inline Model hanging(int nu, int nv) {
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
inline DirectionalParams exact() {
    DirectionalParams params;
    params.threshold = 0, params.visits = 1, params.compression = true;
    return params;
}

// A filter with gravity, whose steps may be taken one by one.
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

inline std::vector<int> row(int first, int count) {
    std::vector<int> vertices;
    for (int k = 0; k < count; ++k) vertices.push_back(first + k);
    return vertices;
}

// A map by name.
inline MapRule named(const char* name, std::vector<int> fixed) {
    MapRule rule;
    rule.name = name;
    rule.watched = rule.fixed = std::move(fixed);
    return rule;
}

}  // namespace taut::filters::directional_tests

// A simulation small enough to foresee: one quad and a thread, an integrator that remembers, a filter
// that counts. No other room's physics is involved.
#pragma once

#include <limits>
#include <utility>

#include "taut/sim/simulation.hpp"

namespace taut::tests {

// v' = v - dt * 4 x + memory / 100; the memory is a map sensitive to every bit.
class RememberingIntegrator final : public Integrator {
public:
    std::string_view name() const override { return "remembering"; }
    std::vector<MemoryBlock> memory() override {
        return {{"remembering.x", &x_}, {"remembering.empty", &empty_}};
    }
    void prepare(const Model&, std::span<const std::unique_ptr<Force>>) override { x_ = {0.3, 0.7}; }
    void candidate(StepContext& context, Candidate& c) override {
        c.v = context.start->v;
        for (std::size_t k = 0; k < c.v.size(); ++k) {
            c.v[k] += Vec3::Constant(x_[k % 2] / 100) - 4 * context.dt * context.start->x[k];
        }
    }
    State accept(const StepContext& context, const Candidate& c) override {
        for (double& x : x_) x = 3.9 * x * (1 - x);
        State state{context.start->x, c.v, context.time_end()};
        for (std::size_t k = 0; k < state.x.size(); ++k) state.x[k] += context.dt * c.v[k];
        return state;
    }

private:
    std::vector<double> x_, empty_;
};

// Counts two iterations, ten linear ones, five corrections and a map a step; from `fails_after` on it holds
// no promise.
class CountingFilter final : public VelocityFilter {
public:
    explicit CountingFilter(double fails_after) : fails_after_(fails_after) {}
    std::string_view name() const override { return "counting"; }
    std::vector<MemoryBlock> memory() override { return {{"counting.calls", &calls_}}; }
    void prepare(const Model&) override { calls_ = {0}; }
    void apply(const StepContext&, Candidate&, FilterReport& report) override {
        calls_[0] += 1;
        report.iterations = 2;
        report.linear_iterations = 10;
        report.inner_iterations = 3;
        report.corrections = 5;
        report.maps = 1;
    }
    void measure(const StepContext& context, const Candidate&, FilterReport& report) const override {
        report.held = context.start->t < fails_after_;
        report.note = report.held ? "" : "no \"promise\", here";
    }
    Promise promise() const override { return Promise::strain; }
    double strain_tolerance() const override { return 1e6; }

private:
    double fails_after_;
    std::vector<double> calls_;
};

inline Model tiny_model() {
    Model model;
    model.cloths = {{"quad", 0, 4, 0, 1, 0, 4, 0, 0}, {"thread", 4, 2, 1, 0, 4, 1, 0, 0}};
    model.rest = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)};
    model.mass.assign(6, 0.5);
    model.faces = {{{0, 1, 2, 3}}};
    model.edges = {{0, 1, mesh::Direction::weft, {0, -1}},
                   {1, 2, mesh::Direction::warp, {0, -1}},
                   {2, 3, mesh::Direction::weft, {0, -1}},
                   {3, 0, mesh::Direction::none, {0, -1}},
                   {4, 5, mesh::Direction::weft, {-1, -1}}};
    model.rest_length.assign(5, 1.0);
    return model;
}

// 6 frames at 10 frames per second, two steps each.
inline Simulation tiny_simulation(double fails_after = std::numeric_limits<double>::infinity(),
                                  double duration = 0.6) {
    Model model = tiny_model();
    State start{model.rest, Points(6, Vec3(0.1, 0, -0.2)), 0};
    Pipeline pipeline;
    pipeline.integrator = std::make_unique<RememberingIntegrator>();
    pipeline.filters.push_back(std::make_unique<CountingFilter>(fails_after));
    RunSettings settings;
    settings.duration = duration;
    settings.fps = 10;
    settings.dt = 0.05;
    settings.max_halvings = 3;
    return {std::move(model), std::move(start), std::move(pipeline), settings};
}

// Stops a run after so many steps.
class StopAfter final : public Observer {
public:
    explicit StopAfter(long steps) : steps_(steps) {}
    void step(const Simulation& simulation, const StepReport&) override {
        if (simulation.totals().steps >= steps_) stop = true;
    }
    bool stop = false;

private:
    long steps_;
};

}  // namespace taut::tests

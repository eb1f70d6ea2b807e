// The study of House, DeVaul and Breen 1996: its parts, and what runs of a scene tell.
#include "house1996.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "scene_source.hpp"
#include "taut/filters/hierarchical_corrected.hpp"
#include "taut/scene/build.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// Follows what the first filter left, and keeps frames.
class HouseRecorder final : public Observer {
public:
    HouseRecorder(HouseRun& run, const std::vector<int>& frames) : run_(run), frames_(frames) {}

    void step(const Simulation&, const StepReport& report) override {
        if (report.filters.empty()) return;
        const FilterReport& own = report.filters[0];
        left_ += own.reached;
        iterations_ += own.linear_iterations;
        run_.depth = std::max(run_.depth, own.depth);
        ++run_.steps;
    }
    void frame(const Simulation& simulation, int frame) override {
        if (std::find(frames_.begin(), frames_.end(), frame) != frames_.end())
            run_.frames.push_back(simulation.state());
    }
    void finish() {
        const double steps = static_cast<double>(std::max(1L, run_.steps));
        run_.left = left_ / steps;
        run_.iterations = iterations_ / steps;
    }

private:
    HouseRun& run_;
    const std::vector<int>& frames_;
    double left_ = 0, iterations_ = 0;
};

}  // namespace

scene::Scene house_scene(const std::string& name, const std::vector<std::string>& overrides) {
    return open_scene(name, with_fractions(overrides));
}

HouseRun run_house(const scene::Scene& scene, const std::string& name, const std::vector<int>& frames) {
    const std::unique_ptr<Simulation> simulation = scene::build(scene);
    HouseRun run;
    HouseRecorder recorder(run, frames);
    TraceRecorder trace(run.motion);
    const std::clock_t start = std::clock();
    const auto wall_start = std::chrono::steady_clock::now();
    run.outcome = simulation->run({&recorder, &trace});
    const double worked = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;
    recorder.finish();
    const RunTotals& totals = simulation->totals();
    run.vertices = simulation->model().vertex_count();
    run.strain = std::max(totals.warp.max, totals.weft.max);
    run.mean = std::max(totals.warp.mean, totals.weft.mean);
    run.end = simulation->state();
    if (!simulation->pipeline().filters.empty()) {
        const VelocityFilter& filter = *simulation->pipeline().filters[0];
        const auto stage = totals.stages.find(std::string(filter.name()));
        if (stage != totals.stages.end())
            run.step_s = stage->second * std::min(1.0, worked / wall.count()) /
                         static_cast<double>(std::max(1L, run.steps + totals.retries));
        if (const auto* corrected = dynamic_cast<const filters::HierarchicalCorrected*>(&filter))
            run.history = corrected->history();
    }
    fmt::print(stderr, "  {}: {}, {} a step, {:.3g} left, strain {}\n", name,
               run.finished() ? "finished" : "failed", seconds_text(run.step_s), run.left,
               percent_text(run.strain));
    return run;
}

std::vector<std::string> patch(int size, const std::string& dt, const std::string& duration) {
    return {fmt::format("cloths/sheet/nu={}", size), fmt::format("cloths/sheet/nv={}", size), "run/dt=" + dt,
            "run/duration=" + duration};
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

std::string only_filter(const std::string& type, const std::string& params) {
    return fmt::format(R"(filters=[{{"type":"{}"{}{}}}])", type, params.empty() ? "" : ",", params);
}

Paper house1996() {
    return {
        {"House, DeVaul and Breen 1996",
         "D. H. House, R. W. DeVaul, D. E. Breen, *Towards Simulating Cloth Dynamics Using Interacting "
         "Particles*.",
         "house1996",
         "Times are of one machine and mean something only beside each other: they are processor time of the "
         "filter that solves for the constraint forces, contacts included, with one thread. What is left is "
         "|b - A "
         "lambda| / |b| of Eq. 19. The equations, and where we depart from the paper, are on the pages "
         "[constrained_dynamics](../theory/constrained_dynamics.md), "
         "[hierarchical](../theory/hierarchical.md) and "
         "[hierarchical_corrected](../theory/hierarchical_corrected.md)."},
        {{"accuracy", paper_accuracy},
         {"groups", paper_groups},
         {"scaling", paper_scaling},
         {"failures", paper_failures},
         {"fall", paper_fall},
         {"drape", paper_drape},
         {"fabrics", paper_fabrics}}};
}

}  // namespace taut::cli

// The study of Baraff and Witkin 1998: its parts, and what runs of a scene tell.
#include "baraff_witkin1998.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench.hpp"
#include "scene_source.hpp"
#include "taut/scene/build.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

class LongestStep final : public Observer {
public:
    void step(const Simulation&, const StepReport& report) override {
        seconds = std::max(seconds, report.seconds);
    }
    double seconds = 0;
};

}  // namespace

LargeRun run_large(const scene::Scene& scene, const std::string& name) {
    const std::unique_ptr<Simulation> simulation = scene::build(scene);
    LargeRun run;
    TraceRecorder recorder(run.motion);
    LongestStep longest;
    run.outcome = simulation->run({&recorder, &longest});
    run.longest_step = longest.seconds;
    run.totals = simulation->totals();
    run.vertices = simulation->model().vertex_count();
    run.seconds = run.computing = run.totals.wall_s;
    for (const auto& [stage, seconds] : run.totals.stages) {
        if (stage == "measure" || stage == "output") run.computing -= seconds;
    }
    run.simulated = simulation->state().t;
    run.strain = std::max(run.totals.warp.max, run.totals.weft.max);
    run.growth = std::max(0.0, run.totals.energy_max - run.totals.energy_start);
    run.end = simulation->state();
    fmt::print(stderr, "  {}: {} for {:.3g} s, strain {}\n", name, seconds_text(run.seconds), run.simulated,
               percent_text(run.strain));
    return run;
}

std::vector<double> medians_in_turn(const std::vector<scene::Scene>& scenes, std::vector<LargeRun>& runs,
                                    int repeats) {
    std::vector<std::vector<double>> rates(runs.size());
    for (int k = 0; k < repeats; ++k) {
        for (std::size_t r = 0; r < runs.size(); ++r) {
            if (k > 0) {
                const LargeRun again = run_large(scenes[r], "again");
                runs[r].seconds = again.seconds;
                runs[r].computing = again.computing;
            }
            rates[r].push_back(runs[r].computing / std::max(runs[r].simulated, 1e-300));
        }
    }
    std::vector<double> result;
    for (std::vector<double>& each : rates) result.push_back(median(each));
    return result;
}

scene::Scene large_steps_scene(const std::string& name, std::vector<std::string> overrides) {
    std::vector<std::string> all{"preset=baraff_witkin1998", "cloths/0/cells=triangles", "run/fps=50",
                                 "run/dt=0.02"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return open_scene(name, with_fractions(all));
}

Paper baraff_witkin1998() {
    return {{"Baraff and Witkin 1998",
             "D. Baraff, A. Witkin, *Large Steps in Cloth Simulation*, and the questions of a review of it.",
             "baraff_witkin1998",
             "Times are of one machine and mean something only beside each other. The first column of the "
             "tables with verdicts holds statements of the review, or what we ask ourselves. The equations, "
             "and where we depart from the paper, are on the pages "
             "[baraff_witkin](../theory/baraff_witkin.md), [modified_pcg](../theory/modified_pcg.md), "
             "[stretch_condition](../theory/stretch_condition.md), "
             "[shear_condition](../theory/shear_condition.md) and "
             "[bend_condition](../theory/bend_condition.md)."},
            {{"stability", paper_stability},
             {"growth", paper_growth},
             {"interactive", paper_interactive},
             {"fabric", paper_fabric},
             {"shell", paper_shell},
             {"projection", paper_projection}}};
}

}  // namespace taut::cli

// One scene, several settings: overrides are what `--set path=value` is on the command line. Holds a
// curtain to three tolerances and checks that each run keeps its own, at a modest extra price.
#include <fmt/core.h>
#include <taut/taut.hpp>

#include <algorithm>

int main() {
    const char* curtain = R"({
        "taut": 1,
        "cloths": [{"type": "grid", "nu": 41, "nv": 21, "height": 0.5}],
        "pins": [{"group": {"edge": "v0"}}],
        "filters": [{"type": "stable_projection"}],
        "run": {"duration": 0.5}
    })";

    bool good = true;
    for (const double tolerance : {1e-2, 1e-3, 1e-5}) {
        const taut::Scene scene = taut::parse_scene(
            curtain, "curtain", ".", {fmt::format("filters/stable_projection/tolerance={}", tolerance)});
        const auto simulation = taut::build(scene);
        simulation->run({});

        const taut::RunTotals& totals = simulation->totals();
        const double strain = std::max(totals.warp.max, totals.weft.max);
        const double iterations = double(totals.projection_iterations) / double(totals.steps);
        fmt::print("tolerance {:.0e}: strain {:.2e}, {:.1f} iterations a step\n", tolerance, strain,
                   iterations);
        good = good && simulation->certified() && strain <= tolerance && iterations < 10;
    }
    return good ? 0 : 1;
}

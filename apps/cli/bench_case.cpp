// The cases of a benchmark: a workload is a scene of the program, changed by the choices made.
#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "scene_source.hpp"
#include "taut/base/error.hpp"

namespace taut::cli {

namespace {

void describe_case(BenchCase& result) {
    const scene::Json effective = scene::effective_json(result.scene);
    const scene::Json& cloth = effective["cloths"][0];
    result.size = cloth["type"] == "polyline" ? cloth["vertices"].get<int>() - 1 : cloth["nu"].get<int>();
    result.dt = result.scene.run.dt;
    const double frame = 1 / result.scene.run.fps;
    result.step = frame / std::max(1.0, std::ceil(frame / result.dt * (1 - 1e-12)));
    const StrainFilter filter = strain_filter(result.scene);
    result.filter = filter.name;
    result.solver = filter.solver;
}

}  // namespace

const std::vector<std::string>& workload_names() {
    static const std::vector<std::string> names{"hang",  "hang_taut",     "hang_edge", "hang_corner",
                                                "drape", "drape_polygon", "chain"};
    return names;
}

BenchCase make_case(const std::string& workload, const Choices& choices, const std::string& label) {
    const auto& names = workload_names();
    if (std::find(names.begin(), names.end(), workload) == names.end()) {
        std::string known;
        for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
        const std::string near = nearest_name(workload, names);
        throw InputError({"", "WORKLOAD"}, "there is no such workload", workload,
                         near.empty() ? "allowed: " + known : "did you mean '" + near + "'?");
    }

    BenchCase result;
    result.label = label;
    result.workload = workload;
    result.choices = choices;
    result.scene = with_choices(open_scene(workload, {}), choices);
    describe_case(result);
    return result;
}

}  // namespace taut::cli

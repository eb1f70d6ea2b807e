// The study of Ozgen and Kallmann 2011: its parts, and what runs of a scene tell.
#include "ozgen_kallmann2011.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>

#include "bench.hpp"
#include "scene_source.hpp"
#include "taut/scene/build.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// Motion slower than this belongs to the swing of the cloth [1/s].
constexpr double slow_frequency = 15;

// Collects the times of steps and the way of some vertices, from the last third of the run on.
class EdgeRecorder final : public Observer {
public:
    EdgeRecorder(const std::vector<int>& edge, double from) : edge_(edge), from_(from) {}

    void step(const Simulation& simulation, const StepReport& report) override {
        seconds_.push_back(report.seconds);
        if (report.t < from_ || edge_.empty()) return;
        time_.push_back(report.t);
        for (const int v : edge_) x_.push_back(simulation.state().x[static_cast<std::size_t>(v)]);
    }

    double median_step() const { return seconds_.empty() ? 0 : median(seconds_); }
    double longest_step() const {
        return seconds_.empty() ? 0 : *std::max_element(seconds_.begin(), seconds_.end());
    }

    // Root mean square of what is faster than the slow frequency in the velocity: all that a Hann window lets
    // through, less its Fourier terms up to that frequency.
    double shake() const {
        const std::size_t n = edge_.size(), samples = time_.empty() ? 0 : time_.size() - 1;
        if (n == 0 || samples < 4) return 0;
        const double dt = (time_.back() - time_.front()) / static_cast<double>(samples);
        const double turn = 2 * std::numbers::pi / static_cast<double>(samples);
        const auto slow = static_cast<std::size_t>(slow_frequency * dt * static_cast<double>(samples));
        double fast = 0, weight = 0;
        std::vector<double> window(samples);
        for (std::size_t k = 0; k < samples; ++k) {
            window[k] = 0.5 - 0.5 * std::cos(turn * (static_cast<double>(k) + 0.5));
            weight += window[k] * window[k];
        }
        std::vector<double> v(samples);
        for (std::size_t i = 0; i < n; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                for (std::size_t k = 0; k < samples; ++k)
                    v[k] = window[k] * (x_[(k + 1) * n + i][axis] - x_[k * n + i][axis]) / dt;
                for (const double each : v) fast += each * each;
                fast -= slow_part(v, slow);
            }
        }
        return std::sqrt(std::max(fast, 0.0) / (weight * static_cast<double>(n)));
    }

private:
    // The sum of squares that Fourier terms 0 to `slow` of a series hold.
    static double slow_part(const std::vector<double>& v, std::size_t slow) {
        const double turn = 2 * std::numbers::pi / static_cast<double>(v.size());
        double sum = 0;
        for (std::size_t f = 0; f <= slow; ++f) {
            std::complex<double> term = 0;
            for (std::size_t k = 0; k < v.size(); ++k)
                term += v[k] * std::polar(1.0, -turn * static_cast<double>(f * k % v.size()));
            sum += (f == 0 ? 1 : 2) * std::norm(term) / static_cast<double>(v.size());
        }
        return sum;
    }

    const std::vector<int>& edge_;
    double from_;
    std::vector<double> seconds_, time_;
    Points x_;
};

// Keeps the state and the map of one frame, or of the last one before the run ended.
class FrameKeeper final : public Observer {
public:
    FrameKeeper(int wanted, MapRun& run) : wanted_(wanted), run_(run) {}

    void frame(const Simulation& simulation, int frame) override {
        if (wanted_ >= 0 && frame > wanted_) return;
        run_.shown = simulation.state();
        if (const CorrectionMap* map = map_in_use(simulation)) run_.shown_map = *map;
    }

private:
    int wanted_;
    MapRun& run_;
};

}  // namespace

scene::Scene study_scene(const std::string& name, const std::vector<std::string>& overrides) {
    return open_scene(name, with_fractions(overrides));
}

const CorrectionMap* map_in_use(const Simulation& simulation) {
    for (const auto& filter : simulation.pipeline().filters) {
        if (const CorrectionMap* map = filter->correction_map()) return map;
    }
    return nullptr;
}

MapRun run_map_scene(const scene::Scene& scene, const std::string& name, const std::vector<int>& edge) {
    const std::unique_ptr<Simulation> simulation = scene::build(scene);
    EdgeRecorder recorder(edge, scene.run.duration * 2 / 3);
    MapRun run;
    FrameKeeper keeper(scene.preview.frame, run);
    run.name = name;
    run.outcome = simulation->run({&recorder, &keeper});
    const RunTotals& totals = simulation->totals();
    const double steps = static_cast<double>(std::max(1L, totals.steps));
    run.strain = std::max(totals.warp.max, totals.weft.max);
    run.high = std::max(totals.warp.p999, totals.weft.p999);
    run.mean = std::max(totals.warp.mean, totals.weft.mean);
    for (const char* stage : {"directional", "strain_limit_gauss_seidel"}) {
        for (const char* part : {"", ".velocity"}) {
            const auto found = totals.stages.find(std::string(stage) + part);
            if (found != totals.stages.end()) run.filter_s += found->second / steps;
        }
    }
    run.step_s = recorder.median_step();
    run.longest_s = recorder.longest_step();
    run.corrections = static_cast<double>(totals.corrections) / steps;
    run.maps = totals.maps;
    run.growth = std::max(0.0, totals.energy_max - totals.energy_start);
    run.shake = recorder.shake();
    if (const CorrectionMap* map = map_in_use(*simulation)) run.map = *map;
    run.end = simulation->state();
    fmt::print(stderr, "  {}: strain {}, {} a step, correcting {}\n", name, percent_text(run.strain),
               seconds_text(run.step_s), seconds_text(run.filter_s));
    return run;
}

Paper ozgen_kallmann2011() {
    return {{"Ozgen and Kallmann 2011",
             "O. Ozgen, M. Kallmann, *Directional Constraint Enforcement for Fast Cloth Simulation*.",
             "ozgen_kallmann2011",
             "Strain is |l/l0 - 1| of warp and weft after whole steps, the largest over the run. Times are "
             "of one "
             "machine and mean something only beside each other. The paper prints no stiffness, step, "
             "damping, visit "
             "limit or threshold; ours are those of the preset, and said where they differ."},
            {{"orders", paper_orders},
             {"maps", paper_maps},
             {"passes", paper_passes},
             {"speed", paper_speed},
             {"switching", paper_switching},
             {"wind", paper_wind},
             {"printed", paper_printed}}};
}

}  // namespace taut::cli

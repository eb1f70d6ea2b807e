// How the cost grows with the number of vertices, and what size runs in real time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "baraff_witkin1998.hpp"
#include "scene_source.hpp"
#include "study.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/chart.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

constexpr double frame_rate = 50;  // [1/s], one step a frame

// Growth of the solves of one kind of sheet.
struct Growth {
    std::string text;
    std::vector<double> vertices, seconds, iterations;  // of a solve
};

// Twenty steps of a sheet held by two corners; `vertices` are about as many as asked for.
scene::Scene grown_scene(bool irregular, double stiffness, double vertices) {
    std::vector<std::string> overrides{fmt::format("forces/stretch_condition/weft={}", stiffness),
                                       fmt::format("forces/stretch_condition/warp={}", stiffness),
                                       "run/duration=0.4"};
    if (irregular) {
        // Equilateral triangles: sqrt(3)/2 spacing^2 per vertex.
        overrides.push_back(fmt::format("cloths/0/spacing={}", std::sqrt(2 / (std::sqrt(3.0) * vertices))));
        return open_scene("large_steps", overrides);
    }
    const int side = static_cast<int>(std::lround(std::sqrt(vertices)));
    overrides.push_back(fmt::format("cloths/0/nu={}", side));
    overrides.push_back(fmt::format("cloths/0/nv={}", side));
    return large_steps_scene("hang", overrides);
}

Growth grow(const std::string& text, bool irregular, double stiffness, const std::vector<double>& sizes) {
    Growth growth{text, {}, {}, {}};
    for (const double size : sizes) {
        const LargeRun run = run_large(grown_scene(irregular, stiffness, size),
                                       fmt::format("{}, {:.0f} vertices", text, size));
        const IntegratorTotals& own = run.totals.integrator;
        const double solves = static_cast<double>(std::max(1L, own.solves));
        growth.vertices.push_back(run.vertices);
        growth.seconds.push_back(own.seconds / solves);
        growth.iterations.push_back(static_cast<double>(own.iterations) / solves);
    }
    return growth;
}

io::ChartSeries series_of(const std::string& name, const std::vector<double>& x,
                          const std::vector<double>& y) {
    io::ChartSeries series;
    series.name = name, series.x = x, series.y = y;
    return series;
}

// Where a rising line through points reaches a level, on logarithms; beyond the ends by the nearest two.
double reaches(const std::vector<double>& x, const std::vector<double>& y, double level) {
    std::size_t k = 1;
    while (k + 1 < x.size() && y[k] < level) ++k;
    const double slope = std::log(y[k] / y[k - 1]) / std::log(x[k] / x[k - 1]);
    return x[k] * std::pow(level / y[k], 1 / slope);
}

// Two significant digits: more would promise too much.
std::string about(double vertices) {
    const double unit = std::pow(10, std::floor(std::log10(vertices)) - 1);
    return count_text(std::lround(std::lround(vertices / unit) * unit));
}

}  // namespace

PaperSection paper_growth(const PaperStudy& study) {
    PaperSection section;
    section.title = "Conjugate gradients over the number of vertices";
    section.text =
        "A sheet of a square metre held by two corners, twenty steps of 20 ms, one thread, relative residual "
        "1e-3: "
        "right triangles of a grid (`hang`) and irregular triangles (`large_steps`). Time is that of a whole "
        "solve by modified conjugate gradients.";
    const std::vector<double> sizes = study.quick ? std::vector<double>{1e3, 2e3, 4e3}
                                                  : std::vector<double>{1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5};
    std::vector<Growth> all;
    const ThreadLimit one(1);
    all.push_back(grow("grid, 1000 N/m", false, 1e3, sizes));
    all.push_back(grow("irregular, 1000 N/m", true, 1e3, sizes));
    // Ten times the iterations: up to a fifth of the size.
    all.push_back(
        grow("irregular, 1e5 N/m", true, 1e5, {sizes.begin(), sizes.end() - (study.quick ? 0 : 2)}));
    std::vector<std::vector<std::string>> table{{"mesh and stiffness", "vertices", "iterations a solve",
                                                 "a solve [s]", "per iteration and vertex [ns]"}};
    io::Chart chart;
    chart.title = "A solve over vertices, one thread";
    chart.x.label = "vertices", chart.y.label = "a solve [s]";
    chart.x.log = chart.y.log = true;
    std::string exponents, counts;
    double steepest = 0;
    for (const Growth& g : all) {
        for (std::size_t k = 0; k < g.vertices.size(); ++k) {
            table.push_back({g.text, count_text(std::lround(g.vertices[k])),
                             fmt::format("{:.0f}", g.iterations[k]), fmt::format("{:.3g}", g.seconds[k]),
                             fmt::format("{:.3g}", 1e9 * g.seconds[k] / (g.iterations[k] * g.vertices[k]))});
        }
        chart.series.push_back(series_of(g.text, g.vertices, g.seconds));
        const double exponent = fitted_exponent(g.vertices, g.seconds);
        steepest = std::max(steepest, exponent);
        exponents += fmt::format("{}{}: {:.2f}", exponents.empty() ? "" : "; ", g.text, exponent);
        counts +=
            fmt::format("{}{:.2f}", counts.empty() ? "" : ", ", fitted_exponent(g.vertices, g.iterations));
    }
    const double start = all[0].seconds[0] * 0.5, n = all[0].vertices[0];
    std::vector<double> guide;
    for (const double x : all[0].vertices) guide.push_back(start * std::pow(x / n, 1.5));
    chart.series.push_back(series_of("n^1.5", all[0].vertices, guide));
    chart.series.back().dashed = true, chart.series.back().markers = false;
    io::write_chart(study.folder / "growth", chart);
    section.pictures = {"growth.png"};
    section.tables = {table};
    write_csv(study.folder / "growth.csv", table);
    section.files = {"growth.csv"};
    section.claims = {
        {"the modified method converges in O(n^1.5)", exponents, steepest <= 1.5 ? "same" : "partly",
         fmt::format("iterations alone grow with exponents {}; a product costs more per vertex once "
                     "the matrix leaves the caches",
                     counts)}};
    return section;
}

PaperSection paper_interactive(const PaperStudy& study) {
    PaperSection section;
    section.title = "What runs interactively";
    section.text = fmt::format(
        "Scene `round_cloth`, a disc that falls on a ball and folds, with contacts of solids and of cloth "
        "with "
        "cloth, and `large_steps` at 1000 N/m without any contact; one step of 20 ms a frame at {} frames a "
        "second, all defaults, 2 s, whole steps with every measurement that the report has.",
        frame_rate);
    std::vector<std::vector<std::string>> table{
        {"scene", "vertices", "threads", "a frame [ms]", "of real time", "longest step [ms]"}};
    const std::vector<double> spacings =
        study.quick ? std::vector<double>{0.06, 0.04} : std::vector<double>{0.06, 0.045, 0.03, 0.02, 0.014};
    io::Chart chart;
    chart.title = "Time of a frame over vertices";
    chart.x.label = "vertices", chart.y.label = "a frame [ms]";
    chart.x.log = chart.y.log = true;
    std::string found;
    for (const char* name : {"round_cloth", "large_steps"}) {
        for (const int threads : {1, 2}) {
            const ThreadLimit limit(threads);
            std::vector<double> vertices, frame;
            for (const double spacing : spacings) {
                std::vector<std::string> overrides{fmt::format("cloths/0/spacing={}", spacing),
                                                   "run/dt=0.02"};
                if (std::string(name) == "large_steps") {
                    overrides.emplace_back("forces/stretch_condition/weft=1000");
                    overrides.emplace_back("forces/stretch_condition/warp=1000");
                }
                if (study.quick) overrides.emplace_back("run/duration=0.4");
                const LargeRun run =
                    run_large(open_scene(name, overrides),
                              fmt::format("{}, spacing {} m, {} threads", name, spacing, threads));
                vertices.push_back(run.vertices);
                frame.push_back(1e3 * run.seconds / (run.simulated * frame_rate));
                table.push_back({name, count_text(run.vertices), std::to_string(threads),
                                 fmt::format("{:.3g}", frame.back()),
                                 fmt::format("{:.2f}", run.simulated / run.seconds),
                                 fmt::format("{:.3g}", 1e3 * run.longest_step)});
            }
            const std::string text = fmt::format("{}, {}", name, counted(threads, "thread"));
            chart.series.push_back(series_of(text, vertices, frame));
            found += fmt::format("{}{}: about {} vertices", found.empty() ? "" : "; ", text,
                                 about(reaches(vertices, frame, 1e3 / frame_rate)));
        }
    }
    io::write_chart(study.folder / "interactive", chart);
    section.pictures = {"interactive.png"};
    section.tables = {table};
    write_csv(study.folder / "interactive.csv", table);
    section.files = {"interactive.csv"};
    section.claims = {{"can this be interactive, and for what size?",
                       fmt::format("in real time at {} frames a second: {}", frame_rate, found), "measured",
                       "the mean over frames; those with the hardest impacts take longer"}};
    return section;
}

}  // namespace taut::cli

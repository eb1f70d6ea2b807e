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

// A kind of sheet, and how its systems are preconditioned.
struct SheetKind {
    std::string text;
    bool irregular;
    double stiffness;  // [N/m]
    std::string preconditioner;
};

// Twenty steps of a sheet held by two corners; `vertices` are about as many as asked for.
scene::Scene grown_scene(const SheetKind& kind, double vertices) {
    std::vector<std::string> overrides{fmt::format("forces/stretch_condition/weft={}", kind.stiffness),
                                       fmt::format("forces/stretch_condition/warp={}", kind.stiffness),
                                       "integrator/preconditioner=" + kind.preconditioner,
                                       "run/duration=0.4"};
    if (kind.irregular) {
        // Equilateral triangles: sqrt(3)/2 spacing^2 per vertex.
        overrides.push_back(fmt::format("cloths/0/spacing={}", std::sqrt(2 / (std::sqrt(3.0) * vertices))));
        return open_scene("large_steps", overrides);
    }
    const int side = static_cast<int>(std::lround(std::sqrt(vertices)));
    overrides.push_back(fmt::format("cloths/0/nu={}", side));
    overrides.push_back(fmt::format("cloths/0/nv={}", side));
    return large_steps_scene("hang", overrides);
}

Growth grow(const SheetKind& kind, const std::vector<double>& sizes) {
    Growth growth{kind.text, {}, {}, {}};
    for (const double size : sizes) {
        const LargeRun run =
            run_large(grown_scene(kind, size), fmt::format("{}, {:.0f} vertices", kind.text, size));
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

// Exponents of a time or a count over vertices, of the kinds with this preconditioner.
std::string exponents(const std::vector<SheetKind>& kinds, const std::vector<Growth>& all,
                      const std::string& preconditioner, std::vector<double> Growth::*of, double& steepest) {
    std::string text;
    steepest = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (kinds[k].preconditioner != preconditioner) continue;
        const double exponent = fitted_exponent(all[k].vertices, all[k].*of);
        steepest = std::max(steepest, exponent);
        text += fmt::format("{}{:.2f}", text.empty() ? "" : ", ", exponent);
    }
    return text;
}

}  // namespace

PaperSection paper_growth(const PaperStudy& study) {
    PaperSection section;
    section.title = "Conjugate gradients over the number of vertices";
    section.text =
        "A sheet of a square metre held by two corners, 0.4 s in steps of 20 ms, halved where they are "
        "refused, one thread, relative residual "
        "1e-3: right triangles of a grid (`hang`) and irregular triangles (`large_steps`). Time is that of a "
        "whole solve by modified conjugate gradients, with the preconditioner `two_levels`, which is the "
        "default, and with `block_diagonal`, as published.";
    const std::vector<double> sizes = study.quick ? std::vector<double>{1e3, 2e3, 4e3}
                                                  : std::vector<double>{1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5};
    const std::vector<SheetKind> kinds{
        {"grid, 1000 N/m", false, 1e3, "two_levels"},
        {"irregular, 1000 N/m", true, 1e3, "two_levels"},
        {"irregular, 1e5 N/m", true, 1e5, "two_levels"},
        {"grid, 1000 N/m, diagonal blocks", false, 1e3, "block_diagonal"},
        {"irregular, 1000 N/m, diagonal blocks", true, 1e3, "block_diagonal"},
    };
    const ThreadLimit one(1);
    std::vector<Growth> all;
    all.reserve(kinds.size());
    for (const SheetKind& kind : kinds) all.push_back(grow(kind, sizes));
    std::vector<std::vector<std::string>> table{{"mesh, stiffness, preconditioner", "vertices",
                                                 "iterations a solve", "a solve [s]",
                                                 "per iteration and vertex [ns]"}};
    io::Chart chart;
    chart.title = "A solve over vertices, one thread";
    chart.x.label = "vertices", chart.y.label = "a solve [s]";
    chart.x.log = chart.y.log = true;
    for (const Growth& g : all) {
        for (std::size_t k = 0; k < g.vertices.size(); ++k) {
            table.push_back({g.text, count_text(std::lround(g.vertices[k])),
                             fmt::format("{:.0f}", g.iterations[k]), fmt::format("{:.3g}", g.seconds[k]),
                             fmt::format("{:.3g}", 1e9 * g.seconds[k] / (g.iterations[k] * g.vertices[k]))});
        }
        chart.series.push_back(series_of(g.text, g.vertices, g.seconds));
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
    for (const char* name : {"two_levels", "block_diagonal"}) {
        double steepest = 0, of_counts = 0;
        const std::string times = exponents(kinds, all, name, &Growth::seconds, steepest);
        const std::string counts = exponents(kinds, all, name, &Growth::iterations, of_counts);
        section.claims.push_back(
            {fmt::format("the modified method converges in O(n^1.5); with `{}`", name),
             fmt::format("exponents of time in the order of the table: {}", times),
             steepest <= 1.5 ? "same" : "partly",
             fmt::format("iterations alone grow with exponents {}; a product costs more per vertex once the "
                         "matrix leaves the caches",
                         counts)});
    }
    const Growth &now = all[1], &before = all[4];
    section.claims.push_back(
        {"what the second level is worth (ours)",
         fmt::format(
             "irregular, 1000 N/m: a solve takes {:.2g} times as long without it at {} vertices, {:.2g} "
             "times at {}",
             before.seconds.front() / now.seconds.front(), count_text(std::lround(now.vertices.front())),
             before.seconds.back() / now.seconds.back(), count_text(std::lround(now.vertices.back()))),
         "measured", ""});
    return section;
}

PaperSection paper_interactive(const PaperStudy& study) {
    PaperSection section;
    section.title = "What runs interactively";
    section.text = fmt::format(
        "Scene `round_cloth`, a disc that falls on a ball and folds, with contacts of solids and of cloth "
        "with "
        "cloth, and `large_steps` at 1000 N/m without any contact; one step of 20 ms a frame, more where it "
        "is refused, at {} frames a "
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
            if (thread_count() < threads) continue;
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

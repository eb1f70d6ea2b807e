// Figure 5: a sheet draped over a polygonal ball, by every method, over permissible strain and over
// resolution.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "goldenthal2007.hpp"
#include "scene_source.hpp"
#include "taut/io/chart.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// Most seconds of one run; what takes longer is told as such.
constexpr double full_cap = 150, quick_cap = 4;

// Substeps of position-based dynamics from few to many, at frame-long steps.
std::vector<std::string> substep_ladder() {
    std::vector<std::string> ladder;
    for (const int substeps : {5, 10, 20, 40, 80, 160, 320, 640}) {
        ladder.push_back(fmt::format("xpbd+symplectic_euler+dt=1/60+filters/xpbd/substeps={}", substeps));
    }
    return ladder;
}

std::vector<Method> drape_methods() {
    std::vector<std::string> shake = step_ladder("shake+implicit_euler+cholesky", 240, 15360);
    for (std::string& item : shake) item += "+filters/shake/matrix=symmetric";
    return {{"stable projection (ours)", step_ladder("stable_projection", 60, 480), 1},
            {"fast projection", step_ladder("fast_projection+implicit_euler+cholesky", 60, 3840), 3},
            {"ICD", step_ladder("icd+implicit_euler", 60, 3840), 3},
            {"SHAKE", shake, 2},
            {"Jacobi", step_ladder("strain_limit_jacobi+symplectic_euler", 120, 15360), 4},
            {"Gauss-Seidel", step_ladder("strain_limit_gauss_seidel+symplectic_euler", 120, 15360), 4},
            {"XPBD", substep_ladder(), 3}};
}

scene::Scene drape(int n) {
    return open_scene("drape_polygon",
                      {fmt::format("cloths/0/nu={}", n), fmt::format("cloths/0/nv={}", n), "run/duration=1"});
}

// A row of results: all methods on one scene at one strain, each at its fastest, then medians in turn.
std::vector<TimedRun> compare_methods(const PaperStudy& study, std::vector<Method>& methods,
                                      const scene::Scene& scene, double strain, bool repeat) {
    const double cap = study.quick ? quick_cap : full_cap;
    std::vector<TimedRun> best;
    for (Method& method : methods) {
        fmt::print(stderr, "{} at {}\n", method.name, percent_text(strain));
        best.push_back(find_fastest(method, scene, strain, cap, tell_run));
    }
    if (!repeat || study.repeats < 2) return best;
    std::vector<std::vector<double>> seconds(best.size());
    for (int k = 0; k < study.repeats; ++k) {
        for (std::size_t m = 0; m < best.size(); ++m) {
            if (best[m].reached) seconds[m].push_back(run_again(scene, best[m]).seconds);
        }
    }
    for (std::size_t m = 0; m < best.size(); ++m) {
        if (!seconds[m].empty()) best[m].seconds = median(seconds[m]);
    }
    return best;
}

io::Chart make_chart(const std::vector<Method>& methods, const std::vector<std::vector<TimedRun>>& rows,
                     const std::vector<double>& x) {
    io::Chart chart;
    chart.y.label = "time of one simulated second [s]";
    chart.x.log = chart.y.log = true;
    for (std::size_t m = 0; m < methods.size(); ++m) {
        io::ChartSeries series;
        series.name = methods[m].name;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            series.x.push_back(x[k]);
            series.y.push_back(rows[k][m].reached ? rows[k][m].seconds : NAN);
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

// Times with ratios to the first method.
std::vector<std::vector<std::string>> time_table(const std::vector<Method>& methods,
                                                 const std::vector<std::vector<TimedRun>>& rows,
                                                 const std::vector<std::string>& first, const char* head) {
    std::vector<std::vector<std::string>> table{{head}};
    for (const Method& method : methods) table[0].push_back(method.name);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        std::vector<std::string> row{first[k]};
        for (const TimedRun& run : rows[k]) {
            const double ratio = run.seconds / rows[k][0].seconds;
            const bool known = run.reached || run.capped;
            row.push_back(seconds_cell(run) + (known && rows[k][0].reached
                                                   ? fmt::format(" ({}{:.1f})", run.capped ? "> " : "", ratio)
                                                   : ""));
        }
        table.push_back(row);
    }
    return table;
}

std::vector<std::vector<std::string>> detail_table(const std::vector<Method>& methods,
                                                   const std::vector<TimedRun>& runs) {
    std::vector<std::vector<std::string>> table{{"method", "settings", "steps", "retries", "iterations/step",
                                                 "strain before collisions", "after", "time [s]",
                                                 "share of filter, forces, contact, rest"}};
    for (std::size_t m = 0; m < methods.size(); ++m) {
        const TimedRun& run = runs[m];
        double total = 0;
        for (const auto& [stage, seconds] : run.stages) total += seconds;
        const auto share = [&](const std::string& stage) {
            const auto found = run.stages.find(stage);
            return found == run.stages.end() || total == 0 ? 0.0 : 100 * found->second / total;
        };
        const double filter = share(run.choices.filter), forces = share("candidate"),
                     contact = share("contact");
        table.push_back({methods[m].name, "`" + run.item + "`", std::to_string(run.steps),
                         std::to_string(run.retries), fmt::format("{:.1f}", run.iterations),
                         percent_text(run.before), percent_text(run.strain), seconds_cell(run),
                         fmt::format("{:.0f}, {:.0f}, {:.0f}, {:.0f} %", filter, forces, contact,
                                     100 - filter - forces - contact)});
    }
    return table;
}

void add_rows(std::vector<std::vector<std::string>>& csv, const std::vector<Method>& methods,
              const std::vector<TimedRun>& runs, double strain) {
    for (std::size_t m = 0; m < methods.size(); ++m) {
        const TimedRun& run = runs[m];
        csv.push_back({methods[m].name, std::to_string(run.vertices), fmt::format("{}", strain), run.item,
                       run.reached  ? "yes"
                       : run.capped ? "too slow"
                                    : "no",
                       fmt::format("{}", run.seconds), fmt::format("{}", run.simulated),
                       fmt::format("{}", run.before), fmt::format("{}", run.strain),
                       std::to_string(run.steps), std::to_string(run.retries),
                       fmt::format("{}", run.iterations)});
    }
}

std::string ratio_text(const TimedRun& run, const TimedRun& ours) {
    if (!ours.reached || (!run.reached && !run.capped)) return "does not hold it";
    return fmt::format("{}{:.1f}", run.capped ? "more than " : "", run.seconds / ours.seconds);
}

void add_claims(const std::vector<Method>& methods, const std::vector<double>& strains,
                const std::vector<std::vector<TimedRun>>& by_strain, const std::vector<double>& vertices,
                const std::vector<std::vector<TimedRun>>& by_size, PaperSection& section) {
    const auto row_at = [&](double strain) {
        return std::size_t(std::find(strains.begin(), strains.end(), strain) - strains.begin());
    };
    const auto& loose = by_strain[row_at(0.01)];
    const auto& tight = by_strain[row_at(0.001)];
    std::string ratios;
    for (std::size_t m = 1; m < methods.size(); ++m) {
        ratios += fmt::format("{}{} {} ({} at 0.1 %)", m > 1 ? ", " : "", methods[m].name,
                              ratio_text(loose[m], loose[0]), ratio_text(tight[m], tight[0]));
    }
    const double limiting = loose[5].seconds / loose[1].seconds;
    section.claims.push_back(
        {"fast projection is the fastest of fast projection, ICD, SHAKE and strain limiting at 1 %",
         "time over that of our default at 1 %: " + ratios, limiting > 1 ? "same" : "not the same",
         "among the methods of the paper; stable projection is not in it"});

    // Slopes: over strain and over vertices.
    std::vector<double> ours, seidel, size_ours;
    for (const auto& row : by_strain) {
        ours.push_back(row[0].reached ? row[0].seconds : NAN);
        seidel.push_back(row[5].reached ? row[5].seconds : NAN);
    }
    for (const auto& row : by_size) size_ours.push_back(row[0].reached ? row[0].seconds : NAN);
    section.claims.push_back(
        {"constraint methods scale equally well with permissible strain, asymptotically better than strain "
         "limiting",
         fmt::format("from 1 % to 0.1 %: ours {:.2f} times the time, fast projection {:.2f}, Gauss-Seidel {}",
                     tight[0].seconds / loose[0].seconds, tight[1].seconds / loose[1].seconds,
                     tight[5].reached
                         ? fmt::format("{:.1f}", tight[5].seconds / loose[5].seconds)
                         : "more than " + fmt::format("{:.1f}", tight[5].seconds / loose[5].seconds)),
         tight[5].seconds / loose[5].seconds > tight[0].seconds / loose[0].seconds ? "same" : "not the same",
         ""});
    section.claims.push_back({"time over resolution at 1 %",
                              fmt::format("ours grows with the power {:.2f} of the number of vertices",
                                          fitted_exponent(vertices, size_ours)),
                              "no number in the paper", ""});
}

}  // namespace

PaperSection paper_figure5(const PaperStudy& study) {
    PaperSection section;
    const int n = study.quick ? 31 : 71;
    section.title = "Figure 5: a sheet draped over a polygonal ball";
    section.text = fmt::format(
        "Scene `drape_polygon`, one simulated second. Every method at its own fastest step (position-based "
        "dynamics: "
        "number of substeps), found by a search along the steps 1/60, 1/120, 1/240 s and so on; strain is "
        "held after "
        "the collision pass, strain before it is in the table. A run that takes longer than {:.0f} s is cut "
        "off and "
        "counted as slower than that. In brackets: times the time of our default.",
        study.quick ? quick_cap : full_cap);
    std::vector<std::vector<std::string>> csv{{"method", "vertices", "permissible_strain", "settings", "held",
                                               "seconds", "simulated_s", "strain_before", "strain_after",
                                               "steps", "retries", "iterations_per_step"}};

    // (a) over permissible strain.
    std::vector<Method> methods = drape_methods();
    const std::vector<double> strains = study.quick ? std::vector<double>{0.1, 0.01, 0.001}
                                                    : std::vector<double>{0.1, 0.03, 0.01, 0.003, 0.001};
    std::vector<std::vector<TimedRun>> by_strain, by_size;
    std::vector<std::string> strain_cells, size_cells;
    for (const double strain : strains) {
        by_strain.push_back(compare_methods(study, methods, drape(n), strain, true));
        strain_cells.push_back(percent_text(strain));
        add_rows(csv, methods, by_strain.back(), strain);
        write_csv(study.folder / "figure5.csv", csv);
    }
    io::Chart chart = make_chart(methods, by_strain, strains);
    chart.title = fmt::format("Draping {} vertices", n * n);
    chart.x.label = "permissible strain";
    chart.x.percent = chart.x.reversed = true;
    io::write_chart(study.folder / "figure5a", chart);

    // (b) over resolution.
    methods = drape_methods();
    const std::vector<int> sizes =
        study.quick ? std::vector<int>{21, 31, 41} : std::vector<int>{31, 51, 71, 101, 141};
    std::vector<double> vertices;
    for (const int size : sizes) {
        by_size.push_back(compare_methods(study, methods, drape(size), 0.01, false));
        vertices.push_back(double(size) * size);
        size_cells.push_back(std::to_string(size * size));
        add_rows(csv, methods, by_size.back(), 0.01);
        write_csv(study.folder / "figure5.csv", csv);
    }
    chart = make_chart(methods, by_size, vertices);
    chart.title = "Draping at 1 % permissible strain";
    chart.x.label = "vertices";
    io::write_chart(study.folder / "figure5b", chart);

    section.pictures = {"figure5a.png", "figure5b.png"};
    section.files = {"figure5.csv"};
    const std::size_t at = std::size_t(std::find(strains.begin(), strains.end(), 0.01) - strains.begin());
    section.tables = {time_table(methods, by_strain, strain_cells, "strain"),
                      time_table(methods, by_size, size_cells, "vertices"),
                      detail_table(methods, by_strain[at])};
    add_claims(methods, strains, by_strain, vertices, by_size, section);
    return section;
}

}  // namespace taut::cli

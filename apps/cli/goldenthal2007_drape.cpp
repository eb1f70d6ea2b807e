// Figure 5: a sheet draped over a polygonal ball, by every method, over permissible strain and over
// resolution.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench.hpp"
#include "goldenthal2007.hpp"
#include "scene_source.hpp"
#include "taut/io/chart.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// Most seconds of one run: what takes so many times as long as our default is cut off and told as such.
constexpr double cap_before = 12, cap_after = 4, least_cap = 1;

constexpr int own_repeats = 3;

double cap_of(const TimedRun& ours, bool before) {
    return std::max(least_cap, (before ? cap_before : cap_after) * ours.seconds);
}

// The run that says how the sheet moves.
constexpr const char* full_reference = "stable_projection+dt=1/1920+seconds=0.5";
constexpr const char* quick_reference = "stable_projection+dt=1/960+seconds=0.5";

std::vector<Method> drape_methods() {
    std::vector<std::string> shake = step_ladder("shake+implicit_euler+cholesky", 240, 15360);
    for (std::string& item : shake) item += "+filters/shake/matrix=symmetric";
    // Small steps: contact after every four substeps.
    std::vector<std::string> xpbd = step_ladder("xpbd+symplectic_euler", 120, 15360);
    for (std::string& item : xpbd) item += "+filters/xpbd/substeps=4";
    return {{"stable projection (ours)", step_ladder("stable_projection", 60, 960)},
            {"fast projection", step_ladder("fast_projection+implicit_euler+cholesky", 60, 3840)},
            {"ICD", step_ladder("icd+implicit_euler", 60, 3840)},
            {"SHAKE", shake},
            {"Jacobi", step_ladder("strain_limit_jacobi+symplectic_euler", 120, 15360)},
            {"Gauss-Seidel", step_ladder("strain_limit_gauss_seidel+symplectic_euler", 120, 15360)},
            {"XPBD", xpbd}};
}

// Judged before collisions, as in the paper, filters run once a step; judged after, until all of them hold.
scene::Scene drape(int n, bool judged_before) {
    std::vector<std::string> overrides{fmt::format("cloths/0/nu={}", n), fmt::format("cloths/0/nv={}", n),
                                       "run/duration=1"};
    if (judged_before) {
        overrides.emplace_back("run/rounds=1");
        overrides.emplace_back("run/strain_judged=before_contact");
    }
    return open_scene("drape_polygon", overrides);
}

// The same sheet without a ball, by two corners: every yarn carries weight.
scene::Scene hanging(int n) {
    return open_scene("hang",
                      {fmt::format("cloths/0/nu={}", n), fmt::format("cloths/0/nv={}", n), "run/duration=1"});
}

// A row of results: all methods on one scene at one strain, each at its fastest, then medians in turn.
std::vector<TimedRun> compare_methods(const PaperStudy& study, const std::vector<Method>& methods,
                                      const scene::Scene& scene, const TimedRun& reference, double strain,
                                      bool before, bool repeat) {
    std::vector<TimedRun> best;
    for (const Method& method : methods) {
        fmt::print(stderr, "{} at {}\n", method.name, percent_text(strain));
        // Our default comes first, without a cap.
        const double cap = best.empty() ? 0 : cap_of(best[0], before);
        best.push_back(find_fastest(method, scene, {strain, cap, &reference}, tell_run));
    }
    if (repeat && study.repeats > 1) {
        take_medians(scene, study.repeats, best);
    } else {
        // Ours, the measure of all others, is worth a median.
        std::vector<TimedRun> ours{best[0]};
        take_medians(scene, own_repeats, ours);
        best[0].seconds = ours[0].seconds;
    }
    return best;
}

void write_figure(const std::filesystem::path& stem, const std::vector<Method>& methods,
                  const std::vector<std::vector<TimedRun>>& rows, const std::vector<double>& x,
                  const std::string& title, bool over_strain) {
    io::Chart chart = time_chart(methods, rows, x, over_strain);
    chart.title = title;
    chart.note =
        "strain held before the collision pass, every method at its fastest step; dashed: cut off, slower "
        "still";
    io::write_chart(stem, chart);
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
                                                 "strain before collisions", "after", "path error",
                                                 "time [s]", "share of filter, forces, contact, rest"}};
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
                         percent_text(run.before), percent_text(run.strain), percent_text(run.path_error),
                         seconds_cell(run),
                         fmt::format("{:.0f}, {:.0f}, {:.0f}, {:.0f} %", filter, forces, contact,
                                     100 - filter - forces - contact)});
    }
    return table;
}

void add_rows(std::vector<std::vector<std::string>>& csv, const std::vector<Method>& methods,
              const std::vector<TimedRun>& runs, const std::string& scene, double strain, bool before) {
    for (std::size_t m = 0; m < methods.size(); ++m) {
        const TimedRun& run = runs[m];
        csv.push_back({scene, methods[m].name, std::to_string(run.vertices), fmt::format("{}", strain),
                       before ? "before" : "after", run.item,
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

std::string all_ratios(const std::vector<Method>& methods, const std::vector<TimedRun>& loose,
                       const std::vector<TimedRun>& tight) {
    std::string ratios;
    for (std::size_t m = 1; m < methods.size(); ++m) {
        ratios += fmt::format("{}{} {}", m > 1 ? ", " : "", methods[m].name, ratio_text(loose[m], loose[0]));
        if (&tight != &loose) ratios += fmt::format(" ({} at 0.1 %)", ratio_text(tight[m], tight[0]));
    }
    return ratios;
}

void add_claims(const std::vector<Method>& methods, const std::vector<double>& strains,
                const std::vector<std::vector<TimedRun>>& by_strain, const std::vector<double>& vertices,
                const std::vector<std::vector<TimedRun>>& by_size,
                const std::vector<std::vector<TimedRun>>& hung, PaperSection& section) {
    const auto row_at = [&](double strain) {
        return std::size_t(std::find(strains.begin(), strains.end(), strain) - strains.begin());
    };
    const auto& loose = by_strain[row_at(0.01)];
    const auto& tight = by_strain[row_at(0.001)];
    const std::string ratios = all_ratios(methods, loose, tight);
    // The first is ours, the last is of later years; a method that does not hold the strain is no rival.
    bool fastest = loose[1].reached;
    for (const std::size_t m : {2, 3, 4, 5}) {
        fastest = fastest && (!(loose[m].reached || loose[m].capped) || loose[m].seconds > loose[1].seconds);
    }
    section.claims.push_back(
        {"fast projection is the fastest of fast projection, ICD, SHAKE and strain limiting at 1 %",
         "time over that of our default at 1 %: " + ratios, fastest ? "same" : "not the same",
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

    // What draping hides: contact carries the cloth there, tensions are short.
    section.claims.push_back(
        {"the same sheet hanging by two corners",
         "time over that of our default at 1 %: " + all_ratios(methods, hung[0], hung.back()),
         "not in the paper",
         fmt::format(
             "hanging, tension reaches across the whole sheet: Gauss-Seidel takes {:.0f} sweeps a step "
             "there, {:.0f} on the ball; our default {:.1f} and {:.1f} Newton iterations. On the ball "
             "contact carries the weight, and pushes the cloth out of the ball behind every projection: "
             "it is strained by {} at the end of a step, for the next one to mend",
             hung[0][5].iterations, loose[5].iterations, hung[0][0].iterations, loose[0].iterations,
             percent_text(loose[0].strain))});
}

}  // namespace

PaperSection paper_figure5(const PaperStudy& study) {
    PaperSection section;
    const int n = study.quick ? 31 : 71;
    section.title = "Figure 5: a sheet draped over a polygonal ball";
    section.text = fmt::format(
        "Scene `drape_polygon`, one simulated second. Every method at its own fastest step, found by a "
        "search "
        "along 1/60, 1/120, 1/240 s and so on. A run counts only if its centre of mass follows a converged "
        "run "
        "(our default at a step of 1/{} s) within 3 % of the drop over the first half second, and the "
        "permissible strain on top.\n\n"
        "The first two tables hold the strain before the collision pass, as the paper does, with one pass of "
        "each filter a step (`run/strain_judged=before_contact`, `run/rounds=1`); the third holds it after "
        "everything, as taut does by default, with passes repeated until both hold. The fourth is not in the "
        "paper: the same sheet hanging by two corners (scene `hang`), without collisions. A run is cut off "
        "once "
        "it takes {:.0f} times as long as our default ({:.0f} times in the third table) and counted as "
        "slower "
        "than that; a dash: no step would do. In brackets: times the time of our default. The last two "
        "tables "
        "profile the runs at 1 %, on the ball and hanging.",
        study.quick ? 960 : 1920, cap_before, cap_after);
    std::vector<std::vector<std::string>> csv{{"scene", "method", "vertices", "permissible_strain", "judged",
                                               "settings", "held", "seconds", "simulated_s", "strain_before",
                                               "strain_after", "steps", "retries", "iterations_per_step"}};
    std::map<std::string, TimedRun> references;
    const auto measure_scene = [&](const std::vector<Method>& methods, const scene::Scene& scene, int size,
                                   double strain, bool before, bool repeat) {
        // One converged run for each sheet says how it moves.
        const std::string key = fmt::format("{} {} {}", scene.name, size, before);
        if (!references.contains(key)) {
            references[key] = run_timed(scene, study.quick ? quick_reference : full_reference, 1e-3, {});
            tell_run(references[key]);
        }
        std::vector<TimedRun> row =
            compare_methods(study, methods, scene, references[key], strain, before, repeat);
        add_rows(csv, methods, row, scene.name, strain, before);
        write_csv(study.folder / "figure5.csv", csv);
        return row;
    };
    const auto measure_row = [&](const std::vector<Method>& methods, int size, double strain, bool before,
                                 bool repeat) {
        return measure_scene(methods, drape(size, before), size, strain, before, repeat);
    };

    // (a) over permissible strain, judged before and after collisions.
    const std::vector<double> strains = study.quick ? std::vector<double>{0.1, 0.01, 0.001}
                                                    : std::vector<double>{0.1, 0.03, 0.01, 0.003, 0.001};
    std::vector<std::vector<TimedRun>> by_strain, by_size, after;
    std::vector<std::string> strain_cells, size_cells, after_cells;
    const std::vector<Method> methods = drape_methods();
    for (const double strain : strains) {
        by_strain.push_back(measure_row(methods, n, strain, true, true));
        strain_cells.push_back(percent_text(strain));
    }
    write_figure(study.folder / "figure5a", methods, by_strain, strains,
                 fmt::format("Draping {} vertices", n * n), true);
    after.push_back(measure_row(methods, n, 0.01, false, false));
    after_cells.push_back(percent_text(0.01));

    // Beside the paper: without collisions.
    std::vector<std::vector<TimedRun>> hung;
    std::vector<std::string> hung_cells;
    for (const double strain : study.quick ? std::vector<double>{0.01} : std::vector<double>{0.01, 0.001}) {
        hung.push_back(measure_scene(methods, hanging(n), n, strain, true, true));
        hung_cells.push_back(percent_text(strain));
    }

    // (b) over resolution.
    const std::vector<int> sizes =
        study.quick ? std::vector<int>{21, 31, 41} : std::vector<int>{25, 35, 51, 71, 101};
    const std::size_t at = std::size_t(std::find(strains.begin(), strains.end(), 0.01) - strains.begin());
    std::vector<double> vertices;
    for (const int size : sizes) {
        by_size.push_back(size == n ? by_strain[at] : measure_row(methods, size, 0.01, true, false));
        vertices.push_back(double(size) * size);
        size_cells.push_back(std::to_string(size * size));
    }
    write_figure(study.folder / "figure5b", methods, by_size, vertices, "Draping at 1 % permissible strain",
                 false);

    section.pictures = {"figure5a.png", "figure5b.png"};
    section.files = {"figure5.csv"};
    section.tables = {time_table(methods, by_strain, strain_cells, "strain before collisions"),
                      time_table(methods, by_size, size_cells, "vertices"),
                      time_table(methods, after, after_cells, "strain after collisions"),
                      time_table(methods, hung, hung_cells, "strain, hanging"),
                      detail_table(methods, by_strain[at]),
                      detail_table(methods, hung[0])};
    add_claims(methods, strains, by_strain, vertices, by_size, hung, section);
    return section;
}

}  // namespace taut::cli

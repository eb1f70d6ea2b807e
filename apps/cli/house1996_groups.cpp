// Question 2: how fast, how exact, over group sizes and the number of particles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "house1996.hpp"
#include "study.hpp"
#include "taut/io/chart.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// The test of the paper, dropped from just above, so that contacts are there from the start.
std::vector<std::string> low_patch(int size, const std::string& duration) {
    return joined(patch(size, "1/960", duration), {"cloths/sheet/place/translate=[-0.3,-0.35,0.625]"});
}

struct Way {
    std::string text, type, params;
};

// As exact as the default of hierarchical_corrected.
const char* const as_exact = R"("linear_tolerance":1e-3)";

std::vector<Way> ways_of_solving() {
    std::vector<Way> ways;
    for (const int size : {2, 4, 8, 16, 32})
        ways.push_back({fmt::format("hierarchical, groups of {}", size), "hierarchical",
                        fmt::format(R"("group_size":{})", size)});
    ways.push_back({"hierarchical, groups of 8, absolute values (Eq. 20)", "hierarchical",
                    R"("group_function":"absolute")"});
    ways.push_back({"hierarchical_corrected", "hierarchical_corrected", ""});
    ways.push_back(
        {"hierarchical_corrected, groups above yarns too", "hierarchical_corrected", R"("above":true)"});
    ways.push_back({"constrained_dynamics, conjugate gradients", "constrained_dynamics", as_exact});
    ways.push_back({"constrained_dynamics, biconjugate gradients, as in the paper", "constrained_dynamics",
                    R"("linear_tolerance":1e-3,"solver":"biconjugate_gradient","preconditioner":"none")"});
    return ways;
}

std::string left_text(double left) {
    return left < 1e-2 ? fmt::format("{:.1e}", left) : fmt::format("{:.2f}", left);
}

// How what is left falls over the cycles, at one moment of the fall.
std::vector<std::vector<std::string>> cycle_table(const PaperStudy& study, const std::vector<int>& sizes) {
    const std::vector<Way> kinds{{"conjugate gradients over whole yarns", "", ""},
                                 {"and groups above", "", R"("above":true)"},
                                 {"passes over what is left", "", R"("repeat":"correction")"}};
    std::vector<std::vector<std::string>> table{{"cycles by", "yarns", "1 cycle", "2", "4", "8", "16"}};
    io::Chart chart;
    chart.title = "What a cycle leaves of Eq. 19";
    chart.x.label = "cycles", chart.y.label = "residual, relative";
    chart.y.log = true;
    for (const Way& kind : kinds) {
        for (const int size : sizes) {
            if (size > 101 && !kind.params.empty()) continue;
            const std::string params = R"("tolerance":1e-12,"cycles":16)" +
                                       (kind.params.empty() ? std::string() : "," + kind.params);
            const HouseRun run = run_house(
                house_scene("house_fall",
                            joined(low_patch(size, "1/15"), {only_filter("hierarchical_corrected", params)})),
                fmt::format("{}, {} yarns", kind.text, size));
            std::vector<std::string> row{kind.text, fmt::format("{}", size)};
            for (const std::size_t cycle : {1, 2, 4, 8, 16})
                row.push_back(cycle < run.history.size() ? fmt::format("{:.1e}", run.history[cycle]) : "");
            table.push_back(row);
            io::ChartSeries series;
            series.name = fmt::format("{}, {}", kind.text, size);
            for (std::size_t k = 0; k < run.history.size(); ++k) {
                if (!(run.history[k] > 0)) continue;
                series.x.push_back(static_cast<double>(k));
                series.y.push_back(run.history[k]);
            }
            if (size == sizes.front() || size == sizes.back()) chart.series.push_back(std::move(series));
        }
    }
    io::write_chart(study.folder / "cycles", chart);
    write_csv(study.folder / "cycles.csv", table);
    return table;
}

double log_fit_spread(const std::vector<double>& n, const std::vector<double>& seconds, double& factor) {
    // c N log N in the least-squares sense of logarithms; returns the root mean square of what is left.
    double sum = 0, square = 0;
    for (std::size_t k = 0; k < n.size(); ++k) sum += std::log(seconds[k] / (n[k] * std::log(n[k])));
    const double mean = sum / static_cast<double>(n.size());
    for (std::size_t k = 0; k < n.size(); ++k) {
        const double off = std::log(seconds[k] / (n[k] * std::log(n[k]))) - mean;
        square += off * off;
    }
    factor = std::exp(mean);
    return std::sqrt(square / static_cast<double>(n.size()));
}

}  // namespace

PaperSection paper_groups(const PaperStudy& study) {
    PaperSection section;
    section.title = "Question 2: group sizes, cost and what is left";
    section.text =
        "The scene `house_fall` from just above the obstacles, 0.2 s in steps of 1/960 s, one thread. Strain "
        "is "
        "that at the end of whole steps, mean and largest over the run. Solvers that go on until they are "
        "exact stop at 1e-3. Below: what is left of the system after so many cycles of "
        "`hierarchical_corrected`, in the last "
        "solve of 1/15 s.";
    const std::vector<int> sizes = study.quick ? std::vector<int>{11, 25} : std::vector<int>{11, 25, 51};
    std::vector<std::vector<std::string>> table{{"yarns", "way", "a step [ms]", "cycles or iterations a step",
                                                 "left of Eq. 19", "mean strain", "largest strain"}};
    double best_left = 1, corrected_left = 0, plain_s = 0, printed_s = 0, corrected_s = 0, hierarchical_s = 0;
    for (const int size : sizes) {
        for (const Way& way : ways_of_solving()) {
            const HouseRun run =
                run_house(house_scene("house_fall",
                                      joined(low_patch(size, "0.2"), {only_filter(way.type, way.params)})),
                          fmt::format("{}, {} yarns", way.text, size));
            table.push_back({fmt::format("{} x {}", size, size),
                             way.text + (run.finished() ? "" : " (lost itself)"),
                             fmt::format("{:.3g}", 1e3 * run.step_s), fmt::format("{:.1f}", run.iterations),
                             left_text(run.left), percent_text(run.mean), percent_text(run.strain)});
            if (size != sizes.back()) continue;
            if (way.type == "hierarchical") best_left = std::min(best_left, run.left);
            if (way.params == R"("group_size":8)") hierarchical_s = run.step_s;
            if (way.text == "hierarchical_corrected") corrected_left = run.left, corrected_s = run.step_s;
            if (way.params == as_exact) plain_s = run.step_s;
            if (way.type == "constrained_dynamics" && way.params != as_exact) printed_s = run.step_s;
        }
    }
    const std::vector<int> cycle_sizes =
        study.quick ? std::vector<int>{11, 25} : std::vector<int>{11, 25, 51, 101, 201};
    section.tables = {table, cycle_table(study, cycle_sizes)};
    write_csv(study.folder / "groups.csv", table);
    section.pictures = {"cycles.png"};
    section.files = {"groups.csv", "cycles.csv"};
    section.claims = {
        {"well chosen groups give a correct constraint force which maintains all constraints",
         fmt::format("one pass leaves {} of Eq. 19 at best", left_text(best_left)),
         best_left < 0.05 ? "same" : "not the same",
         "the multipliers of a small group do not know the forces of others, and one number for each cannot "
         "make "
         "that good; feedback of later steps does, as stretch"},
        {"significant improvements in performance, most apparent for larger problems",
         fmt::format(
             "{} x {}: {:.3g} ms a step against {:.3g} ms with biconjugate gradients and {:.3g} ms with "
             "preconditioned conjugate gradients; as exact as those, hierarchical_corrected takes {:.3g} ms",
             sizes.back(), sizes.back(), 1e3 * hierarchical_s, 1e3 * printed_s, 1e3 * plain_s,
             1e3 * corrected_s),
         hierarchical_s < printed_s ? "same" : "not the same", "but for another result, see what is left"},
        {"(ours) whole yarns as groups of a preconditioner give back what is lost",
         fmt::format("{} left, in cycles whose number depends on the shape more than on the size",
                     left_text(corrected_left)),
         "measured",
         "groups above the yarns cost more than they gain: warp and weft meet almost at right angles"}};
    return section;
}

PaperSection paper_scaling(const PaperStudy& study) {
    PaperSection section;
    section.title = "Question 2: cost over the number of particles";
    section.text =
        "The same fall, 0.1 s, one thread: the mean time of a step for more and more particles N. The "
        "conventional algorithm "
        "solves all constraints by biconjugate gradients without a preconditioner to 1e-3, at most 500 "
        "iterations, and "
        "only for the smaller sizes.";
    std::vector<int> sizes{11, 25, 51};
    if (!study.quick) sizes.insert(sizes.end(), {101, 151, 201});
    const std::vector<Way> ways{
        {"hierarchical", "hierarchical", ""},
        {"hierarchical_corrected", "hierarchical_corrected", ""},
        {"biconjugate gradients", "constrained_dynamics",
         R"("linear_tolerance":1e-3,"max_iterations":500,"solver":"biconjugate_gradient","preconditioner":"none")"}};
    std::vector<std::vector<std::string>> table{
        {"way", "yarns", "a step [ms]", "per particle [us]", "iterations a step", "left of Eq. 19"}};
    std::vector<std::vector<std::string>> fits{{"way", "fitted c N^p: p", "c N log N off by, rms"}};
    io::Chart chart;
    chart.title = "Cost of a step, one thread";
    chart.x.label = "particles", chart.y.label = "time [s]";
    chart.x.log = chart.y.log = true;
    std::vector<double> exponent;
    for (const Way& way : ways) {
        io::ChartSeries series;
        series.name = way.text;
        for (const int size : sizes) {
            if (way.type == "constrained_dynamics" && size > 101) continue;
            const HouseRun run =
                run_house(house_scene("house_fall",
                                      joined(low_patch(size, "0.1"), {only_filter(way.type, way.params)})),
                          fmt::format("{}, {} yarns", way.text, size));
            series.x.push_back(run.vertices);
            series.y.push_back(run.step_s);
            table.push_back({way.text + (run.finished() ? "" : " (lost itself)"),
                             fmt::format("{} x {}", size, size), fmt::format("{:.3g}", 1e3 * run.step_s),
                             fmt::format("{:.3g}", 1e6 * run.step_s / run.vertices),
                             fmt::format("{:.1f}", run.iterations), left_text(run.left)});
        }
        double factor = 0;
        const double spread = log_fit_spread(series.x, series.y, factor);
        exponent.push_back(fitted_exponent(series.x, series.y));
        fits.push_back(
            {way.text, fmt::format("{:.2f}", exponent.back()), fmt::format("{:.0f} %", 100 * spread)});
        chart.series.push_back(std::move(series));
    }
    io::write_chart(study.folder / "scaling", chart);
    write_csv(study.folder / "scaling.csv", table);
    section.pictures = {"scaling.png"};
    section.tables = {table, fits};
    section.files = {"scaling.csv"};
    section.claims = {
        {"the hierarchical algorithm takes O(N log N)", fmt::format("N^{:.2f}", exponent[0]),
         exponent[0] < 1.3 ? "same" : "not the same", "N log N itself looks like N^1.1 over these sizes"},
        {"biconjugate gradients take O(L^2)", fmt::format("N^{:.2f}", exponent[2]),
         exponent[2] > 1.7 ? "same" : "partly",
         "sparseness is used here: a product is O(N), and iterations grow with the width"},
        {"(ours) hierarchical_corrected", fmt::format("N^{:.2f}", exponent[1]), "measured", ""}};
    return section;
}

}  // namespace taut::cli

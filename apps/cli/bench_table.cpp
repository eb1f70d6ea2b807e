// Tables of a benchmark: medians over repeats, ratios to the first case.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// All runs of a case.
std::vector<const Measurement*> runs_of(const std::vector<Measurement>& runs, std::size_t which) {
    std::vector<const Measurement*> chosen;
    for (const Measurement& run : runs) {
        if (run.which == which) chosen.push_back(&run);
    }
    return chosen;
}

template <class Get>
double median_of(const std::vector<const Measurement*>& runs, Get get) {
    std::vector<double> values;
    for (const Measurement* run : runs) values.push_back(get(*run));
    return median(std::move(values));
}

double mean(long total, long count) {
    return count > 0 ? static_cast<double>(total) / static_cast<double>(count) : 0;
}

std::string verdict(const std::vector<const Measurement*>& runs) {
    for (const Measurement* run : runs) {
        if (run->interrupted) return "interrupted";
        if (run->outcome != RunOutcome::finished) return "FAILED";
        if (!run->certified) return "NO";
    }
    return "yes";
}

}  // namespace

double median(std::vector<double> values) {
    if (values.empty()) return NAN;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

std::string step_text(double dt) {
    const double whole = std::round(1 / dt);
    if (whole > 1 && std::abs(1 / dt - whole) < 1e-9 * whole &&
        std::abs(dt * 1000 - std::round(dt * 1000)) > 1e-9) {
        return fmt::format("1/{:.0f}", whole);
    }
    return fmt::format("{:.6g}", dt);
}

std::string result_table(const std::vector<BenchCase>& cases, const std::vector<Measurement>& runs) {
    Table table;
    table.row({"case", "size", "dt [s]", "tolerance", "certified", "max strain", "steps", "retries",
               "proj/step", "lin/solve", "set-up", "stepping", "ratio", "steps/s", "ns/(vertex proj)",
               "peak"});
    table.rule();
    double first = NAN;
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const auto mine = runs_of(runs, k);
        if (mine.empty()) continue;
        const RunTotals& totals = mine.front()->totals;
        const double wall = median_of(mine, [](const Measurement& run) { return run.wall_s; });
        const double setup = median_of(mine, [](const Measurement& run) { return run.setup_s; });
        const double cost = median_of(mine, [](const Measurement& run) { return run.cost_ns; });
        const double peak =
            median_of(mine, [](const Measurement& run) { return run.json.value("peak_memory_bytes", 0.0); });
        if (std::isnan(first)) first = wall;
        // Interrupted in its first step a run has taken no time.
        const double ratio = first > 0 ? wall / first : 0;
        const double speed = wall > 0 ? static_cast<double>(totals.steps) / wall : 0;
        const auto& tolerance = mine.front()->json["tolerance"];
        table.row({cases[k].label, std::to_string(cases[k].size), step_text(cases[k].step),
                   tolerance.is_number() ? percent_text(tolerance.get<double>()) : "none", verdict(mine),
                   percent_text(std::max(totals.warp.max, totals.weft.max)), std::to_string(totals.steps),
                   std::to_string(totals.retries),
                   fmt::format("{:.2f}", mean(totals.projection_iterations, totals.steps)),
                   fmt::format("{:.1f}", mean(totals.linear_iterations, totals.linear_solves)),
                   seconds_text(setup), seconds_text(wall), fmt::format("{:.2f}", ratio),
                   fmt::format("{:.4g}", speed), fmt::format("{:.0f}", cost), bytes_text(peak)});
    }
    return table.text();
}

std::string audit_table(const std::vector<BenchCase>& cases, const std::vector<AuditedCase>& audits) {
    Table table;
    table.row({"motion gates", "size", "dt [s]", "path", "energy", "growth", "omega [rad/s]", "exact",
               "passed", "note"});
    table.row({"  limits", "", "", percent_text(path_limit), percent_text(energy_limit),
               percent_text(growth_limit), "exact +-" + percent_text(mode_limit), "", "", ""});
    table.rule();
    for (const AuditedCase& entry : audits) {
        const BenchCase& bench_case = cases[entry.which];
        const Audit& audit = entry.audit;
        const auto path_cell = [&audit](double part) {
            return audit.checked_path && std::isfinite(part) ? percent_text(part) : "-";
        };
        const auto mode_cell = [&audit](double omega) {
            return audit.checked_mode ? fmt::format("{:.5g}", omega) : std::string("-");
        };
        table.row({bench_case.label, std::to_string(bench_case.size), step_text(bench_case.step),
                   path_cell(audit.path_error), path_cell(audit.energy_error), path_cell(audit.energy_growth),
                   mode_cell(audit.mode_omega), mode_cell(audit.mode_exact), audit.passed ? "yes" : "NO",
                   audit.note});
    }
    return table.text();
}

}  // namespace taut::cli

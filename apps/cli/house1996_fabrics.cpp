// Fabrics and drape in the study of House, DeVaul and Breen 1996: what simulated samples of the fabrics feel,
// how they drape, and whether the drape survives constrained dynamics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fabric_bench.hpp"
#include "house1996.hpp"
#include "study.hpp"
#include "taut/scene/drape_test.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// Free motion before a drape is settled, as in the bench for fabrics [s].
constexpr double free_motion = 1;

struct DrapeWay {
    std::string name;
    std::vector<std::string> overrides;
};

// The same cloth and forces by several systems. Explicit steps are short for the steep first part of shear
// curves.
std::vector<DrapeWay> drape_ways() {
    const std::vector<std::string> explicit_step{"integrator=symplectic_euler", "run/dt=1e-4"};
    const auto filter = [&](const std::string& type, const std::string& params = "") {
        return joined(explicit_step, {only_filter(type, params)});
    };
    return {{"`stable_projection`, implicit", {}},
            {"`constrained_dynamics`", filter("constrained_dynamics", R"("solver":"conjugate_gradient")")},
            {"`hierarchical_corrected`", filter("hierarchical_corrected")},
            {"`hierarchical`, as printed", filter("hierarchical")}};
}

SettleSettings drape_settings() {
    SettleSettings settings;
    settings.at = free_motion;
    settings.max_steps = 150000;
    settings.max_seconds = 30;  // a few times what the others need
    return settings;
}

struct DrapeRow {
    double mean = 0, low = 1e300, high = -1e300, strain = 0, seconds = 0, energy = 0;  // energy: mean [J]
    int count = 0, at_rest = 0;
    State state;
};

DrapeRow run_drapes(const DrapeWay& way, int seeds, int across) {
    DrapeRow row;
    for (int seed = 1; seed <= seeds; ++seed) {
        const scene::Scene scene = house_scene(
            "cusick", joined(way.overrides,
                             {fmt::format("cloths/0/across={}", across), fmt::format("run/seed={}", seed)}));
        scene::DrapeResult result;
        try {
            result = scene::test_drape(scene, drape_settings());
        } catch (const std::runtime_error&) {
            continue;
        }
        if (result.settled.outcome == SettleOutcome::failed) continue;
        fmt::print(stderr, "  {}, seed {}: {}\n", way.name, seed, percent_text(result.coefficient));
        ++row.count;
        row.at_rest += result.settled.at_rest();
        row.mean += result.coefficient;
        row.energy += result.settled.energy;
        row.low = std::min(row.low, result.coefficient), row.high = std::max(row.high, result.coefficient);
        row.strain = std::max(row.strain, result.settled.strain);
        row.seconds += result.settled.seconds;
        if (seed == 1) row.state = std::move(result.state);
    }
    row.mean /= std::max(1, row.count);
    row.energy /= std::max(1, row.count);
    return row;
}

// Lays what the hierarchy found down under stable_projection: is a balance of one a balance of the other?
Claim laid_down(const Points& found, int across) {
    SettleSettings settings = drape_settings();
    settings.at = 0;
    const scene::Scene scene = house_scene("cusick", {fmt::format("cloths/0/across={}", across)});
    const scene::DrapeResult again = scene::test_drape(scene, settings, &found);
    double moved = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        moved = std::max(moved, (again.state.x[i] - found[i]).norm());
    return {"(ours) what `hierarchical_corrected` brings to rest is at rest for `stable_projection`",
            fmt::format("laid down there, no vertex moves by more than {:.2g} mm", 1e3 * moved),
            moved < 1e-3 ? "same" : "not the same",
            "their coefficients differ all the same: there are many balances, and which one is found depends "
            "on the way "
            "down; explicit steps damp less on it, and find lower ones"};
}

std::string points_text(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

}  // namespace

PaperSection paper_drape(const PaperStudy& study) {
    PaperSection section;
    section.title = "Question 3: does the accuracy of drape survive?";
    section.text =
        "A disc of cotton of 30 cm over a pedestal of 18 cm, the scene `cusick` with 30 cells across: shaken "
        "by a "
        "little, a second of free motion, then [settled](../theory/settle.md). Forces are the same for all: "
        "bending of "
        "yarns and trellising by the curves of the fabric. The coefficient is the mean over seeds, which put "
        "the folds "
        "elsewhere, with the range. Constrained dynamics takes explicit steps of 1e-4 s, which the steep "
        "first part of "
        "the shear curve asks for.";
    const int seeds = study.quick ? 1 : 3, across = study.quick ? 20 : 30;
    std::vector<std::vector<std::string>> table{{"system", "drape coefficient", "range", "energy [mJ]",
                                                 "at rest", "largest strain at rest", "time of a drape"}};
    std::vector<std::vector<std::string>> csv{
        {"system", "coefficient", "low", "high", "at_rest", "of", "strain", "seconds"}};
    std::vector<State> states;
    Points kept;
    double conventional = 0, corrected = 0;
    for (const DrapeWay& way : drape_ways()) {
        const DrapeRow row = run_drapes(way, seeds, across);
        if (row.count == 0) {
            table.push_back({way.name, "failed", "-", "-", fmt::format("0 of {}", seeds), "-", "-"});
            csv.push_back({way.name, "", "", "", "0", fmt::format("{}", seeds), "", ""});
            continue;
        }
        if (way.name == "`constrained_dynamics`") conventional = row.mean;
        if (way.name.find("corrected") != std::string::npos) corrected = row.mean, kept = row.state.x;
        if (!row.state.x.empty()) states.push_back(row.state);
        table.push_back({way.name, points_text(row.mean),
                         fmt::format("{} to {}", points_text(row.low), points_text(row.high)),
                         fmt::format("{:.2f}", 1e3 * row.energy), fmt::format("{} of {}", row.at_rest, seeds),
                         percent_text(row.strain), seconds_text(row.seconds / row.count)});
        csv.push_back({way.name, fmt::format("{}", row.mean), fmt::format("{}", row.low),
                       fmt::format("{}", row.high), fmt::format("{}", row.at_rest), fmt::format("{}", seeds),
                       fmt::format("{}", row.strain), fmt::format("{}", row.seconds)});
    }
    section.tables.push_back(std::move(table));
    const double apart = std::abs(corrected - conventional);
    section.claims.push_back(
        {"the physical accuracy of the particle-based drape model can be maintained in the new fast dynamic "
         "model",
         fmt::format(
             "the mean coefficient with `hierarchical_corrected` is {:.1f} points from that with all of "
             "Eq. 19 solved, `constrained_dynamics`",
             100 * apart),
         apart <= 0.03 ? "same" : "not the same",
         "as printed the hierarchy does not come to rest within 30 s, and stretches"});
    if (!kept.empty()) section.claims.push_back(laid_down(kept, across));
    io::PictureSettings settings;
    settings.width = 480, settings.height = 360;
    io::write_png(
        study.folder / "drape.png",
        io::film_strip(
            pictures_of(house_scene("cusick", {fmt::format("cloths/0/across={}", across)}), states, settings),
            2, {}));
    section.pictures.push_back("drape.png");
    write_csv(study.folder / "drape.csv", csv);
    section.files.push_back("drape.csv");
    return section;
}

PaperSection paper_fabrics(const PaperStudy& study) {
    PaperSection section;
    section.title = "Fabrics on the test bench";
    section.text =
        "`taut fabric NAME --bench` for the fabrics in the program, all of them synthetic "
        "([fabrics](../theory/fabrics.md), [test bench](../theory/fabric_bench.md)). Samples of simulated "
        "cloth are bent and "
        "sheared along the cycle of the data, with friction remembered; deviations are parts of the largest "
        "load, over the "
        "whole cycle. Cantilevers are compared with (B/w)^(1/3), with straight lines for the curves and with "
        "the curves "
        "themselves. Drape coefficients are means over seeds, with half their range; discs have 60 cells "
        "across.";
    std::vector<std::vector<std::string>> samples{{"fabric", "bending, warp: rms, largest", "bending, weft",
                                                   "shear", "length by B alone: warp, weft",
                                                   "with curves: warp, weft"}};
    std::vector<std::vector<std::string>> drapes{
        {"fabric", "cells across", "drape coefficient", "half range", "nodes", "at rest"}};
    std::vector<std::vector<std::string>> csv{{"fabric", "test", "value", "other"}};
    double worst = 0, linear = 0;
    BenchPlan plan;
    plan.seeds = study.quick ? 1 : 5;
    plan.at = free_motion;
    for (const std::string& name : scene::built_in_fabrics()) {
        fmt::print(stderr, "{}\n", name);
        plan.across = study.quick ? std::vector<int>{20} : std::vector<int>{60};
        const BenchReport report = run_bench(scene::open_fabric(name), name, plan);
        std::vector<std::string> row{name};
        for (const SampleReport& s : report.samples) {
            row.push_back(fmt::format("{}, {}", percent_text(s.rms), percent_text(s.largest)));
            csv.push_back({name, s.name, fmt::format("{}", s.rms), fmt::format("{}", s.largest)});
            worst = std::max(worst, s.largest);
        }
        std::string alone, curves;
        for (const CantileverReport& c : report.cantilevers) {
            const double off = c.result.length / c.result.expected - 1;
            const bool straight = c.name.find("alone") != std::string::npos;
            std::string& text = straight ? alone : curves;
            text += fmt::format("{}{:+.1f} %", text.empty() ? "" : ", ", 100 * off);
            if (straight) linear = std::max(linear, std::abs(off));
            csv.push_back({name, "cantilever " + c.name, fmt::format("{}", c.result.length),
                           fmt::format("{}", c.result.expected)});
        }
        row.push_back(alone);
        row.push_back(curves);
        samples.push_back(std::move(row));
        for (const DrapeMean& mean : drape_means(report)) {
            drapes.push_back({name, fmt::format("{}", mean.across), points_text(mean.mean),
                              points_text(mean.spread), fmt::format("{:.1f}", mean.nodes),
                              mean.at_rest ? "all" : "not all"});
            csv.push_back({name, fmt::format("drape {}", mean.across), fmt::format("{}", mean.mean),
                           fmt::format("{}", mean.spread)});
        }
    }
    section.tables = {std::move(samples), std::move(drapes)};
    section.claims.push_back(
        {"energy functions can be tuned to reproduce specific fabrics",
         fmt::format("largest deviation of simulated bending and shear {}", percent_text(worst)),
         worst <= 0.05 ? "same" : "not the same", ""});
    section.claims.push_back({"(ours) a cantilever of linear cloth has its bending length",
                              fmt::format("within {}", percent_text(linear)),
                              linear <= 0.05 ? "same" : "not the same", ""});
    write_csv(study.folder / "fabrics.csv", csv);
    section.files.push_back("fabrics.csv");
    return section;
}

}  // namespace taut::cli

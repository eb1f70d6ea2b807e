// Stiffness: implicit steps of 20 ms against the longest explicit steps that stay stable, and the same
// integrator under a projection.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "baraff_witkin1998.hpp"
#include "scene_source.hpp"
#include "study.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/chart.hpp"
#include "taut/scene/build.hpp"
#include "taut/scene/check_steps.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// Longer than this an explicit run is not stable: energy above its start, as a part of what the cloth has to
// lose.
constexpr double calm_growth = 0.01;

std::vector<std::string> stiff(double stiffness, int size, double duration) {
    return {fmt::format("forces/stretch_condition/weft={}", stiffness),
            fmt::format("forces/stretch_condition/warp={}", stiffness), fmt::format("cloths/0/nu={}", size),
            fmt::format("cloths/0/nv={}", size), fmt::format("run/duration={}", duration)};
}

// The same forces without damping, which would shorten explicit steps further, in steps of `dt` [s].
std::vector<std::string> explicit_steps(std::vector<std::string> overrides, double dt) {
    const std::vector<std::string> more{
        "integrator=symplectic_euler",      "forces/stretch_condition/damping=0",
        "forces/shear_condition/damping=0", "forces/bend_condition/damping=0",
        fmt::format("run/dt={}", dt),       "run/max_halvings=0"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return overrides;
}

bool calm(const LargeRun& run) {
    const double start = run.motion.energy.front();
    const double lost = start - *std::min_element(run.motion.potential.begin(), run.motion.potential.end());
    return run.outcome == RunOutcome::finished && run.growth <= calm_growth * std::abs(lost);
}

// Whether the energy stays below the start in the last quarter of a run.
bool settles(const LargeRun& run) {
    const std::vector<double>& t = run.motion.t;
    double late = -1e300;
    for (std::size_t k = 0; k < t.size(); ++k) {
        if (t[k] > 0.75 * t.back()) late = std::max(late, run.motion.energy[k]);
    }
    return run.outcome == RunOutcome::finished && late < run.motion.energy.front();
}

// 2 / omega of the forces about the flat rest shape [s].
double explicit_limit(const std::string& name, const std::vector<std::string>& overrides) {
    const scene::Scene scene = large_steps_scene(name, explicit_steps(overrides, 1e-6));
    const scene::Assembly assembly = scene::assemble(scene);
    Pipeline pipeline = scene::make_pipeline(scene, assembly);
    return 2 / scene::largest_frequency(assembly, pipeline);
}

struct Duel {
    std::string scene;
    double stiffness = 0, limit = 0, longest = 0;  // [N/m], 2 / omega [s], the longest step that is calm [s]
    LargeRun large, small, settled;                // implicit, explicit; implicit for longer
    double large_rate = 0, small_rate = 0;         // computing per simulated second
    double path = 0;                               // of the implicit run against the explicit one
};

// Finds the longest calm explicit step, on a short run first, and takes both methods in turn.
Duel fight(const std::string& name, double stiffness, int size, const PaperStudy& study) {
    const double duration = study.quick ? 0.1 : 0.5, trial = 0.1;
    Duel duel;
    duel.scene = name;
    duel.stiffness = stiffness;
    const std::vector<std::string> whole = stiff(stiffness, size, duration);
    duel.limit = explicit_limit(name, whole);
    const std::string text = fmt::format("{} at {:g} N/m", name, stiffness);
    const scene::Scene large = large_steps_scene(name, whole);
    std::optional<scene::Scene> small;
    for (const double share : {1.25, 1.1, 1.0, 0.9, 0.8, 0.65, 0.5, 0.35, 0.25}) {
        duel.longest = share * duel.limit;
        const auto steps = explicit_steps(stiff(stiffness, size, trial), duel.longest);
        const std::string label = fmt::format("{}, explicit, {:.3g} of 2/omega", text, share);
        if (!calm(run_large(large_steps_scene(name, steps), label))) continue;
        small = large_steps_scene(name, explicit_steps(whole, duel.longest));
        duel.small = run_large(*small, label + ", whole");
        if (calm(duel.small)) break;
    }
    duel.large = run_large(large, text + ", implicit");
    duel.settled = run_large(large_steps_scene(name, stiff(stiffness, size, study.quick ? 0.5 : 2)),
                             text + ", implicit, longer");
    std::vector<LargeRun> runs{duel.large, duel.small};
    const std::vector<double> rates = medians_in_turn({large, *small}, runs, study.repeats);
    duel.large_rate = rates[0], duel.small_rate = rates[1];
    duel.path = path_error(duel.large.motion, duel.small.motion);
    return duel;
}

std::vector<std::vector<std::string>> duel_table(const std::vector<Duel>& duels) {
    std::vector<std::vector<std::string>> table{
        {"scene", "stiffness [N/m]", "2/omega [ms]", "longest calm explicit step [ms]", "explicit [s/s]",
         "implicit, 20 ms [s/s]", "faster by", "iterations a solve", "retries", "strain explicit, implicit",
         "path apart [of the drop]", "energy rose [J]"}};
    for (const Duel& d : duels) {
        const IntegratorTotals& own = d.large.totals.integrator;
        table.push_back(
            {d.scene, fmt::format("{:g}", d.stiffness), fmt::format("{:.3g}", 1e3 * d.limit),
             fmt::format("{:.3g}", 1e3 * d.longest), fmt::format("{:.3g}", d.small_rate),
             fmt::format("{:.3g}", d.large_rate), fmt::format("{:.3g}", d.small_rate / d.large_rate),
             fmt::format("{:.0f}",
                         static_cast<double>(own.iterations) / static_cast<double>(std::max(1L, own.solves))),
             std::to_string(d.settled.totals.retries),
             percent_text(d.small.strain) + ", " + percent_text(d.large.strain), percent_text(d.path),
             fmt::format("{:.2g}", d.settled.growth)});
    }
    return table;
}

io::Chart duel_chart(const std::vector<Duel>& duels) {
    io::Chart chart;
    chart.title = "Explicit and implicit steps over stiffness";
    chart.x.label = "stiffness [N/m]", chart.y.label = "computing per simulated second [s/s]";
    chart.x.log = chart.y.log = true;
    for (const char* scene : {"hang", "drape"}) {
        io::ChartSeries large, small;
        large.name = fmt::format("{}, implicit", scene);
        small.name = fmt::format("{}, explicit", scene);
        for (const Duel& d : duels) {
            if (d.scene != scene) continue;
            large.x.push_back(d.stiffness), large.y.push_back(d.large_rate);
            small.x.push_back(d.stiffness), small.y.push_back(d.small_rate);
        }
        chart.series.push_back(std::move(large));
        chart.series.push_back(std::move(small));
    }
    return chart;
}

// One way to keep cloth from stretching.
struct Keeper {
    std::string text;
    std::vector<std::string> overrides;
    bool projected = false;
};

// Stretch conditions at this stiffness [N/m] and longest step [s], and whatever else.
Keeper stiff_keeper(double stiffness, double dt, const std::string& more = {}, const std::string& text = {}) {
    Keeper keeper{fmt::format("{:g} N/m, {:g} ms{}", stiffness, 1e3 * dt, text), stiff(stiffness, 41, 2)};
    keeper.overrides.push_back(fmt::format("run/dt={}", dt));
    if (!more.empty()) keeper.overrides.push_back(more);
    return keeper;
}

std::vector<Keeper> keepers() {
    std::vector<Keeper> all;
    for (const double k : {1e3, 1e4, 1e5, 1e6}) all.push_back(stiff_keeper(k, 0.02));
    for (const double change : {0.02, 0.005}) {
        all.push_back(stiff_keeper(1e5, 0.02, fmt::format("integrator/stretch_change={}", change),
                                   fmt::format(", `stretch_change` {}", change)));
    }
    for (const double dt : {0.005, 0.0025}) all.push_back(stiff_keeper(1e5, dt));
    for (const double dt : {0.0025, 0.00125}) all.push_back(stiff_keeper(1e6, dt));
    for (const double k : {1e5, 1e6})
        all.push_back(stiff_keeper(k, 0.02, "integrator=backward_euler", ", `backward_euler`"));
    for (const double strain : {0.01, 0.001}) {
        all.push_back(
            {fmt::format("no stretch force, 20 ms, projection to {}", percent_text(strain)),
             {"forces/stretch_condition=null", "integrator/stretch_change=0", "cloths/0/cells=quads",
              fmt::format(R"(filters=[{{"type":"stable_projection","tolerance":{}}}])", strain)},
             true});
    }
    return all;
}

// The cheapest of the ways that hold a strain, by seconds a simulated second; none: as many as there are.
std::size_t cheapest(const std::vector<Keeper>& all, const std::vector<LargeRun>& runs,
                     const std::vector<double>& rates, bool projected, double strain) {
    std::size_t best = all.size();
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (all[k].projected != projected || runs[k].strain > strain * (1 + 1e-9)) continue;
        if (best == all.size() || rates[k] < rates[best]) best = k;
    }
    return best;
}

}  // namespace

PaperSection paper_stability(const PaperStudy& study) {
    const ThreadLimit one(1);
    PaperSection section;
    section.title = "Explicit and implicit steps: stability and cost";
    const int size = study.quick ? 21 : 41;
    section.text = fmt::format(
        "Scenes `hang` and `drape` with the preset `baraff_witkin1998`, {0} x {0} vertices of right "
        "triangles, "
        "{1} s, one thread. Implicit: steps of 20 ms with all defaults. Explicit: `symplectic_euler` with "
        "the "
        "same forces without their damping, which would shorten its steps much further, at the longest of "
        "1.25, 1.1, 1, 0.9, 0.8, 0.65, 0.5 ... times 2/omega at which the energy never rises by more than "
        "{2} of what it falls by; omega is the largest frequency about the flat state. Times leave out "
        "measuring and output, medians of {3} runs in turn; retries and the largest rise of the energy "
        "above the start are those of implicit runs of {4} s.",
        size, study.quick ? 0.1 : 0.5, percent_text(calm_growth), study.repeats, study.quick ? 0.5 : 2.0);
    std::vector<Duel> duels;
    const std::vector<double> stiffness =
        study.quick ? std::vector<double>{1e2, 1e4} : std::vector<double>{1e2, 1e3, 1e4, 1e5, 1e6};
    for (const char* scene : {"hang", "drape"}) {
        for (const double k : stiffness) duels.push_back(fight(scene, k, size, study));
    }
    section.tables = {duel_table(duels)};
    write_csv(study.folder / "stability.csv", section.tables[0]);
    io::write_chart(study.folder / "stability", duel_chart(duels));
    section.pictures = {"stability.png"};
    section.files = {"stability.csv"};

    double least = 1e300, most = 0, worst_path = 0, even = 0;
    bool stable = true;
    for (const Duel& d : duels) {
        const double gain = d.small_rate / d.large_rate;
        stable = stable && settles(d.settled);
        worst_path = std::max(worst_path, d.path);
        if (d.stiffness == stiffness.back()) least = std::min(least, gain), most = std::max(most, gain);
        if (gain < 1) even = std::max(even, d.stiffness);
    }
    section.claims = {
        {"steps of 20 ms are stable up to 1e6 N/m",
         fmt::format("{}; at worst the path is {} of the drop away from the explicit one",
                     stable ? "every run stays below the energy of its start in its last quarter"
                            : "a run has more energy in its last quarter than at its start",
                     percent_text(worst_path)),
         stable ? "same" : "not the same", "a linearised step is stable, not accurate"},
        {fmt::format("at {:g} N/m the implicit system is at least 10 times faster", stiffness.back()),
         fmt::format("{:.3g} to {:.3g} times", least, most), least >= 10 ? "same" : "partly", ""},
        {"the cost comparison of explicit and implicit steps could be more rigorous",
         even > 0 ? fmt::format("up to {:g} N/m explicit steps are cheaper here", even)
                  : "implicit steps are cheaper at every stiffness here",
         "measured",
         "both costs grow with the root of the stiffness: explicit steps by their number, implicit ones by "
         "their "
         "iterations; what is left is the price of one evaluation of all forces against that of one "
         "product"}};
    return section;
}

PaperSection paper_projection(const PaperStudy& study) {
    const ThreadLimit one(1);
    PaperSection section;
    section.title = "Stiffness or a projection, under the same integrator";
    section.text = fmt::format(
        "Scene `hang`, 41 x 41 vertices, {} s, one thread: stretch kept small by stiff conditions, in long "
        "steps "
        "and in shorter ones, with steps refused earlier, or with all Newton iterations of `backward_euler`; "
        "or "
        "left to `stable_projection` behind the integrator, which then takes shear and bending alone, as in "
        "Figures 7 and 8 of Goldenthal et al. 2007. Strain is the largest of warp and weft after any step; "
        "times leave out measuring and output, medians of {} runs in turn.",
        study.quick ? 0.2 : 2.0, study.repeats);
    const std::vector<Keeper> all = keepers();
    std::vector<scene::Scene> scenes;
    std::vector<LargeRun> runs;
    for (const Keeper& keeper : all) {
        std::vector<std::string> overrides = keeper.overrides;
        if (study.quick) overrides.emplace_back("run/duration=0.2");
        scenes.push_back(large_steps_scene("hang", overrides));
        runs.push_back(run_large(scenes.back(), keeper.text));
    }
    const std::vector<double> rates = medians_in_turn(scenes, runs, study.repeats);
    std::vector<std::vector<std::string>> table{
        {"what keeps the lengths", "strain", "steps", "refused", "seconds", "energy rose [J]"}};
    for (std::size_t k = 0; k < all.size(); ++k) {
        const RunTotals& totals = runs[k].totals;
        table.push_back({all[k].text, percent_text(runs[k].strain), std::to_string(totals.steps),
                         std::to_string(totals.retries), fmt::format("{:.3g}", rates[k] * runs[k].simulated),
                         fmt::format("{:.2g}", runs[k].growth)});
    }
    section.tables = {table};
    write_csv(study.folder / "projection.csv", table);
    section.files = {"projection.csv"};
    for (const double strain : {0.01, 0.001}) {
        const std::size_t kept = cheapest(all, runs, rates, true, strain);
        const std::size_t stiff = cheapest(all, runs, rates, false, strain);
        Claim claim{
            fmt::format("(Goldenthal et al. 2007) shear and bending implicit, stretch projected: {}",
                        percent_text(strain)),
            "the projection does not hold it", "not the same",
            "a linearised step turns along the tangent, which stretches; shorter steps or Newton's method "
            "take "
            "that back at their price"};
        if (kept < all.size()) {
            claim.verdict = "same";
            claim.measured = fmt::format("held in {:.3g} s", rates[kept] * runs[kept].simulated);
            claim.measured +=
                stiff < all.size()
                    ? fmt::format("; the cheapest stiff cloth that holds it ({}) takes {:.3g} times as long",
                                  all[stiff].text, rates[stiff] / rates[kept])
                    : "; no stiff cloth of the table holds it";
        }
        section.claims.push_back(claim);
    }
    return section;
}

}  // namespace taut::cli

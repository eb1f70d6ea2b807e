// What the paper says does not work, Figures 5 and 8 to 11, and Figure 13: the fall.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "house1996.hpp"
#include "study.hpp"
#include "taut/filters/hierarchical.hpp"
#include "taut/io/picture.hpp"
#include "taut/scene/build.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// A patch that floats in the plane, with hardly any weight to let it buckle one way, drawn to the left at
// these vertices.
std::vector<std::string> drawn(const std::string& group, const std::string& pull) {
    return {
        "obstacles=[]", "forces/gravity/acceleration=[0,0,-0.05]", "run/dt=1/480", "run/duration=0.5",
        fmt::format(
            R"(pins=[{{"name":"pull","group":{},"motion":{{"interpolation":"linear","keyframes":[{{"time":0}},{{"time":1,"translate":{}}}]}}}}])",
            group, pull)};
}

// Largest height above and below the plane that fits the patch best is what buckles; the range of z will do
// for a level one.
double buckling(const State& state) {
    double low = 1e300, high = -1e300;
    for (const Vec3& p : state.x) low = std::min(low, p.z()), high = std::max(high, p.z());
    return high - low;
}

// Largest stretch of weft edges that cross from column 4 to 7 of an 11 x 11 patch, and of all others.
std::array<double, 2> stretch_at_border(const State& state) {
    std::array<double, 2> worst{0, 0};
    for (int j = 0; j < 11; ++j) {
        for (int i = 0; i < 10; ++i) {
            const auto a = static_cast<std::size_t>(11 * j + i);
            const double strain = std::abs((state.x[a + 1] - state.x[a]).norm() / 0.1 - 1);
            double& own = worst[i >= 4 && i <= 6 ? 0 : 1];
            own = std::max(own, strain);
        }
    }
    return worst;
}

void add_pictures(const PaperStudy& study, const std::string& file, const std::vector<io::Image>& images,
                  const std::vector<std::string>& labels, PaperSection& section) {
    io::write_png(study.folder / file,
                  io::film_strip(images, std::min<int>(4, static_cast<int>(images.size())), labels));
    section.pictures.push_back(file);
}

io::PictureSettings small_picture(const Vec3& view, bool strain) {
    io::PictureSettings settings;
    settings.width = 480, settings.height = 360;
    settings.view = view;
    settings.strain_colors = strain;
    settings.strain_limit = 0.1;
    settings.wireframe = true;
    return settings;
}

// Figures 8 and 9.
void quadrants(const PaperStudy& study, PaperSection& section, std::vector<std::vector<std::string>>& table) {
    std::vector<io::Image> images;
    std::vector<std::string> labels;
    std::array<double, 2> border{}, whole{};
    double flat = 0, buckled = 0;
    for (const bool edge : {false, true}) {
        for (const char* grouping : {"quadrants", "yarns"}) {
            const bool cut = std::string(grouping) == "quadrants";
            const std::string feedback = R"("feedback":"rates","ks":50000,"kd":5,"turning":1)";
            const std::string filter =
                cut ? only_filter("hierarchical", R"("grouping":"quadrants",)" + feedback)
                    : only_filter("hierarchical_corrected", feedback);
            const scene::Scene scene = house_scene(
                "house_fall",
                joined(drawn(edge ? R"({"edge":"u0"})" : R"({"indices":22})", "[-1,0,0]"), {filter}));
            const std::string text =
                fmt::format("{}, {}", edge ? "Figure 9" : "Figure 8", cut ? "quadrants" : "whole yarns");
            const HouseRun run = run_house(scene, text);
            const std::array<double, 2> stretch = stretch_at_border(run.end);
            const double out = buckling(run.end);
            table.push_back(
                {text, percent_text(stretch[0]), percent_text(stretch[1]), fmt::format("{:.1f}", 1e3 * out)});
            if (!edge) (cut ? border : whole) = stretch;
            if (edge) (cut ? buckled : flat) = out;
            images.push_back(pictures_of(scene, {run.end}, small_picture(Vec3(-0.3, -1, 0.8), true)).front());
            labels.push_back(text);
        }
    }
    add_pictures(study, "quadrants.png", images, labels, section);
    section.claims.push_back(
        {"Figure 8: subdivision isolates forces, and stretches at the border of quadrants",
         fmt::format("{} at the border against {} with whole yarns", percent_text(border[0]),
                     percent_text(whole[0])),
         border[0] > 3 * whole[0] ? "same" : "not the same", "one vertex drawn at 1 m/s, after 0.5 s"});
    section.claims.push_back(
        {"Figure 9: the tug of war pushes boundary particles out of the plane",
         fmt::format("{:.1f} mm out of the plane against {:.1f} mm", 1e3 * buckled, 1e3 * flat),
         buckled > 1.5 * flat + 1e-3 ? "same" : "not the same",
         buckled > 1.5 * flat + 1e-3
             ? ""
             : "the border stretches most, but springy feedback lets whole yarns leave the plane as well"});
}

// Figure 5: after how many steps the far end of a chain moves at half of the speed of the pull.
long steps_to_far_end(const std::vector<std::string>& overrides) {
    const std::unique_ptr<Simulation> simulation = scene::build(house_scene("pulled_chain", overrides));
    for (long k = 1; k <= 100000; ++k) {
        const StepResult result = simulation->try_step(simulation->settings().dt);
        simulation->restore(result.state, simulation->progress(), simulation->totals());
        const double far = result.state.v.front().x(), near = result.state.v.back().x();
        if (!std::isfinite(far)) return -1;
        if (near > 0 && far > 0.5 * near) return k;
    }
    return -1;
}

void chain(PaperSection& section, std::vector<std::vector<std::string>>& table) {
    const std::vector<std::string> common{"run/dt=1/960"};
    const long constrained = steps_to_far_end(common);
    const long springs = steps_to_far_end(
        joined(common, {"filters=[]", R"(forces=[{"type":"stiff_springs","stiffness":100}])"}));
    table.push_back({"Figure 5: steps until the far end of 20 links moves",
                     fmt::format("{} (constraints)", constrained),
                     fmt::format("{} (springs of 100 N)", springs), ""});
    section.claims.push_back(
        {"Figure 5: constraint forces are transmitted along the entire chain at once, springs need several "
         "steps",
         fmt::format("{} and {}", counted(constrained, "step"), counted(springs, "step")),
         constrained == 1 && springs > 5 ? "same" : "not the same", ""});
}

// Figure 10: what a first step does to both particles of `nails`.
void nails(PaperSection& section) {
    const std::unique_ptr<Simulation> simulation = scene::build(house_scene("nails", {}));
    const double dt = simulation->settings().dt;
    const StepResult result = simulation->try_step(dt);
    const double straight = result.state.v[1].z() / dt, bent = result.state.v[4].z() / dt;
    section.claims.push_back(
        {"Figure 10: no constraint force where nails and particle are in line; the applied force countered "
         "exactly where they are not",
         fmt::format("accelerations of the first step: {:.3g} m/s^2 and {:.1e} m/s^2", straight, bent),
         std::abs(straight + 9.81) < 1e-6 && std::abs(bent) < 1e-6 ? "same" : "not the same", ""});
}

// Figure 11b: yarns that turn by a right angle at every other crossing, links of one in line with those of
// the other.
void warp(PaperSection& section) {
    const scene::Assembly assembly = scene::assemble(
        house_scene("house_fall", {"obstacles=[]", "cloths/sheet/nu=21", "cloths/sheet/nv=21"}));
    State start = assembly.start;
    const auto at = [&](int i, int j) -> Vec3& { return start.x[static_cast<std::size_t>(21 * j + i)]; };
    for (int j = 0; j < 21; ++j) {
        for (int i = 0; i < 21; ++i) {
            const int i_half = i / 2, j_half = j / 2;
            at(i, j) = 0.05 * (Vec3(i - i_half, -i_half, 0) + Vec3(j_half - j, j_half, 0));
        }
    }
    std::vector<double> left;
    std::string text;
    for (const char* grouping : {"yarns", "warped"}) {
        filters::HierarchicalParams params;
        params.grouping = grouping;
        filters::Hierarchical filter(params);
        filter.prepare(assembly.model);
        StepContext context;
        context.model = &assembly.model;
        context.start = &start;
        context.dt = context.h = 1.0 / 960;
        context.pinned.assign(start.x.size(), 0);
        context.pin_target = start.x;
        Candidate c;
        c.v = start.v;
        // Draw the patch apart along the lines of links, in smooth waves.
        for (int k = 0; k < 441; ++k)
            c.v[static_cast<std::size_t>(k)] = Vec3(std::sin(0.6 * (k % 21) + 0.9 * (k / 21)),
                                                    std::cos(0.45 * (k / 21) - 0.8 * (k % 21)), 0);
        FilterReport report;
        filter.apply(context, c, report);
        left.push_back(report.reached);
        text += fmt::format(
            "{}{} left grouped {}", text.empty() ? "" : ", ", fmt::format("{:.3f}", report.reached),
            std::string(grouping) == "yarns" ? "along yarns"
                                             : fmt::format("anew at {} crossings", filter.regrouped()));
    }
    section.claims.push_back(
        {"Figure 11b: where yarns are warped it might make sense to regroup constraints", text,
         left[1] < 0.9 * left[0] ? "same" : "not the same",
         left[1] < 0.9 * left[0]
             ? ""
             : "links that lie in line are then in one group, but those that cross beside them are not"});
}

}  // namespace

PaperSection paper_failures(const PaperStudy& study) {
    PaperSection section;
    section.title = "Figures 5 and 8 to 11: what constraints do at once, and what defeats groups";
    section.text =
        "Figures 8 and 9: a patch of 11 x 11 yarns with hardly any weight is drawn to the left at 1 m/s, by "
        "one vertex of a "
        "quadrant and by a whole side, 0.5 s; four quadrants are solved by themselves (`grouping: "
        "quadrants`), or whole yarns "
        "and all (`hierarchical_corrected`). Feedback is springy, ks = 50 000/s^2 and kd = 5/s, as stiff as "
        "the tug of war of the paper asks for. Colours are strain up to 10 %.";
    std::vector<std::vector<std::string>> table{
        {"run", "strain at the border", "strain elsewhere", "out of the plane [mm]"}};
    quadrants(study, section, table);
    chain(section, table);
    nails(section);
    warp(section);
    section.tables = {table};
    write_csv(study.folder / "failures.csv", table);
    section.files = {"failures.csv"};
    return section;
}

PaperSection paper_fall(const PaperStudy& study) {
    PaperSection section;
    section.title = "Figure 13: the fall over two spheres and a cube";
    section.text =
        "The scene `house_fall`: spheres and a cube with a friction of 0.15, air that damps velocities at "
        "0.5/s. "
        "Drawn: 11 x 11 yarns as in the paper by the hierarchical algorithm as printed, then the same, 51 x "
        "51 "
        "and 101 x 101 yarns with `hierarchical_corrected`; steps are 1/240 s, and 1/960 s for more than 11 "
        "yarns.";
    struct Fall {
        int size;
        const char *dt, *duration, *type;
        std::vector<int> frames;
    };
    std::vector<Fall> falls{{11, "1/240", "1.3", "hierarchical", {12, 24, 48, 66}},
                            {11, "1/240", "1.3", "hierarchical_corrected", {12, 24, 48, 66}},
                            {51, "1/960", "1.1", "hierarchical_corrected", {12, 24, 48, 66}}};
    falls.push_back({51, "1/960", "0.6", "hierarchical", {}});
    if (study.quick) falls.resize(2);
    if (!study.quick) {
        falls.push_back({101, "1/960", "0.42", "hierarchical_corrected", {9, 15, 20, 25}});
        falls.push_back({101, "1/960", "0.42", "hierarchical", {}});
    }
    std::vector<std::vector<std::string>> table{{"yarns", "filter", "simulated [s]", "a step [ms]",
                                                 "took in all [s]", "largest strain", "mean strain",
                                                 "deepest inside [mm]"}};
    std::vector<io::Image> images;
    std::vector<std::string> labels;
    bool fell = false;
    double first = 0, crumpled = 0;
    for (const Fall& fall : falls) {
        const scene::Scene scene = house_scene(
            "house_fall", joined(patch(fall.size, fall.dt, fall.duration), {only_filter(fall.type)}));
        const HouseRun run = run_house(scene, fmt::format("{} yarns, {}", fall.size, fall.type), fall.frames);
        io::PictureSettings settings = small_picture(Vec3(0.9, -1, 0.55), false);
        settings.wireframe = fall.size < 50;
        for (const State& state : run.frames) {
            images.push_back(pictures_of(scene, {state}, settings).front());
            labels.push_back(fmt::format("{}, {:.2f} s", fall.size, state.t));
        }
        crumpled = std::max(crumpled, run.strain);
        const double took = run.step_s * static_cast<double>(run.steps);
        if (&fall == &falls[0]) {
            first = took;
            fell = run.motion.center.back().z() < 0;
        }
        table.push_back({fmt::format("{} x {}", fall.size, fall.size),
                         fall.type + std::string(run.finished() ? "" : " (lost itself)"), fall.duration,
                         fmt::format("{:.3g}", 1e3 * run.step_s), fmt::format("{:.3g}", took),
                         percent_text(run.strain), percent_text(run.mean),
                         fmt::format("{:.2g}", 1e3 * run.depth)});
    }
    add_pictures(study, "fall.png", images, labels, section);
    section.tables = {table};
    write_csv(study.folder / "fall.csv", table);
    section.files = {"fall.csv"};
    section.claims = {
        {"the cloth falls over the geometry, slides off and falls free; under a minute on an R4000 Indigo "
         "Elan",
         fmt::format("{} in {:.2g} s of solving", fell ? "it slides off and falls free" : "it stays", first),
         fell ? "same" : "not the same", ""},
        {"only inertial, viscous and frictional forces: very loose chain mail",
         fmt::format("so it looks; single edges of the finest crumple by {}", percent_text(crumpled)), "same",
         "bending and trellising are missing, as there; and without them cloth of finer yarns whips "
         "harder than steps of this length can follow"}};
    return section;
}

}  // namespace taut::cli

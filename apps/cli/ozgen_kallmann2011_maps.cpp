// Orders of corrections, and maps for other fixed vertices.
#include <fmt/format.h>

#include <algorithm>

#include "build_info.hpp"
#include "ozgen_kallmann2011.hpp"
#include "study.hpp"
#include "taut/io/cache_recorder.hpp"
#include "taut/io/picture.hpp"
#include "taut/scene/build.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

struct NamedOrder {
    const char *name, *text;
};
const NamedOrder orders[] = {{"horizontal_vertical_shear", "H V S"}, {"vertical_horizontal_shear", "V H S"},
                             {"horizontal_shear_vertical", "H S V"}, {"vertical_shear_horizontal", "V S H"},
                             {"shear_horizontal_vertical", "S H V"}, {"shear_vertical_horizontal", "S V H"}};

// A picture of the state with its map.
io::Image map_picture(const scene::Scene& scene, const State& state, const CorrectionMap* map) {
    const std::unique_ptr<Simulation> simulation = scene::build(scene);
    const std::vector<collision::Obstacle> obstacles = scene::make_obstacles(scene);
    const io::CacheHeader header =
        io::make_cache_header(*simulation, obstacles, {library_version(), scene.name, "{}"});
    io::CacheFrame frame{state.t, state.x, {}, {}};
    io::place_obstacles(obstacles, frame);
    io::PictureSettings settings;
    settings.width = 640, settings.height = 480, settings.view = scene.preview.picture.view;
    const io::Camera camera = io::fit_camera(header, std::span(&frame, 1), settings);
    return io::render_frame(header, frame, camera, settings, {}, map);
}

// Runs a scene and draws the frame of its preview with the map in use there.
MapRun run_and_draw(const scene::Scene& scene, const std::string& name, std::vector<io::Image>& images) {
    MapRun run = run_map_scene(scene, name);
    images.push_back(map_picture(scene, run.shown, run.shown_map.list.empty() ? nullptr : &run.shown_map));
    return run;
}

std::string corrections_cell(const MapRun& run) { return fmt::format("{:.3g}", run.corrections); }

// Which springs a map corrects, and which end of them it moves.
std::vector<std::pair<int, int>> springs_of(const CorrectionMap& map) {
    std::vector<std::pair<int, int>> springs;
    for (const Correction& c : map.list) springs.emplace_back(c.from, c.to);
    std::sort(springs.begin(), springs.end());
    springs.erase(std::unique(springs.begin(), springs.end()), springs.end());
    return springs;
}

// Part of the springs of one map that another has too.
double likeness(const CorrectionMap& a, const CorrectionMap& b) {
    const auto first = springs_of(a), second = springs_of(b);
    std::vector<std::pair<int, int>> common;
    std::set_intersection(first.begin(), first.end(), second.begin(), second.end(),
                          std::back_inserter(common));
    return first.empty() ? 1 : static_cast<double>(common.size()) / static_cast<double>(first.size());
}

// How many maps are left when those that are alike in all but one of 200 springs count once.
int different(const std::vector<MapRun>& runs) {
    int count = 0;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const auto alike = [&](const MapRun& other) { return likeness(runs[k].map, other.map) >= 0.995; };
        count += std::none_of(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(k), alike) ? 1 : 0;
    }
    return count;
}

// One way to spread, with the runs of all six orders and that from one fixed vertex after the other.
struct Spread {
    const char* text;
    std::vector<std::string> overrides;
    std::vector<MapRun> runs{};
    MapRun apart{};

    double least() const {
        double strain = runs[0].strain;
        for (const MapRun& run : runs) strain = std::min(strain, run.strain);
        return strain;
    }
};

}  // namespace

PaperSection paper_orders(const PaperStudy& study) {
    PaperSection section;
    section.title = "Figures 2 and 3: the order of corrections";
    section.text =
        "Scene `directional_corners`, 41 x 41 particles, dt = 1/1020 s, 3 s. All six orders of the three "
        "kinds, and the paper's with one fixed vertex after the other in place of all at once; with a "
        "vertex queued at every visit, three at most, which is Algorithm 1 to the letter and drawn here; "
        "queued at its first visit alone, our default; and with one visit. `like H V S` is the part of the "
        "springs of that order's map that this one corrects too, the same way round.";
    const std::string d = "filters/directional/";
    std::vector<Spread> spreads{{"every visit", {d + "queue=every_visit"}},
                                {"first visit", {d + "queue=first_visit"}},
                                {"one visit", {d + "visits=1"}}};
    std::vector<io::Image> images;
    std::vector<std::string> labels;
    for (Spread& spread : spreads) {
        const auto run = [&](const std::string& text, const std::string& what) {
            std::vector<std::string> overrides = spread.overrides;
            overrides.push_back(study.quick ? "run/duration=0.5" : "run/duration=3");
            overrides.push_back(d + what);
            const scene::Scene scene = study_scene("directional_corners", overrides);
            const std::string name = text + ", " + spread.text;
            if (&spread != &spreads[0]) return run_map_scene(scene, name);
            labels.push_back(text);
            return run_and_draw(scene, name, images);
        };
        for (const NamedOrder& order : orders)
            spread.runs.push_back(run(order.text, std::string("order=") + order.name));
        spread.apart = run("H V S, one by one", "expansion=one_by_one");
    }
    std::vector<std::vector<std::string>> table{{"order"}};
    for (const Spread& spread : spreads) {
        for (const char* column : {"like H V S", "largest strain", "corrected a step"})
            table[0].push_back(fmt::format("{}: {}", spread.text, column));
    }
    for (std::size_t k = 0; k < labels.size(); ++k) {
        table.push_back({labels[k]});
        for (const Spread& spread : spreads) {
            const MapRun& run = k < spread.runs.size() ? spread.runs[k] : spread.apart;
            table.back().push_back(fmt::format("{:.0f} %", 100 * likeness(run.map, spread.runs[0].map)));
            table.back().push_back(percent_text(run.strain));
            table.back().push_back(corrections_cell(run));
        }
    }
    io::write_png(study.folder / "orders.png", io::film_strip(images, 3, labels), "Orders of corrections");
    section.pictures = {"orders.png"};
    section.tables = {table};
    write_csv(study.folder / "orders.csv", table);
    section.files = {"orders.csv"};
    const Spread &every = spreads[0], &once = spreads[2];
    const int kinds = different(every.runs);
    section.claims = {
        {"two of six orders are like others, four are left",
         fmt::format("{} are left; {} where vertices are queued at their first visit, {} with one visit",
                     kinds, different(spreads[1].runs), different(once.runs)),
         kinds == 4 ? "same" : "not the same", "alike: but for one of 200 springs"},
        {"the best order is horizontal, vertical, shear",
         fmt::format("it reaches {}, the best of the six {}; with one visit {} and {}",
                     percent_text(every.runs[0].strain), percent_text(every.least()),
                     percent_text(once.runs[0].strain), percent_text(once.least())),
         every.runs[0].strain <= 1.001 * every.least() && once.runs[0].strain <= 1.001 * once.least()
             ? "same"
             : "partly",
         "judged by strain; the paper judges by looks"},
        {"expansions that are not synchronised cause serious visual artefacts",
         fmt::format("strain {} in place of {}; with one visit {} and {}", percent_text(every.apart.strain),
                     percent_text(every.runs[0].strain), percent_text(once.apart.strain),
                     percent_text(once.runs[0].strain)),
         every.apart.strain > 1.1 * every.runs[0].strain ? "same" : "not the same", ""}};
    return section;
}

PaperSection paper_maps(const PaperStudy& study) {
    PaperSection section;
    section.title = "Figures 5 to 7: maps for other fixed vertices";
    section.text =
        "The scenes of the paper with one directional pass, with its viscosity alone, that is with a "
        "threshold that nothing reaches, and with neither; steps and springs as the scenes have them. It is "
        "not a 1 % method: strain is what the threshold of 10 % leaves, and what contacts add behind the "
        "pass. `listed` is the length of the correction map at the frame that is drawn, that of the scene's "
        "preview.";
    std::vector<std::string> names{"directional_corners", "directional_edge", "directional_flag",
                                   "directional_four", "directional_ball"};
    if (!study.quick)
        names.insert(names.end(), {"directional_table", "directional_dress", "directional_dress_held",
                                   "directional_walk"});
    std::vector<std::vector<std::string>> table{{"scene", "vertices", "listed", "corrected a step",
                                                 "largest strain", "mean strain", "viscosity alone", "mean",
                                                 "neither", "mean", "a step [ms]"}};
    std::vector<io::Image> images;
    std::vector<std::string> labels;
    std::vector<double> listed;
    std::string idle;
    bool better = true;
    for (const std::string& name : names) {
        std::vector<std::string> short_run;
        if (study.quick) short_run.push_back("run/duration=0.5");
        std::vector<std::string> viscous = short_run, without = short_run;
        viscous.push_back("filters/directional/threshold=10");
        without.push_back("filters/directional=null");
        if (name == "directional_walk") without.push_back("correction_maps=[]");
        const MapRun run = run_and_draw(study_scene(name, short_run), name, images);
        const MapRun calm = run_map_scene(study_scene(name, viscous), name + ", viscosity alone");
        const MapRun none = run_map_scene(study_scene(name, without), name + ", neither");
        labels.push_back(name.substr(12));
        listed.push_back(static_cast<double>(run.shown_map.list.size()));
        if (run.corrections == 0)
            idle += (idle.empty() ? "" : " and ") + labels.back();
        else
            better = better && run.strain < calm.strain;
        table.push_back({name, std::to_string(run.end.x.size()), std::to_string(run.shown_map.list.size()),
                         corrections_cell(run), percent_text(run.strain), percent_text(run.mean),
                         percent_text(calm.strain), percent_text(calm.mean), percent_text(none.strain),
                         percent_text(none.mean), fmt::format("{:.3g}", 1e3 * run.step_s)});
    }
    io::write_png(study.folder / "maps.png", io::film_strip(images, 3, labels), "Correction maps");
    section.pictures = {"maps.png"};
    section.tables = {table};
    write_csv(study.folder / "maps.csv", table);
    section.files = {"maps.csv"};
    const auto [least, most] = std::minmax({listed[0], listed[1], listed[3]});
    section.claims = {
        {"whatever is fixed, the number of springs to be corrected stays practically the same",
         fmt::format("two corners {:.0f}, one edge {:.0f}, four corners {:.0f}", listed[0], listed[1],
                     listed[3]),
         most <= 1.05 * least ? "same" : "not the same",
         "each vertex is visited so often, but for those that are fixed"},
        {"overstretching is eliminated",
         fmt::format("{} than by viscosity alone wherever springs are corrected{}",
                     better ? "strain is lower" : "strain is not everywhere lower",
                     idle.empty() ? "" : "; none has to be in " + idle),
         better ? "partly" : "not the same",
         "down to the threshold where nothing but pins holds the cloth, more where contacts push"}};
    if (!study.quick)
        section.claims.insert(
            section.claims.begin() + 1,
            {"only on the table it is much less", fmt::format("{:.0f} on the table", listed[5]),
             listed[5] < 0.5 * listed[0] ? "same"
                                         : (listed[5] < 0.95 * listed[0] ? "partly" : "not the same"),
             "as many vertices as lie on the table are fixed, which is a matter of its size"});
    return section;
}

}  // namespace taut::cli

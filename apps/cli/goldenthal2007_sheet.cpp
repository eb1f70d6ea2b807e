// Figures 1, 3 and 6: sheets that sag less the less strain is permitted, the residual of fast projection over
// a moving sequence, and the same drape by fast projection and by ICD.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "goldenthal2007.hpp"
#include "scene_source.hpp"
#include "taut/collision/obstacle.hpp"
#include "taut/io/chart.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

// Height of one vertex over time.
class HeightRecorder final : public Observer {
public:
    explicit HeightRecorder(std::size_t vertex) : vertex_(vertex) {}
    void frame(const Simulation& simulation, int) override {
        t.push_back(simulation.state().t);
        z.push_back(simulation.state().x[vertex_].z());
    }
    std::vector<double> t, z;

private:
    std::size_t vertex_;
};

// The residual F that fast projection reports.
class ResidualRecorder final : public Observer {
public:
    void step(const Simulation&, const StepReport& report) override {
        for (const FilterReport& filter : report.filters) {
            if (filter.name != "fast_projection") continue;
            t.push_back(report.t);
            first.push_back(filter.force_first);
            last.push_back(filter.force_last);
            iterations.push_back(filter.iterations);
        }
    }
    std::vector<double> t, first, last, iterations;
};

double largest_sag(ConstPoints x, int across) {
    double sag = 0;
    for (int i = 0; i < across; ++i) sag = std::max(sag, x[0].z() - x[std::size_t(i)].z());
    return sag;
}

// Distance from a point to a triangle.
double distance_to(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a;
    const double d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0) return ap.norm();
    const Vec3 bp = p - b;
    const double d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3) return bp.norm();
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return (ap - d1 / (d1 - d3) * ab).norm();
    const Vec3 cp = p - c;
    const double d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6) return cp.norm();
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return (ap - d2 / (d2 - d6) * ac).norm();
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
        return (bp - (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b)).norm();
    }
    const double scale = 1 / (va + vb + vc);
    return (ap - vb * scale * ab - vc * scale * ac).norm();
}

// Distance of every vertex of one sheet to the surface of the other, n x n vertices each.
std::vector<double> surface_distances(ConstPoints from, ConstPoints to, int n) {
    std::vector<double> distances;
    for (const Vec3& p : from) {
        double least = INFINITY;
        for (int j = 0; j + 1 < n; ++j) {
            for (int i = 0; i + 1 < n; ++i) {
                const std::size_t a = std::size_t(j * n + i), c = a + std::size_t(n);
                least = std::min(least, distance_to(p, to[a], to[a + 1], to[c + 1]));
                least = std::min(least, distance_to(p, to[a], to[c + 1], to[c]));
            }
        }
        distances.push_back(least);
    }
    return distances;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? NAN : sum / double(values.size());
}

// One panel of Figure 1.
struct SagPanel {
    const char* name;
    const char* item;
    double strain;
};

constexpr SagPanel sag_panels[] = {{"springs, 10 %", "stiff_springs+dt=1/60", 0.1},
                                   {"springs, 1 %", "stiff_springs+dt=1/60", 0.01},
                                   {"springs, 0.1 %", "stiff_springs+dt=1/60", 0.001},
                                   {"our default, 0.1 %", "stable_projection+dt=1/60", 0.001}};

struct SagRun {
    io::ChartSeries shape, history;  // the upper edge at the end, its middle over time
    double sag = 0;                  // [m]
    std::vector<std::string> cells;  // of the table
    State end;
};

SagRun run_panel(const SagPanel& panel, const scene::Scene& scene, int n) {
    HeightRecorder middle(std::size_t(n / 2));
    const TimedRun run = run_timed(scene, panel.item, panel.strain, {0, {&middle}});
    tell_run(run);
    const ConstPoints x = run.end.x;
    SagRun result;
    result.shape.name = result.history.name = panel.name;
    result.shape.markers = result.history.markers = false;
    for (int i = 0; i < n; ++i) {
        result.shape.x.push_back(x[std::size_t(i)].x());
        result.shape.y.push_back(x[std::size_t(i)].z() - x[0].z());
    }
    for (std::size_t k = 0; k < middle.t.size(); ++k) {
        result.history.x.push_back(middle.t[k]);
        result.history.y.push_back(middle.z[k] - x[0].z());
    }
    double low = 0;
    for (const Vec3& p : x) low = std::min(low, p.z() - x[0].z());
    result.sag = largest_sag(x, n);
    result.cells = {
        std::string("`") + panel.item + "`",      percent_text(panel.strain), percent_text(run.strain),
        fmt::format("{:.1f}", 1000 * result.sag), fmt::format("{:.4f}", low), std::to_string(run.steps),
        fmt::format("{:.2f}", run.seconds)};
    result.end = run.end;
    return result;
}

}  // namespace

PaperSection paper_figure1(const PaperStudy& study) {
    PaperSection section;
    const int n = study.quick ? 21 : 41;
    section.title = "Figure 1: permissible strain and sag";
    section.text = fmt::format(
        "A 1 m sheet of {0} x {0} vertices, pinned at two corners exactly 1 m apart, relaxes under gravity "
        "from its flat shape for 3 s (upright, damping 2 1/s), with springs as stiff as 10 %, 1 % and 0.1 % "
        "of permissible strain ask for (`stiff_springs`, `backward_euler`, dt = 1/60 s), and last with our "
        "default filter at 0.1 %. The paper does not say which method it used and shows a denim patch "
        "beside them; its upper edge is straight. The row between the pins is exactly as long as their "
        "distance: "
        "it cannot move without stretching.",
        n);
    const scene::Scene scene = open_scene(
        "hang_taut", {fmt::format("cloths/0/nu={}", n), fmt::format("cloths/0/nv={}", n), "run/duration=3",
                      "forces/velocity_damping/rate=2", "cloths/0/place/rotate=[-90,0,0]"});

    io::Chart shape, sag;
    shape.title = "Upper edge between the pins after 3 s";
    shape.x.label = "x [m]";
    shape.y.label = "height over the pins [m]";
    sag.title = "Sag of the middle of the upper edge";
    sag.x.label = "time [s]";
    sag.y.label = "height over the pins [m]";
    std::vector<State> ends;
    std::vector<std::vector<std::string>> table{{"method", "permissible strain", "largest strain",
                                                 "sag of the upper edge [mm]", "lowest point [m]", "steps",
                                                 "time [s]"}};
    std::vector<double> sags;
    std::vector<std::string> names;
    for (const SagPanel& panel : sag_panels) {
        const SagRun run = run_panel(panel, scene, n);
        names.emplace_back(panel.name);
        shape.series.push_back(run.shape);
        sag.series.push_back(run.history);
        sags.push_back(run.sag);
        table.push_back(run.cells);
        ends.push_back(run.end);
    }
    io::write_chart(study.folder / "figure1_shape", shape);
    io::write_chart(study.folder / "figure1_sag", sag);
    io::PictureSettings settings;
    settings.width = 480;
    settings.height = 540;
    settings.view = Vec3(0.25, -1, 0.12);
    io::write_png(study.folder / "figure1.png", io::film_strip(pictures_of(scene, ends, settings), 4, names));
    write_csv(study.folder / "figure1.csv", table);
    section.pictures = {"figure1.png", "figure1_shape.png", "figure1_sag.png"};
    section.files = {"figure1.csv"};
    section.tables = {table};
    const bool visible = sags[0] > 2 * sags[1];
    section.claims.push_back({"10 % of strain shows plainly beside 1 % and less",
                              fmt::format("the upper edge sags by {:.0f}, {:.0f} and {:.0f} mm; {:.1f} mm "
                                          "with our default",
                                          1000 * sags[0], 1000 * sags[1], 1000 * sags[2], 1000 * sags[3]),
                              visible && sags[1] > sags[2] ? "same" : "not the same", ""});
    return section;
}

PaperSection paper_figure3(const PaperStudy& study) {
    PaperSection section;
    section.title = "Figure 3: the residual F of fast projection";
    section.text =
        "F after the first and after the last iteration of fast projection, in every step of a moving "
        "sequence (scene `skirt_dance`: a skirt on a dancer who turns, with collisions, 0.1 % permissible "
        "strain, dt = 1/120 s), as the root mean square over the mass of F = (x - x0) + M^-1 J^T mu, in the "
        "first round of projection and collisions. The paper's sequence is a ballet dancer too.";
    std::vector<std::string> overrides{"run/duration=2"};
    if (study.quick) overrides = {"cloths/0/around=64", "cloths/0/along=33", "run/duration=0.5"};
    const scene::Scene scene = open_scene("skirt_dance", overrides);
    ResidualRecorder recorder;
    const TimedRun run =
        run_timed(scene, "fast_projection+implicit_euler+cholesky+dt=1/120", 0.001, {0, {&recorder}});
    tell_run(run);

    io::Chart chart;
    chart.title = "Residual F of every step";
    chart.note = fmt::format("{} vertices, {} steps", run.vertices, recorder.t.size());
    chart.x.label = "time [s]";
    chart.y.label = "F [m]";
    chart.y.log = true;
    io::ChartSeries first{"after the first iteration", recorder.t, recorder.first, true, false, true, 1};
    io::ChartSeries last{"after the last iteration", recorder.t, recorder.last, true, false, false, 0};
    chart.series = {first, last};
    io::write_chart(study.folder / "figure3", chart);
    std::vector<std::vector<std::string>> rows{{"t", "F_first", "F_last", "iterations"}};
    long steps = 0, several = 0, lower = 0;
    std::vector<double> ratios;
    for (std::size_t k = 0; k < recorder.t.size(); ++k) {
        rows.push_back({fmt::format("{}", recorder.t[k]), fmt::format("{}", recorder.first[k]),
                        fmt::format("{}", recorder.last[k]), fmt::format("{}", recorder.iterations[k])});
        if (!(recorder.first[k] > 0)) continue;
        ++steps;
        const double ratio = recorder.last[k] / recorder.first[k];
        if (ratio == 1) continue;
        ++several;
        lower += ratio < 1 ? 1 : 0;
        ratios.push_back(ratio);
    }
    write_csv(study.folder / "figure3.csv", rows);
    const double middle = median(ratios);
    const double most = ratios.empty() ? NAN : *std::max_element(ratios.begin(), ratios.end());
    section.pictures = {"figure3.png"};
    section.files = {"figure3.csv"};
    Claim claim{
        "the first iteration takes the first-order error away; the others change F to higher order only, "
        "often "
        "for the better",
        fmt::format("none of {} steps that projected took more than one iteration", steps), "nothing to see",
        ""};
    if (several > 0) {
        claim.measured = fmt::format(
            "of {} steps that projected, {} took more than one iteration; in these F changed by a factor of "
            "{:.3f} "
            "in the median and {:.2f} at most, and fell in {:.0f} %",
            steps, several, middle, most, 100.0 * double(lower) / double(several));
        claim.verdict = most < 3 ? "same" : "partly";
    }
    section.claims.push_back(std::move(claim));
    return section;
}

PaperSection paper_figure6(const PaperStudy& study) {
    PaperSection section;
    const int n = study.quick ? 21 : 41;
    section.title = "Figure 6: fast projection beside implicit constraint direction";
    section.text = fmt::format(
        "The same drape ({0} x {0} vertices over the polygonal ball, 1 % permissible strain, dt = 1/480 s, 1 "
        "s) by "
        "both methods, and the distance between the two surfaces.",
        n);
    const scene::Scene scene =
        open_scene("drape_polygon",
                   {fmt::format("cloths/0/nu={}", n), fmt::format("cloths/0/nv={}", n), "run/duration=1"});
    const TimedRun fast = run_timed(scene, "fast_projection+implicit_euler+cholesky+dt=1/480", 0.01, {});
    tell_run(fast);
    const TimedRun icd = run_timed(scene, "icd+implicit_euler+dt=1/480", 0.01, {});
    tell_run(icd);
    io::PictureSettings settings;
    settings.width = 640;
    settings.height = 480;
    io::write_png(
        study.folder / "figure6.png",
        io::film_strip(pictures_of(scene, {fast.end, icd.end}, settings), 2, {"fast projection", "ICD"}));
    std::vector<double> distances = surface_distances(fast.end.x, icd.end.x, n);
    const std::vector<double> back = surface_distances(icd.end.x, fast.end.x, n);
    distances.insert(distances.end(), back.begin(), back.end());
    const double most = *std::max_element(distances.begin(), distances.end());
    std::vector<std::vector<std::string>> table{
        {"", "steps", "iterations/step", "time [s]", "largest strain"},
        {"fast projection", std::to_string(fast.steps), fmt::format("{:.2f}", fast.iterations),
         fmt::format("{:.3g}", fast.seconds), percent_text(fast.strain)},
        {"ICD", std::to_string(icd.steps), fmt::format("{:.2f}", icd.iterations),
         fmt::format("{:.3g}", icd.seconds), percent_text(icd.strain)}};
    section.tables = {table};
    write_csv(study.folder / "figure6.csv", table);
    section.pictures = {"figure6.png"};
    section.files = {"figure6.csv"};
    section.claims.push_back(
        {"qualitatively similar results",
         fmt::format("the surfaces are {:.1f} mm apart in the mean and {:.1f} mm at most, on a sheet of 1 m",
                     1000 * mean(distances), 1000 * most),
         mean(distances) < 0.02 ? "same" : "partly", ""});
    return section;
}

}  // namespace taut::cli

#include "fabric_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "scene_source.hpp"
#include "study.hpp"
#include "taut/base/error.hpp"
#include "taut/elements/load_path.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/chart.hpp"
#include "taut/scene/fabric_kes.hpp"
#include "taut/scene/fabric_units.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;
using scene::Json;

// The bending tester of Kawabata holds 1 cm of cloth; its shear tester 5 cm.
constexpr double gauge = 0.01, frame = 0.05;  // [m]
constexpr int gauge_cells = 20, frame_cells = 10, strip_cells = 40;

const std::vector<std::string>& test_names() {
    static const std::vector<std::string> names{"bending", "shear", "cantilever", "drape"};
    return names;
}

bool wanted(const BenchPlan& plan, const std::string& test) {
    if (plan.tests.empty()) return true;
    const std::vector<std::string> chosen = split(plan.tests, ',');
    return std::find(chosen.begin(), chosen.end(), test) != chosen.end();
}

void check_tests(const BenchPlan& plan) {
    if (plan.tests.empty()) return;
    for (const std::string& test : split(plan.tests, ',')) {
        const auto& known = test_names();
        if (std::find(known.begin(), known.end(), test) != known.end()) continue;
        const std::string near = nearest_name(test, known);
        throw InputError({"", "--tests"}, "there is no such test", test,
                         (near.empty() ? std::string() : "did you mean " + near + "? ") +
                             "allowed: bending, shear, cantilever, drape");
    }
}

// The points of a fabric, or its curve along a cycle.
scene::LoadPath data_of(const scene::FabricTest& test, bool shear) {
    if (!test.paths.empty()) return test.paths.front();
    constexpr int steps = 25;
    scene::LoadPath path =
        scene::cycle_of(test.curve, shear ? scene::kes_shear_reach : scene::kes_bending_reach, steps);
    path.load.resize(path.s.size());
    elements::loads_along(test.curve, path.s, path.load);
    return path;
}

SampleReport test_sample(const std::string& name, const std::string& title, const scene::FabricTest& test,
                         const scene::TestSample& sample, bool shear) {
    fmt::print(stderr, "  {}\n", title);
    SampleReport report{name, title, shear, {}, data_of(test, shear), !test.paths.empty(), 0, 0};

    // Begin at rest, wherever the data do.
    std::vector<double> path{0};
    path.insert(path.end(), report.data.s.begin(), report.data.s.end());
    report.loads = scene::follow_path(sample, path, true);
    report.loads.path.s.erase(report.loads.path.s.begin());
    report.loads.path.load.erase(report.loads.path.load.begin());
    double most = 0, sum = 0;
    for (std::size_t k = 0; k < report.data.s.size(); ++k) {
        const double off = std::abs(report.loads.path.load[k] - report.data.load[k]);
        most = std::max(most, std::abs(report.data.load[k]));
        report.largest = std::max(report.largest, off);
        sum += off * off;
    }
    report.rms = std::sqrt(sum / double(std::max<std::size_t>(1, report.data.s.size()))) / most;
    report.largest /= most;
    return report;
}

// With the curves of the fabric, and with the straight lines that stand for them.
void add_cantilevers(const std::shared_ptr<const Fabric>& fabric, BenchReport& report) {
    fmt::print(stderr, "  cantilevers\n");
    auto straight = std::make_shared<Fabric>(*fabric);
    straight->bend_warp = elements::straight(fabric->bending_warp());
    straight->bend_weft = elements::straight(fabric->bending_weft());
    straight->shear = elements::straight(fabric->shear_stiffness());
    for (const bool weft : {false, true}) {
        const std::string name = weft ? "weft" : "warp";
        report.cantilevers.push_back({name, scene::test_cantilever(fabric, weft, strip_cells)});
        report.cantilevers.push_back(
            {name + ", B alone", scene::test_cantilever(straight, weft, strip_cells)});
    }
}

void add_drapes(const std::string& name, const BenchPlan& plan, BenchReport& report) {
    const std::vector<int> across = plan.across.empty() ? std::vector<int>{60} : plan.across;
    for (const int cells : across) {
        for (int seed = 1; seed <= plan.seeds; ++seed) {
            const scene::Scene scene = open_scene(
                "cusick", {fmt::format("cloths/0/material/fabric={}", Json(name).dump()),
                           fmt::format("cloths/0/across={}", cells), fmt::format("run/seed={}", seed)});
            SettleSettings settings;
            settings.at = plan.at;
            const auto start = std::chrono::steady_clock::now();
            DrapeReport drape{cells, seed, scene::test_drape(scene, settings), 0};
            drape.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            fmt::print(stderr, "  drape, {} cells across, seed {}: {} in {}\n", cells, seed,
                       percent_text(drape.result.coefficient), seconds_text(drape.seconds));
            report.drapes.push_back(std::move(drape));
        }
    }
}

std::vector<std::string> cantilever_row(const std::string& name, const scene::CantileverResult& r) {
    return {name,
            fmt::format("{:.4g}", 100 * r.overhang),
            fmt::format("{:.4g}", 100 * r.length),
            fmt::format("{:.4g}", 100 * r.peirce),
            fmt::format("{:.4g}", 100 * r.expected),
            fmt::format("{:+.2f} %", 100 * (r.length / r.expected - 1)),
            r.at_rest ? "yes" : "NO"};
}

Json cantilever_json(const scene::CantileverResult& r) {
    return {{"overhang", r.overhang},  {"bending_length", r.length}, {"peirce", r.peirce},
            {"cube_root", r.expected}, {"B", r.stiffness},           {"weight", r.weight},
            {"strips", r.strips},      {"at_rest", r.at_rest}};
}

io::Chart sample_chart(const SampleReport& report, const std::string& fabric) {
    const double deformation = report.shear ? scene::kes_angle : scene::kes_curvature;
    const double load = report.shear ? scene::kes_force : scene::kes_moment;
    io::Chart chart;
    chart.title = fmt::format("{}: {}, simulated", fabric, report.title);
    chart.note = fmt::format("deviation from the data: rms {}, largest {}", percent_text(report.rms),
                             percent_text(report.largest));
    chart.x.label = report.shear ? "shear angle [deg]" : "curvature [1/cm]";
    chart.y.label = report.shear ? "force per width [gf/cm]" : "moment per width [gf.cm/cm]";
    io::ChartSeries data{.name = report.measured ? "points of the fabric" : "curve of the fabric",
                         .line = false};
    io::ChartSeries simulated{.name = "simulated sample", .markers = false};
    for (std::size_t k = 0; k < report.data.s.size(); ++k) {
        if (k % 2 == 0) {
            data.x.push_back(report.data.s[k] / deformation);
            data.y.push_back(report.data.load[k] / load);
        }
        simulated.x.push_back(report.loads.path.s[k] / deformation);
        simulated.y.push_back(report.loads.path.load[k] / load);
    }
    chart.series = {data, simulated};
    return chart;
}

io::Chart cantilever_chart(const BenchReport& report) {
    io::Chart chart;
    chart.title = fmt::format("{}: strips whose tips fall to 41.5 degrees", report.fabric);
    chart.x.label = "along, from the edge [cm]";
    chart.y = {.label = "down [cm]", .reversed = true};
    for (const CantileverReport& each : report.cantilevers) {
        io::ChartSeries series{.name = each.name};
        for (const Vec2& p : each.result.profile) {
            series.x.push_back(100 * p.x());
            series.y.push_back(100 * p.y());
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

}  // namespace

BenchReport run_bench(const scene::FabricFile& file, const std::string& name, const BenchPlan& plan) {
    check_tests(plan);
    BenchReport report;
    report.fabric = file.fabric.name;
    report.source = file.source;
    const auto fabric = std::make_shared<const Fabric>(file.fabric);
    if (wanted(plan, "bending")) {
        report.samples.push_back(test_sample("bending_warp", "bending, warp", file.bend_warp,
                                             scene::bending_sample(fabric, false, gauge, gauge_cells),
                                             false));
        report.samples.push_back(test_sample("bending_weft", "bending, weft", file.bend_weft,
                                             scene::bending_sample(fabric, true, gauge, gauge_cells), false));
    }
    if (wanted(plan, "shear")) {
        report.samples.push_back(test_sample("shear", "shear in a picture frame", file.shear,
                                             scene::shear_sample(fabric, frame, frame_cells), true));
    }
    if (wanted(plan, "cantilever")) {
        add_cantilevers(fabric, report);
    }
    if (wanted(plan, "drape")) add_drapes(name, plan, report);
    return report;
}

std::vector<DrapeMean> drape_means(const BenchReport& report) {
    std::vector<DrapeMean> means;
    for (std::size_t begin = 0; begin < report.drapes.size();) {
        std::size_t end = begin;
        DrapeMean mean{report.drapes[begin].across};
        double low = 1e300, high = -1e300;
        for (; end < report.drapes.size() && report.drapes[end].across == mean.across; ++end) {
            const scene::DrapeResult& r = report.drapes[end].result;
            mean.mean += r.coefficient, mean.nodes += r.nodes;
            mean.at_rest = mean.at_rest && r.settled.at_rest();
            low = std::min(low, r.coefficient), high = std::max(high, r.coefficient);
        }
        mean.count = static_cast<int>(end - begin);
        mean.mean /= mean.count, mean.nodes /= mean.count;
        mean.spread = 0.5 * (high - low);
        means.push_back(mean);
        begin = end;
    }
    return means;
}

std::string bench_text(const BenchReport& report) {
    std::string text = fmt::format("{} on the test bench\n\n", report.fabric);
    if (!report.samples.empty()) {
        Table table;
        table.row({"sample", "beside", "rms", "largest", "strain of yarns", "balanced"});
        table.rule();
        for (const SampleReport& s : report.samples)
            table.row({s.title, s.measured ? fmt::format("{} points", s.data.s.size()) : "its curve",
                       percent_text(s.rms), percent_text(s.largest), percent_text(s.loads.strain),
                       s.loads.held ? "yes" : "NO"});
        text += table.text() + "\n";
    }
    if (!report.cantilevers.empty()) {
        Table table;
        table.row(
            {"cantilever", "overhang [cm]", "length [cm]", "by Peirce", "(B/w)^(1/3)", "off by", "at rest"});
        table.rule();
        for (const CantileverReport& each : report.cantilevers)
            table.row(cantilever_row(each.name, each.result));
        text += table.text() + "\n";
    }
    if (!report.drapes.empty()) {
        Table table;
        table.row({"drape, cells", "seed", "coefficient", "nodes", "depth [cm]", "residual [g]", "at rest",
                   "time"});
        table.rule();
        for (const DrapeReport& d : report.drapes)
            table.row({fmt::format("{}", d.across), fmt::format("{}", d.seed),
                       percent_text(d.result.coefficient), fmt::format("{}", d.result.nodes),
                       fmt::format("{:.3g}", 100 * d.result.depth),
                       fmt::format("{:.2g}", d.result.settled.residual),
                       d.result.settled.at_rest() ? "yes" : "NO", seconds_text(d.seconds)});
        for (const DrapeMean& m : drape_means(report))
            table.row({fmt::format("{}", m.across), fmt::format("mean of {}", m.count), percent_text(m.mean),
                       fmt::format("{:.1f}", m.nodes), "", fmt::format("+- {}", percent_text(m.spread)),
                       m.at_rest ? "yes" : "NO", ""});
        text += table.text() + "\n";
    }
    return text;
}

Json bench_json(const BenchReport& report) {
    Json result{{"fabric", report.fabric}, {"source", report.source}, {"units", "SI"}};
    for (const SampleReport& s : report.samples)
        result["samples"][s.name] = {{"rms", s.rms},
                                     {"largest", s.largest},
                                     {"balanced", s.loads.held},
                                     {"deformation", s.loads.path.s},
                                     {"simulated", s.loads.path.load},
                                     {"data", s.data.load}};
    for (const CantileverReport& each : report.cantilevers)
        result["cantilevers"][each.name] = cantilever_json(each.result);
    for (const DrapeReport& d : report.drapes)
        result["drapes"].push_back({{"across", d.across},
                                    {"seed", d.seed},
                                    {"coefficient", d.result.coefficient},
                                    {"nodes", d.result.nodes},
                                    {"depth", d.result.depth},
                                    {"residual", d.result.settled.residual},
                                    {"at_rest", d.result.settled.at_rest()},
                                    {"seconds", d.seconds}});
    return result;
}

std::vector<fs::path> write_bench(const BenchReport& report, const fs::path& folder) {
    io::make_folder(folder);
    std::vector<fs::path> written;
    const auto chart = [&](const std::string& name, const io::Chart& each) {
        io::write_chart(folder / name, each);
        written.push_back(folder / (name + ".svg"));
        written.push_back(folder / (name + ".png"));
    };
    for (const SampleReport& s : report.samples) chart(s.name, sample_chart(s, report.fabric));
    if (!report.cantilevers.empty()) chart("cantilever", cantilever_chart(report));

    // Draw the drapes of each resolution side by side.
    for (const DrapeMean& mean : drape_means(report)) {
        std::vector<State> states;
        for (const DrapeReport& d : report.drapes) {
            if (d.across == mean.across) states.push_back(d.result.state);
        }
        const scene::Scene scene = open_scene("cusick", {fmt::format("cloths/0/across={}", mean.across)});
        io::PictureSettings settings;
        settings.width = 480, settings.height = 360;
        const io::Image joined = io::film_strip(pictures_of(scene, states, settings), 3, {});
        written.push_back(folder / fmt::format("drape_{}.png", mean.across));
        io::write_png(written.back(), joined, report.fabric);
    }
    written.push_back(folder / "bench.json");
    io::write_file(written.back(),
                   bench_json(report).dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    return written;
}

}  // namespace taut::cli

#include "fabric_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/elements/load_path.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/chart.hpp"
#include "taut/scene/fabric_kes.hpp"
#include "taut/scene/fabric_units.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;
using scene::FabricTest;
using scene::LoadPath;

// SI to the units of the chart.
struct ChartUnits {
    double deformation, load;
};

void add_point(io::ChartSeries& series, double s, double load, const ChartUnits& units) {
    series.x.push_back(s / units.deformation);
    series.y.push_back(load / units.load);
}

double reach_of(const FabricTest& test, bool shear) {
    double reach = 0;
    for (const LoadPath& path : test.paths) {
        for (const double s : path.s) reach = std::max(reach, std::abs(s));
    }
    if (reach > 0) return reach;
    return shear ? scene::kes_shear_reach : scene::kes_bending_reach;
}

io::ChartSeries measured(const LoadPath& path, const std::string& name, int style, const ChartUnits& units) {
    io::ChartSeries series{.name = name, .line = false, .style = style};
    constexpr std::size_t most_shown = 36;  // more would hide the lines
    const std::size_t stride = (path.s.size() + most_shown - 1) / most_shown;
    for (std::size_t k = 0; k < path.s.size(); k += stride) add_point(series, path.s[k], path.load[k], units);
    return series;
}

// The curve without memory, from one end to the other.
io::ChartSeries curve_series(const FabricTest& test, double reach, const ChartUnits& units) {
    constexpr int steps = 400;
    io::ChartSeries series{.name = "way out from rest", .markers = false, .dashed = true, .style = 1};
    for (int k = 0; k <= steps; ++k) {
        const double s = reach * (2.0 * k / steps - 1);
        add_point(series, s, elements::load_at(test.curve, s).load, units);
    }
    return series;
}

// The curve followed with memory along the places of a path, closely.
io::ChartSeries loop_series(const FabricTest& test, const LoadPath& path, const ChartUnits& units) {
    constexpr int between = 8;  // points from one place to the next
    io::ChartSeries series{.name = "friction remembered", .markers = false, .style = 0};
    elements::LoadMemory memory;
    add_point(series, 0, 0, units);
    for (const double s : path.s) {
        const double from = memory.s;
        for (int k = 1; k <= between; ++k) {
            const double at = from + (s - from) * k / between;
            add_point(series, at, elements::follow(test.curve, memory, at).load, units);
        }
    }
    return series;
}

io::Chart chart_of(const NamedTest& named, const std::string& fabric) {
    const FabricTest& test = *named.test;
    const ChartUnits units = named.shear ? ChartUnits{scene::kes_angle, scene::kes_force}
                                         : ChartUnits{scene::kes_curvature, scene::kes_moment};
    io::Chart chart;
    chart.title = fmt::format("{}: {}", fabric, named.title);
    chart.x.label = named.shear ? "shear angle [deg]" : "curvature [1/cm]";
    chart.y.label = named.shear ? "force per width [gf/cm]" : "moment per width [gf.cm/cm]";
    if (!test.paths.empty()) {
        chart.note = fmt::format("rms error {} on the way out, {} over the cycle",
                                 percent_text(test.errors.out.rms), percent_text(test.errors.cycle.rms));
    }

    // Draw the points first, so that the lines are seen.
    for (std::size_t k = 0; k < test.paths.size(); ++k) {
        const bool both = test.paths.size() > 1;
        const std::string name = both ? (k == 0 ? "points, warp" : "points, weft") : "points";
        chart.series.push_back(measured(test.paths[k], name, static_cast<int>(2 + k), units));
    }
    const double reach = reach_of(test, named.shear);
    constexpr int steps = 40;
    chart.series.push_back(loop_series(
        test, test.paths.empty() ? scene::cycle_of(test.curve, reach, steps) : test.paths.front(), units));
    chart.series.push_back(curve_series(test, reach, units));
    return chart;
}

}  // namespace

std::vector<NamedTest> tests_of(const scene::FabricFile& file) {
    return {{"bending_warp", "bending, warp", false, &file.bend_warp},
            {"bending_weft", "bending, weft", false, &file.bend_weft},
            {"shear", "shear", true, &file.shear}};
}

std::vector<fs::path> write_fabric_charts(const scene::FabricFile& file, const fs::path& stem) {
    // Draw everything before the first file is written.
    std::vector<io::Chart> charts;
    std::vector<io::Image> images;
    for (const NamedTest& named : tests_of(file)) {
        charts.push_back(chart_of(named, file.fabric.name));
        images.push_back(io::chart_image(charts.back(), 1));
    }
    const io::Image joined = io::film_strip(images, static_cast<int>(images.size()), {});

    const auto with = [&](const std::string& ending) { return fs::path(stem.string() + ending); };
    if (stem.has_parent_path()) io::make_folder(stem.parent_path());
    std::vector<fs::path> written{with(".png")};
    io::write_png(written.front(), joined, file.fabric.name);
    for (const NamedTest& named : tests_of(file)) {
        io::write_chart(with("_" + named.name), charts[written.size() / 2]);
        written.push_back(with("_" + named.name + ".svg"));
        written.push_back(with("_" + named.name + ".png"));
    }
    return written;
}

}  // namespace taut::cli

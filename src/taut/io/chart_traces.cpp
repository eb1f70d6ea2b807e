// Lines and points of the series of a chart, cut at gaps and at the frame.
#include "taut/io/chart_traces.hpp"

#include <algorithm>
#include <cmath>

namespace taut::io::chart {
namespace {

// A hundredth of a pixel is what the SVG text holds; rounding here makes both canvases agree, and
// hides last bits that differ between machines. It turns at 0.63, because even data on an even frame
// often gives halves, but hardly ever this.
Vec2 rounded(const Vec2& p) {
    return {std::floor(100 * p.x() + 0.37) / 100, std::floor(100 * p.y() + 0.37) / 100};
}

// Points closer than this to the one before say nothing new [pixel]; a long series stays small.
constexpr double same_place = 0.1;

bool within(const ChartAxis& axis, double value) {
    return (!axis.low || value >= *axis.low) && (!axis.high || value <= *axis.high);
}

bool drawable(const Chart& chart, double x, double y) {
    return AxisScale::drawable(x, chart.x.log) && AxisScale::drawable(y, chart.y.log);
}

// Cut one unbroken run of points at the frame.
void add_run(Trace& trace, const std::vector<Vec2>& run, const Rect& frame) {
    for (const Vec2& p : run) {
        if (frame.grown(0.01).holds(p)) trace.points.push_back(rounded(p));
    }
    if (run.size() == 1 && frame.grown(0.01).holds(run.front()))
        trace.lines.push_back({rounded(run.front())});
    std::vector<Vec2> line;
    const auto finish = [&] {
        if (line.size() > 1) trace.lines.push_back(line);
        line.clear();
    };
    for (std::size_t k = 1; k < run.size(); ++k) {
        const auto piece = frame.clip(run[k - 1], run[k]);
        if (!piece) {
            finish();
            continue;
        }
        const bool leaves = piece->second != run[k], last = leaves || k + 1 == run.size();
        if (line.empty()) line.push_back(rounded(piece->first));
        if (last || (piece->second - line.back()).norm() >= same_place)
            line.push_back(rounded(piece->second));
        if (leaves) finish();
    }
    finish();
}

}  // namespace

std::optional<std::pair<Vec2, Vec2>> Rect::clip(const Vec2& a, const Vec2& b) const {
    // Narrow the part of the segment side by side (Liang and Barsky 1984).
    double from = 0, to = 1;
    const Vec2 along = b - a;
    const auto narrow = [&](double slope, double room) {
        if (slope == 0) return room >= 0;
        const double t = room / slope;
        if (slope > 0) to = std::min(to, t);
        if (slope < 0) from = std::max(from, t);
        return from <= to;
    };
    const bool inside = narrow(along.x(), right - a.x()) && narrow(-along.x(), a.x() - left) &&
                        narrow(along.y(), bottom - a.y()) && narrow(-along.y(), a.y() - top);
    if (!inside) return std::nullopt;
    return std::pair{from > 0 ? Vec2(a + from * along) : a, to < 1 ? Vec2(a + to * along) : b};
}

std::vector<Trace> trace_series(const Chart& chart, const AxisScale& x, const AxisScale& y,
                                const Rect& frame) {
    std::vector<Trace> traces(chart.series.size());
    for (std::size_t s = 0; s < traces.size(); ++s) {
        const ChartSeries& series = chart.series[s];
        std::vector<Vec2> run;
        for (std::size_t k = 0; k <= series.x.size(); ++k) {
            if (k < series.x.size() && drawable(chart, series.x[k], series.y[k])) {
                run.emplace_back(frame.left + x.part(series.x[k]) * frame.width(),
                                 frame.bottom - y.part(series.y[k]) * frame.height());
                continue;
            }
            add_run(traces[s], run, frame);
            run.clear();
        }
    }
    return traces;
}

std::pair<Extent, Extent> data_extent(const Chart& chart) {
    Extent x, y;
    for (const ChartSeries& series : chart.series) {
        for (std::size_t k = 0; k < series.x.size(); ++k) {
            if (!drawable(chart, series.x[k], series.y[k])) continue;
            if (within(chart.y, series.y[k])) x.add(series.x[k]);
            if (within(chart.x, series.x[k])) y.add(series.y[k]);
        }
    }
    return {x, y};
}

bool covers_nothing(const Rect& rect, const Chart& chart, const std::vector<Trace>& traces, double radius) {
    const Rect around = rect.grown(radius);
    for (std::size_t s = 0; s < traces.size(); ++s) {
        if (chart.series[s].line) {
            for (const std::vector<Vec2>& line : traces[s].lines) {
                for (std::size_t k = 0; k < line.size(); ++k) {
                    if (rect.clip(line[k > 0 ? k - 1 : 0], line[k])) return false;
                }
            }
        }
        const auto inside = [&](const Vec2& p) { return around.holds(p); };
        if (chart.series[s].markers &&
            std::any_of(traces[s].points.begin(), traces[s].points.end(), inside)) {
            return false;
        }
    }
    return true;
}

}  // namespace taut::io::chart

// From numbers to pixels: the lines and points of each series inside the frame. Private to the charts.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "taut/io/chart_ticks.hpp"

namespace taut::io::chart {

struct Rect {
    double left = 0, top = 0, right = 0, bottom = 0;  // [pixel]

    double width() const { return right - left; }
    double height() const { return bottom - top; }
    Rect grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
    bool holds(const Vec2& p) const {
        return p.x() >= left && p.x() <= right && p.y() >= top && p.y() <= bottom;
    }
    // The part of the segment from a to b that lies inside, if any.
    std::optional<std::pair<Vec2, Vec2>> clip(const Vec2& a, const Vec2& b) const;
};

struct Trace {
    std::vector<std::vector<Vec2>> lines;  // cut at gaps and at the frame; a lone point is a line of one
    std::vector<Vec2> points;              // those inside the frame
};

// One trace for each series.
std::vector<Trace> trace_series(const Chart& chart, const AxisScale& x, const AxisScale& y,
                                const Rect& frame);

// Ranges of the points that can be drawn; the range of y over the ends given for x, and the reverse.
std::pair<Extent, Extent> data_extent(const Chart& chart);

// Whether a rectangle touches no line and no marker that is drawn; radius: of a marker [pixel].
bool covers_nothing(const Rect& rect, const Chart& chart, const std::vector<Trace>& traces, double radius);

}  // namespace taut::io::chart

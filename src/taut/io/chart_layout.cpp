// Layout of a chart from the outside in: texts take their room at the border, the frame gets the
// rest, and the legend is tried inside the frame, then to its right, then below.
#include "taut/io/chart_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/base/error.hpp"

namespace taut::io::chart {
namespace {

void check_axis(const ChartAxis& axis, const char* name) {
    const auto refuse = [&](const char* problem, double value, const char* remedy) {
        throw InputError({"", fmt::format("chart/{}", name)}, problem, fmt::format("{}", value), remedy);
    };
    for (const auto& end : {axis.low, axis.high}) {
        if (end && !AxisScale::drawable(*end, axis.log)) {
            refuse("an end of the axis cannot be shown", *end,
                   axis.log ? "a log axis needs positive, finite ends" : "give a finite number up to 1e300");
        }
    }
    if (axis.low && axis.high && !(*axis.low < *axis.high)) {
        refuse("the ends of the axis are not in order", *axis.low, "low must be less than high");
    }
}

void check(const Chart& chart) {
    if (std::min(chart.width, chart.height) < 160 || std::max(chart.width, chart.height) > 8192) {
        throw InputError({"", "chart/size"}, "the chart cannot have this size",
                         fmt::format("{} x {}", chart.width, chart.height), "160 to 8192 pixels each way");
    }
    check_axis(chart.x, "x");
    check_axis(chart.y, "y");
    for (const ChartSeries& series : chart.series) {
        if (series.x.size() == series.y.size()) continue;
        throw InputError({"", "chart/series"}, "a series has unlike numbers of x and y",
                         fmt::format("'{}': {} and {}", series.name, series.x.size(), series.y.size()),
                         "give as many of each");
    }
}

// Room that is kept free at a border for the legend [pixel].
struct Reserved {
    double right = 0, below = 0;
};

double widest(const std::vector<Tick>& ticks) {
    double width = 0;
    for (const Tick& tick : ticks) width = std::max(width, room_for(tick.label, tick_style.size));
    return width;
}

// As many ticks along x as leave a gap between their labels.
Ticks ticks_along(const AxisScale& scale, double length) {
    constexpr double gap = 14;  // [pixel]; less reads as one number
    for (int most = std::max(4, static_cast<int>(length / 68));; --most) {
        Ticks ticks = choose_ticks(scale, most);
        bool free = true;
        for (std::size_t k = 1; k < ticks.major.size(); ++k) {
            const Tick &a = ticks.major[k - 1], &b = ticks.major[k];
            const double apart = std::abs(scale.part(b.value) - scale.part(a.value)) * length;
            const double room =
                room_for(a.label, tick_style.size) / 2 + room_for(b.label, tick_style.size) / 2;
            free = free && apart >= room + gap;
        }
        if (free || most <= 2) return ticks;
    }
}

// Find frame and ticks around the texts and what is reserved.
void place_frame(Layout& layout, const Chart& chart, const Reserved& reserved) {
    const bool few = chart.height < 300;  // [pixel]; a low chart has room for few lines
    Rect& frame = layout.frame;

    // Stack the texts above and below.
    const double across = chart.width - 2 * margin;
    layout.title = break_lines(chart.title, title_style.size, across, few ? 1 : 2);
    layout.note = break_lines(chart.note, note_style.size, across, few ? 1 : 3);
    const auto lines = [](const std::vector<std::string>& text, const TextStyle& style) {
        return static_cast<double>(text.size()) * style.step;
    };
    const double above = lines(layout.title, title_style) + lines(layout.note, note_style);
    frame.top = std::floor(margin + above + (above > 0 ? 9 : 2)) + 0.5;
    layout.x_label = break_lines(chart.x.label, label_style.size, 0.9 * across, 2);
    const double below = tick_length + tick_gap + tick_style.size +
                         (layout.x_label.empty() ? 0 : lines(layout.x_label, label_style) + 5);
    frame.bottom = std::floor(chart.height - margin - below - reserved.below) + 0.5;

    // Let the labels of y say how much room they need at the left.
    layout.y_ticks = choose_ticks(layout.y, std::clamp(static_cast<int>(frame.height() / 32), 3, 12));
    layout.y_label = break_lines(chart.y.label, label_style.size, std::max(frame.height(), 40.0), 2);
    layout.y_label_at = margin + label_style.size + label_style.step * (layout.y_label.size() > 1 ? 1 : 0);
    const double left = (layout.y_label.empty() ? margin : layout.y_label_at + 12) +
                        widest(layout.y_ticks.major) + tick_gap + tick_length;
    frame.left = std::floor(left) + 0.5;

    // Leave a little more than the margin at the right, and room for half of the last label of x.
    frame.right = std::floor(chart.width - margin - 4 - reserved.right) - 0.5;
    layout.x_ticks = ticks_along(layout.x, frame.width());
    const double overhang = widest(layout.x_ticks.major) / 2 + 4;
    frame.right = std::min(frame.right, std::floor(chart.width - reserved.right - overhang) + 0.5);
    layout.x_ticks = ticks_along(layout.x, frame.width());
    layout.traces = trace_series(chart, layout.x, layout.y, frame);
}

std::vector<LegendEntry> listed(const Chart& chart, double width) {
    std::vector<LegendEntry> entries;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        const auto lines = break_lines(chart.series[s].name, legend_style.size, width, 1);
        if (!lines.empty()) entries.push_back({static_cast<int>(s), lines.front()});
    }
    return entries;
}

// Give the legend rows and its size; the box starts at the origin.
void shape_legend(Legend& legend, int rows) {
    const int count = static_cast<int>(legend.entries.size());
    legend.rows = std::clamp(rows, 1, count);
    const int columns = (count + legend.rows - 1) / legend.rows;
    legend.box = {0, 0, columns * legend.column_width + legend_padding,
                  (legend.rows - 1) * legend_style.step + legend_style.size + 2 * legend_padding};
}

void move_legend(Legend& legend, double left, double top) {
    const Rect& box = legend.box;
    legend.box = {std::round(left) + 0.5, std::round(top) + 0.5, std::round(left) + 0.5 + box.width(),
                  std::round(top) + 0.5 + box.height()};
}

// Try the corners and the middles of the sides for a place that is free of data.
bool place_inside(Layout& layout, const Chart& chart) {
    Legend& legend = layout.legend;
    const Rect& frame = layout.frame;
    shape_legend(legend, static_cast<int>(legend.entries.size()));
    const double width = legend.box.width(), height = legend.box.height();
    if (width > 0.55 * frame.width() || height > 0.6 * frame.height()) return false;
    constexpr double inset = 9, clearance = 5;  // from the frame, and from data [pixel]
    for (const Vec2& at : {Vec2(1, 0), Vec2(0, 0), Vec2(1, 1), Vec2(0, 1), Vec2(1, 0.5), Vec2(0.5, 0),
                           Vec2(0.5, 1), Vec2(0, 0.5)}) {
        move_legend(legend, frame.left + inset + at.x() * (frame.width() - width - 2 * inset),
                    frame.top + inset + at.y() * (frame.height() - height - 2 * inset));
        if (covers_nothing(legend.box.grown(clearance), chart, layout.traces, marker_radius)) return true;
    }
    return false;
}

bool place_right(Layout& layout, const Chart& chart) {
    Legend& legend = layout.legend;
    const int fitting = static_cast<int>((layout.frame.height() - 2 * legend_padding) / legend_style.step);
    shape_legend(legend, std::max(1, fitting));
    const double width = legend.box.width();
    if (width > 0.4 * chart.width) return false;
    place_frame(layout, chart, {width, 0});
    move_legend(legend, chart.width - margin + legend_padding - width - 1, layout.frame.top);
    return true;
}

// List in rows under the chart what fits into a third of its height.
void place_below(Layout& layout, const Chart& chart) {
    Legend& legend = layout.legend;
    const double width = chart.width - 2 * margin;
    const int columns = std::max(1, static_cast<int>(width / legend.column_width));
    const int most_rows = std::max(1, static_cast<int>(0.33 * chart.height / legend_style.step));
    const int count = static_cast<int>(legend.entries.size()), most = columns * most_rows;
    if (count > most) {
        legend.entries.resize(static_cast<std::size_t>(most - 1));
        legend.entries.push_back({-1, fmt::format("and {} more", count - most + 1)});
    }
    shape_legend(legend, (std::min(count, most) + columns - 1) / columns);
    place_frame(layout, chart, {0, legend.box.height()});
    move_legend(legend, std::max(margin, layout.frame.left) - legend_padding,
                chart.height - margin + legend_padding - legend.box.height() - 2);
    const double beyond = legend.box.right - (chart.width - margin + legend_padding);
    if (beyond > 0) move_legend(legend, legend.box.left - 0.5 - beyond, legend.box.top - 0.5);
}

}  // namespace

double room_for(const std::string& text, double size) { return 1.08 * text_width(text, size); }

std::vector<std::string> break_lines(const std::string& text, double size, double width, int most) {
    // Fill lines word by word; a line break in the text is kept.
    std::vector<std::string> lines;
    bool fresh = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!word.empty()) {
            if (fresh || room_for(lines.back() + " " + word, size) > width) {
                lines.push_back(word);
            } else {
                lines.back() += " " + word;
            }
            fresh = false;
        }
        fresh = fresh || (end < text.size() && text[end] == '\n');
        at = end + 1;
    }
    if (static_cast<int>(lines.size()) > most) {
        lines.resize(static_cast<std::size_t>(most));
        lines.back() += " \u2026";
    }

    // Cut words that are wider than a line, between characters.
    for (std::string& line : lines) {
        if (room_for(line, size) <= width) continue;
        while (!line.empty() && room_for(line + "\u2026", size) > width) {
            while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();
            if (!line.empty()) line.pop_back();
        }
        line += "\u2026";
    }
    return lines;
}

Layout lay_out(const Chart& chart) {
    check(chart);
    Layout layout;
    const auto [x, y] = data_extent(chart);
    layout.x = choose_scale(chart.x, x);
    layout.y = choose_scale(chart.y, y);
    place_frame(layout, chart, {});
    layout.empty = std::all_of(layout.traces.begin(), layout.traces.end(),
                               [](const Trace& trace) { return trace.lines.empty(); });
    if (layout.empty) return layout;

    // Place the legend.
    Legend& legend = layout.legend;
    const double name_room = chart.width - 2 * margin - sample_length - sample_gap - 2 * legend_padding;
    legend.entries = listed(chart, name_room);
    if (legend.entries.empty()) return layout;
    for (const LegendEntry& entry : legend.entries) {
        legend.column_width = std::max(legend.column_width, room_for(entry.name, legend_style.size));
    }
    legend.column_width += sample_length + sample_gap + legend_padding;
    if (!place_inside(layout, chart) && !place_right(layout, chart)) place_below(layout, chart);
    return layout;
}

}  // namespace taut::io::chart

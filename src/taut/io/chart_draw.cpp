// Draws a laid out chart on any canvas: grid, axes, texts, lines, then all markers on top, then the
// legend.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/io/chart_canvas.hpp"
#include "taut/io/chart_layout.hpp"

namespace taut::io::chart {
namespace {

constexpr Rgb white{255, 255, 255}, ink{32, 35, 40}, grey{104, 110, 119}, axis_color{74, 79, 87},
    grid_color{229, 232, 236}, zero_color{176, 181, 188};

// Okabe and Ito 2008 in an order that keeps neighbours apart; their yellow is left out, because thin
// yellow lines cannot be seen on white.
constexpr std::array<Rgb, 7> palette{Rgb{0, 114, 178},   Rgb{213, 94, 0},  Rgb{0, 158, 115},
                                     Rgb{204, 121, 167}, Rgb{230, 159, 0}, Rgb{86, 180, 233},
                                     Rgb{0, 0, 0}};

constexpr double line_thickness = 1.7;  // of data [pixel]

enum class Marker { circle, square, triangle, diamond, cross, plus, wedge, ring, count };

struct SeriesStyle {
    Rgb color;
    Marker marker;
};

SeriesStyle style_of(const Chart& chart, int index) {
    const int wanted = chart.series[static_cast<std::size_t>(index)].style;
    const int k = wanted >= 0 ? wanted : index;
    return {palette[static_cast<std::size_t>(k) % palette.size()],
            static_cast<Marker>(k % static_cast<int>(Marker::count))};
}

// Corners of a regular polygon, the first at `turn` of a full turn from the right, anticlockwise.
std::vector<Vec2> regular(const Vec2& center, double radius, int corners, double turn) {
    std::vector<Vec2> points;
    for (int k = 0; k < corners; ++k) {
        const double angle = 2 * std::numbers::pi * (turn + static_cast<double>(k) / corners);
        points.emplace_back(center.x() + radius * std::cos(angle), center.y() - radius * std::sin(angle));
    }
    return points;
}

// One layer of a marker; `edge` makes it larger all around. Radii give all shapes about equal weight.
void draw_layer(Canvas& canvas, Marker marker, const Vec2& p, double edge, Rgb color) {
    const double r = marker_radius;
    const auto strokes = [&](double turn) {
        for (int k = 0; k < 2; ++k) {
            const std::vector<Vec2> ends = regular(p, 1.15 * r, 4, turn);
            const std::size_t first = static_cast<std::size_t>(k);
            canvas.polyline({ends[first], ends[first + 2]}, 1.8 + 2 * edge, color, false);
        }
    };
    switch (marker) {
        case Marker::circle:
            return canvas.disc(p, r + edge, color);
        case Marker::square:
            return canvas.convex(regular(p, 1.24 * r + 1.41 * edge, 4, 0.125), color);
        case Marker::triangle:
            return canvas.convex(regular(p, 1.34 * r + 2 * edge, 3, 0.25), color);
        case Marker::wedge:
            return canvas.convex(regular(p, 1.34 * r + 2 * edge, 3, 0.75), color);
        case Marker::diamond:
            return canvas.convex(regular(p, 1.35 * r + 1.41 * edge, 4, 0), color);
        case Marker::cross:
            return strokes(0.125);
        case Marker::plus:
            return strokes(0);
        default:
            canvas.disc(p, r + edge, color);
            return canvas.disc(p, r - 1.5, white);
    }
}

// A thin white edge keeps markers apart from lines and from each other.
void draw_marker(Canvas& canvas, const Vec2& p, const SeriesStyle& style) {
    draw_layer(canvas, style.marker, p, 0.9, white);
    draw_layer(canvas, style.marker, p, 0, style.color);
}

void draw_texts(Canvas& canvas, const Chart& chart, const Layout& layout) {
    // Start title and note at the frame, or at the border where they are too long for that.
    double widest = 0, y = margin;
    for (const std::string& line : layout.title) widest = std::max(widest, room_for(line, title_style.size));
    for (const std::string& line : layout.note) widest = std::max(widest, room_for(line, note_style.size));
    const bool short_enough = layout.frame.left + widest <= chart.width - margin;
    const double left = short_enough ? layout.frame.left : margin;
    for (const std::string& line : layout.title) {
        canvas.text({left, y + title_style.size}, line, title_style.size, ink, Anchor::start);
        y += title_style.step;
    }
    for (const std::string& line : layout.note) {
        canvas.text({left, y + note_style.size}, line, note_style.size, grey, Anchor::start);
        y += note_style.step;
    }

    // Centre the labels on their axes.
    const Rect& frame = layout.frame;
    const Vec2 middle(0.5 * (frame.left + frame.right), 0.5 * (frame.top + frame.bottom));
    double at = frame.bottom + tick_length + tick_gap + tick_style.size + 5 + label_style.step;
    for (const std::string& line : layout.x_label) {
        canvas.text({middle.x(), at}, line, label_style.size, ink, Anchor::middle);
        at += label_style.step;
    }
    at = layout.y_label_at - label_style.step * static_cast<double>(layout.y_label.size());
    for (const std::string& line : layout.y_label) {
        at += label_style.step;
        canvas.text_upwards({at, middle.y()}, line, label_style.size, ink);
    }
}

// Sharp lines lie on the middle of pixels. Ticks often fall on a border between two, where the last
// bit would decide; the hair added here decides instead, the same on every machine.
double sharp(double at) { return std::floor(at + 0.003) + 0.5; }

struct Positions {
    const Layout& layout;
    double x(double value) const {
        return sharp(layout.frame.left + layout.x.part(value) * layout.frame.width());
    }
    double y(double value) const {
        return sharp(layout.frame.bottom - layout.y.part(value) * layout.frame.height());
    }
};

void draw_grid(Canvas& canvas, const Layout& layout) {
    const Rect& frame = layout.frame;
    const Positions at{layout};
    const auto upright = [&](double x, Rgb color) {
        canvas.polyline({{x, frame.top}, {x, frame.bottom}}, 1, color, false);
    };
    const auto level = [&](double y, Rgb color) {
        canvas.polyline({{frame.left, y}, {frame.right, y}}, 1, color, false);
    };
    for (const Tick& tick : layout.x_ticks.major) upright(at.x(tick.value), grid_color);
    for (const Tick& tick : layout.y_ticks.major) level(at.y(tick.value), grid_color);
    const auto inside = [](const AxisScale& scale) { return !scale.log && scale.low < 0 && scale.high > 0; };
    if (inside(layout.x)) upright(at.x(0), zero_color);
    if (inside(layout.y)) level(at.y(0), zero_color);
}

void draw_axes(Canvas& canvas, const Layout& layout) {
    const Rect& frame = layout.frame;
    const Positions at{layout};
    const auto tick_x = [&](double value, double length) {
        const double x = at.x(value);
        canvas.polyline({{x, frame.bottom}, {x, frame.bottom + length}}, 1, axis_color, false);
    };
    const auto tick_y = [&](double value, double length) {
        const double y = at.y(value);
        canvas.polyline({{frame.left - length, y}, {frame.left, y}}, 1, axis_color, false);
    };
    for (const double value : layout.x_ticks.minor) tick_x(value, minor_tick);
    for (const double value : layout.y_ticks.minor) tick_y(value, minor_tick);
    for (const Tick& tick : layout.x_ticks.major) {
        tick_x(tick.value, tick_length);
        canvas.text({at.x(tick.value), frame.bottom + tick_length + tick_gap + tick_style.size}, tick.label,
                    tick_style.size, ink, Anchor::middle);
    }
    for (const Tick& tick : layout.y_ticks.major) {
        tick_y(tick.value, tick_length);
        canvas.text({frame.left - tick_length - tick_gap, at.y(tick.value) + tick_style.size / 2}, tick.label,
                    tick_style.size, ink, Anchor::end);
    }
    canvas.polyline({{frame.left, frame.top}, {frame.left, frame.bottom}, {frame.right, frame.bottom}}, 1,
                    axis_color, false);
}

void draw_series(Canvas& canvas, const Chart& chart, const Layout& layout) {
    const int count = static_cast<int>(chart.series.size());
    for (int s = 0; s < count; ++s) {
        const ChartSeries& series = chart.series[static_cast<std::size_t>(s)];
        if (!series.line) continue;
        for (const auto& line : layout.traces[static_cast<std::size_t>(s)].lines) {
            const Rgb color = style_of(chart, s).color;
            if (line.size() > 1) {
                canvas.polyline(line, line_thickness, color, series.dashed);
            } else if (!series.markers) {
                canvas.disc(line.front(), line_thickness, color);
            }
        }
    }
    for (int s = 0; s < count; ++s) {
        if (!chart.series[static_cast<std::size_t>(s)].markers) continue;
        const SeriesStyle style = style_of(chart, s);
        for (const Vec2& p : layout.traces[static_cast<std::size_t>(s)].points) draw_marker(canvas, p, style);
    }
}

// A white rectangle that hides the grid.
std::vector<Vec2> draw_rectangle(Canvas& canvas, const Rect& box) {
    std::vector<Vec2> corners{
        {box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
    canvas.convex(corners, white);
    return corners;
}

void draw_box(Canvas& canvas, const Rect& box) {
    const std::vector<Vec2> corners = draw_rectangle(canvas, box);
    canvas.polyline({corners[0], corners[1], corners[2], corners[3], corners[0]}, 1, grid_color, false);
}

void draw_legend(Canvas& canvas, const Chart& chart, const Layout& layout) {
    const Legend& legend = layout.legend;
    if (legend.entries.empty()) return;
    if (layout.frame.holds({legend.box.left, legend.box.top})) draw_box(canvas, legend.box);
    for (std::size_t k = 0; k < legend.entries.size(); ++k) {
        const LegendEntry& entry = legend.entries[k];
        const int column = static_cast<int>(k) / legend.rows, row = static_cast<int>(k) % legend.rows;
        const double left = legend.box.left + legend_padding + column * legend.column_width;
        const double middle =
            legend.box.top + legend_padding + legend_style.size / 2 + row * legend_style.step;
        const Vec2 baseline(left + (entry.series < 0 ? 0 : sample_length + sample_gap),
                            middle + legend_style.size / 2);
        canvas.text(baseline, entry.name, legend_style.size, ink, Anchor::start);
        if (entry.series < 0) continue;
        const ChartSeries& series = chart.series[static_cast<std::size_t>(entry.series)];
        const SeriesStyle style = style_of(chart, entry.series);
        if (series.line) {
            canvas.polyline({{left, middle}, {left + sample_length, middle}}, line_thickness, style.color,
                            series.dashed);
        }
        if (series.markers) draw_marker(canvas, {left + sample_length / 2, middle}, style);
    }
}

}  // namespace

void draw(Canvas& canvas, const Chart& chart, const Layout& layout) {
    const Rect& frame = layout.frame;
    draw_grid(canvas, layout);
    draw_axes(canvas, layout);
    draw_texts(canvas, chart, layout);
    if (layout.empty) {
        const Vec2 middle(0.5 * (frame.left + frame.right), 0.5 * (frame.top + frame.bottom));
        const Vec2 half(0.5 * room_for("no data", label_style.size) + 8, label_style.size + 2);
        draw_rectangle(canvas, {middle.x() - half.x(), middle.y() - half.y(), middle.x() + half.x(),
                                middle.y() + half.y()});
        canvas.text({middle.x(), middle.y() + label_style.size / 2}, "no data", label_style.size, grey,
                    Anchor::middle);
    }
    draw_series(canvas, chart, layout);
    draw_legend(canvas, chart, layout);
}

}  // namespace taut::io::chart

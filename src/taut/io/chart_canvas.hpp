// What a chart is drawn on, and what both kinds of canvas share. Coordinates are in pixels of the
// chart from the top left; sizes of text are heights of a capital. Private to the charts.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "taut/io/chart.hpp"

namespace taut::io::chart {

using Rgb = std::array<std::uint8_t, 3>;

enum class Anchor { start, middle, end };

// Lengths of the strokes and gaps of a dashed line, without its round ends [pixel].
inline constexpr double dash_stroke = 5, dash_gap = 5;

struct Layout;

class Canvas {
public:
    virtual ~Canvas() = default;

    // Two points or more, joined with round ends and corners.
    virtual void polyline(const std::vector<Vec2>& points, double thickness, Rgb color, bool dashed) = 0;
    virtual void disc(const Vec2& center, double radius, Rgb color) = 0;
    virtual void convex(const std::vector<Vec2>& corners, Rgb color) = 0;

    // `at` is on the baseline, at the start, middle or end of the text.
    virtual void text(const Vec2& at, const std::string& text, double size, Rgb color, Anchor anchor) = 0;
    // The same for a text that reads upwards, its middle at `at`.
    virtual void text_upwards(const Vec2& at, const std::string& text, double size, Rgb color) = 0;
};

void draw(Canvas& canvas, const Chart& chart, const Layout& layout);

}  // namespace taut::io::chart

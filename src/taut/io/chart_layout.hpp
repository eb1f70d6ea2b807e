// Where the parts of a chart go: frame, ticks, broken texts and legend. Room is measured with the
// font of the pictures and some more, because the font that shows an SVG file is not known here.
// Private to the charts.
#pragma once

#include <string>
#include <vector>

#include "taut/io/chart_traces.hpp"

namespace taut::io::chart {

// Heights of capitals and steps from line to line [pixel]. Tick labels are then about 6 point, the
// least that journals accept, where 720 pixels are printed 5 inch wide, or 480 pixels 3.3 inch wide.
struct TextStyle {
    double size, step;
};
inline constexpr TextStyle title_style{11.2, 20}, note_style{8.2, 14}, label_style{9.2, 15},
    tick_style{8.4, 14}, legend_style{8.4, 17};

inline constexpr double margin = 14;                          // between texts and the border [pixel]
inline constexpr double tick_length = 4.5, minor_tick = 2.5;  // outwards from the frame [pixel]
inline constexpr double tick_gap = 5;                         // from tick to label [pixel]
inline constexpr double marker_radius = 3.4;                  // [pixel]
inline constexpr double sample_length = 30, sample_gap = 8;   // of a legend's line, and to its name [pixel]
inline constexpr double legend_padding = 8;                   // inside its box [pixel]

struct LegendEntry {
    int series = -1;  // -1: only words, which say how many are not listed
    std::string name;
};

// Entries in columns, top to bottom and left to right.
struct Legend {
    std::vector<LegendEntry> entries;
    int rows = 0;
    double column_width = 0;  // [pixel]
    Rect box;
};

struct Layout {
    std::vector<std::string> title, note, x_label, y_label;  // lines
    AxisScale x, y;
    Ticks x_ticks, y_ticks;
    Rect frame;
    double y_label_at = 0;  // baseline of the last line of the upright label [pixel]
    std::vector<Trace> traces;
    bool empty = true;  // no point and no line lies inside the frame
    Legend legend;
};

// Upper bound of the width of a text in common fonts [pixel].
double room_for(const std::string& text, double size);

// Lines no wider than `width`, at most `most` of them; what does not fit ends in an ellipsis.
std::vector<std::string> break_lines(const std::string& text, double size, double width, int most);

// Throws InputError as chart_svg does.
Layout lay_out(const Chart& chart);

}  // namespace taut::io::chart

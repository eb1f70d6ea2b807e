// Line charts for reports and papers, as SVG text and as a picture, drawn by the program itself: no
// fonts, no libraries, the same bytes for the same numbers. One routine lays a chart out and draws it
// on either kind of canvas, so both agree. Colours are those of Okabe and Ito (2008), told apart by
// colour-blind readers too; marker shapes differ as well, for print without colour.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "taut/io/picture.hpp"

namespace taut::io {

struct ChartAxis {
    std::string label = {};                     // with its unit: "time [s]"
    bool log = false;                           // decades of equal length
    std::optional<double> low = {}, high = {};  // ends of the axis; none: from the data, with a little room
    bool percent = false;                       // tick labels as percentages: 0.01 reads "1 %"
    bool reversed = false;                      // high values at the left or at the bottom
};

// Points in drawing order. One that is not finite, is beyond 1e300, or has a value of 0 or less on a
// log axis is left out, and the line has a gap there. Ends of an axis cut lines off.
struct ChartSeries {
    std::string name = {};               // in the legend; empty: not listed
    std::vector<double> x = {}, y = {};  // as many of each
    bool line = true, markers = true, dashed = false;
    int style = -1;  // colour and marker; -1: by its place among the series
};

// Texts are UTF-8. Those too long for one line are broken at spaces. The legend goes where it covers
// no data: inside, else to the right, else below.
struct Chart {
    std::string title, note;  // the note stands under the title, smaller and grey
    ChartAxis x, y;
    std::vector<ChartSeries> series;
    int width = 720, height = 480;  // [pixel], 160 to 8192
};

// Both throw InputError for series with unlike numbers of x and y, sizes out of range, and ends of
// an axis that are not in order or not positive on a log axis.
std::string chart_svg(const Chart& chart);
Image chart_image(const Chart& chart, double scale = 2);  // `scale` times the size, 0.5 to 8

// Writes stem.svg and stem.png, each all or nothing. Throws InputError where that fails.
void write_chart(const std::filesystem::path& stem, const Chart& chart);

}  // namespace taut::io

// Axes of charts: the range that is shown, where a value lies in it, and the ticks. Labels are made
// from whole numbers, so they are exact and the same in every locale. Private to the charts.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "taut/io/chart.hpp"

namespace taut::io::chart {

struct Tick {
    double value = 0;
    std::string label;  // empty for a minor tick
};

struct Ticks {
    std::vector<Tick> major;    // in ascending order
    std::vector<double> minor;  // between them, without labels
};

// Smallest and largest value seen.
struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    bool empty() const { return !(low <= high); }
    void add(double value);
};

// What an axis shows, from low to high.
struct AxisScale {
    double low = 0, high = 1;
    bool log = false, reversed = false, percent = false;

    // Whether a value can be drawn on such an axis at all, be it within the ends or not.
    static bool drawable(double value, bool log);
    // 0 at the left or at the bottom, 1 at the other end; beyond for values outside, within 1e6.
    double part(double value) const;
};

// Takes the ends that are given and finds the others so that the data has a little room; zero is an
// end where all data lies on one side of it and not far away.
AxisScale choose_scale(const ChartAxis& axis, const Extent& data);

// Multiples of 1, 2 or 5 times a power of ten: as many as possible, at most `most` (but two).
Ticks linear_ticks(double low, double high, int most, bool percent = false);

// Powers of ten, or every few of them; 1, 2 and 5 times them where the range is less than about
// one and a half decades; multiples as on a linear axis where even those are too few.
Ticks log_ticks(double low, double high, int most, bool percent = false);

Ticks choose_ticks(const AxisScale& scale, int most);

}  // namespace taut::io::chart

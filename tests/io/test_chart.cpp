// Charts: ticks and ranges in numbers, the SVG text as XML, the picture by its pixels, and that both
// show the same.
#include "taut/io/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <locale>
#include <regex>

#include "io/temporary_folder.hpp"
#include "taut/io/chart_layout.hpp"
#include "taut/io/chart_ticks.hpp"

namespace taut::io {
namespace {

using chart::linear_ticks;
using chart::log_ticks;
using Labels = std::vector<std::string>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::string blue = "#0072b2", vermilion = "#d55e00";

Labels labels(const chart::Ticks& ticks) {
    Labels result;
    for (const chart::Tick& tick : ticks.major) result.push_back(tick.label);
    return result;
}

// The first fault of an XML text without comments and declarations; empty where it is well-formed.
std::string xml_fault(const std::string& text) {
    static const std::regex tag(R"((/?)([a-zA-Z]+)((?: [a-zA-Z][\w:-]*="[^"<]*")*)(/?))");
    static const std::regex stray("&(?!(amp|lt|gt|quot);)");
    if (std::regex_search(text, stray)) return "a bare &";
    std::vector<std::string> open;
    int roots = 0;
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
        const std::string inside = text.substr(at + 1, text.find('>', at) - at - 1);
        std::smatch parts;
        if (!std::regex_match(inside, parts, tag)) return "not a tag: " + inside;
        if (parts[1].length() > 0) {
            if (open.empty() || open.back() != parts[2]) return "closes what is not open: " + inside;
            open.pop_back();
        } else {
            roots += open.empty() ? 1 : 0;
            if (parts[4].length() == 0) open.push_back(parts[2]);
        }
    }
    if (roots != 1) return "not one root";
    return open.empty() ? "" : "still open: " + open.back();
}

int count(const std::string& text, const std::string& pattern) {
    const std::regex expression(pattern);
    return static_cast<int>(std::distance(std::sregex_iterator(text.begin(), text.end(), expression), {}));
}

int lines_of(const std::string& svg, const std::string& color) {
    return count(svg, "<polyline[^>]*stroke=\"" + color + "\"");
}

// Two series that cross, without names.
Chart two_lines() {
    Chart chart;
    chart.series.push_back({"", {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}});
    chart.series.push_back({"", {0, 1, 2, 3, 4}, {4, 3, 2.5, 1, 0}});
    return chart;
}

TEST(ChartTicks, LinearTicksAreMultiplesOfOneTwoOrFive) {
    EXPECT_EQ(labels(linear_ticks(0, 10, 6)), (Labels{"0", "2", "4", "6", "8", "10"}));
    EXPECT_EQ(labels(linear_ticks(0, 1, 5)), (Labels{"0.0", "0.5", "1.0"}));
    EXPECT_EQ(labels(linear_ticks(-0.31, 0.3, 8)),
              (Labels{"\u22120.3", "\u22120.2", "\u22120.1", "0.0", "0.1", "0.2", "0.3"}));
    EXPECT_EQ(labels(linear_ticks(0, 0.005, 6, true)),
              (Labels{"0.0 %", "0.1 %", "0.2 %", "0.3 %", "0.4 %", "0.5 %"}));
    EXPECT_EQ(labels(linear_ticks(0, 3e7, 4)),
              (Labels{"0", "1\u00D710\u2077", "2\u00D710\u2077", "3\u00D710\u2077"}));
    EXPECT_EQ(labels(linear_ticks(0, 3e-7, 4))[1], "1\u00D710\u207B\u2077");
    EXPECT_EQ(labels(linear_ticks(123456.001, 123456.004, 4))[0], "123456.001");
}

TEST(ChartTicks, LinearTicksAreFewAndInside) {
    for (const double low : {-1e300, -7.3, -1e-9, 0.0, 1e-200, 0.1, 99.0}) {
        for (const double span : {1e-201, 1e-9, 0.03, 1.0, 77.7, 1e12, 1e299}) {
            if (span < 1e-7 * std::abs(low)) continue;
            for (const int most : {2, 3, 5, 9, 12}) {
                const auto ticks = linear_ticks(low, low + span, most).major;
                ASSERT_GE(ticks.size(), 2U) << low << " " << span;
                // Where very few are allowed, two are better than one.
                EXPECT_LE(ticks.size(), static_cast<std::size_t>(std::max(most, 5)));
                for (const auto& tick : ticks) {
                    EXPECT_GE(tick.value, low - 1e-5 * span);
                    EXPECT_LE(tick.value, low + 1.00001 * span);
                }
            }
        }
    }
}

TEST(ChartTicks, LogTicksAreDecadesWithMinorOnes) {
    const auto ticks = log_ticks(0.9e-2, 1.2e3, 8);
    EXPECT_EQ(labels(ticks), (Labels{"0.01", "0.1", "1", "10", "100", "1000"}));
    EXPECT_EQ(ticks.minor.size(), 41U);  // eight in each of five decades, and 0.009
    EXPECT_EQ(labels(log_ticks(1e-5, 1e-2, 8))[0], "10\u207B\u2075");
    EXPECT_EQ(labels(log_ticks(1e-5, 1e-2, 8, true)), (Labels{"0.001 %", "0.01 %", "0.1 %", "1 %"}));
    EXPECT_EQ(labels(log_ticks(1e-12, 1, 5)).size(), 5U);
    EXPECT_EQ(log_ticks(1e-12, 1, 5).minor.size(), 8U);  // the powers that are not labelled
    EXPECT_LE(labels(log_ticks(1e-300, 1e300, 8)).size(), 8U);
}

TEST(ChartTicks, ShortLogAxesGetMore) {
    EXPECT_EQ(labels(log_ticks(2, 31, 8)), (Labels{"2", "5", "10", "20"}));
    EXPECT_EQ(labels(log_ticks(2e-6, 3e-5, 8)), (Labels{"2\u00D710\u207B\u2076", "5\u00D710\u207B\u2076",
                                                        "10\u207B\u2075", "2\u00D710\u207B\u2075"}));
    EXPECT_EQ(labels(log_ticks(31, 34, 8)), (Labels{"31.0", "31.5", "32.0", "32.5", "33.0", "33.5", "34.0"}));
}

TEST(ChartTicks, RangesLeaveRoomAroundTheData) {
    ChartAxis axis;
    const auto zero_based = chart::choose_scale(axis, {0.5, 10});
    EXPECT_EQ(zero_based.low, 0);
    EXPECT_GT(zero_based.high, 10);
    const auto apart = chart::choose_scale(axis, {90, 100});
    EXPECT_GT(apart.low, 85);
    EXPECT_LT(apart.low, 90);
    for (const double value : {-1e300, -5.0, 0.0, 1e-310, 3e-7, 42.0, 1e300}) {
        const auto flat = chart::choose_scale(axis, {value, value});
        EXPECT_LT(flat.low, value);
        EXPECT_GT(flat.high, value);
    }
    axis.low = 20;  // beyond all data
    EXPECT_GT(chart::choose_scale(axis, {0, 10}).high, 20);
    axis = {"", true};
    EXPECT_EQ(chart::choose_scale(axis, {}).low, 1);
    const auto single = chart::choose_scale(axis, {5, 5});
    EXPECT_NEAR(single.part(5), 0.5, 1e-12);
    axis.reversed = true;
    EXPECT_GT(chart::choose_scale(axis, {1, 100}).part(1), 0.9);
}

TEST(Chart, SvgIsWellFormedAndEscaped) {
    Chart chart = two_lines();
    chart.title = "a < b && \"c\" > d";
    chart.note = std::string("\x01 \xff 10\u207B\u00B3 </text>");
    chart.x.label = "<x>";
    chart.y.label = "&amp;";
    chart.series[0].name = "']]>";
    const std::string svg = chart_svg(chart);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_NE(svg.find(">a &lt; b &amp;&amp; &quot;c&quot; &gt; d</text>"), std::string::npos);
    EXPECT_NE(svg.find(">&amp;amp;</text>"), std::string::npos);
    EXPECT_NE(svg.find(">\uFFFD \uFFFD 10<tspan dy=\"-"), std::string::npos);
    EXPECT_EQ(count(svg, "[\\x00-\\x09\\x0b-\\x1f]"), 0);
    EXPECT_EQ(xml_fault("<a><b/>&amp;</a>"), "");
    EXPECT_NE(xml_fault("<a><b></a>"), "");
    EXPECT_NE(xml_fault("<a b=c/>"), "");
    EXPECT_NE(xml_fault("<a>&nbsp;</a>"), "");
}

TEST(Chart, PointsThatCannotBeDrawnLeaveGaps) {
    Chart chart = two_lines();
    EXPECT_EQ(lines_of(chart_svg(chart), blue), 1);
    chart.series[0].y[2] = nan;
    EXPECT_EQ(lines_of(chart_svg(chart), blue), 2);
    EXPECT_EQ(count(chart_svg(chart), "<circle[^>]*fill=\"" + blue + "\""), 4);
    chart.series[0].x[2] = std::numeric_limits<double>::infinity();
    chart.series[0].y[2] = 2;
    EXPECT_EQ(lines_of(chart_svg(chart), blue), 2);
    chart.series[0].x[2] = 2;
    chart.y.log = true;  // the first point of one series and the last of the other are zero
    EXPECT_EQ(lines_of(chart_svg(chart), blue), 1);
    EXPECT_EQ(count(chart_svg(chart), "<circle[^>]*fill=\"" + blue + "\""), 4);
    chart.series[0].y[2] = -2;
    EXPECT_EQ(lines_of(chart_svg(chart), blue), 1);
    EXPECT_EQ(count(chart_svg(chart), "<circle[^>]*fill=\"" + blue + "\""), 3);

    // A point alone is seen without markers too.
    chart.series[0].markers = false;
    EXPECT_EQ(count(chart_svg(chart), "<circle[^>]*fill=\"" + blue + "\""), 1);
}

TEST(Chart, EndsOfAnAxisCutLinesOff) {
    Chart chart;
    chart.series.push_back({"", {-10, 10}, {-10, 10}});
    chart.x.low = chart.y.low = -1;
    chart.x.high = chart.y.high = 1;
    const chart::Layout layout = chart::lay_out(chart);
    ASSERT_EQ(layout.traces[0].lines.size(), 1U);
    EXPECT_TRUE(layout.traces[0].points.empty());
    const auto& line = layout.traces[0].lines[0];
    EXPECT_NEAR(line.front().x(), layout.frame.left, 0.01);
    EXPECT_NEAR(line.front().y(), layout.frame.bottom, 0.01);
    EXPECT_NEAR(line.back().x(), layout.frame.right, 0.01);
    EXPECT_NEAR(line.back().y(), layout.frame.top, 0.01);
}

TEST(Chart, DegenerateDataDrawsSomethingSensible) {
    Chart chart;
    EXPECT_NE(chart_svg(chart).find(">no data</text>"), std::string::npos);
    chart.series.push_back({"nothing", {}, {}});
    chart.series.push_back({"not numbers", {nan, 1}, {1, nan}});
    EXPECT_NE(chart_svg(chart).find(">no data</text>"), std::string::npos);
    chart.x.log = chart.y.log = true;
    chart.series.push_back({"negative", {-1, 0}, {1, 2}});
    EXPECT_NE(chart_svg(chart).find(">no data</text>"), std::string::npos);
    EXPECT_GT(chart_image(chart).width, 0);
    for (const double value : {1.0, 0.0, -3e-310, 1e-250, 1e290, -7e299}) {
        for (const bool log : {false, true}) {
            if (log && value <= 0) continue;
            Chart flat;
            flat.x.log = flat.y.log = log;
            flat.series.push_back({"flat", {value, value}, {value, value}});
            flat.series.push_back({"one", {value}, {value}});
            const std::string svg = chart_svg(flat);
            EXPECT_EQ(svg.find("no data"), std::string::npos) << value;
            EXPECT_EQ(svg.find("nan"), std::string::npos) << value;
            EXPECT_EQ(xml_fault(svg), "");
            EXPECT_GT(chart_image(flat, 1).width, 0);
        }
    }
    Chart wide;
    wide.series.push_back({"wide", {-1e300, 1e300}, {1e-300, 1e300}});
    wide.y.log = true;
    EXPECT_EQ(xml_fault(chart_svg(wide)), "");
}

TEST(Chart, BadInputIsRefused) {
    const auto refused = [](auto&& change) {
        Chart chart = two_lines();
        change(chart);
        EXPECT_THROW(chart_svg(chart), InputError);
        EXPECT_THROW(chart_image(chart), InputError);
    };
    refused([](Chart& chart) { chart.series[0].x.pop_back(); });
    refused([](Chart& chart) { chart.width = 20; });
    refused([](Chart& chart) { chart.height = 1 << 30; });
    refused([](Chart& chart) { chart.x.low = nan; });
    refused([](Chart& chart) { chart.x.low = chart.x.high = 1; });
    refused([](Chart& chart) {
        chart.y.log = true;
        chart.y.low = 0;
    });
    EXPECT_THROW(chart_image(two_lines(), 100), InputError);
}

// A full ring of waves leaves no corner free.
Chart waves(int count_of_series, const std::string& name) {
    Chart chart;
    for (int s = 0; s < count_of_series; ++s) {
        ChartSeries series{name + std::to_string(s), {}, {}};
        for (int k = 0; k < 200; ++k) {
            series.x.push_back(k);
            series.y.push_back(std::sin(0.5 * k + s));
        }
        chart.series.push_back(series);
    }
    return chart;
}

TEST(Chart, LegendCoversNoData) {
    Chart chart = two_lines();
    chart.series[0].name = "up";
    chart.series[1].name = "down";
    const auto layout = chart::lay_out(chart);
    EXPECT_TRUE(layout.frame.holds({layout.legend.box.left, layout.legend.box.top}));
    EXPECT_TRUE(chart::covers_nothing(layout.legend.box, chart, layout.traces, 4));

    // Go outside where there is no place inside: to the right, below, and cut short at last.
    const auto right = chart::lay_out(waves(3, "wave "));
    EXPECT_GT(right.legend.box.left, right.frame.right);
    EXPECT_LE(right.legend.box.right, 720);
    const auto below = chart::lay_out(waves(3, "a wave with a name that has no place beside the frame "));
    EXPECT_GT(below.legend.box.top, below.frame.bottom);
    EXPECT_LE(below.legend.box.bottom, 480);
    EXPECT_EQ(below.legend.entries.size(), 3U);
    const auto crowd = chart::lay_out(waves(300, "wave "));
    EXPECT_GT(crowd.legend.box.top, crowd.frame.bottom);
    EXPECT_GT(crowd.frame.height(), 100);
    EXPECT_EQ(crowd.legend.entries.back().series, -1);
}

TEST(Chart, LongTextsAreBrokenAndCut) {
    const auto lines = chart::break_lines("one two three four five", 10, 60, 9);
    EXPECT_GT(lines.size(), 1U);
    for (const std::string& line : lines) EXPECT_LE(chart::room_for(line, 10), 60);
    EXPECT_EQ(chart::break_lines("one\ntwo", 10, 600, 9), (Labels{"one", "two"}));
    EXPECT_TRUE(chart::break_lines(" \n ", 10, 600, 9).empty());
    const auto cut = chart::break_lines("one two three four five", 10, 60, 1);
    ASSERT_EQ(cut.size(), 1U);
    EXPECT_TRUE(cut[0].ends_with("\u2026"));
    EXPECT_EQ(
        chart::break_lines("\u03BB\u03BB\u03BB\u03BB\u03BB\u03BB\u03BB\u03BB\u03BB\u03BB", 10, 40, 1)[0],
        "\u03BB\u03BB\u03BB\u2026");
}

TEST(Chart, PictureShowsWhatTheSvgShows) {
    Chart chart = two_lines();
    chart.series[1].dashed = true;
    const std::string svg = chart_svg(chart);
    const Image image = chart_image(chart, 2);
    EXPECT_EQ(image.width, 1440);
    EXPECT_EQ(image.height, 960);

    // Look up each disc of the first series in the picture.
    const std::regex disc("<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\" r=\"[0-9.]+\" fill=\"" + blue + "\"");
    int discs = 0;
    for (auto found = std::sregex_iterator(svg.begin(), svg.end(), disc); found != std::sregex_iterator();
         ++found, ++discs) {
        const int x = static_cast<int>(2 * std::stod((*found)[1])),
                  y = static_cast<int>(2 * std::stod((*found)[2]));
        EXPECT_EQ(image.pixel(x, y), (std::array<std::uint8_t, 3>{0, 114, 178}));
    }
    EXPECT_EQ(discs, 5);
    EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
}

TEST(Chart, EverySeriesIsSeenInItsColour) {
    Chart chart = waves(7, "");
    for (ChartSeries& series : chart.series) series.name.clear();
    chart.series[2].dashed = true;
    chart.series[3].line = false;
    chart.series[4].markers = false;
    const Image image = chart_image(chart, 1);
    std::vector<std::array<std::uint8_t, 3>> colors{{0, 114, 178},   {213, 94, 0},  {0, 158, 115},
                                                    {204, 121, 167}, {230, 159, 0}, {86, 180, 233},
                                                    {0, 0, 0}};
    for (const auto& color : colors) {
        int pixels = 0;
        for (int y = 0; y < image.height; ++y) {
            for (int x = 0; x < image.width; ++x) pixels += image.pixel(x, y) == color ? 1 : 0;
        }
        EXPECT_GT(pixels, 50) << int(color[0]) << " " << int(color[1]) << " " << int(color[2]);
    }
    for (ChartSeries& series : chart.series) series.style = 1;
    EXPECT_EQ(lines_of(chart_svg(chart), blue), 0);
    EXPECT_EQ(lines_of(chart_svg(chart), vermilion), 6);
}

struct CommaForPoint : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(Chart, SameBytesEveryTimeAndInEveryLocale) {
    const Chart chart = waves(3, "wave ");
    const std::string svg = chart_svg(chart);
    const Image image = chart_image(chart, 1);
    const std::locale before = std::locale::global(std::locale(std::locale(), new CommaForPoint));
    const std::string again = chart_svg(chart);
    std::locale::global(before);
    EXPECT_EQ(again, svg);
    EXPECT_EQ(chart_image(chart, 1).rgb, image.rgb);
}

TEST(Chart, WritesBothFilesWhole) {
    const tests::TemporaryFolder folder;
    const Chart chart = two_lines();
    write_chart(folder / "dt_0.01", chart);  // what looks like an extension stays
    EXPECT_EQ(tests::bytes_of(folder / "dt_0.01.svg"), chart_svg(chart));
    EXPECT_EQ(tests::bytes_of(folder / "dt_0.01.png").substr(1, 3), "PNG");
    const auto files = std::filesystem::directory_iterator(folder.path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 2);
    EXPECT_THROW(write_chart(folder / "missing/chart", chart), InputError);
}

}  // namespace
}  // namespace taut::io

// The canvas that writes SVG 1.1 text. Numbers have at most two decimals; fmt writes them without
// regard to the locale.
#include <fmt/format.h>

#include "taut/io/chart.hpp"
#include "taut/io/chart_canvas.hpp"
#include "taut/io/chart_layout.hpp"
#include "taut/io/text_symbols.hpp"

namespace taut::io::chart {
namespace {

// Heights of capitals in fonts such as Helvetica, Arial and DejaVu Sans, as parts of the font size.
constexpr double capital_height = 0.72;

std::string number(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string hex(const Rgb& color) { return fmt::format("#{:02x}{:02x}{:02x}", color[0], color[1], color[2]); }

// Append one character; those that XML forbids become the replacement character.
void append_escaped(std::string& text, char32_t code) {
    switch (code) {
        case '&':
            text += "&amp;";
            return;
        case '<':
            text += "&lt;";
            return;
        case '>':
            text += "&gt;";
            return;
        case '"':
            text += "&quot;";
            return;
        default:
            break;
    }
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    append_utf8(text, control || code == 0xFFFE || code == 0xFFFF ? 0xFFFD : code);
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const TextSymbol& symbol : text_symbols(text)) append_escaped(result, symbol.code);
    return result;
}

// Escape a text and set its raised and lowered parts in spans; `size` is the height of a capital.
std::string content(const std::string& text, double size) {
    std::string result;
    int level = 0;
    double down = 0;
    bool open = false;
    for (const TextSymbol& symbol : text_symbols(text)) {
        if (symbol.level != level) {
            const double wanted = size * (symbol.level > 0 ? -raise_by : symbol.level < 0 ? lower_by : 0);
            if (open) result += "</tspan>";
            result += fmt::format("<tspan dy=\"{}\"", number(wanted - down));
            if (symbol.level != 0) {
                result += fmt::format(" font-size=\"{}\"", number(level_size * size / capital_height));
            }
            result += ">";
            level = symbol.level;
            down = wanted;
            open = true;
        }
        append_escaped(result, symbol.plain);
    }
    return open ? result + "</tspan>" : result;
}

class SvgCanvas : public Canvas {
public:
    explicit SvgCanvas(const Chart& chart) {
        text_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" stroke-linecap=\"round\" "
            "stroke-linejoin=\"round\">\n",
            chart.width, chart.height);
        if (!chart.title.empty()) text_ += fmt::format("<title>{}</title>\n", escaped(chart.title));
        text_ += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    }

    std::string finish() { return std::move(text_) + "</svg>\n"; }

    void polyline(const std::vector<Vec2>& points, double thickness, Rgb color, bool dashed) override {
        text_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"",
                             list(points), hex(color), number(thickness));
        if (dashed)
            text_ += fmt::format(" stroke-dasharray=\"{} {}\"", number(dash_stroke), number(dash_gap));
        text_ += "/>\n";
    }

    void disc(const Vec2& center, double radius, Rgb color) override {
        text_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", number(center.x()),
                             number(center.y()), number(radius), hex(color));
    }

    void convex(const std::vector<Vec2>& corners, Rgb color) override {
        text_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", list(corners), hex(color));
    }

    void text(const Vec2& at, const std::string& words, double size, Rgb color, Anchor anchor) override {
        constexpr std::array names{"start", "middle", "end"};
        write(words, size, color, names[static_cast<std::size_t>(anchor)],
              fmt::format("x=\"{}\" y=\"{}\"", number(at.x()), number(at.y())));
    }

    void text_upwards(const Vec2& at, const std::string& words, double size, Rgb color) override {
        write(words, size, color, "middle",
              fmt::format("transform=\"translate({} {}) rotate(-90)\"", number(at.x()), number(at.y())));
    }

private:
    static std::string list(const std::vector<Vec2>& points) {
        std::string result;
        for (const Vec2& p : points) {
            if (!result.empty()) result += ' ';
            result += number(p.x()) + "," + number(p.y());
        }
        return result;
    }

    void write(const std::string& words, double size, Rgb color, const char* anchor,
               const std::string& place) {
        text_ += fmt::format("<text {} font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\">{}</text>\n", place,
                             number(size / capital_height), hex(color), anchor, content(words, size));
    }

    std::string text_;
};

}  // namespace
}  // namespace taut::io::chart

std::string taut::io::chart_svg(const Chart& chart) {
    const chart::Layout layout = chart::lay_out(chart);
    chart::SvgCanvas canvas(chart);
    chart::draw(canvas, chart, layout);
    return canvas.finish();
}

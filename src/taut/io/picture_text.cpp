// Text in pictures: a stroke font drawn for this program. A glyph is a list of strokes on a grid
// with the baseline at 0, capitals 7 and small letters 5 high. '/' starts a polyline, '~' an open
// curve, 'o' a closed one (quadratic B-splines); then follow points, two characters each: x as a
// digit, y as a digit or 'a', 'b' for one and two below the baseline. Text is UTF-8: printable ASCII
// and the signs and Greek letters of plots have glyphs, Latin letters with accents lose them, and
// everything else is a box.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "taut/io/picture_overlay.hpp"
#include "taut/io/text_symbols.hpp"

namespace taut::io {
namespace {

using picture::Path;

struct Glyph {
    char32_t letter;
    std::string_view strokes;
};

constexpr std::array glyphs{
    Glyph{'0', "o00404707"},
    Glyph{'1', "/153730"},
    Glyph{'2', "~0507474300 /0040"},
    Glyph{'3', "~0607474414 ~1444400001"},
    Glyph{'4', "/30370242"},
    Glyph{'5', "/470704 ~0445400001"},
    Glyph{'6', "o00404404 ~370702"},
    Glyph{'7', "/074710"},
    Glyph{'8', "o00404404 o04444707"},
    Glyph{'9', "o03434707 ~104045"},
    Glyph{'A', "/002740 /1232"},
    Glyph{'B', "/0007 ~07474404 ~04444000"},
    Glyph{'C', "~464707004041"},
    Glyph{'D', "/0007 ~07474000"},
    Glyph{'E', "/47070040 /0434"},
    Glyph{'F', "/470700 /0434"},
    Glyph{'G', "~464707004043 /4323"},
    Glyph{'H', "/0007 /4047 /0444"},
    Glyph{'I', "/0007"},
    Glyph{'J', "~37300002"},
    Glyph{'K', "/0007 /4703 /1440"},
    Glyph{'L', "/070030"},
    Glyph{'M', "/0007234740"},
    Glyph{'N', "/00074047"},
    Glyph{'O', "o00505707"},
    Glyph{'P', "/0007 ~07474303"},
    Glyph{'Q', "o00505707 /3250"},
    Glyph{'R', "/0007 ~07474303 /2340"},
    Glyph{'S', "~4647070443400001"},
    Glyph{'T', "/0747 /2027"},
    Glyph{'U', "~070200404247"},
    Glyph{'V', "/072047"},
    Glyph{'W', "/0710355067"},
    Glyph{'X', "/0047 /0740"},
    Glyph{'Y', "/072347 /2320"},
    Glyph{'Z', "/07470040"},
    Glyph{'a', "o00404505 /4540"},
    Glyph{'b', "/0007 o00404505"},
    Glyph{'c', "~444505004041"},
    Glyph{'d', "/4047 o00404505"},
    Glyph{'e', "/0343 ~434505004041"},
    Glyph{'f', "~271710 /0525"},
    Glyph{'g', "o00404505 ~45404b0b"},
    Glyph{'h', "/0007 ~0305454240"},
    Glyph{'i', "/0005 /0707"},
    Glyph{'j', "~151b0b /1717"},
    Glyph{'k', "/0007 /3502 /1330"},
    Glyph{'l', "~07010010"},
    Glyph{'m', "/0005 ~0305353330 ~3335656360"},
    Glyph{'n', "/0005 ~0305454340"},
    Glyph{'o', "o00404505"},
    Glyph{'p', "/050b o00404505"},
    Glyph{'q', "/454b o00404505"},
    Glyph{'r', "/0005 ~030535"},
    Glyph{'s', "~3435050332300001"},
    Glyph{'t', "~17111020 /0525"},
    Glyph{'u', "~0502004042 /4540"},
    Glyph{'v', "/052045"},
    Glyph{'w', "/0510345065"},
    Glyph{'x', "/0045 /0540"},
    Glyph{'y', "/0520 /451b"},
    Glyph{'z', "/05450040"},
    Glyph{'.', "/0000"},
    Glyph{',', "/000a"},
    Glyph{':', "/0000 /0404"},
    Glyph{';', "/000a /0404"},
    Glyph{'-', "/0333"},
    Glyph{'+', "/0343 /2521"},
    Glyph{'=', "/0444 /0242"},
    Glyph{'/', "/0037"},
    Glyph{'%', "o04242707 o40606343 /1057"},
    Glyph{'(', "~2806012a"},
    Glyph{')', "~0826210a"},
    Glyph{'[', "/28080a2a"},
    Glyph{']', "/08282a0a"},
    Glyph{'_', "/0a4a"},
    Glyph{'#', "/1017 /3037 /0242 /0545"},
    Glyph{'\'', "/0705"},
    Glyph{'"', "/0705 /2725"},
    Glyph{'|', "/0a08"},
    Glyph{'<', "/450341"},
    Glyph{'>', "/054301"},
    Glyph{'?', "~060747442422 /2020"},
    Glyph{'!', "/0702 /0000"},
    Glyph{'*', "/2723 /0446 /0644"},
    Glyph{'$', "~4647070443400001 /282a"},
    Glyph{'&', "~50151737350300003053"},
    Glyph{'@', "o22424525 ~45426267070050"},
    Glyph{'\\', "/0730"},
    Glyph{'^', "/052745"},
    Glyph{'`', "/0716"},
    Glyph{'{', "~28181303 ~03131a2a"},
    Glyph{'}', "~08181323 ~23131a0a"},
    Glyph{'~', "~03143243"},
    Glyph{U'\u2212', "/0343"},  // minus
    Glyph{U'\u2013', "/0343"},  // dashes
    Glyph{U'\u2014', "/0363"},
    Glyph{U'\u00B1', "/0444 /2622 /0040"},  // plus or minus
    Glyph{U'\u00D7', "/0145 /0541"},        // times
    Glyph{U'\u00B7', "/0303"},              // middle dot
    Glyph{U'\u00B0', "o05252707"},          // degree
    Glyph{U'\u2016', "/0a08 /2a28"},        // norm
    Glyph{U'\u2264', "/460442 /0040"},      // at most
    Glyph{U'\u2265', "/064402 /0040"},      // at least
    Glyph{U'\u2248', "~04153344 ~02133142"},
    Glyph{U'\u2192', "/0353 /355331"},
    Glyph{U'\u2026', "/0000 /2020 /4040"},  // ellipsis
    Glyph{U'\u2018', "/0507"},              // quotation marks
    Glyph{U'\u2019', "/0705"},
    Glyph{U'\u201C', "/0507 /2527"},
    Glyph{U'\u201D', "/0705 /2725"},
    Glyph{U'\u0394', "/00402700"},  // Delta
    Glyph{U'\u00B5', "/050b ~0502004042 /4540"},
    Glyph{U'\u03BC', "/050b ~0502004042 /4540"},
    Glyph{U'\u03B1', "~553000053550"},
    Glyph{U'\u03B2', "/0b05 ~0507474414 ~1444400001"},
    Glyph{U'\u03B3', "/052245 /222b"},
    Glyph{U'\u03B4', "o00404404 ~44070737"},
    Glyph{U'\u03B5', "~4445050323 ~2303004041"},
    Glyph{U'\u03B7', "/0005 ~030545434b"},
    Glyph{U'\u03B8', "o00404707 /0444"},
    Glyph{U'\u03BB', "/071740 /2400"},
    Glyph{U'\u03BD', "/052045"},
    Glyph{U'\u03C0', "/0545 /1510 /3530"},
    Glyph{U'\u03C1', "/020b o00404505"},
    Glyph{U'\u03C3', "o00404505 /2555"},
    Glyph{U'\u03C4', "/0545 ~25212030"},
    Glyph{U'\u03C6', "o00404505 /272b"},
    Glyph{U'\u03C9', "~05002023 ~23204045"},
};
constexpr std::string_view unknown = "/0040470700";

constexpr double capital = 7, gap = 1.9, space = 3.2;  // [grid unit]

// Latin letters from U+00C0 on without their accents.
constexpr std::string_view bare_letters = "AAAAAAACEEEEIIIIDNOOOOO?OUUUUYPsaaaaaaaceeeeiiiidnooooo?ouuuuypy";

std::string_view strokes_of(char32_t letter) {
    const auto find = [](char32_t wanted) {
        return std::find_if(glyphs.begin(), glyphs.end(), [&](const Glyph& g) { return g.letter == wanted; });
    };
    auto found = find(letter);
    if (found == glyphs.end() && letter >= 0xC0 && letter < 0xC0 + bare_letters.size()) {
        found = find(static_cast<char32_t>(bare_letters[letter - 0xC0]));
    }
    return found == glyphs.end() ? unknown : found->strokes;
}

// Width of a glyph without the gap after it [grid unit].
double glyph_width(std::string_view strokes) {
    int width = 0;
    for (std::size_t k = 0; k < strokes.size(); ++k) {
        // Points start at odd places after each stroke's mark.
        if (strokes[k] == '/' || strokes[k] == '~' || strokes[k] == 'o') continue;
        if (strokes[k] == ' ') continue;
        width = std::max(width, strokes[k] - '0');
        ++k;
    }
    return width;
}

void add_curve(Path& path, const Vec2& from, const Vec2& control, const Vec2& to) {
    constexpr int steps = 8;
    for (int k = 1; k <= steps; ++k) {
        const double t = static_cast<double>(k) / steps;
        path.push_back((1 - t) * (1 - t) * from + 2 * t * (1 - t) * control + t * t * to);
    }
}

// Turn control points into the points of a polyline.
Path trace(char kind, const Path& points) {
    if (kind == '/' || points.size() < 3) return points;
    const auto middle = [&](std::size_t k) {
        return Vec2(0.5 * (points[k % points.size()] + points[(k + 1) % points.size()]));
    };
    Path path;
    if (kind == 'o') {
        path.push_back(middle(0));
        for (std::size_t k = 1; k <= points.size(); ++k) {
            add_curve(path, middle(k - 1), points[k % points.size()], middle(k));
        }
        return path;
    }
    path = {points.front(), middle(0)};
    for (std::size_t k = 1; k + 1 < points.size(); ++k) add_curve(path, middle(k - 1), points[k], middle(k));
    path.push_back(points.back());
    return path;
}

// Paths of a glyph in pixels, its origin at (x, y).
std::vector<Path> glyph_paths(std::string_view strokes, double x, double y, double unit) {
    std::vector<Path> paths;
    for (std::size_t k = 0; k < strokes.size(); ++k) {
        const char kind = strokes[k++];
        Path points;
        for (; k + 1 < strokes.size() && strokes[k] != ' '; k += 2) {
            const char row = strokes[k + 1];
            const int height = row >= 'a' ? 'a' - row - 1 : row - '0';
            points.emplace_back(x + unit * (strokes[k] - '0'), y - unit * height);
        }
        paths.push_back(trace(kind, points));
    }
    return paths;
}

// Where a symbol of a text starts, and how large its grid unit is there.
struct PlacedSymbol {
    std::string_view strokes;  // empty: a space
    double x = 0, up = 0;      // from the start of the text, along and above its baseline
    double unit = 1, width = 0;
};

// Set a text symbol by symbol, with capitals of height `size`.
std::vector<PlacedSymbol> place_symbols(const std::string& text, double size) {
    std::vector<PlacedSymbol> placed;
    double x = 0;
    for (const TextSymbol& symbol : text_symbols(text)) {
        PlacedSymbol at;
        at.x = x;
        at.up = size * (symbol.level > 0 ? raise_by : symbol.level < 0 ? -lower_by : 0);
        at.unit = size / capital * (symbol.level == 0 ? 1 : level_size);
        const bool blank = symbol.plain == ' ' || symbol.plain == 0xA0;
        if (!blank) at.strokes = strokes_of(symbol.plain);
        // Make all figures as wide as most are, so that columns of numbers line up.
        const bool figure = symbol.plain >= '0' && symbol.plain <= '9';
        at.width = at.unit * (blank ? space - gap : figure ? 4 : glyph_width(at.strokes));
        x += at.width + gap * at.unit;
        placed.push_back(at);
    }
    return placed;
}

// Thin strokes fade before they get thinner than a pixel [pixel].
double stroke_thickness(double unit) { return std::max(1.15, 0.92 * unit); }

}  // namespace

void draw_text(Image& image, double x, double y, const std::string& text, double size,
               std::array<std::uint8_t, 3> color) {
    for (const PlacedSymbol& at : place_symbols(text, size)) {
        picture::draw_paths(image, glyph_paths(at.strokes, x + at.x, y - at.up, at.unit),
                            stroke_thickness(at.unit), color);
    }
}

void picture::draw_text_upwards(Image& image, const Vec2& start, const std::string& text, double size,
                                std::array<std::uint8_t, 3> color) {
    for (const PlacedSymbol& at : place_symbols(text, size)) {
        std::vector<Path> paths = glyph_paths(at.strokes, at.x, -at.up, at.unit);
        for (Path& path : paths) {
            for (Vec2& p : path) p = start + Vec2(p.y(), -p.x());
        }
        draw_paths(image, paths, stroke_thickness(at.unit), color);
    }
}

double text_width(const std::string& text, double size) {
    const std::vector<PlacedSymbol> placed = place_symbols(text, size);
    return placed.empty() ? 0 : std::max(0.0, placed.back().x + placed.back().width);
}

}  // namespace taut::io

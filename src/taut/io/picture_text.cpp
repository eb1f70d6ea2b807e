// Text in pictures: a stroke font drawn for this program. A glyph is a list of strokes on a grid
// with the baseline at 0, capitals 7 and small letters 5 high. '/' starts a polyline, '~' an open
// curve, 'o' a closed one (quadratic B-splines); then follow points, two characters each: x as a
// digit, y as a digit or 'a', 'b' for one and two below the baseline.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "taut/io/picture_overlay.hpp"

namespace taut::io {
namespace {

struct Glyph {
    char letter;
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
};
constexpr std::string_view unknown = "/0040470700";

constexpr double capital = 7, gap = 1.9, space = 2.6;  // [grid unit]

std::string_view strokes_of(char letter) {
    const auto found =
        std::find_if(glyphs.begin(), glyphs.end(), [&](const Glyph& g) { return g.letter == letter; });
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

using Path = std::vector<Vec2>;

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

double distance(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 along = b - a;
    const double length2 = along.squaredNorm();
    const double t = length2 > 0 ? std::clamp((p - a).dot(along) / length2, 0.0, 1.0) : 0;
    return (p - a - t * along).norm();
}

// Paint all pixels within half a thickness of the paths, with soft borders; joints blend once.
void draw_paths(Image& image, const std::vector<Path>& paths, double thickness,
                std::array<std::uint8_t, 3> color) {
    Vec2 low = Vec2::Constant(1e9), high = Vec2::Constant(-1e9);
    for (const Path& path : paths) {
        for (const Vec2& p : path) {
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
    }
    const double reach = 0.5 * thickness + 1;
    const auto clip = [](double value, int count) {
        return static_cast<int>(std::clamp<double>(value, 0, count));
    };
    for (int y = clip(low.y() - reach, image.height); y < clip(high.y() + reach + 1, image.height); ++y) {
        for (int x = clip(low.x() - reach, image.width); x < clip(high.x() + reach + 1, image.width); ++x) {
            double nearest = 1e9;
            for (const Path& path : paths) {
                for (std::size_t k = 0; k < path.size(); ++k) {
                    nearest =
                        std::min(nearest, distance({x + 0.5, y + 0.5}, path[k > 0 ? k - 1 : 0], path[k]));
                }
            }
            const double cover = std::clamp(0.5 + 0.5 * thickness - nearest, 0.0, 1.0);
            if (cover <= 0) continue;
            const std::size_t at = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                        static_cast<std::size_t>(x));
            for (std::size_t k = 0; k < 3; ++k) {
                image.rgb[at + k] = static_cast<std::uint8_t>(
                    std::lround((1 - cover) * image.rgb[at + k] + cover * color[k]));
            }
        }
    }
}

}  // namespace

void picture::draw_line(Image& image, const Vec2& a, const Vec2& b, double thickness,
                        std::array<std::uint8_t, 3> color) {
    draw_paths(image, {{a, b}}, thickness, color);
}

void draw_text(Image& image, double x, double y, const std::string& text, double size,
               std::array<std::uint8_t, 3> color) {
    const double unit = size / capital;
    for (char letter : text) {
        if (letter == ' ') {
            x += space * unit;
            continue;
        }
        const std::string_view strokes = strokes_of(letter);
        draw_paths(image, glyph_paths(strokes, x, y, unit), std::max(1.15, 0.92 * unit), color);
        x += (glyph_width(strokes) + gap) * unit;
    }
}

double text_width(const std::string& text, double size) {
    double width = 0;
    for (char letter : text) width += letter == ' ' ? space : glyph_width(strokes_of(letter)) + gap;
    return std::max(0.0, width - gap) * size / capital;
}

}  // namespace taut::io

// Pictures on pictures: the legends and the film strip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/io/picture_color.hpp"
#include "taut/io/picture_map.hpp"

namespace taut::io {
namespace {

using Bytes = std::array<std::uint8_t, 3>;
constexpr Bytes ink{64, 68, 74};

void set_pixel(Image& image, int x, int y, const Bytes& color) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    const std::size_t at = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                static_cast<std::size_t>(x));
    std::copy(color.begin(), color.end(), image.rgb.begin() + static_cast<std::ptrdiff_t>(at));
}

std::string percent(double part) { return part > 0 ? fmt::format("{:.3g} %", 100 * part) : "0"; }

}  // namespace

Image::Image(int columns, int rows, std::array<std::uint8_t, 3> color)
    : width(std::max(0, columns)), height(std::max(0, rows)) {
    rgb.resize(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t k = 0; k < rgb.size(); ++k) rgb[k] = color[k % 3];
}

std::array<std::uint8_t, 3> Image::pixel(int column, int row) const {
    const std::size_t at = 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                                static_cast<std::size_t>(column));
    return {rgb[at], rgb[at + 1], rgb[at + 2]};
}

namespace picture {
namespace {

// Where a colour bar goes; a picture too small for its texts gets none.
struct Bar {
    double size;  // height of capitals [pixel]; everything scales with the picture
    int length, thick, left, top;
    bool fits;

    Bar(const Image& image, int row)
        : size(std::max(9.0, image.height / 62.0)),
          length(std::max(static_cast<int>(image.width * 0.24), 90)),
          thick(static_cast<int>(0.9 * size)),
          left(image.width - length - static_cast<int>(3.2 * size)),
          top(image.height - static_cast<int>((5 + 7.5 * row) * size)),
          fits(image.width >= 2 * length && image.height >= (12 + 7.5 * row) * size) {}

    void draw(Image& image, Vec3f (*color_at)(float)) const {
        for (int x = 0; x < length; ++x) {
            const auto color = to_bytes(color_at(static_cast<float>(x) / static_cast<float>(length - 1)));
            for (int y = 0; y < thick; ++y) set_pixel(image, left + x, top + y, color);
        }
    }

    // A text under the bar at a part of its length, in the middle below a tick.
    void mark(Image& image, double part, const std::string& text) const {
        const double x = left + part * (length - 1) + 0.5;
        draw_line(image, {x, top + thick + 1.0}, {x, top + thick + 0.35 * size}, 1.2, ink);
        draw_text(image, x - text_width(text, size) / 2, top + thick + 1.9 * size, text, size, ink);
    }
};

}  // namespace

void draw_legend(Image& image, double strain_limit) {
    const Bar bar(image, 0);
    if (!bar.fits) return;
    bar.draw(image, strain_color);
    for (const double part : {0.0, 0.5, 1.0}) bar.mark(image, part, percent(part * strain_limit));
    draw_text(image, bar.left, bar.top - 0.8 * bar.size, "strain", bar.size, ink);
}

void draw_map_legend(Image& image, const CorrectionMap& map, bool raised) {
    const Bar bar(image, raised ? 1 : 0);
    if (!bar.fits) return;
    bar.draw(image, order_color);
    bar.mark(image, 0, "first");
    bar.mark(image, 1, "last");

    // Put name and number above; what is longer than the bar begins farther left.
    const std::string number =
        fmt::format("{} correction{}", map.list.size(), map.list.size() == 1 ? "" : "s");
    for (const std::string& text : {map.name.empty() ? number : map.name + ": " + number, number}) {
        const double width = text_width(text, bar.size), right = bar.left + bar.length;
        const double left = std::min<double>(bar.left, right - width);
        if (left < bar.size && text != number) continue;
        draw_text(image, left, bar.top - 0.8 * bar.size, text, bar.size, ink);
        return;
    }
}

}  // namespace picture

Image film_strip(const std::vector<Image>& images, int columns, const std::vector<std::string>& labels) {
    if (columns < 1) {
        throw InputError({"", "picture/columns"}, "a film strip needs columns", std::to_string(columns),
                         "at least 1");
    }
    const int count = static_cast<int>(images.size());
    if (count == 0) return {};
    columns = std::min(columns, count);
    const int rows = (count + columns - 1) / columns;
    int width = 0, height = 0;
    for (const Image& image : images) {
        width = std::max(width, image.width);
        height = std::max(height, image.height);
    }

    // Lay the pictures out with a thin white border between them.
    const int border = std::max(2, width / 160);
    constexpr std::int64_t largest = 65535;  // what common viewers open
    if (std::int64_t{columns} * (width + border) > largest ||
        std::int64_t{rows} * (height + border) > largest) {
        throw InputError({"", "picture/columns"}, "the film strip is too large",
                         fmt::format("{} pictures of {} x {} pixels", count, width, height),
                         "take fewer or smaller pictures, or another number of columns");
    }
    Image strip(columns * (width + border) - border, rows * (height + border) - border, {255, 255, 255});
    const double size = std::max(8.0, height / 26.0);
    for (int k = 0; k < count; ++k) {
        const Image& image = images[static_cast<std::size_t>(k)];
        const int left = k % columns * (width + border), top = k / columns * (height + border);
        for (int y = 0; y < image.height; ++y) {
            for (int x = 0; x < image.width; ++x) set_pixel(strip, left + x, top + y, image.pixel(x, y));
        }
        if (static_cast<std::size_t>(k) < labels.size()) {
            draw_text(strip, left + 1.2 * size, top + height - 1.2 * size,
                      labels[static_cast<std::size_t>(k)], size, ink);
        }
    }
    return strip;
}

}  // namespace taut::io

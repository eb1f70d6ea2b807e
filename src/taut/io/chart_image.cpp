// The canvas that paints a picture, with the strokes and the font of the pictures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/chart.hpp"
#include "taut/io/chart_canvas.hpp"
#include "taut/io/chart_layout.hpp"
#include "taut/io/picture_overlay.hpp"

namespace taut::io::chart {
namespace {

// Cut a line into the strokes of a dashed one, measured along it.
std::vector<picture::Path> dashes(const std::vector<Vec2>& points, double stroke, double gap) {
    std::vector<picture::Path> paths{{points.front()}};
    bool drawing = true;
    double left = stroke;  // length until the next change
    for (std::size_t k = 1; k < points.size(); ++k) {
        const Vec2 along = points[k] - points[k - 1];
        const double length = along.norm();
        double done = 0;
        while (length - done > left) {
            done += left;
            const Vec2 p = points[k - 1] + done / length * along;
            if (drawing) {
                paths.back().push_back(p);
            } else {
                paths.push_back({p});
            }
            drawing = !drawing;
            left = drawing ? stroke : gap;
        }
        left -= length - done;
        if (drawing) paths.back().push_back(points[k]);
    }
    return paths;
}

class ImageCanvas : public Canvas {
public:
    ImageCanvas(Image& image, double scale) : image_(image), scale_(scale) {}

    void polyline(const std::vector<Vec2>& points, double thickness, Rgb color, bool dashed) override {
        const picture::Path path = scaled(points);
        picture::draw_paths(
            image_,
            dashed ? dashes(path, scale_ * dash_stroke, scale_ * dash_gap) : std::vector<picture::Path>{path},
            scale_ * thickness, color);
    }

    void disc(const Vec2& center, double radius, Rgb color) override {
        picture::draw_paths(image_, {{scale_ * center}}, 2 * scale_ * radius, color);
    }

    void convex(const std::vector<Vec2>& corners, Rgb color) override {
        picture::fill_convex(image_, scaled(corners), color);
    }

    void text(const Vec2& at, const std::string& words, double size, Rgb color, Anchor anchor) override {
        const double width = text_width(words, scale_ * size);
        const double back = anchor == Anchor::start ? 0 : anchor == Anchor::middle ? width / 2 : width;
        draw_text(image_, scale_ * at.x() - back, scale_ * at.y(), words, scale_ * size, color);
    }

    void text_upwards(const Vec2& at, const std::string& words, double size, Rgb color) override {
        const Vec2 start = scale_ * at + Vec2(0, text_width(words, scale_ * size) / 2);
        picture::draw_text_upwards(image_, start, words, scale_ * size, color);
    }

private:
    picture::Path scaled(const std::vector<Vec2>& points) const {
        picture::Path path;
        for (const Vec2& p : points) path.push_back(scale_ * p);
        return path;
    }

    Image& image_;
    double scale_;
};

}  // namespace
}  // namespace taut::io::chart

namespace taut::io {

Image chart_image(const Chart& chart, double scale) {
    if (!(scale >= 0.5 && scale <= 8)) {
        throw InputError({"", "chart/scale"}, "the picture of a chart cannot have this scale",
                         fmt::format("{}", scale), "0.5 to 8");
    }
    const chart::Layout layout = chart::lay_out(chart);
    const double longest = scale * std::max(chart.width, chart.height);
    if (longest > 16384) {
        throw InputError({"", "chart/scale"}, "the picture of a chart would be too large",
                         fmt::format("{:.0f} pixels", longest), "at most 16384 each way");
    }
    Image image(static_cast<int>(std::lround(scale * chart.width)),
                static_cast<int>(std::lround(scale * chart.height)), {255, 255, 255});
    chart::ImageCanvas canvas(image, scale);
    chart::draw(canvas, chart, layout);
    return image;
}

void write_chart(const std::filesystem::path& stem, const Chart& chart) {
    const std::string svg = chart_svg(chart);
    const Image image = chart_image(chart);
    std::filesystem::path svg_file = stem, png_file = stem;
    svg_file += ".svg";
    png_file += ".png";
    write_file(svg_file, svg);
    write_png(png_file, image, chart.title);
}

}  // namespace taut::io

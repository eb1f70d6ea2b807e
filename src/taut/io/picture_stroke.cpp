// Strokes and filled shapes with soft borders: the cover of a pixel follows from the distance of its
// centre to the shape, which for shapes wider than a pixel is close to the covered area.
#include <algorithm>

#include "taut/io/picture_overlay.hpp"

namespace taut::io::picture {
namespace {

using Color = std::array<std::uint8_t, 3>;

// Pixels from first to before last, in both directions.
struct PixelBox {
    int left = 0, top = 0, right = 0, bottom = 0;

    PixelBox(const Image& image, const Vec2& low, const Vec2& high, double reach)
        : left(clip(low.x() - reach, image.width)),
          top(clip(low.y() - reach, image.height)),
          right(clip(high.x() + reach + 1, image.width)),
          bottom(clip(high.y() + reach + 1, image.height)) {}
    static int clip(double value, int count) { return static_cast<int>(std::clamp<double>(value, 0, count)); }
    std::size_t area() const {
        return static_cast<std::size_t>(std::max(0, right - left)) *
               static_cast<std::size_t>(std::max(0, bottom - top));
    }
};

double distance(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 along = b - a;
    const double length2 = along.squaredNorm();
    const double t = length2 > 0 ? std::clamp((p - a).dot(along) / length2, 0.0, 1.0) : 0;
    return (p - a - t * along).norm();
}

// Blend in whole numbers, so that last bits of the cover, which differ between machines, are lost.
// The quarter keeps covers of 1/2, 1/100 and the like away from where the steps change.
void blend(Image& image, int x, int y, double cover, const Color& color) {
    const int part = static_cast<int>(256 * cover + 0.25);
    const std::size_t at = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                static_cast<std::size_t>(x));
    for (std::size_t k = 0; k < 3; ++k) {
        image.rgb[at + k] =
            static_cast<std::uint8_t>(((256 - part) * image.rgb[at + k] + part * color[k] + 128) / 256);
    }
}

// For each pixel of a box, the distance of its centre to the nearest stroke so far [pixel].
class Nearest {
public:
    explicit Nearest(const PixelBox& box) : box_(box), distance_(box.area(), 1e9) {}

    void add(const Vec2& a, const Vec2& b, double reach) {
        // Visit in each row only the columns near the part of the stroke that comes near the row.
        const double low = std::min(a.y(), b.y()), high = std::max(a.y(), b.y());
        const bool level = high - low < 1e-6;  // [pixel]; the slope of a steeper one is safe to use
        const double slope = level ? 0 : (b.x() - a.x()) / (b.y() - a.y());
        const int first = static_cast<int>(std::clamp<double>(low - reach, box_.top, box_.bottom));
        const int last = static_cast<int>(std::clamp<double>(high + reach + 1, box_.top, box_.bottom));
        for (int y = first; y < last; ++y) {
            const double from = std::clamp(y + 0.5 - reach, low, high);
            const double to = std::clamp(y + 0.5 + reach, low, high);
            double left = a.x() + slope * (from - a.y());
            double right = level ? b.x() : a.x() + slope * (to - a.y());
            if (left > right) std::swap(left, right);
            const int start = static_cast<int>(std::clamp<double>(left - reach, box_.left, box_.right));
            const int end = static_cast<int>(std::clamp<double>(right + reach + 1, box_.left, box_.right));
            for (int x = start; x < end; ++x) {
                double& nearest = at(x, y);
                nearest = std::min(nearest, distance({x + 0.5, y + 0.5}, a, b));
            }
        }
    }

    double& at(int x, int y) {
        return distance_[static_cast<std::size_t>(y - box_.top) *
                             static_cast<std::size_t>(box_.right - box_.left) +
                         static_cast<std::size_t>(x - box_.left)];
    }

private:
    PixelBox box_;
    std::vector<double> distance_;
};

}  // namespace

void draw_paths(Image& image, const std::vector<Path>& paths, double thickness, Color color) {
    Vec2 low = Vec2::Constant(1e9), high = Vec2::Constant(-1e9);
    for (const Path& path : paths) {
        for (const Vec2& p : path) {
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
    }
    const double reach = 0.5 * thickness + 1;
    const PixelBox box(image, low, high, reach);
    if (box.area() == 0) return;
    Nearest nearest(box);
    for (const Path& path : paths) {
        for (std::size_t k = path.size() > 1 ? 1 : 0; k < path.size(); ++k) {
            nearest.add(path[k > 0 ? k - 1 : 0], path[k], reach);
        }
    }
    for (int y = box.top; y < box.bottom; ++y) {
        for (int x = box.left; x < box.right; ++x) {
            const double cover = std::clamp(0.5 + 0.5 * thickness - nearest.at(x, y), 0.0, 1.0);
            if (cover > 0) blend(image, x, y, cover, color);
        }
    }
}

void draw_line(Image& image, const Vec2& a, const Vec2& b, double thickness, Color color) {
    draw_paths(image, {{a, b}}, thickness, color);
}

void fill_convex(Image& image, const Path& corners, Color color) {
    // Describe the inside by the outward normals of the sides.
    double area = 0;
    Vec2 low = Vec2::Constant(1e9), high = Vec2::Constant(-1e9);
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec2 &a = corners[k], &b = corners[(k + 1) % corners.size()];
        area += a.x() * b.y() - a.y() * b.x();
        low = low.cwiseMin(a);
        high = high.cwiseMax(a);
    }
    const double sense = area < 0 ? -1 : 1;
    const PixelBox box(image, low, high, 1);
    for (int y = box.top; y < box.bottom; ++y) {
        for (int x = box.left; x < box.right; ++x) {
            double outside = -1e9;
            for (std::size_t k = 0; k < corners.size(); ++k) {
                const Vec2& a = corners[k];
                const Vec2 side = corners[(k + 1) % corners.size()] - a;
                const double length = side.norm();
                if (length <= 0) continue;
                const Vec2 normal(sense * side.y() / length, -sense * side.x() / length);
                outside = std::max(outside, normal.dot(Vec2(x + 0.5, y + 0.5) - a));
            }
            const double cover = std::clamp(0.5 - outside, 0.0, 1.0);
            if (cover > 0) blend(image, x, y, cover, color);
        }
    }
}

}  // namespace taut::io::picture

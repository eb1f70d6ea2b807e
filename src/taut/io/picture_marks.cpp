// The ring around marks: they are projected as the renderer does and enclosed with some room.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "taut/io/picture_color.hpp"
#include "taut/io/picture_overlay.hpp"
#include "taut/io/picture_raster.hpp"

namespace taut::io::picture {
namespace {

constexpr double smallest_radius = 14;  // [pixel]; large enough to be seen at the size of a preview
constexpr double room = 10;             // between marks and ring [pixel]
constexpr int ring_sides = 72;

struct Extent {
    Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity());
    Vec2 high = Vec2::Constant(-std::numeric_limits<double>::infinity());

    void add(const Vec2& p) { low = low.cwiseMin(p), high = high.cwiseMax(p); }
    bool empty() const { return !(low.x() <= high.x()); }
};

}  // namespace

void draw_ring(Image& image, const CacheHeader& header, const CacheFrame& frame, const Camera& camera,
               const PictureSettings& settings, const PictureMarks& marks) {
    const Projection projection(camera, settings);
    Extent extent;
    const auto add = [&](int vertex) {
        if (vertex < 0 || static_cast<std::size_t>(vertex) >= frame.x.size()) return;
        const Vec3f p =
            (frame.x[static_cast<std::size_t>(vertex)] - camera.center).cast<float>() - projection.eye;
        const float depth = p.dot(projection.forward);
        if (!p.allFinite() || !(depth > projection.near)) return;
        const float scale = projection.focal / depth, samples = static_cast<float>(settings.samples);
        extent.add({static_cast<double>((projection.middle_x + scale * p.dot(projection.right)) / samples),
                    static_cast<double>((projection.middle_y - scale * p.dot(projection.up)) / samples)});
    };
    for (const int f : marks.faces) {
        if (f < 0 || static_cast<std::size_t>(f) >= header.faces.size()) continue;
        for (const int corner : header.faces[static_cast<std::size_t>(f)].corner) add(corner);
    }
    for (const int e : marks.edges) {
        if (e < 0 || static_cast<std::size_t>(e) >= header.edges.size()) continue;
        add(header.edges[static_cast<std::size_t>(e)].a);
        add(header.edges[static_cast<std::size_t>(e)].b);
    }
    if (extent.empty()) return;

    const Vec2 center = 0.5 * (extent.low + extent.high);
    const double radius = std::max(smallest_radius, room + 0.5 * (extent.high - extent.low).norm());
    Path ring;
    for (int k = 0; k <= ring_sides; ++k) {
        const double angle = 2 * std::numbers::pi * k / ring_sides;
        ring.push_back(center + radius * Vec2(std::cos(angle), std::sin(angle)));
    }
    draw_paths(image, {ring}, std::max(2.0, image.height / 400.0), signal_color);
}

}  // namespace taut::io::picture

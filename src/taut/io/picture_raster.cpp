#include "taut/io/picture_raster.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::io::picture {

Projection::Projection(const Camera& camera, const PictureSettings& settings) {
    const Vec3 ahead = camera.forward.normalized();
    Vec3 side = ahead.cross(Vec3::UnitZ());
    if (side.norm() < 1e-6) side = Vec3::UnitX();
    side.normalize();
    eye = (camera.eye - camera.center).cast<float>();
    forward = ahead.cast<float>();
    right = side.cast<float>();
    up = side.cross(ahead).cast<float>();
    const double height = settings.height * settings.samples, width = settings.width * settings.samples;
    focal = static_cast<float>(0.5 * height / std::tan(camera.fov * EIGEN_PI / 360));
    middle_x = static_cast<float>(0.5 * (width - 1));
    middle_y = static_cast<float>(0.5 * (height - 1));
    near = static_cast<float>(1e-3 * camera.radius);
}

Vec3f Projection::ray(float x, float y) const {
    return forward + ((x - middle_x) / focal) * right - ((y - middle_y) / focal) * up;
}

void clip_near(Scene& scene, const Projection& projection) {
    const float limit = 1.01f * projection.near;
    const auto ahead = [&](int v) {
        return (scene.position[static_cast<std::size_t>(v)] - projection.eye).dot(projection.forward) - limit;
    };
    const auto cut = [&](int inside, int outside) {
        const float t = ahead(inside) / (ahead(inside) - ahead(outside));
        const auto i = static_cast<std::size_t>(inside), o = static_cast<std::size_t>(outside);
        scene.position.push_back(Vec3f((1 - t) * scene.position[i] + t * scene.position[o]));
        scene.normal.push_back(Vec3f((1 - t) * scene.normal[i] + t * scene.normal[o]));
        scene.strain.push_back((1 - t) * scene.strain[i] + t * scene.strain[o]);
        return static_cast<int>(scene.position.size()) - 1;
    };
    const std::size_t count = scene.triangles.size();
    for (std::size_t k = 0; k < count; ++k) {
        const Triangle triangle = scene.triangles[k];
        const std::array<bool, 3> in{ahead(triangle.v[0]) > 0, ahead(triangle.v[1]) > 0,
                                     ahead(triangle.v[2]) > 0};
        const int inside = in[0] + in[1] + in[2];
        if (inside == 0 || inside == 3) continue;

        // Turn the triangle so that its first corner is the odd one out.
        std::size_t odd = 0;
        while (in[odd] != (inside == 1)) ++odd;
        const int a = triangle.v[odd], b = triangle.v[(odd + 1) % 3], c = triangle.v[(odd + 2) % 3];
        if (inside == 1) {
            const int ab = cut(a, b), ac = cut(a, c);
            scene.triangles.push_back({{a, ab, ac}, triangle.material, 0});
        } else {
            const int ba = cut(b, a), ca = cut(c, a);
            scene.triangles.push_back({{b, c, ca}, triangle.material, 0});
            scene.triangles.push_back({{b, ca, ba}, triangle.material, 0});
        }
    }
}

Raster::Raster(const Scene& scene, const Projection& projection, const PictureSettings& settings)
    : scene_(scene),
      width_(settings.width * settings.samples),
      height_(settings.height * settings.samples),
      span_(tile_size * settings.samples),
      columns_((width_ + span_ - 1) / span_),
      rows_((height_ + span_ - 1) / span_),
      points_(scene.position.size()) {
    // Project every vertex.
    parallel_for(points_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            const Vec3f q = scene.position[v] - projection.eye;
            const float distance = q.dot(projection.forward);
            if (!(distance > projection.near)) continue;
            const float scale = projection.focal / distance;
            points_[v] = {projection.middle_x + scale * q.dot(projection.right),
                          projection.middle_y - scale * q.dot(projection.up), 1 / distance};
        }
    });

    // Count, then list, the triangles of each tile.
    first_.assign(static_cast<std::size_t>(tile_count()) + 1, 0);
    const auto visit = [&](const Triangle& triangle, auto&& use) {
        const Range r = range(triangle);
        if (r.x0 > r.x1 || r.y0 > r.y1) return;
        for (int row = r.y0 / span_; row <= r.y1 / span_; ++row) {
            for (int column = r.x0 / span_; column <= r.x1 / span_; ++column) {
                const int tile = row * columns_ + column;
                use(static_cast<std::size_t>(tile));
            }
        }
    };
    for (const Triangle& triangle : scene.triangles) {
        visit(triangle, [&](std::size_t tile) { ++first_[tile + 1]; });
    }
    for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
    list_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t t = 0; t < scene.triangles.size(); ++t) {
        visit(scene.triangles[t], [&](std::size_t tile) { list_[next[tile]++] = static_cast<int>(t); });
    }
}

Raster::Range Raster::range(const Triangle& triangle) const {
    const ScreenPoint &a = point(triangle.v[0]), &b = point(triangle.v[1]), &c = point(triangle.v[2]);
    if (a.depth <= 0 || b.depth <= 0 || c.depth <= 0) return {1, 1, 0, 0};
    const auto first = [](float low, int count) {
        return static_cast<int>(std::ceil(std::clamp(low, 0.0f, static_cast<float>(count))));
    };
    const auto last = [](float high, int count) {
        return static_cast<int>(std::floor(std::clamp(high, -1.0f, static_cast<float>(count - 1))));
    };
    return {first(std::min({a.x, b.x, c.x}), width_), first(std::min({a.y, b.y, c.y}), height_),
            last(std::max({a.x, b.x, c.x}), width_), last(std::max({a.y, b.y, c.y}), height_)};
}

std::array<float, 3> Raster::weights(const Triangle& triangle, float x, float y) const {
    const ScreenPoint &a = point(triangle.v[0]), &b = point(triangle.v[1]), &c = point(triangle.v[2]);
    const double ux = b.x - a.x, uy = b.y - a.y, wx = c.x - a.x, wy = c.y - a.y;
    const double dx = x - a.x, dy = y - a.y, inverse = 1 / (ux * wy - uy * wx);
    const double second = (dx * wy - dy * wx) * inverse, third = (ux * dy - uy * dx) * inverse;
    return {static_cast<float>(1 - second - third), static_cast<float>(second), static_cast<float>(third)};
}

void Raster::draw(int tile, Tile& out) const {
    out.x = tile % columns_ * span_;
    out.y = tile / columns_ * span_;
    out.width = std::min(span_, width_ - out.x);
    out.height = std::min(span_, height_ - out.y);
    const auto samples = static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height);
    out.triangle.assign(samples, -1);
    out.depth.assign(samples, 0);
    const auto k = static_cast<std::size_t>(tile);
    for (std::size_t i = first_[k]; i < first_[k + 1]; ++i) draw_triangle(list_[i], out);
}

void Raster::draw_triangle(int index, Tile& out) const {
    const Triangle& triangle = scene_.triangles[static_cast<std::size_t>(index)];
    const ScreenPoint &a = point(triangle.v[0]), &b = point(triangle.v[1]), &c = point(triangle.v[2]);
    Range r = range(triangle);
    r.x0 = std::max(r.x0, out.x);
    r.y0 = std::max(r.y0, out.y);
    r.x1 = std::min(r.x1, out.x + out.width - 1);
    r.y1 = std::min(r.y1, out.y + out.height - 1);
    const double ux = b.x - a.x, uy = b.y - a.y, wx = c.x - a.x, wy = c.y - a.y;
    const double area = ux * wy - uy * wx;
    if (std::abs(area) < 1e-9) return;

    // Walk the rows; a hair of tolerance closes seams, and on equal depth the earlier triangle stays.
    const double inverse = 1 / area, bx = wy * inverse, cx = -uy * inverse;
    const double by = -wx * inverse, cy = ux * inverse, zb = b.depth - a.depth, zc = c.depth - a.depth;
    constexpr double slack = -1e-6;
    for (int y = r.y0; y <= r.y1; ++y) {
        const double dy = y - static_cast<double>(a.y);
        const std::size_t row = static_cast<std::size_t>(y - out.y) * static_cast<std::size_t>(out.width);
        for (int x = r.x0; x <= r.x1; ++x) {
            const double dx = x - static_cast<double>(a.x);
            const double wb = bx * dx + by * dy, wc = cx * dx + cy * dy;
            if (wb < slack || wc < slack || 1 - wb - wc < slack) continue;
            const auto depth = static_cast<float>(a.depth + wb * zb + wc * zc);
            const std::size_t k = row + static_cast<std::size_t>(x - out.x);
            if (depth > out.depth[k]) {
                out.depth[k] = depth;
                out.triangle[k] = index;
            }
        }
    }
}

}  // namespace taut::io::picture

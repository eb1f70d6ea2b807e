#include "taut/io/picture_light.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/base/parallel.hpp"

namespace taut::io::picture {
namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr float golden_angle = 2.39996323f;  // [rad]

// 48 lights on a disc 7 degrees wide: with fewer the penumbra shows steps.
constexpr int key_count = 48;
constexpr float key_spread = 0.06f;  // tangent of the half angle

// Two blocks side by side must be wider than the key light's cone across the whole scene.
constexpr int block_count = 16;
static_assert(1 > key_spread * block_count, "shadows would be missed");

// 200 directions over the sphere: fewer leave visible edges of single shadows on the floor.
constexpr int sky_count = 200;

// Offset of a shaded point along its normal, in texels: more than the diagonal that the 2 x 2
// filter reaches over, else a flat surface shadows itself; larger lets light leak under folds.
constexpr float offset_texels = 1.6f;

std::vector<Vec3f> key_directions(const Vec3f& middle) {
    const Vec3f u = Vec3f::UnitZ().cross(middle).normalized(), w = middle.cross(u);
    std::vector<Vec3f> directions;
    for (int k = 0; k < key_count; ++k) {
        const float r = key_spread * std::sqrt((static_cast<float>(k) + 0.5f) / key_count);
        const float angle = golden_angle * static_cast<float>(k);
        directions.push_back((middle + r * (std::cos(angle) * u + std::sin(angle) * w)).normalized());
    }
    return directions;
}

std::vector<Vec3f> sphere_directions() {
    std::vector<Vec3f> directions;
    for (int k = 0; k < sky_count; ++k) {
        const float z = 1 - 2 * (static_cast<float>(k) + 0.5f) / sky_count;
        const float r = std::sqrt(1 - z * z), angle = golden_angle * static_cast<float>(k);
        directions.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
    return directions;
}

// A cool sky, brighter overhead and on the fill side; a warm floor below.
Vec3f radiance(const Vec3f& direction, const Vec3f& to_fill) {
    const float z = direction.z();
    if (z < 0) return Vec3f{0.25f, 0.235f, 0.22f} * (0.55f - 0.45f * z);
    const float lobe = std::max(0.0f, direction.dot(to_fill));
    return Vec3f{0.315f, 0.33f, 0.355f} * (0.75f + 0.45f * z) +
           Vec3f{0.23f, 0.23f, 0.24f} * lobe * lobe * lobe;
}

// Write the nearest depth of one triangle; corners in texels, depth steps.
void fill_triangle(std::uint16_t* depth, int size, const Vec3f& a, const Vec3f& b, const Vec3f& c) {
    const float low_x = std::min({a.x(), b.x(), c.x()}), high_x = std::max({a.x(), b.x(), c.x()});
    const float low_y = std::min({a.y(), b.y(), c.y()}), high_y = std::max({a.y(), b.y(), c.y()});
    const int x0 = std::max(0, static_cast<int>(std::ceil(low_x)));
    const int y0 = std::max(0, static_cast<int>(std::ceil(low_y)));
    const int x1 = std::min(size - 1, static_cast<int>(std::floor(high_x)));
    const int y1 = std::min(size - 1, static_cast<int>(std::floor(high_y)));
    if (x0 > x1 || y0 > y1) return;
    const float area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
    if (std::abs(area) < 1e-9f) return;

    // Step barycentric weights of b and c; a hair of tolerance closes seams between neighbours.
    const float inverse = 1 / area;
    const float bx = (c.y() - a.y()) * inverse, by = (a.x() - c.x()) * inverse;
    const float cx = (a.y() - b.y()) * inverse, cy = (b.x() - a.x()) * inverse;
    const float zx = bx * (b.z() - a.z()) + cx * (c.z() - a.z());
    constexpr float slack = -1e-4f;
    for (int y = y0; y <= y1; ++y) {
        const float dy = static_cast<float>(y) - a.y(), dx = static_cast<float>(x0) - a.x();
        float wb = bx * dx + by * dy, wc = cx * dx + cy * dy;
        float z = a.z() + wb * (b.z() - a.z()) + wc * (c.z() - a.z());
        std::uint16_t* row = depth + static_cast<std::size_t>(y) * static_cast<std::size_t>(size);
        for (int x = x0; x <= x1; ++x, wb += bx, wc += cx, z += zx) {
            // No branch: for triangles of a few texels a wrong guess costs more than a write.
            const bool inside = std::min(std::min(wb, wc), 1 - wb - wc) >= slack;
            const int value = inside ? static_cast<int>(z) : ShadowMap::empty;
            row[x] = static_cast<std::uint16_t>(std::min<int>(row[x], value));
        }
    }
}

// Draw all casters into a map.
void fill(const ShadowMap& map, const Scene& scene) {
    std::vector<Vec3f> corner(scene.position.size());
    const float middle = 0.5f * static_cast<float>(map.size - 1);
    for (std::size_t v = 0; v < corner.size(); ++v) {
        const Vec3f q = scene.position[v] - map.center;
        corner[v] = {q.dot(map.right) * map.texels + middle, q.dot(map.up) * map.texels + middle,
                     32500 - q.dot(map.to_light) * map.depths};
    }
    for (const Triangle& t : scene.triangles) {
        if (!scene.materials[t.material].casts) continue;
        fill_triangle(map.depth, map.size, corner[static_cast<std::size_t>(t.v[0])],
                      corner[static_cast<std::size_t>(t.v[1])], corner[static_cast<std::size_t>(t.v[2])]);
    }
}

}  // namespace

float ShadowMap::lit(const Vec3f& p) const {
    // Find the four texels around the point; outside the map nothing casts a shadow.
    const Vec3f q = p - center;
    const float x = q.dot(right) * texels + 0.5f * static_cast<float>(size - 1);
    const float y = q.dot(up) * texels + 0.5f * static_cast<float>(size - 1);
    const float last = static_cast<float>(size - 1);
    if (!(x >= 0 && y >= 0 && x < last && y < last)) return 1;
    const int i = static_cast<int>(x), j = static_cast<int>(y);
    const float s = x - static_cast<float>(i), t = y - static_cast<float>(j);

    // Compare depths first, then blend the answers.
    const int z = static_cast<int>(std::clamp(32500.0f - q.dot(to_light) * depths, 0.0f, 65534.0f));
    const std::uint16_t* d = depth + static_cast<std::size_t>(j) * static_cast<std::size_t>(size) + i;
    const float a = z <= d[0] ? 1 - s : 0, b = z <= d[1] ? s : 0;
    const float c = z <= d[size] ? 1 - s : 0, e = z <= d[size + 1] ? s : 0;
    return (a + b) * (1 - t) + (c + e) * t;
}

Light::Light(const Scene& scene, const Vec3f& to_eye, int height)
    : key_size_(std::clamp(height, 256, 1280) / block_count * block_count),
      sky_size_(std::clamp(height / 3, 128, 384)) {
    // Turn the key light 50 degrees to the left of the eye, 47 degrees high; the fill comes from the right.
    const float azimuth = std::atan2(to_eye.y(), to_eye.x());
    const auto direction = [](float turn, float rise) {
        return Vec3f(std::cos(turn) * std::cos(rise), std::sin(turn) * std::cos(rise), std::sin(rise));
    };
    to_key_ = direction(azimuth - 50 * pi / 180, 47 * pi / 180);
    const Vec3f to_fill = direction(azimuth + 55 * pi / 180, 25 * pi / 180);

    // Bound what casts shadows by a ball, so that every map has the same scale.
    Vec3f low = Vec3f::Constant(1e30f), high = Vec3f::Constant(-1e30f);
    for (const Triangle& triangle : scene.triangles) {
        if (!scene.materials[triangle.material].casts) continue;
        for (int v : triangle.v) {
            low = low.cwiseMin(scene.position[static_cast<std::size_t>(v)]);
            high = high.cwiseMax(scene.position[static_cast<std::size_t>(v)]);
        }
    }
    const bool casters = low.x() <= high.x();
    if (casters) {
        center_ = 0.5f * (low + high);
        radius_ = std::max(0.5f * (high - low).norm() * 1.01f, 1e-6f);
    }
    key_offset_ = offset_texels * 2 * radius_ / static_cast<float>(key_size_);
    sky_offset_ = offset_texels * 2 * radius_ / static_cast<float>(sky_size_);

    const std::vector<Vec3f> sky = sphere_directions();
    for (const Vec3f& d : sky) sky_light_.push_back(radiance(d, to_fill) * (4.0f / sky_count));
    add_maps(sky, sky_size_, sky_maps_, sky_depth_);
    if (!casters) return;
    add_maps(key_directions(to_key_), key_size_, key_maps_, key_depth_);
    parallel_for(
        key_maps_.size() + sky_maps_.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                fill(k < key_maps_.size() ? key_maps_[k] : sky_maps_[k - key_maps_.size()], scene);
            }
        },
        1);
    sum_blocks();

    // Spread the jitter over a disc, in an order unlike that of the lights.
    for (int k = 0; k < key_count; ++k) {
        const float r = std::sqrt((static_cast<float>(k * 19 % key_count) + 0.5f) / key_count);
        const float angle = golden_angle * static_cast<float>(k * 19 % key_count);
        jitter_.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
}

void Light::add_maps(const std::vector<Vec3f>& directions, int size, std::vector<ShadowMap>& maps,
                     std::vector<std::uint16_t>& depth) const {
    const std::size_t area = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    if (radius_ > 0) depth.assign(area * directions.size(), ShadowMap::empty);
    for (std::size_t k = 0; k < directions.size(); ++k) {
        ShadowMap map;
        map.to_light = directions[k];
        const Vec3f other = std::abs(map.to_light.z()) < 0.9f ? Vec3f::UnitZ() : Vec3f::UnitX();
        map.right = other.cross(map.to_light).normalized();
        map.up = map.to_light.cross(map.right);
        map.center = center_;
        map.size = size;
        if (radius_ > 0) {
            map.texels = 0.5f * static_cast<float>(size - 4) / radius_;
            map.depths = 32000 / radius_;
            map.depth = depth.data() + area * k;
        }
        maps.push_back(map);
    }
}

// Sum up squares of the first key map.
void Light::sum_blocks() {
    const int block_size = key_size_ / block_count;
    blocks_.assign(static_cast<std::size_t>(block_count) * block_count, {});
    for (int b = 0; b < block_count * block_count; ++b) {
        int nearest = ShadowMap::empty;
        double sum = 0, count = 0;
        for (int k = 0; k < block_size * block_size; ++k) {
            const int x = b % block_count * block_size + k % block_size;
            const int y = b / block_count * block_size + k / block_size;
            const int depth = key_maps_[0].depth[y * key_size_ + x];
            if (depth == ShadowMap::empty) continue;
            nearest = std::min(nearest, depth);
            sum += depth;
            ++count;
        }
        if (count == 0) continue;
        blocks_[static_cast<std::size_t>(b)] = {static_cast<float>(nearest), static_cast<float>(sum / count)};
    }
}

// Typical distance from p to what stands between it and the key light; -1 if nothing does.
float Light::blocker_distance(const Vec3f& p) const {
    const ShadowMap& map = key_maps_[0];
    const Vec3f q = p - center_;
    const float z = 32500 - q.dot(map.to_light) * map.depths, half = 0.5f * static_cast<float>(key_size_);
    const auto block_of = [&](const Vec3f& axis) {
        const float at =
            std::floor((q.dot(axis) * map.texels + half) * block_count / static_cast<float>(key_size_));
        return static_cast<int>(std::clamp(at, -2.0f, block_count + 1.0f));
    };
    const int x = block_of(map.right), y = block_of(map.up);
    float sum = 0, count = 0;
    for (int j = std::max(0, y - 1); j <= std::min(block_count - 1, y + 1); ++j) {
        for (int i = std::max(0, x - 1); i <= std::min(block_count - 1, x + 1); ++i) {
            const int index = j * block_count + i;
            const Block& block = blocks_[static_cast<std::size_t>(index)];
            if (block.nearest >= z) continue;
            sum += z - (block.mean < z ? block.mean : block.nearest);
            ++count;
        }
    }
    return count > 0 ? sum / count / map.depths : -1;
}

float Light::key(const Vec3f& p, const Vec3f& n, float noise, bool raised) const {
    if (key_maps_.empty()) return 1;
    const Vec3f q = raised ? Vec3f(p + key_offset_ * n) : p;
    const float distance = blocker_distance(q);
    if (distance < 0) return 1;

    // Let each light shine from somewhere in its part of the disc: move the point over its tangent
    // plane by what that means at the blocker's distance. The pattern turns from pixel to pixel.
    const float blur = 1.2f * distance * key_spread / std::sqrt(static_cast<float>(key_count));
    const float turn = 2 * pi * noise;
    const ShadowMap& first = key_maps_[0];
    const float slope = std::max(0.25f, n.dot(to_key_));
    const auto along = [&](const Vec3f& side) {
        return Vec3f(blur * (side - to_key_ * (side.dot(n) / slope)));
    };
    const Vec3f u = along(std::cos(turn) * first.right + std::sin(turn) * first.up);
    const Vec3f w = along(std::cos(turn) * first.up - std::sin(turn) * first.right);
    float sum = 0;
    for (std::size_t k = 0; k < key_maps_.size(); ++k) {
        sum += key_maps_[k].lit(q + jitter_[k].x() * u + jitter_[k].y() * w);
    }
    return sum / static_cast<float>(key_maps_.size());
}

Vec3f Light::sky(const Vec3f& p, const Vec3f& n, bool raised) const {
    if (!(radius_ > 0)) return open_sky(n);
    const Vec3f q = raised ? Vec3f(p + sky_offset_ * n) : p;
    Vec3f sum = Vec3f::Zero();
    for (std::size_t k = 0; k < sky_maps_.size(); ++k) {
        const float cosine = n.dot(sky_maps_[k].to_light);
        if (cosine > 0) sum += cosine * sky_maps_[k].lit(q) * sky_light_[k];
    }
    return sum;
}

Vec3f Light::open_sky(const Vec3f& n) const {
    Vec3f sum = Vec3f::Zero();
    for (std::size_t k = 0; k < sky_maps_.size(); ++k) {
        sum += std::max(0.0f, n.dot(sky_maps_[k].to_light)) * sky_light_[k];
    }
    return sum;
}

VertexSky::VertexSky(const Scene& scene, const Light& light)
    : front(scene.position.size(), Vec3f::Zero()), back(scene.two_sided) {
    parallel_for(
        front.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t v = begin; v < end; ++v) {
                if (scene.normal[v].isZero()) continue;
                front[v] = light.sky(scene.position[v], scene.normal[v]);
                if (v < back.size()) back[v] = light.sky(scene.position[v], -scene.normal[v]);
            }
        },
        256);
}

FloorSky::FloorSky(const Light& light, float height, float half_size, std::size_t cells)
    : cells_(cells), half_size_(half_size), values_((cells + 1) * (cells + 1)) {
    const Vec3f up = Vec3f::UnitZ(), open = light.open_sky(up);
    const auto place = [&](std::size_t k) {
        return half_size_ * (2 * static_cast<float>(k) / static_cast<float>(cells_) - 1);
    };
    parallel_for(
        values_.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                const std::size_t row = k / (cells_ + 1), column = k % (cells_ + 1);
                values_[k] = light.sky({place(column), place(row), height}, up, false).cwiseQuotient(open);
            }
        },
        256);
    for (int round = 0; round < 2; ++round) {
        smooth(1);
        smooth(cells_ + 1);
    }
}

// Average neighbours 1 : 2 : 1 along one axis: blurs the edges that single sky maps leave.
void FloorSky::smooth(std::size_t step) {
    const std::vector<Vec3f> old = values_;
    for (std::size_t k = 0; k < old.size(); ++k) {
        const std::size_t along = step == 1 ? k % (cells_ + 1) : k / (cells_ + 1);
        if (along == 0 || along == cells_) continue;
        values_[k] = 0.5f * old[k] + 0.25f * (old[k - step] + old[k + step]);
    }
}

Vec3f FloorSky::at(float x, float y) const {
    const float last = static_cast<float>(cells_);
    const float s = 0.5f * (x / half_size_ + 1) * last, t = 0.5f * (y / half_size_ + 1) * last;
    if (!(s >= 0 && t >= 0 && s < last && t < last)) return Vec3f::Ones();
    const auto i = static_cast<std::size_t>(s), j = static_cast<std::size_t>(t);
    const float a = s - static_cast<float>(i), b = t - static_cast<float>(j);
    const Vec3f* v = values_.data() + j * (cells_ + 1) + i;
    return (1 - b) * ((1 - a) * v[0] + a * v[1]) + b * ((1 - a) * v[cells_ + 1] + a * v[cells_ + 2]);
}

}  // namespace taut::io::picture

// Colours of samples, and the frame as a whole. Coverage, colour and normal are found for every
// sample; the costly answers (how much of key light and sky arrives) once for every surface that
// a pixel sees. The floor has no colour of its own: it darkens the background where it is shaded.
#include <algorithm>
#include <cmath>
#include <optional>

#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/picture_color.hpp"
#include "taut/io/picture_light.hpp"
#include "taut/io/picture_map.hpp"
#include "taut/io/picture_overlay.hpp"
#include "taut/io/picture_raster.hpp"

namespace taut::io::picture {
namespace {

const Vec3f key_light{1.06f, 1.00f, 0.91f};  // linear, times the cosine

// The floor's shadow has faded out at this distance from the centre, in radii of the scene.
constexpr float floor_reach = 3.0f;

struct Surface {
    Vec3f p, n, to_eye;
    Vec3f albedo;
    Vec3f sky;  // light from the sky that arrives
    std::uint8_t material = 0;
    bool front = true;
};

// What reaches a surface: shared by the samples of a pixel that see the same surface.
struct Arrival {
    Vec3f p, n;
    std::uint8_t material = 0;
    bool front = true;
    float key = 0;      // part of the key light on the side we see
    float through = 0;  // the same on the far side
};

// Compress what is brighter than a display, smoothly and a little below white.
Vec3f tone(const Vec3f& light) {
    constexpr float knee = 0.7f;
    Vec3f out = light;
    for (int k = 0; k < 3; ++k) {
        if (out[k] > knee) out[k] = knee + (1 - knee) * (1 - std::exp((knee - out[k]) / (1 - knee)));
    }
    return out;
}

// Rounding threshold of a pixel between 0 and 1 (interleaved gradient noise, Jimenez 2014): breaks
// the contour lines that 8 bits leave in slow gradients.
float dither(int column, int row) {
    const float slope = 0.06711056f * static_cast<float>(column) + 0.00583715f * static_cast<float>(row);
    const float noise = 52.9829189f * (slope - std::floor(slope));
    return noise - std::floor(noise);
}

class Shader {
public:
    Shader(const Scene& scene, const Raster& raster, const Projection& projection, const Light& light,
           const Camera& camera, const PictureSettings& settings);

    // Draws the pixels of a tile into the image.
    void shade(const Tile& tile, Image& image) const;

private:
    Surface surface(const Triangle& triangle, float x, float y) const;
    void draw_wire(const Triangle& triangle, const std::array<float, 3>& w, Vec3f& albedo) const;
    Arrival arrival(const Surface& s, float noise) const;
    Vec3f reflected(const Surface& s, const Arrival& a) const;
    Vec3f pixel(const Tile& tile, int column, int row, std::vector<Arrival>& arrivals) const;
    Vec3f backdrop(int column, int row) const;
    Vec3f floor_factor(const Vec3f& p, float noise) const;
    std::optional<Vec3f> floor_point(float x, float y) const;

    const Scene& scene_;
    const Raster& raster_;
    const Projection& projection_;
    const Light& light_;
    const PictureSettings& settings_;
    bool has_floor_;
    float floor_;       // height relative to the centre, a hair low so that cloth lies on it [m]
    float radius_;      // of the scene [m]
    float pixel_;       // size of a pixel at unit distance [m]
    Vec3f background_;  // linear
    Vec3f open_floor_;  // sky light on an empty floor
    VertexSky sky_;
    FloorSky floor_sky_;
};

Shader::Shader(const Scene& scene, const Raster& raster, const Projection& projection, const Light& light,
               const Camera& camera, const PictureSettings& settings)
    : scene_(scene),
      raster_(raster),
      projection_(projection),
      light_(light),
      settings_(settings),
      has_floor_(settings.ground && camera.eye.z() > camera.ground),
      floor_(static_cast<float>(camera.ground - 0.002 * camera.radius - camera.center.z())),
      radius_(static_cast<float>(camera.radius)),
      pixel_(static_cast<float>(settings.samples) / projection.focal),
      background_(to_linear(Vec3f(settings.background.cast<float>().cwiseMax(0).cwiseMin(1)))),
      open_floor_(light.open_sky(Vec3f::UnitZ())),
      sky_(scene, light),
      floor_sky_(light, floor_, floor_reach * radius_,
                 static_cast<std::size_t>(std::clamp(settings.height * 2 / 5, 96, 480))) {}

Surface Shader::surface(const Triangle& triangle, float x, float y) const {
    // Correct the weights for perspective.
    const std::array<float, 3> w = raster_.weights(triangle, x, y);
    std::array<float, 3> b;
    float sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += b[k] = w[k] * raster_.point(triangle.v[k]).depth;
    const auto corner = [&](std::size_t k) { return static_cast<std::size_t>(triangle.v[k]); };
    Surface s;
    s.p = s.n = Vec3f::Zero();
    float strain = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        s.p += b[k] / sum * scene_.position[corner(k)];
        s.n += b[k] / sum * scene_.normal[corner(k)];
        strain += b[k] / sum * scene_.strain[corner(k)];
    }
    s.to_eye = (projection_.eye - s.p).normalized();

    // Decide for the whole triangle which side we see, so that no outline flickers between sides.
    const Vec3f& a = scene_.position[corner(0)];
    Vec3f plane = (scene_.position[corner(1)] - a).cross(scene_.position[corner(2)] - a);
    if (plane.dot(s.to_eye) < 0) plane = -plane;
    const Vec3f corners = scene_.normal[corner(0)] + scene_.normal[corner(1)] + scene_.normal[corner(2)];
    s.front = plane.dot(corners) >= 0;
    if (!s.front) s.n = -s.n;
    const float length = s.n.norm();
    s.n = length > 1e-6f ? Vec3f(s.n / length) : s.to_eye;

    s.sky = Vec3f::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
        const bool back = !s.front && corner(k) < sky_.back.size();
        s.sky += b[k] / sum * (back ? sky_.back : sky_.front)[corner(k)];
    }
    s.material = triangle.material;
    const Material& material = scene_.materials[s.material];
    s.albedo = material.strained  ? strain_color(strain)
               : material.ordered ? order_color(strain)
               : s.front          ? material.front
                                  : material.back;
    if (triangle.wire != 0) draw_wire(triangle, w, s.albedo);
    return s;
}

// Darken the colour near yarn edges; lines fade out where cells become too small for them.
void Shader::draw_wire(const Triangle& triangle, const std::array<float, 3>& w, Vec3f& albedo) const {
    const float samples = static_cast<float>(settings_.samples);
    float line = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        if (((triangle.wire >> k) & 1) == 0) continue;
        const ScreenPoint &a = raster_.point(triangle.v[(k + 1) % 3]),
                          &b = raster_.point(triangle.v[(k + 2) % 3]);
        const ScreenPoint& c = raster_.point(triangle.v[k]);
        const float ux = b.x - a.x, uy = b.y - a.y;
        const float height = std::abs(ux * (c.y - a.y) - uy * (c.x - a.x)) / std::hypot(ux, uy) / samples;
        const float inside = std::clamp(1.05f - w[k] * height, 0.0f, 1.0f);
        line = std::max(line, inside * std::clamp((height - 1.5f) / 5, 0.0f, 1.0f));
    }
    albedo *= 1 - 0.55f * line;
}

Arrival Shader::arrival(const Surface& s, float noise) const {
    const Material& material = scene_.materials[s.material];
    Arrival a{s.p, s.n, s.material, s.front, 0, 0};
    const float cosine = s.n.dot(light_.to_key());
    if (cosine > -0.2f) a.key = light_.key(s.p, s.n, noise);
    if (cosine < 0.2f && material.through > 0) a.through = light_.key(s.p, -s.n, noise);
    return a;
}

Vec3f Shader::reflected(const Surface& s, const Arrival& a) const {
    const Material& material = scene_.materials[s.material];
    const float cosine = s.n.dot(light_.to_key());
    Vec3f light = s.sky + key_light * (std::max(0.0f, cosine) * a.key);
    light += key_light * (material.through * std::max(0.0f, -cosine) * a.through);
    if (material.glows) light = 0.3f * light + Vec3f::Constant(0.7f);
    Vec3f color = s.albedo.cwiseProduct(light);

    // Add the fibres' sheen at grazing view, and a broad highlight on solids.
    const float grazing = 1 - std::clamp(s.n.dot(s.to_eye), 0.0f, 1.0f);
    const float sheen = material.strained ? 0 : material.sheen;
    color += sheen * grazing * grazing * grazing * (Vec3f::Constant(0.3f) + s.albedo).cwiseProduct(light);
    if (material.gloss > 0 && cosine > 0) {
        const float half = std::max(0.0f, s.n.dot((light_.to_key() + s.to_eye).normalized()));
        color += material.gloss * a.key * std::pow(half, 40.0f) * key_light;
    }
    return tone(color);
}

// A studio backdrop: a touch darker towards the corners.
Vec3f Shader::backdrop(int column, int row) const {
    const float x = 2 * (static_cast<float>(column) + 0.5f) / static_cast<float>(settings_.width) - 1;
    const float y = 2 * (static_cast<float>(row) + 0.5f) / static_cast<float>(settings_.height) - 1;
    const float distance = x * x + (y + 0.1f) * (y + 0.1f);
    return background_ * (1 - 0.11f * std::min(distance, 2.0f));
}

std::optional<Vec3f> Shader::floor_point(float x, float y) const {
    if (!has_floor_) return std::nullopt;
    const Vec3f ray = projection_.ray(x, y);
    if (!(ray.z() < -1e-6f)) return std::nullopt;
    return Vec3f(projection_.eye + ray * ((floor_ - projection_.eye.z()) / ray.z()));
}

// Light on the floor relative to an empty floor, faded to 1 far from the scene.
Vec3f Shader::floor_factor(const Vec3f& p, float noise) const {
    const float distance = std::hypot(p.x(), p.y()) / radius_;
    const float fade = std::clamp(2 - 2 * distance / floor_reach, 0.0f, 1.0f);
    if (fade <= 0) return Vec3f::Ones();
    const Vec3f key = key_light * light_.to_key().z();
    const Vec3f open = open_floor_ + key;
    const Vec3f now = open_floor_.cwiseProduct(floor_sky_.at(p.x(), p.y())) +
                      key * light_.key(p, Vec3f::UnitZ(), noise, false);
    const float weight = fade * fade * (3 - 2 * fade);
    return Vec3f::Ones() + weight * (now.cwiseQuotient(open) - Vec3f::Ones());
}

Vec3f Shader::pixel(const Tile& tile, int column, int row, std::vector<Arrival>& arrivals) const {
    const int samples = settings_.samples;
    const Vec3f behind = backdrop(column, row);
    const float noise = dither(column, row);
    std::optional<Vec3f> floor_color;
    Vec3f sum = Vec3f::Zero();
    arrivals.clear();
    for (int k = 0; k < samples * samples; ++k) {
        const int x = column * samples + k % samples, y = row * samples + k / samples;
        const auto at = static_cast<std::size_t>(y - tile.y) * static_cast<std::size_t>(tile.width) +
                        static_cast<std::size_t>(x - tile.x);
        const float fx = static_cast<float>(x), fy = static_cast<float>(y);

        // Let the floor hide what is below it, and fill the rest of the picture.
        const std::optional<Vec3f> floor = floor_point(fx, fy);
        const bool floor_first =
            floor && (*floor - projection_.eye).dot(projection_.forward) * tile.depth[at] < 1;
        if (tile.triangle[at] < 0 || floor_first) {
            if (floor && !floor_color) floor_color = behind.cwiseProduct(floor_factor(*floor, noise));
            sum += floor ? *floor_color : behind;
            continue;
        }

        // Reuse the light found for another sample of this pixel on the same surface.
        const Surface s = surface(scene_.triangles[static_cast<std::size_t>(tile.triangle[at])], fx, fy);
        if (scene_.materials[s.material].flat) {
            sum += s.albedo;
            continue;
        }
        const float close = 3 * pixel_ / tile.depth[at];
        auto same = std::find_if(arrivals.begin(), arrivals.end(), [&](const Arrival& a) {
            return a.material == s.material && a.front == s.front && a.n.dot(s.n) > 0.96f &&
                   (a.p - s.p).squaredNorm() < close * close;
        });
        if (same == arrivals.end()) same = arrivals.insert(same, arrival(s, noise));
        sum += reflected(s, *same);
    }
    return sum / static_cast<float>(samples * samples);
}

void Shader::shade(const Tile& tile, Image& image) const {
    std::vector<Arrival> arrivals;
    const int samples = settings_.samples;
    for (int row = tile.y / samples; row < (tile.y + tile.height) / samples; ++row) {
        for (int column = tile.x / samples; column < (tile.x + tile.width) / samples; ++column) {
            const auto color = to_bytes(pixel(tile, column, row, arrivals), dither(column, row));
            const std::size_t at = static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                                   static_cast<std::size_t>(column);
            std::copy(color.begin(), color.end(), image.rgb.begin() + static_cast<std::ptrdiff_t>(3 * at));
        }
    }
}

}  // namespace
}  // namespace taut::io::picture

namespace taut::io {

Image render_frame(const CacheHeader& header, const CacheFrame& frame, const Camera& camera,
                   const PictureSettings& settings, const PictureMarks& marks, const CorrectionMap* map) {
    picture::check(settings);
    const bool valid = camera.eye.allFinite() && camera.center.allFinite() && camera.forward.norm() > 0 &&
                       camera.radius > 0 && camera.fov > 0 && camera.fov < 180 &&
                       std::isfinite(camera.ground);
    if (!valid) throw InputError({"", "camera"}, "the camera is not valid", "", "fit one with fit_camera");

    picture::Scene scene = picture::build_scene(header, frame, camera, settings, marks);
    const picture::Projection projection(camera, settings);
    const picture::Light light(scene, -projection.forward, settings.height);
    picture::clip_near(scene, projection);
    if (map != nullptr) picture::append_map(scene, header, frame, projection, settings, *map);
    const picture::Raster raster(scene, projection, settings);
    const picture::Shader shader(scene, raster, projection, light, camera, settings);
    Image image(settings.width, settings.height, {255, 255, 255});
    parallel_for(
        static_cast<std::size_t>(raster.tile_count()),
        [&](std::size_t begin, std::size_t end) {
            picture::Tile tile;
            for (std::size_t k = begin; k < end; ++k) {
                raster.draw(static_cast<int>(k), tile);
                shader.shade(tile, image);
            }
        },
        1);
    picture::draw_ring(image, header, frame, camera, settings, marks);
    if (settings.strain_colors) picture::draw_legend(image, picture::strain_scale(header, settings));
    if (map != nullptr) picture::draw_map_legend(image, *map, settings.strain_colors);
    return image;
}

}  // namespace taut::io

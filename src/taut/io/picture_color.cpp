#include "taut/io/picture_color.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace taut::io::picture {
namespace {

// Lightness, chroma and hue [deg] of OKLab to linear sRGB; may leave the unit cube.
Vec3f oklch_to_linear(float lightness, float chroma, float hue) {
    const float angle = hue * std::numbers::pi_v<float> / 180;
    const float a = chroma * std::cos(angle), b = chroma * std::sin(angle);
    const float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
    const float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
    const float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
    const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    return {4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
            -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
            -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3};
}

bool displayable(const Vec3f& linear) { return linear.minCoeff() >= 0 && linear.maxCoeff() <= 1; }

// The wanted chroma, or the largest that a display can show.
Vec3f within_display(float lightness, float chroma, float hue) {
    float low = 0, high = chroma;
    if (displayable(oklch_to_linear(lightness, high, hue))) return oklch_to_linear(lightness, high, hue);
    for (int k = 0; k < 20; ++k) {
        const float middle = (low + high) / 2;
        (displayable(oklch_to_linear(lightness, middle, hue)) ? low : high) = middle;
    }
    return oklch_to_linear(lightness, low, hue);
}

Vec3f on_strain_scale(float t) {
    return within_display(0.33f + 0.57f * t, 0.15f + 0.03f * t - 0.19f * t * (1 - t), 300 - 195 * t);
}

Vec3f on_order_scale(float t) { return within_display(0.30f + 0.44f * t, 0.16f, 270 + 155 * t); }

constexpr int scale_steps = 256;
using ScaleTable = std::array<Vec3f, scale_steps>;

ScaleTable make_scale(Vec3f (*color)(float)) {
    ScaleTable table;
    for (int k = 0; k < scale_steps; ++k) {
        table[static_cast<std::size_t>(k)] = color(static_cast<float>(k) / (scale_steps - 1));
    }
    return table;
}

Vec3f look_up(const ScaleTable& table, float t) {
    const float at = t > 0 ? std::min(t, 1.0f) * (scale_steps - 1) : 0;
    const std::size_t k = std::min<std::size_t>(static_cast<std::size_t>(at), scale_steps - 2);
    const float part = at - static_cast<float>(k);
    return (1 - part) * table[k] + part * table[k + 1];
}

}  // namespace

float to_linear(float srgb) {
    return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f);
}

float to_srgb(float linear) {
    return linear <= 0.0031308f ? linear * 12.92f : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

Vec3f to_linear(const Vec3f& srgb) { return {to_linear(srgb.x()), to_linear(srgb.y()), to_linear(srgb.z())}; }

std::array<std::uint8_t, 3> to_bytes(const Vec3f& linear, float threshold) {
    std::array<std::uint8_t, 3> bytes{};
    for (int k = 0; k < 3; ++k) {
        const float value = to_srgb(std::clamp(linear[k], 0.0f, 1.0f));
        bytes[static_cast<std::size_t>(k)] =
            static_cast<std::uint8_t>(std::min(value * 255 + threshold, 255.0f));
    }
    return bytes;
}

Vec3f strain_color(float t) {
    static const ScaleTable table = make_scale(on_strain_scale);
    return look_up(table, t);
}

Vec3f order_color(float t) {
    static const ScaleTable table = make_scale(on_order_scale);
    return look_up(table, t);
}

Material cloth_material(int cloth) {
    // Name the colours as a painter would: front and back in sRGB, the back paler.
    static const std::array<std::array<Vec3f, 2>, palette_size> colors{{
        {Vec3f{0.80f, 0.31f, 0.24f}, Vec3f{0.83f, 0.75f, 0.67f}},  // madder, oat
        {Vec3f{0.16f, 0.45f, 0.56f}, Vec3f{0.55f, 0.72f, 0.74f}},  // petrol, mist
        {Vec3f{0.88f, 0.66f, 0.25f}, Vec3f{0.93f, 0.83f, 0.62f}},  // ochre, straw
        {Vec3f{0.38f, 0.52f, 0.34f}, Vec3f{0.68f, 0.75f, 0.58f}},  // moss, sage
        {Vec3f{0.46f, 0.36f, 0.58f}, Vec3f{0.73f, 0.67f, 0.79f}},  // plum, lilac
        {Vec3f{0.33f, 0.40f, 0.50f}, Vec3f{0.65f, 0.70f, 0.75f}},  // slate, ash
    }};
    const auto& pair = colors[static_cast<std::size_t>(cloth % palette_size)];
    Material material;
    material.front = to_linear(pair[0]);
    material.back = to_linear(pair[1]);
    material.sheen = 0.25f;
    material.through = 0.16f;
    return material;
}

Material obstacle_material() {
    Material material;
    material.front = material.back = to_linear(Vec3f{0.72f, 0.73f, 0.74f});
    material.gloss = 0.10f;
    return material;
}

Material plane_material() {
    Material material;
    material.front = material.back = to_linear(Vec3f{0.80f, 0.81f, 0.82f});
    material.casts = false;
    return material;
}

Material signal_material() {
    Material material;
    const Vec3f color{signal_color[0], signal_color[1], signal_color[2]};
    material.front = material.back = to_linear(Vec3f(color / 255));
    material.glows = true;
    return material;
}

}  // namespace taut::io::picture

// Colours of pictures: sRGB to and from linear light, the cloth palette, the scales of strain and order.
// The scales walk evenly through OKLab (Ottosson 2020), so that equal steps look equally far apart: strain
// from dark violet to light yellow, order from dark blue to amber, dark enough for thin lines on pale cloth.
// Private to the picture files.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "taut/io/picture_scene.hpp"

namespace taut::io::picture {

float to_linear(float srgb);
float to_srgb(float linear);
Vec3f to_linear(const Vec3f& srgb);
// Rounds up from `threshold`, 0 to 1, between two bytes.
std::array<std::uint8_t, 3> to_bytes(const Vec3f& linear, float threshold = 0.5f);

// Linear colour of the strain scale at t in [0, 1]; values outside are clamped, NaN gives the start.
Vec3f strain_color(float t);
Vec3f order_color(float t);  // the same for the order of corrections

constexpr int palette_size = 6;
Material cloth_material(int cloth);  // repeats after palette_size cloths
Material obstacle_material();
Material plane_material();
Material signal_material();                                              // of what is marked
inline constexpr std::array<std::uint8_t, 3> signal_color{236, 0, 140};  // sRGB, on no cloth of the palette

}  // namespace taut::io::picture

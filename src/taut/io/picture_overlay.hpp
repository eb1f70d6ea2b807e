// Drawing on top of a finished picture. Private to the picture files.
#pragma once

#include "taut/io/picture.hpp"

namespace taut::io::picture {

// Colour bar of the strain scale with numbers, in the lower right corner.
void draw_legend(Image& image, double strain_limit);

// A disc-ended line of the given thickness, anti-aliased; coordinates in pixels from the top left.
void draw_line(Image& image, const Vec2& a, const Vec2& b, double thickness,
               std::array<std::uint8_t, 3> color);

}  // namespace taut::io::picture

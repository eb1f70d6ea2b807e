// Drawing on top of a finished picture: strokes, shapes and turned text with soft borders. Private
// to the pictures and charts. Coordinates are in pixels from the top left; what lies outside of the
// picture is cut off.
#pragma once

#include <vector>

#include "taut/io/picture.hpp"

namespace taut::io::picture {

using Path = std::vector<Vec2>;

// Colour bar of the strain scale with numbers, in the lower right corner.
void draw_legend(Image& image, double strain_limit);

// A ring around everything marked, so that what is small or hidden is found; none without marks.
void draw_ring(Image& image, const CacheHeader& header, const CacheFrame& frame, const Camera& camera,
               const PictureSettings& settings, const PictureMarks& marks);

// A disc-ended line of the given thickness, anti-aliased.
void draw_line(Image& image, const Vec2& a, const Vec2& b, double thickness,
               std::array<std::uint8_t, 3> color);

// Open polylines with round ends and joints; each pixel is blended once, however many strokes meet
// there. A path of one point is a disc.
void draw_paths(Image& image, const std::vector<Path>& paths, double thickness,
                std::array<std::uint8_t, 3> color);

// The inside of a convex polygon, corners in either sense of rotation.
void fill_convex(Image& image, const Path& corners, std::array<std::uint8_t, 3> color);

// Text that reads upwards, its baseline starting at `start`; size as in draw_text.
void draw_text_upwards(Image& image, const Vec2& start, const std::string& text, double size,
                       std::array<std::uint8_t, 3> color);

}  // namespace taut::io::picture

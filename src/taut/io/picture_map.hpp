// A correction map in a picture: an arrow for every edge that is corrected, from the vertex that stays to the
// one that moves, coloured from first to last, and a dot on every vertex the corrections start from. They are
// thin flat shapes that face the eye, a hair in front of the cloth, so that the renderer hides what is
// behind. Private to the picture files.
#pragma once

#include "taut/io/picture_overlay.hpp"
#include "taut/io/picture_raster.hpp"

namespace taut::io::picture {

// Up to so many corrections have heads; more would fill the cells of the cloth.
inline constexpr std::size_t most_arrow_heads = 3000;

// Appends the shapes to a finished scene and makes its cloths pale.
void append_map(Scene& scene, const CacheHeader& header, const CacheFrame& frame,
                const Projection& projection, const PictureSettings& settings, const CorrectionMap& map);

// Colour bar from first to last with name and number of corrections, in the lower right corner; `raised`:
// above the legend of strain.
void draw_map_legend(Image& image, const CorrectionMap& map, bool raised);

}  // namespace taut::io::picture

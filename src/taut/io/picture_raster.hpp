// What the camera sees: triangles are projected once and sorted into square tiles; each tile
// then finds, for every sample in it, the nearest triangle. Tiles are independent and take
// triangles in order, so any number of threads gives the same answer. Private to the picture files.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "taut/io/picture_scene.hpp"

namespace taut::io::picture {

constexpr int tile_size = 32;  // [pixel]; depth and index of a tile at 3 x 3 samples fit in 80 KiB

// A pinhole projection to samples: x to the right, y down, the first sample's centre at (0, 0).
struct Projection {
    Vec3f eye, right, up, forward;  // relative to the camera's centre
    float focal = 1;                // [sample]
    float middle_x = 0, middle_y = 0;
    float near = 0;  // what is closer than this is not drawn [m]

    Projection(const Camera& camera, const PictureSettings& settings);
    Vec3f ray(float x, float y) const;  // through a sample, with a unit component along forward
};

// Cuts off the part of triangles that is behind or too near the eye; adds vertices where it cuts.
void clip_near(Scene& scene, const Projection& projection);

// A projected vertex; depth is 1 / distance along forward, 0 if too near to be drawn.
struct ScreenPoint {
    float x = 0, y = 0, depth = 0;
};

// Samples of one tile, row by row: nearest triangle (-1: none) and 1 / distance.
struct Tile {
    int x = 0, y = 0, width = 0, height = 0;  // [sample]
    std::vector<int> triangle;
    std::vector<float> depth;
};

class Raster {
public:
    Raster(const Scene& scene, const Projection& projection, const PictureSettings& settings);

    int tile_count() const { return columns_ * rows_; }
    void draw(int tile, Tile& out) const;

    const ScreenPoint& point(int vertex) const { return points_[static_cast<std::size_t>(vertex)]; }
    // Weights of the corners of a triangle at a sample, linear in the picture (not in space).
    std::array<float, 3> weights(const Triangle& triangle, float x, float y) const;

private:
    struct Range {
        int x0, y0, x1, y1;  // samples, inclusive; empty if x0 > x1
    };
    Range range(const Triangle& triangle) const;
    void draw_triangle(int index, Tile& out) const;

    const Scene& scene_;
    int width_, height_;  // [sample]
    int span_;            // samples along a tile
    int columns_, rows_;
    std::vector<ScreenPoint> points_;
    std::vector<std::size_t> first_;  // per tile, into list_
    std::vector<int> list_;           // triangles, tile by tile
};

}  // namespace taut::io::picture

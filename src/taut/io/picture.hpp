// Still pictures of cloth, drawn by the program itself: no GPU, no display. A tile by tile
// z-buffer finds what each sample sees; many small shadow maps from a round key light and from
// all over the sky give soft shadows and ambient occlusion (Williams 1978 for the maps); all
// shading is done in linear light. The bits of a picture do not depend on the thread count.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "taut/base/parameter.hpp"
#include "taut/io/cache.hpp"
#include "taut/model/correction_map.hpp"

namespace taut::io {

// 8-bit sRGB, rows from top to bottom, 3 bytes a pixel.
struct Image {
    int width = 0, height = 0;  // [pixel]
    std::vector<std::uint8_t> rgb;

    Image() = default;
    Image(int columns, int rows, std::array<std::uint8_t, 3> color);
    std::array<std::uint8_t, 3> pixel(int column, int row) const;
};

struct PictureSettings {
    int width = 1280, height = 800;       // [pixel]
    int samples = 3;                      // per pixel and axis
    double fov = 26;                      // vertical opening of the lens [deg]
    double margin = 0.07;                 // free border, part of the picture's width and height
    Vec3 view = Vec3::Zero();             // from the scene towards the eye; zero: three-quarter view, chosen
    Vec3 background{0.955, 0.96, 0.965};  // sRGB, 0 to 1
    bool ground = true;                   // soft shadow on a floor
    bool wireframe = false;               // yarn edges as thin lines
    bool strain_colors = false;           // colour by strain, with a legend
    bool map = false;                     // the order of corrections as arrows, where a filter has one
    double strain_limit = 0;              // strain at the end of the scale; 0: promised tolerance, else 1 %
};

void describe(ParamList& list, PictureSettings& settings);

// A pinhole camera and the extent of what it was fitted to; one camera serves a whole sequence.
struct Camera {
    Vec3 eye{0, -4, 1};
    Vec3 forward{0, 1, 0};       // unit length
    double fov = 26;             // vertical [deg]
    Vec3 center = Vec3::Zero();  // of the bounding box over the fitted frames [m]
    double radius = 1;           // half its diagonal [m]
    double ground = -1;          // height of the floor [m]
};

// Fits a camera to frames given one after the other, so that a long run need not be in memory.
class CameraFit {
public:
    // The header must outlive the fit. Throws InputError on settings out of range.
    CameraFit(const CacheHeader& header, const PictureSettings& settings);
    void add(const CacheFrame& frame);
    Camera camera() const;

private:
    // Largest value over all points of the four functions that say how far the eye must go back.
    struct View {
        Vec3 right, up, forward;
        std::array<double, 4> support;
        double area = 0;  // cloth area seen, the back counted less, summed over frames [m^2]
        void add(const Vec3& p, double tan_x, double tan_y);
    };
    struct Box {
        Vec3 low, high;
        bool empty() const { return !(low.x() <= high.x()); }
        void add(const Vec3& p);
    };

    void add_obstacles(const CacheFrame& frame);
    const View& best_view() const;

    const CacheHeader& header_;
    PictureSettings settings_;
    double tan_x_, tan_y_;
    std::vector<View> views_;      // candidates: azimuths at two heights, or the one asked for
    Box cloth_;                    // over all frames
    std::vector<Points> corners_;  // of each finite obstacle over all frames
    double lowest_obstacle_;       // least height of any finite obstacle [m]
    double floor_ = 0;             // highest upward plane, where there is one
    bool has_floor_ = false;
};

Camera fit_camera(const CacheHeader& header, std::span<const CacheFrame> frames,
                  const PictureSettings& settings);

// What is drawn in a signal colour, with a ring around all of it: faces and edges of the header. Edges of
// faces are shown by the faces beside them.
struct PictureMarks {
    std::vector<int> faces, edges;
    bool empty() const { return faces.empty() && edges.empty(); }
};

// Draws cloths, chains, obstacles and floor, and over pale cloth the corrections of a map: an arrow to the
// vertex that moves, coloured from first to last, dots where they start. Vertices that are not finite are
// left out with what hangs on them. Throws InputError on settings out of range.
Image render_frame(const CacheHeader& header, const CacheFrame& frame, const Camera& camera,
                   const PictureSettings& settings, const PictureMarks& marks = {},
                   const CorrectionMap* map = nullptr);

// Pictures side by side in rows of `columns`, with a label in the corner of each (none: no labels).
Image film_strip(const std::vector<Image>& images, int columns, const std::vector<std::string>& labels);

// Draws text with its baseline starting at (x, y); size is the height of a capital [pixel].
void draw_text(Image& image, double x, double y, const std::string& text, double size,
               std::array<std::uint8_t, 3> color);
double text_width(const std::string& text, double size);  // [pixel]

// Writes a PNG all or nothing, with an optional title inside. Throws InputError if that fails.
void write_png(const std::filesystem::path& file, const Image& image, const std::string& title = {});

}  // namespace taut::io

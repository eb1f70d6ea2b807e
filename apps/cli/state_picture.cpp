#include "state_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "build_info.hpp"
#include "taut/io/cache_recorder.hpp"
#include "taut/io/picture.hpp"

namespace taut::cli {

namespace {

// The close view shows this many times the extent of what is marked, and at least so many of its longest
// edges.
constexpr double close_room = 1.6, least_edges = 8;

// The same view from so near that the marked faces fill it.
io::Camera close_camera(const io::Camera& camera, const io::CacheHeader& header, const io::CacheFrame& frame,
                        std::span<const int> faces) {
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    double length = 0;
    for (const int f : faces) {
        const mesh::Face& face = header.faces[static_cast<std::size_t>(f)];
        for (int k = 0; k < face.size(); ++k) {
            const Vec3& p = frame.x[static_cast<std::size_t>(face.corner[static_cast<std::size_t>(k)])];
            const Vec3& next = frame.x[static_cast<std::size_t>(
                face.corner[static_cast<std::size_t>((k + 1) % face.size())])];
            low = low.cwiseMin(p), high = high.cwiseMax(p);
            length = std::max(length, (next - p).norm());
        }
    }
    const double radius = std::max(close_room * 0.5 * (high - low).norm(), 0.5 * least_edges * length);
    const double distance = radius / std::tan(0.5 * camera.fov * std::numbers::pi / 180);
    io::Camera close = camera;
    const Vec3 target = 0.5 * (low + high);
    if (distance < (camera.eye - target).norm()) close.eye = target - distance * camera.forward;
    return close;
}

}  // namespace

void write_state_picture(const std::filesystem::path& file, const Simulation& simulation,
                         const std::vector<collision::Obstacle>& obstacles, const scene::Scene& scene,
                         std::span<const int> faces) {
    const io::CacheHeader header =
        io::make_cache_header(simulation, obstacles, {library_version(), scene.name, {}});
    io::CacheFrame frame;
    frame.t = simulation.state().t;
    frame.x = simulation.state().x;
    io::place_obstacles(obstacles, frame);
    io::PictureMarks marks;
    marks.faces.assign(faces.begin(), faces.end());
    std::sort(marks.faces.begin(), marks.faces.end());
    marks.faces.erase(std::unique(marks.faces.begin(), marks.faces.end()), marks.faces.end());

    const io::PictureSettings& settings = scene.preview.picture;
    const io::Camera camera = io::fit_camera(header, {&frame, 1}, settings);
    std::vector<io::Image> images{io::render_frame(header, frame, camera, settings, marks)};
    std::vector<std::string> labels{fmt::format("t = {:.4g} s", frame.t)};
    if (!faces.empty()) {
        const io::Camera close = close_camera(camera, header, frame, faces);
        images.push_back(io::render_frame(header, frame, close, settings, marks));
        labels.emplace_back("close up");
    }
    io::write_png(file, io::film_strip(images, 2, labels), scene.name);
}

}  // namespace taut::cli

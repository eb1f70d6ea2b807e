// The camera that shows everything: for a fixed direction of view the four sides of the view
// pyramid touch the points where a linear function of position is largest, so one pass over the
// points of each frame gives the exact eye position. Among a few three-quarter directions the one
// that sees most cloth wins; the usual one stays unless another is clearly better.
#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/base/error.hpp"
#include "taut/io/picture_scene.hpp"

namespace taut::io {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double degree = EIGEN_PI / 180;

// Heights of the automatic view: objects flatter than `flat_below` are seen from higher up.
constexpr double low_elevation = 14 * degree, high_elevation = 30 * degree;
constexpr double flat_below = 0.85;  // height over width
constexpr int azimuths = 8;

// A view of the back counts a little less: enough to turn a sheet that hangs face away.
constexpr double back_weight = 0.7;

// Beyond this a coordinate is the wreck of a failed run, not something to frame [m].
constexpr double far_away = 1e9;

bool sane(const Vec3& p) { return p.cwiseAbs().maxCoeff() < far_away; }

// Corners of the axis-aligned box about points; those of a wreck do not count.
Points box_corners(ConstPoints points) {
    Vec3 low = Vec3::Constant(infinity), high = -low;
    for (const Vec3& p : points) {
        if (!sane(p)) continue;
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    Points corners;
    for (int k = 0; k < 8 && low.x() <= high.x(); ++k) {
        corners.emplace_back((k & 1 ? high : low).x(), (k & 2 ? high : low).y(), (k & 4 ? high : low).z());
    }
    return corners;
}

// Corners of the axis-aligned box about a finite convex obstacle, placed; empty for a plane.
Points obstacle_corners(const collision::Obstacle& obstacle, const RigidTransform& place) {
    Points corners;
    const auto add_box = [&](const Vec3& center, const Vec3& half, bool turned) {
        for (int k = 0; k < 8; ++k) {
            const Vec3 offset{k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(),
                              k & 4 ? half.z() : -half.z()};
            const Vec3 p = turned ? place(center + offset) : Vec3(place(center) + offset);
            if (sane(p)) corners.push_back(p);
        }
    };
    // Inset the corners of a ball's box: the ball itself does not reach them.
    const Vec3 ball = Vec3::Constant(0.8 * obstacle.radius);
    switch (obstacle.shape) {
        case collision::Shape::sphere:
        case collision::Shape::polygon_sphere:
            add_box(obstacle.center, ball, false);
            break;
        case collision::Shape::capsule:
            add_box(obstacle.center, ball, false);
            add_box(obstacle.end, ball, false);
            break;
        case collision::Shape::box:
            add_box(obstacle.center, obstacle.half_size, true);
            break;
        case collision::Shape::mesh:
        case collision::Shape::plane:
            break;
    }
    return corners;
}

}  // namespace

void picture::check(const PictureSettings& settings) {
    PictureSettings copy = settings;
    ParamList list;
    describe(list, copy);
    for (const Param& param : list.entries()) {
        double value = 0;
        if (const auto* number = std::get_if<double*>(&param.target)) {
            value = **number;
        } else if (const auto* integer = std::get_if<int*>(&param.target)) {
            value = **integer;
        } else if (const auto* vector = std::get_if<Vec3*>(&param.target)) {
            if ((*vector)->allFinite()) continue;
            value = std::numeric_limits<double>::quiet_NaN();
        } else {
            continue;
        }
        if (!param.range.contains(value)) {
            throw InputError({"", "picture/" + param.name}, "picture setting out of range",
                             param.value_text(), "allowed is " + param.range.text());
        }
    }
}

void describe(ParamList& list, PictureSettings& settings) {
    list.integer("width", settings.width, "pixel", between(16, 16384), "Width of the picture.");
    list.integer("height", settings.height, "pixel", between(16, 16384), "Height of the picture.");
    list.integer("samples", settings.samples, "1", between(1, 8), "Samples per pixel along each axis.");
    list.number("fov", settings.fov, "deg", between(5, 100), "Vertical opening of the lens.");
    list.number("margin", settings.margin, "1", between(0, 0.4), "Free border as a part of the picture.");
    list.vector("view", settings.view, "1",
                "Direction from the scene towards the eye; zero lets the program choose.");
    list.vector("background", settings.background, "1", "Background colour, sRGB from 0 to 1.");
    list.flag("ground", settings.ground, "Draw the shadow on a floor.");
    list.flag("wireframe", settings.wireframe, "Draw yarn edges as thin lines.");
    list.flag("strain_colors", settings.strain_colors, "Colour the cloth by strain, with a legend.");
    list.flag(
        "map", settings.map,
        "Draw the order of corrections as arrows on pale cloth, with a legend, where a filter has one.");
    list.number("strain_limit", settings.strain_limit, "1", between(0, 1e6),
                "Strain at the end of the colour scale; 0 takes the promised tolerance, else 1 %.");
}

void CameraFit::View::add(const Vec3& p, double tan_x, double tan_y) {
    const double r = right.dot(p), u = up.dot(p), f = forward.dot(p);
    support[0] = std::max(support[0], r - tan_x * f);
    support[1] = std::max(support[1], -r - tan_x * f);
    support[2] = std::max(support[2], u - tan_y * f);
    support[3] = std::max(support[3], -u - tan_y * f);
}

void CameraFit::Box::add(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
}

CameraFit::CameraFit(const CacheHeader& header, const PictureSettings& settings)
    : header_(header),
      settings_(settings),
      cloth_{Vec3::Constant(infinity), Vec3::Constant(-infinity)},
      lowest_obstacle_(infinity) {
    picture::check(settings);
    const double inner = 1 - 2 * settings.margin;
    tan_y_ = std::tan(settings.fov * degree / 2) * inner;
    tan_x_ = tan_y_ * settings.width / settings.height;
    corners_.resize(header.obstacles.size());

    const auto add_view = [&](const Vec3& towards_eye) {
        View view;
        view.forward = -towards_eye.normalized();
        view.right = view.forward.cross(Vec3::UnitZ());
        if (view.right.norm() < 1e-6) view.right = Vec3::UnitX();
        view.right.normalize();
        view.up = view.right.cross(view.forward);
        view.support.fill(-infinity);
        views_.push_back(view);
    };
    if (settings.view.norm() > 0) {
        add_view(settings.view);
        return;
    }
    // Look from the front and 32 degrees to its right first, then the other sides.
    for (double elevation : {low_elevation, high_elevation}) {
        for (int k = 0; k < azimuths; ++k) {
            const int side = k / 2;
            const double turn = 90 * side + (k % 2 == 0 ? 32 : -32);
            const double azimuth = (turn - 90) * degree;
            add_view({std::cos(azimuth) * std::cos(elevation), std::sin(azimuth) * std::cos(elevation),
                      std::sin(elevation)});
        }
    }
}

void CameraFit::add(const CacheFrame& frame) {
    for (const Vec3& p : frame.x) {
        if (!sane(p)) continue;
        cloth_.add(p);
        for (View& view : views_) view.add(p, tan_x_, tan_y_);
    }

    // Sum the area that each candidate sees; every 16th face is enough for a choice among large meshes.
    const std::size_t stride = header_.faces.size() > 40000 ? 16 : 1;
    const auto vertices = static_cast<int>(frame.x.size());
    for (std::size_t f = 0; f < header_.faces.size(); f += stride) {
        const auto& c = header_.faces[f].corner;
        const int last = c[3] < 0 ? c[2] : c[3];
        if (std::min({c[0], c[1], c[2]}) < 0 || std::max({c[0], c[1], c[2], last}) >= vertices) continue;
        const auto at = [&](int v) { return frame.x[static_cast<std::size_t>(v)]; };
        if (!sane(at(c[0])) || !sane(at(c[1])) || !sane(at(c[2])) || !sane(at(last))) continue;
        const Vec3 normal = 0.5 * (at(c[1]) - at(c[0])).cross(at(c[2]) - at(c[0])) +
                            0.5 * (at(c[2]) - at(c[0])).cross(at(last) - at(c[0]));
        for (View& view : views_) {
            const double seen = -normal.dot(view.forward);
            view.area += seen > 0 ? seen : -back_weight * seen;
        }
    }
    add_obstacles(frame);
}

void CameraFit::add_obstacles(const CacheFrame& frame) {
    for (std::size_t k = 0; k < header_.obstacles.size(); ++k) {
        const collision::Obstacle& obstacle = header_.obstacles[k];
        const RigidTransform place = k < frame.obstacles.size() ? frame.obstacles[k] : RigidTransform{};
        if (obstacle.shape == collision::Shape::plane) {
            const double height = place(obstacle.center).z();
            if (!((place.rotation * obstacle.normal).z() > 0.999) || !(std::abs(height) < far_away)) continue;
            floor_ = has_floor_ ? std::max(floor_, height) : height;
            has_floor_ = true;
            continue;
        }
        const Points now = obstacle.shape == collision::Shape::mesh
                               ? box_corners(obstacle_points(header_, frame, k))
                               : obstacle_corners(obstacle, place);
        const double inset = 0.2 * obstacle.radius;  // see obstacle_corners
        for (const Vec3& p : now) lowest_obstacle_ = std::min(lowest_obstacle_, p.z() - inset);

        // Keep the corners of the box around all placements.
        Box box{Vec3::Constant(infinity), Vec3::Constant(-infinity)};
        for (const Vec3& p : corners_[k]) box.add(p);
        if (std::all_of(now.begin(), now.end(), [&](const Vec3& p) {
                return p.cwiseMax(box.low) == p && p.cwiseMin(box.high) == p;
            })) {
            continue;
        }
        if (corners_[k].empty()) {
            corners_[k] = now;
            continue;
        }
        for (const Vec3& p : now) box.add(p);
        corners_[k] = box_corners(Points{box.low, box.high});
    }
}

const CameraFit::View& CameraFit::best_view() const {
    if (views_.size() == 1) return views_.front();
    const Vec3 size = cloth_.empty() ? Vec3::Ones() : Vec3(cloth_.high - cloth_.low);
    const bool flat = size.z() < flat_below * std::max(size.x(), size.y());
    const std::size_t first = flat ? azimuths : 0;
    std::size_t best = first;
    for (std::size_t k = first + 1; k < first + azimuths; ++k) {
        if (views_[k].area > 1.02 * views_[best].area) best = k;
    }
    return views_[views_[best].area > 1.1 * views_[first].area ? best : first];
}

Camera CameraFit::camera() const {
    // Join cloth and those obstacles that do not dwarf it.
    View view = best_view();
    Box box = cloth_;
    const double cloth_size = cloth_.empty() ? 0 : (cloth_.high - cloth_.low).norm();
    for (const Points& corners : corners_) {
        Box own{Vec3::Constant(infinity), Vec3::Constant(-infinity)};
        for (const Vec3& p : corners) own.add(p);
        if (own.empty() || (!cloth_.empty() && (own.high - own.low).norm() > 2.5 * cloth_size)) continue;
        for (const Vec3& p : corners) {
            box.add(p);
            view.add(p, tan_x_, tan_y_);
        }
    }

    Camera camera;
    camera.fov = settings_.fov;
    camera.forward = view.forward;
    if (box.empty()) {
        box.low = Vec3::Constant(-0.5);
        box.high = Vec3::Constant(0.5);
        view.add(box.low, tan_x_, tan_y_);
        view.add(box.high, tan_x_, tan_y_);
    }
    camera.center = 0.5 * (box.low + box.high);
    camera.radius = std::max(0.5 * (box.high - box.low).norm(), 1e-3);

    // Put the floor under what is lowest: obstacles stand on it, hanging cloth keeps off it.
    camera.ground = box.low.z() - 0.04 * camera.radius;
    if (lowest_obstacle_ < box.low.z() + 0.1 * camera.radius)
        camera.ground = std::min(lowest_obstacle_, box.low.z());
    if (has_floor_ && floor_ < box.low.z() + 0.2 * camera.radius) camera.ground = floor_;

    // Leave room for the shadow at the foot of the scene.
    if (settings_.ground && camera.ground > box.low.z() - 0.1 * camera.radius) {
        const Vec3 half = 0.35 * (box.high - box.low);
        for (int k = 0; k < 4; ++k) {
            view.add(
                {camera.center.x() + (k & 1 ? half.x() : -half.x()),
                 camera.center.y() + (k & 2 ? half.y() : -half.y()), camera.ground - 0.03 * camera.radius},
                tan_x_, tan_y_);
        }
    }

    // Put the eye where the tighter pair of sides touches, and never inside the scene.
    const auto& s = view.support;
    const double back = std::min({-(s[0] + s[1]) / (2 * tan_x_), -(s[2] + s[3]) / (2 * tan_y_),
                                  view.forward.dot(camera.center) - 1.5 * camera.radius});
    camera.eye = 0.5 * (s[0] - s[1]) * view.right + 0.5 * (s[2] - s[3]) * view.up + back * view.forward;
    return camera;
}

Camera fit_camera(const CacheHeader& header, std::span<const CacheFrame> frames,
                  const PictureSettings& settings) {
    CameraFit fit(header, settings);
    for (const CacheFrame& frame : frames) fit.add(frame);
    return fit.camera();
}

}  // namespace taut::io

#include "taut/mesh/irregular.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"
#include "taut/base/random.hpp"
#include "taut/mesh/outline.hpp"

namespace taut::mesh {
namespace {

// Distance of inner points from the outline, in spacings. It must exceed half the longest side, 0.575, so
// that no point enters the circle over a side, and every single move of a point, so that none crosses.
constexpr double clearance = 0.6;

// Sides longer than this many spacings are divided once more.
constexpr double longest_side = 1.15;

// Rounds of shaking, and how far each moves a point at most, in spacings. One leaves grains of the lattice.
constexpr int shakes = 3;
constexpr double shake_length = 0.45;

// Even the lattice is shaken by this much, in units of the irregularity: four points on one circle could be
// divided differently at the two ends of a strip.
constexpr double least_irregularity = 1e-4;

// Turn of the lattice at irregularity 1: as far from both axes as its rows can be [rad].
constexpr double lattice_turn = std::numbers::pi / 12;

// Rounds of smoothing after the shaking: at least so many, on until the least angle is wide enough.
constexpr int least_rounds = 4, most_rounds = 30;
constexpr double wide_angle = 25 * std::numbers::pi / 180;

void require_shape(const char* what, double value, double spacing) {
    if (std::isfinite(value) && value >= spacing && value <= largest_coordinate) return;
    throw InputError({}, std::string(what) + " does not suit the spacing", number_text(value),
                     "allowed: from the spacing, " + number_text(spacing) + ", to 1e8 m");
}

void require_fill(const FillParams& params) {
    if (!(std::isfinite(params.spacing) && params.spacing > 0)) {
        throw InputError({}, "the spacing must be a positive length", number_text(params.spacing),
                         "allowed: > 0 m");
    }
    if (!(params.irregularity >= 0 && params.irregularity <= 1)) {
        throw InputError({}, "there is no such irregularity", number_text(params.irregularity),
                         "allowed: 0 to 1");
    }
}

// Refuses what would be too many points.
void require_points(double points, double spacing) {
    if (points <= max_filled_points) return;
    throw InputError({}, "the mesh has too many vertices", number_text(std::round(points)),
                     "allowed: at most " + std::to_string(max_filled_points) + "; the spacing is " +
                         number_text(spacing) + " m");
}

double points_in(double area, double border, double spacing) {
    return area / (0.5 * std::sqrt(3.0) * spacing * spacing) + border / spacing;
}

double area_of(std::span<const Vec2> loop) {
    double twice = 0;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vec2 &p = loop[k], &q = loop[(k + 1) % loop.size()];
        twice += p.x() * q.y() - p.y() * q.x();
    }
    return 0.5 * twice;
}

// Which places keep clear of the sides of a polygon. Sides are filed in the cells of a lattice, each in all
// cells it is near to, so that a place need only look at those of its own.
class Border {
public:
    Border(const Loop& outline, double distance);

    // Whether no side is nearer than the distance. Places outside of the box of the outline are not clear.
    bool is_clear(const Vec2& p) const;

private:
    int column(double x) const { return cell_of(x - low_.x(), columns_); }
    int row(double y) const { return cell_of(y - low_.y(), rows_); }
    int cell_of(double from_low, int cells) const {
        return static_cast<int>(std::clamp(from_low / size_, 0.0, cells - 1.0));
    }
    // Calls visit(cell) for all cells within the distance of the box around a side.
    template <class Visit>
    void near_side(std::size_t side, Visit&& visit) const;

    const Loop& outline_;
    double distance_, size_ = 0;  // [m]
    Vec2 low_, high_;             // [m]
    int columns_ = 1, rows_ = 1;
    std::vector<std::size_t> start_, side_;  // sides by cells
};

Border::Border(const Loop& outline, double distance)
    : outline_(outline), distance_(distance), low_(outline[0]), high_(outline[0]) {
    for (const Vec2& p : outline) {
        low_ = low_.cwiseMin(p);
        high_ = high_.cwiseMax(p);
    }
    const Vec2 extent = high_ - low_;
    size_ = std::max(2 * distance, std::sqrt(extent.prod() / max_filled_points));
    columns_ = 1 + static_cast<int>(extent.x() / size_);
    rows_ = 1 + static_cast<int>(extent.y() / size_);

    // Count, then file.
    start_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) + 1, 0);
    for (std::size_t k = 0; k < outline.size(); ++k)
        near_side(k, [&](std::size_t cell) { ++start_[cell + 1]; });
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    side_.resize(start_.back());
    std::vector<std::size_t> fill(start_.begin(), start_.end() - 1);
    for (std::size_t k = 0; k < outline.size(); ++k)
        near_side(k, [&](std::size_t cell) { side_[fill[cell]++] = k; });
}

template <class Visit>
void Border::near_side(std::size_t side, Visit&& visit) const {
    const Vec2 &p = outline_[side], &q = outline_[(side + 1) % outline_.size()];
    const Vec2 low = p.cwiseMin(q).array() - distance_, high = p.cwiseMax(q).array() + distance_;
    for (int j = row(low.y()); j <= row(high.y()); ++j)
        for (int i = column(low.x()); i <= column(high.x()); ++i)
            visit(static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(i));
}

bool Border::is_clear(const Vec2& p) const {
    if ((p.array() < low_.array()).any() || (p.array() > high_.array()).any()) return false;
    const std::size_t cell = static_cast<std::size_t>(row(p.y())) * static_cast<std::size_t>(columns_) +
                             static_cast<std::size_t>(column(p.x()));
    for (std::size_t k = start_[cell]; k < start_[cell + 1]; ++k) {
        const Vec2& a = outline_[side_[k]];
        const Vec2 along = outline_[(side_[k] + 1) % outline_.size()] - a;
        const double t = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
        if ((p - a - t * along).squaredNorm() < distance_ * distance_) return false;
    }
    return true;
}

using Clear = std::function<bool(const Vec2&)>;

// Points of a lattice inside the outline: rows along a direction, stretched a little so that the first and
// the last touch its box.
std::vector<Vec2> lattice_within(const Loop& outline, double spacing, double angle, const Clear& clear) {
    const Vec2 along(std::cos(angle), std::sin(angle)), up(-along.y(), along.x());
    Loop turned;
    for (const Vec2& p : outline) turned.emplace_back(p.dot(along), p.dot(up));
    Vec2 low = turned[0], high = turned[0];
    for (const Vec2& p : turned) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    const Vec2 extent = high - low;
    const int rows = parts_of(extent.y(), 0.5 * std::sqrt(3.0) * spacing);
    const double step = extent.x() / parts_of(extent.x(), spacing);

    std::vector<Vec2> points;
    std::vector<double> crossing;
    for (int j = 1; j < rows; ++j) {
        // Cut the row at the sides it crosses; it is inside from an odd crossing to the next.
        const double y = low.y() + extent.y() * j / rows, first = low.x() + (j % 2 == 0 ? 0.0 : 0.5 * step);
        crossing.clear();
        for (std::size_t k = 0; k < turned.size(); ++k) {
            const Vec2 &p = turned[k], &q = turned[(k + 1) % turned.size()];
            if ((p.y() <= y) == (q.y() <= y)) continue;
            crossing.push_back(p.x() + (y - p.y()) / (q.y() - p.y()) * (q.x() - p.x()));
        }
        std::sort(crossing.begin(), crossing.end());
        for (std::size_t k = 0; k + 1 < crossing.size(); k += 2) {
            const auto from = static_cast<std::int64_t>(std::ceil((crossing[k] - first) / step));
            const auto to = static_cast<std::int64_t>(std::floor((crossing[k + 1] - first) / step));
            for (std::int64_t i = from; i <= to; ++i) {
                const Vec2 p = (first + static_cast<double>(i) * step) * along + y * up;
                if (clear(p)) points.push_back(p);
            }
        }
    }
    return points;
}

// A point of a strip back in its period.
void wrap(Vec2& p, double period) {
    if (period > 0) p.x() -= period * std::floor(p.x() / period);
    if (period > 0 && p.x() >= period) p.x() = 0;
}

void triangulate(Filling& filling) {
    if (filling.period > 0) {
        filling.triangles = triangulate_strip(filling.points, filling.period);
        return;
    }
    filling.triangles.clear();
    for (const Triangle& t : triangulate_outline(filling.points, filling.fixed))
        filling.triangles.push_back({t, {0, 0, 0}});
}

// Moves every inner point at random, up to a distance, where its new place is clear.
void shake(Filling& filling, double distance, std::uint64_t& random, const Clear& clear) {
    for (std::size_t v = static_cast<std::size_t>(filling.fixed); v < filling.points.size(); ++v) {
        Vec2 way;
        do {
            way.x() = next_signed(random);
            way.y() = next_signed(random);
        } while (way.squaredNorm() > 1);
        Vec2 p = filling.points[v] + distance * way;
        wrap(p, filling.period);
        if (clear(p)) filling.points[v] = p;
    }
}

// Moves every inner point to the mean of the circumcentres of its triangles, weighted by their areas (Chen
// 2004: that minimizes the error of interpolation around it), or half way where that is not clear.
void smooth(Filling& filling, double longest, const Clear& clear) {
    std::vector<Vec2> sum(filling.points.size(), Vec2::Zero());
    std::vector<double> area(filling.points.size(), 0);
    for (const StripTriangle& t : filling.triangles) {
        const Vec2 p = filling.corner(t, 0), u = filling.corner(t, 1) - p, v = filling.corner(t, 2) - p;
        const double twice = u.x() * v.y() - u.y() * v.x(), uu = u.squaredNorm(), vv = v.squaredNorm();
        // The circumcentre from p, times twice the area.
        const Vec2 centre(0.5 * (v.y() * uu - u.y() * vv), 0.5 * (u.x() * vv - v.x() * uu));
        for (std::size_t k = 0; k < 3; ++k) {
            const auto w = static_cast<std::size_t>(t.corner[k]);
            sum[w] += centre + twice * (p - filling.corner(t, k));
            area[w] += twice;
        }
    }
    for (std::size_t v = static_cast<std::size_t>(filling.fixed); v < filling.points.size(); ++v) {
        Vec2 way = sum[v] / area[v];
        way *= std::min(1.0, longest / std::max(way.norm(), 1e-300));
        for (const double part : {1.0, 0.5}) {
            Vec2 p = filling.points[v] + part * way;
            wrap(p, filling.period);
            if (!clear(p)) continue;
            filling.points[v] = p;
            break;
        }
    }
}

// Shakes the inner points of the lattice, smooths, and triangulates.
void relax(Filling& filling, const FillParams& params, const Clear& clear) {
    std::uint64_t random = static_cast<std::uint64_t>(params.seed);
    const double longest = shake_length * params.spacing;
    if (static_cast<std::size_t>(filling.fixed) == filling.points.size()) {
        triangulate(filling);
        return;
    }
    for (int k = 0; k < shakes; ++k)
        shake(filling, longest * std::max(params.irregularity, least_irregularity), random, clear);
    triangulate(filling);
    for (int k = 0; k < most_rounds; ++k) {
        if (k >= least_rounds && least_angle(filling) > wide_angle) return;
        smooth(filling, longest, clear);
        triangulate(filling);
    }
}

}  // namespace

int parts_of(double length, double spacing) {
    return std::max(1, static_cast<int>(std::ceil(length / spacing - (longest_side - 1))));
}

Loop rectangle_outline(double width, double height, double spacing) {
    require_fill({spacing, 0, 0});
    require_shape("the width", width, spacing);
    require_shape("the height", height, spacing);
    return polygon_outline(std::array<Vec2, 4>{Vec2(0, 0), {width, 0}, {width, height}, {0, height}},
                           spacing);
}

Loop disc_outline(double radius, double spacing) {
    require_fill({spacing, 0, 0});
    require_shape("the radius", radius, spacing);
    const double length = 2 * std::numbers::pi * radius;
    require_points(points_in(0.5 * radius * length, length, spacing), spacing);
    const int count = parts_of(length, spacing);
    Loop loop;
    for (int k = 0; k < count; ++k) {
        const double angle = 2 * std::numbers::pi * k / count;
        loop.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
    }
    return loop;
}

Loop polygon_outline(std::span<const Vec2> corners, double spacing) {
    require_fill({spacing, 0, 0});
    const Loop loop(corners.begin(), corners.end());
    require_points(points_in(area_of(loop), loop_length(loop), spacing), spacing);
    Loop result;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vec2 &p = loop[k], &q = loop[(k + 1) % loop.size()];
        const int parts = parts_of((q - p).norm(), spacing);
        for (int i = 0; i < parts; ++i) result.emplace_back(p + (q - p) * i / parts);
    }
    return result;
}

Filling fill_outline(const Loop& outline, const FillParams& params) {
    require_fill(params);
    const double area = outline.size() < 3 ? 0 : area_of(outline);
    if (!(area > 0 && std::isfinite(area))) {
        throw InputError({}, "the outline does not run counterclockwise around an area", number_text(area),
                         "allowed: > 0 m^2");
    }
    require_points(points_in(area, loop_length(outline), params.spacing), params.spacing);
    const Border border(outline, clearance * params.spacing);
    const Clear clear = [&](const Vec2& p) { return border.is_clear(p); };
    Filling filling{outline, static_cast<int>(outline.size()), 0, {}};
    const std::vector<Vec2> inside =
        lattice_within(outline, params.spacing, params.irregularity * lattice_turn, clear);
    filling.points.insert(filling.points.end(), inside.begin(), inside.end());
    relax(filling, params, clear);
    return filling;
}

Filling fill_strip(double period, double height, const FillParams& params) {
    require_fill(params);
    require_shape("the height", height, params.spacing);
    require_shape("a third of the length around", period / 3, params.spacing);
    require_points(points_in(period * height, 2 * period, params.spacing), params.spacing);

    // Lay the rims, then a lattice that may not be turned, for it must fit the period.
    Filling filling;
    filling.period = period;
    const int around = parts_of(period, params.spacing);
    const int rows = parts_of(height, 0.5 * std::sqrt(3.0) * params.spacing);
    for (const double y : {0.0, height})
        for (int i = 0; i < around; ++i) filling.points.emplace_back(period * i / around, y);
    filling.fixed = 2 * around;
    const double distance = clearance * params.spacing;
    const Clear clear = [&](const Vec2& p) { return p.y() >= distance && p.y() <= height - distance; };
    for (int j = 1; j < rows; ++j)
        for (int i = 0; i < around; ++i) {
            const Vec2 p(period * (i + (j % 2 == 0 ? 0.0 : 0.5)) / around, height * j / rows);
            if (clear(p)) filling.points.push_back(p);
        }
    relax(filling, params, clear);
    return filling;
}

double least_angle(const Filling& filling) {
    double least = std::numbers::pi;
    for (const StripTriangle& t : filling.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec2 p = filling.corner(t, k);
            const Vec2 u = filling.corner(t, (k + 1) % 3) - p, v = filling.corner(t, (k + 2) % 3) - p;
            least = std::min(least, std::atan2(u.x() * v.y() - u.y() * v.x(), u.dot(v)));
        }
    }
    return least;
}

}  // namespace taut::mesh

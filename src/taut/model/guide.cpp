#include "taut/model/guide.hpp"

#include <algorithm>

namespace taut {
namespace {

Mat3 along(const Vec3& unit) { return unit * unit.transpose(); }
Mat3 across(const Vec3& unit) { return Mat3::Identity() - unit * unit.transpose(); }

// The direction of `a` across `axis`, or any one there where `a` has none beyond rounding.
Vec3 direction_across(const Vec3& a, const Vec3& axis) {
    constexpr double rounding = 1e-12;  // of |a|: less is made by the subtraction, and may point anywhere
    const Vec3 out = across(axis) * a;
    if (!(out.norm() > rounding * a.norm())) return axis.unitOrthogonal();
    return (across(axis) * out.normalized()).normalized();
}

// The nearest point on the pieces between points. Where two pieces meet a point may go along either: free is
// the direction between them, from which both are reached.
GuideFoot polyline_foot(const Points& points, bool closed, const Vec3& p) {
    constexpr double corner = 1e-9;  // nearer to an end of a piece [m] counts as there
    const std::size_t n = points.size(), pieces = closed ? n : n - 1;
    const auto way = [&](std::size_t k) { return Vec3(points[(k + 1) % n] - points[k]); };
    GuideFoot best;
    double least = std::numeric_limits<double>::infinity(), along_best = 0;
    std::size_t piece = 0;
    for (std::size_t k = 0; k < pieces; ++k) {
        const double share = std::clamp(way(k).dot(p - points[k]) / way(k).squaredNorm(), 0.0, 1.0);
        const Vec3 point = points[k] + share * way(k);
        const double distance = (p - point).squaredNorm();
        if (distance >= least) continue;
        least = distance;
        best.point = point;
        piece = k, along_best = share * way(k).norm();
    }

    // Find the other piece of a corner, and go between both unless they lead back and forth.
    Vec3 direction = way(piece).normalized();
    std::size_t other = piece;
    if (along_best < corner && (closed || piece > 0)) other = (piece + pieces - 1) % pieces;
    if (along_best > way(piece).norm() - corner && (closed || piece + 1 < pieces))
        other = (piece + 1) % pieces;
    const Vec3 between = direction + way(other).normalized();
    if (between.norm() > corner) direction = between.normalized();
    best.freedom = along(direction);
    return best;
}

}  // namespace

GuideFoot Guide::foot_at_rest(const Vec3& p) const {
    const Vec3 offset = p - point;
    const Vec3 on_axis = axis.dot(offset) * axis;
    GuideFoot result;
    switch (shape) {
        case GuideShape::line:
            result.point = point + on_axis, result.freedom = along(axis);
            break;
        case GuideShape::plane:
            result.point = p - on_axis, result.freedom = across(axis);
            break;
        case GuideShape::polyline:
            result = polyline_foot(points, closed, p);
            break;
        case GuideShape::circle: {
            const Vec3 out = direction_across(offset, axis);
            result.point = point + radius * out;
            result.freedom = along(axis.cross(out));
            break;
        }
        case GuideShape::sphere: {
            const Vec3 out = offset.norm() > 0 ? Vec3(offset.normalized()) : axis;
            result.point = point + radius * out;
            result.freedom = across(out);
            break;
        }
        case GuideShape::cylinder: {
            const Vec3 out = direction_across(offset, axis);
            result.point = point + on_axis + radius * out;
            result.freedom = across(out);
            break;
        }
    }
    return result;
}

GuideFoot Guide::foot(const Vec3& p, double time_start, double time_end) const {
    const RigidTransform end = motion.at(time_end);
    GuideFoot result = foot_at_rest(end.inverse(p));
    if (motion.moving()) {
        const RigidTransform start = motion.at(time_start);
        result.velocity = (end(result.point) - start(result.point)) / (time_end - time_start);
    }
    result.point = end(result.point);
    result.freedom = end.rotation * result.freedom * end.rotation.transpose();
    return result;
}

Vec3 Guide::nearest(const Vec3& p, double time) const {
    const RigidTransform place = motion.at(time);
    return place(foot_at_rest(place.inverse(p)).point);
}

const char* shape_name(GuideShape shape) {
    switch (shape) {
        case GuideShape::line:
            return "line";
        case GuideShape::circle:
            return "circle";
        case GuideShape::polyline:
            return "polyline";
        case GuideShape::plane:
            return "plane";
        case GuideShape::sphere:
            return "sphere";
        case GuideShape::cylinder:
            return "cylinder";
    }
    return "";
}

}  // namespace taut

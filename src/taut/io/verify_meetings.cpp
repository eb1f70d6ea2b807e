// What meets in one frame. Triangles against triangles are exact. Against balls and capsules distances are
// computed, with an error far below the allowance, and against planes heights; a part counts as inside
// where it is so beyond the allowance.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "taut/base/parallel.hpp"
#include "taut/collision/intersections.hpp"
#include "taut/elements/triangle_distance.hpp"
#include "taut/io/verify_surface.hpp"

namespace taut::io::verify {
namespace {

// Rounding of a distance, in units of eps times the largest coordinate involved. The distance functions are
// off by at most 20 eps times the sum of three lengths, none longer than 4 such coordinates.
constexpr double allowance = 256 * std::numeric_limits<double>::epsilon();

double size_of(const Vec3& p) { return p.cwiseAbs().maxCoeff(); }

struct Corners {
    Vec3 a, b, c;
};

Corners corners_of(const Surface& surface, const Points& x, std::size_t triangle) {
    const auto at = [&](std::size_t k) -> const Vec3& {
        return x[static_cast<std::size_t>(surface.triangles[triangle][k])];
    };
    return {at(0), at(1), at(2)};
}

// A lower bound of the distance of a triangle from the segment p q: of the boxes.
double box_distance(const Corners& t, const Vec3& p, const Vec3& q) {
    const Vec3 low = t.a.cwiseMin(t.b).cwiseMin(t.c), high = t.a.cwiseMax(t.b).cwiseMax(t.c);
    return (low - p.cwiseMax(q)).cwiseMax(p.cwiseMin(q) - high).cwiseMax(Vec3::Zero()).norm();
}

bool same_parts(const Meeting& m, const Meeting& n) {
    return std::tie(m.first, m.second) == std::tie(n.first, n.second);
}

// Cloth within a ball or capsule.
void add_round(const Surface& surface, const Points& x, const RoundCore& core, Meetings& meetings) {
    const Vec3 &p = x[static_cast<std::size_t>(core.at[0])], &q = x[static_cast<std::size_t>(core.at[1])];
    std::vector<double> clear(surface.cloth_triangles);
    parallel_for(surface.cloth_triangles, [&](std::size_t begin, std::size_t end) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t t = begin; t < end; ++t) {
            const Corners corners = corners_of(surface, x, t);
            const double bound = box_distance(corners, p, q) - core.radius;
            clear[t] = bound > std::max(least, 0.0)
                           ? bound
                           : elements::segment_triangle_distance(p, q, corners.a, corners.b, corners.c) -
                                 core.radius;
            least = std::min(least, clear[t]);
        }
    });
    for (std::size_t t = 0; t < clear.size(); ++t) {
        meetings.clearance = std::min(meetings.clearance, clear[t]);
        const Corners corners = corners_of(surface, x, t);
        const double size = std::max({size_of(corners.a), size_of(corners.b), size_of(corners.c), size_of(p),
                                      size_of(q), core.radius});
        if (!(clear[t] < -allowance * size)) continue;

        // Tell once, with its depth, a quad whose halves are both inside: they follow each other.
        const Meeting meeting{triangle_part(surface, static_cast<int>(t)), solid_part(core.body), -clear[t]};
        std::vector<Meeting>& list = meetings.list;
        if (!list.empty() && same_parts(list.back(), meeting)) {
            list.back().value = std::max(list.back().value, meeting.value);
        } else {
            list.push_back(meeting);
        }
    }
}

// Vertices below a plane; edges and faces between vertices above it are above it as well.
void add_plane(const Surface& surface, const CacheFrame& frame, const Points& x, int body,
               Meetings& meetings) {
    const collision::Obstacle& plane = surface.obstacle(body);
    const RigidTransform& at = frame.obstacles[surface.obstacle_index(body)];
    const Vec3 normal = at.rotation * plane.normal, center = at(plane.center);
    for (std::size_t c = 0; c < surface.header->cloths.size(); ++c) {
        const Cloth& cloth = surface.header->cloths[c];
        for (int v = cloth.first_vertex; v < cloth.first_vertex + cloth.vertex_count; ++v) {
            const Vec3& p = x[static_cast<std::size_t>(v)];
            const double height = normal.dot(p - center);
            meetings.clearance = std::min(meetings.clearance, height);
            if (height < -allowance * std::max(size_of(p), size_of(center)))
                meetings.list.push_back(
                    {vertex_part(surface, static_cast<int>(c), v), solid_part(body), -height});
        }
    }
}

}  // namespace

Meetings find_meetings(const Surface& surface, const CacheFrame& frame, const Points& x) {
    Meetings meetings;
    const collision::IntersectionSkips skips{surface.group, surface.no_self, {}};
    for (const auto& [a, b] : collision::find_intersections(x, surface.triangles, skips))
        meetings.list.push_back({triangle_part(surface, a), triangle_part(surface, b)});

    // Tell once what both halves of a quad find.
    std::vector<Meeting>& list = meetings.list;
    std::sort(list.begin(), list.end(), [](const Meeting& m, const Meeting& n) {
        return std::tie(m.first, m.second) < std::tie(n.first, n.second);
    });
    list.erase(std::unique(list.begin(), list.end(), same_parts), list.end());
    for (const RoundCore& core : surface.rounds) add_round(surface, x, core, meetings);
    for (const int body : surface.planes) add_plane(surface, frame, x, body, meetings);
    return meetings;
}

}  // namespace taut::io::verify

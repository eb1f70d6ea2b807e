// Two convex sets meet where an edge of one meets the other, so everything comes down to a segment against
// a triangle: signs of volumes where they cross, signs of areas in a projection that keeps the triangle
// flat where all lie in one plane, and order along the axes where all lie on one line.
// Nearly every pair that is asked for is apart, flat neighbours in a sheet above all. For those a few
// directions are tried first along which one lies strictly before the other; any vector will
// do as a direction, so its rounding is no error, and only those of the projections count.
#include "taut/elements/triangle_overlap.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "taut/elements/orientation.hpp"

namespace taut::elements {
namespace {

Vec2 drop(const Vec3& p, int axis) { return {p[(axis + 1) % 3], p[(axis + 2) % 3]}; }

int orient_along(int axis, const Vec3& a, const Vec3& b, const Vec3& c) {
    return orient2d(drop(a, axis), drop(b, axis), drop(c, axis));
}

// An axis along which the triangle is not seen from its edge; -1 where its corners lie on one line.
int open_axis(const Vec3& a, const Vec3& b, const Vec3& c) {
    int first = 0;
    (b - a).cross(c - a).cwiseAbs().maxCoeff(&first);
    for (int k = first; k < first + 3; ++k) {
        if (orient_along(k % 3, a, b, c) != 0) return k % 3;
    }
    return -1;
}

// On one line, segments meet where their boxes do.
template <class Vec>
bool boxes_meet(const Vec& p, const Vec& q, const Vec& a, const Vec& b) {
    return (p.cwiseMin(q).array() <= a.cwiseMax(b).array()).all() &&
           (a.cwiseMin(b).array() <= p.cwiseMax(q).array()).all();
}

bool segments_meet_2d(const Vec2& p, const Vec2& q, const Vec2& a, const Vec2& b) {
    const int side_a = orient2d(p, q, a), side_b = orient2d(p, q, b);
    const int side_p = orient2d(a, b, p), side_q = orient2d(a, b, q);
    if (side_a == 0 && side_b == 0 && side_p == 0 && side_q == 0) return boxes_meet(p, q, a, b);
    return side_a * side_b <= 0 && side_p * side_q <= 0;
}

bool inside_2d(const Vec2& p, const Vec2& a, const Vec2& b, const Vec2& c) {
    const int turn = orient2d(a, b, c);
    return turn * orient2d(a, b, p) >= 0 && turn * orient2d(b, c, p) >= 0 && turn * orient2d(c, a, p) >= 0;
}

// All five points in one plane that the axis keeps open.
bool meet_in_plane(int axis, const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec2 from = drop(p, axis), to = drop(q, axis);
    const Vec2 u = drop(a, axis), v = drop(b, axis), w = drop(c, axis);
    return inside_2d(from, u, v, w) || segments_meet_2d(from, to, u, v) || segments_meet_2d(from, to, v, w) ||
           segments_meet_2d(from, to, w, u);
}

// What rounding may add to two projections onto a direction, of differences of coordinates no larger than
// `reach`: four roundings of 2^-53 in every product, and slack for those of the bound. Infinite where
// underflow could be felt.
double uncertainty(const Vec3& direction, const Vec3& reach) {
    const double most = direction.cwiseAbs().dot(reach);
    return most > 0x1p-900 ? 16 * 0x1p-53 * most : HUGE_VAL;
}

Vec3 largest(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return a.cwiseAbs().cwiseMax(b.cwiseAbs()).cwiseMax(c.cwiseAbs().cwiseMax(d.cwiseAbs()));
}

// Two triangles seen from the first corner s0 of one: the others less s0.
struct TwoTriangles {
    Vec3 s1, s2, t0, t1, t2, reach;

    // One triangle lies strictly before the other along the direction.
    bool apart(const Vec3& direction) const {
        const double b = direction.dot(s1), c = direction.dot(s2);
        const double d = direction.dot(t0), e = direction.dot(t1), f = direction.dot(t2);
        const double least_s = std::min({0.0, b, c}), most_s = std::max({0.0, b, c});
        const double gap = std::max(std::min({d, e, f}) - most_s, least_s - std::max({d, e, f}));
        return gap > uncertainty(direction, reach);
    }
};

// Tries directions between the centres, across the planes, and within the planes across the edges.
bool surely_apart(const std::array<Vec3, 3>& s, const std::array<Vec3, 3>& t) {
    TwoTriangles two{s[1] - s[0], s[2] - s[0], t[0] - s[0], t[1] - s[0], t[2] - s[0], {}};
    two.reach = largest(two.s1, two.s2, two.t0, two.t1).cwiseMax(two.t2.cwiseAbs());
    if (two.apart((two.t0 + two.t1 + two.t2) - (two.s1 + two.s2))) return true;
    const Vec3 normal_s = two.s1.cross(two.s2), along_t = two.t1 - two.t0;
    if (two.apart(normal_s)) return true;
    const Vec3 normal_t = along_t.cross(two.t2 - two.t0);
    if (two.apart(normal_t)) return true;
    return two.apart(normal_s.cross(two.s1)) || two.apart(normal_s.cross(two.s2)) ||
           two.apart(normal_s.cross(two.s2 - two.s1)) || two.apart(normal_t.cross(along_t)) ||
           two.apart(normal_t.cross(two.t2 - two.t0)) || two.apart(normal_t.cross(two.t2 - two.t1));
}

// Triangles v b c and v d e, seen from v, lie on two sides of a plane through v and touch it nowhere else:
// tries planes across the directions between their medians and between their bisectors.
bool surely_apart_beside_corner(const Vec3& v, const Vec3& b, const Vec3& c, const Vec3& d, const Vec3& e) {
    const Vec3 s1 = b - v, s2 = c - v, t1 = d - v, t2 = e - v, reach = largest(s1, s2, t1, t2);
    const auto apart = [&](const Vec3& direction) {
        const double least_s = std::min(direction.dot(s1), direction.dot(s2));
        const double most_t = std::max(direction.dot(t1), direction.dot(t2));
        return std::min(least_s, -most_t) > uncertainty(direction, reach);
    };
    if (apart((s1 + s2) - (t1 + t2))) return true;
    const Vec3 middle_s = s1 * s2.norm() + s2 * s1.norm(), middle_t = t1 * t2.norm() + t2 * t1.norm();
    return apart(middle_s * middle_t.norm() - middle_t * middle_s.norm());
}

using Segment = std::pair<Vec3, Vec3>;

// A triangle with a corner v as rays see it from there: v joined to the opposite edge, or, where v lies
// on that edge, to each end of it.
struct Fan {
    std::array<Segment, 2> far;
    std::size_t size = 0;

    Fan(const Vec3& v, const Vec3& b, const Vec3& c) {
        if (open_axis(v, b, c) >= 0 || !boxes_meet(v, v, b, c)) {
            far[size++] = {b, c};
            return;
        }
        for (const Vec3* end : {&b, &c}) {
            if (*end != v) far[size++] = {*end, *end};
        }
    }
};

// A ray from the common corner leaves what the triangles share on a far edge of one of them.
bool overlap_beside_corner(const Vec3& v, const Vec3& b, const Vec3& c, const Vec3& d, const Vec3& e) {
    const Fan s(v, b, c), t(v, d, e);
    for (std::size_t i = 0; i < s.size; ++i) {
        for (std::size_t j = 0; j < t.size; ++j) {
            const auto& [p, q] = s.far[i];
            const auto& [r, o] = t.far[j];
            if (segment_meets_triangle(p, q, v, r, o) || segment_meets_triangle(r, o, v, p, q)) return true;
        }
    }
    return false;
}

bool overlap_beside_edge(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    // Look along an axis that keeps the first triangle open: on two sides of the edge they are apart.
    const int axis = open_axis(a, b, c);
    if (axis >= 0) {
        return orient_along(axis, a, b, c) * orient_along(axis, a, b, d) > 0 && orient3d(a, b, c, d) == 0;
    }
    // An open triangle reaches the line of the edge only in the edge.
    if (open_axis(a, b, d) >= 0) return false;
    if (a == b) return overlap_beside_corner(a, c, c, d, d);
    // On one line they overlap where both go on beyond the same end of the edge.
    int along = 0;
    while (a[along] == b[along]) ++along;
    const auto [low, high] = std::minmax(a[along], b[along]);
    return (c[along] < low && d[along] < low) || (c[along] > high && d[along] > high);
}

// Corners by index with repetitions dropped, the common ones first.
struct Sharing {
    std::array<int, 3> s, t;
    int s_size = 0, t_size = 0, common = 0;

    Sharing(const std::array<int, 3>& from, const std::array<int, 3>& to) {
        const auto gather = [](const std::array<int, 3>& corners, std::array<int, 3>& list) {
            int size = 0;
            for (const int corner : corners) {
                if (std::find(list.begin(), list.begin() + size, corner) == list.begin() + size) {
                    list[static_cast<std::size_t>(size++)] = corner;
                }
            }
            return size;
        };
        s_size = gather(from, s);
        t_size = gather(to, t);
        for (int k = 0; k < s_size; ++k) {
            const auto found =
                std::find(t.begin() + common, t.begin() + t_size, s[static_cast<std::size_t>(k)]);
            if (found == t.begin() + t_size) continue;
            std::iter_swap(found, t.begin() + common);
            std::iter_swap(s.begin() + k, s.begin() + common);
            ++common;
        }
        // Fill up what has fewer than three corners with its last.
        for (int k = s_size; k < 3; ++k)
            s[static_cast<std::size_t>(k)] = s[static_cast<std::size_t>(s_size - 1)];
        for (int k = t_size; k < 3; ++k)
            t[static_cast<std::size_t>(k)] = t[static_cast<std::size_t>(t_size - 1)];
    }
};

bool all_on_one_side(int a, int b, int c) { return a != 0 && a == b && b == c; }

bool edges_meet(const std::array<Vec3, 3>& s, const std::array<Vec3, 3>& t) {
    return segment_meets_triangle(s[0], s[1], t[0], t[1], t[2]) ||
           segment_meets_triangle(s[1], s[2], t[0], t[1], t[2]) ||
           segment_meets_triangle(s[2], s[0], t[0], t[1], t[2]);
}

}  // namespace

bool segments_meet(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
    if (!boxes_meet(p, q, a, b) || orient3d(p, q, a, b) != 0) return false;
    // Look along an axis that keeps the common plane open.
    const std::array<std::array<const Vec3*, 3>, 4> threes{
        {{&p, &q, &a}, {&p, &q, &b}, {&a, &b, &p}, {&a, &b, &q}}};
    for (const auto& [u, v, w] : threes) {
        const int axis = open_axis(*u, *v, *w);
        if (axis >= 0) return segments_meet_2d(drop(p, axis), drop(q, axis), drop(a, axis), drop(b, axis));
    }
    return true;
}

bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
    const int side_p = orient3d(a, b, c, p), side_q = orient3d(a, b, c, q);
    if (side_p * side_q > 0) return false;
    if (side_p == 0 && side_q == 0) {
        const int axis = open_axis(a, b, c);
        if (axis >= 0) return meet_in_plane(axis, p, q, a, b, c);
        return segments_meet(p, q, a, b) || segments_meet(p, q, b, c) || segments_meet(p, q, c, a);
    }
    // Pass all edges on the same side, or touch them.
    const int ab = orient3d(p, q, a, b), bc = orient3d(p, q, b, c), ca = orient3d(p, q, c, a);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

bool triangles_meet(const std::array<Vec3, 3>& s, const std::array<Vec3, 3>& t) {
    const auto beside = [](const std::array<Vec3, 3>& plane, const std::array<Vec3, 3>& p) {
        return all_on_one_side(orient3d(plane[0], plane[1], plane[2], p[0]),
                               orient3d(plane[0], plane[1], plane[2], p[1]),
                               orient3d(plane[0], plane[1], plane[2], p[2]));
    };
    if (surely_apart(s, t)) return false;
    if (beside(s, t) || beside(t, s)) return false;
    return edges_meet(s, t) || edges_meet(t, s);
}

bool triangles_overlap(ConstPoints x, const std::array<int, 3>& s, const std::array<int, 3>& t) {
    const auto at = [&](int corner) -> const Vec3& { return x[static_cast<std::size_t>(corner)]; };
    const auto in_t = [&](int corner) { return (corner == t[0]) | (corner == t[1]) | (corner == t[2]); };
    if ((in_t(s[0]) | in_t(s[1]) | in_t(s[2])) == 0) {
        return triangles_meet({at(s[0]), at(s[1]), at(s[2])}, {at(t[0]), at(t[1]), at(t[2])});
    }
    const Sharing corners(s, t);
    if (corners.common == corners.s_size || corners.common == corners.t_size) return false;
    const Vec3 &s0 = at(corners.s[0]), &s1 = at(corners.s[1]), &s2 = at(corners.s[2]);
    const Vec3 &t1 = at(corners.t[1]), &t2 = at(corners.t[2]);
    if (corners.common == 2) return overlap_beside_edge(s0, s1, s2, t2);
    return !surely_apart_beside_corner(s0, s1, s2, t1, t2) && overlap_beside_corner(s0, s1, s2, t1, t2);
}

}  // namespace taut::elements

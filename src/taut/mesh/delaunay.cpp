// The net of edges is that of Guibas and Stolfi 1985 without its dual: half edges in pairs, e and e ^ 1, each
// with its neighbours around its origin.
#include "taut/mesh/delaunay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"
#include "taut/elements/in_circle.hpp"
#include "taut/elements/orientation.hpp"

namespace taut::mesh {
namespace {

// Edges of a triangulation as it grows. Half edge e runs from origin(e) to end(e).
class EdgeNet {
public:
    explicit EdgeNet(std::span<const Vec2> points);

    std::vector<Triangle> triangles() const;              // all, sorted
    std::vector<Triangle> triangles_within(int outline);  // of the polygon of the first points, sorted

private:
    struct Hull {
        int left, right;  // from the leftmost point counterclockwise; from the rightmost clockwise
    };

    const Vec2& at(int v) const { return points_[static_cast<std::size_t>(v)]; }
    int origin(int e) const { return origin_[static_cast<std::size_t>(e)]; }
    int end(int e) const { return origin(e ^ 1); }
    int after(int e) const { return after_[static_cast<std::size_t>(e)]; }    // around the origin
    int before(int e) const { return before_[static_cast<std::size_t>(e)]; }  // the other way
    int along(int e) const { return before(e ^ 1); }                          // around the face on the left
    int turn(int e, int v) const { return elements::orient2d(at(origin(e)), at(end(e)), at(v)); }
    bool in(int a, int b, int c, int d) const { return elements::in_circle(at(a), at(b), at(c), at(d)) > 0; }

    int make(int a, int b);
    void splice(int e, int f);
    int connect(int e, int f);
    void remove(int e);
    Hull build(std::span<const int> order);
    Hull build_small(std::span<const int> order);
    void merge(int base);
    Triangle triangle(int e) const;
    bool left_is_triangle(int e) const;

    std::span<const Vec2> points_;
    std::vector<int> origin_, after_, before_;  // per half edge; origin -1 where removed
    std::vector<int> unused_;                   // removed edges
};

EdgeNet::EdgeNet(std::span<const Vec2> points) : points_(points) {
    if (points.size() > static_cast<std::size_t>(std::numeric_limits<int>::max() / 8)) {
        throw InputError({}, "too many points to triangulate", std::to_string(points.size()), "");
    }
    for (const Vec2& p : points) {
        const bool good = p.allFinite() && p.cwiseAbs().maxCoeff() <= largest_coordinate;
        if (!good)
            throw InputError({}, "a point to triangulate has no usable coordinates",
                             number_text(p.x()) + ", " + number_text(p.y()), "allowed: -1e8 to 1e8 m");
    }

    // Sort from left to right, and upwards where equal.
    std::vector<int> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int v) { return std::array{at(v).x(), at(v).y()}; };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    for (std::size_t k = 1; k < order.size(); ++k) {
        if (key(order[k - 1]) == key(order[k]))
            throw InputError({}, "two points to triangulate coincide",
                             std::to_string(order[k - 1]) + " and " + std::to_string(order[k]), "");
    }
    if (order.size() > 1) build(order);
}

int EdgeNet::make(int a, int b) {
    int e = static_cast<int>(origin_.size());
    if (unused_.empty()) {
        for (std::vector<int>* list : {&origin_, &after_, &before_}) list->resize(list->size() + 2);
    } else {
        e = unused_.back();
        unused_.pop_back();
    }
    for (const int h : {e, e + 1}) {
        origin_[static_cast<std::size_t>(h)] = h == e ? a : b;
        after_[static_cast<std::size_t>(h)] = before_[static_cast<std::size_t>(h)] = h;
    }
    return e;
}

// Joins the fans of two origins, or parts them where they are one.
void EdgeNet::splice(int e, int f) {
    const int after_e = after(e), after_f = after(f);
    std::swap(after_[static_cast<std::size_t>(e)], after_[static_cast<std::size_t>(f)]);
    before_[static_cast<std::size_t>(after_e)] = f;
    before_[static_cast<std::size_t>(after_f)] = e;
}

// A new edge from the end of e to the origin of f, with both on its left.
int EdgeNet::connect(int e, int f) {
    const int fresh = make(end(e), origin(f));
    splice(fresh, along(e));
    splice(fresh ^ 1, f);
    return fresh;
}

void EdgeNet::remove(int e) {
    for (const int h : {e, e ^ 1}) {
        splice(h, before(h));
        origin_[static_cast<std::size_t>(h)] = -1;
    }
    unused_.push_back(e & ~1);
}

EdgeNet::Hull EdgeNet::build_small(std::span<const int> order) {
    const int first = make(order[0], order[1]);
    if (order.size() == 2) return {first, first ^ 1};
    const int second = make(order[1], order[2]);
    splice(first ^ 1, second);
    const int side = turn(first, order[2]);
    if (side == 0) return {first, second ^ 1};
    const int third = connect(second, first);
    return side > 0 ? Hull{first, second ^ 1} : Hull{third ^ 1, third};
}

EdgeNet::Hull EdgeNet::build(std::span<const int> order) {
    if (order.size() <= 3) return build_small(order);
    const Hull left = build(order.first(order.size() / 2));
    const Hull right = build(order.subspan(order.size() / 2));

    // Find the lower common tangent and draw it.
    int inner_left = left.right, inner_right = right.left;
    for (;;) {
        if (turn(inner_left, origin(inner_right)) > 0) {
            inner_left = along(inner_left);
        } else if (turn(inner_right, origin(inner_left)) < 0) {
            inner_right = after(inner_right ^ 1);
        } else {
            break;
        }
    }
    const int base = connect(inner_right ^ 1, inner_left);
    const Hull result{origin(inner_left) == origin(left.left) ? base ^ 1 : left.left,
                      origin(inner_right) == origin(right.right) ? base : right.right};
    merge(base);
    return result;
}

// Zips up the two halves from the base edge upwards, which runs from right to left.
void EdgeNet::merge(int base) {
    const auto above = [&](int e) { return turn(base, end(e)) < 0; };
    for (;;) {
        // Take away edges of either half whose circle with the base holds another of its points.
        int left = after(base ^ 1), right = before(base);
        const bool left_above = above(left), right_above = above(right);
        if (!left_above && !right_above) return;
        while (left_above && in(end(base), origin(base), end(left), end(after(left)))) {
            const int next = after(left);
            remove(left);
            left = next;
        }
        while (right_above && in(end(base), origin(base), end(right), end(before(right)))) {
            const int next = before(right);
            remove(right);
            right = next;
        }

        // Draw the next edge between the halves, to the point whose circle is free of the other.
        const bool to_right =
            !left_above || (right_above && in(end(left), origin(left), origin(right), end(right)));
        base = to_right ? connect(right, base ^ 1) : connect(base ^ 1, left ^ 1);
    }
}

bool EdgeNet::left_is_triangle(int e) const {
    const int f = along(e);
    return along(along(f)) == e && turn(e, end(f)) > 0;
}

Triangle EdgeNet::triangle(int e) const { return {origin(e), end(e), end(along(e))}; }

std::vector<Triangle> EdgeNet::triangles() const {
    std::vector<Triangle> result;
    for (int e = 0; e < static_cast<int>(origin_.size()); ++e) {
        if (origin(e) < 0 || !left_is_triangle(e)) continue;
        const Triangle corners = triangle(e);
        if (corners[0] == *std::min_element(corners.begin(), corners.end())) result.push_back(corners);
    }
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<Triangle> EdgeNet::triangles_within(int outline) {
    // Make the sides walls: find each among the edges around its first corner.
    std::vector<int> out(points_.size(), -1), stack;
    for (int e = 0; e < static_cast<int>(origin_.size()); ++e)
        if (origin(e) >= 0) out[static_cast<std::size_t>(origin(e))] = e;
    std::vector<char> seen(origin_.size(), 0);  // half edges whose left is done, and the far sides of walls
    for (int v = 0; v < outline; ++v) {
        const int next = v + 1 == outline ? 0 : v + 1, first = out[static_cast<std::size_t>(v)];
        int e = first;
        while (e >= 0 && end(e) != next) e = after(e) == first ? -1 : after(e);
        if (e < 0)
            throw InputError({}, "a side of the outline is no edge of the triangulation",
                             std::to_string(v) + " to " + std::to_string(next),
                             "divide the sides more finely, or keep points farther away from them");
        seen[static_cast<std::size_t>(e) ^ 1] = 1;
        stack.push_back(e);
    }

    // Flood the inside from the left of the walls.
    std::vector<Triangle> result;
    while (!stack.empty()) {
        const int e = stack.back();
        stack.pop_back();
        if (seen[static_cast<std::size_t>(e)] != 0) continue;
        if (!left_is_triangle(e))
            throw InputError({}, "the outline does not run counterclockwise around an area", "", "");
        result.push_back(triangle(e));
        std::rotate(result.back().begin(), std::min_element(result.back().begin(), result.back().end()),
                    result.back().end());
        for (const int h : {e, along(e), along(along(e))}) {
            seen[static_cast<std::size_t>(h)] = 1;
            if (seen[static_cast<std::size_t>(h) ^ 1] == 0) stack.push_back(h ^ 1);
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace

std::vector<Triangle> delaunay(std::span<const Vec2> points) { return EdgeNet(points).triangles(); }

std::vector<Triangle> triangulate_outline(std::span<const Vec2> points, int outline) {
    if (outline < 3 || static_cast<std::size_t>(outline) > points.size()) {
        throw InputError({}, "an outline has no corners", std::to_string(outline), "allowed: at least 3");
    }
    std::vector<Triangle> result = EdgeNet(points).triangles_within(outline);
    std::vector<char> used(points.size(), 0);
    for (const Triangle& t : result)
        for (const int v : t) used[static_cast<std::size_t>(v)] = 1;
    const auto lost = std::find(used.begin(), used.end(), 0);
    if (lost != used.end())
        throw InputError({}, "a point to triangulate lies outside of the outline",
                         std::to_string(lost - used.begin()), "");
    return result;
}

namespace {

// The points that lie in a window around one period, with the point and the shift of each.
struct Window {
    std::vector<Vec2> points;
    std::vector<int> of, shift;
};

Window strip_window(std::span<const Vec2> points, double period, double margin) {
    Window window;
    const double unit = std::ldexp(1.0, std::ilogb(period) - 40), whole = unit * std::round(period / unit);
    for (int v = 0; v < static_cast<int>(points.size()); ++v) {
        const Vec2& p = points[static_cast<std::size_t>(v)];
        for (int shift = -1; shift <= 1; ++shift) {
            const double x = unit * std::round(p.x() / unit) + shift * whole;
            if (shift != 0 && (x < -margin || x >= whole + margin)) continue;
            window.points.emplace_back(x, p.y());
            window.of.push_back(v);
            window.shift.push_back(shift);
        }
    }
    return window;
}

// Of all copies of a triangle the one whose lowest corner is not shifted.
std::vector<StripTriangle> one_of_each(const Window& window, std::span<const Triangle> triangles) {
    std::vector<StripTriangle> result;
    for (const Triangle& t : triangles) {
        std::array<std::array<int, 2>, 3> corner;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto copy = static_cast<std::size_t>(t[k]);
            corner[k] = {window.of[copy], window.shift[copy]};
        }
        std::rotate(corner.begin(), std::min_element(corner.begin(), corner.end()), corner.end());
        if (corner[0][1] != 0) continue;
        result.push_back({{corner[0][0], corner[1][0], corner[2][0]}, {0, corner[1][1], corner[2][1]}});
    }
    std::sort(result.begin(), result.end(),
              [](const StripTriangle& s, const StripTriangle& t) { return s.corner < t.corner; });
    return result;
}

// Whether the triangles make a band closed on itself: each way along an edge is taken once, every point is
// used, and points - edges + triangles = 0.
bool is_band(std::span<const StripTriangle> triangles, std::size_t points) {
    std::vector<std::array<int, 3>> ways;  // from, to, shift of the one against the other
    std::vector<char> used(points, 0);
    for (const auto& [corner, shift] : triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t m = (k + 1) % 3;
            ways.push_back({corner[k], corner[m], shift[m] - shift[k]});
            used[static_cast<std::size_t>(corner[k])] = 1;
        }
    }
    std::sort(ways.begin(), ways.end());
    if (std::adjacent_find(ways.begin(), ways.end()) != ways.end()) return false;
    std::size_t twice_edges = 0;
    for (const auto& [from, to, shift] : ways)
        twice_edges += std::binary_search(ways.begin(), ways.end(), std::array{to, from, -shift}) ? 1 : 2;
    return std::find(used.begin(), used.end(), 0) == used.end() &&
           2 * (points + triangles.size()) == twice_edges;
}

}  // namespace

std::vector<StripTriangle> triangulate_strip(std::span<const Vec2> points, double period) {
    if (points.empty() || !(period > 0) || period > largest_coordinate) {
        throw InputError({}, "a strip has no points or no period", number_text(period), "allowed: > 0 m");
    }
    double low = points[0].y(), high = low;
    for (const Vec2& p : points) {
        if (!(p.x() >= 0 && p.x() < period))
            throw InputError({}, "a point lies outside of its period", number_text(p.x()),
                             "allowed: from 0 to less than " + number_text(period));
        low = std::min(low, p.y());
        high = std::max(high, p.y());
    }

    // Look a few spacings beyond either end; where that is too little, a whole period.
    const double spacing = std::sqrt(period * (high - low) / static_cast<double>(points.size()));
    for (const double margin : {std::min(8 * spacing, period), period}) {
        const Window window = strip_window(points, period, margin);
        std::vector<StripTriangle> result = one_of_each(window, delaunay(window.points));
        if (is_band(result, points.size())) return result;
    }
    throw InputError({}, "the triangles at the two ends of a strip do not agree", "",
                     "move the points a little, or give a longer period");
}

}  // namespace taut::mesh

#include "taut/collision/contours.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace taut::collision {
namespace {

// An edge that leans less than this out of the plane of a triangle, as a sine, says nothing reliable.
constexpr double least_sine = 1e-6;

using Triangle = std::array<int, 3>;

const Vec3& at(ConstPoints x, int p) { return x[static_cast<std::size_t>(p)]; }

Vec3 cross_of(ConstPoints x, const Triangle& t) {
    return (at(x, t[1]) - at(x, t[0])).cross(at(x, t[2]) - at(x, t[0]));
}

// Where the edge passes through the triangle, if it does.
std::optional<EdgeCrossing> crossing_of(const Surface& surface, ConstPoints x, int p, int q, int triangle) {
    const Triangle& t = surface.triangles[static_cast<std::size_t>(triangle)];
    if (p == q || std::find(t.begin(), t.end(), p) != t.end() || std::find(t.begin(), t.end(), q) != t.end())
        return {};
    EdgeCrossing result;
    result.edge = {std::min(p, q), std::max(p, q)};
    result.triangle = triangle;
    const Vec3 a = at(x, result.edge[0]), b = at(x, result.edge[1]), cross = cross_of(x, t);
    const double area = cross.norm(), length = (b - a).norm();
    if (!(area > 0) || !(length > 0)) return {};
    const Vec3 normal = cross / area;
    const double first = normal.dot(a - at(x, t[0])), second = normal.dot(b - at(x, t[0]));
    if ((first > 0) == (second > 0) || std::abs(second - first) < least_sine * length) return {};
    result.along = first / (first - second);
    const Vec3 point = a + result.along * (b - a);
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 &u = at(x, t[(k + 1) % 3]), &v = at(x, t[(k + 2) % 3]);
        result.weight[static_cast<int>(k)] = normal.dot((u - point).cross(v - point)) / area;
    }
    if (result.weight.minCoeff() < 0) return {};
    return result;
}

// Calls body(crossing) for each edge of either triangle that passes through the other.
template <class Body>
void each_crossing(const Surface& surface, ConstPoints x, const TrianglePair& pair, Body&& body) {
    for (const auto& [edges, face] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)}) {
        const Triangle& t = surface.triangles[static_cast<std::size_t>(edges)];
        for (std::size_t k = 0; k < 3; ++k) {
            if (const auto found = crossing_of(surface, x, t[k], t[(k + 1) % 3], face)) body(*found);
        }
    }
}

// From the edge into each triangle beside it runs a piece of the contour along r. If the edge moves by d
// against the triangle, its end moves by d - e (d.n)/(e.n), and the piece gets shorter by r times that.
void set_shorter(const Surface& surface, const Tangles& tangles, ConstPoints x, EdgeCrossing& c) {
    const Vec3 a = at(x, c.edge[0]), e = (at(x, c.edge[1]) - a).normalized();
    const Vec3 n = cross_of(x, surface.triangles[static_cast<std::size_t>(c.triangle)]).normalized();
    for (const int t : tangles.beside(c.edge[0], c.edge[1])) {
        const Triangle& own = surface.triangles[static_cast<std::size_t>(t)];
        const Vec3 cross = cross_of(x, own);
        Vec3 r = n.cross(cross);
        const double size = r.norm();
        if (!(size > 1e-12 * cross.norm())) continue;
        r /= size;
        Vec3 inward = Vec3::Zero();  // across the edge, towards the third corner
        for (const int p : own) {
            if (p != c.edge[0] && p != c.edge[1]) inward = at(x, p) - a;
        }
        inward -= e.dot(inward) * e;
        if (r.dot(inward) < 0) r = -r;
        c.shorter += r - n * (e.dot(r) / e.dot(n));
    }
}

bool before(const EdgeCrossing& s, const EdgeCrossing& t) {
    return std::tie(s.edge, s.triangle) < std::tie(t.edge, t.triangle);
}

// Walks along contours: from a pair of triangles through its crossings to the pairs on the other side of
// the edge. Sides are told apart by signs, +1 where the edge belongs to the sheet that the first triangle of
// the first pair belongs to.
class ContourWalk {
public:
    ContourWalk(const Tangles& tangles, std::vector<EdgeCrossing>& crossings)
        : tangles_(tangles),
          crossings_(crossings),
          side_(tangles.pairs().size(), 0),
          crossings_of_(tangles.pairs().size()) {
        for (std::size_t c = 0; c < crossings.size(); ++c) {
            for (const std::size_t p : pairs_at(crossings[c])) crossings_of_[p].push_back(c);
        }
    }

    void run() {
        std::vector<int> sign(crossings_.size(), 0);
        for (std::size_t first = 0; first < side_.size(); ++first) {
            if (side_[first] != 0) continue;
            side_[first] = 1;
            std::vector<std::size_t> open{first}, members;
            Vec3 sum = Vec3::Zero();
            while (!open.empty()) {
                const std::size_t p = open.back();
                open.pop_back();
                for (const std::size_t c : crossings_of_[p]) {
                    if (sign[c] != 0) continue;
                    const EdgeCrossing& crossing = crossings_[c];
                    const bool second_face = crossing.triangle == tangles_.pairs()[p].b;
                    sign[c] = second_face ? side_[p] : -side_[p];
                    sum += sign[c] * crossing.shorter;
                    members.push_back(c);
                    for (const std::size_t next : pairs_at(crossing)) {
                        if (side_[next] != 0) continue;
                        side_[next] = crossing.triangle == tangles_.pairs()[next].b ? sign[c] : -sign[c];
                        open.push_back(next);
                    }
                }
            }
            for (const std::size_t c : members) crossings_[c].whole = sign[c] * sum;
        }
    }

private:
    // Pairs of the triangle and those beside the edge.
    std::vector<std::size_t> pairs_at(const EdgeCrossing& c) const {
        std::vector<std::size_t> list;
        const auto pairs = tangles_.pairs();
        for (const int t : tangles_.beside(c.edge[0], c.edge[1])) {
            const TrianglePair pair{std::min(t, c.triangle), std::max(t, c.triangle)};
            const auto found = std::lower_bound(pairs.begin(), pairs.end(), pair);
            if (found != pairs.end() && *found == pair)
                list.push_back(static_cast<std::size_t>(found - pairs.begin()));
        }
        return list;
    }

    const Tangles& tangles_;
    std::vector<EdgeCrossing>& crossings_;
    std::vector<int> side_;                               // of the first triangle of each pair
    std::vector<std::vector<std::size_t>> crossings_of_;  // each pair
};

}  // namespace

std::vector<EdgeCrossing> find_crossings(const Surface& surface, const Tangles& tangles, ConstPoints x) {
    std::vector<EdgeCrossing> list;
    for (const TrianglePair& pair : tangles.pairs()) {
        each_crossing(surface, x, pair, [&](const EdgeCrossing& c) { list.push_back(c); });
    }
    std::sort(list.begin(), list.end(), before);
    list.erase(std::unique(list.begin(), list.end(),
                           [](const auto& s, const auto& t) { return !before(s, t) && !before(t, s); }),
               list.end());
    for (EdgeCrossing& c : list) set_shorter(surface, tangles, x, c);
    ContourWalk(tangles, list).run();
    return list;
}

double contour_length(const Surface& surface, const Tangles& tangles, ConstPoints x) {
    double sum = 0;
    for (const TrianglePair& pair : tangles.pairs()) {
        std::vector<Vec3> ends;
        each_crossing(surface, x, pair, [&](const EdgeCrossing& c) {
            ends.push_back(at(x, c.edge[0]) + c.along * (at(x, c.edge[1]) - at(x, c.edge[0])));
        });
        if (ends.size() >= 2) sum += (ends[1] - ends[0]).norm();
    }
    return sum;
}

}  // namespace taut::collision

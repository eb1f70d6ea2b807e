// Counts pairs of triangles of a mesh that cross each other: neighbours from a grid, then every edge of one
// against the other, in plain floating point. Triangles that share a corner are not asked.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::collision::samples {

using Triangle = std::array<int, 3>;

inline bool segment_crosses(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
    const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        return (b - a).cross(c - a).dot(d - a);
    };
    if (volume(t[0], t[1], t[2], p) * volume(t[0], t[1], t[2], q) > 0) return false;
    const double u = volume(p, q, t[0], t[1]), v = volume(p, q, t[1], t[2]), w = volume(p, q, t[2], t[0]);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

inline int count_crossings(ConstPoints x, std::span<const Triangle> triangles, double cell) {
    // Enter every triangle into the cells of its box.
    std::vector<Eigen::AlignedBox3d> boxes(triangles.size());
    std::vector<std::pair<std::uint64_t, int>> entries;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (int v : triangles[t]) boxes[t].extend(x[static_cast<std::size_t>(v)]);
        std::array<std::int64_t, 3> low, high;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto k = static_cast<Eigen::Index>(axis);
            low[axis] = static_cast<std::int64_t>(std::floor(boxes[t].min()[k] / cell)) + (1 << 19);
            high[axis] = static_cast<std::int64_t>(std::floor(boxes[t].max()[k] / cell)) + (1 << 19);
        }
        for (auto i = low[0]; i <= high[0]; ++i)
            for (auto j = low[1]; j <= high[1]; ++j)
                for (auto k = low[2]; k <= high[2]; ++k)
                    entries.emplace_back(static_cast<std::uint64_t>((((i << 20) | j) << 20) | k),
                                         static_cast<int>(t));
    }
    std::sort(entries.begin(), entries.end());

    // Test the pairs of each cell; a pair in several cells counts more than once.
    const auto corners = [&](int t) {
        const Triangle& c = triangles[static_cast<std::size_t>(t)];
        return std::array{x[static_cast<std::size_t>(c[0])], x[static_cast<std::size_t>(c[1])],
                          x[static_cast<std::size_t>(c[2])]};
    };
    const auto share_corner = [&](int s, int t) {
        const Triangle &a = triangles[static_cast<std::size_t>(s)],
                       &b = triangles[static_cast<std::size_t>(t)];
        return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
    };
    int count = 0;
    for (std::size_t first = 0, last = 0; first < entries.size(); first = last) {
        while (last < entries.size() && entries[last].first == entries[first].first) ++last;
        for (std::size_t a = first; a < last; ++a) {
            for (std::size_t b = a + 1; b < last; ++b) {
                const int s = entries[a].second, t = entries[b].second;
                if (!boxes[static_cast<std::size_t>(s)].intersects(boxes[static_cast<std::size_t>(t)]))
                    continue;
                if (share_corner(s, t)) continue;
                const auto p = corners(s), q = corners(t);
                bool cross = false;
                for (std::size_t k = 0; k < 3; ++k)
                    cross = cross || segment_crosses(p[k], p[(k + 1) % 3], q) ||
                            segment_crosses(q[k], q[(k + 1) % 3], p);
                count += cross ? 1 : 0;
            }
        }
    }
    return count;
}

}  // namespace taut::collision::samples

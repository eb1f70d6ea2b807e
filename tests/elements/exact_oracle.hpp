// Exact arithmetic for tests, another way than the library's: whole numbers of 1024 bits, and the common
// points of two triangles as all corners of a polyhedron. The pairs of weights (w, m) of equal points
//     sum w_i s_i = sum m_j t_j,   w, m >= 0,   sum w = sum m = 1
// form a convex polyhedron whose corners have independent columns; the images of these corners span
// what the triangles share. Degenerate triangles are no special case.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::exact {

// Two's complement of 1024 bits; wraps around, so numbers must stay below 2^1023.
struct Wide {
    static constexpr std::size_t limbs = 32;
    std::array<std::uint32_t, limbs> limb{};

    Wide(std::int64_t value = 0) {
        limb.fill(value < 0 ? ~0u : 0u);
        limb[0] = static_cast<std::uint32_t>(value);
        limb[1] = static_cast<std::uint32_t>(value >> 32);
    }
    friend Wide operator+(const Wide& a, const Wide& b) {
        Wide sum;
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < limbs; ++k, carry >>= 32) {
            carry += std::uint64_t{a.limb[k]} + b.limb[k];
            sum.limb[k] = static_cast<std::uint32_t>(carry);
        }
        return sum;
    }
    friend Wide operator-(const Wide& a, Wide b) {
        for (std::uint32_t& part : b.limb) part = ~part;
        return a + b + Wide(1);
    }
    friend Wide operator*(const Wide& a, const Wide& b) {
        Wide product;
        for (std::size_t i = 0; i < limbs; ++i) {
            if (a.limb[i] == 0) continue;
            std::uint64_t carry = 0;
            for (std::size_t j = 0; i + j < limbs; ++j, carry >>= 32) {
                carry += std::uint64_t{a.limb[i]} * b.limb[j] + product.limb[i + j];
                product.limb[i + j] = static_cast<std::uint32_t>(carry);
            }
        }
        return product;
    }
    friend bool operator==(const Wide&, const Wide&) = default;
};

inline int sign(const Wide& a) { return a == Wide(0) ? 0 : (a.limb.back() >> 31) != 0 ? -1 : 1; }
inline int sign(std::int64_t a) { return (a > 0) - (a < 0); }

// value * 2^places; must be whole.
inline Wide to_wide(double value, int places) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    Wide result(static_cast<std::int64_t>(std::ldexp(fraction, 53)));
    int shift = exponent - 53 + places;
    if (shift < 0) {
        result = Wide(static_cast<std::int64_t>(std::ldexp(fraction, 53 + shift)));
        shift = 0;
    }
    for (; shift >= 30; shift -= 30) result = result * Wide(std::int64_t{1} << 30);
    return result * Wide(std::int64_t{1} << shift);
}

template <class Integer>
using Point = std::array<Integer, 3>;

inline Point<Wide> to_wide(const Vec3& p, int places) {
    return {to_wide(p[0], places), to_wide(p[1], places), to_wide(p[2], places)};
}

template <class Integer>
Point<Integer> minus(const Point<Integer>& a, const Point<Integer>& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

template <class Integer>
Integer dot(const Point<Integer>& a, const Point<Integer>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class Integer>
Point<Integer> cross(const Point<Integer>& a, const Point<Integer>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class Integer>
int orient3d(const Point<Integer>& a, const Point<Integer>& b, const Point<Integer>& c,
             const Point<Integer>& d) {
    return sign(dot(cross(minus(b, a), minus(c, a)), minus(d, a)));
}

// Solves sum_k y_k column_k = right * den for whole y and den > 0; false unless there is one solution.
template <class Integer>
bool solve(const std::vector<Point<Integer>>& columns, const Point<Integer>& right, std::vector<Integer>& y,
           Integer& den) {
    const std::size_t n = columns.size();
    if (n > 3) return false;
    // Eliminate below and above each pivot, without division.
    std::array<std::vector<Integer>, 3> rows;
    for (std::size_t r = 0; r < 3; ++r) {
        for (const auto& column : columns) rows[r].push_back(column[r]);
        rows[r].push_back(right[r]);
    }
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        while (pivot < 3 && sign(rows[pivot][k]) == 0) ++pivot;
        if (pivot == 3) return false;
        std::swap(rows[k], rows[pivot]);
        for (std::size_t r = 0; r < 3; ++r) {
            if (r == k || sign(rows[r][k]) == 0) continue;
            const Integer factor = rows[r][k];
            for (std::size_t c = 0; c <= n; ++c) rows[r][c] = rows[r][c] * rows[k][k] - rows[k][c] * factor;
        }
    }
    for (std::size_t r = n; r < 3; ++r) {
        if (sign(rows[r][n]) != 0) return false;
    }
    den = Integer(1);
    for (std::size_t k = 0; k < n; ++k) den = den * rows[k][k];
    y.clear();
    for (std::size_t k = 0; k < n; ++k) {
        Integer value = rows[k][n];
        for (std::size_t other = 0; other < n; ++other) {
            if (other != k) value = value * rows[other][other];
        }
        y.push_back(sign(den) < 0 ? Integer(0) - value : value);
    }
    if (sign(den) < 0) den = Integer(0) - den;
    return true;
}

// point / den lies on the segment from a to b.
template <class Integer>
bool on_segment(const Point<Integer>& point, const Integer& den, const Point<Integer>& a,
                const Point<Integer>& b) {
    Point<Integer> from_a, from_b;
    for (std::size_t k = 0; k < 3; ++k) {
        from_a[k] = point[k] - a[k] * den;
        from_b[k] = point[k] - b[k] * den;
    }
    for (const Integer& part : cross(from_a, minus(b, a))) {
        if (sign(part) != 0) return false;
    }
    // On the line of a and b, or anywhere where these are equal: between them along every axis.
    for (std::size_t k = 0; k < 3; ++k) {
        if (sign(from_a[k]) * sign(from_b[k]) > 0) return false;
    }
    return true;
}

// The triangles have a common point that does not lie in the hull of the corners they share by index.
template <class Integer>
bool overlap(const std::vector<Point<Integer>>& x, const std::array<int, 3>& s, const std::array<int, 3>& t) {
    const auto at = [&](const std::array<int, 3>& list, std::size_t k) -> const Point<Integer>& {
        return x[static_cast<std::size_t>(list[k])];
    };
    std::vector<int> common;
    for (int corner : s) {
        const bool in_t = corner == t[0] || corner == t[1] || corner == t[2];
        const bool known = std::find(common.begin(), common.end(), corner) != common.end();
        if (in_t && !known) common.push_back(corner);
    }
    if (common.size() == 3) return false;
    const auto allowed = [&](const Point<Integer>& point, const Integer& den) {
        if (common.empty()) return false;
        return on_segment(point, den, x[static_cast<std::size_t>(common.front())],
                          x[static_cast<std::size_t>(common.back())]);
    };

    // Try all sets of corners with weights; the weight of the first of each is what the others leave.
    for (unsigned in_s = 1; in_s < 8; ++in_s) {
        for (unsigned in_t = 1; in_t < 8; ++in_t) {
            const auto first_s = static_cast<std::size_t>(std::countr_zero(in_s));
            const auto first_t = static_cast<std::size_t>(std::countr_zero(in_t));
            const Point<Integer>&origin_s = at(s, first_s), &origin_t = at(t, first_t);
            std::vector<Point<Integer>> columns;
            for (std::size_t k = first_s + 1; k < 3; ++k) {
                if ((in_s >> k & 1) != 0) columns.push_back(minus(at(s, k), origin_s));
            }
            const std::size_t of_s = columns.size();
            for (std::size_t k = first_t + 1; k < 3; ++k) {
                if ((in_t >> k & 1) != 0) columns.push_back(minus(origin_t, at(t, k)));
            }
            std::vector<Integer> y;
            Integer den;
            if (!solve(columns, minus(origin_t, origin_s), y, den)) continue;
            bool valid = true;
            Integer left_s = den, left_t = den;
            Point<Integer> point;
            for (std::size_t k = 0; k < 3; ++k) point[k] = origin_s[k] * den;
            for (std::size_t k = 0; k < y.size(); ++k) {
                valid = valid && sign(y[k]) >= 0;
                Integer& left = k < of_s ? left_s : left_t;
                left = left - y[k];
                if (k >= of_s) continue;
                for (std::size_t c = 0; c < 3; ++c) point[c] = point[c] + columns[k][c] * y[k];
            }
            if (valid && sign(left_s) >= 0 && sign(left_t) >= 0 && !allowed(point, den)) return true;
        }
    }
    return false;
}

}  // namespace taut::exact

// Decides without rounding whether a point and a triangle, or two segments, touch during a step on
// straight paths. As in difference_patch.hpp, they touch when the flat patch r - w1 e - w2 f holds the
// origin. Where r, e and f leave a common plane, that is at a root of the cubic det(r, e, f) only; where
// they never do, a first touch is at the start or on a side of the patch.
#pragma once

#include <array>
#include <cmath>

#include "elements/exact_roots.hpp"
#include "taut/base/vec.hpp"

namespace taut::elements::exact {

using PolyVec = std::array<Poly, 3>;  // a vector that depends on time

inline PolyVec sum(const PolyVec& a, const PolyVec& b, int k = 1) {
    return {sum(a[0], b[0], k), sum(a[1], b[1], k), sum(a[2], b[2], k)};
}

inline Poly dot(const PolyVec& a, const PolyVec& b) {
    return sum(sum(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2]));
}

inline PolyVec cross(const PolyVec& a, const PolyVec& b) {
    const auto part = [&](int i, int j) { return sum(product(a[i], b[j]), product(a[j], b[i]), -1); };
    return {part(1, 2), part(2, 0), part(0, 1)};
}

inline bool is_zero(const PolyVec& a) { return a[0].empty() && a[1].empty() && a[2].empty(); }

// x in units of 2^exponent, which must not be above the last of its 53 bits.
inline Int whole(double x, int exponent) {
    if (x == 0) return 0;
    int own = 0;
    const auto digits = static_cast<long long>(std::ldexp(std::frexp(x, &own), 53));
    return Int(digits) << (own - 53 - exponent);
}

// A time of the step as an exact number.
inline Dyadic dyadic(double time) {
    if (time == 0) return {};
    int exponent = std::ilogb(time) - 52;
    Int num = whole(time, exponent);
    for (; num % 2 == 0 && exponent < 0; ++exponent) num /= 2;
    return {num, static_cast<unsigned>(-exponent)};
}

// The pair as a moving patch.
struct MovingPatch {
    PolyVec r, e, f;
    bool triangle = true;

    // Corners: point and triangle, or two segments, at the start and end of the step [m], finite.
    MovingPatch(const std::array<Vec3, 4>& start, const std::array<Vec3, 4>& end, bool edges)
        : triangle(!edges) {
        // Find the unit of which all coordinates are whole multiples.
        int exponent = 1024;
        for (int i = 0; i < 24; ++i) {
            const double x = (i < 12 ? start : end)[i % 12 / 3][i % 3];
            if (x != 0) exponent = std::min(exponent, std::ilogb(x) - 52);
        }
        std::array<PolyVec, 4> corner;
        for (int i = 0; i < 12; ++i) {
            const Int x = whole(start[i / 3][i % 3], exponent), y = whole(end[i / 3][i % 3], exponent);
            corner[i / 3][i % 3] = trimmed({x, y - x});
        }
        r = sum(corner[0], corner[edges ? 2 : 1], -1);
        e = edges ? sum(corner[0], corner[1], -1) : sum(corner[2], corner[1], -1);
        f = sum(corner[3], corner[edges ? 2 : 1], -1);
    }

    // The sides, each as a pair of corners.
    std::vector<std::array<PolyVec, 2>> sides() const {
        const PolyVec b = sum(r, e, -1), c = sum(r, f, -1);
        if (triangle) return {{r, b}, {r, c}, {b, c}};
        const PolyVec d = sum(b, f, -1);
        return {{r, b}, {r, c}, {b, d}, {c, d}};
    }
};

// Whether the side pq holds the origin at some time in [0, last].
inline bool side_touches(const PolyVec& p, const PolyVec& q, const Dyadic& last) {
    const PolyVec off = cross(p, q);
    const Poly beyond = dot(p, q);
    if (is_zero(off)) {
        if (beyond.empty() || sign_at(beyond, {}) <= 0) return true;
        return !roots_until(SturmChain(beyond), last).empty();
    }
    Poly common;
    for (const Poly& part : off) common = common_divisor(common, part);
    const SturmChain chain(common);
    for (const Root& root : roots_until(chain, last)) {
        if (sign_at_root(beyond, chain, root) <= 0) return true;
    }
    return false;
}

// Whether the patch holds the origin at a root where r, e and f share a plane.
inline bool touches_at(const MovingPatch& patch, const SturmChain& chain, const Root& root) {
    const auto sign = [&](const Poly& q) { return sign_at_root(q, chain, root); };
    const auto vanishes = [&](const PolyVec& x) {
        return sign(x[0]) == 0 && sign(x[1]) == 0 && sign(x[2]) == 0;
    };
    const PolyVec normal = cross(patch.e, patch.f);
    if (!vanishes(normal)) {
        const Poly w1 = dot(cross(patch.r, patch.f), normal), w2 = dot(cross(patch.e, patch.r), normal);
        const Poly one = dot(normal, normal);
        if (sign(w1) < 0 || sign(w2) < 0) return false;
        if (patch.triangle) return sign(sum(sum(one, w1, -1), w2, -1)) >= 0;
        return sign(sum(one, w1, -1)) >= 0 && sign(sum(one, w2, -1)) >= 0;
    }
    for (const auto& [p, q] : patch.sides()) {
        if (vanishes(cross(p, q)) && sign(dot(p, q)) <= 0) return true;
    }
    return false;
}

// Whether the pair touches at a time in [0, last] of the step, last at most 1.
inline bool touches(const MovingPatch& patch, const Dyadic& last = {1, 0}) {
    const Poly volume = dot(patch.r, cross(patch.e, patch.f));
    if (!volume.empty()) {
        const SturmChain chain(volume);
        for (const Root& root : roots_until(chain, last)) {
            if (touches_at(patch, chain, root)) return true;
        }
        return false;
    }
    if (touches_at(patch, SturmChain({0, 1}), {{}, {}, true})) return true;
    for (const auto& [p, q] : patch.sides()) {
        if (side_touches(p, q, last)) return true;
    }
    return false;
}

}  // namespace taut::elements::exact

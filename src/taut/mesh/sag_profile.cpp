// The start shape of a hanging row: a polygon of equal links inscribed in a parabola z = a s^2.
// Points are placed from the lowest point outwards, each at exactly one link from the last; the
// half width they reach falls as a grows, so that a is the root of a monotone function.
// Extended precision keeps the sum of many links below the rounding of the coordinates.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"
#include "taut/mesh/makers.hpp"

namespace taut::mesh {
namespace {

using Real = long double;

// The step d > 0 with |(s + d, a (s + d)^2) - (s, a s^2)| = 1: d^2 (1 + a^2 (2 s + d)^2) = 1.
Real link_step(Real a, Real s) {
    // Start above the root: at the slope of the near end, or as if the link were vertical.
    Real d = 1 / std::hypot(Real{1}, 2 * a * s);
    if (a > 0) d = std::min(d, (1 / a) / (s + std::sqrt(s * s + 1 / a)));

    // Descend by Newton's method; the function is convex, so the iterates fall until rounding.
    for (int k = 0; k < 60; ++k) {
        const Real slope = a * (2 * s + d);
        const Real value = d * d * (1 + slope * slope) - 1;
        const Real derivative = 2 * d * (1 + slope * slope) + 2 * d * d * slope * a;
        const Real next = d - value / derivative;
        if (!(next < d) || !(next > 0)) break;
        d = next;
    }
    return d;
}

// Distances from the axis of the points of one half, lowest first, in links.
std::vector<Real> half_profile(int links, Real a) {
    std::vector<Real> s{links % 2 == 0 ? Real{0} : Real{0.5}};
    for (int k = 0; k < links / 2; ++k) s.push_back(s.back() + link_step(a, s.back()));
    return s;
}

// The coefficient a >= 0 whose profile reaches half_chord, by the Illinois form of false position.
Real solve_coefficient(int links, Real half_chord) {
    const auto excess = [&](Real a) { return half_profile(links, a).back() - half_chord; };
    Real low = 0, f_low = excess(low);
    if (!(f_low > 1e-15L * half_chord)) return 0;  // straight, as far as doubles can tell
    Real high = 1 / static_cast<Real>(links), f_high = excess(high);
    while (f_high > 0) {
        low = high, f_low = f_high;
        high *= 4, f_high = excess(high);
        if (!std::isfinite(high)) return low;
    }

    // Shrink the bracket until the end point stands within rounding, or the bracket is empty.
    int side = 0;
    for (int k = 0; k < 400 && f_high != 0; ++k) {
        Real a = (low * f_high - high * f_low) / (f_high - f_low);
        if (!(a > low && a < high) || k % 8 == 7) a = low + (high - low) / 2;
        if (!(a > low && a < high)) break;
        const Real f = excess(a);
        if (std::abs(f) <= 1e-19L * half_chord) return a;
        if (f > 0) {
            low = a, f_low = f;
            if (side == 1) f_high /= 2;
            side = 1;
        } else {
            high = a, f_high = f;
            if (side == -1) f_low /= 2;
            side = -1;
        }
    }
    return high;
}

void require_profile(int links, double link_length, double chord) {
    if (links < 1)
        throw InputError({}, "a profile needs links", std::to_string(links), "allowed: at least 1");
    if (!(std::isfinite(link_length) && link_length > 0))
        throw InputError({}, "links must have a positive length", number_text(link_length), "allowed: > 0 m");
    constexpr double rounding = 1e-9;  // relative; spacings of large grids are rounded to 2e-16 per cell
    const double length = links * link_length;
    const double least = links % 2 == 0 ? 0 : link_length;
    const bool reached = chord > 0 && chord >= least * (1 - rounding) && chord <= length * (1 + rounding);
    if (!reached || (links > 1 && chord <= least))
        throw InputError(
            {}, "the ends of a profile cannot be that far apart", number_text(chord),
            "allowed: more than " + number_text(least) + " and at most " + number_text(length) + " m");
}

}  // namespace

Points sag_profile(int links, double link_length, double chord) {
    require_profile(links, link_length, chord);
    const Real half_chord = static_cast<Real>(chord) / link_length / 2;
    const Real a = solve_coefficient(links, half_chord);
    const std::vector<Real> s = half_profile(links, a);

    // Mirror the half; a straight line spreads what rounding leaves evenly over the links.
    Points points(static_cast<std::size_t>(links) + 1, Vec3::Zero());
    const Real stretch = a == 0 ? half_chord / s.back() : Real{1};
    for (int k = 0; k <= links; ++k) {
        const bool left = 2 * k < links;
        const Real distance =
            s[static_cast<std::size_t>((left ? links - 2 * k : 2 * k - links) / 2)] * stretch;
        const Real x = half_chord + (left ? -distance : distance);
        const Real z = a * (distance - half_chord) * (distance + half_chord);
        points[k] = {static_cast<double>(x * link_length), 0, static_cast<double>(z * link_length)};
    }
    points.front() = Vec3::Zero();
    points.back() = {chord, 0, 0};
    return points;
}

}  // namespace taut::mesh

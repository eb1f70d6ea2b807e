// Repelling and stretching of two particles at a distance r, with the nominal distance s. The functions R and
// S of House, DeVaul and Breen 1996 (Eq. 2 and 3) are taken in a form without dimensions,
//     R = ((s - r)/s)^5 s/r  for r <= s,     S = ((r - s)/s)^5  for r >= s,
// both 0 beyond; at r = s they meet with four continuous derivatives. See docs/theory/stretch_well.md.
#pragma once

#include "taut/base/vec.hpp"

namespace taut::elements {

// Value, first and second derivative by r.
struct WellValue {
    double value = 0, slope = 0, bend = 0;
};

inline WellValue repel_well(double r, double s) {
    if (!(r < s)) return {};
    // With t = r/s: (1 - t)^5 / t.
    const double t = r / s, a = 1 - t, a3 = a * a * a, a4 = a3 * a;
    return {a4 * a / t, -a4 * (1 + 4 * t) / (t * t * s), a3 * (2 + t * (6 + 12 * t)) / (t * t * t * s * s)};
}

inline WellValue stretch_well(double r, double s) {
    if (!(r > s)) return {};
    const double t = (r - s) / s, t3 = t * t * t;
    return {t3 * t * t, 5 * t3 * t / s, 20 * t3 / (s * s)};
}

// Second derivative by d of a function of r = |d| with these derivatives: [[B, -B], [-B, B]] on the two ends.
// `positive` leaves out what it takes away across d.
inline Mat3 pair_block(const WellValue& w, const Vec3& d, bool positive) {
    const double r = d.norm();
    const Vec3 n = d / r;
    double side = w.slope / r;
    if (positive && side < 0) side = 0;
    return side * Mat3::Identity() + (w.bend - side) * n * n.transpose();
}

}  // namespace taut::elements

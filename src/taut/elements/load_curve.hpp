// A load over a deformation as one fabric has it: bending moment over curvature, or shear force over angle.
// Odd in s and never falling, so that its energy is convex: a spring, friction that yields, and stiffening,
//     load(s) = slope s + sum_j load_j (1 - exp(-|s| / scale_j)) sgn s + stiffening (|s| - start)^2 sgn s,
// the last beyond `start` only, and without further bend beyond `end`. The first and last part are elastic.
// Friction is either taken as elastic, as on the way out from rest, or remembered (Dahl's law): where s turns
// back, each part goes from the load it holds towards the other side,
//     held' = (load_j - held sgn s') / scale_j |s'|,
// which on the way out from rest is the first curve again. See docs/theory/fabrics.md.
#pragma once

#include <array>
#include <cmath>
#include <limits>

namespace taut::elements {

// Friction of one strength: `load` is approached as the deformation goes on by a few times `scale`.
struct Yielding {
    double load = 0;   // [load]
    double scale = 1;  // [deformation], > 0
};

inline constexpr int max_yielding = 4;

struct LoadCurve {
    double slope = 0;                                      // [load / deformation]
    std::array<Yielding, max_yielding> yielding{};         // parts with load 0 play no part
    double stiffening = 0;                                 // [load / deformation^2]
    double start = 0;                                      // of the stiffening
    double end = std::numeric_limits<double>::infinity();  // it goes on straight from here

    bool empty() const {
        for (const Yielding& y : yielding) {
            if (y.load != 0) return false;
        }
        return slope == 0 && stiffening == 0;
    }
};

inline LoadCurve straight(double slope) {
    LoadCurve curve;
    curve.slope = slope;
    return curve;
}

// Load, its derivative and its integral from 0 at one deformation.
struct Load {
    double load = 0, tangent = 0, energy = 0;
};

// What is left when the load is taken off: spring and stiffening.
inline Load elastic_load(const LoadCurve& c, double s) {
    const double a = std::abs(s), sign = s < 0 ? -1 : 1;
    Load r{c.slope * a, c.slope, 0.5 * c.slope * a * a};
    const double over = std::fmin(a, c.end) - c.start;
    if (c.stiffening > 0 && over > 0) {
        const double past = std::fmax(a - c.end, 0);
        const double tangent = 2 * c.stiffening * over, load = c.stiffening * over * over;
        r.load += load + tangent * past;
        r.tangent += tangent;
        r.energy += load * over / 3 + (load + 0.5 * tangent * past) * past;
    }
    r.load *= sign;
    return r;
}

// One part of friction that holds the load `held`, and moves on by `way`.
inline Load friction_load(const Yielding& y, double held, double way) {
    if (y.load == 0) return {};
    const double sign = way < 0 ? -1 : 1, a = std::abs(way);
    const double missing = y.load - sign * held;  // >= 0
    const double left = std::exp(-a / y.scale);
    return {sign * (y.load - missing * left), missing / y.scale * left,
            y.load * a + missing * y.scale * std::expm1(-a / y.scale)};
}

// The whole curve, on the way out from rest.
inline Load load_at(const LoadCurve& c, double s) {
    Load r = elastic_load(c, s);
    for (const Yielding& y : c.yielding) {
        const Load f = friction_load(y, 0, s);
        r.load += f.load, r.tangent += f.tangent, r.energy += f.energy;
    }
    return r;
}

}  // namespace taut::elements

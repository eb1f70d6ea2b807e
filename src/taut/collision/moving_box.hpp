// A box around points on their way through a step: one box at its start, one at its end. In between
// every point lies in the box interpolated between the two. Single precision, rounded outwards.
#pragma once

#include <cmath>
#include <limits>

#include "taut/base/vec.hpp"

namespace taut::collision {

struct MovingBox {
    // x, y, z; the fourth lane is unused.
    typedef float Corner __attribute__((vector_size(16)));
    static constexpr float far = std::numeric_limits<float>::infinity();
    Corner low_start{far, far, far, far}, high_start{-far, -far, -far, 0};
    Corner low_end{far, far, far, far}, high_end{-far, -far, -far, 0};

    void add(const MovingBox& other) {
        low_start = lower(low_start, other.low_start);
        low_end = lower(low_end, other.low_end);
        high_start = higher(high_start, other.high_start);
        high_end = higher(high_end, other.high_end);
    }

    // True where one axis keeps the two apart at both ends of the step with the same one ahead, hence
    // through all of it. Boxes with numbers that are none are never apart.
    bool apart(const MovingBox& b) const {
        const auto ahead = (low_start > b.high_start) & (low_end > b.high_end);
        const auto behind = (b.low_start > high_start) & (b.low_end > high_end);
        const auto any = ahead | behind;
        return (any[0] | any[1] | any[2]) != 0;
    }

    static Corner lower(Corner a, Corner b) { return a < b ? a : b; }
    static Corner higher(Corner a, Corner b) { return a > b ? a : b; }
};

// A number that is none lies anywhere.
inline float rounded_down(double value) {
    if (std::isnan(value)) return -MovingBox::far;
    const float f = static_cast<float>(value);
    return static_cast<double>(f) > value ? std::nextafterf(f, -MovingBox::far) : f;
}
inline float rounded_up(double value) {
    if (std::isnan(value)) return MovingBox::far;
    const float f = static_cast<float>(value);
    return static_cast<double>(f) < value ? std::nextafterf(f, MovingBox::far) : f;
}

// The way of one point, with a margin on all sides [m].
inline MovingBox moving_box(const Vec3& start, const Vec3& end, double margin) {
    MovingBox box;
    for (int k = 0; k < 3; ++k) {
        box.low_start[k] = rounded_down(start[k] - margin);
        box.high_start[k] = rounded_up(start[k] + margin);
        box.low_end[k] = rounded_down(end[k] - margin);
        box.high_end[k] = rounded_up(end[k] + margin);
    }
    return box;
}

}  // namespace taut::collision

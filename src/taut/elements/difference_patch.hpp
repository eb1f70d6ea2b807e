// The differences between the points of two shapes form a flat patch,
//     D(w) = r - w1 e - w2 f:
// a triangle (w1, w2 >= 0, w1 + w2 <= 1) for a point against a triangle, a parallelogram
// (0 <= w1, w2 <= 1) for two segments. The distance of the shapes is that of the patch from the origin.
// The foot inside is a least-squares solution by orthogonalisation, which loses nothing on slivers and
// nearly parallel segments; if it falls outside, or the patch is too thin to have an inside, the foot
// is on the border. Rounding is bounded in docs/theory/continuous_detection.md.
#pragma once

#include <algorithm>

#include "taut/base/vec.hpp"

namespace taut::elements {

enum class PatchShape { triangle, parallelogram };

struct DifferencePatch {
    Vec3 r, e, f;  // [m]
};

struct PatchFoot {
    double w1 = 0, w2 = 0;
    Vec3 offset = Vec3::Zero();  // D(w1, w2) [m]
    double squared = 0;          // |offset|^2 [m^2]
};

// Sum of the squared lengths [m^2].
inline double patch_square(const DifferencePatch& patch) {
    return patch.r.squaredNorm() + patch.e.squaredNorm() + patch.f.squaredNorm();
}

// That sum must lie between these for squares neither to overflow nor to lose digits.
inline constexpr double min_patch_square = 1e-200;
inline constexpr double max_patch_square = 1e200;

// Below this squared length [m^2] an edge is a point: 1e-145 m, out of sight of any patch within the
// bounds above, and far above the squares that lose digits.
inline constexpr double point_square = 1e-290;

// A patch has an inside if the part of f across e is longer than 20 units of rounding (2^-53) times
// |f|: the computed part then has the right direction within 30 degrees. The square of that factor.
inline constexpr double thin_patch_square = 5e-30;

// Keeps the foot at (w1, w2) if it is nearer than the one found before.
inline void offer_foot(const DifferencePatch& patch, double w1, double w2, PatchFoot& foot) {
    const Vec3 offset = (patch.r - w1 * patch.e) - w2 * patch.f;
    const double squared = offset.squaredNorm();
    if (squared < foot.squared) foot = {w1, w2, offset, squared};
}

// The foot on the border: the nearest of the feet on its three or four sides.
template <PatchShape shape>
PatchFoot nearest_on_border(const DifferencePatch& patch) {
    const auto& [r, e, f] = patch;
    const auto unit = [](double x) { return std::clamp(x, 0.0, 1.0); };
    const auto inverse = [](double square) { return square > point_square ? 1 / square : 0.0; };
    const double per_ee = inverse(e.squaredNorm());
    const double per_ff = inverse(f.squaredNorm());
    const double re = r.dot(e);
    const double rf = r.dot(f);

    // Drop the origin on each side.
    PatchFoot foot{0, 0, r, r.squaredNorm()};
    offer_foot(patch, unit(re * per_ee), 0, foot);
    offer_foot(patch, 0, unit(rf * per_ff), foot);
    if constexpr (shape == PatchShape::triangle) {
        const Vec3 g = f - e;
        const double w2 = unit((r - e).dot(g) * inverse(g.squaredNorm()));
        offer_foot(patch, 1 - w2, w2, foot);
    } else {
        const double ef = e.dot(f);
        offer_foot(patch, unit((re - ef) * per_ee), 1, foot);
        offer_foot(patch, 1, unit((rf - ef) * per_ff), foot);
    }
    return foot;
}

// The point of the patch nearest to the origin. The squared lengths must be within the bounds above.
template <PatchShape shape>
PatchFoot nearest_to_origin(const DifferencePatch& patch) {
    const auto& [r, e, f] = patch;
    const double ee = e.squaredNorm();
    if (ee > point_square) {
        // Split f and r into their parts along and across e.
        const double per_ee = 1 / ee;
        const double f_along = e.dot(f) * per_ee;
        const double r_along = e.dot(r) * per_ee;
        const Vec3 f_across = f - f_along * e;
        const Vec3 r_across = r - r_along * e;

        // Solve for the foot on the plane, and take it if it is inside.
        const double across = f_across.squaredNorm();
        if (across > point_square && across > thin_patch_square * f.squaredNorm()) {
            const double w2 = r_across.dot(f_across) / across;
            const double w1 = r_along - f_along * w2;
            const bool inside =
                w1 >= 0 && w2 >= 0 && (shape == PatchShape::triangle ? w1 + w2 <= 1 : w1 <= 1 && w2 <= 1);
            if (inside) {
                const Vec3 offset = (r - w1 * e) - w2 * f;
                return {w1, w2, offset, offset.squaredNorm()};
            }
        }
    }
    return nearest_on_border<shape>(patch);
}

}  // namespace taut::elements

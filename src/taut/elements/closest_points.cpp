// Closest points by way of the patch of differences (difference_patch.hpp). Lengths whose squares
// would overflow or lose digits are first scaled by a power of two, which changes no digit.
#include "taut/elements/closest_points.hpp"

#include <cmath>

#include "taut/elements/difference_patch.hpp"

namespace taut::elements {
namespace {

Vec3 scaled(const Vec3& x, int exponent) {
    return {std::ldexp(x.x(), exponent), std::ldexp(x.y(), exponent), std::ldexp(x.z(), exponent)};
}

// The foot on a patch of any size. differences(k) returns it with all coordinates times 2^k.
template <PatchShape shape, typename Differences>
PatchFoot nearest_at_any_scale(const DifferencePatch& patch, const Differences& differences) {
    // Subtract anew, with room to do so without overflow.
    const int room = patch_square(patch) > 1 ? -2 : 0;
    DifferencePatch fit = differences(room);
    const double size =
        std::max({fit.r.cwiseAbs().maxCoeff(), fit.e.cwiseAbs().maxCoeff(), fit.f.cwiseAbs().maxCoeff()});
    if (!(size > 0) || std::isinf(size)) return {};

    // Bring the largest coordinate near 1, and the foot back to size.
    const int exponent = std::ilogb(size);
    for (Vec3* x : {&fit.r, &fit.e, &fit.f}) *x = scaled(*x, -exponent);
    PatchFoot foot = nearest_to_origin<shape>(fit);
    foot.offset = scaled(foot.offset, exponent - room);
    foot.squared = foot.offset.squaredNorm();
    return foot;
}

template <PatchShape shape, typename Differences>
PatchFoot nearest(const Differences& differences) {
    const DifferencePatch patch = differences(0);
    const double square = patch_square(patch);
    if (square > min_patch_square && square < max_patch_square) return nearest_to_origin<shape>(patch);
    return nearest_at_any_scale<shape>(patch, differences);
}

}  // namespace

TriangleFoot nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const PatchFoot foot = nearest<PatchShape::triangle>([&](int k) -> DifferencePatch {
        if (k == 0) return {p - a, b - a, c - a};
        const Vec3 corner = scaled(a, k);
        return {scaled(p, k) - corner, scaled(b, k) - corner, scaled(c, k) - corner};
    });
    return {{std::max(0.0, (1 - foot.w1) - foot.w2), foot.w1, foot.w2}, foot.offset, foot.squared};
}

SegmentFeet nearest_on_segments(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
    const PatchFoot foot = nearest<PatchShape::parallelogram>([&](int k) -> DifferencePatch {
        if (k == 0) return {a0 - b0, a0 - a1, b1 - b0};
        const Vec3 a = scaled(a0, k), b = scaled(b0, k);
        return {a - b, a - scaled(a1, k), scaled(b1, k) - b};
    });
    return {foot.w1, foot.w2, foot.offset, foot.squared};
}

}  // namespace taut::elements

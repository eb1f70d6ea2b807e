// Where a floating-point filter cannot tell, the determinant is computed in whole numbers of 512 bits, which
// no choice of rounding or of fused products by the compiler can change.
#include "taut/elements/in_circle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace taut::elements {
namespace {

// Two's complement of 512 bits. Coordinates have 120 bits, so differences 121, their products and sums of
// two products 243, products of those 486, and three of them 488.
struct Whole {
    static constexpr std::size_t limbs = 16;
    static constexpr int coordinate_bits = 120;
    std::array<std::uint32_t, limbs> limb{};

    // value * 2^shift, cut off below the unit.
    static Whole scaled(double value, int shift) {
        int exponent = 0;
        const double fraction = std::frexp(value, &exponent);
        const int places = exponent - 53 + shift;
        const auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53 + std::min(places, 0)));
        Whole result;
        const int up = std::max(places, 0), skip = up / 32;
        for (std::size_t k = static_cast<std::size_t>(skip), part = 0; k < limbs; ++k, ++part) {
            // Take 32 bits of mantissa * 2^(up % 32), sign extended, from bit 32 * part.
            const int from = static_cast<int>(32 * part) - up % 32;
            const std::int64_t bits =
                from < 0    ? static_cast<std::int64_t>(static_cast<std::uint64_t>(mantissa) << -from)
                : from < 63 ? mantissa >> from
                            : mantissa >> 63;
            result.limb[k] = static_cast<std::uint32_t>(bits);
        }
        return result;
    }
    Whole operator+(const Whole& other) const {
        Whole sum;
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < limbs; ++k, carry >>= 32) {
            carry += std::uint64_t{limb[k]} + other.limb[k];
            sum.limb[k] = static_cast<std::uint32_t>(carry);
        }
        return sum;
    }
    Whole operator-(const Whole& other) const {
        Whole difference;
        std::uint64_t carry = 1;
        for (std::size_t k = 0; k < limbs; ++k, carry >>= 32) {
            carry += std::uint64_t{limb[k]} + static_cast<std::uint32_t>(~other.limb[k]);
            difference.limb[k] = static_cast<std::uint32_t>(carry);
        }
        return difference;
    }
    Whole operator*(const Whole& other) const {
        Whole product;
        for (std::size_t i = 0; i < limbs; ++i) {
            std::uint64_t carry = 0;
            for (std::size_t j = 0; i + j < limbs; ++j, carry >>= 32) {
                carry += std::uint64_t{limb[i]} * other.limb[j] + product.limb[i + j];
                product.limb[i + j] = static_cast<std::uint32_t>(carry);
            }
        }
        return product;
    }
    int sign() const {
        if ((limb.back() >> 31) != 0) return -1;
        return std::any_of(limb.begin(), limb.end(), [](std::uint32_t part) { return part != 0; }) ? 1 : 0;
    }
};

int exact_in_circle(const std::array<Vec2, 4>& points) {
    double largest = 0;
    for (const Vec2& p : points) {
        if (!p.allFinite()) return 0;
        largest = std::max(largest, p.cwiseAbs().maxCoeff());
    }
    if (largest == 0) return 0;
    const int shift = Whole::coordinate_bits - 1 - std::ilogb(largest);
    const auto at = [&](std::size_t k, int axis) { return Whole::scaled(points[k][axis], shift); };
    std::array<Whole, 3> x, y, lift;
    const Whole x_end = at(3, 0), y_end = at(3, 1);
    for (std::size_t k = 0; k < 3; ++k) {
        x[k] = at(k, 0) - x_end;
        y[k] = at(k, 1) - y_end;
        lift[k] = x[k] * x[k] + y[k] * y[k];
    }
    Whole det;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t m = (k + 1) % 3, n = (k + 2) % 3;
        det = det + lift[k] * (x[m] * y[n] - y[m] * x[n]);
    }
    return det.sign();
}

}  // namespace

int in_circle(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    const double ax = a[0] - d[0], ay = a[1] - d[1], bx = b[0] - d[0], by = b[1] - d[1];
    const double cx = c[0] - d[0], cy = c[1] - d[1];
    const double a_lift = ax * ax + ay * ay, b_lift = bx * bx + by * by, c_lift = cx * cx + cy * cy;
    const double det =
        a_lift * (bx * cy - by * cx) + b_lift * (cx * ay - cy * ax) + c_lift * (ax * by - ay * bx);
    const double size = a_lift * (std::abs(bx * cy) + std::abs(by * cx)) +
                        b_lift * (std::abs(cx * ay) + std::abs(cy * ax)) +
                        c_lift * (std::abs(ax * by) + std::abs(ay * bx));

    // Each of 12 products has at most ten roundings: four differences, two squares or products and their
    // sums, one product, two sums. Slack covers those of the bound; fused products have fewer. Within these
    // limits nothing overflows, and underflow is far below the bound.
    constexpr double roundings = 12 * 0x1p-53;
    if (size > 1e-200 && size < 1e200 && std::abs(det) > roundings * size) return det > 0 ? 1 : -1;
    return exact_in_circle({a, b, c, d});
}

}  // namespace taut::elements
